#!/bin/bash
# Three here and two there are five.
. "$(dirname "$0")/lib"

echo heron >heron
for kind in $(kinds count); do
    can "$kind" merge || continue
    exits 0 build -k "$kind" --seed 4 -n 100 -o a /dev/null
    exits 0 build --like a -o b /dev/null
    exits 0 add a heron heron heron
    exits 0 add b heron heron
    exits 0 merge a b -o both
    exits 0 count both heron
    prints '5\theron\n'
    [ "$(field both nkeys)" = 5 ] || fail "$kind: $(field both nkeys) keys"
done
