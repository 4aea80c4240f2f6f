#!/bin/bash
# Again and again, with a remove between them.
. "$(dirname "$0")/lib"

exits 0 build -k exact -n 100 -o filter /dev/null
numbered 1 40 >going
exits 0 add filter going
for round in $(seq 1 20); do
    echo "left $round" | "$SITO" add filter &
    left=$!
    echo "right $round" | "$SITO" add filter &
    right=$!
    sed -n "${round}p" going | "$SITO" remove filter || fail 'the remove failed'
    wait $left || fail 'one add failed'
    wait $right || fail 'the other add failed'
done
{ seq -f 'left %.0f' 20; seq -f 'right %.0f' 20; sed 1,20d going; } | exits 0 query -c filter
prints '60\n'
[ "$(field filter nkeys)" = 60 ] || fail "$(field filter nkeys) keys"
