#!/bin/bash
# With -0 keys end in NUL bytes, on input and output, and may hold newlines.
. "$(dirname "$0")/lib"

printf 'one\ntwo\0three\0\0last' >zeros
exits 0 build -0 -k exact -o filter zeros
[ "$(field filter nkeys)" = 4 ] || fail 'four keys were given'
exits 0 query -0 filter zeros
prints 'one\ntwo\0three\0\0last\0'
exits 0 count --null filter zeros
prints '1\tone\ntwo\0001\tthree\0001\t\0001\tlast\0'
printf 'one\0two\0three\n\0' | exits 0 query -0v filter
prints 'one\0two\0three\n\0'
printf 'new\nkey\0' | exits 0 add -0 filter
printf 'new\nkey\0' | exits 0 remove -0 filter
printf 'new\nkey\0' | exits 1 query -0 filter
