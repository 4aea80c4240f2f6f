/* help.c - help for a terminal and pages for man, both from the tables of options.c. Pages are in
 * scdoc's language: *bold*, _underlined_, a tab for what hangs under an option. */
#include <string.h>

#include "options.h"

static const char what_keys_are[] =
    "Keys are read one a line from the INPUT files, or from standard input if there\n"
    "are none; `-` is standard input too. Files packed with gzip or zstd are\n"
    "recognised by their first bytes. A key is the line, byte for byte: an empty line\n"
    "is the empty key, a carriage return belongs to the key, and the last line needs\n"
    "no newline. With -0 keys end in NUL bytes and may hold newlines.";

static const char what_numbers_are[] =
    "Numbers may be written 5000, 10k, 1.5M, 1e6 or 2Gi; sizes 64MiB or 1GB; rates\n"
    "0.01, 1% or 1e-6.";

static const char what_files_are[] =
    "A filter is written to a temporary file and renamed: readers see the old file or\n"
    "the new one, never half of one. Every cell is verified before it is asked,\n"
    "unless --map is given. Answers go to standard output, talk to standard error.";

static const struct {
    const char *status, *meaning;
} statuses[] = {
    {"0", "yes, or done"},
    {"1", "nothing matched (query, remove); damaged or of an unknown format (check)"},
    {"2", "wrong usage; input or output failed, or its reader left; a damaged file"},
    {"3", "a promise could not be met: full, or a limit; only --partial writes then"},
    {"130", "interrupted; nothing is written"},
};
enum { NSTATUSES = sizeof statuses / sizeof *statuses };

static bool reads_keys(const struct command *c) {
    return strstr(c->operands, "[INPUT...]") != NULL;
}

/* ---- for a terminal ---- */

static void indent(const char *text, const char *margin, FILE *to) {
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchr(text, '\n');
        if (!end) end = text + strlen(text);
        fprintf(to, "%s%.*s\n", end > text ? margin : "", (int)(end - text), text);
    }
}

static void list_commands(FILE *to) {
    const struct command *c;
    for (size_t i = 0; (c = command_at(i)); i++) fprintf(to, "  %-11s %s\n", c->name, c->what);
}

static void list_options(const struct command *c, FILE *to) {
    const struct option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!option_fits(option, c)) continue;
        const char letter[] = {'-', option->letter, ',', 0};
        const int width =
            fprintf(to, "  %3s --%s%s%s", option->letter ? letter : "", option->name,
                    option->argument ? " " : "", option->argument ? option->argument : "");
        fprintf(to, "%*s%s\n", width < 24 ? 24 - width : 1, "", option->help);
    }
}

void help_short(FILE *to) {
    fputs("sito - might this key be in the set?\n\nUsage: sito COMMAND [OPTION...] ...\n\n", to);
    list_commands(to);
    fputs("\n`sito help COMMAND` tells more.\n", to);
}

void help_all(FILE *to) {
    fputs("sito - might this key be in the set?\n"
          "\n"
          "\"No\" is a proof; \"yes\" is a bet whose odds were agreed beforehand: a filter\n"
          "holds a set of keys in a few bits each, and errs on one side only.\n"
          "\n"
          "Usage: sito COMMAND [OPTION...] ...\n"
          "\n"
          "Commands (`sito help COMMAND` tells more):\n",
          to);
    list_commands(to);
    fputs("\n`sito NAME` runs sito-NAME, if there is one: `sito kmer`, made where htslib is,\n"
          "indexes the k-mers of genomes, asks for sequences and screens reads.\n\n",
          to);
    fprintf(to, "%s\n\n%s\n\n%s\n\nExit status:\n", what_keys_are, what_numbers_are,
            what_files_are);
    for (size_t i = 0; i < NSTATUSES; i++)
        fprintf(to, "  %3s  %s\n", statuses[i].status, statuses[i].meaning);
    fputs("\nExample:\n"
          "  sito build -o words.sito /usr/share/dict/words\n"
          "  printf 'heron\\nhreon\\n' | sito query -v words.sito\n",
          to);
}

