#!/bin/bash
# Both libraries show what the headers declare, no more and no less; the shared one under its proper name.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${SITO_BUILD:-$root/build}

for header in "$root"/include/sito/*.h; do echo "#include \"$header\""; done >all.c
gcc -std=c11 -I"$root/include" -fsyntax-only -aux-info declared.txt all.c
awk '/\/include\/sito\/.* extern / && match($0, /sito_[a-z0-9_]* \(/) { print substr($0, RSTART, RLENGTH - 2) }' \
    declared.txt | grep -vx sito_rc | sort -u >declared
[ -s declared ]

# A is the name of the version itself.
nm -D --defined-only "$build/libsito.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >shared
nm -g --defined-only "$build/libsito.a" | awk 'NF == 3 { print $3 }' | sort >static
diff declared shared
diff declared static
readelf -d "$build/libsito.so" | grep -F 'soname: [libsito.so.0]'
