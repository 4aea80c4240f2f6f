#!/bin/bash
# To the limit, log2(1/rate) bits a key: within 0.03 at powers of two, 0.12 between them, as the guide says.
. "$(dirname "$0")/lib"

# near KEYS RATE BITS
near() {
    exits 0 plan "$1" "$2" -k ribbon --json
    bits=$(sed -n 's/.*"bits_per_key": \([0-9.]*\).*/\1/p' out)
    holds "$bits + log($2) / log(2) <= $3 && $bits + log($2) / log(2) > 0"
}
for nkeys in 1000000 10000000 100000000; do
    for rate in 0.25 0.00390625 0.0009765625 9.5367431640625e-07; do near $nkeys $rate 0.03; done
    for rate in 0.17 0.1 0.01 0.003 0.001 1e-4 1e-5 1e-6; do near $nkeys $rate 0.12; done
done
