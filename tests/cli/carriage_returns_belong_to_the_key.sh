#!/bin/bash
# Lines that end in CR LF are other keys than those that do not.
. "$(dirname "$0")/lib"

printf 'heron\r\nstork\r\n' >dos
exits 0 build -k exact -o filter dos
exits 0 query filter dos
same dos out
printf 'heron\nstork\n' | exits 1 query filter
