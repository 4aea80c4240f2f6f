/* room.h - the memory that words are worked in: kept from word to word, given back like a stack. */
#ifndef HYPHEN_ROOM_H
#define HYPHEN_ROOM_H

#include "image.h"

struct alter {       /* what a break changes in the spelling */
    uint32_t change; /* number + 1; 0: nothing */
    uint32_t back;   /* characters between where the change begins and the break */
    uint32_t cut;
};

struct chunk {
    struct chunk *before;
    size_t bytes, used;
    char room[];
};

struct hyphen_room {
    struct chunk *chunk;
    size_t nchars_room; /* of the arrays below */
    uint16_t *classes;
    size_t *places; /* byte at which each character begins, and the end */
    uint8_t *odd;   /* 1: may break after this character */
    struct alter *alters;
    struct hyphen_break *breaks;
    struct quick *quick; /* of quick.c, or NULL */
    bool altered;        /* some alters are set */
    bool failed;         /* no memory */
};

struct mark {
    struct chunk *chunk;
    size_t used;
};

struct mark room_mark(const struct hyphen_room *r);
void room_release(struct hyphen_room *r, struct mark to);
void *room_take(struct hyphen_room *r, size_t bytes); /* NULL, and r->failed */

/* The gaps of a word at one level, into `odd`; false if something special was met. */
bool walk_long(const struct level *l, const uint16_t *classes, size_t n, uint8_t *odd);

/* The breaks of a word of 2 to 62 bytes, as hyphen_many() has them. */
enum { QUICK_WORD = 62 };
uint64_t quick_word(const hyphen *h, struct hyphen_room *r, const char *word, size_t n);

/* All rules: levels, changes, digits, ligatures, forbidden places. Fills room->odd and ->alters. */
void break_exactly(const hyphen *h, struct hyphen_room *r, size_t n);

#endif
