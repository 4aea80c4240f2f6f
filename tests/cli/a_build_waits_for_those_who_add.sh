#!/bin/bash
# What is written last is what stays: not an add that began before the file was built anew.
. "$(dirname "$0")/lib"

numbered 1 10 >old
numbered 11 20 >new
mkfifo keys
exec 8<>keys # open, and silent
while_adding() { # WORD...: the command must wait for an add that has begun
    local adder writer status=0
    exits 0 build -k exact -n 100 -o filter old
    "$SITO" add filter keys 8>&- &
    adder=$!
    wait_for waits $adder
    "$SITO" "$@" 8>&- &
    writer=$!
    wait_for waits $writer
    echo added >&8
    exec 8>&- # the add has all its keys
    wait $adder || fail 'the add failed'
    wait $writer || status=$?
    [ $status = 0 ] || fail "sito $*: exit status $status"
    exits 0 query -c filter new
    prints '10\n'
    exec 8<>keys
}
exits 0 build -k exact -n 100 -o other new
while_adding build -k exact -n 100 -o filter new
while_adding merge other other -o filter
no_drafts

# The file goes away while it waits: there is nothing to wait for.
exits 0 build -k exact -n 100 -o filter old
"$SITO" add filter keys 8>&- &
adder=$!
wait_for waits $adder
"$SITO" build -k exact -n 100 -o filter new 8>&- &
writer=$!
wait_for waits $writer
rm filter
kill $adder
wait $writer || fail 'nobody was there to wait for'
exits 0 query -c filter new
prints '10\n'
no_drafts
