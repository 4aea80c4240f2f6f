#!/bin/bash
# Sequences and the index that is asked stay what they are, by whatever name the output is given.
. "$(dirname "$0")/lib"

random_fasta a 3000 1 >a.fa
reads a.fa 100 50 >a.fq
exits 0 kmer build -k 11 -o a.sito a.fa
cp a.fa kept.fa
cp a.fq kept.fq
cp a.sito kept.sito
ln a.fa hard.fa
ln -s a.fa soft.fa

kept() {
    says 'is read, and cannot be written at the same time'
    same a.fa kept.fa
    same a.fq kept.fq
    same a.sito kept.sito
    no_drafts
}
for output in a.fa ./a.fa hard.fa soft.fa; do
    exits 2 kmer build -k 11 -o $output a.fq a.fa
    kept
    exits 2 kmer build -k 11 -o $output <a.fa
    kept
    exits 2 kmer build -k 11 -o $output - <a.fa
    kept
    exits 2 kmer screen a.sito a.fa -o $output
    kept
done
exits 2 kmer screen a.sito a.fq -o a.fq
kept
exits 2 kmer screen a.sito a.fq -o a.sito
kept
# shellcheck disable=SC2094 # that is the question
exits 2 kmer screen a.sito <a.fq -o a.fq
kept
exits 2 kmer screen a.sito a.fq a.fq -o new.fq --output2 a.fq
kept
none new.fq
status=0
# shellcheck disable=SC2094
"$SITO" kmer screen --keep a.sito a.fq -o - >>a.fq 2>err || status=$?
[ $status = 2 ] || fail "it is written over: exit status $status"
kept
status=0
# shellcheck disable=SC2094
"$SITO" kmer query a.sito a.fa >>a.fa 2>err || status=$?
[ $status = 2 ] || fail "it is added to: exit status $status"
kept

# Two outputs by two names are one file all the same.
for other in ./new.fq "$PWD/new.fq"; do
    exits 2 kmer screen a.sito a.fq a.fq -o new.fq --output2 "$other"
    says 'both outputs are new.fq'
    none new.fq
done
exits 0 kmer screen a.sito a.fq a.fq -o /dev/null --output2 /dev/null

# An index may take its own place.
exits 0 kmer merge a.sito a.sito -o a.sito
exits 0 kmer query --min 100% a.sito a.fa
