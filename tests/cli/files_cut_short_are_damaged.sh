#!/bin/bash
# At whatever length, mapped too: refused, not a bus error. One byte too many is damage as well.
. "$(dirname "$0")/lib"

numbered 1 20 >keys
for kind in $(kinds); do
    exits 0 build -k "$kind" -o filter keys
    size=$(stat -c %s filter)
    for length in 0 1 7 8 39 40 127 128 $((size / 2)) $((size - 8)) $((size - 1)); do
        head -c "$length" filter >short
        exits 1 check short
        says 'short: '
        for command in query 'query --map' add info; do
            # shellcheck disable=SC2086 # several words
            exits 2 $command short </dev/null
            prints ''
        done
        exits 2 merge short short -o new
        none new
    done
    { cat filter; printf x; } >long
    exits 1 check long
    exits 2 query --map long keys
done
