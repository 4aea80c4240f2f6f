#!/bin/bash
# With which instructions room is made in a cuckoo filter is not seen: same keys, same order, same seed, same file.
. "$(dirname "$0")/lib"

# Buckets that begin in the middle of a byte and that do not; tables of an even and an odd number of buckets; full.
for table in "6 4000 3840" "8 65532 63900" "12 65536 63900" "13 100004 97500" "15 40004 39000" "16 40000 39000" "20 40000 39000"; do
    read -r bits slots nkeys <<<"$table"
    numbered 1 "$nkeys" >keys
    for cpu in portable avx2 avx512 neon; do
        SITO_CPU=$cpu exits 0 build -k cuckoo --tag-bits "$bits" --cells "$slots" --seed 7 -o "by.$cpu" keys
        cmp by.portable "by.$cpu" || fail "$table: $cpu makes another table"
    done
    exits 0 info --json by.portable
    python3 -c 'import json; assert json.load(open("out"))["longest"] > 1' || fail "$table: nobody moved twice"
done
