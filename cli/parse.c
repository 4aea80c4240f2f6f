/* parse.c - a command line, read by the table. Options may stand anywhere, as --name value,
 * --name=value, -nvalue, -n value or in a group (-vc); -- ends them; a lone - is an operand. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "options.h"
#include "talk.h"

/* ---- did you mean? ---- */

/* Edits between two words; two swapped letters are one edit. Longer words are not worth guessing
 * at. */
static size_t edits(const char *a, const char *b) {
    enum { LONGEST = 24 };
    size_t d[LONGEST + 1][LONGEST + 1];
    const size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return SIZE_MAX;
    for (size_t i = 0; i <= n; i++) d[i][0] = i;
    for (size_t j = 0; j <= m; j++) d[0][j] = j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            size_t least = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < least) least = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < least) least = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < least)
                least = d[i - 2][j - 2] + 1;
            d[i][j] = least;
        }
    return d[n][m];
}

void nearest_try(struct nearest *n, const char *name) {
    const size_t length = strlen(n->word);
    size_t distance = edits(n->word, name);
    /* The beginning of a name is a good guess too: --max for --max-bytes. */
    if (length >= 3 && !strncmp(n->word, name, length)) distance = 1;
    if (distance > (length < 5 ? 1 : 2) || (n->best && distance >= n->distance)) return;
    n->best = name;
    n->distance = distance;
}

/* ---- words -> options ---- */

static int unknown_option(const char *word, size_t length, const struct command *command) {
    char name[64];
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, word, length);
    name[length] = 0;
    const struct option *elsewhere = NULL;
    struct nearest near = {.word = name + 2};
    for (size_t i = 0; option_at(i); i++) {
        const struct option *option = option_at(i);
        if (!option_fits(option, command)) {
            if (!strncmp(name, "--", 2) && !strcmp(name + 2, option->name)) elsewhere = option;
        } else if (!strncmp(name, "--", 2)) {
            nearest_try(&near, option->name);
        }
    }
    if (elsewhere)
        complain("%s is no option of `sito %s`; see `sito help %s`", name, command->name,
                 command->name);
    else if (near.best) complain("unknown option %s; did you mean --%s?", name, near.best);
    else complain("unknown option %s; `sito help %s` lists those it has", name, command->name);
    return TROUBLE;
}

static int bad_value(const struct option *option, const char *value, const char *why) {
    complain("--%s: `%s` %s", option->name, value, why);
    return TROUBLE;
}

static int set_option(const struct option *option, const char *value, struct options *o) {
    void *at = (char *)o + option->at;
    const char *why = NULL;
    uint64_t number = 0;
    bool fine = true;
    switch (option->takes) {
    case FLAG: *(bool *)at = true; break;
    case TEXT:
        *(const char **)at = value;
        if (!*value) fine = false, why = "is empty";
        break;
    case TEXTS: {
        struct texts *list = at;
        if (!*value) fine = false, why = "is empty";
        else if (list->n == sizeof list->at / sizeof *list->at)
            fine = false, why = "is one too many";
        else list->at[list->n++] = value;
        break;
    }
    case COUNT: fine = parse_count(value, (uint64_t *)at, &why); break;
    case BYTES: fine = parse_bytes(value, (uint64_t *)at, &why); break;
    case RATE: fine = parse_rate(value, (double *)at, &why); break;
    case FRACTION: fine = parse_fraction(value, (uint32_t *)at, &why); break;
    case SEED: fine = parse_seed(value, (uint64_t *)at, &why); break;
    case COUNT32:
        fine = parse_count(value, &number, &why);
        if (fine && number > UINT32_MAX) fine = false, why = "is too large";
        if (fine) *(unsigned *)at = (unsigned)number;
        break;
    }
    return fine ? DONE : bad_value(option, value, why);
}

static const struct option *option_named(const struct command *c, const char *name, size_t length) {
    for (size_t i = 0; option_at(i); i++) {
        const struct option *option = option_at(i);
        if (strlen(option->name) == length && !memcmp(option->name, name, length) &&
            option_fits(option, c))
            return option;
    }
    return NULL;
}

static const struct option *option_lettered(const struct command *c, char letter) {
    for (size_t i = 0; option_at(i); i++)
        if (option_at(i)->letter == letter && option_fits(option_at(i), c)) return option_at(i);
    return NULL;
}

/* One word that begins with --; `i` moves on if its value is the next word. */
static int parse_long(const struct command *c, int argc, char **argv, int *i, struct options *o) {
    const char *word = argv[*i];
    const size_t length = strcspn(word + 2, "=");
    const char *value = word[2 + length] ? word + 2 + length + 1 : NULL;
    const struct option *option = option_named(c, word + 2, length);
    if (!option) return unknown_option(word, 2 + length, c);
    if (option->takes == FLAG) {
        if (!value) return set_option(option, NULL, o);
        complain("--%s takes no value", option->name);
        return TROUBLE;
    }
    if (!value && *i + 1 < argc) value = argv[++*i];
    if (value) return set_option(option, value, o);
    complain("--%s needs a value: --%s %s", option->name, option->name, option->argument);
    return TROUBLE;
}

static int parse_letters(const struct command *c, int argc, char **argv, int *i,
                         struct options *o) {
    for (const char *p = argv[*i] + 1; *p; p++) {
        const struct option *option = option_lettered(c, *p);
        const char flag[] = {'-', *p, 0};
        if (!option) return unknown_option(flag, 2, c);
        if (option->takes == FLAG) {
            set_option(option, NULL, o);
            continue;
        }
        if (p[1]) return set_option(option, p + 1, o);
        if (*i + 1 < argc) return set_option(option, argv[++*i], o);
        complain("-%c needs a value: -%c %s", *p, *p, option->argument);
        return TROUBLE;
    }
    return DONE;
}

int parse_options(const struct command *command, int argc, char **argv, struct options *o) {
    bool ended = false;
    o->command = command;
    o->operands = argv; /* operands move to the front; they never overtake the word being read */
    for (int i = 0; i < argc; i++) {
        int outcome = DONE;
        if (ended || argv[i][0] != '-' || !argv[i][1]) o->operands[o->noperands++] = argv[i];
        else if (!strcmp(argv[i], "--")) ended = true;
        else if (argv[i][1] == '-') outcome = parse_long(command, argc, argv, &i, o);
        else outcome = parse_letters(command, argc, argv, &i, o);
        if (outcome != DONE) return outcome;
    }
    if (o->help) return DONE;
    if (o->noperands < command->least) {
        complain("%s: too few operands: sito %s %s", command->name, command->name,
                 command->operands);
        return TROUBLE;
    }
    if (o->noperands > command->most) {
        complain("%s: `%s` is one too many: sito %s %s", command->name, o->operands[command->most],
                 command->name, command->operands);
        return TROUBLE;
    }
    if (o->verbose) speak_up();
    return DONE;
}
