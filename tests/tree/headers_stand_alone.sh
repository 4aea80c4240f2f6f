#!/bin/bash
# Every public header compiles alone and twice, as C11 and as C++17, and asks for nobody else's.
set -euo pipefail
include=$(cd "$(dirname "$0")/../../include" && pwd)

for header in "$include"/sito/*.h; do
    line="#include <sito/$(basename "$header")>"
    for language in 'gcc -xc -std=c11' 'g++ -xc++ -std=c++17'; do
        echo "$language: $line"
        # shellcheck disable=SC2086 # the compiler and its words
        printf '%s\n' "$line" "$line" |
            $language -I"$include" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -
    done
done
if grep -rn 'include.*xxhash' "$include"; then exit 1; fi
