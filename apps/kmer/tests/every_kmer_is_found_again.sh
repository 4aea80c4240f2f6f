#!/bin/bash
# All 31-mers of a genome, in every kind that can be built, by every rule and layout; strangers are let in as
# seldom as promised.
. "$(dirname "$0")/lib"

random_fasta stranger 300030 5 >stranger.fa
zcat "$strain" | sed 1d | tr -d '\n' | rev | tr ACGT TGCA | sed '1s/^/>other strand\n/' >turned.fa

# try K WORD...: build, ask.
try() {
    local k=$1
    shift
    exits 0 kmer build -k "$k" "$@" -o index.sito "$strain"
    exits 0 kmer query --json index.sito "$strain" turned.fa
    [ "$(grep -c '"percent": 100.00' out)" = 2 ] || fail "k = $k, $*: k-mers are missing"
    awk -F'[:,]' '{ exit $4 != $6 }' out || fail "k = $k, $*: k-mers are missing"
    [ "$k" -ge 20 ] || return 0 # shorter ones are in every genome
    "$SITO" kmer query --json index.sito stranger.fa >out || [ $? = 1 ]
    local rate
    rate=$(field index.sito real_fpr)
    # Five standard deviations above the promise.
    holds "$(value matched) <= $(value total) * $rate + 5 * sqrt($(value total) * $rate) + 1e-9"
}

kinds build >built
while read -r kind; do
    if [ "$kind" != bitmap ]; then try 31 --kind "$kind" -r 0.1%; fi
done <built
