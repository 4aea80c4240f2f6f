#!/bin/bash
# Whoever sends one sequence and waits has its answer, by every kind and form, before the next; and a stream that does not
# pause is answered all the same.
. "$(dirname "$0")/lib"

printf '>g\nACGTTGCAAC\n' >g.fa
exits 0 kmer build -k 4 -o bitmap.sito g.fa
exits 0 kmer build -k 4 --kind cuckoo -o cuckoo.sito g.fa
exits 0 kmer build -k 4 --kind exact -o exact.sito g.fa

printed() { [ "$(wc -l <answers)" = "$1" ]; }
# talk FIRST SECOND LINES_AFTER_FIRST WORD...: the first is sent, answered, then the second; both are answered in the end.
talk() {
    local first=$1 second=$2 lines=$3 process
    shift 3
    rm -f stream
    mkfifo stream
    "$SITO" kmer query "$@" <stream >answers 2>err &
    process=$!
    exec 7>stream
    # shellcheck disable=SC2059 # it is a format
    printf "$first" >&7
    wait_for printed "$lines"
    # shellcheck disable=SC2059
    printf "$second" >&7
    exec 7>&-
    wait $process || fail "sito kmer query $*: fails"
    printed $((lines + 1)) || fail "$*: an answer is missing"
}
for index in bitmap cuckoo exact; do
    talk '@a\nACGTT\n+\nIIIII\n' '@b\nGCAAC\n+\nIIIII\n' 2 $index.sito
    # A FASTA record is over when the next one begins.
    talk '>a\nACGTT\n>b\nGCA' 'AC\n' 2 $index.sito
done
talk '@a\nACGTT\n+\nIIIII\n' '@b\nGCAAC\n+\nIIIII\n' 1 --json cuckoo.sito
talk '@a\nACGTT\n+\nIIIII\n' '@b\nGCAAC\n+\nIIIII\n' 2 cuckoo.sito -
talk '' '@b\nGCAAC\n+\nIIIII\n' 0 cuckoo.sito --json

# Packed streams, and their first bytes one by one.
reads g.fa 5 1 >g.fq
exits 0 kmer query cuckoo.sito g.fq
mv out wanted
for pack in cat 'gzip -c' 'bgzip -c'; do
    $pack <g.fq >packed
    { for byte in 0 1 2; do tail -c +$((byte + 1)) packed | head -c 1; sleep 0.01; done; tail -c +4 packed; } |
        "$SITO" kmer query cuckoo.sito >out
    same wanted out
done
