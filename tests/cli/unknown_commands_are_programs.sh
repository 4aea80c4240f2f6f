#!/bin/bash
# sito NAME runs sito-NAME, from beside the command or from PATH, as git does.
. "$(dirname "$0")/lib"

mkdir path beside
# shellcheck disable=SC2016 # for the other shell
printf '#!/bin/sh\necho "$0 in path: $*"\nexit 7\n' | tee path/sito-foo >path/sito-bar
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "beside: $*"\n' >beside/sito-foo
chmod +x path/* beside/*
cp "$SITO" beside/sito
export PATH=$PWD/path:$PATH
exits 7 foo -x 'two words' --json
grep -q 'in path: -x two words --json$' out || fail 'other words'
exits 7 help foo
grep -q 'in path: --help$' out || fail 'help does not ask it'
SITO=$PWD/beside/sito
exits 0 foo
prints 'beside: \n'
exits 7 bar
exits 2 baz
says 'there is no command `baz`'
exits 2 ../path/foo
chmod -x path/sito-bar beside/sito-foo
exits 2 bar
says 'sito-bar: Permission denied'
# Its own commands come first.
cp path/sito-foo path/sito-version
exits 0 version
