#!/bin/bash
# Mapped or read, with one thread or several.
. "$(dirname "$0")/lib"

numbered 1 3000 >inside
numbered 1 30000 >asked
for kind in $(kinds); do
    exits 0 build -k "$kind" --seed 11 -r 5% -o filter inside
    exits 0 query filter asked
    mv out wanted
    for way in --map '--threads 1' '--threads 4' '--map --threads 3'; do
        # shellcheck disable=SC2086 # several words
        exits 0 query $way filter asked
        same wanted out
    done
    exits 0 query -v filter asked
    sort wanted out | cmp - <(sort asked) || fail "$kind: -v is not the rest"
    exits 0 query -c filter asked
    prints "$(wc -l <wanted)\n"
    exits 0 query -vc filter asked
    prints "$((30000 - $(wc -l <wanted)))\n"
done
