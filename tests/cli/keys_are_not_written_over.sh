#!/bin/bash
# A filter does not take the place of the keys it is made of, by whatever name, nor of its secret; but it may that of
# its model. Answers do not go into the keys that are asked: each would be asked again, without end.
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
printf '0123456789abcdef' >secret
cp secret kept
ln -s secret known
for output in secret known; do
    exits 2 build --key-file secret -o $output keys
    says 'secret: is read, and cannot be written at the same time; give another -o'
    same secret kept
done
no_drafts
exits 0 build -k counting -o counting keys
appends() { # COMMAND
    status=0
    # shellcheck disable=SC2094 # that is the question
    (ulimit -f 8 && "$SITO" "$@" 2>err >>keys) || status=$?
    [ $status = 2 ] || fail "sito $*: exit status $status"
    says 'is read, and cannot be written at the same time; send the output elsewhere'
    same keys before
}
appends query counting keys
appends query counting others keys
appends query counting <keys
appends count counting keys
appends hyphen --strip keys
appends hyphen --strip -o - others keys
exits 0 query -c counting keys
prints '100\n'
