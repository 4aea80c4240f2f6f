#!/bin/bash
# Plain, gzip, BGZF and standard input together, FASTA beside FASTQ: what comes out is what comes of plain files.
. "$(dirname "$0")/lib"

for i in 1 2 3 4; do random_fasta "part$i" 30000 $i >$i.fa; done
reads 3.fa 150 100 >3.fq
gzip -c 2.fa >2.fa.gz
bgzip -c 3.fq >3.fq.gz
bgzip -c 4.fa >4.bgz
plain=(1.fa 2.fa 3.fq 4.fa)

for kind in block cuckoo fuse exact; do
    exits 0 kmer build -k 21 --seed 7 --kind $kind -o plain.sito "${plain[@]}"
    exits 0 kmer build -k 21 --seed 7 --kind $kind -o mixed.sito 1.fa 2.fa.gz 3.fq.gz 4.bgz
    same plain.sito mixed.sito
    exits 0 kmer build -k 21 --seed 7 --kind $kind -o mixed.sito 1.fa - 3.fq.gz 4.bgz <2.fa.gz
    same plain.sito mixed.sito
    exits 0 kmer build -k 21 --seed 7 --kind $kind -o mixed.sito 1.fa 2.fa.gz 3.fq.gz <(cat 4.bgz)
    same plain.sito mixed.sito
done
exits 0 kmer build -k 21 --seed 7 -o first.sito 1.fa
exits 0 kmer query first.sito "${plain[@]}"
mv out wanted
exits 0 kmer query first.sito 1.fa 2.fa.gz - 4.bgz <3.fq.gz
same wanted out
[ "$(wc -l <out)" = 303 ] || fail 'other sequences'

# Pairs may be packed in different ways.
exits 0 kmer screen first.sito 3.fq 3.fq -o wanted
exits 0 kmer screen first.sito 3.fq 3.fq.gz -o mixed
same wanted mixed
exits 0 kmer screen first.sito 3.fq.gz - -o mixed < <(gzip -c 3.fq)
same wanted mixed

# One of them that is cut short, and there is no index.
head -c -40 4.bgz >cut.bgz
rm -f mixed.sito
exits 2 kmer build -k 21 -o mixed.sito 1.fa 2.fa.gz cut.bgz
says 'cut.bgz: record 1'
none mixed.sito
no_drafts
