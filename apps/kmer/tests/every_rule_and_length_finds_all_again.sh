#!/bin/bash
# The same by every rule and layout of cuckoo filters, and k-mers of other lengths.
. "$(dirname "$0")/lib"

genome_and_others part
for rule in random emptier path; do try 31 --kind cuckoo --rule $rule -r 0.1%; done
for layout in sorted window; do
    try 31 --kind cuckoo --layout $layout -r 0.1%
    [ "${SITO_LONG-}" ] || continue
    for rule in random emptier path; do try 31 --kind cuckoo --layout $layout --rule $rule -r 0.1%; done
done
for k in 1 10 12; do
    try $k
    [ "$(field index.sito kind)" = bitmap ] || fail 'another kind'
done
for k in 13 32 33 1000; do
    try $k
    [ "$(field index.sito kind)" = block ] || fail 'another kind'
done
