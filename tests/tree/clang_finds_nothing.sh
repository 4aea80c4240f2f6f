#!/bin/bash
# clang compiles library and command without a warning; gcc has done so to get here.
set -euo pipefail
cd "$(dirname "$0")/../.."
find src cli -name '*.c' -print0 |
    xargs -0 -n 1 clang -std=c11 -O1 -Wall -Wextra -Wshadow -Wconversion -Werror -Iinclude -Isrc -c -o /dev/null
