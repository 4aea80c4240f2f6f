#!/bin/bash
# On a pipe a command that succeeds is silent; with --verbose it tells.
. "$(dirname "$0")/lib"

numbered 1 100 >keys
for command in 'build -k exact -o filter' 'add filter' 'remove filter'; do
    # shellcheck disable=SC2086 # several words
    exits 0 $command keys
    quiet
    prints ''
    # shellcheck disable=SC2086
    exits 0 $command -V keys
    says 'filter: '
    prints ''
done
exits 0 build -k exact -o filter -V keys
says 'exact, 100 keys'
exits 0 merge filter filter -o both
quiet
exits 0 merge -V filter filter -o both
says 'both: 200 keys'

# An option that the kind does not know is told, one that it knows is not.
exits 0 build -k bloom --layout sorted --arity 4 --hashes 5 -o filter keys
quiet
exits 0 build -k bloom --layout sorted --arity 4 --hashes 5 -o filter -V keys
says 'bloom has no use for --layout'
says 'bloom has no use for --arity'
! grep -e --hashes err || fail 'bloom knows --hashes'
exits 0 build -k cuckoo --layout sorted --rule path --bucket 4 --max-moves 100 -o filter -V keys
! grep 'no use' err || fail 'cuckoo knows them all'
