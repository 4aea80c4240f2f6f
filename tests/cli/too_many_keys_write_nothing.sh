#!/bin/bash
# More than -n: exit 3, the rate it would have, and the old file is left alone.
. "$(dirname "$0")/lib"

numbered 1 1000 >keys
echo old >old
for kind in $(kinds); do
    if can "$kind" grow || [ "$kind" = bitmap ] || [ "$kind" = aged ]; then continue; fi
    cp old filter
    exits 3 build -k "$kind" -r 1% -n 100 -o filter keys
    says 'filter: '
    says '100 were planned'
    says 'give '
    same old filter
    cat keys | exits 3 build -k "$kind" -r 1% -n 100 -o new
    none new
done
exits 3 build -k bloom -r 1% -n 500 --seed 1 -o filter keys
grep -Eq 'rate would be (1[0-9]|[2-9]).* %' err || fail 'the rate is not named'
# The file that --partial writes has that rate.
told=$(sed -n 's/.*rate would be \([0-9.]*\) %.*/\1/p' err)
exits 3 build -k bloom -r 1% -n 500 --seed 1 --partial -o filter keys
holds "$(field filter present_fpr) * 100 - $told < 0.1 && $told - $(field filter present_fpr) * 100 < 0.1"
# Just as many as were planned, each of them twice, are no trouble.
cat keys keys >twice
for kind in $(kinds); do exits 0 build -k "$kind" -n 1000 -o filter twice; done
