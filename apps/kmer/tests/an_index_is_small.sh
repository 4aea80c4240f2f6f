#!/bin/bash
# The 31-mers of E. coli 536 at 0.1 %, the whole file over the distinct k-mers: bits for each, and the file keeps its promise.
. "$(dirname "$0")/lib"

genome_and_others whole
small() { # BITS WORD...
    local most=$1 bytes
    shift
    try 31 -r 0.1% "$@"
    [ "$(field index.sito nkeys)" = 4848261 ] || fail "$*: other k-mers"
    bytes=$(field index.sito image_bytes)
    [ "$bytes" = "$(stat -c %s index.sito)" ] || fail "$*: another size"
    holds "8 * $bytes / 4848261 <= $most"
    holds "$(field index.sito real_fpr) <= 0.001"
}
small 11 --kind fuse
small 10.2 --kind ribbon
small 12.4 --kind cuckoo --layout sorted
exits 0 kmer remove index.sito "$strain"
[ "$(field index.sito nkeys)" = 0 ] || fail 'k-mers are left'
# A block filter takes some k-mers for known ones; what it was made of is told all the same.
exits 0 kmer build -V -k 31 -r 0.1% -o index.sito "$strain"
says 'block, 4,848,261 distinct 31-mers'
