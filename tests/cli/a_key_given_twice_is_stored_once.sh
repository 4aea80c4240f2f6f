#!/bin/bash
# A build takes a set: one remove takes a key away, however often it stood there.
. "$(dirname "$0")/lib"

{ numbered 1 500; numbered 1 500; numbered 1 500; } >thrice
echo 'key 77' >one
for kind in $(kinds remove); do
    for way in file stream planned; do
        case $way in
        file) exits 0 build -k "$kind" --seed 2 -r 1e-4 -o filter thrice ;;
        stream) cat thrice | exits 0 build -k "$kind" --seed 2 -r 1e-4 -o filter ;;
        planned) exits 0 build -k "$kind" --seed 2 -r 1e-4 -n 500 -o filter thrice ;;
        esac
        [ "$(field filter nkeys)" = 500 ] || fail "$kind: $(field filter nkeys) keys"
        if can "$kind" count; then
            exits 0 count filter one
            prints '1\tkey 77\n'
        fi
        exits 0 query filter one
        exits 0 remove filter one
        exits 1 query filter one
        exits 1 remove filter one
        [ "$(field filter nkeys)" = 499 ] || fail "$kind: $(field filter nkeys) keys"
    done
done
