#!/bin/bash
# Exit 3 and the rate it would have; with --partial it is written all the same.
. "$(dirname "$0")/lib"

numbered 1 1000 >some
numbered 1001 2000 >others
for kind in $(kinds merge); do
    if can "$kind" grow || [ "$kind" = bitmap ]; then continue; fi
    exits 0 build -k "$kind" --seed 1 -r 1% -n 1000 -o a some
    exits 0 build --like a -o b others
    cp a before
    exits 3 merge a b -o a
    says 'a: would err'
    says '--partial'
    same a before
    exits 3 merge --partial a b -o both
    says 'both: errs'
    exits 0 check both
    exits 0 query -c both some others
    prints '2000\n'
    holds "$(field both present_fpr) > 0.02"
    exits 3 merge a b -o - # nor to a stream
    prints ''
    # The same keys twice are no more than were planned.
    case $kind in
    counting) exits 0 merge a -o twice ;;
    *) exits 0 merge a a -o twice ;;
    esac
    quiet
done
no_drafts
