#!/bin/bash
# Before anything is measured, with the reason.
. "$(dirname "$0")/lib"

exits 2 bench -k blom
says 'did you mean bloom?'
exits 2 bench -k block,xyzzy
says 'there is no kind `xyzzy`'
exits 2 bench -k bloom,
says 'there is no kind ``'
exits 2 bench --export xml
says 'none of json, csv and md'
exits 2 bench --json --export md
says 'cannot both be'
exits 2 bench 1M 2x
says 'N: `2x`'
exits 2 bench -n 1M 1M
says 'given twice'
exits 2 bench -r 0
says '--rate'
exits 2 bench --quick -k cuckoo --tag-bits 40
says 'does not take this --tag-bits'
exits 3 bench --quick -k bloom -n 1M -r 1% --max-bytes 1k
says 'sito: bloom: '
[ ! -s out ] || fail 'nothing was measured'
exits 2 bench --quick -k aged --window 10 1000
says 'a --window of 10 forgets some of 1,000 keys'
exits 0 bench --quick -k bloom --window 10 1000
exits 0 bench --quick -k aged --window 1000 1000
# What one kind cannot, the others still can.
exits 0 bench --quick -k bloom,cuckoo --tag-bits 40 1000
says 'cuckoo does not take'
grep -q '^bloom ' out || fail 'bloom is missing'
