#!/bin/bash
# info, check and merge need no secret; and the file does not hold it.
. "$(dirname "$0")/lib"

numbered 1 1000 >a.txt
numbered 1001 2000 >b.txt
printf 'sixteen bytes ok' >key
exits 0 build --key-file key -n 2000 -o a a.txt
exits 0 build --key-file key --like a -o b b.txt
exits 0 info a
grep -Eq '^key id +[0-9a-f]{16}$' out || fail 'no key id'
[ "$(field a hash)" = siphash13 ] || fail 'not keyed?'
[ "$(field a key_id)" = "$(field b key_id)" ] || fail 'one key, two ids'
[ "$(field a key_id)" = "$(od -An -v -tx8 -j32 -N8 a | tr -d ' ')" ] || fail 'not the id in the file'
exits 0 check a b
exits 0 merge a b -o both
cat a.txt b.txt | exits 0 query -c --key-file key both
prints '2000\n'
! grep -q 'sixteen bytes ok' a both || fail 'the secret is in the file'
exits 2 info --key-file key a
says '--key-file is no option of'
