#!/bin/bash
# A limit of bytes that is too small for keys and rate: exit 3, nothing written.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
exits 3 build -n 1000 -r 0.01% --max-bytes 100 -o new keys
says '--max-bytes allows 100 B'
none new
exits 3 plan 10M 1% --max-bytes 1MiB -k bloom
exits 3 plan 10M 1% --max-bytes 1MiB -k compact
exits 0 build -n 1000 --max-bytes 4KiB -o filter keys
holds "$(field filter bytes) <= 4096 && $(field filter bytes) > 2048"
exits 0 query -c filter keys
prints '1000\n'

# Too few bytes for any key, too many cells for any machine: each is told for what it is.
for kind in bloom block compact fuse; do
    exits 3 build -k $kind --max-bytes 1 -o new keys
    says '--max-bytes allows 1 B'
done
for kind in bloom cuckoo counting exact; do
    exits 3 build -k $kind --cells 1e18 -o new keys
    says 'cannot have so many --cells; give fewer'
done
exits 3 build -k cuckoo -n 1000 --cells 100 -o new keys
says 'needs more than so many --cells; give more'
exits 2 build --hashes 500M -o new keys
says 'no kind takes this --hashes'
none new
