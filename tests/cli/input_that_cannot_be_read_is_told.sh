#!/bin/bash
# By name; and nothing is written for the part that could be.
. "$(dirname "$0")/lib"

numbered 1 10 >good
mkdir folder
exits 2 build -o new good missing
says 'missing: No such file or directory'
exits 2 build -o new good folder
says 'folder: is a directory'
none new
exits 0 build -n 100 -o filter good
cp filter before
exits 2 add filter good missing
same filter before
exits 2 query filter missing
says 'missing: No such file'
exits 2 build -o new <&-
says 'standard input'
none new
