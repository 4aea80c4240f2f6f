/*
 * main.c - `sito kmer`: k-mers of sequences in a filter.
 *
 *     options.c               every command and option, once; the command line is read as sito's is
 *     intake.c sequence.c     files become bytes, and those sequences
 *     kmer.c pile.c           sequences become k-mers, and those hashes
 *     index.c                 a filter of k-mers, and its answers
 *     share.c                 how much of a sequence is enough
 *     inputs.c                what is read is not written over
 *     sink.c                  reads that go out
 *     build.c query.c ...     what the commands do
 *     manual.c words.c        the manual page; words for the shells to complete
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../cli/talk.h"
#include "kmer.h"
#include "manual.h"
#include "options.h"

static const char sequences[] =
    "Sequences are FASTA or FASTQ, plain, .gz or BGZF; without a file, or for `-`,\n"
    "standard input. A, C, G and T make k-mers; N and the other letters for\n"
    "unknown bases break them. Lower case, CR LF and letters that are no nucleotides\n"
    "are refused: --lenient takes the first two. A FASTQ record has four lines.\n";

static const char statuses[] =
    "    0  yes, or done\n"
    "    1  nothing matched (query); nothing of it is inside (remove)\n"
    "    2  wrong usage; input or output failed, or is no sequence; a damaged file\n"
    "    3  a promise could not be met: full, or over a limit; nothing is written\n"
    "  130  interrupted; nothing is written\n";

static int help(FILE *to, int outcome) {
    const struct command *c;
    fputs("sito kmer - k-mers of genomes and reads: index them, ask, screen\n\n"
          "Usage: sito kmer COMMAND [OPTION...] ...\n\n",
          to);
    for (size_t i = 0; (c = command_at(i)); i++)
        fprintf(to, "  %-7s %s\n", strchr(c->name, ' ') + 1, c->what);
    fprintf(to,
            "\n%s\nOptions: `sito kmer COMMAND --help` lists those it has.\n\nExit status:\n%s\n"
            "Example:\n"
            "  sito kmer build -k 31 -o coli.sito NC_008253.fna.gz\n"
            "  sito kmer query coli.sito contigs.fa\n",
            sequences, statuses);
    return outcome;
}

static int no_such_command(const char *name) {
    struct nearest near = {.word = name};
    for (size_t i = 0; command_at(i); i++) nearest_try(&near, strchr(command_at(i)->name, ' ') + 1);
    if (near.best) complain("kmer: there is no command `%s`; did you mean %s?", name, near.best);
    else complain("kmer: there is no command `%s`; `sito kmer --help` lists those there are", name);
    return TROUBLE;
}

static int run(const struct command *command, int argc, char **argv) {
    struct kmer_options o;
    memset(&o, 0, sizeof o); /* padding too: --like compares wishes as bytes */
    watch_signals();
    int outcome = parse_options(command, argc, argv, &o.common);
    if (outcome != DONE) return outcome;
    if (o.k > KMER_MOST) return complain("-k: `%u` is more than %d", o.k, KMER_MOST), TROUBLE;
    if (o.common.help) help_command(command, stdout);
    else outcome = command->run(&o.common);
    progress_end();
    return outcome;
}

int main(int argc, char **argv) {
    hold_standard_files();
    if (argc < 2) return help(stderr, TROUBLE);
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
        return end_output(help(stdout, DONE));
    if (!strcmp(name, "--version"))
        return end_output((printf("sito-kmer %s\n", SITO_VERSION), DONE));
    if (!strcmp(name, "--man")) return end_output((manual(sequences, statuses, stdout), DONE));
    if (!strcmp(name, "--words")) {
        print_words(argv[2], argc > 3 ? argv[3] : NULL); /* argv[argc] is NULL */
        return end_output(DONE);
    }
    const struct command *command = command_named(name);
    return end_output(command ? run(command, argc - 2, argv + 2) : no_such_command(name));
}
