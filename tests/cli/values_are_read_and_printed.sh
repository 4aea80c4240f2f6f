#!/bin/bash
# A fuse filter takes keys with values, and gives them back: in lines that it would take again.
. "$(dirname "$0")/lib"

printf 'heron\t35\nstork\t24\nibis\t0\nwith\ttab\t007\nheron\t35\n\t12\n' >birds
printf 'heron\nstork\nibis\nwith\ttab\n\n' >keys
lines='heron\t35\nstork\t24\nibis\t0\nwith\ttab\t7\n\t12\n'
exits 0 build -k fuse --values --seed 1 -o map birds
quiet
[ "$(field map nkeys)" = 5 ] || fail "$(field map nkeys) keys"
[ "$(field map value_bits)" = 6 ] || fail "$(field map value_bits) bits"
[ "$(field map tag_bits)" = 0 ] || fail "$(field map tag_bits) bits of marks"
exits 0 query --values map keys
prints "$lines"
exits 0 query --map --values map keys
prints "$lines"
exits 0 check map

# From a stream, on threads, in other order, and from what was printed, the same bytes.
cat birds | exits 0 build -k fuse --values --seed 1 --threads 3 -o streamed
same map streamed
tac birds | exits 0 build -k fuse --values --seed 1 -o back -
same map back
"$SITO" query --values map keys >printed
exits 0 build --like map -o again printed
same map again

# NUL for newline.
tr '\n' '\0' <birds >nul
exits 0 build -0 -k fuse --values --seed 1 -o ended nul
same map ended
tr '\n' '\0' <keys | exits 0 query -0 --values ended
tr '\0' '\n' <out >turned
# shellcheck disable=SC2059
printf "$lines" | same - turned

# Marks tell strangers; without them these get noise.
exits 0 build -k fuse --values -r 1e-6 --seed 1 -o marked birds
[ "$(field marked tag_bits)" = 20 ] || fail "$(field marked tag_bits) bits of marks"
printf 'stork\ncrow\n' | exits 0 query --values marked
prints 'stork\t24\ncrow\t-\n'
printf 'rook\ncrow\n' | exits 1 query --values marked
prints 'rook\t-\ncrow\t-\n'
printf 'rook\ncrow\n' | exits 1 query marked
printf 'rook\ncrow\n' | exits 0 query --values map
grep -qE '^crow.[0-9]+$' out || fail 'a stranger is told without marks'
exits 0 build -k fuse --values --tag-bits 3 --value-bits 29 --arity 3 -o wide birds
exits 0 query --values wide keys
prints "$lines"

# All of some thousand, and the empty set.
seq 0 20000 | awk '{ printf "%d\t%.0f\n", $1, $1 * 214748 }' >many
exits 0 build -k fuse --values -o many.sito many
[ "$(field many.sito value_bits)" = 32 ] || fail "$(field many.sito value_bits) bits"
cut -f1 many | exits 0 query --values many.sito
same many out
: | exits 0 build -k fuse --values -o empty
printf 'heron\n' | exits 1 query --values empty
prints 'heron\t-\n'
rm many.sito empty

# A value that is none, or does not fit; a key with two; and nothing is written.
for bad in 1.5 -1 +1 '' ' 1' '5 ' half 0x1 1e3 4294967296 99999999999999999999999; do
    printf 'heron\t5\nstork\t%s\n' "$bad" >lines
    exits 2 build -k fuse --values -o none lines
    says 'lines:2: '
    none none
done
printf 'heron\t5\nstork\n' >lines
exits 2 build -k fuse --values -o none lines
says 'lines:2: `stork` has no value'
exits 2 build -k fuse --value-bits 5 -o none birds
says 'birds:1: `35` is more than 5 bits hold'
printf 'ibis\t64\n' >large
exits 2 build --like map -o none large
says 'large:1: `64` is more than 6 bits hold'
printf 'heron\t5\nstork\t6\nheron\t4\n' >lines
exits 2 build -k fuse --values -o none lines
says 'with two values'
says 'in lines 1 and 3 of the input'
# Of several, the first; in whatever file.
printf 'crow\t1\nheron\t5\nheron\t5\n' >lines
printf 'heron\t5\nrook\t1\nheron\t6\ncrow\t1\ncrow\t2\n' >others
exits 2 build -k fuse --values -o none lines others
says 'in lines 4 and 6 of the input'
# What a terminal would not show is shown.
printf 'heron\t5\r\n' >lines
exits 2 build -k fuse --values -o none lines
says 'lines:1: `5\x0d` is no number'
printf 'heron\t5\0\n' >lines
exits 2 build -k fuse --values -o none lines
says 'lines:1: `5\x00` is no number'
exits 3 build -k fuse --values -n 3 -o none birds
says '5 keys came and 3 were planned'
none none

# What is not possible.
exits 2 build --values -o none birds
says 'bloom keeps no values'
exits 2 build -k fuse --values --partial -o none birds
says '--partial'
exits 2 build -k fuse --value-bits 33 -o none birds
exits 2 build -k fuse --value-bits 30 --tag-bits 3 -o none birds
none none
exits 0 build -k fuse -o plain keys
exits 2 query --values plain keys
says 'it keeps no values'
exits 2 build --values --like plain -o none birds
says 'plain keeps no values'
exits 2 query --values -c map keys
says 'leave -v, -c, --levels and --json out'

exits 0 plan 1M -k fuse --value-bits 8 --json
grep -q '"bytes": 1085058, .*"value_bits": 8' out || fail 'the plan does not tell'
# A wish of other kinds is not told as if it were kept.
exits 0 plan 1M -k bloom --value-bits 8 --arity 3 --tag-bits 8 --bucket 4 --rule path --scale geometric --cell-bits 4 --json
! grep -E 'value_bits|arity|tag_bits|bucket|rule|scale|cell_bits' out || fail 'bloom has none of these'
