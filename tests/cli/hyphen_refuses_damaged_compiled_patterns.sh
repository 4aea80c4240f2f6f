#!/bin/bash
# A byte turned around anywhere in a compiled file, the slots at its end included: nothing is broken by it.
. "$(dirname "$0")/lib"

printf 'hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n' >patterns
echo hyphenation >words
exits 0 hyphen --patterns patterns --compile image
size=$(stat -c %s image)
for at in 100 $((size / 2)) $((size - 200)) $((size - 1)); do
    python3 - "$at" <<'END'
import sys
whole, at = bytearray(open("image", "rb").read()), int(sys.argv[1])
whole[at] ^= 255
open("flipped", "wb").write(whole)
END
    exits 2 hyphen --patterns flipped --words words
    says 'flipped: it is damaged'
    prints ''
done
