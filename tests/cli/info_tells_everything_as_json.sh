#!/bin/bash
# Every field that other programs may rely on, in every kind, with numbers as numbers.
. "$(dirname "$0")/lib"

for kind in $(kinds); do
    numbered 1 1000 | exits 0 build -k "$kind" -o "$kind.sito"
    exits 0 info "$kind.sito"
    exits 0 info --json "$kind.sito"
    mv out "$kind.json"
done
python3 - ./*.json <<'END'
import json, sys
for path in sys.argv[1:]:
    info = json.load(open(path))
    for name in "nkeys capacity bytes image_bytes bits_per_key wanted_fpr real_fpr present_fpr fill".split():
        assert isinstance(info[name], (int, float)), (path, name)
    assert info["kind"] == path[2:-5] and info["format"] == "1.0", path
    assert info["hash"] == "xxh3" and int(info["seed"]) > 0, path
    assert "map" in info["can"], path
    assert 900 <= info["nkeys"] <= 1000 <= info["capacity"], path
    assert 0 < info["fill"] <= 1 and info["image_bytes"] > info["bytes"] > 0, path
    assert 0 <= info["real_fpr"] <= info["wanted_fpr"] <= 0.01, path
    facts = {"exact": ["slots", "load", "distinct"], "compact": ["slots", "load"], "bloom": ["cells", "hashes"],
             "block": ["cells", "hashes", "blocks"],
             "counting": ["cells", "hashes", "cell_bits", "saturated"],
             "cuckoo": ["slots", "load", "tag_bits", "bucket", "moves", "longest", "max_moves"],
             "fuse": ["slots", "tag_bits", "arity", "pieces", "segments", "tries", "load", "value_bits"]}
    facts["exact-cuckoo"] = facts["exact"]
    for name in facts.get(info["kind"], []):
        assert isinstance(info[name], (int, float)), (path, name)
END
exits 2 info missing
says 'missing: No such file'
exits 2 info .
says '.: is a directory; give a filter file'
exits 2 info /dev/null
says '/dev/null: not a regular file; give a filter file'
