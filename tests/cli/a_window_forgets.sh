#!/bin/bash
# The last keys are found, those of twice the window ago are not, but for the rate; also in a later process.
. "$(dirname "$0")/lib"

numbered 1 20000 >all
exits 0 build -k aged --window 1000 -r 0.1% --seed 1 -o filter all
tail -n 1000 all >last
head -n 18000 all >old
exits 0 query -c filter last
prints '1000\n'
exits 0 query -v -c filter old
[ "$(cat out)" -gt 17950 ] || fail "only $(cat out) of 18000 are forgotten"
numbered 20001 20500 >new
exits 0 add filter new
(tail -n 500 all; cat new) >last
exits 0 query -c filter last
prints '1000\n'
exits 0 check filter
exits 0 plan -k aged --window 1000 --json
grep -q '"window": 1000,' out || fail 'the plan does not tell its window'

# Sized by its input it forgets none of it, however often some of it stands there.
{ numbered 1 1000; for _ in {1..200}; do numbered 991 1000; done; } >often
exits 0 build -k aged --seed 1 -o file often
cat often | exits 0 build -k aged --seed 1 -o piped
same file piped
head -n 1000 often >once
exits 0 query -c file once
prints '1000\n'
