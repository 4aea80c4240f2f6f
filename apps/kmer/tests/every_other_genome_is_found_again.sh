#!/bin/bash
# Helicobacter's, of one strain and in contigs of another; with SITO_LONG all that Debian's examples have, in every kind that can
# be built, and `block` at other k. Strangers are let in as seldom as promised.
. "$(dirname "$0")/lib"

random_fasta stranger 300030 5 >stranger.fa
folder=/usr/share/doc/ragout/examples
# again KIND K
again() {
    exits 0 kmer build -k "$2" --kind "$1" -r 0.1% --seed 1 -o index.sito "$genome"
    exits 0 kmer query index.sito "$genome"
    awk -F'\t' 'NR > 1 && $2 != $3 { missing = 1 } END { exit missing || NR < 2 }' out || fail "$genome, $1: k-mers are missing"
    strangers_are_rare
}
if [ "${SITO_LONG-}" ]; then
    genomes=("$folder"/*/references/*.fasta.gz "$folder"/*/*_contigs.fasta.gz)
    kinds build | grep -vx bitmap >built
else
    genomes=("$folder"/H.Pylori/references/G27.fasta.gz "$folder"/H.Pylori/SJM180_contigs.fasta.gz)
    printf '%s\n' block cuckoo >built
fi
for genome in "${genomes[@]}"; do
    while read -r kind; do again "$kind" 31; done <built
    again block 21
    again block 51
done
