#!/bin/bash
# A folder, a missing folder: told before any key is read.
. "$(dirname "$0")/lib"

mkdir folder
for target in folder folder/ . /; do
    exits 2 build -o "$target" unread
    says "$target: is a directory"
done
for target in missing/new missing/; do
    exits 2 build -o "$target" unread
    says "$target: there is no folder missing/"
done
exits 0 build -o filter /dev/null
exits 2 build -o filter/new unread
says 'filter/new: '
exits 2 merge filter -o folder
says 'folder: is a directory'
for command in add remove query count; do
    exits 2 $command folder unread
    says 'folder: is a directory'
    exits 2 $command missing unread
    says 'missing: No such file'
done
no_drafts
# What is still open but has no name any more cannot be replaced, nor can the link to it.
mkdir gone
(
    cd gone
    exec 8>file
    rm file
    status=0
    "$SITO" build -o /proc/self/fd/8 /dev/null 2>../err || status=$?
    [ $status = 2 ] || fail "exit status $status"
)
says '/proc/self/fd/8: No such file'
[ -z "$(ls gone)" ] || fail "beside it: $(ls gone)"
