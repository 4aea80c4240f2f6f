#!/bin/bash
# The exit status is the answer: 0 sound, 1 damaged, 2 not to be read.
. "$(dirname "$0")/lib"

for kind in $(kinds); do
    numbered 1 5000 | exits 0 build -k "$kind" -o "$kind.sito"
done
exits 0 check ./*.sito
quiet
prints ''
exits 0 check "$SITO_ROOT"/docs/vectors/*.sito
exits 0 check -V bloom.sito
says 'bloom.sito: sound'
exits 2 check missing
says 'missing: No such file or directory'
mkdir folder
exits 2 check folder
says 'folder: is a directory'
echo text >text
exits 1 check text
says 'text: shorter than a sito header'
exits 1 check bloom.sito text
exits 2 check missing text bloom.sito
says 'missing: '
says 'text: '
