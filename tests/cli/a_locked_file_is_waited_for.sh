#!/bin/bash
# Unless --no-wait: then exit 2 at once. A file replaced meanwhile is the one that is changed.
. "$(dirname "$0")/lib"

exits 0 build -k exact -o filter /dev/null
exits 0 build -k exact -o other <<<other
exec 9<filter
flock 9
exits 2 add --no-wait filter <<<heron
says 'filter: another process is writing it'
exits 2 remove --no-wait filter <<<heron
says 'another process is writing it'
echo heron | exits 1 query filter # readers do not wait
echo heron | "$SITO" add filter &
adding=$!
sleep 0.2
kill -0 $adding || fail 'it did not wait'
exec 8<other
flock 8
mv other filter
flock -u 9
sleep 0.2
kill -0 $adding || fail 'it did not wait for the file that took the place'
flock -u 8
wait $adding || fail 'it waited in vain'
printf 'heron\nother\n' | exits 0 query filter
prints 'heron\nother\n'
# A merge that takes the place of one of its parts is a writer too; one that does not only reads.
exits 0 build --like filter -o part <<<part
exec 7<filter
flock 7
exits 0 merge filter part -o both
"$SITO" merge part filter -o filter &
merging=$!
sleep 0.2
kill -0 $merging || fail 'the merge did not wait'
flock -u 7
wait $merging || fail 'the merge waited in vain'
{ echo late; sleep 0.3; } | "$SITO" add filter &
adding=$!
echo later | "$SITO" add part
"$SITO" merge filter part -o filter
wait $adding || fail 'the add failed'
printf 'heron\nother\npart\nlate\nlater\n' | exits 0 query -c filter
prints '5\n'
