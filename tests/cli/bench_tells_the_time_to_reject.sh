#!/bin/bash
# For seven shares of strangers, from none to all.
. "$(dirname "$0")/lib"

exits 0 bench --reject --quick --json -k bloom,exact 1000
quiet
python3 - <<'END'
import json
lines = [json.loads(line) for line in open("out")]
shares = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
assert [(line["kind"], line["strangers"]) for line in lines] == [(k, s) for k in ("exact", "bloom") for s in shares]
assert all(line["ns"] > 0 and line["many_ns"] > 0 for line in lines)
END
exits 0 bench --reject --quick 1000
for kind in exact compact bloom parted block counting cuckoo; do
    [ "$(grep -c "^$kind " out)" = 2 ] || fail "$kind should stand in both tables"
done
exits 0 bench --reject --quick --export md -k block 1000
[ "$(grep '^|' out | tr -cd '|\n' | sort -u | wc -l)" = 1 ] || fail 'rows differ in columns'
