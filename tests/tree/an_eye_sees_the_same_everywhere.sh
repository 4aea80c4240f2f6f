#!/bin/bash
# The eye of a block filter is compiled into other people's programs: as C11 and C++17, by gcc and clang, in
# plain words and, where the machine has them, in wide ones. It always sees what the library sees.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${SITO_BUILD:-$root/build}

words=('-O2' '-O0')
if grep -qw avx2 /proc/cpuinfo; then words+=('-O2 -mavx2' '-O0 -mavx2'); fi
if grep -qw avx512dq /proc/cpuinfo; then words+=('-O2 -march=x86-64-v4' '-O3 -march=x86-64-v4' '-O0 -march=x86-64-v4'); fi

for language in 'gcc -xc -std=c11' 'g++ -xc++ -std=c++17' 'clang -xc -std=c11' 'clang++ -xc++ -std=c++17'; do
    for width in "${words[@]}"; do
        echo "$language $width"
        # shellcheck disable=SC2086 # the compiler and its words
        $language $width -I"$root/include" -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror \
            "$root/tests/tree/eye.c" -xnone "$build/libsito.a" -o eye -lm -pthread
        ./eye >seen
        [ -e first ] || cp seen first
        diff first seen
    done
done
