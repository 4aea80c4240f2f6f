#!/bin/bash
# Slots to the letter, and more keys than go in: exit 3 and nothing written, or all that go in with --partial.
. "$(dirname "$0")/lib"

numbered 1 4095 >keys
exits 3 build -k cuckoo --cells 4096 --tag-bits 12 --seed 1 -o filter keys
[ ! -e filter ] || fail 'a filter was written'
exits 3 build -k cuckoo --cells 4096 --tag-bits 12 --seed 1 --partial -o filter keys
says 'left out'
exits 0 check filter
holds "$(field filter nkeys) > 3900 && $(field filter nkeys) < 4095"
exits 3 build -k cuckoo --cells 1024 --tag-bits 12 -o filter2 keys
[ ! -e filter2 ] || fail 'a filter was written'
