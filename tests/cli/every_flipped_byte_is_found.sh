#!/bin/bash
# Each one, in a file of every kind: check says damaged, no command answers from it or changes it.
. "$(dirname "$0")/lib"

numbered 1 20 >keys
flip_each() { # FILE: copies flipped.AT, one byte turned around in each
    python3 - "$1" <<'END'
import sys
whole = open(sys.argv[1], "rb").read()
for at in range(len(whole)):
    with open(f"flipped.{at:05}", "wb") as out:
        out.write(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1:])
END
}
for kind in $(kinds); do
    exits 0 build -k "$kind" --seed 3 -o filter keys
    flip_each filter
    "$SITO" check --json flipped.* >found 2>err || true
    [ "$(grep -c '"sound": false' found)" = "$(stat -c %s filter)" ] || fail "$kind: $(grep true found)"
    exits 1 check flipped.* # also where it looks like a format or a feature of the future
    for flipped in flipped.*[05]3; do
        cp "$flipped" before
        for command in query add info; do
            exits 2 $command "$flipped" </dev/null
            says "$flipped: "
            prints ''
        done
        exits 2 merge "$flipped" -o new
        none new
        same "$flipped" before
    done
    rm flipped.*
done
