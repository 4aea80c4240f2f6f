/*
 * scalable_ground.h - the first layer of a scalable filter of tags while it is small: one table
 * that is laid out anew, larger, whenever it is full. So few keys need only one layer, and many
 * need fewer.
 *
 * To lay it out anew takes as many bits of every key's hash as the largest table will need. They
 * are all there: a key's first bucket is always an even one and its other one odd, so that any tag
 * tells which it is in; the bucket's number is the hash's high bits, and the tag has those that
 * follow. A larger table has more of them in the number and fewer in the tag.
 */
#ifndef SITO_SCALABLE_GROUND_H
#define SITO_SCALABLE_GROUND_H

#include "kinds/scalable.h"

struct ground {
    uint64_t half;         /* even buckets: 2^shift and more, below 2^(shift + 1) */
    unsigned shift, known; /* known: bits of every hash; known - shift are in the tag */
};

struct ground_place {
    uint64_t bucket;
    uint32_t tag;
};

struct ground ground_of(const struct shape *s, unsigned step);

static inline unsigned ground_bits(const struct ground *g) { return g->known - g->shift; }

/* The product's high bits are the bucket, its low ones where in it the hash lies. Of these the tag
 * has as many as keep neighbours apart; 0 is left out, it is an empty slot. */
static inline struct ground_place ground_find(const struct ground *g, uint64_t hash) {
    uint64_t product = (hash >> (64 - g->known)) * g->half, bucket = product >> g->known;
    uint64_t rest = product - (bucket << g->known);
    rest -= rest >> (ground_bits(g) - 1);
    return (struct ground_place){2 * bucket, 1 + (uint32_t)(rest >> g->shift)};
}

/* A hash that finds this place in a cuckoo table. */
uint64_t ground_hash(const struct ground *g, const struct ground_place *p);

/* The known bits of the hash whose tag lies in that slot, the others 0. From hostile bytes anything
 * may come out, but no more than a hash. */
uint64_t known_hash(const struct ground *g, uint64_t slot, uint32_t tag);

/* All keys into the next larger table, and this one. Nothing is changed if that cannot be. */
sito_rc ground_more(sito_filter *f, uint64_t hash);

#endif
