#!/bin/bash
# As in `| head -1`: quiet, and soon over.
. "$(dirname "$0")/lib"

seq 2000000 >many
head -n 1000 many | exits 0 build -r 50% -o filter
quietly() {
    local status=0
    "$SITO" "$@" 2>err | head -n 1 >first || status=${PIPESTATUS[0]}
    [ "$status" = 2 ] || fail "sito $*: exit status $status"
    [ -s first ] || fail 'head got nothing'
    quiet
}
quietly query filter many
quietly query -v filter many
quietly build --cells 64Mi -o - many
exits 0 build -k exact -o filter <<<1
quietly count filter many
