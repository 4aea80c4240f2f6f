#!/bin/bash
# A full disk, or a signal while reads are awaited: a reason, or none, and no file; and nobody waits for the rest of a stream.
. "$(dirname "$0")/lib"

# htslib forgets a block when a write fails, and who is interrupted leaves the rest to the system.
export ASAN_OPTIONS=detect_leaks=0

random_fasta a 4000 1 >a.fa
exits 0 kmer build -k 17 -o a.sito a.fa
reads a.fa 100 1 >a.fq
cp a.sito before
exits 2 kmer screen --keep a.sito a.fq -o /dev/full
says 'No space left on device'
exits 2 kmer build -k 17 -o /dev/full a.fa
says 'No space left on device'

# Of two outputs neither is replaced if one finds no room, small or large, plain or packed; and nobody else speaks.
ln -s /dev/full full.gz
head -n 8 a.fq >few.fq
reads a.fa 3000 999 | head -n 8 >long.fq
for old in old.fq old.fq.gz; do
    cp a.sito $old
    for full in /dev/full full.gz; do
        for reads in a.fq few.fq; do
            exits 2 kmer screen --keep a.sito $reads $reads -o $full --output2 $old
            says "$full: "
            same a.sito $old
            exits 2 kmer screen --keep a.sito $reads $reads -o $old --output2 $full
            says "$full: "
            same a.sito $old
        done
    done
done
(
    ulimit -f 2 # KiB
    exits 2 kmer screen --keep a.sito few.fq long.fq -o old.fq --output2 new.fq
    says 'new.fq: File too large'
    exits 2 kmer screen --keep a.sito long.fq few.fq -o new.fq --output2 old.fq
    says 'new.fq: File too large'
)
same a.sito old.fq
none new.fq
no_drafts

mkfifo never
exec 8<>never # open, and silent
interrupt() { # WORD...
    local status=0 process
    env --default-signal=INT,HUP "$SITO" "$@" >out 2>err &
    process=$!
    wait_for waits $process
    kill -s INT $process
    wait $process || status=$?
    [ $status = 130 ] || fail "sito $*: exit status $status"
}
interrupt kmer build -k 17 -o new.sito never
none new.sito
interrupt kmer screen a.sito never -o out.fq
none out.fq
interrupt kmer add a.sito never
same a.sito before
no_drafts

# A pipe without a writer; the first byte of something packed, and no other.
mkfifo closed packed
interrupt kmer count -k 17 closed
quiet
exec 9<>packed
printf '\037' >&9
interrupt kmer count -k 17 packed
quiet
exec 9>&-

# A stream of reads that are packed: the answers find no room, and more may or may not come.
exec 9<>packed
head -n 400 a.fq | gzip -c >&9
status=0
timeout 60 "$SITO" kmer query a.sito packed >/dev/full 2>err || status=$?
[ $status = 2 ] || fail "it waits for more: exit status $status"
says 'No space left on device'
