/* words.c - `sito-kmer --words [COMMAND [WORD]]`, which the shells' completion asks: the commands; a command's options; or what
 * may follow WORD, if that is an option that knows. */
#include <stdio.h>
#include <string.h>

#include "manual.h"

static bool is_option(const struct option *option, const char *word) {
    if (word[0] != '-') return false;
    if (word[1] == '-') return !strcmp(word + 2, option->name);
    return option->letter && word[1] == option->letter && !word[2];
}

static void follow(const struct option *option) {
    if (!option->completes || !strcmp(option->completes, COMPLETE_FILES)) return;
    if (strcmp(option->completes, COMPLETE_KINDS) != 0) puts(option->completes);
    else
        for (size_t i = 0; sito_kind_at(i); i++) puts(sito_kind_at(i));
}

void print_words(const char *name, const char *word) {
    const struct command *c = name ? command_named(name) : NULL;
    const struct option *option;
    if (!name)
        for (size_t i = 0; command_at(i); i++) puts(strchr(command_at(i)->name, ' ') + 1);
    for (size_t i = 0; c && (option = option_at(i)); i++) {
        if (!option_fits(option, c)) continue;
        if (!word) printf("--%s\n", option->name);
        else if (option->argument && is_option(option, word)) follow(option);
    }
}
