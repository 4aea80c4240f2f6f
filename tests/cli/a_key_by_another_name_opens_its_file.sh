#!/bin/bash
# A program may give its key any id; the file says which, the key file has the secret.
. "$(dirname "$0")/lib"

cp "$SITO_ROOT/docs/vectors/bloom-keyed.sito" filter
echo 000102030405060708090a0b0c0d0e0f >key
echo 000102030405060708090a0b0c0d0e00 >wrong
[ "$(field filter key_id)" = 0000000000000001 ] || fail 'another vector?'
printf 'heron\nstork\ncrane\n' | exits 0 query --key-file key filter
prints 'heron\nstork\n'
exits 2 query --key-file wrong filter <<<heron
says 'keyed with another secret key'
echo crane | exits 0 add --key-file key filter
echo crane | exits 0 query --map --key-file key filter
echo heron | exits 0 build --like filter --key-file key -o twin
for file in filter twin; do
    [ "$(field $file key_id)" = 0000000000000001 ] || fail 'the id was changed'
done
exits 0 merge filter twin -o both
