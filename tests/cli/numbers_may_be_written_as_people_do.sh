#!/bin/bash
# 10k, 1.5M, 1e6, 2Gi; sizes in MiB; rates in per cent.
. "$(dirname "$0")/lib"

planned() { # FIELD WANTED WORD...
    local name=$1 wanted=$2 got
    shift 2
    exits 0 plan -k bloom --json "$@"
    got=$(sed -n "s/.*\"$name\": \([^,}]*\).*/\1/p" out)
    [ "$got" = "$wanted" ] || fail "sito plan $*: $name is $got instead of $wanted"
}
planned nkeys 10000 10k
planned nkeys 10000 10K
planned nkeys 10000000 10M
planned nkeys 1500000 1.5M
planned nkeys 1000000 1e6
planned nkeys 1000 -n 1000
planned nkeys 2048 2Ki
planned nkeys 3 3
planned wanted_fpr 0.01 1000 1%
planned wanted_fpr 0.001 1000 0.1%
planned wanted_fpr 1e-06 1000 1e-6
planned wanted_fpr 0.25 1000 -r.25
planned bytes 67108864 10M --max-bytes 64MiB
planned bytes 64000000 10M --max-bytes 64MB
planned cells 65536 100 --cells 64Ki
for number in 0 -5 1.5 10x 1e30 18446744073709551616 '' k 1e 0x10 '1 000' 10KiB 1e-3; do
    exits 2 plan -k bloom -n "$number"
    grep -q '^sito: --keys' err || fail "$number: what was wrong?"
done
exits 2 plan -k bloom --cells 1e 5 # the 5 is another word
for size in 0 -1 64Zi 64mib; do exits 2 plan 1000 --max-bytes "$size"; done
for seed in 0 -1 0x 0xg 1.5 18446744073709551616 0x10000000000000000; do
    exits 2 build --seed "$seed" -o new /dev/null
done
none new
exits 0 build --seed 0xff -o hex /dev/null
exits 0 build --seed 255 -o decimal /dev/null
same hex decimal
exits 0 build --seed 18446744073709551615 -o largest /dev/null
[ "$(field largest seed)" = 18446744073709551615 ] || fail 'the largest seed is another'
