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
for min in 0 0.0% 101% 100.1% 1.5 1.01 20000000000000000000% -1 x 5x 5%% % . .% 1.2.3 1e-1 0x1 inf ' 1' +1 ''; do exits 2 kmer query g.sito --min "$min" q.fa; done
# As much as --min says is enough, however it is written: 11 of 250 here.
printf '>a\nAAAAAAAAAAAAA\n' >a.fa
exits 0 kmer build -k 3 --no-canonical -o a.sito a.fa
{ echo '>some' && printf 'A%.0s' {1..13} && printf 'C%.0s' {1..239} && echo; } >some.fa
for min in 4.4% 04.40% 0.044 .044 4.39999999% 0.0439999999; do
    exits 0 kmer query --min $min a.sito some.fa
    grep -q '^some	11	250	4.40$' out || fail "--min $min does not find it"
    exits 0 kmer screen --keep --min $min a.sito some.fa -o kept.fa
    same some.fa kept.fa
done
for min in 4.40000001% 0.0440000001; do
    exits 1 kmer query --min $min a.sito some.fa
    exits 0 kmer screen --keep --min $min a.sito some.fa -o kept.fa
    [ ! -s kept.fa ] || fail "--min $min is not reached"
done
# The other strand is another sequence here, and the same one by default.
exits 1 kmer query g.sito --seq GTCA
exits 0 kmer build -k 4 -o both.sito g.fa
printf '>g\nACGGTCAA\n' >h.fa
exits 0 kmer build -k 5 -o both.sito h.fa
exits 0 kmer query both.sito --seq TTGACCGT
grep -q '4	4	100.00' out || fail 'the other strand is not found'
