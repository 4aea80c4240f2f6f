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
(umask 027 && exits 0 build -o new /dev/null)
[ "$(stat -c %a new)" = 640 ] || fail 'the umask has no say'
no_drafts
