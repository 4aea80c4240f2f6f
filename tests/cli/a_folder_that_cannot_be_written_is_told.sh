#!/bin/bash
# And the old file stays as it was.
. "$(dirname "$0")/lib"

mkdir folder
numbered 1 100 >keys
exits 0 build -n 1000 -o folder/filter keys
cp folder/filter before
chmod 555 folder
alone=("$SITO")
if [ "$(id -u)" = 0 ]; then # whom nothing is forbidden
    cp "$SITO" sito
    chmod 755 . sito
    alone=(setpriv --reuid=65534 --regid=65534 --clear-groups ./sito)
fi
for command in 'build -o folder/filter' 'build -o folder/new' 'add folder/filter'; do
    status=0
    # shellcheck disable=SC2086 # several words
    "${alone[@]}" $command keys >out 2>err || status=$?
    [ $status = 2 ] || fail "$command: exit status $status"
    says 'Permission denied'
done
same folder/filter before
[ "$(ls folder)" = filter ] || fail 'something was left behind'
chmod 755 folder
