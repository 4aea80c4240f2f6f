#!/bin/bash
# A wrong byte inside packed input is told, and nothing is written.
. "$(dirname "$0")/lib"

for packer in gzip 'zstd -q --check'; do
    numbered 1 5000 | $packer >packed
    size=$(stat -c %s packed)
    for at in $((size / 2)) $((size - 2)); do
        cp packed damaged
        printf '\125' | dd of=damaged bs=1 seek="$at" conv=notrunc status=none
        cmp -s packed damaged && printf '\252' | dd of=damaged bs=1 seek="$at" conv=notrunc status=none
        exits 2 build -o new damaged
        says 'damaged: damaged '
        none new
    done
done
# Something else behind it is no gzip either.
{ numbered 1 10 | gzip; echo plain text; } >mixed
exits 2 build -o new mixed
says 'something else behind it'
none new
