#!/bin/bash
# Without -0 a NUL is a byte of the key like any other.
. "$(dirname "$0")/lib"

printf 'a\0b\n\0\nc\n' >lines
exits 0 build -k exact -o filter lines
[ "$(field filter nkeys)" = 3 ] || fail 'three keys were given'
exits 0 query filter lines
same lines out
printf 'a\na\0\na\0c\nb\n\n' | exits 1 query filter
