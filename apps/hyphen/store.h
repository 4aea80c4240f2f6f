/*
 * store.h - words with their breaks, sorted, on disk; one block is read for each question.
 *
 * A file of blocks of 4 KiB. An entry is its length in two bytes (little-endian) and the spelling in
 * small letters, with a hyphen at each break; it is sorted by the spelling without hyphens. Behind
 * the blocks stands the first word of each, which is all that is kept in memory.
 *
 * Each block ends with a checksum, looked at whenever the block is read, that tells its place and
 * its store too; the head has one of itself and of the index, looked at on opening.
 */
#ifndef HYPHEN_STORE_H
#define HYPHEN_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "patterns.h"

enum { STORE_BLOCK = 4096, STORE_ROOM = STORE_BLOCK - 8, STORE_WORD = 1000 };

struct entry {
    const char *text;
    uint32_t bytes;
    uint64_t begins; /* the first letters as a number: most words are put in order by it alone */
};

struct store {
    int fd;
    uint64_t id, nwords, nblocks;
    uint64_t reads;   /* blocks read to answer questions */
    uint32_t *firsts; /* where in `text` the first word of each block begins, and the end */
    char *text;
    char block[STORE_BLOCK];
};

struct store_writer {
    int fd;
    uint64_t id, nwords, nblocks;
    struct growing index; /* char: the first word of each block, and a line's end */
    size_t used;
    char block[STORE_BLOCK];
};

/* Which word comes first? -1, 0 or 1. */
int store_order(const struct entry *a, const struct entry *b);

/* Order `n` entries by their words; of two for one word the text that lies behind the other in
 * memory holds. How many are left. */
size_t store_sort(struct entry *entries, size_t n);

/* Write a store to a file that is open for writing: its entries in order, then the end, which is
 * called whatever came before. Nobody takes the file for a store until all of it is there. */
void store_begin(struct store_writer *w, int fd, uint64_t id);
bool store_put(struct store_writer *w, const struct entry *e);
bool store_end(struct store_writer *w, bool fine);

/* Take over an open file; it is closed by store_close(). On failure a sentence, else NULL. */
const char *store_open(struct store *s, int fd);
void store_close(struct store *s);
bool store_is_one(const char *path);

/* The entry of a word, without hyphens and in small letters: 1 found, good until the next call; 0
 * not there; -1 if the file cannot be read, or is damaged there. */
int store_find(struct store *s, const char *word, size_t n, struct entry *out);

/* All entries in order, until `each` says false; false too if the file cannot be read, or is damaged.
 */
bool store_each(struct store *s, bool (*each)(void *self, const struct entry *e), void *self);

/* The word of an entry: its spelling without hyphens. Returns its length. */
size_t entry_word(const struct entry *e, char to[STORE_WORD]);

#endif
