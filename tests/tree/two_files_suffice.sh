#!/bin/bash
# sito.c and sito.h compile without a warning, and are all that a program needs.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

"$root/tools/amalgamate" .
for compiler in gcc clang; do
    $compiler -std=c11 -O1 -Wall -Wextra -Wconversion -Werror -DSITO_TWO_FILES -I. \
        "$root/tests/install/consumer.c" sito.c -o consumer -lm -pthread
    ./consumer
done
for machine in aarch64 s390x; do # where other parts are left out
    $machine-linux-gnu-gcc -std=c11 -Wall -Wextra -Werror -idirafter /usr/include -fsyntax-only sito.c
done
gcc -std=c11 -O1 -c sito.c
if nm -g --defined-only sito.o | awk '{ print $3 }' | grep -v '^sito_'; then
    echo 'these names could meet those of the program'
    exit 1
fi
g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -xc++ sito.h
