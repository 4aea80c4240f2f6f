/*
 * exceptions.h - words that do not follow the patterns, in a store on disk behind a filter.
 *
 *     word --small letters--> guard: surely no exception, or perhaps
 *                               `-- perhaps --> store: one block read --> its breaks, or none
 *
 * The guard and the store are asked for the same bytes, the word in small letters without hyphens.
 * The guard never denies an exception, so it saves reads and changes no answer.
 */
#ifndef HYPHEN_EXCEPTIONS_H
#define HYPHEN_EXCEPTIONS_H

#include <sito/sito.h>

#include "store.h"

struct exceptions {
    struct store store;
    sito_filter *guard; /* NULL: every word is looked up */
    uint64_t asked, passed, found;
    bool unreadable; /* a read failed */
};

/* A list of words with hyphens while it is gathered. */
struct word_list {
    struct growing text;    /* char */
    struct growing entries; /* struct entry; text as offset until sealed */
};

/* Add the words of a file, or of memory: one a line, or \hyphenation{...}. % begins a comment. */
bool words_read(struct word_list *l, const char *path, char why[WHY_ROOM]);
bool words_parse(struct word_list *l, const char *name, const char *bytes, size_t n,
                 char why[WHY_ROOM]);
bool words_add_store(struct word_list *l, const char *path, char why[WHY_ROOM]);
void words_free(struct word_list *l);

/* A store of the list in a temporary file, with a guard as planned (kind NULL: none). */
bool exceptions_make(struct exceptions *x, struct word_list *l, const sito_plan *guard,
                     char why[WHY_ROOM]);
void exceptions_close(struct exceptions *x);

/* The entry of a word that is in small letters. */
bool exceptions_find(struct exceptions *x, const char *word, size_t n, struct entry *out);

/* The store at `path` with these words too, or without them; made if it is not there. How many were
 * new, or gone; -1 and a sentence. Its guard beside it, `path`.guard, changes with it. */
int64_t exceptions_learn(const char *path, struct word_list *l, const sito_plan *guard,
                         char why[WHY_ROOM]);
int64_t exceptions_forget(const char *path, struct word_list *l, char why[WHY_ROOM]);

/* Open a store that was learned, and its guard if it fits; `guard` is made anew if it does not, or
 * if a kind is asked for. */
bool exceptions_open(struct exceptions *x, const char *path, const sito_plan *guard,
                     char why[WHY_ROOM]);

#endif
