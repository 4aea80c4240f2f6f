#!/bin/bash
# Figures for all kinds, of every size asked for, in every form; that they are quick is not for a test to say.
. "$(dirname "$0")/lib"

kinds >all
exits 0 bench --quick --json 1000 3k
quiet
mv out lines
exits 0 bench --quick --export csv -k block,bloom -n 1000
mv out figures.csv
exits 0 bench --quick --export json -k bloom --hashes 3 1000
mv out three
python3 - <<'END'
import csv, json
lines = [json.loads(line) for line in open("lines")]
kinds = open("all").read().split()
assert [(line["kind"], line["nkeys"]) for line in lines] == [(k, n) for n in (1000, 3000) for k in kinds]
for line in lines:
    assert all(line[name] > 0 for name in line if name.endswith("_ns")), line
    assert line["bits_per_key"] > 0 and line["asked"] > 300_000
    # Three filters of a thousand keys: how full they are by chance is most of the slack.
    assert line["measured_fpr"] <= 1.3 * line["real_fpr"], line
rows = list(csv.DictReader(open("figures.csv")))
assert [row["kind"] for row in rows] == ["bloom", "block"] and list(rows[0]) == list(lines[0])
assert all(float(row[name]) >= 0 for row in rows for name in row if name not in ("bench", "kind"))
assert json.load(open("three"))["real_fpr"] > 0
END
exits 0 bench --quick --export md -k cuckoo -r 0.1% 1000
grep -q '^1,000 keys of 8 bytes at 0.1 %' out || fail 'no caption'
[ "$(grep '^|' out | tr -cd '|\n' | sort -u | wc -l)" = 1 ] || fail 'rows differ in columns'
[ "$(grep -c '^|' out)" = 3 ] || fail 'a table is a head, a rule and a row'
exits 0 bench --quick 1000
[ "$(awk 'NR > 3 { print $1 }' out)" = "$(cat all)" ] || fail 'a kind is missing in the table'
