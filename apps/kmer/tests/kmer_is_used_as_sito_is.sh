#!/bin/bash
# Help, usage, and what cannot be asked for.
. "$(dirname "$0")/lib"

random_fasta a 400 1 >a.fa
exits 0 help kmer
grep -q '^  screen ' out || fail 'no commands'
exits 2 kmer
for command in build query screen add remove merge count; do
    exits 0 kmer $command --help
    grep -q "^Usage: sito kmer $command" out || fail "$command: no usage"
    grep -q "^  .*sito kmer $command" out || fail "$command: no example"
    ! grep -nE '.{81}' out || fail "$command: lines longer than a terminal"
    mv out wanted
    exits 0 help kmer $command
    same wanted out
done
exits 2 kmer qurey
says 'did you mean query?'
exits 2 kmer build -o x.sito a.fa
says 'give -k'
exits 2 kmer build -k 11 a.fa
says 'where to?'
for k in 0 1001 -1 x; do exits 2 kmer build -k $k -o x.sito a.fa; done
exits 2 kmer build -k 11 --kind blok -o x.sito a.fa
says 'did you mean block?'
exits 2 kmer build -k 33 --kind bitmap -o x.sito a.fa
exits 2 kmer build -k 11 --rate 0 -o x.sito a.fa
exits 2 kmer query
exits 2 kmer count -k 5 --kind bloom a.fa
# What long k-mers' hashes cannot promise is not promised.
exits 3 kmer build -k 200 -r 1e-13 -o x.sito a.fa
says 'err'
none x.sito
exits 0 kmer build -k 11 -V -o x.sito a.fa
says 'distinct 11-mers'
exits 0 kmer build -k 11 -o x.sito a.fa
quiet
exits 0 kmer build -k 11 --json -o x.sito a.fa
[ "$(value k) $(value kmers) $(value records)" = '11 390 1' ] || fail 'other numbers'
[ "$(exits 0 kmer build -k 9 --json -o y.sito a.fa; value kind)" = bitmap ] || fail 'another kind'
exits 0 help --man kmer
"$SITO" kmer --man | same - out
# It has one page for all of its commands.
exits 0 help --man kmer build
"$SITO" kmer --man | same - out
exits 2 help --man kmre build
says 'there is no command `kmre`'
