#!/bin/sh
# The manual pages in docs/man are those that the command would write.
exec "$(dirname "$0")/../../tools/manual" --check
