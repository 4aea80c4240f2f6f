/* backwards.h - hashes chosen for what fuse makes of them: its stirring, run backwards. */
#ifndef TESTS_BACKWARDS_H
#define TESTS_BACKWARDS_H

#include "kinds/fuse.h"

static inline uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

static inline uint64_t unshifted(uint64_t y, unsigned shift) {
    uint64_t x = y;
    for (unsigned i = shift; i < 64; i += shift) x = y ^ x >> shift;
    return x;
}

/* The hash that is stirred into x. */
static inline uint64_t unstirred(uint64_t x) {
    x = unshifted(x, 32) * inverse(FUSE_STIR_TWO);
    x = unshifted(x, 29) * inverse(FUSE_STIR_ONE);
    return unshifted(x, 32);
}

#endif
