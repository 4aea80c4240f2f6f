#!/bin/bash
# -o - is standard output; a pipe is written to, not replaced.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
exits 0 build --seed 1 -o file keys
exits 0 build --seed 1 -o - keys
same file out
quiet
exits 0 merge file file -o -
cmp <(cells file) <(cells out) || fail 'merge writes something else'
mkfifo pipe
cat pipe >through &
exits 0 build --seed 1 -o pipe keys
wait
same file through
[ -p pipe ] || fail 'the pipe is gone'
