#!/bin/bash
# With --like; others are refused, and told what differs; and so is what is no index of k-mers.
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

# unlike WHAT ONE OTHER WORD...: an index of these words is no match for one of ONE.
exits 0 kmer build -k 17 --seed 5 -n 8k -o a.sito a.fa
unlike() {
    local what=$1 one=$2 other=$3
    shift 3
    exits 0 kmer build "$@" -o b.sito b.fa
    exits 2 kmer merge a.sito b.sito -o e.sito
    says "b.sito: its $what is $other, and that of a.sito is $one"
    exits 2 kmer merge b.sito a.sito -o e.sito
    says "a.sito: its $what is $one, and that of b.sito is $other"
    exits 2 merge a.sito b.sito -o e.sito
    none e.sito
}
unlike k 17 18 -k 18 --seed 5 -n 8k
unlike canonical yes no -k 17 --seed 5 -n 8k --no-canonical
unlike kind block bloom -k 17 --seed 5 -n 8k --kind bloom
unlike seed 5 6 -k 17 --seed 6 -n 8k
unlike 'number of cells' "$(field a.sito cells)" 524288 -k 17 --seed 5 --cells 524288
exits 0 kmer build -k 17 --seed 5 -n 8k --cells 131072 --hashes 8 -o a.sito a.fa
unlike 'number of hashes' 8 16 -k 17 --seed 5 -n 8k --cells 131072 --hashes 16
exits 0 kmer build -k 17 --seed 5 -n 8k --kind counting --cells 131072 --hashes 4 --cell-bits 4 -o a.sito a.fa
unlike 'number of bits a cell' 4 8 -k 17 --seed 5 -n 8k --kind counting --cells 131072 --hashes 4 --cell-bits 8
exits 0 kmer build -k 17 --seed 5 --kind cuckoo -o a.sito a.fa
exits 0 kmer build -k 17 --seed 5 -o b.sito b.fa
exits 2 kmer merge a.sito b.sito -o e.sito
says '`sito kinds` shows what each kind can'
# Bitmaps of one k are alike, whoever made them without --seed; exact ones of one seed, whatever their size.
exits 0 kmer build -k 9 -o a.sito a.fa
exits 0 kmer build -k 9 -o b.sito b.fa
exits 0 kmer merge a.sito b.sito -o both.sito
unlike seed 1 5 -k 9 --seed 5
exits 0 kmer build -k 17 --seed 5 --kind exact -o a.sito a.fa
exits 0 kmer build -k 17 --seed 5 --kind exact -n 100k -o b.sito b.fa
exits 0 kmer merge a.sito b.sito -o both.sito
exits 0 kmer query --min 100% both.sito a.fa b.fa
[ "$(wc -l <out)" = 3 ] || fail 'something is missing'

exits 0 kmer build -k 17 --seed 5 -n 8k -o a.sito a.fa
exits 2 kmer build --like a.sito -k 18 -o e.sito b.fa
says 'is an index of 17-mers'
exits 2 kmer build --like a.sito -r 1% -o e.sito b.fa
cat a.fa b.fa >ab.fa
exits 3 kmer build -k 17 -n 4k -o e.sito ab.fa
none e.sito
# Planned for the part, the merged one errs more: it is written too, and that is told.
exits 0 kmer build -k 17 --seed 5 -n 4k -o c.sito a.fa
exits 0 kmer build --like c.sito -o d.sito b.fa
exits 0 kmer merge c.sito d.sito -o cd.sito
says 'cd.sito: errs '
exits 0 kmer query --min 100% cd.sito a.fa b.fa

# Lines are no k-mers, and k-mers no lines: neither command answers for the other.
seq 1000 | "$SITO" build -o lines.sito
exits 2 kmer query lines.sito a.fa
says 'lines.sito: is no index of k-mers'
for command in query add count; do
    exits 2 $command a.sito a.fa
    says 'a.sito: was made by `sito kmer`'
done
exits 2 build --like a.sito -o e.sito a.fa
says 'a.sito: was made by `sito kmer`'
none e.sito
exits 0 kmer build -k 17 --kind cuckoo -o cuckoo.sito a.fa
exits 2 remove cuckoo.sito a.fa
exits 0 check cuckoo.sito
exits 0 info cuckoo.sito

# `sito merge` mixes neither lines nor other k-mers into them.
exits 0 kmer build -k 18 --seed 5 -n 8k -o b.sito b.fa
exits 2 merge a.sito b.sito -o e.sito
says 'b.sito: its keys are of another sort than those of a.sito; `sito kmer merge` tells more'
seq 1000 | exits 0 build -k block --seed 5 -n 8k -o lines.sito
[ "$(field a.sito cells)" = "$(field lines.sito cells)" ] || fail 'they differ in shape too'
exits 2 merge a.sito lines.sito -o e.sito
says 'lines.sito: its keys are of another sort'
exits 2 merge lines.sito a.sito -o e.sito
says 'a.sito: its keys are of another sort'
none e.sito
exits 0 kmer build --like a.sito -o b.sito b.fa
exits 0 merge a.sito b.sito -o both.sito
exits 0 kmer query --min 100% both.sito a.fa b.fa
