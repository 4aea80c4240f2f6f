#!/bin/bash
# At a high rate most keys look known and are not counted: then the cells tell, and never of too few.
. "$(dirname "$0")/lib"

numbered 1 1000 >planned
numbered 1001 100000 >further
for kind in bloom parted block linear; do
    for rate in 30% 50% 70% 90%; do
        for seed in 1 2 3 4 5 6 7 8; do
            exits 0 build -k $kind -n 1000 -r $rate --seed $seed -o filter planned
        done
        cp filter before
        exits 3 add filter further
        says 'planned were 1,000'
        same filter before
        exits 3 build -k $kind -n 1000 -r $rate --seed 1 -o other planned further
        says 'and 1,000 were planned'
        none other
    done
    for n in 1 2 3 10 30; do
        numbered 1 $n >few
        for seed in 1 2 3 4 5 6 7 8; do
            exits 0 build -k $kind -n $n -r 60% --seed $seed -o filter few
        done
    done
done
exits 0 build -k bloom -n 1000 -r 70% -o filter planned
exits 3 add --partial filter further
says 'with these it has more keys, planned were 1,000'
no_drafts
