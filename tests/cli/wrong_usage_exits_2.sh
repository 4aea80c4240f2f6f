#!/bin/bash
# With a word on what is missing, or too much.
. "$(dirname "$0")/lib"

exits 2
grep -q 'Usage: sito COMMAND' err || fail 'no help'
[ ! -s out ] || fail 'help unasked goes to stderr'
exits 2 build
says 'give -o FILE'
exits 2 query
says 'sito query FILE [INPUT...]'
exits 2 info one two
says '`two` is one too many'
exits 2 build -o
says '-o needs a value'
exits 2 build --seed
says '--seed needs a value'
exits 2 build -o ''
says 'is empty'
exits 2 info --json=yes file
says '--json takes no value'
exits 2 --json info file
says 'options follow the command'
exits 2 plan
says 'for how many keys?'
exits 2 plan 10 -n 10
says 'given twice'
exits 2 build --hashes 5000000000 -o file
says 'is too large'
exits 2 merge file
says 'give -o FILE'
exits 2 completion csh
says 'there is bash, zsh and fish'
exits 2 build --json -o - /dev/null
says 'cannot take both'
exits 2 query -
says 'not from a stream'
# What follows -- is a name.
echo x >-v
exits 0 build -o filter -- -v
exits 0 query filter -- -v
prints 'x\n'
