/*
 * level_walk.h - whole tables of levels, b bits each, packed to the bit: faded, lowered, merged.
 *
 * Lowering and merging take a word of cells at once, as lanes (cells/counters.h); the two formulas
 * are macros, for words of any width. Fading multiplies by p/q and rounds down, in integers:
 *
 *     floor(v * p / q) = floor(v * M / 2^s),  M = ceil(p * 2^s / q),  if v * (M q - p 2^s) < 2^s.
 *
 * The surplus in brackets is below q. So s = 48 is right for every fraction and every level; shorter
 * ones for those that pass the test.
 */
#ifndef SITO_LEVEL_WALK_H
#define SITO_LEVEL_WALK_H

#include "cells/counters.h"

/* One less, but 0 stays: `high` is each lane's highest bit, `low` its lowest. */
#define LANES_LOWERED(v, low, high, b)                                                             \
    ((v) - ((((((v) & ~(high)) + ((high) - (low))) | (v)) & (high)) >> ((b)-1)))

/* The highest bit of each lane where x is not below y. */
#define LANES_NOT_BELOW(x, y, high)                                                                \
    ((((x) & ~(y)) | (~((x) ^ (y)) & (((x) | (high)) - ((y) & ~(high))))) & (high))

/* `at_least`: of the lanes to be taken from x, the highest bit. */
#define LANES_CHOSEN(x, y, at_least, b)                                                            \
    ((y) ^ (((x) ^ (y)) & (((at_least) << 1) - ((at_least) >> ((b)-1)))))

struct level_factor {
    uint64_t times;
    unsigned shift;
};

/* Always right. */
static inline struct level_factor factor_of_any(uint32_t p, uint32_t q) {
    return (struct level_factor){(uint64_t)((((unsigned __int128)p << 48) + q - 1) / q), 48};
}

/* A shift of 16 if that is enough for levels up to `top`, else one of 32; false: neither is. One
 * division serves both, for rounding up twice is rounding up once. */
static inline bool factor_of_few(uint32_t p, uint32_t q, uint64_t top, struct level_factor *f) {
    uint64_t scaled = (uint64_t)p << 32, times = (scaled + q - 1) / q, few = (times + 65535) >> 16;
    uint64_t surplus = few * q - (scaled >> 16);
    bool is_enough = few < 65536 && surplus * top < 65536;
    *f = is_enough ? (struct level_factor){few, 16} : (struct level_factor){times, 32};
    return is_enough || (times * q - scaled) * top < (uint64_t)1 << 32;
}

/* From cell `from` on, which begins a word of lanes: what is left when wider words have done the
 * rest. */
static inline void levels_fade(uint8_t *cells, uint64_t from, uint64_t n, unsigned b, uint32_t p,
                               uint32_t q) {
    struct level_factor f = factor_of_any(p, q);
    for (uint64_t i = from; i < n; i++)
        slot_put(cells, i, b, slot_get(cells, i, b) * f.times >> f.shift);
}

static inline void levels_lower(uint8_t *cells, uint64_t from, uint64_t n, unsigned b) {
    struct lanes l = lanes_of(b);
    for (uint64_t i = from; i < n; i += l.count) {
        uint64_t v = lanes_at(cells, &l, i, n);
        lanes_put(cells, &l, i, n, LANES_LOWERED(v, l.low, l.high, b));
    }
}

static inline void levels_merge(uint8_t *into, const uint8_t *from, uint64_t first, uint64_t n,
                                unsigned b) {
    struct lanes l = lanes_of(b);
    for (uint64_t i = first; i < n; i += l.count) {
        uint64_t x = lanes_at(into, &l, i, n), y = lanes_at(from, &l, i, n);
        uint64_t at_least = LANES_NOT_BELOW(x, y, l.high);
        lanes_put(into, &l, i, n, LANES_CHOSEN(x, y, at_least, b));
    }
}

#endif
