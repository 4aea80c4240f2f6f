#!/bin/bash
# False positives of a full filter, among 100,000 strangers, by a fixed seed.
. "$(dirname "$0")/lib"

numbered 1 20000 >inside
numbered 1000001 1100000 >strangers
for kind in $(kinds); do
    exits 0 build -k "$kind" --seed 5 -r 1% -o filter inside
    "$SITO" query -c filter strangers >hits || [ $? = 1 ]
    # Four standard deviations above the promise.
    holds "$(cat hits) <= 100000 * 0.01 + 4 * sqrt(100000 * 0.01)"
    holds "$(field filter real_fpr) <= 0.01"
    [[ $kind != exact* ]] || [ "$(cat hits)" = 0 ] || fail "$kind errs"
done
