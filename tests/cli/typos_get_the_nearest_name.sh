#!/bin/bash
# Commands, options and kinds: did you mean ...?
. "$(dirname "$0")/lib"

try() { # MEANT WORD...
    local meant=$1
    shift
    exits 2 "$@"
    says "did you mean $meant?"
    [ ! -s out ] || fail 'talk on stdout'
}
try build buidl
try query qurey
try remove remov
try --json info --jsno file
try --output build --ouput file
try --max-bytes plan --max=1 10
try --no-wait add --nowait file
try bloom build -k blom -o file
try compact plan 10 -k compcat
exits 2 xyzzy
says '`sito help` lists those there are'
exits 2 build -k xyzzy -o file
says '`sito kinds` lists those there are'
exits 2 query --partial file
says '--partial is no option of `sito query`'
exits 2 info --xyzzy file
says '`sito help info` lists those it has'
exits 2 info -x file
says 'unknown option -x'
none file
