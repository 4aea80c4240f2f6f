#!/bin/bash
# To remove it exits 1 and leaves the file alone; so does an add of no keys.
. "$(dirname "$0")/lib"

for kind in $(kinds remove); do
    numbered 1 100 | exits 0 build -k "$kind" --seed 6 -r 1e-4 -o filter
    cp filter before
    ln -f filter held
    echo stranger | exits 1 remove filter
    exits 1 remove filter </dev/null
    exits 0 add filter </dev/null
    same filter before
    [ filter -ef held ] || fail "$kind: written all the same"
    printf 'stranger\nkey 7\n' | exits 0 remove -V filter
    says '1 keys removed, 1 not there'
done
