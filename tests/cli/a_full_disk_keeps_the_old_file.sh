#!/bin/bash
# Exit 2 and nothing left behind; shown on a disk of one megabyte, where we may mount one.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
exits 0 build -n 2000 -o filter keys
mkdir disk
on_a_small_disk() {
    mount -t tmpfs -o size=1M none disk
    cp filter disk
    for command in 'build --cells 64Mi -o disk/filter' 'build --cells 64Mi -o disk/new'; do
        # shellcheck disable=SC2086 # several words
        exits 2 $command keys
        says ': No space left on device'
    done
    head -c 2M /dev/zero >disk/rest 2>/dev/null || true
    echo more | exits 2 add disk/filter
    says 'disk/filter: No space left on device'
    same filter disk/filter
    rm disk/rest
    [ "$(ls disk)" = filter ] || fail 'something was left behind'
    echo more | exits 0 add disk/filter # now there is room
}
export -f on_a_small_disk exits says same fail
if unshare --mount mount -t tmpfs none disk; then
    unshare --mount bash -euc on_a_small_disk
fi
for command in 'query filter keys' 'info filter' 'build -o - keys' 'merge -o - filter' help 'kinds --json'; do
    status=0
    # shellcheck disable=SC2086
    "$SITO" $command >/dev/full 2>err || status=$?
    [ $status = 2 ] || fail "$command: exit status $status"
    says 'standard output: No space left on device'
done
exits 2 build -o /dev/full keys
says '/dev/full: No space left on device'
[ -c /dev/full ] || fail 'a device was replaced by a file'
