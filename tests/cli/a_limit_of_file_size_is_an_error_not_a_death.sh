#!/bin/bash
# ulimit -f sends SIGXFSZ: exit 2 all the same, and the old file is whole.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
exits 0 build -n 2000 -o filter keys
cp filter before
(
    ulimit -f 64 # KiB
    exits 2 build --cells 64Mi -o filter keys
    says 'filter: File too large'
    exits 2 build --cells 64Mi -o new keys
    says 'new: File too large'
    ulimit -f 1
    echo more | exits 2 add filter
    says 'filter: File too large'
)
same filter before
none new
no_drafts
