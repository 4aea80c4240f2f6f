#!/bin/bash
# No sito writes one. It is asked as any other, but nothing is added by a seed that no plan can name.
. "$(dirname "$0")/lib"

echo heron >bird
exits 0 build -k bloom -n 100 --seed 42 -o filter /dev/null
PYTHONPATH=$SITO_ROOT/docs python3 - <<'PYTHON'
from xxh3 import xxh3

image = bytearray(open("filter", "rb").read())
cells = 128 + (int.from_bytes(image[28:32], "little") + 63) // 64 * 64
image[32:40] = bytes(8)
image[120:128] = xxh3(bytes(image[:120] + image[128:cells])).to_bytes(8, "little")
open("zero", "wb").write(image)
PYTHON
cp zero before
exits 0 check zero
exits 1 query zero bird
for words in 'add zero bird' 'build --like zero -o new bird'; do
    # shellcheck disable=SC2086 # several words
    exits 2 $words
    says 'zero: its seed is 0'
done
same before zero
none new
no_drafts
