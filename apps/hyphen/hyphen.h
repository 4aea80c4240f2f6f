/*
 * hyphen.h - where may this word be broken?
 *
 *     pattern file --patterns.h--> patterns --hyphen_compile()--> automaton --> breaks of a word
 *                                                                  | ^
 *                                       hyphen_save(), a file <----' `---- hyphen_map()
 *
 * Under hyph-utf8 and TeX files the answers are TeX's; under .dic files libhyphen's, with its
 * compounds and changes of spelling. Words are UTF-8 and may be of any length; capitals count as
 * small letters. A word that is no UTF-8 has no breaks.
 *
 * A compiled `hyphen` is read-only and may be used by any number of threads; each needs a
 * hyphen_room of its own, which is where the breaks of its last word are. Nothing is allocated for
 * a word, except when it is longer than all before it.
 */
#ifndef HYPHEN_HYPHEN_H
#define HYPHEN_HYPHEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "patterns.h"

typedef struct hyphen hyphen;
typedef struct hyphen_room hyphen_room;

/* A break stands before byte `at`. With a change of spelling, `cut` bytes from `start` on become
 * the `text` of `bytes` bytes, in which = is the break; else text is NULL. */
struct hyphen_break {
    size_t at, start, cut, bytes;
    const char *text;
};

/* NULL and a sentence in `why`. */
hyphen *hyphen_compile(const struct patterns *p, char why[WHY_ROOM]);
hyphen *hyphen_map(const char *path, char why[WHY_ROOM]); /* a file that hyphen_save() wrote */
bool hyphen_save(const hyphen *h, const char *path, char why[WHY_ROOM]);
void hyphen_free(hyphen *h);

/* Does the file begin as hyphen_save() begins one? */
bool hyphen_is_saved(const char *path);

/* The least number of characters before and after a break; the patterns' own if never set. */
void hyphen_set_mins(hyphen *h, unsigned left, unsigned right);
unsigned hyphen_left(const hyphen *h);
unsigned hyphen_right(const hyphen *h);

/* Words with hyphens that came with the patterns, each ended by a newline. */
const char *hyphen_exceptions(const hyphen *h, size_t *bytes);

/* Does this character, which is no letter, belong to a word if it stands between two letters? */
bool hyphen_joins(const hyphen *h, uint32_t c);

hyphen_room *hyphen_room_new(void);
void hyphen_room_free(hyphen_room *room);

/* The breaks of a word: how many, and *breaks, in order, good until the next call. */
size_t hyphen_word(const hyphen *h, hyphen_room *room, const char *word, size_t n,
                   const struct hyphen_break **breaks);

#endif
