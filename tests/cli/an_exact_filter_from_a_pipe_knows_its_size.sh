#!/bin/bash
# It grew as keys came; its capacity is what came, not what it began with.
. "$(dirname "$0")/lib"

numbered 1 3000 >keys
for kind in $(kinds grow); do
    cat keys keys | exits 0 build -k "$kind" --seed 1 -o by_pipe
    can "$kind" merge || continue
    [ "$(field by_pipe capacity)" = 3000 ] || fail "$kind: $(field by_pipe capacity)"
    [ "$(field by_pipe nkeys)" = 3000 ] || fail "$kind: $(field by_pipe nkeys)"
    exits 0 query -c by_pipe keys
    prints '3000\n'
    exits 0 build -k "$kind" --seed 1 -o by_file keys
    holds "$(field by_pipe bytes) <= $(field by_file bytes) * 1.01"
    # With -n it is what was asked for.
    cat keys | exits 0 build -k "$kind" -n 5 -o small
    [ "$(field small capacity)" = 5 ] || fail "$kind: $(field small capacity)"
done
