/* options.c - every command and every option of `sito kmer`, once. */
#include "options.h"

#include <string.h>

#define ANY ((size_t)-1)

static const struct command commands[] = {
    {"kmer build", "-k K -o FILE [SEQUENCES...]", "index the k-mers of sequences",
     "Reads FASTA or FASTQ, plain, .gz or BGZF, and writes a filter of all their\n"
     "k-mers. It is sized by the distinct k-mers; -n makes room for more, to be added\n"
     "later. k and the rest are kept in the file.\n"
     "\n"
     "A k-mer and its reverse complement are one, unless --no-canonical is given.\n"
     "Without --kind the index is a `bitmap` up to k = 12, which never errs; beyond,\n"
     "it is a `block` filter. The k-mers' hashes take 8 to 24 bytes each meanwhile.",
     "sito kmer build -k 31 -r 0.1% -o coli.sito NC_008253.fna.gz\n"
     "sito kmer build --like coli.sito -o k12.sito MG1655.fa\n"
     "sito kmer build -k 21 --kind cuckoo -n 20M -o all.sito *.fa.gz",
     COMPLETE_FILES, 0, ANY, kmer_build},
    {"kmer query", "FILE [SEQUENCES...]", "how much of each sequence is inside?",
     "Prints for each sequence its name, how many of its k-mers may be inside, how\n"
     "many it has, and the percentage, parted by tabs. \"Not inside\" is a proof; of\n"
     "the k-mers that match, some may err by the index's rate.\n"
     "\n"
     "With --min only sequences are printed of which at least that share matches.\n"
     "The exit status is 1 if none does; without --min, if no k-mer matches.\n"
     "\n"
     "When a stream pauses, what came is answered; but a FASTA record is over only\n"
     "when the next one begins.",
     "sito kmer query coli.sito contigs.fa\n"
     "sito kmer query --min 80% --json coli.sito reads.fq.gz\n"
     "sito kmer query coli.sito --seq TTGACAGCTAGCTCAGTCCTAGGTATAATGCTAGC",
     COMPLETE_FILES, 1, ANY, kmer_query},
    {"kmer screen", "FILE [READS [READS2]] -o FILE", "take out the reads that match",
     "Writes the reads that do not match, as they are; with --keep those that do. A\n"
     "read matches if at least --min of its k-mers (50 %) may be inside; one that is\n"
     "too short to have any does not. Of a pair, in two files, one read that matches\n"
     "is enough, and both go the same way: to one file in turn, or with --output2 to\n"
     "two. What ends in .gz or .bgz by name is packed as BGZF, on another core.",
     "sito kmer screen human.sito reads.fq.gz -o clean.fq.gz\n"
     "sito kmer screen phix.sito r1.fq.gz r2.fq.gz -o c1.fq.gz --output2 c2.fq.gz\n"
     "sito kmer screen --keep --min 80% coli.sito reads.fq -o coli.fq",
     COMPLETE_FILES, 1, 3, kmer_screen},
    {"kmer add", "FILE [SEQUENCES...]", "add the k-mers of sequences to an index",
     "Adds each distinct k-mer of the sequences once. If they are more than the index\n"
     "was planned for, nothing is written and the exit status is 3.",
     "sito kmer add all.sito more.fa.gz", COMPLETE_FILES, 1, ANY, kmer_add},
    {"kmer remove", "FILE [SEQUENCES...]", "take the k-mers of sequences out of an index",
     "Removes each distinct k-mer of the sequences once: give those of an `add` or a\n"
     "build together, and the index is what it was before. If one of the k-mers is\n"
     "not inside, nothing is removed. Kinds that cannot remove refuse; a `bitmap`\n"
     "forgets k-mers that other sequences have too.",
     "sito kmer remove all.sito more.fa.gz", COMPLETE_FILES, 1, ANY, kmer_remove},
    {"kmer merge", "FILE... -o FILE", "make one index of several",
     "Everything in any of them is in the result. They must have been made alike:\n"
     "build the others with `--like` the first, and the first for enough k-mers (-n).\n"
     "Bitmaps of one k are alike anyway, if none was given another --seed.",
     "sito kmer merge a.sito b.sito -o both.sito", COMPLETE_FILES, 1, ANY, kmer_merge},
    {"kmer count", "-k K [SEQUENCES...]", "how many k-mers do sequences have?",
     "Counts k-mers, and the distinct ones among them. Up to k = 32 the count is\n"
     "exact. Beyond, it is by 61-bit hashes, which hardly ever coincide; with --kind\n"
     "exact it is by the k-mers themselves, and exact at every k.",
     "sito kmer count -k 31 NC_008253.fna.gz\n"
     "sito kmer count -k 100 --kind exact --no-canonical NC_008253.fna.gz",
     COMPLETE_FILES, 0, ANY, kmer_count},
};

