#!/bin/bash
# Exit 3 and the rate it would have; or the line for which there was no room.
. "$(dirname "$0")/lib"

numbered 1 100 >some
numbered 101 400 >fresh
for kind in $(kinds add); do
    if can "$kind" grow || [ "$kind" = bitmap ] || [ "$kind" = aged ]; then continue; fi
    exits 0 build -k "$kind" -n 100 -o filter some
    cp filter before
    exits 3 add filter fresh
    says '--partial'
    same filter before
    exits 3 add --partial filter fresh
    exits 0 check filter
    exits 0 query -c filter some
    prints '100\n'
done
exits 0 build -k bloom --seed 1 -n 100 -o filter some
exits 3 add filter fresh
grep -Eq 'rate would be [0-9.]+ %' err || fail 'the rate is not named'
exits 0 build -k compact -n 100 -o filter some
exits 3 add filter fresh
grep -Eq '^sito: fresh:[0-9]+: no room' err || fail 'file and line are not named'
no_drafts
