#!/bin/bash
# A rate is above 0 and below 1.
. "$(dirname "$0")/lib"

numbered 1 10 >keys
for rate in 0 0.0 0% 1 1.0 1.5 100% 150% -1 -0.01 nan inf 1e-400 1e400 0x1p-3 abc 1%% 1,5 ' 0.1' ''; do
    exits 2 build "--rate=$rate" -o new keys
    grep -q '^sito: --rate' err || fail "rate $rate: what was wrong?"
    none new
    exits 2 plan 1000 -r "$rate"
    case $rate in -*) continue ;; esac # would be an option
    exits 2 plan 1000 "$rate"
    [ ! -s out ] || fail "rate $rate: a plan all the same"
done
for rate in 0.5 .5 99.9% 1e-6 1% 0.999999 1E-3; do
    exits 0 build -r $rate -o filter keys
    exits 0 plan 1000 $rate
done
