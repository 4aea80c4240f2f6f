#!/bin/bash
# --compile writes to a pipe, a device or standard output, follows links and keeps the mode; no draft is left behind.
. "$(dirname "$0")/lib"

printf 'hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n' >patterns
(umask 027 && exits 0 hyphen --patterns patterns --compile image)
[ "$(stat -c %a image)" = 640 ] || fail 'the umask has no say'

mkfifo pipe
timeout 60 cat pipe >through &
exits 0 hyphen --patterns patterns --compile pipe
[ -p pipe ] || fail 'the pipe is gone'
wait $! || fail 'nobody wrote to the pipe'
same image through
ln -s /dev/null hole
exits 0 hyphen --patterns patterns --compile hole
[ "$(readlink hole)" = /dev/null ] || fail 'the link to a device is gone'
[ -c /dev/null ] || fail 'the device is gone'
exits 0 hyphen --patterns patterns --compile -
same image out
none -

mkdir other
ln -s ../real other/link
echo old >real
chmod 600 real
exits 0 hyphen --patterns patterns --compile other/link
[ -L other/link ] || fail 'the link is gone'
[ "$(stat -c %a real)" = 600 ] || fail "mode $(stat -c %a real)"
same image real
echo hyphenation | exits 0 hyphen --patterns other/link --words
prints 'hy-phen-ation\n'

echo old >real
cp real kept
(
    trap '' XFSZ
    ulimit -f 1
    exits 2 hyphen --patterns patterns --compile real
    says 'real: File too large'
)
same real kept
exits 2 hyphen --patterns patterns --compile nowhere/image
says 'nowhere/image: No such file'
no_drafts

# It takes no file's place that it is made of, by whatever name, and says what it cannot keep.
cp patterns mine
ln mine linked
ln -s mine named
for name in mine linked named; do
    exits 2 hyphen --patterns mine --compile $name
    says "$name: is read, and cannot be written at the same time; give --compile another file"
    same patterns mine
done
status=0
"$SITO" hyphen --patterns mine --compile - 1<>mine 2>err || status=$?
[ $status = 2 ] || fail "exit status $status"
says 'standard output: is read'
same patterns mine
mkdir beside
cp patterns beside/hyph-xx.pat.txt
echo ta-ble >beside/hyph-xx.hyp.txt
cp beside/hyph-xx.hyp.txt words
exits 2 hyphen --patterns beside/hyph-xx.pat.txt --compile beside/hyph-xx.hyp.txt
says 'beside/hyph-xx.hyp.txt: is read'
same words beside/hyph-xx.hyp.txt
echo ta-ble >list
for option in '--exceptions list' '--left 1' '--right 1'; do
    # shellcheck disable=SC2086 # two words
    exits 2 hyphen --patterns patterns --compile new $option
    says "hyphen: --compile keeps no ${option% *}; leave it out"
    none new
done

# The file behind a link is made, not put in its place.
ln -s later ahead
echo hyphenation | exits 0 hyphen --patterns patterns --mark=- -o ahead
[ -L ahead ] || fail 'the link is gone'
grep -qx 'hy-phen-ation' later || fail 'nothing is behind the link'

# -o is where text goes, and those that write none say so.
exits 2 hyphen --list -o new
says '-o is for text and books; leave it out with --list'
exits 2 hyphen --compile compiled -o new
says '--compile, which names its file'
exits 2 hyphen --explain word -o new
says '--explain'
exits 2 hyphen learn store -o new </dev/null
says 'leave it out with learn'
none new
none store
