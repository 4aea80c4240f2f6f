#!/bin/bash
# Writers wait for each other; whoever waited goes on from what the last one wrote.
. "$(dirname "$0")/lib"

for kind in bloom exact exact-cuckoo compact; do
    exits 0 build -k $kind -n 8000 -o filter /dev/null
    started=()
    for part in 0 1 2 3 4 5 6 7; do
        numbered $((part * 1000 + 1)) $((part * 1000 + 1000)) >part.$part
        "$SITO" add filter part.$part &
        started+=($!)
    done
    for process in "${started[@]}"; do wait "$process" || fail "$kind: an add failed"; done
    numbered 1 8000 | exits 0 query -c filter
    prints '8000\n'
    exits 0 check filter
done
no_drafts
