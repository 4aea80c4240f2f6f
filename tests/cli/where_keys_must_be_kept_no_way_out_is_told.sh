#!/bin/bash
# Without memory for the hashes -n helps the kinds that need not keep them, and is not recommended for the others.
. "$(dirname "$0")/lib"

# short WORD...: what building says when addresses are few.
short() {
    (
        ulimit -v 40000
        exits 2 build --threads 1 "$@" -o new < <(seq 8000000)
    )
    none new
}
short -k bloom
says 'no memory for the hashes of the keys; give -n to build without keeping them'
for kind in cuckoo fuse ribbon; do
    short -k $kind
    says 'no memory'
    ! grep -e '-n' err || fail "$kind keeps them all the same"
done
