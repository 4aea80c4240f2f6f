#!/bin/bash
# All 31-mers of a genome, in every kind that can be built, by every rule and layout; strangers are let in as
# seldom as promised.
. "$(dirname "$0")/lib"

strangers_and_turned
kinds build >built
while read -r kind; do
    if [ "$kind" != bitmap ]; then try 31 --kind "$kind" -r 0.1%; fi
done <built

# Another strain of the species has some of them, and all of its own.
exits 0 kmer build -k 31 -r 0.1% -o index.sito "$k12"
exits 0 kmer query --json index.sito "$k12"
holds "$(value matched) == $(value total) && $(value total) > 4600000"
exits 0 kmer query --json index.sito "$strain"
holds "$(value percent) > 20 && $(value percent) < 95"
