#!/bin/bash
# However large the numbers are.
. "$(dirname "$0")/lib"

for rate in 1% 0.0001% 1e-9; do
    exits 0 plan 1M $rate
    # kind, keys, size and unit, bytes, bits a key, hashes, rate
    grep -Ev -- ' - +[a-z]|^kind| is smaller than ' out |
        grep -Ev '^[a-z-]+ +[0-9,]+ +[0-9.]+ [KMGTPE]?i?B +[0-9,]+ +[0-9.]+ +([0-9]+|-)  [0-9]' &&
        fail 'columns run together'
done
exits 0 plan 1M
