#!/bin/bash
# Matched, total and percent of each sequence; --min; and the exit status says if any matched.
. "$(dirname "$0")/lib"

printf '>g\nACGTTGCAAC\n' >g.fa
exits 0 kmer build -k 4 --no-canonical -o g.sito g.fa
printf '>whole x y\nACGTTGCAAC\n>half\nACGTTGCCCC\n>none\nCCCCCCC\n>short\nACG\n' >q.fa
exits 0 kmer query g.sito q.fa
prints 'name\tmatched\ttotal\tpercent\nwhole\t7\t7\t100.00\nhalf\t4\t7\t57.14\nnone\t0\t4\t0.00\nshort\t0\t0\t0.00\n'
exits 0 kmer query g.sito - <q.fa
[ "$(wc -l <out)" = 5 ] || fail 'not from a stream'
exits 0 kmer query g.sito --min 50% q.fa
prints 'name\tmatched\ttotal\tpercent\nwhole\t7\t7\t100.00\nhalf\t4\t7\t57.14\n'
exits 0 kmer query g.sito --min 100% --json q.fa
prints '{"name": "whole", "matched": 7, "total": 7, "percent": 100.00}\n'
exits 0 kmer query g.sito --seq ACGTTGC
prints 'name\tmatched\ttotal\tpercent\n--seq\t4\t4\t100.00\n'
exits 0 kmer query --map g.sito --seq ACGTTGC
exits 1 kmer query g.sito --seq CCCCC
exits 1 kmer query g.sito --min 0.9 --seq ACGTTGCCCC
exits 1 kmer query g.sito --seq ACG
for min in 0 101% 1.5 -1 x 5x ''; do exits 2 kmer query g.sito --min "$min" q.fa; done
# The other strand is another sequence here, and the same one by default.
exits 1 kmer query g.sito --seq GTCA
exits 0 kmer build -k 4 -o both.sito g.fa
printf '>g\nACGGTCAA\n' >h.fa
exits 0 kmer build -k 5 -o both.sito h.fa
exits 0 kmer query both.sito --seq TTGACCGT
grep -q '4	4	100.00' out || fail 'the other strand is not found'
