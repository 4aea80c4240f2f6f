#!/bin/bash
# With --partial: a higher rate, or as many keys as have room. Still exit 3.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
for kind in $(kinds); do
    if can "$kind" grow || [ "$kind" = bitmap ] || [ "$kind" = aged ]; then continue; fi
    exits 3 build -k "$kind" -r 1% -n 100 --partial -o filter keys
    says 'filter: '
    exits 0 check filter
    "$SITO" query -c filter keys >found
    # Bit kinds go on, and so does counting; the others fill up.
    if [ "$kind" != counting ] && { can "$kind" remove || ! can "$kind" add; }; then holds "$(field filter nkeys) == 100 && $(cat found) >= 100"
    else [ "$(cat found)" = 1000 ] || fail "$kind: lost keys"; fi
done

# A table of counters to the letter goes on too.
exits 3 build -k counting --cells 512 --seed 1 -o none keys
says 'to have them at a higher rate'
none none
exits 3 build -k counting --cells 512 --seed 1 --partial -o filter keys
says 'at least 1,000 keys came'
holds "$(field filter nkeys) == 1000 && $(field filter capacity) < 100 && $(field filter present_fpr) > 0.5"
exits 0 query -c filter keys
prints '1000\n'
exits 0 remove filter keys
[ "$(field filter nkeys)" = 0 ] || fail 'a key is owed a remove'

# Kinds that grow stop at --max-bytes; a key that stands twice is left out once.
numbered 1 20000 >many
limited() {
    local status=$1 way=$2
    shift 2
    case $way in
    file) exits "$status" build --max-bytes 20k --seed 1 "$@" many many ;;
    stream) exits "$status" build --max-bytes 20k --seed 1 "$@" <(cat many many) ;;
    planned) exits "$status" build --max-bytes 20k --seed 1 -n 300 "$@" many many ;;
    esac
}
for kind in exact exact-cuckoo scalable 'scalable --layer cuckoo' 'scalable --layer block'; do
    read -ra words <<<"$kind"
    for way in file stream planned; do
        limited 3 $way -k "${words[@]}" -o none
        none none
        limited 3 $way -k "${words[@]}" --partial -o filter
        says 'allow more with --max-bytes'
        left=$(sed -n 's/.*filter: \([0-9,]*\) keys were left out.*/\1/p' err | tr -d ,)
        exits 0 check filter
        exits 0 query -c filter many
        holds "$(field filter bytes) <= 20000 && $(cat out) + $left == 20000"
        holds "$(field filter nkeys) >= 300 && $(field filter nkeys) <= $(cat out)"
    done
done
