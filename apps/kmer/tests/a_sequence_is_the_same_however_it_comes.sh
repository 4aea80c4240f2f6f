#!/bin/bash
# FASTA in lines of any length, FASTQ, plain, gzip in one member or two, BGZF, by name or on standard input: the
# same index, byte for byte.
. "$(dirname "$0")/lib"

random_fasta a 20000 3 >a.fa
awk '!/^>/ { printf "%s", $0 } /^>/ { print } END { print "" }' a.fa >long.fa
{ sed -n 2,\$p a.fa | tr -d '\n' | awk '{ q = $0; gsub(/./, "#", q); printf "@a b c\n%s\n+a\n%s", $0, q }'; } >a.fq
gzip -c a.fa >a.fa.gz
{ head -c 9000 a.fa | gzip -c; tail -c +9001 a.fa | gzip -c; } >two.gz
bgzip -c a.fa >a.bgz
printf '\n\n' | cat - a.fa >late.fa
head -c -1 a.fa >endless.fa
for file in a.fa long.fa a.fq a.fa.gz two.gz a.bgz late.fa endless.fa; do
    exits 0 kmer build -k 25 --seed 7 -o $file.sito $file
    same a.fa.sito $file.sito
    exits 0 kmer build -k 25 --seed 7 -o stream.sito - <$file
    same a.fa.sito stream.sito
done
"$SITO" kmer build -k 25 --seed 7 -o - <a.fq | cmp - a.fa.sito
# Several files and records: k-mers do not run from one into the next.
printf '>a\nACGTA\n>b\n\nCGT\nAC\n>c\n>d\nAC\n' >few.fa
exits 0 kmer count --json -k 5 --no-canonical few.fa few.fa
[ "$(value records) $(value kmers) $(value distinct)" = '8 4 2' ] || fail 'other k-mers'
# Lower case and CR LF only if asked.
tr ACGT acgt <a.fa | sed 's/$/\r/' >low.fa
exits 0 kmer build -k 25 --seed 7 --lenient -o low.sito low.fa
same a.fa.sito low.sito
sed 's/$/\r/' a.fq >low.fq
exits 0 kmer build -k 25 --seed 7 --lenient -o low.sito low.fq
same a.fa.sito low.sito
# Also if the last record has no letters.
for end in '' '\r' '\n' '\r\n' '\n\n' '\r\n\r\n'; do
    # shellcheck disable=SC2059
    printf ">a\r\nACGT\r\n>b$end" >late.fa
    exits 0 kmer count --json -k 2 --lenient late.fa
    [ "$(value records) $(value kmers)" = '2 3' ] || fail "other k-mers before $end"
    exits 0 kmer count --json -k 2 --lenient - <late.fa
    [ "$(value records) $(value kmers)" = '2 3' ] || fail "other k-mers before $end"
done
# N and its like break, and are counted.
printf '>x\nACGTNNACGRT\n\nAC\n>y\nAC' >broken.fa
exits 0 kmer count --json -k 2 broken.fa
[ "$(value kmers) $(value distinct) $(value other_letters)" = '8 3 3' ] || fail 'other breaks'
