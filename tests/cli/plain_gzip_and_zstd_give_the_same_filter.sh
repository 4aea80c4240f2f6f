#!/bin/bash
# Keys are the same, however they are packed and wherever they come from.
. "$(dirname "$0")/lib"

numbered 1 5000 >plain
gzip -k plain
zstd -q plain
exits 0 build --seed 7 -o wanted plain
for input in plain plain.gz plain.zst; do
    exits 0 build --seed 7 -o by_name $input
    same wanted by_name
    exits 0 build --seed 7 -o by_stdin <$input
    same wanted by_stdin
    exits 0 build --seed 7 -o by_dash - <$input
    same wanted by_dash
    cat $input | exits 0 build --seed 7 -o by_pipe
    same wanted by_pipe
    exits 0 query wanted $input
    same plain out
    quiet
done
# By their bytes, not by their names.
mv plain.gz plain.txt
exits 0 build --seed 7 -o by_bytes plain.txt
same wanted by_bytes
