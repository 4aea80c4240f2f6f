#!/bin/bash
# Every command that reports, with names and keys that need escaping.
. "$(dirname "$0")/lib"

name=$(printf 'a "b"\\\n\001\377 \303\251')
numbered 1 100 >"$name"
run() { # STATUS WORD...
    exits "$@"
    cat out >>lines
}
run 0 build -k compact -n 500 --seed 1 --json -o "$name.sito" "$name"
run 0 query --json "$name.sito" "$name"
run 1 query --json -v "$name.sito" "$name"
run 0 add --json "$name.sito" "$name"
run 0 remove --json "$name.sito" "$name"
printf 'stranger\n' | run 1 remove --json "$name.sito"
run 0 info --json "$name.sito"
run 0 check --json "$name.sito"
printf 'key 1\nh\303\251ron\n\377\n"\\\t\001\n' | run 0 count --json "$name.sito"
echo text >text
run 2 check --json text missing
run 0 build -k bloom --json -o a text
run 0 merge --json a a -o b
run 3 build -k bloom -n 10 --partial --json -o c "$name"
run 0 version --json
run 0 plan -k bloom --json 1000
python3 - "$name.sito" <<'END'
import json, os, sys
lines = [json.loads(line) for line in open("lines", encoding="utf-8")]
named = os.fsencode(sys.argv[1]).decode("utf-8", "replace")
assert [line["file"] for line in lines[:8]] == [named] * 8
assert lines[1] == {"file": named, "asked": 100, "maybe": 100, "surely_not": 0}
assert (lines[3]["asked"], lines[3]["nkeys"], lines[3]["refused"]) == (100, 200, 0)
assert (lines[4]["removed"], lines[4]["not_there"], lines[4]["nkeys"]) == (100, 0, 100)
assert lines[7]["sound"] is True
counts = lines[8:12]
assert [c.get("key", c.get("key_hex")) for c in counts] == ["key 1", "h\u00e9ron", "ff", '"\\\t\x01']
assert counts[0]["count"] == 1 and "key" not in counts[2]
assert [line["sound"] for line in lines[12:14]] == [False, False] and lines[12]["why"]
assert lines[15]["merged"] == 2
assert lines[16]["keys_read"] == 100 and lines[16]["capacity"] == 10
assert len(lines) == 19, len(lines)
END
exits 0 kinds --json
python3 -c 'import json; assert {"bloom", "exact"} <= {k["kind"] for k in json.load(open("out"))}'
exits 0 plan --json 1M
python3 -c 'import json; assert all(k["bytes"] > 0 or k["why"] for k in json.load(open("out")))'
