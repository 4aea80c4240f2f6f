#!/bin/bash
# Any other is an error and says so; it is never a no.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
head -c 16 /dev/zero >right
head -c 16 /dev/zero | tr '\0' x >wrong
for kind in $(kinds); do
    exits 0 build -k "$kind" --key-file right -n 3000 -o filter keys
    cp filter before
    exits 0 query --key-file right filter keys
    same keys out
    exits 0 query -c --map --key-file right filter keys
    prints '1000\n'
    for command in query 'query -v' 'query --map' add remove count 'build -o new --like'; do
        # shellcheck disable=SC2086 # several words
        exits 2 $command filter --key-file wrong keys
        says 'filter: keyed with another secret key'
        prints ''
        # shellcheck disable=SC2086
        exits 2 $command filter keys
        says 'filter: keyed: it opens with its secret key only; see --key-file'
        prints ''
    done
    same filter before
    none new
    if can "$kind" add; then
        echo heron | exits 0 add --key-file right filter
        echo heron | exits 0 query --key-file right filter
    fi
done
exits 0 build -o plain keys
exits 2 query --key-file right plain keys
says 'plain: not keyed, but a key was given'
