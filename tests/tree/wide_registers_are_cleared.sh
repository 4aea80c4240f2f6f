#!/bin/bash
# Where gcc builds with less than -O2, as for the sanitizers, it still clears wide registers behind the walks.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
library=$root/build-asan/libsito.so
[ "$(uname -m)" = x86_64 ] || exit 0

objdump -d "$library" >code
grep -q '%ymm' code
grep -q vzeroupper code
