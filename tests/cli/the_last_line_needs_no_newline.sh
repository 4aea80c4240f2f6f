#!/bin/bash
# A key at the end of a file ends there; the next file does not go on with it.
. "$(dirname "$0")/lib"

printf 'heron\nstork\n' >with
printf 'heron\nstork' >without
exits 0 build --seed 1 -o a with
exits 0 build --seed 1 -o b without
same a b
exits 0 query a without
same out with
exits 0 build -k exact -o two without without
[ "$(field two nkeys)" = 2 ] || fail 'the files ran together'
printf 'storkheron\n' | exits 1 query two
