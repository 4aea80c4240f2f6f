#!/bin/bash
# By shellcheck: every file that begins as a shell script.
set -euo pipefail
cd "$(dirname "$0")/../.."
mapfile -t scripts < <(find . \( -path ./.git -o -path './build*' \) -prune -o -type f -print0 |
    xargs -0 awk 'FNR == 1 && /^#!.*[\/ ](ba|da)?sh( |$)/ { print FILENAME } { nextfile }')
echo "${scripts[@]}"
shellcheck -x "${scripts[@]}"
