#!/bin/bash
# An add is owed one remove; counts are never below the truth.
. "$(dirname "$0")/lib"

numbered 1 100 >some
echo 'key 7' >one
for kind in $(kinds count); do
    exits 0 build -k "$kind" --seed 6 -r 1e-6 -n 1000 -o filter some
    for wanted in 2 3 4; do
        exits 0 add filter one
        exits 0 count filter one
        prints "$wanted\tkey 7\n"
    done
    for wanted in 3 2 1 0; do
        exits 0 remove filter one
        exits 0 count filter one
        prints "$wanted\tkey 7\n"
    done
    exits 1 query filter one
    exits 1 remove filter one
    exits 0 query -c filter some
    prints '99\n'
    exits 0 count --map filter one
    prints '0\tkey 7\n'
    [ "$(field filter nkeys)" = 99 ] || fail "$kind: $(field filter nkeys) keys"
    exits 0 check filter
done
