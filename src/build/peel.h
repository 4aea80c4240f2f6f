/* peel.h - one piece of a fuse filter, from its keys to its cells. */
#ifndef SITO_PEEL_H
#define SITO_PEEL_H

#include "build/hands.h"
#include "kinds/fuse.h"

enum {
    PEEL_RUNS_MAX = HANDS_MAX,
    WAITING = 1 << 12, /* slots found with one key */
    ORDER_BYTES = 3,   /* a key in the order of peeling */
};

struct peeling {
    struct fuse_table t;
    unsigned arity, bits;
    uint64_t salt, most_keys; /* most_keys: planned for a piece */
};

/* What one thread works with: room for the keys of a piece, copies too, for its slots, and for three
 * bytes a distinct key and one more. */
struct peeler {
    uint64_t *keys;  /* drawn, by segment */
    uint32_t *slots; /* count and numbers, and at last the marks */
    uint8_t *order;  /* of peeling */
    uint32_t waiting[WAITING];
};

/* The keys of one piece, in runs: as they came, or stirred already. */
struct piece_keys {
    const uint64_t *from[PEEL_RUNS_MAX];
    size_t n, run[PEEL_RUNS_MAX];
    unsigned nruns;
    bool is_stirred;
};

/* Writes the cells of a piece that has keys, zero before, and how many distinct ones there are; returns the number
 * of the try, or 0: they are too many. */
unsigned peel_piece(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                    uint8_t *cells, uint64_t *nkeys);

#endif
