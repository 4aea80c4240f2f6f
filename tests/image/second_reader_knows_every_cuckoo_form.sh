#!/bin/bash
# The second reader answers as the command does, whatever layout, bucket, width and rule the cuckoo filter has.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export PYTHONDONTWRITEBYTECODE=1

seq 150 >keys
seq 1 3 600 >asked
for form in bucket:1:7 bucket:2:11 bucket:4:9 bucket:8:8 bucket:4:32 sorted:4:5 sorted:4:9 sorted:4:32 \
    window:2:6 window:4:9 window:8:10; do
    IFS=: read -r layout bucket bits <<<"$form"
    for rule in random emptier path; do
        cells=$((bucket == 1 ? 800 : 200))
        [ "$layout" != window ] || cells=$((cells + 3))
        "$SITO" build -k cuckoo --layout "$layout" --bucket "$bucket" --tag-bits "$bits" --rule "$rule" \
            --cells $cells --seed 7 -o filter keys
        "$SITO" query filter asked >told
        mapfile -t words <asked
        python3 "$root/docs/reader.py" filter "${words[@]}" | sed -n 's/^yes\t//p' >seen
        cmp told seen || { echo "$form $rule: the two differ"; exit 1; }
        [ "$(awk '$1 <= 150' seen | wc -l)" = 50 ] || { echo "$form $rule: a key is lost"; exit 1; }
    done
done
