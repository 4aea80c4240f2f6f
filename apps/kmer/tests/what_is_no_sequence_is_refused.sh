#!/bin/bash
# With the file's name and the record's, exit status 2, and nothing written.
. "$(dirname "$0")/lib"

random_fasta a 5000 3 >good.fa
exits 0 kmer build -k 11 -o good.sito good.fa
cp good.sito kept.sito

# bad FILE WORDS: build, ask, screen and add all say so.
bad() {
    exits 2 kmer build -k 3 -o new.sito "$1"
    says "$1"
    says "$2"
    exits 2 kmer build -k 3 --kind exact -o new.sito good.fa "$1"
    says "$2"
    exits 2 kmer query good.sito "$1"
    says "$2"
    exits 2 kmer screen good.sito "$1" -o new.fq
    says "$2"
    exits 2 kmer screen good.sito "$1" -o new.fq.gz
    says "$2"
    exits 2 kmer add good.sito "$1"
    says "$2"
    same good.sito kept.sito
    none new.sito
    none new.fq
    none new.fq.gz
    no_drafts
}

: >empty
bad empty 'has no record'
gzip -c empty >empty.gz
bad empty.gz 'has no record'
printf 'hello\n' >text
bad text 'record 1 begins with neither'
printf '>a\nACGTT\n>low x\nACGTacgt\n' >lower.fa
bad lower.fa 'record 2 (low): lower case letter `a` at 5'
printf '>a b\r\nACGT\r\nACGT\r\n' >crlf.fa
bad crlf.fa 'record 1 (a): its lines end in CR LF'
printf '@a b\r\nACGT\r\n+\r\nIIII\r\n' >crlf.fq
bad crlf.fq 'record 1 (a): its lines end in CR LF'
printf '>p1 some protein\nMKVLAAGIVGLPE*\n' >protein.fa
bad protein.fa 'record 1 (p1): `L` at 4 stands for no base; is this a protein?'
printf '@r1\nACGT\n+\nIIII\n@r2 x\nACGTA\n+\nIIII\n' >uneven.fq
bad uneven.fq 'record 2 (r2): 5 letters, but 4 qualities'
printf '@r1\nACGT\n+\nIIII\n@r2\nACG' >short.fq
bad short.fq 'record 2 (r2): the file ends inside this record'
printf '@r1\nAC\nGT\n+\nII\nII\n' >lines.fq
bad lines.fq 'record 1 (r1): its third line does not begin with +'
printf '@a\nACGT\n+\nIIII\n>b\nACGT\n' >mixed.fq
bad mixed.fq 'record 2 begins with neither'
printf '>a\nAC GT\n' >blank.fa
bad blank.fa 'record 1 (a): ` ` at 3'
printf '>a\nAC\0GT\n' >nul.fa
bad nul.fa 'record 1 (a): byte 0x00 at 3'
printf '>a b\rACGT\rACGT\r' >cr.fa
bad cr.fa 'record 1 (a): its lines end in CR alone'
printf '>a\nACGT\n>b\rACGT\r\n' >crs.fa
bad crs.fa 'record 2 (b): its lines end in CR alone'
printf '@a\nACGT\n+\n>@+\n' >marks.fq
bad marks.fq 'record 1 (a): 4 letters, but 3 qualities'
zstd -qc good.fa >good.zst
bad good.zst 'is packed by zstd; unpack it first'
printf 'BZh91AY&SY' >good.bz2
bad good.bz2 'is packed by bzip2'
printf '\3757zXZ\0' >good.xz
bad good.xz 'is packed by xz'
head -c 500000 "$strain" >cut.fa.gz
bad cut.fa.gz 'cut short'
bgzip -c good.fa | head -c -28 >cut.bgz
bad cut.bgz 'cut short'
mkdir folder
bad folder 'is a directory'
bad missing 'No such file'

exits 2 kmer build -k 3 -o new.sito - <empty
says 'standard input: has no record'
printf '>a\nAC\n>b\nNNNNNNNN\n>c\n' >tiny.fa
for k in 3 32 33 1000; do
    exits 2 kmer build -k $k -o new.sito tiny.fa
    says "tiny.fa: no sequence has $k known bases in a row"
    exits 2 kmer build -k $k --kind exact -o new.sito - <tiny.fa
    says "standard input: no sequence has $k known bases in a row"
    none new.sito
done
for words in 'count -k 3' 'build -k 3 -o new.sito' 'query good.sito' 'screen good.sito -o new.fq' 'add good.sito'; do
    # shellcheck disable=SC2086 # several words
    exits 2 kmer $words - - <good.fa
    says 'standard input is given 2 times, and can be read once'
done
none new.sito
none new.fq
same good.sito kept.sito
exits 2 kmer query good.sito --seq 'ACGT ACGTACGT'
says '--seq: record 1 (--seq): ` ` at 5'
