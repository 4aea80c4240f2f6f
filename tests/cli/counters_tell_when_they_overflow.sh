#!/bin/bash
# The plan says how likely it is, info how often it happened, and count does not pretend to know.
. "$(dirname "$0")/lib"

exits 0 plan 1M -k counting
[ "$(wc -l <out)" = 3 ] || fail 'no line on overflow'
tail -n 1 out | grep -qE '^4 bits a counter: .* 1\.56e-16 .* 3\.11e-15\)$' || fail 'other figures'
exits 0 plan 1M -k counting --cell-bits 3 --json
python3 -c 'import json; p = json.load(open("out"))
assert p["cell_bits"] == 3 and 1e-6 < p["overflow"] < 1.1e-6 < 1.4e-5 < p["overflow_bound"] < 1.5e-5, p'
exits 0 plan 1M -k bloom --json
if grep -q overflow out; then fail 'bits do not overflow'; fi
for bits in 1 17; do
    exits 2 plan 1M -k counting --cell-bits $bits
    says 'counting does not take this --cell-bits'
done

echo heron >heron
for bits in 2 3 5; do
    exits 0 build -k counting --cell-bits $bits --hashes 4 --seed 4 -n 100 -o filter /dev/null
    [ "$(field filter cell_bits)" = $bits ] || fail "$(field filter cell_bits) bits"
    for _ in $(seq 3 $((1 << bits))); do exits 0 add filter heron; done
    exits 0 count filter heron
    prints "$(((1 << bits) - 2))\theron\n"
    [ "$(field filter saturated)" = 0 ] || fail 'saturated too early'
    exits 0 add filter heron
    exits 0 count filter heron
    prints '?\theron\n'
    exits 0 count --json filter heron
    prints '{"key": "heron", "count": null}\n'
    [ "$(field filter saturated)" = 4 ] || fail "$(field filter saturated) saturated"
    exits 0 check filter
done
