#!/bin/bash
# Another kind, seed or size is refused, and so is a kind that cannot merge.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
refuse() { # WORD...: how the other is built
    exits 0 build "$@" -o other keys
    exits 2 merge filter other -o new
    says 'other: '
    none new
    cp filter before
    exits 2 merge filter other -o filter
    same filter before
}
exits 0 build -k bloom --seed 9 -n 1000 -o filter keys
refuse -k bloom --seed 8 -n 1000
says 'build the one with `--like` the other'
refuse -k bloom --seed 9 -n 1001
refuse -k bloom --seed 9 -n 1000 -r 2%
refuse -k parted --seed 9 -n 1000
head -c 16 /dev/urandom >secret
refuse -k bloom --key-file secret -n 1000
exits 0 build -k compact --seed 9 -o slots keys
exits 2 merge slots slots -o new
says '`sito kinds` shows what each kind can'
none new
exits 2 merge filter missing -o new
says 'missing: No such file'
echo text >text
exits 2 merge filter text -o new
says 'text: shorter than a sito header'
