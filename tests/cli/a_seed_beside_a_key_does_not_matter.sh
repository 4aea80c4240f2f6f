#!/bin/bash
# The keyed hash has no seed; to give one is no mistake.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
head -c 16 /dev/zero >key
for kind in $(kinds); do
    exits 0 build -k "$kind" --key-file key --seed 1 -o one keys
    exits 0 build -k "$kind" --key-file key --seed 2 -o two keys
    exits 0 build -k "$kind" --key-file key -o three keys
    same one two
    same one three
done
