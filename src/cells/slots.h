/*
 * slots.h - cells of b bits, 1..64, packed to the bit: slot i is bits i*b .. i*b+b-1 of a
 * little-endian string.
 *
 * A slot is read through the eight bytes that hold its first bit (and a ninth where b is large), or
 * in a vector with its neighbours; so up to sixteen bytes past the last slot are read, and written
 * back as they were. Every segment has that room, and so has every image: its sums come last.
 */
#ifndef SITO_SLOTS_H
#define SITO_SLOTS_H

#include "core/base.h"

enum { SLOTS_SLACK = 16 };

static inline uint64_t low_bits(unsigned b) { return b < 64 ? ((uint64_t)1 << b) - 1 : UINT64_MAX; }

static inline uint64_t slot_get(const uint8_t *cells, uint64_t i, unsigned b) {
    uint64_t bit = i * b;
    const uint8_t *p = cells + bit / 8;
    unsigned shift = (unsigned)(bit % 8);
    uint64_t v = get64(p) >> shift;
    if (b + shift > 64) v |= (uint64_t)p[8] << (64 - shift);
    return v & low_bits(b);
}

static inline void slot_put(uint8_t *cells, uint64_t i, unsigned b, uint64_t v) {
    uint64_t bit = i * b, mask = low_bits(b);
    uint8_t *p = cells + bit / 8;
    unsigned shift = (unsigned)(bit % 8);
    put64(p, (get64(p) & ~(mask << shift)) | v << shift);
    if (b + shift > 64) {
        unsigned high = 64 - shift;
        p[8] = (uint8_t)((p[8] & ~(mask >> high)) | v >> high);
    }
}

#endif
