/*
 * image.h - the automaton as it lies in memory and in a file: one run of bytes without pointers.
 *
 * Every character has a class: 0 strangers, 1 the edge of a word, then the alphabet; if there are
 * Latin letters, those from a to z come first. A level is an array of slots. From a state, which is
 * a place in that array, a character leads to the slot as far behind it as its class says: if the
 * slot is the state's own, which its check tells, it holds the next state. If not, the next state is
 * the one that the last two characters alone would have led to: those have rows of their own, and
 * `usual` tells where each begins. (Of larger alphabets one character counts, or none.)
 *
 *     slot: 24 bits next state | 8 unused | 16 bits what to say about the gaps | 16 bits check
 *
 * Where the states are few, each has a row with all characters instead, which takes more room but no
 * second look:
 *
 *     slot: 19 bits next state | 13 bits what to say about the gaps
 *
 * What is said is twice the number of a window, the values of the last 16 gaps. What does not fit in one
 * (a longer pattern, a change of spelling) is special: found seldom, and worked out by exact.c. Its
 * number follows those of the windows, and there is a window there which says only that.
 *
 * A state has at most 24 bits and what is said 16, so a damaged slot cannot lead far: mapped files are
 * followed by as many readable bytes as that. So a file is opened without a look at its slots, which
 * are nearly all of it: they and the exceptions stand behind the rest, and hyphen_check() sums them.
 */
#ifndef HYPHEN_IMAGE_H
#define HYPHEN_IMAGE_H

#include "hyphen.h"

enum { WINDOW = 16, PAGE = 64, NPAGES = 0x110000 / PAGE };
/* A class and its flags. WIDE is set as words are read: more than one byte, under a .dic in UTF-8. */
enum { CLASS = 0x0fff, WIDE = 0x1000, UNUSUAL = 0x2000, LONG_LIGATURE = 0x4000, DIGIT = 0x8000 };
#define FLAGS 0xe000u /* those that need exact.c */
enum { STRANGER = 0, CLASS_EDGE = 1 };

enum { FULL_SAID_BITS = 13 }; /* of a slot in a full row */
enum { STATE_BITS = 24, NOBODY = 0xffff, MOST_SAID = 0x7fff, SPECIAL_VALUE = 0x80 };
#define NONE 0xffffffffu

struct special {
    uint32_t values, nvalues; /* the last one is that of the gap behind the character just read */
    uint32_t change;          /* or NONE */
    uint32_t next;            /* what a shorter pattern that holds too says, or NONE */
    uint32_t edge;            /* 1: begins with the edge, which the change's start does not count */
};

struct image_level {
    uint64_t slots, usual, windows, specials; /* where they begin */
    uint32_t nslots, shift, nusual;           /* of characters that count: bits each, all */
    uint32_t nwindows, nspecials;
    uint32_t full; /* 1: slots are uint32_t, in full rows */
};

struct image_head {
    char magic[8];
    uint32_t order, version;
    uint64_t bytes, small; /* of all; of the head and the small sections, which come first */
    uint64_t sum, rest;    /* of the small ones but itself; of all behind them */
    uint32_t dic, utf8, implicit, nlevels;
    uint32_t left, right, cleft, cright;
    uint32_t nclasses, nblocks, nchanges;
    uint32_t latin;   /* a to z are the classes from 2 on */
    uint32_t quick;   /* words may follow each other with one edge between, and a class is a byte */
    uint32_t unended; /* no pattern of the first level ends with an edge */
    uint64_t pages, blocks; /* uint16_t each: page -> block -> class and flags */
    uint64_t alphabet;      /* uint32_t: class -> character */
    uint64_t values, nvalues, changes, text, ntext;
    uint64_t nohyphen, nnohyphen; /* uint16_t: classes of each item, then 0 */
    uint64_t exceptions, nexceptions;
    struct image_level level[MAX_LEVELS];
};

/* The same with pointers, for those who walk. */
struct level {
    const uint64_t *slots;
    const uint32_t *full; /* or NULL; in place of the slots */
    const uint32_t *usual;
    const uint8_t (*windows)[WINDOW];
    const struct special *specials;
    uint32_t shift, recent; /* how `usual` is indexed: bits a character, and a mask of all */
    uint32_t nwindows, nspecials;
};

enum { NSMALL = 0x800 }; /* characters of at most two bytes */

struct hyphen {
    const struct image_head *head;
    const char *base;
    size_t bytes, reserved; /* reserved: of addresses, if it is mapped */
    unsigned left, right;
    const uint16_t *pages, *blocks;
    uint16_t small[NSMALL]; /* class and flags */
    struct level level[MAX_LEVELS];
};

/* Point into an image that is sound. */
void hyphen_attach(hyphen *h, const void *base, size_t bytes, size_t reserved);

static inline uint16_t class_of(const hyphen *h, uint32_t c) {
    return h->blocks[(size_t)h->pages[c / PAGE] * PAGE + c % PAGE];
}

/* Where a walk is: the slot it came by, and the last characters. All 0 before the first. */
struct walk {
    uint64_t slot;
    uint32_t recent;
};

/* The next slot, which of full rows is one of 32 bits. `recent`: the last characters before. */
static inline uint64_t slot_from(const struct level *l, uint64_t slot, uint32_t recent,
                                 size_t class, bool full) {
    if (full) return l->full[((uint32_t)slot >> FULL_SAID_BITS) + class];
    /* In this order, or compilers make a branch of it. */
    const uint64_t usual = l->slots[(size_t)l->usual[recent] + class];
    const uint64_t own = l->slots[(slot >> (64 - STATE_BITS)) + class];
    return (uint16_t)own == (uint16_t) class ? own : usual;
}

/* Twice the number of what it says. */
static inline uint32_t said_twice(uint64_t slot, bool full) {
    return full ? (uint32_t)slot & ((1u << FULL_SAID_BITS) - 2) : (uint32_t)slot >> 16 & 0xfffe;
}

static inline struct walk step(const struct level *l, struct walk at, uint32_t class) {
    return (struct walk){slot_from(l, at.slot, at.recent, class, l->full),
                         (at.recent << l->shift | class) & l->recent};
}

static inline uint32_t said(const struct level *l, struct walk at) {
    return said_twice(at.slot, l->full) / 2;
}

#endif
