#!/bin/bash
# Packed files that were simply put one behind the other are read to the end.
. "$(dirname "$0")/lib"

numbered 1 3000 >all
for packer in gzip 'zstd -q'; do
    numbered 1 1000 | $packer >packed
    : | $packer >>packed
    numbered 1001 3000 | $packer >>packed
    exits 0 build -k exact -o filter packed
    [ "$(field filter nkeys)" = 3000 ] || fail "$packer: keys are missing"
    exits 0 query filter packed
    same all out
done
# A key may begin in one member and end in the next.
{ printf 'her' | gzip; printf 'on\n' | gzip; } >cut_key
exits 0 build -k exact -o heron cut_key
echo heron | exits 0 query heron
# Zeros behind the last member, as tapes have them.
{ numbered 1 3000 | gzip; head -c 1000 /dev/zero; } >tape
exits 0 query filter tape
same all out
