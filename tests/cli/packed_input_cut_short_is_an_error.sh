#!/bin/bash
# Never an early end: half of the keys would be taken for all of them.
. "$(dirname "$0")/lib"

numbered 1 5000 >plain
exits 0 build -k compact -n 20000 -o filter plain
cp filter before
gzip <plain >whole.gz
zstd -q <plain >whole.zst
for whole in whole.gz whole.zst; do
    size=$(stat -c %s $whole)
    for length in 5 $((size / 2)) $((size - 4)) $((size - 1)); do
        head -c "$length" $whole >short
        exits 2 build -o new short
        says 'short: ends inside its compressed data'
        none new
        exits 2 build -o filter - <short
        exits 2 add filter short
        exits 2 remove filter short
        same filter before
        exits 2 query filter short
        exits 2 count filter short
    done
done
no_drafts
