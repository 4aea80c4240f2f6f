#!/bin/bash
# As under nohup.
. "$(dirname "$0")/lib"

mkfifo pipe
(
    trap '' HUP
    exec "$SITO" build -k exact -o filter pipe
) &
building=$!
exec 8>pipe
echo heron >&8
sleep 0.2
kill -HUP $building
echo stork >&8
exec 8>&-
wait $building || fail 'it was stopped'
[ "$(field filter nkeys)" = 2 ] || fail 'keys are missing'
