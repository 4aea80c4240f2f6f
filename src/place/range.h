/* range.h - 64 uniform bits -> 0..n-1 without a division, monotone in the high bits, so that a part
 * of the hashes is a contiguous part of the table. */
#ifndef SITO_RANGE_H
#define SITO_RANGE_H

#include "core/base.h"

static inline uint64_t range_of(uint64_t x, uint64_t n) {
    return (uint64_t)(((unsigned __int128)x * n) >> 64);
}

/* The first x of those that range_of(x, n) sends to `place`, which is below n, or behind it. */
static inline uint64_t range_begin(uint64_t place, uint64_t n) {
    return (uint64_t)((((unsigned __int128)place << 64) + n - 1) / n);
}

#endif
