#!/bin/sh
# The second reader and the library agree on every vector, and neither takes a damaged one.
#
# SITO       the command; without it the vectors alone are read
# SITO_BUILD its build folder; with libsito.a there, the vectors are made again and must come out the same
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
vectors=$root/docs/vectors
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
tab=$(printf '\t')
secret=000102030405060708090a0b0c0d0e0f
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

fail() {
    echo "reader.sh: $*" >&2
    exit 1
}

reader() { python3 "$root/docs/reader.py" "$@"; }

for image in "$vectors"/*.sito; do
    name=${image##*/}
    grep "^$name$tab" "$vectors/answers" | cut -f2- >"$here/expected"
    set --
    while IFS=$tab read -r _ key; do set -- "$@" "$key"; done <"$here/expected"
    case $name in
    *-keyed.sito)
        reader --key "$secret" "$image" "$@" >"$here/got"
        ! reader "$image" heron 2>/dev/null || fail "$name opens without its key"
        ! reader --key "${secret%f}e" "$image" heron 2>/dev/null || fail "$name opens with another key"
        ;;
    *) reader "$image" "$@" >"$here/got" ;;
    esac
    cmp "$here/expected" "$here/got" || fail "$name: other answers than expected"

    # The command says the same. (It gives its keys names of its own, so that one it cannot open.)
    if [ ! -x "${SITO-}" ] || [ "$name" = bloom-keyed.sito ]; then continue; fi
    cut -f2- "$here/expected" | tr '\n' '\0' >"$here/keys"
    "$SITO" query -0 "$image" "$here/keys" >"$here/got" || [ $? = 1 ]
    sed -n "s/^yes$tab//p" "$here/expected" | tr '\n' '\0' | cmp - "$here/got" || fail "$name: sito differs"
done

# Values are what they were made of: the squares of the birds' numbers.
python3 - "$root/docs" "$vectors/answers" "$vectors"/fuse-values.sito "$vectors"/fuse-unmarked.sito <<'EOP' || fail 'another value'
import sys
sys.path.insert(0, sys.argv[1])
import reader, reader_more
birds = [line.rstrip("\n").split("\t")[2] for line in open(sys.argv[2]) if line.startswith("bloom.sito")]
for path, n in zip(sys.argv[3:], (28, 20)):
    _, slots, numbers, hashed, segments = reader.opened(open(path, "rb").read(), None)
    for i, bird in enumerate(birds[:n], 1):
        value = reader_more.fuse_value(slots, numbers, segments, hashed(bird.encode()))
        if value != i * i: sys.exit(f"{path}: {bird} has {value}")
EOP

# Every byte of every vector counts: turned over, the image is refused.
python3 - "$root/docs" "$vectors"/*.sito 2>/dev/null <<'EOP' || fail 'a flipped byte went unnoticed'
import sys
sys.path.insert(0, sys.argv[1])
import reader
refused = total = 0
for path in sys.argv[2:]:
    secret = bytes(range(16)) if "keyed" in path else None
    image = open(path, "rb").read()
    for i in range(len(image)):
        total += 1
        try:
            reader.opened(image[:i] + bytes([image[i] ^ 0x10]) + image[i + 1 :], secret)
        except SystemExit as end:
            refused += end.code == 2
sys.exit(refused != total or total == 0)
EOP
tr 'T' 'U' <"$vectors/bloom.sito" >"$here/flipped"
code=0
reader "$here/flipped" heron 2>"$here/reason" || code=$?
[ "$code" = 2 ] || fail 'a damaged image was read'
[ -s "$here/reason" ] || fail 'an image was refused without a reason'

# An image of several pieces, and a keyed one, written by the command.
if [ -x "${SITO-}" ]; then
    seq 100000 | "$SITO" build -o "$here/large.sito" -
    reader "$here/large.sito" 1 50000 100000 | cut -f1 | uniq -c | grep -q '^ *3 yes$' || fail 'a key was lost'
    # From so many keys on, two of a key's four slots are neighbours.
    for keys in 200000 800000; do
        seq $keys | "$SITO" build -k fuse -r 0.001 --seed 5 -o "$here/pairs.sito" -
        reader "$here/pairs.sito" 1 50000 $keys | cut -f1 | uniq -c | grep -q '^ *3 yes$' || fail 'a pair was lost'
        [ "$(reader "$here/pairs.sito" stork)" = "no${tab}stork" ] || fail 'a stranger was let in'
    done
    printf '%s' "$secret" >"$here/secret"
    printf '%s\n' heron stork | "$SITO" build --key-file "$here/secret" -o "$here/keyed.sito" -
    [ "$(reader --key "$secret" "$here/keyed.sito" stork)" = "yes${tab}stork" ] || fail 'a keyed key was lost'
fi

# The vectors are what the library makes today.
if [ -f "${SITO_BUILD-}/libsito.a" ]; then
    mkdir "$here/again"
    ${CC:-cc} -std=c11 -I"$root/include" "$vectors/make.c" "$SITO_BUILD/libsito.a" -lm -o "$here/make"
    "$here/make" "$here/again"
    for made in "$here/again"/*; do cmp "$made" "$vectors/${made##*/}" || fail 'the format has changed'; done
fi
