#!/bin/bash
# Bit for bit, in kinds that OR; in those that count, every key is found.
. "$(dirname "$0")/lib"

numbered 1 3000 >a.txt
numbered 2001 5000 >b.txt
numbered 1 5000 >all.txt
for kind in $(kinds merge); do
    exits 0 build -k "$kind" --seed 9 -n 6000 -o a a.txt
    exits 0 build --like a -o b b.txt
    exits 0 build -k "$kind" --seed 9 -n 6000 -o union all.txt
    exits 0 merge a b -o both
    quiet
    exits 0 check both
    exits 0 query -c both all.txt
    prints '5000\n'
    can "$kind" count || cmp <(cells union) <(cells both) || fail "$kind: other cells"
    # One of several, three of one, and back into a part.
    exits 0 merge both a b a -o again
    can "$kind" count || cmp <(cells both) <(cells again) || fail "$kind: a part changed it"
    exits 0 merge a -o alone
    same a alone
    exits 0 merge a b -o a
    same a both
done

# Planned for the part, it errs more; it is written too, and that is told. The same keys twice are no more.
numbered 5001 8000 >c.txt
for kind in $(kinds merge); do
    if can "$kind" grow; then continue; fi
    exits 0 build -k "$kind" --seed 9 -n 3000 -o a a.txt
    exits 0 build --like a -o b c.txt
    exits 0 merge a b -o both
    says 'both: errs '
    says 'more than the '
    exits 0 check both
    exits 0 query -c both a.txt c.txt
    prints '6000\n'
    holds "$(field both present_fpr) > 1.5 * $(field both real_fpr)"
    exits 0 merge a a -o twice
    quiet
done
no_drafts
