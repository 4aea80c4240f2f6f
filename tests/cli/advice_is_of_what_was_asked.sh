#!/bin/bash
# More keys than planned: what to ask for depends on what was asked for, and following it helps.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
numbered 1 100 >few
exits 0 build -k bloom -o model few
exits 0 build -k cuckoo -o model2 few

exits 3 build -k cuckoo -n 100 -o filter keys
says 'give -n 1000, or --partial'
exits 0 build -k cuckoo -n 1000 -o filter keys
exits 3 build -k bloom -n 100 -o filter2 keys
says 'give a larger -n, or --partial'
exits 3 build -k cuckoo --max-bytes 200 -o filter2 keys
says 'allow more with --max-bytes, or --partial'
exits 3 build -k bloom --max-bytes 200 -o filter2 keys
says 'allow more with --max-bytes, or --partial'
exits 3 build -k bloom --cells 1000 -o filter2 keys
says 'give more --cells, or --partial'
exits 3 build -k ribbon --cells 100 -o filter2 keys
says 'give more --cells, or --partial'
for model in model model2; do
    exits 3 build --like $model -o filter2 keys
    says 'build the model for more keys (-n), or --partial'
done

# Where two things were asked for, both may have to be more.
for kind in cuckoo compact fuse ribbon; do
    exits 3 build -k $kind --cells 512 -n 300 -o filter2 keys
    says 'give -n 1000 and more --cells, or --partial'
    exits 0 build -k $kind --cells 2048 -n 1000 -o filter keys
    exits 3 build -k $kind -n 100 -r 1% --max-bytes 300 -o filter2 keys
    says 'give -n 1000 and more --max-bytes, or --partial'
    exits 0 build -k $kind -n 1000 -r 1% --max-bytes 10000 -o filter keys
done
for kind in bloom compact fuse ribbon counting parted; do
    exits 3 build -k $kind --cells 128 --max-bytes 100000 -o filter2 keys
    says 'give more --cells, or --partial'
    exits 0 build -k $kind --cells 20000 --max-bytes 100000 -o filter keys
done
exits 3 build -k cuckoo --cells 1000 -o filter2 keys
says 'not all of 1,000 keys find room; give more --cells, or --partial'
exits 0 build -k cuckoo --cells 1100 -o filter keys
none filter2

exits 3 build -k cuckoo --max-bytes 200 --partial -o filter2 keys
says 'allow more with --max-bytes'
exits 3 build --like model --partial -o filter2 keys
says 'build the model for more keys (-n)'

# A secret takes the place of the seed.
head -c 16 /dev/urandom >secret
exits 0 build -V --key-file secret --seed 7 -o filter keys
says 'with --key-file there is no use for --seed'
exits 0 build -V --key-file secret -o filter keys
if grep seed err; then fail 'nobody spoke of a seed'; fi
