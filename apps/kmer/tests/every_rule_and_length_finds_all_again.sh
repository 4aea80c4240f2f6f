#!/bin/bash
# All 31-mers of a genome, in cuckoo filters by every rule and layout, and k-mers of other lengths; strangers are
# let in as seldom as promised.
. "$(dirname "$0")/lib"

strangers_and_turned
for rule in random emptier path; do try 31 --kind cuckoo --rule $rule -r 0.1%; done
for layout in sorted window; do try 31 --kind cuckoo --layout $layout -r 0.1%; done
for k in 1 10 12; do
    try $k
    [ "$(field index.sito kind)" = bitmap ] || fail 'another kind'
done
for k in 13 32 33 1000; do
    try $k
    [ "$(field index.sito kind)" = block ] || fail 'another kind'
done
