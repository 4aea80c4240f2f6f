#!/bin/bash
# Ten million keys of every kind take longer than a person may wait.
. "$(dirname "$0")/lib"

status=0
timeout --preserve-status -s TERM 1 "$SITO" bench 10M >out 2>err || status=$?
[ $status = 130 ] || fail "exit status $status instead of 130"
quiet
[ ! -s out ] || fail 'half a table'
