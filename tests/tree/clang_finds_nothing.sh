#!/bin/bash
# clang compiles library, command and applications without a warning; gcc has done so to get here.
set -euo pipefail
cd "$(dirname "$0")/../.."
find src cli apps -name '*.c' ! -path '*/tests/*' -print0 |
    xargs -0 -n 1 clang -std=c11 -O1 -Wall -Wextra -Wshadow -Wconversion -Werror -Iinclude -Isrc -Icli -Iapps -c -o /dev/null
