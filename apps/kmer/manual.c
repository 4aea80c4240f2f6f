/* manual.c - the manual page, in scdoc's language, from the tables of options.c. */
#include "manual.h"

#include <string.h>

static void escape(const char *text, FILE *to) {
    for (; *text; text++) {
        if (strchr("_*\\#", *text)) fputc('\\', to);
        fputc(*text, to);
    }
}

static void man_options(const struct command *c, FILE *to) {
    const struct option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!option_fits(option, c)) continue;
        if (option->letter) fprintf(to, "*-%c*, ", option->letter);
        fprintf(to, "*--%s*", option->name);
        if (option->argument) fprintf(to, " _%s_", option->argument);
        fputs("\n\t", to);
        escape(option->help, to);
        fputs("\n\n", to);
    }
}

void manual(const char *sequences, const char *statuses, FILE *to) {
    const struct command *c;
    fprintf(to,
            "sito-kmer(1) \"sito %s\" \"sito manual\"\n\n# NAME\n\n"
            "sito-kmer - k-mers of genomes and reads: index them, ask, screen\n\n# SYNOPSIS\n\n",
            SITO_VERSION);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(to, "*sito %s* [_OPTION_...] ", c->name);
        escape(c->operands, to);
        fputs("\n\n", to);
    }
    fprintf(to, "# SEQUENCES\n\n%s", sequences);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(to, "\n# SITO KMER ");
        for (const char *p = strchr(c->name, ' ') + 1; *p; p++) fputc(*p - 'a' + 'A', to);
        fputs("\n\n", to);
        escape(c->about, to);
        fputs("\n\n", to);
        man_options(c, to);
        fprintf(to, "```\n%s\n```\n", c->examples);
    }
    fprintf(to, "\n# EXIT STATUS\n\n```\n%s```\n\n# SEE ALSO\n\n*sito*(1)\n", statuses);
}
