#!/bin/bash
# For keys that do not come, or for a lock: exit 130, and nothing is written or said.
. "$(dirname "$0")/lib"

numbered 1 10 | exits 0 build -k exact -o filter
cp filter before
mkfifo never
exec 8<>never # open, and silent
interrupt() { # SIGNAL WORD...
    local signal=$1 status=0 process
    shift
    env --default-signal=INT,TERM,HUP "$SITO" "$@" >out 2>err &
    process=$!
    wait_for waits $process
    kill -s "$signal" $process
    wait $process || status=$?
    [ $status = 130 ] || fail "SIG$signal: sito $*: exit status $status"
    quiet
}
for signal in INT TERM HUP; do
    interrupt $signal build -o new never
    none new
    interrupt $signal build -o filter never
    interrupt $signal add filter never
    interrupt $signal query filter never
done
kinds >all
while read -r kind; do
    interrupt INT build -k "$kind" -n 10 -o new never
    none new
done <all
interrupt INT hyphen --words never
mkfifo unopened # nobody writes, or reads
interrupt INT build -o new unopened
interrupt TERM add filter unopened
interrupt INT query filter unopened
interrupt INT query --key-file unopened filter /dev/null
interrupt INT build -o unopened /dev/null
interrupt TERM hyphen --words unopened
interrupt INT hyphen --words -o unopened /dev/null
interrupt TERM hyphen --patterns unopened /dev/null
interrupt INT hyphen --exceptions unopened --words /dev/null
interrupt INT hyphen learn store unopened
none store
interrupt INT kmer build -k 21 -o new unopened
none new
exec 9<filter
flock 9
interrupt INT add filter /dev/null
interrupt TERM remove filter /dev/null
# Also by a signal that comes just before it waits.
cat >signalled.c <<'C'
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
int flock(int fd, int how) {
    raise(SIGINT);
    return (int)syscall(SYS_flock, fd, how);
}
C
cc -shared -fPIC -o signalled.so signalled.c
status=0
timeout -s KILL 20 env LD_PRELOAD=./signalled.so "$SITO" add filter /dev/null >out 2>err || status=$?
[ $status = 130 ] || fail "a signal before the wait: exit status $status"
quiet
same filter before
no_drafts
