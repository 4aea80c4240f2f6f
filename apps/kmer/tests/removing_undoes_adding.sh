#!/bin/bash
# In every kind that can: what sequences share stays while one of them is in; what is not inside is not removed.
. "$(dirname "$0")/lib"

random_fasta a 4000 1 >a.fa
random_fasta b 4000 2 >b.fa
{ cat b.fa; sed -n 2,9p a.fa; } >b2.fa # a piece of a
mv b2.fa b.fa
kinds remove >able
while read -r kind; do
    k=17
    if [ "$kind" = bitmap ]; then k=9; fi
    exits 0 kmer build -k $k --kind "$kind" -n 20k -r 1e-5 --seed 1 -o x.sito a.fa
    cp x.sito before.sito
    exits 0 kmer add x.sito b.fa
    exits 0 kmer query --min 100% x.sito a.fa b.fa
    [ "$(wc -l <out)" = 3 ] || fail "$kind: something is missing"
    if [ "$kind" = bitmap ]; then continue; fi
    exits 0 kmer remove x.sito b.fa
    [ "$(field x.sito nkeys)" = "$(field before.sito nkeys)" ] || fail "$kind: other numbers"
    exits 0 kmer query --min 100% x.sito a.fa
    cp x.sito before.sito
    exits 2 kmer remove x.sito b.fa
    says 'are not inside, so these sequences were not added'
    random_fasta c 4000 3 >c.fa
    exits 1 kmer remove x.sito c.fa
    same before.sito x.sito
done <able
exits 0 kmer build -k 17 --kind block -o block.sito a.fa
exits 2 kmer remove block.sito a.fa
says 'cannot remove'
exits 3 kmer add block.sito b.fa
says 'nothing is written'
exits 0 kmer build -k 17 --kind cuckoo -o cuckoo.sito a.fa
cp cuckoo.sito before.sito
exits 3 kmer add cuckoo.sito b.fa
same before.sito cuckoo.sito
