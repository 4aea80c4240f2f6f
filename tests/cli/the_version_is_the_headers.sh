#!/bin/bash
# By `version` and `--version`.
. "$(dirname "$0")/lib"

wanted=$(sed -n 's/^#define SITO_VERSION "\(.*\)"/\1/p' "$SITO_ROOT/include/sito/status.h")
[ -n "$wanted" ] || fail 'no version in the header'
exits 0 version
grep -qF "$wanted" out || fail "not $wanted"
mv out first
exits 0 --version
same first out
