#!/bin/bash
# With exit 2, the name of the kind, and where to look.
. "$(dirname "$0")/lib"

echo heron >one
for kind in $(kinds); do
    exits 0 build -k "$kind" -n 100 -o filter one
    cp filter before
    for ability in add remove count; do
        can "$kind" $ability && continue
        exits 2 $ability filter one
        says 'filter: '
        says '`sito kinds` shows'
        prints ''
        [ $ability = count ] || says "\`$kind\`, cannot $ability"
    done
    same filter before
done
exits 0 build -k bloom -o filter one
exits 2 count filter /dev/null
says '`sito kinds` shows'
exits 0 build -k exact -o filter one
exits 0 count filter /dev/null
exits 0 build -k bloom -o filter one
exits 2 remove filter one
says 'filter: its kind, `bloom`, cannot remove'
