/*
 * speed.h - how long does a kind take on this machine?
 *
 * A round makes a filter anew, asks it, and reads as many bytes at random as it has, all on one
 * thread in CPU time; of every figure the least of the rounds is kept, for noise only ever adds.
 * Rounds of several kinds take turns, so that a busy moment of the machine meets them all.
 *
 * Keys are 8 bytes. Questions are a mix of keys inside and strangers, in random order, new in every
 * pass; a first pass warms the caches. One by one they go from key bytes to answer; in batches
 * their hashes are there already.
 */
#ifndef CLI_SPEED_H
#define CLI_SPEED_H

#include <sito/sito.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHARES = 7 };

struct effort {
    unsigned rounds;
    size_t nasked; /* in one pass; a multiple of 1024 */
    double shares[SHARES];
    size_t nshares; /* of strangers among the questions: how many mixes, and which */
    bool raw;       /* measure the raw read too */
};

struct speed {
    sito_plan plan; /* the wish, solved */
    bool planned;   /* if not, rc says why there is no plan; else why there is no filter */
    sito_rc rc;
    uint64_t bytes;                                   /* cells and whatever queries read */
    double build, hash, single[SHARES], many[SHARES]; /* ns a key */
    double raw_plain, raw_best;                       /* ns a random line of as many bytes */
    uint64_t strangers, taken;                        /* asked, and taken for keys */
    uint64_t sum;                                     /* of what was read */
};

/* Stay on one core, if the system lets. */
void speed_pin(void);

/* One round of `wish` more. Nothing happens once rc is an error; SITO_EDAMAGED: a key was denied. */
void speed_round(struct speed *s, const sito_plan *wish, const struct effort *e, unsigned round);

#endif
