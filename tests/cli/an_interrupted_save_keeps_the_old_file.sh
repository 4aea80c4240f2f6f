#!/bin/bash
# SIGINT, SIGTERM or SIGHUP while the new file is being written: exit 130, nothing left behind.
. "$(dirname "$0")/lib"

mkdir folder
echo old >folder/filter
cp folder/filter before
has_draft() { compgen -G 'folder/filter.*' >drafts || ! kill -0 "$saving" 2>/dev/null; }

# The signal comes when there is a draft, which is looked for without a pause. Should the save win the race all the same,
# it gets more to do.
for signal in INT TERM HUP; do
    for cells in 1Gi 2Gi 4Gi; do
        env --default-signal="$signal" "$SITO" build --cells $cells -o folder/filter /dev/null 2>err &
        saving=$!
        until has_draft; do :; done
        kill -s $signal $saving 2>/dev/null || true
        status=0
        wait $saving || status=$?
        [ $status = 0 ] || break
        cp before folder/filter
    done
    [ "$status" = 130 ] || fail "SIG$signal: exit status $status"
    same folder/filter before
    [ "$(ls folder)" = filter ] || fail "SIG$signal: $(ls folder)"
done
