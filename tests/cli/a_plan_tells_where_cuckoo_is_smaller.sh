#!/bin/bash
# Below the rate that the plan names, a cuckoo filter is smaller than a Bloom filter; just above, it is not always.
. "$(dirname "$0")/lib"

bytes() { "$SITO" plan 1M "$1" -k "$2" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["bytes"])'; }
below=$("$SITO" plan 1M -k cuckoo --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["smaller_than_bloom_below"])')
holds "0.0005 < $below && $below < 0.05"
for part in 0.999 0.7 0.5 0.3 0.1 0.01 0.001; do
    rate=$(python3 -c "print($below * $part)")
    holds "$(bytes "$rate" cuckoo) < $(bytes "$rate" bloom)"
done
rate=$(python3 -c "print($below * 1.01)")
holds "$(bytes "$rate" cuckoo) >= $(bytes "$rate" bloom)"
exits 0 plan 1M
grep -q 'smaller than bloom at rates below' out || fail 'the plan does not tell'
# Where the widest tags do not do alone it is the larger one again, and nothing is told.
holds "$(bytes 1e-9 cuckoo) > $(bytes 1e-9 bloom)"
exits 0 plan 1M 1e-9
if grep 'smaller than bloom' out; then fail 'the plan tells what is not so'; fi
