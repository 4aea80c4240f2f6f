/* peel.h - one piece of a fuse filter, from its keys to its cells. */
#ifndef SITO_PEEL_H
#define SITO_PEEL_H

#include "build/hands.h"
#include "kinds/fuse.h"

enum {
    PEEL_RUNS_MAX = HANDS_MAX,
    WAITING = 1 << 12, /* slots found with one key */
};

struct peeling {
    struct fuse_table t;
    unsigned arity, bits, value_at; /* bits of a slot; the first of a value's */
    uint64_t salt, most_keys;       /* most_keys: planned for a piece */
};

/* What one thread works with. */
struct peeler {
    uint64_t *keys;     /* all keys of a piece, copies too, by segment; NULL: in no order */
    uint64_t *slots;    /* of a piece, and one more: count and keys, at last the marks */
    uint32_t *order;    /* slots in the order of peeling; before, a table of the keys met */
    uint64_t keys_room; /* in `keys`: more than the keys */
    uint64_t room;      /* in `order`: more than slots */
    uint32_t *sums;     /* a slot's keys' values, by xor; NULL: they have none */
    bool is_contrary;   /* a hash came with two values */
    uint32_t waiting[WAITING];
};

/* How far the keys of a piece are on their way from hash to slots. */
enum piece_stage { AS_HASHES, STIRRED };

struct piece_keys {
    const uint64_t *from[PEEL_RUNS_MAX];
    const uint32_t *values[PEEL_RUNS_MAX]; /* as many; NULL: there are none */
    size_t n, run[PEEL_RUNS_MAX];
    unsigned nruns;
    enum piece_stage stage;
};

struct peel_try {
    unsigned number;
    bool is_distinct; /* copies are left out */
    size_t n;         /* keys hung */
};

/* Marks of a piece, of one width or the other, packed to the bit. */
void pack_marks(const struct peeling *w, const uint64_t *wide, const uint32_t *narrow, uint8_t *to);

/* Writes the cells of a piece that has keys, zero before, and how many distinct ones there are;
 * returns the number of the try, or 0: they are too many, or own->is_contrary. */
unsigned peel_piece(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                    uint8_t *cells, uint64_t *nkeys);

#endif