#define AT(member) offsetof(struct kmer_options, member)
#define WISH(member) offsetof(struct kmer_options, common.wish.member)
#define BUILD "kmer build"
#define READS "kmer build, kmer query, kmer screen, kmer add, kmer remove, kmer count"

static const struct option options[] = {
    {'k', "length", "K", "letters of a k-mer, 1 to 1000", COUNT32, AT(k), BUILD ", kmer count",
     NULL},
    {'o', "output", "FILE", "write it there; - is standard output", TEXT, AT(common.output),
     BUILD ", kmer screen, kmer merge", COMPLETE_FILES},
    {'r', "rate", "RATE", "false-positive rate, as 1% or 0.001 (1%)", RATE, WISH(fpr), BUILD, NULL},
    {0, "kind", "KIND", "kind of filter: see `sito kinds`", TEXT, WISH(kind), BUILD ", kmer count",
     COMPLETE_KINDS},
    {'n', "keys", "N", "room for so many distinct k-mers", COUNT, WISH(nkeys), BUILD, NULL},
    {0, "no-canonical", NULL, "tell the two strands apart", FLAG, AT(no_canonical),
     BUILD ", kmer count", NULL},
    {0, "like", "FILE", "k, kind, shape and seed as FILE's: to merge later", TEXT, AT(common.like),
     BUILD, COMPLETE_FILES},
    {0, "seq", "LETTERS", "ask for this sequence", TEXT, AT(seq), "kmer query", NULL},
    {0, "min", "SHARE", "share of k-mers that makes a match, as 80%", TEXT, AT(min),
     "kmer query, kmer screen", NULL},
    {0, "keep", NULL, "write the reads that match, not the others", FLAG, AT(keep), "kmer screen",
     NULL},
    {0, "output2", "FILE", "write the second reads of pairs there", TEXT, AT(output2),
     "kmer screen", COMPLETE_FILES},
    {0, "level", "N", "of packing: 1 (fast) to 9 (small); 1 if not given", COUNT32, AT(level),
     "kmer screen", NULL},
    {0, "lenient", NULL, "read lower case as upper case; lines may end in CR LF", FLAG, AT(lenient),
     READS, NULL},
    {0, "map", NULL, "answer straight from the file, its cells unverified", FLAG, AT(common.map),
     "kmer query, kmer screen", NULL},
    {0, "no-wait", NULL, "if another process writes FILE: exit 2 at once", FLAG, AT(common.no_wait),
     "kmer add, kmer remove", NULL},
    {0, "seed", "SEED", "seed of the hash (drawn at random)", SEED, WISH(seed), BUILD, NULL},
    {0, "threads", "N", "threads that build", COUNT32, WISH(threads), BUILD, NULL},
    {0, "max-bytes", "SIZE", "no larger than this, as 64MiB", BYTES, WISH(max_bytes), BUILD, NULL},
    {0, "cells", "N", "exactly so many bits, cells or slots", COUNT, WISH(ncells), BUILD, NULL},
    {0, "hashes", "K", "positions a k-mer (bloom, parted, ...)", COUNT32, WISH(nhashes), BUILD,
     NULL},
    {0, "cell-bits", "BITS", "bits a cell (counting)", COUNT32, WISH(cell_bits), BUILD, NULL},
    {0, "tag-bits", "BITS", "bits a mark (compact, cuckoo)", COUNT32, WISH(tag_bits), BUILD, NULL},
    {0, "rule", "RULE", "relocation: random, emptier, path (cuckoo)", TEXT, WISH(rule), BUILD,
     "random emptier path"},
    {0, "layout", "LAYOUT", "buckets: bucket, sorted, window (cuckoo)", TEXT, WISH(layout), BUILD,
     "bucket sorted window"},
    {0, "bucket", "SLOTS", "slots a bucket: 1, 2, 4, 8 (cuckoo)", COUNT32, WISH(bucket), BUILD,
     "1 2 4 8"},
    {0, "max-moves", "N", "limit of relocations (cuckoo)", COUNT32, WISH(max_moves), BUILD, NULL},
    {0, "json", NULL, "report as JSON on standard output", FLAG, AT(common.json), "*", NULL},
    {'V', "verbose", NULL, "say what was done, even if stderr is no terminal", FLAG,
     AT(common.verbose), "kmer build, kmer screen, kmer add, kmer remove, kmer merge", NULL},
    {'h', "help", NULL, "this help", FLAG, AT(common.help), "*", NULL},
};

const struct command *command_at(size_t i) {
    return i < sizeof commands / sizeof *commands ? &commands[i] : NULL;
}

const struct option *option_at(size_t i) {
    return i < sizeof options / sizeof *options ? &options[i] : NULL;
}

/* By its second word. */
const struct command *command_named(const char *name) {
    for (size_t i = 0; command_at(i); i++)
        if (!strcmp(strchr(commands[i].name, ' ') + 1, name)) return &commands[i];
    return NULL;
}

bool option_fits(const struct option *option, const struct command *command) {
    return *option->commands == '*' || strstr(option->commands, command->name);
}