void help_command(const struct command *c, FILE *to) {
    fprintf(to, "sito %s - %s\n\nUsage: sito %s [OPTION...] %s\n\n%s\n", c->name, c->what, c->name,
            c->operands, c->about);
    if (reads_keys(c)) fprintf(to, "\n%s\n", what_keys_are);
    fputs("\nOptions:\n", to);
    list_options(c, to);
    fputs(strchr(c->examples, '\n') ? "\nExamples:\n" : "\nExample:\n", to);
    indent(c->examples, "  ", to);
}

/* ---- for man ---- */

static void escape(const char *text, FILE *to) {
    for (; *text; text++) {
        if (strchr("_*\\#", *text)) fputc('\\', to);
        fputc(*text, to);
    }
}

static void section(const char *name, const char *text, FILE *to) {
    fprintf(to, "\n# %s\n\n", name);
    escape(text, to);
    fputc('\n', to);
}

static void man_statuses(FILE *to) {
    fputs("\n# EXIT STATUS\n\n", to);
    for (size_t i = 0; i < NSTATUSES; i++) {
        fprintf(to, "*%s*\n\t", statuses[i].status);
        escape(statuses[i].meaning, to);
        fputs("\n\n", to);
    }
}

static void man_examples(const char *examples, FILE *to) {
    fputs("\n# EXAMPLES\n\n```\n", to);
    for (; *examples; examples++) { /* nothing else is special between the fences */
        if (*examples == '\\') fputc('\\', to);
        fputc(*examples, to);
    }
    fputs("\n```\n", to);
}

void man_command(const struct command *c, FILE *to) {
    const struct option *option;
    fprintf(to, "sito-%s(1) \"sito %s\" \"sito manual\"\n\n# NAME\n\nsito-%s - %s\n", c->name,
            SITO_VERSION, c->name, c->what);
    fprintf(to, "\n# SYNOPSIS\n\n*sito %s* [_OPTION_...] ", c->name);
    escape(c->operands, to);
    fputc('\n', to);
    section("DESCRIPTION", c->about, to);
    if (reads_keys(c)) section("KEYS", what_keys_are, to);
    fputs("\n# OPTIONS\n\n", to);
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!option_fits(option, c)) continue;
        if (option->letter) fprintf(to, "*-%c*, ", option->letter);
        fprintf(to, "*--%s*", option->name);
        if (option->argument) fprintf(to, " _%s_", option->argument);
        fputs("\n\t", to);
        escape(option->help, to);
        fputs("\n\n", to);
    }
    section("NUMBERS", what_numbers_are, to);
    man_statuses(to);
    man_examples(c->examples, to);
    fputs("\n# SEE ALSO\n\n*sito*(1)\n", to);
}

void man_all(FILE *to) {
    const struct command *c;
    fprintf(
        to,
        "sito(1) \"sito %s\" \"sito manual\"\n\n# NAME\n\nsito - might this key be in the set?\n"
        "\n# SYNOPSIS\n\n*sito* _COMMAND_ [_OPTION_...] ...\n"
        "\n# DESCRIPTION\n\nA filter holds a set of keys in a few bits each. \"No\" is a proof; "
        "\"yes\" is a bet whose odds were agreed beforehand. *sito* makes filter files, asks, "
        "changes, merges and checks them.\n",
        SITO_VERSION);
    fputs("\n# COMMANDS\n\n", to);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(to, "*sito-%s*(1)\n\t", c->name);
        escape(c->what, to);
        fputs("\n\n", to);
    }
    fputs("*sito* _NAME_ runs *sito-NAME*, from beside *sito* or from the PATH, if there is one: "
          "*sito-kmer*(1), made where htslib is, indexes the k-mers of genomes, asks for sequences "
          "and screens reads.\n",
          to);
    section("KEYS", what_keys_are, to);
    section("NUMBERS", what_numbers_are, to);
    section("FILES", what_files_are, to);
    man_statuses(to);
    man_examples("sito build -o words.sito /usr/share/dict/words\n"
                 "printf 'heron\\nhreon\\n' | sito query -v words.sito",
                 to);
}
