#!/bin/bash
# 0 if a key was printed or counted, 1 if none was.
. "$(dirname "$0")/lib"

echo heron | exits 0 build -k exact -o filter
printf 'heron\nstork\n' >both
exits 0 query filter both
prints 'heron\n'
exits 0 query -v filter both
prints 'stork\n'
echo stork | exits 1 query filter
prints ''
echo heron | exits 1 query -v filter
prints ''
echo stork | exits 1 query -c filter
prints '0\n'
echo heron | exits 1 query -vc filter
prints '0\n'
echo stork | exits 1 query --json filter
quiet
