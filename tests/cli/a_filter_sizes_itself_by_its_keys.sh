#!/bin/bash
# Without -n the promise holds for the distinct keys that came, from files and streams.
. "$(dirname "$0")/lib"

numbered 1 5000 >once
cat once once once >thrice
for kind in $(kinds); do
    for input in once thrice; do
        exits 0 build -k "$kind" -r 0.5% --seed 1 -o by_file $input
        cat $input | exits 0 build -k "$kind" -r 0.5% --seed 1 -o by_stream
        for filter in by_file by_stream; do
            holds "$(field $filter capacity) >= 5000"
            holds "$(field $filter real_fpr) <= 0.005"
            holds "$(field $filter present_fpr) <= 0.006"
            holds "$(field $filter nkeys) <= $(field $filter capacity)"
            exits 0 query -c $filter once
            prints '5000\n'
        done
        [ "$kind" = bitmap ] || holds "$(field by_file capacity) < 5200"
    done
done
