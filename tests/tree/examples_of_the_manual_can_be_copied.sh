#!/bin/bash
# man shows an example as `sito help` does: no backslash is lost on the way.
set -euo pipefail
pages=${SITO_ROOT:?}/docs/man
seen=0
check() { # PAGE [NAME]
    scdoc <"$pages/$1" | LC_ALL=C.UTF-8 MANWIDTH=200 man -l - 2>/dev/null | col -b >page
    while IFS= read -r example; do
        grep -qF -- "$example" page || { echo "$1 does not show: $example"; exit 1; }
        seen=$((seen + 1))
    done < <("$SITO" help "${@:2}" | sed -n 's/^  \(.*\\.*\)/\1/p')
}
check sito.1.scd
for page in "$pages"/sito-*.1.scd; do
    name=$(basename "$page" .1.scd)
    check "$(basename "$page")" "${name#sito-}"
done
[ $seen -ge 4 ] || { echo "only $seen examples were seen"; exit 1; }
