#!/bin/bash
# And it is in the set only if it was given.
. "$(dirname "$0")/lib"

for kind in $(kinds); do
    printf 'heron\n\nstork\n' >three
    printf 'heron\nstork\n' >two
    exits 0 build -k "$kind" --seed 3 -r 1e-6 -o with three
    exits 0 build -k "$kind" --seed 3 -r 1e-6 -o without two
    echo | exits 0 query with
    prints '\n'
    echo | exits 1 query without
    [ "$(field with nkeys)" = 3 ] || fail "$kind: it is not counted"
done
