#!/bin/bash
# Ten million keys of every kind take longer than a person may wait.
. "$(dirname "$0")/lib"

env --default-signal=TERM,HUP "$SITO" bench 10M >out 2>err &
measuring=$!
wait_for listens $measuring
sleep 0.5
kill $measuring
status=0
wait $measuring || status=$?
[ $status = 130 ] || fail "exit status $status instead of 130"
quiet
[ ! -s out ] || fail 'half a table'
