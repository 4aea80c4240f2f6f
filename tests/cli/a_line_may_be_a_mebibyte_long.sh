#!/bin/bash
# Long keys cross every buffer, and their last byte counts.
. "$(dirname "$0")/lib"

head -c 1048575 /dev/zero | tr '\0' x >body
{ cat body; echo y; numbered 1 100; cat body; echo z; } >long
exits 0 build -k exact -o filter long
[ "$(field filter nkeys)" = 102 ] || fail '102 keys were given'
exits 0 query filter long
same long out
{ cat body; echo a; cat body; echo; } >others
exits 1 query filter others
gzip <long >long.gz
exits 0 query filter long.gz
same long out
for kind in $(kinds); do
    exits 0 build -k "$kind" -o filter long
    exits 0 query -c filter long
    prints '102\n'
done
