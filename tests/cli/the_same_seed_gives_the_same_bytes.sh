#!/bin/bash
# Same keys, same seed: the same file, whatever the threads. Without a seed each is another.
. "$(dirname "$0")/lib"

numbered 1 20000 >keys
for kind in $(kinds); do
    exits 0 build -k "$kind" --seed 42 -o one keys
    for threads in 1 2 5; do
        exits 0 build -k "$kind" --seed 42 --threads $threads -o two keys
        same one two
    done
    [ "$(field one seed)" = 42 ] || fail "$kind: another seed"
    exits 0 build -k "$kind" --seed 43 -o two keys
    ! cmp -s <(cells one) <(cells two) || fail "$kind: the seed does not matter"
    exits 0 build -k "$kind" -o one keys
    exits 0 build -k "$kind" -o two keys
    [ "$(field one seed)" != "$(field two seed)" ] || fail "$kind: no random seed"
done
