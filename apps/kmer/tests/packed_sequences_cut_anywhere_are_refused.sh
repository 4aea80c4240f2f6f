#!/bin/bash
# At every length, gzip and BGZF, and told why.
. "$(dirname "$0")/lib"

random_fasta a 100 3 >a.fa
gzip -nc a.fa >a.gz
bgzip -c a.fa >a.bgz
for file in a.gz a.bgz; do
    exits 0 kmer count -k 3 $file
    for ((n = $(stat -c %s $file) - 1; n >= 0; n--)); do
        head -c $n $file >part
        exits 2 kmer count -k 3 part
        if [ $n -gt 0 ]; then says 'cut short'; else says 'has no record'; fi
    done
done
