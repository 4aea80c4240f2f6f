#!/bin/bash
# Who may write a file by its group leaves it to the group; a group of their own gets no more than all others.
. "$(dirname "$0")/lib"

umask 022
cp "$SITO" sito
mkdir -m 777 shared
chmod 755 .
as() { # GROUPS WORD...: a member of these groups, in none of whose names the file is
    local groups=$1
    shift
    setpriv --reuid=5002 --regid=5002 "$groups" "$@"
}
touch probe
# Who is root can be somebody else, unless it is root of a small world or nobody else may come here.
if [ "$(id -u)" = 0 ] && chown 5001:6000 probe && as --groups=6000 ./sito version >out 2>&1; then
    SITO=./sito
    exits 0 build -k exact -o shared/f </dev/null
    echo stork >bird
    echo ta-ble >word
    exits 0 hyphen learn shared/store word
    for file in shared/f shared/store; do
        chown 5001:6000 $file
        chmod 660 $file
    done
    as --groups=6000 "$SITO" add shared/f bird
    as --groups=6000 "$SITO" hyphen learn shared/store word
    for file in shared/f shared/store; do
        [ "$(stat -c '%g %a' $file)" = '6000 660' ] || fail "$file: $(stat -c '%g %a' $file)"
        chown 5001:6000 $file
        chmod 664 $file
    done
    as --clear-groups "$SITO" build -k exact -o shared/f bird
    [ "$(stat -c '%g %a' shared/f)" = '5002 644' ] || fail "shared/f: $(stat -c '%g %a' shared/f)"
else
    exits 0 build -k exact -o f </dev/null
    chmod 660 f
    echo stork | exits 0 add f
    [ "$(stat -c %a f)" = 660 ] || fail "f: $(stat -c %a f)"
fi
no_drafts
