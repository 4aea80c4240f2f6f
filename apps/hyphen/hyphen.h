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
#include <stdio.h>

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
bool hyphen_save(const hyphen *h, const char *path, char why[WHY_ROOM]);
bool hyphen_write(const hyphen *h, FILE *to); /* what hyphen_save() saves; not flushed */
void hyphen_free(hyphen *h);

/* A file that hyphen_save() wrote. Opening it takes the same time however large it is: most of it is
 * not looked at, so damage there, while never dangerous, would make wrong breaks. hyphen_check()
 * reads all of it: false if it is damaged. */
hyphen *hyphen_map(const char *path, char why[WHY_ROOM]);
bool hyphen_check(const hyphen *h);

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

/* Words of one text at once, which is quicker by far: bit b of breaks[i] is set if word i may break
 * before its byte b. HYPHEN_ASK instead if hyphen_word() is to be asked: the word has more than 62
 * bytes, or its spelling may change. Of `text` HYPHEN_BEHIND more bytes than the words' must be
 * readable, whatever they are. False if there is no memory. */
struct hyphen_span {
    uint32_t at, n;
};
enum { HYPHEN_BEHIND = 64 };
#define HYPHEN_ASK UINT64_MAX
bool hyphen_many(const hyphen *h, hyphen_room *room, const char *text,
                 const struct hyphen_span *words, size_t nwords, uint64_t *breaks);

#endif
