#!/bin/bash
# learn and forget change the store behind a link and its guard there, and keep modes and owners of both.
. "$(dirname "$0")/lib"

mode() { [ "$(stat -c %a "$2")" = "$1" ] || fail "$2 has mode $(stat -c %a "$2") instead of $1"; }

printf 'q1q\n' >patterns
mkdir folder other
for guard in bloom counting fuse; do
    rm -f folder/* other/*
    echo ta-ble | (umask 027 && exits 0 hyphen learn folder/store --guard $guard)
    mode 640 folder/store
    mode 640 folder/store.guard

    chmod 600 folder/store folder/store.guard
    [ "$(id -u)" != 0 ] || chown 1234:4321 folder/store folder/store.guard
    owners=$(stat -c %u:%g folder/store folder/store.guard)
    ln -s ../folder/store other/link
    echo bas-ket | exits 0 hyphen learn other/link
    echo table | exits 0 hyphen forget other/link
    echo wa-ter | exits 0 hyphen learn folder/store
    [ -L other/link ] || fail 'the link is gone'
    [ "$(ls other)" = link ] || fail "beside the link: $(ls other)"
    [ "$(ls folder)" = "$(printf '%s\n' store store.guard)" ] || fail "left behind: $(ls folder)"
    mode 600 folder/store
    mode 600 folder/store.guard
    [ "$(stat -c %u:%g folder/store folder/store.guard)" = "$owners" ] || fail 'the owner is another'

    # By either name the same words, and the guard that fits is asked.
    for store in folder/store other/link; do
        printf 'table\nbasket\nwater\n' |
            exits 0 hyphen --patterns patterns --words --exceptions $store --stats
        prints 'table\nbas-ket\nwa-ter\n'
        grep -qF "\"guard\": \"$guard\"" err || fail "$store: its guard was not asked"
    done
done

# A link that leads in a circle is no place for a store.
ln -s circle circle
echo ta-ble >word
exits 2 hyphen learn circle word
says 'circle: Too many levels of symbolic links'
[ -L circle ] || fail 'the link is gone'
