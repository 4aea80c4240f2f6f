#!/bin/bash
# Built for a thousand, it takes fifty times as many, and a later process more; each key once.
. "$(dirname "$0")/lib"

numbered 1 50000 >all
numbered 50001 60000 >others
for layer in tags cuckoo bloom block; do
    exits 0 build -k scalable --layer $layer -n 1000 -r 0.1% -o filter all all
    exits 0 info --json filter
    grep -q "\"layer\": \"$layer\"" out || fail "$layer: not its layer"
    layers='[67]'
    if [ $layer = tags ]; then layers=1; fi # one table, laid out anew
    grep -q "\"layers\": $layers," out || fail "$layer: other layers"
    exits 0 add filter others
    exits 0 query -c filter all others
    prints '60000\n'
    exits 0 query -c --map filter all others
    prints '60000\n'
    exits 0 check filter
done
exits 0 build -k scalable --layer cuckoo -n 1000 -o filter all all
exits 0 info --json filter
grep -q '"nkeys": 50000,' out || fail 'keys that stand twice are stored twice'
exits 0 remove filter all
exits 0 info --json filter
grep -q '"nkeys": 0,' out || fail 'a key is owed a remove'

# A plan tells what the filter will be, and what it can.
exits 0 plan 1000 -k scalable --layer cuckoo --json
grep -q '"layer": "cuckoo", "can": \["add", "remove", "count", "grow", "map"\]' out || fail 'another plan'
exits 0 plan 1000 -k scalable --json
grep -q '"layer": "tags", "can": \["add", "grow", "map"\]' out || fail 'another plan'
