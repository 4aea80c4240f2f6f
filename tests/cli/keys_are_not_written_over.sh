#!/bin/bash
# A filter does not take the place of the keys it is made of, by whatever name; but it may that of its model.
. "$(dirname "$0")/lib"

numbered 1 100 >keys
numbered 101 200 >others
cp keys before
ln keys hard
ln -s keys soft
for output in keys ./keys hard soft; do
    exits 2 build -o $output others keys
    says 'keys: is read, and cannot be written at the same time; give another -o'
    exits 2 build -o $output <keys
    says 'standard input: is read'
    exits 2 build -o $output others - <keys
    same keys before
done
status=0
# shellcheck disable=SC2094 # that is the question
"$SITO" build -o - keys >>keys 2>err || status=$?
[ $status = 2 ] || fail "it is written over: exit status $status"
same keys before
no_drafts
exits 0 build -n 200 -o filter keys
exits 0 build --like filter -o filter others
exits 0 query -c filter others
prints '100\n'
exits 0 build -o /dev/null keys
