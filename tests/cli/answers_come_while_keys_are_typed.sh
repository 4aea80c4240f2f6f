#!/bin/bash
# Whoever asks one key gets its answer before the next.
. "$(dirname "$0")/lib"

printf 'heron\nstork\n' | exits 0 build -k exact -o filter
coproc "$SITO" query filter
for key in heron stork heron; do
    echo $key >&"${COPROC[1]}"
    read -r -t 60 answer <&"${COPROC[0]}" || fail "no answer to $key"
    [ "$answer" = $key ] || fail "$answer instead of $key"
done
process=$COPROC_PID keyboard=${COPROC[1]}
exec {keyboard}>&-
wait "$process" || fail 'a bad end'
