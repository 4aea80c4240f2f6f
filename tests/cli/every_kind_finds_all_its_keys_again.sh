#!/bin/bash
# In a new process, asked in any way: never a false negative.
. "$(dirname "$0")/lib"

numbered 1 20000 >all
for kind in $(kinds); do
    for n in 1 2 3 1000 20000; do
        head -n $n all >some
        exits 0 build -k "$kind" -r 0.1% -o filter some
        quiet
        exits 0 query filter some
        same some out
        exits 1 query -v filter some
        [ ! -s out ] || fail "$kind: forgets keys"
        exits 0 query -c --map filter some
        prints "$n\n"
        exits 0 check filter
    done
done
