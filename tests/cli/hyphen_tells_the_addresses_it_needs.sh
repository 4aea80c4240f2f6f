#!/bin/bash
# A compiled file is mapped with zeros behind it; where a limit forbids that, the message tells how much is needed.
. "$(dirname "$0")/lib"

printf 'hy3ph\nhe2n\n' >patterns
exits 0 hyphen --patterns patterns --compile image
echo hyphen >word
(
    ulimit -v 100000
    exits 2 hyphen --patterns image --words word
    says 'image: no room for it; it needs 129 MiB of addresses'
)
(
    ulimit -v 400000
    exits 0 hyphen --patterns image --words word
    prints 'hy-phen\n'
)
