/*
 * image.h - the automaton as it lies in memory and in a file: one run of bytes without pointers.
 *
 * Every character has a class: 0 strangers, 1 the edge of a word, then the alphabet. A level is a
 * table of rows, one entry a class. An entry is the row to go on from, and what the character just
 * read has to say about the gaps behind it:
 *
 *     bit 31: special | row | `opbits` bits: number of the window, or of the special
 *
 * A window is the values of the last 16 gaps. What does not fit in one (a longer pattern, a change
 * of spelling) is special: found seldom, and worked out by exact.c.
 */
#ifndef HYPHEN_IMAGE_H
#define HYPHEN_IMAGE_H

#include "hyphen.h"

enum { WINDOW = 16, PAGE = 64, NPAGES = 0x110000 / PAGE };
/* A class and its flags. WIDE is set as words are read: more than one byte, under a .dic in UTF-8. */
enum { CLASS = 0x0fff, WIDE = 0x1000, UNUSUAL = 0x2000, LONG_LIGATURE = 0x4000, DIGIT = 0x8000 };
#define FLAGS 0xe000u /* those that need exact.c */
enum { STRANGER = 0, CLASS_EDGE = 1 };

#define SPECIAL 0x80000000u
#define NONE 0xffffffffu

struct special {
    uint32_t values, nvalues; /* the last one is that of the gap behind the character just read */
    uint32_t change;          /* or NONE */
    uint32_t next; /* entry's low bits and SPECIAL of a shorter pattern that holds too, or NONE */
    uint32_t edge; /* 1: begins with the edge, which the change's start does not count */
};

struct image_level {
    uint64_t table, windows, specials; /* where they begin */
    uint32_t nrows, stride, factor;    /* an entry's row times factor is its place in the table */
    uint32_t opbits, nwindows, nspecials;
};

struct image_head {
    char magic[8];
    uint32_t order, version;
    uint64_t bytes, sum; /* of every byte but its own */
    uint32_t dic, utf8, implicit, nlevels;
    uint32_t left, right, cleft, cright;
    uint32_t nclasses, nblocks, nchanges, reserved;
    uint64_t pages, blocks; /* uint16_t each: page -> block -> class and flags */
    uint64_t alphabet;      /* uint32_t: class -> character */
    uint64_t values, nvalues, changes, text, ntext;
    uint64_t nohyphen, nnohyphen; /* uint16_t: classes of each item, then 0 */
    uint64_t exceptions, nexceptions;
    struct image_level level[MAX_LEVELS];
};

/* The same with pointers, for those who walk. */
struct level {
    const uint32_t *table;
    const uint8_t (*windows)[WINDOW];
    const struct special *specials;
    uint32_t factor, opbits, opmask;
    uint32_t begin; /* the entry after the edge */
};

struct hyphen {
    const struct image_head *head;
    const char *base;
    size_t bytes;
    bool mapped;
    unsigned left, right;
    const uint16_t *pages, *blocks;
    uint16_t ascii[256]; /* class and flags; what is no ASCII is UNUSUAL */
    struct level level[MAX_LEVELS];
};

/* Point into an image that is sound. */
void hyphen_attach(hyphen *h, const void *base, size_t bytes, bool mapped);

static inline uint16_t class_of(const hyphen *h, uint32_t c) {
    return h->blocks[(size_t)h->pages[c / PAGE] * PAGE + c % PAGE];
}

static inline uint32_t step(const struct level *l, uint32_t entry, uint32_t class) {
    return l->table[(size_t)((entry & ~SPECIAL) >> l->opbits) * l->factor + class];
}

#endif
