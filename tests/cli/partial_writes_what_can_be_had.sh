#!/bin/bash
# With --partial: a higher rate, or as many keys as have room. Still exit 3.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
for kind in $(kinds); do
    if can "$kind" grow || [ "$kind" = bitmap ] || [ "$kind" = aged ]; then continue; fi
    exits 3 build -k "$kind" -r 1% -n 100 --partial -o filter keys
    says 'filter: '
    exits 0 check filter
    "$SITO" query -c filter keys >found
    if can "$kind" remove || ! can "$kind" add; then holds "$(field filter nkeys) == 100 && $(cat found) >= 100"
    else [ "$(cat found)" = 1000 ] || fail "$kind: lost keys"; fi
done
