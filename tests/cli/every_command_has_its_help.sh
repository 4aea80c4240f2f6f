#!/bin/bash
# On stdout, by `help NAME` and `NAME --help`, with its options and an example.
. "$(dirname "$0")/lib"

exits 0 help
awk '/^Commands/,/^$/ { if (/^  /) print $1 }' out >commands
[ "$(wc -l <commands)" -ge 13 ] || fail 'commands are missing'
while read -r command; do
    exits 0 help "$command"
    grep -q "^Usage: sito $command" out || fail "$command: no usage"
    grep -q -- '--help' out || fail "$command: no options"
    grep -q "^  .*sito $command" out || fail "$command: no example"
    ! grep -nE '.{81}' out || fail "$command: lines longer than a terminal"
    mv out wanted
    for words in "$command --help" "$command -h"; do
        # shellcheck disable=SC2086 # two words
        exits 0 $words
        same wanted out
    done
done <commands
# Who takes one kind names it; who takes all of them does not.
exits 0 help build
grep -q 'without -k a `bloom`' out || fail 'which kind is not told'
for command in plan bench; do
    exits 0 help $command
    ! grep -- '--kind.*bloom' out || fail "$command: takes all kinds"
done
exits 0 --help
! grep -nE '.{81}' out || fail 'lines longer than a terminal'
grep -q '130  interrupted' out || fail 'no exit status'
exits 2 help xyzzy
says 'there is no command `xyzzy`'
