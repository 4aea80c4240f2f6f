#!/bin/bash
# learn and forget on a disk without room: exit 2, the old store and its guard as they were, nothing left behind.
. "$(dirname "$0")/lib"

printf 'q1q\n' >patterns
printf '%s\n' wa-{b..y}{b..y}{b..y} >words
printf '%s\n' wo-{b..y}{b..y}{b..y} >further
tr -d - <words >asked
mkdir disk

# unchanged WORD...: the command fails for want of room, and the store is what it was.
unchanged() {
    exits 2 hyphen "$@"
    says ': No space left on device'
    same store disk/store
    same store.guard disk/store.guard
    exits 0 hyphen --patterns patterns --words --exceptions disk/store asked
    same out words
}
on_a_small_disk() {
    local room whole
    mount -t tmpfs -o size=1M none disk
    for guard in bloom cuckoo fuse; do
        rm -f disk/* store*
        exits 0 hyphen learn disk/store words --guard $guard
        cp disk/store disk/store.guard .
        cp disk/store elsewhere
        exits 0 hyphen learn elsewhere further
        whole=$(($(stat -c %s elsewhere) / 1024 + 4))
        # No room at all, some, and enough for the store but not for the guard beside it.
        for room in 0 4 $((whole / 2)) $((whole - 8)) $whole; do
            rm -f disk/rest
            head -c 2M /dev/zero >disk/rest 2>err || true
            truncate -s "-${room}K" disk/rest
            unchanged learn disk/store further
            [ "$room" -gt 4 ] || echo wabbb | unchanged forget disk/store
            [ "$(ls disk)" = "$(printf '%s\n' rest store store.guard)" ] || fail "left behind: $(ls disk)"
        done
        head -c 2M /dev/zero >disk/rest 2>err || true
        exits 2 hyphen learn disk/another further --guard $guard
        [ "$(ls disk)" = "$(printf '%s\n' rest store store.guard)" ] || fail "left behind: $(ls disk)"
        rm disk/rest
        exits 0 hyphen learn disk/store further
        cat words further | tr -d - | exits 0 hyphen --patterns patterns --words --exceptions disk/store
        cat words further | cmp - out || fail "$guard: what was learned is not known"
    done
}
export -f unchanged on_a_small_disk exits says same fail
if unshare --mount mount -t tmpfs none disk; then
    unshare --mount bash -euc on_a_small_disk
fi

# The store made for one run only finds no room either.
head -c 9 /dev/zero >small
(
    trap '' XFSZ
    ulimit -f 4
    exits 2 hyphen --patterns patterns --words --exceptions words small
    says 'File too large'
)
