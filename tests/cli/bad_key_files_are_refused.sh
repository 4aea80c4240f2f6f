#!/bin/bash
# A key is 16 bytes or 32 hexadecimal digits, with or without a newline.
. "$(dirname "$0")/lib"

numbered 1 100 >keys
bad() {
    exits 2 build --key-file key -o new keys
    says 'key: a key is 16 bytes, or 32 hexadecimal digits'
    none new
}
digits=00112233445566778899aabbCCDDEEFF
: >key && bad
head -c 15 /dev/zero >key && bad
head -c 17 /dev/zero >key && bad
head -c 100000 /dev/zero >key && bad
printf '%s' ${digits%F} >key && bad
printf '%s0' $digits >key && bad
printf '%sg\n' ${digits%F} >key && bad
printf '%s\n\n\n' $digits >key && bad
rm key
exits 2 build --key-file key -o new keys
says 'key: No such file or directory'
mkdir key
exits 2 build --key-file key -o new keys
says 'key: '
none new
# The same secret in four spellings.
printf '\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff' >raw
printf '%s' $digits >hex
printf '%s\n' $digits >unix
printf '%s\r\n' $digits >dos
exits 0 build --key-file raw -o wanted keys
for key in hex unix dos; do
    exits 0 build --key-file $key -o filter keys
    same wanted filter
done
