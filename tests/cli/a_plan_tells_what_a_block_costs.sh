#!/bin/bash
# A block filter is larger than a Bloom filter that errs as often, and the more so the lower the rate: the plan says
# by how much.
. "$(dirname "$0")/lib"

field() { "$SITO" plan 1M "$1" -k "$2" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$3"; }
last=0
for rate in 1% 0.1% 0.01% 0.0001%; do
    more=$(field $rate block more_than_bloom)
    holds "($(field $rate block bytes) / $(field $rate bloom bytes) - 1 - $more) ^ 2 < 0.0001"
    holds "$more > $last"
    last=$more
done
holds "$(field 1% block more_than_bloom) < 0.06 && $last > 0.3"
exits 0 plan 1M 0.01% -k block
grep -qx 'block is 20 % larger than a bloom that errs as often' out || fail 'the plan does not tell'
