/* hasher.h - keys become hashes, off the caller's thread: input_work()'s work for commands that
 * write. */
#ifndef CLI_HASHER_H
#define CLI_HASHER_H

#include <sito/sito.h>

#include "input.h"

struct hasher {
    sito_filter *tiny;
    unsigned bits; /* how many of the top bits are the hash; 64, but for bitmap */
};

/* The hash of filters made by `plan`, whose seed or key is known; DONE, or an exit status. A
 * bitmap's hash is cut to its bits only if the plan has its size: hasher_bits() tells, to cut it
 * later. */
int hasher_new(const sito_plan *plan, struct hasher *h);
unsigned hasher_bits(const sito_plan *plan);
void hasher_work(void *self, struct batch *b);
void hasher_free(struct hasher *h);

/* In two steps: a shift by 64 is none. */
static inline uint64_t top_bits(uint64_t hash, unsigned bits) {
    return bits == 64 ? hash : hash >> 1 >> (63 - bits);
}

#endif
