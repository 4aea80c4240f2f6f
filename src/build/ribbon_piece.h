/*
 * ribbon_piece.h - a run of buckets becomes rows: bucket by bucket it is decided which keys must go
 * to the next layer, then all rows are solved.
 *
 * A bucket is 128 starts. Its keys are all kept, or those that start early in it are bumped: fewer
 * than 16 rows from its first, fewer than 40, or all. The least is bumped that lets the rest be met
 * together with what was kept before; whether it can be does not hang on the keys' order, so every
 * way of building ends in the same bytes.
 */
#ifndef SITO_RIBBON_PIECE_H
#define SITO_RIBBON_PIECE_H

#include "cpu/ribbon_kernel.h"

enum {
    RIBBON_CODES = 4,
    RIBBON_KEYS_MAX = 512, /* more in one bucket are bumped unseen */
};

/* Keys that start before this row of their bucket are bumped. */
static inline unsigned ribbon_bumps_below(unsigned code) {
    return (unsigned)(((uint64_t)RIBBON_BUCKET << 48 | (uint64_t)40 << 32 | 16 << 16) >> 16 * code &
                      0xffff);
}

struct ribbon_bucket {
    uint64_t hash[RIBBON_KEYS_MAX]; /* in the order of their starts */
    uint16_t start[RIBBON_KEYS_MAX];
    uint16_t met[RIBBON_BUCKET]; /* how many have started up to this row */
    uint64_t coef[RIBBON_KEYS_MAX + RIBBON_PAST],
        tag[RIBBON_KEYS_MAX + RIBBON_PAST]; /* filled in when it is taken */
    size_t n;
    unsigned most; /* that start at the same row */
    bool crowded;  /* its keys are gone already, all of them */
    unsigned code;
    struct ribbon_open before; /* what was open when it began */
};

static inline size_t ribbon_first_kept(const struct ribbon_bucket *b, unsigned code) {
    return code ? b->met[ribbon_bumps_below(code) - 1] : 0;
}

struct ribbon_piece {
    const struct ribbon_kernel *kernel;
    struct ribbon_rows rows;
    uint64_t nbuckets; /* taken so far */
    unsigned bits;     /* of a tag */
    struct ribbon_open open;
    struct ribbon_bucket two[2];
    void (*settled)(void *self, uint64_t bucket, const struct ribbon_bucket *b);
    void *self;
};

void ribbon_piece_begin(struct ribbon_piece *p);
/* The bucket to fill with the next keys. */
struct ribbon_bucket *ribbon_piece_next(struct ribbon_piece *p);
void ribbon_piece_take(struct ribbon_piece *p);
/* Settles the 64 rows behind the last bucket; returns the number of rows. */
uint64_t ribbon_piece_end(struct ribbon_piece *p);

#endif
