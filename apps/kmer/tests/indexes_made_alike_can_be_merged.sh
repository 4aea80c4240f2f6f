#!/bin/bash
# With --like; all others are refused, and so is what is no index of k-mers.
. "$(dirname "$0")/lib"

random_fasta a 4000 1 >a.fa
random_fasta b 4000 2 >b.fa
kinds merge >able
while read -r kind; do
    if [ "$kind" = linear ]; then continue; fi # carries confidences, and k-mers have none
    k=17
    if [ "$kind" = bitmap ]; then k=9; fi
    exits 0 kmer build -k $k --kind "$kind" -n 8k -o a.sito a.fa
    exits 0 kmer build --like a.sito -o b.sito b.fa
    exits 0 kmer merge a.sito b.sito -o both.sito
    exits 0 kmer query --min 100% both.sito a.fa b.fa
    [ "$(wc -l <out)" = 3 ] || fail "$kind: something is missing"
    exits 0 check both.sito
done <able
exits 0 kmer build -k 17 --seed 5 -n 8k -o a.sito a.fa
exits 0 kmer build -k 18 --seed 5 -n 8k -o b.sito b.fa
exits 0 kmer build -k 17 --seed 5 -n 8k --no-canonical -o c.sito b.fa
exits 0 kmer build -k 17 --seed 6 -n 8k -o d.sito b.fa
for other in b c; do
    exits 2 kmer merge a.sito $other.sito -o e.sito
    says 'its k-mers are others than those of a.sito'
done
exits 2 kmer merge a.sito d.sito -o e.sito
none e.sito
exits 2 kmer build --like a.sito -k 18 -o e.sito b.fa
says 'is an index of 17-mers'
exits 2 kmer build --like a.sito -r 1% -o e.sito b.fa
cat a.fa b.fa >ab.fa
exits 3 kmer build -k 17 -n 4k -o e.sito ab.fa
none e.sito

# Lines are no k-mers, and k-mers no lines: neither command answers for the other.
seq 1000 | "$SITO" build -o lines.sito
exits 2 kmer query lines.sito a.fa
says 'lines.sito: is no index of k-mers'
for command in query add count; do
    exits 2 $command a.sito a.fa
    says 'a.sito: was made by `sito kmer`'
done
exits 0 kmer build -k 17 --kind cuckoo -o cuckoo.sito a.fa
exits 2 remove cuckoo.sito a.fa
exits 0 check cuckoo.sito
exits 0 info cuckoo.sito
