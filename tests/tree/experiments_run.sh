#!/bin/bash
# Every experiment runs, as small as can be: each of its committed tables comes out again, by the same columns, and marked as a
# sketch; and no committed file is touched.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

state() { find "$root/lab" -type f -exec sha256sum {} + | sort; }
state >before
for run in "$root"/lab/*/run; do
    folder=$(dirname "$run")
    sketch=$root/build/lab/$(basename "$folder")/smoke
    rm -rf "$sketch"
    "$run" smoke
    grep -q sketch "$sketch/SKETCH"
    for table in "$folder"/data/*.tsv; do
        again=$sketch/data/$(basename "$table")
        [ "$(wc -l <"$again")" -gt 1 ]
        cmp <(head -n 1 "$table") <(head -n 1 "$again")
    done
    for picture in "$folder"/*.svg; do
        [ ! -e "$picture" ] || grep -q '>sketch<' "$sketch/$(basename "$picture")"
    done
done
state | cmp before -
