#!/bin/bash
# Kind, shape, hash and seed; so nothing else may be wished beside it.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
for kind in $(kinds); do
    exits 0 build -k "$kind" -n 2000 -r 0.3% -o model keys
    exits 0 build --like model -o twin keys
    same model twin
done
for wish in '-k bloom' '-r 1%' '-n 10' '--seed 1' '--cells 64' '--hashes 3' '--max-bytes 1k'; do
    # shellcheck disable=SC2086 # two words
    exits 2 build --like model $wish -o new keys
    says '--like takes kind, rate, size and seed from model'
done
exits 2 build --like missing -o new keys
says 'missing: No such file'
none new
exits 0 build --like model --threads 2 -o twin keys
# The model's plan holds for the twin too.
exits 0 build -k bloom -n 100 -o small /dev/null
exits 3 build --like small -o new keys
none new
