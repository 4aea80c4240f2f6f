#!/bin/bash
# With stdin, stdout or stderr closed, nothing is written to whatever was opened instead.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
exits 0 build -n 1000 -o filter keys
cp filter before
status=0
"$SITO" query filter keys >&- 2>err || status=$?
[ $status = 2 ] || fail "exit status $status"
says 'standard output: '
status=0
"$SITO" query filter missing 2>&- >out || status=$?
[ $status = 2 ] || fail "exit status $status"
exits 2 add filter <&-
exits 0 build --seed 1 -o a keys
"$SITO" build --seed 1 -o b keys <&- >&- 2>&- || true
same a b
same filter before
