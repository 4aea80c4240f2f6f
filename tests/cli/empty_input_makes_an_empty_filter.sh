#!/bin/bash
# No keys are a set too; it takes keys later, and has none before.
. "$(dirname "$0")/lib"

: >empty
gzip -k empty
zstd -q empty
for kind in $(kinds); do
    for input in empty empty.gz empty.zst /dev/null; do
        exits 0 build -k "$kind" -o filter $input
        [ "$(field filter nkeys)" = 0 ] || fail "$kind: keys out of nothing"
        exits 0 check filter
        numbered 1 100 | exits 1 query -c filter
        prints '0\n'
    done
    : | exits 0 build -k "$kind" -o filter
    if can "$kind" add; then
        echo heron | exits 0 add filter
        echo heron | exits 0 query filter
    fi
done
exits 1 query filter empty
exits 1 query -v filter empty
