/*
 * options.h - every command and every option of `sito`, once.
 *
 * options.c holds the two tables. parse.c reads a command line by them; help.c writes the help
 * texts and the manual pages from them; completion.c the completions of three shells. So none can
 * disagree.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <sito/sito.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The values of an option that may stand several times. */
struct texts {
    const char *at[16];
    size_t n;
};

/* What a command line said. */
struct options {
    const struct command *command;
    sito_plan wish; /* kind, nkeys, fpr, max_bytes, seed, threads and the wishes of some kinds */
    const char *output, *like, *key_file, *export;
    const char *lang, *patterns, *mark, *guard, *explain, *compile;
    struct texts exceptions;
    unsigned left, right, min_word;
    bool words, html, strip, no_caps, list, stats;
    bool help, json, verbose, nul, invert, count, levels, map, no_wait, partial, man, reject, quick;
    bool values;
    char **operands;
    size_t noperands;
};

struct command {
    const char *name;
    const char *operands;  /* as in the synopsis */
    const char *what;      /* one line */
    const char *about;     /* paragraphs, wrapped by hand at 76 columns */
    const char *examples;  /* one command a line */
    const char *completes; /* its operands: see struct option */
    size_t least, most;    /* how many operands */
    int (*run)(struct options *o);
};

enum takes { FLAG, TEXT, TEXTS, COUNT, COUNT32, BYTES, RATE, SEED, FRACTION };

/* `completes`: NULL nothing, COMPLETE_FILES, COMPLETE_KINDS, COMPLETE_COMMANDS, or the words
 * themselves. */
#define COMPLETE_FILES "<files>"
#define COMPLETE_KINDS "<kinds>"
#define COMPLETE_COMMANDS "<commands>"

struct option {
    char letter; /* 0: none */
    const char *name;
    const char *argument; /* NULL for a flag */
    const char *help;     /* one line, no full stop */
    enum takes takes;
    size_t at;            /* offset in struct options */
    const char *commands; /* names between blanks; "*": all */
    const char *completes;
};

/* The tables, in the order of the help; NULL past the end. */
const struct command *command_at(size_t i);
const struct option *option_at(size_t i);
const struct command *command_named(const char *name);
bool option_fits(const struct option *option, const struct command *command);

/* Fill *o from the words after the command. DONE, or TROUBLE after a complaint. */
int parse_options(const struct command *command, int argc, char **argv, struct options *o);

/* The one of `names` that `word` was probably meant to be, or NULL. Feed names one by one. */
struct nearest {
    const char *word, *best;
    size_t distance;
};
void nearest_try(struct nearest *n, const char *name);

void help_all(FILE *to);                              /* `sito help` */
void help_short(FILE *to);                            /* `sito` alone */
void help_command(const struct command *c, FILE *to); /* `sito help CMD` */
void man_all(FILE *to);                               /* scdoc source of sito(1) */
void man_command(const struct command *c, FILE *to);  /* scdoc source of sito-CMD(1) */

int cmd_add(struct options *o);
int cmd_bench(struct options *o);
int cmd_build(struct options *o);
int cmd_check(struct options *o);
int cmd_completion(struct options *o);
int cmd_count(struct options *o);
int cmd_help(struct options *o);
int cmd_hyphen(struct options *o);
int cmd_info(struct options *o);
int cmd_kinds(struct options *o);
int cmd_merge(struct options *o);
int cmd_plan(struct options *o);
int cmd_query(struct options *o);
int cmd_remove(struct options *o);
int cmd_version(struct options *o);

/* Run sito-NAME from beside this executable or from PATH. Returns only if there is none. */
void run_application(const char *name, char **argv);

#endif
