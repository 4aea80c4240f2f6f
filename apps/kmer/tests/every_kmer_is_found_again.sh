#!/bin/bash
# All 31-mers of a genome's first million letters, of all of it if SITO_LONG is set, in every kind that can be built and
# in the exact ones; strangers are let in as seldom as promised.
. "$(dirname "$0")/lib"

genome_and_others part
kinds build >built
while read -r kind; do
    if [ "$kind" != bitmap ]; then try 31 --kind "$kind" -r 0.1%; fi
done <built
for kind in exact exact-cuckoo; do
    try 31 --kind $kind
    [ "$(value matched)" = 0 ] || fail "$kind: errs"
done

# Another strain of the species has some of them, and all of its own.
exits 0 kmer build -k 31 -r 0.1% -o index.sito "$k12"
exits 0 kmer query --json index.sito "$k12"
holds "$(value matched) == $(value total) && $(value total) > 4600000"
exits 0 kmer query --json index.sito "$strain"
holds "$(value percent) > 20 && $(value percent) < 95"
