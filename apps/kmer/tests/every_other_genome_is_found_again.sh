#!/bin/bash
# Helicobacter's, of one strain and in contigs of another; with SITO_LONG all that Debian's examples have, in every kind that can
# be built and at several k. Strangers are let in as seldom as promised.
. "$(dirname "$0")/lib"

random_fasta stranger 300030 5 >stranger.fa
folder=/usr/share/doc/ragout/examples
if [ "${SITO_LONG-}" ]; then
    genomes=("$folder"/*/references/*.fasta.gz "$folder"/*/*_contigs.fasta.gz)
    kinds build | grep -vx bitmap >built
    lengths='31 51'
else
    genomes=("$folder"/H.Pylori/references/G27.fasta.gz "$folder"/H.Pylori/SJM180_contigs.fasta.gz)
    printf '%s\n' block cuckoo >built
    lengths=31
fi
for genome in "${genomes[@]}"; do
    for k in $lengths; do
        while read -r kind; do
            exits 0 kmer build -k "$k" --kind "$kind" -r 0.1% -o index.sito "$genome"
            exits 0 kmer query index.sito "$genome"
            awk -F'\t' 'NR > 1 && $2 != $3 { missing = 1 } END { exit missing || NR < 2 }' out || fail "$genome, $kind: k-mers are missing"
            strangers_are_rare
        done <built
    done
done
