#!/bin/bash
# Distinct k-mers in the genome of E. coli 536, strands told apart and taken as one: by hash, and by the letters themselves.
. "$(dirname "$0")/lib"

while read -r k apart one; do
    exits 0 kmer count --json -k "$k" "$strain"
    [ "$(value distinct)" = "$one" ] || fail "k = $k: not $one"
    exits 0 kmer count --json -k "$k" --no-canonical "$strain"
    [ "$(value distinct)" = "$apart" ] || fail "k = $k, strands apart: not $apart"
    [ "$(value kmers)" = $((4938920 - k + 1)) ] || fail "k = $k: the last k-mer is missing"
    [ "$k" -gt 32 ] || continue # up to there no two k-mers share a hash
    exits 0 kmer count --json -k "$k" --kind exact "$strain"
    [ "$(value distinct)" = "$one" ] || fail "k = $k, exactly: not $one"
done <<'KNOWN'
10 913455 494890
20 4861832 4834799
31 4872066 4848261
50 4880830 4859649
100 4891518 4873795
200 4899942 4885025
KNOWN
