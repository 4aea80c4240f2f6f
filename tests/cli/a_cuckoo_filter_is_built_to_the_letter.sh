#!/bin/bash
# Rule, layout, tag width, slots and seed as asked for, keys in the order they came; and info tells all of it.
. "$(dirname "$0")/lib"

numbered 1 62000 >keys
for rule in random emptier path; do
    for layout in bucket sorted window; do
        exits 0 build -k cuckoo --rule $rule --layout $layout --bucket 4 --tag-bits 12 --cells 65536 --seed 7 -o filter keys
        exits 0 info --json filter
        python3 - out $rule $layout <<'END'
import json, sys
info = json.load(open(sys.argv[1]))
assert info["rule"] == sys.argv[2] and info["layout"] == sys.argv[3], info
assert info["tag_bits"] == 12 and info["slots"] == 65536 and info["seed"] == "7", info
assert info["nkeys"] == 62000 and abs(info["load"] - 62000 / 65536) < 1e-9, info
assert 0 < info["longest"] <= info["moves"], info
END
        [ "$("$SITO" query -c filter keys)" = 62000 ] || fail "$rule, $layout: lost keys"
        exits 0 build -k cuckoo --rule $rule --layout $layout --bucket 4 --tag-bits 12 --cells 65536 --seed 7 -o again keys keys
        cmp filter again || fail "$rule, $layout: the same keys make another file"
        exits 0 check filter
    done
done
# Another order, another table: the first key to come has the first choice.
sort -r keys | exits 0 build -k cuckoo --tag-bits 12 --cells 65536 --seed 7 -o backwards
exits 0 build -k cuckoo --tag-bits 12 --cells 65536 --seed 7 -o forwards keys
! cmp -s forwards backwards || fail 'the order of the keys does not matter'
exits 2 build -k cuckoo --rule best -o filter keys
exits 2 build -k cuckoo --layout round -o filter keys
exits 2 build -k cuckoo --bucket 3 -o filter keys
exits 2 build -k cuckoo --tag-bits 33 -o filter keys
