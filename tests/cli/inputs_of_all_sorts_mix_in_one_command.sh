#!/bin/bash
# Files plain and packed, and stdin between them, are one input in the order given.
. "$(dirname "$0")/lib"

numbered 1 1000 >a
numbered 1001 2000 | gzip >b
numbered 2001 3000 >c
numbered 3001 4000 | zstd -q >d
numbered 1 4000 >all
for kind in $(kinds); do
    exits 0 build -k "$kind" --seed 7 -n 4000 -o wanted all
    exits 0 build -k "$kind" --seed 7 -n 4000 -o mixed a b - d <c
    same wanted mixed
done
exits 0 query mixed a b - d <c
same all out
