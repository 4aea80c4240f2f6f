#!/bin/bash
# A linear filter takes keys with confidences, and gives them back: in lines that it would take again.
. "$(dirname "$0")/lib"

printf 'heron\t0.9\nstork\t0.25\nibis\nwith\ttab\t1\nheron\t0.1\n' >birds
printf 'heron\nstork\nibis\nwith\ttab\ncrow\n' >keys
lines='heron\t0.9\nstork\t0.24902\nibis\t1\nwith\ttab\t1\n'
exits 0 build -k linear --seed 1 -o filter birds
quiet
[ "$(field filter nkeys)" = 4 ] || fail "$(field filter nkeys) keys"
exits 0 query --levels filter keys
prints "$lines"
exits 0 query --map --levels filter keys
prints "$lines"
exits 0 query filter keys
prints 'heron\nstork\nibis\nwith\ttab\n'
exits 0 query -v filter keys
prints 'crow\n'

# From a stream, and from what was printed, the same cells.
cat birds | exits 0 build -k linear --seed 1 -o streamed
same filter streamed
"$SITO" query --levels filter keys >printed
exits 0 build --like filter -o again printed
same <(cells filter) <(cells again)

# NUL for newline.
tr '\n' '\0' <birds >nul
exits 0 build -0 -k linear --seed 1 -o ended nul
same filter ended
tr '\n' '\0' <keys | exits 0 query -0 --levels ended
tr '\0' '\n' <out >turned
# shellcheck disable=SC2059
printf "$lines" | same - turned

# Adding raises, and never lowers.
exits 0 build -k linear --seed 1 -n 10 -o roomy birds
printf 'stork\t0.5\nheron\t0.2\ncrow\t0.75\n' | exits 0 add --json roomy
grep -q '"new": 1, "perhaps_known": 2' out || fail 'add miscounts'
exits 0 query --levels roomy keys
prints 'heron\t0.9\nstork\t0.5\nibis\t1\nwith\ttab\t1\ncrow\t0.75098\n'

# Merged, the higher counts.
printf 'stork\t0.125\nibis\t0.5\n' | exits 0 build --like streamed -o low
printf 'stork\t0.5\n' | exits 0 build --like streamed -o high
exits 0 merge low high -o both
exits 0 query --levels both keys
prints 'stork\t0.5\nibis\t0.5\n'

# A confidence that is none, and one too low to be told from none.
for bad in 1.5 -0.1 nan inf '' ' 1' '0.5 ' half 0x1 1e 1e999 '50%'; do
    printf 'heron\t0.5\nstork\t%s\n' "$bad" >lines
    exits 2 build -k linear -o none lines
    says 'lines:2: '
    none none
    exits 2 build -k linear -n 10 -o none lines
    says 'lines:2: '
    none none
    cp both changed
    exits 2 add changed lines
    same both changed
done
printf 'heron\t0.001\nstork\t0\nibis\t.004\n' | exits 0 build -V -k linear --seed 1 -o dim
grep -q '2 keys were too uncertain' err || fail 'it does not tell'
exits 0 query --levels dim keys
prints 'ibis\t0.00588235\n'

# The other scale, and what is not possible.
exits 0 build -k linear --seed 1 --scale geometric --fade 1/2 --cell-bits 3 --hashes 4 -o halves birds
exits 0 query --levels halves keys
prints 'heron\t0.75\nstork\t0.375\nibis\t1\nwith\ttab\t1\n'
[ "$(field halves scale)" = geometric ] || fail 'another scale'
[ "$(field halves fade_q)" = 2 ] || fail 'another factor'
exits 2 build -k linear --fade 1/2 -o none birds
says 'does not take this --fade'
for bad in 2/1 1/1 0/2 1 1/ /2 1/2/3 -1/2 a/b; do
    exits 2 plan 70 -k linear --scale geometric --fade "$bad"
    says "--fade"
done
exits 2 build -k linear --scale cubic -o none birds
exits 2 build -k linear --cell-bits 17 -o none birds
exits 0 build -k bloom -o plain keys
exits 2 query --levels plain keys
says 'bloom keeps no confidences'
exits 2 query --levels -c halves keys
says 'leave -v, -c and --json out'

# The plan for 70 keys in 512 bytes.
exits 0 plan 70 -k linear --max-bytes 512 --json
error=$(sed -n 's/.*"squared_error_mid": \([^,]*\).*/\1/p' out)
holds "$error > 5e-5 && $error <= 6.5e-5"
exits 0 plan 70 -k linear --max-bytes 512
grep -q 'mean squared error 6.4e-05' out || fail 'the plan does not tell the error'

# What a terminal would not show is shown.
printf 'heron\t0.5\r\n' >lines
exits 2 build -k linear -o none lines
says 'lines:1: `0.5\x0d` has something after the number'
none none
