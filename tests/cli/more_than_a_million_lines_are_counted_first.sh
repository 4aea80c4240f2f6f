#!/bin/bash
# Large files are read twice; the last line counts though it has no newline.
. "$(dirname "$0")/lib"

{ seq 1100000; printf 'last'; } >many
exits 0 build -o filter many
[ "$(field filter capacity)" = 1100001 ] || fail "capacity $(field filter capacity)"
holds "$(field filter nkeys) > 1090000"
exits 0 query -c filter many
prints '1100001\n'
gzip -1 <many >many.gz
exits 0 build --seed 1 -o a many
exits 0 build --seed 1 -o b many.gz
same a b
# A stream cannot be read twice, and its hashes are kept.
cat many | exits 0 build --seed 1 -o c
[ "$(field c capacity)" = 1100001 ] || fail "capacity $(field c capacity)"
exits 0 query -c c many
prints '1100001\n'

# Lines that repeat count, but in the kinds that the help names.
exits 0 help build
sed -n '/unless the kind/,/give -n/p' out >excepted
grep -q cuckoo excepted || fail 'the help names no kinds'
{ seq 1060000; seq 1000; } >many
for kind in $(kinds) 'scalable --layer cuckoo'; do
    read -ra words <<<"$kind"
    exits 0 build -k "${words[@]}" -o filter many
    expected=1061000
    if grep -q "\`${words[-1]}\`" excepted; then expected=1060000; fi
    [ "$(field filter capacity)" = $expected ] || fail "$kind: sized for $(field filter capacity)"
done
