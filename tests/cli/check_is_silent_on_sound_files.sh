#!/bin/bash
# The exit status is the answer: 0 sound, 1 damaged or unknown, 2 not to be read.
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
mkfifo pipe
for other in pipe /dev/null; do
    exits 2 check $other
    says "$other: not a regular file"
done
echo text >text
exits 1 check text
says 'text: shorter than a sito header'
for at in 8 12; do # the format's major version, a flag that must be known
    cp bloom.sito future
    printf '\002' | dd of=future bs=1 seek=$at conv=notrunc status=none
    exits 1 check future
    says 'this sito does not know'
done
exits 1 check bloom.sito text
exits 2 check missing text bloom.sito
says 'missing: '
says 'text: '
