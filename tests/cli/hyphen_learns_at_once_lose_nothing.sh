#!/bin/bash
# Who changes a store of exceptions waits for the others, also for the one who creates it.
. "$(dirname "$0")/lib"

printf 'q1q\n' >patterns
parts=(b c d e f g h i)
for part in "${parts[@]}"; do printf "%s\n" "$part$part"-{k..r}{k..r}{k..r} >"part.$part"; done

# all COMMAND: do it with every part at once.
all() {
    local started=() process
    for part in "${parts[@]}"; do
        "$SITO" hyphen "$1" store "part.$part" --guard "$guard" &
        started+=($!)
    done
    for process in "${started[@]}"; do wait "$process" || fail "$guard: $1 failed"; done
}

for guard in none bloom counting; do
    for _ in 1 2 3; do
        rm -f store store.guard
        all learn
        cat part.* | tr -d - | exits 0 hyphen --patterns patterns --words --exceptions store
        cat part.* | cmp - out || fail "$guard: a word that was learned is lost"
        printf 'zz-top\n' | exits 0 hyphen learn store
        all forget
        (cat part.* && echo zz-top) | tr -d - >words
        exits 0 hyphen --patterns patterns --words --exceptions store words
        (cat part.* | tr -d - && echo zz-top) | cmp - out || fail "$guard: a word is not forgotten"
    done
done
find . -name 'store*' ! -name store ! -name store.guard >left
[ ! -s left ] || fail "left behind: $(cat left)"
