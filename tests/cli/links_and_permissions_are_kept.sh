#!/bin/bash
# The file behind a link is replaced, not the link; and it keeps its mode.
. "$(dirname "$0")/lib"

exits 0 build -k exact -o real /dev/null
chmod 640 real
mkdir other
ln -s ../real other/link
echo heron | exits 0 add other/link
[ -L other/link ] || fail 'the link is gone'
[ "$(stat -c %a real)" = 640 ] || fail "mode $(stat -c %a real)"
echo heron | exits 0 query real
echo stork | exits 0 build -k exact -o other/link
[ -L other/link ] || fail 'the link is gone'
echo stork | exits 0 query real
[ "$(stat -c %a real)" = 640 ] || fail "mode $(stat -c %a real)"
# Also where there is no file yet; and links that lead nowhere are told.
ln -s link2 other/link3
ln -s ../later other/link2
echo ibis | exits 0 build -k exact -o other/link3
for link in other/link3 other/link2; do [ -L $link ] || fail "$link is gone"; done
echo ibis | exits 0 query later
ln -s round round
exits 2 build -o round <<<ibis
says 'round: Too many levels of symbolic links'
[ -L round ] || fail 'the link is gone'
ln -s missing/file stray
exits 2 build -o stray <<<ibis
says 'stray: No such file'
[ -L stray ] || fail 'the link is gone'
(umask 027 && exits 0 build -o new /dev/null)
[ "$(stat -c %a new)" = 640 ] || fail 'the umask has no say'
no_drafts
