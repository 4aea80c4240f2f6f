#!/bin/sh
# Every fuzz target builds and survives its first inputs; `make fuzz` takes its time.
exec "$(dirname "$0")/../../tools/fuzz" -d . -runs=2000
