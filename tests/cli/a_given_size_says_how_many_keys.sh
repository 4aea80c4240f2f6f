#!/bin/bash
# Not those that came first: there is room for as many as `sito plan` says of that size.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
numbered 1001 1500 >later
for kind in bloom parted block counting cuckoo compact fuse ribbon; do
    for size in '--cells 32768' '--max-bytes 40000'; do
        # shellcheck disable=SC2086
        exits 0 plan -k $kind $size --json
        planned=$(sed -n 's/.*"nkeys": \([0-9]*\).*/\1/p' out)
        # shellcheck disable=SC2086
        exits 0 build -k $kind $size -o filter keys
        [ "$(field filter capacity)" = "$planned" ] || fail "$kind $size: $(field filter capacity) instead of $planned"
        if can $kind add; then exits 0 add filter later; fi
    done
done
