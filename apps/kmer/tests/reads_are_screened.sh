#!/bin/bash
# Reads that match go, or only they stay; pairs go together; the rest is as it was, byte for byte.
. "$(dirname "$0")/lib"

random_fasta bad 6000 1 >bad.fa
random_fasta good 6000 2 >good.fa
exits 0 kmer build -k 21 -r 1e-6 -o bad.sito bad.fa
reads bad.fa 100 50 >bad.fq
reads good.fa 100 50 | sed 's/^@r/@g/' >good.fq
paste -d '\n' <(paste - - - - <good.fq) <(paste - - - - <bad.fq) | tr '\t' '\n' >mixed.fq

exits 0 kmer screen bad.sito mixed.fq -o clean.fq
same good.fq clean.fq
exits 0 kmer screen --keep bad.sito mixed.fq -o found.fq --json
same bad.fq found.fq
[ "$(value reads) $(value matched) $(value written)" = '238 119 119' ] || fail 'other numbers'
gzip -c mixed.fq >mixed.fq.gz
exits 0 kmer screen bad.sito mixed.fq.gz -o clean.fq.gz
gzip -dc clean.fq.gz | cmp - good.fq
bgzip -t clean.fq.gz
[ "$(tail -c 28 clean.fq.gz | head -c 4 | od -An -tx1)" = ' 1f 8b 08 04' ] || fail 'no BGZF'
"$SITO" kmer screen bad.sito -o - <mixed.fq | cmp - good.fq
exits 0 kmer screen bad.sito mixed.fq -o /dev/null
[ -c /dev/null ] || fail 'the device is gone'

# FASTA keeps its lines.
cat good.fa bad.fa >both.fa
exits 0 kmer screen bad.sito both.fa -o clean.fa
same good.fa clean.fa
head -c -1 good.fa | cat bad.fa - >endless.fa
exits 0 kmer screen bad.sito endless.fa -o clean.fa
same good.fa clean.fa

# A read half of which matches: --min decides.
{ echo '>half'; sed -n 2p bad.fa; sed -n 2p good.fa; } >half.fa
exits 0 kmer screen --min 40% --keep bad.sito half.fa -o out.fa
[ -s out.fa ] || fail 'it matches'
exits 0 kmer screen --keep bad.sito half.fa -o out.fa
[ ! -s out.fa ] || fail 'it does not match'
printf '>tiny\nACGT\n' >tiny.fa
exits 0 kmer screen bad.sito tiny.fa -o out.fa
same tiny.fa out.fa

# Pairs: one mate that matches is enough; both files stay in step.
paste -d '\n' <(paste - - - - <good.fq) <(paste - - - - <good.fq) | tr '\t' '\n' | sed 's/^@g/@m/' >mates.fq
exits 0 kmer screen bad.sito mixed.fq mates.fq -o c1.fq --output2 c2.fq.gz
same good.fq c1.fq
gzip -dc c2.fq.gz | sed 's/^@m/@g/' | cmp - good.fq
exits 0 kmer screen bad.sito mates.fq mixed.fq -o c.fq
paste - - - - - - - - <c.fq | awk -F'\t' '{ sub(/@m/, "@g", $1); if ($1 != $5) exit 1 }' || fail 'out of step'
[ "$(wc -l <c.fq)" = $((8 * 119)) ] || fail 'pairs are missing'
head -n 400 mates.fq >fewer.fq
rm -f c1.fq c2.fq
for words in 'mixed.fq fewer.fq' 'fewer.fq mixed.fq'; do
    # shellcheck disable=SC2086 # two words
    exits 2 kmer screen bad.sito $words -o c1.fq --output2 c2.fq
    says 'fewer.fq: ends after 100 reads'
    none c1.fq
    none c2.fq
done
no_drafts
exits 2 kmer screen bad.sito mixed.fq
says 'where to?'
exits 2 kmer screen bad.sito mixed.fq -o c.fq --output2 d.fq
says 'second reads of pairs'
exits 2 kmer screen bad.sito mixed.fq mates.fq -o c.fq --output2 c.fq
says 'both outputs are c.fq'
ln -s c2.fq ahead.fq
exits 2 kmer screen bad.sito mixed.fq mates.fq -o c2.fq --output2 ahead.fq
says 'both outputs are c2.fq'
none c2.fq
exits 2 kmer screen bad.sito mixed.fq -o nowhere/c.fq
says 'nowhere/c.fq: No such file'

# What is replaced keeps its mode; a name may be as long as names can be; and stdout has one, too.
touch c.fq
chmod 600 c.fq
exits 0 kmer screen bad.sito mixed.fq -o c.fq
same good.fq c.fq
[ "$(stat -c %a c.fq)" = 600 ] || fail "mode $(stat -c %a c.fq)"
long=$(printf '%0255d' 0)
exits 0 kmer screen bad.sito mixed.fq -o "$long"
same good.fq "$long"
no_drafts
status=0
"$SITO" kmer screen bad.sito mixed.fq -o - >/dev/full 2>err || status=$?
[ $status != 0 ] || fail 'a full disk is no trouble'
# htslib forgets its own memory then, of which ASan would speak too
grep -q '^sito: standard output: No space left' err || fail 'stdout is not named'
