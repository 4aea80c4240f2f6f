/*
 * counters.h - counters of b bits, 2..16, packed to the bit, that stay at their largest value once
 * they reach it.
 *
 * Counter i is slot i of slots.h. Here it is read through the byte that holds it, or the aligned
 * word, and the next word only where it straddles both: no cache line is touched for nothing. Whole
 * tables are gone through several counters at a time, as lanes of a word.
 */
#ifndef SITO_COUNTERS_H
#define SITO_COUNTERS_H

#include "cells/slots.h"

enum { COUNTER_MIN = 2, COUNTER_MAX = 16 };

static inline bool is_in_a_byte(unsigned b) { return b == 2 || b == 4 || b == 8; }

/* The counter that begins at this bit. */
static inline uint64_t counter_from(const uint8_t *cells, uint64_t bit, unsigned b) {
    if (is_in_a_byte(b)) return (uint64_t)cells[bit / 8] >> (bit % 8) & low_bits(b);
    const uint8_t *word = cells + bit / 64 * 8;
    unsigned shift = (unsigned)(bit % 64);
    uint64_t v = get64(word) >> shift;
    if (shift + b > 64) v |= get64(word + 8) << (64 - shift);
    return v & low_bits(b);
}

static inline uint64_t counter_at(const uint8_t *cells, uint64_t i, unsigned b) {
    return counter_from(cells, i * b, b);
}

static inline void counter_put(uint8_t *cells, uint64_t i, unsigned b, uint64_t v) {
    uint64_t bit = i * b, mask = low_bits(b);
    uint8_t *word = cells + bit / 64 * 8;
    unsigned shift = (unsigned)(bit % 64);
    put64(word, (get64(word) & ~(mask << shift)) | v << shift);
    if (shift + b > 64) {
        unsigned first = 64 - shift;
        put64(word + 8, (get64(word + 8) & ~(mask >> first)) | v >> first);
    }
}

/* These return what the counter was. One at its largest value no longer knows how often it was
 * counted up, so it is never counted down. */
static inline uint64_t counter_up(uint8_t *cells, uint64_t i, unsigned b) {
    uint64_t was = counter_at(cells, i, b);
    if (was < low_bits(b)) counter_put(cells, i, b, was + 1);
    return was;
}

static inline uint64_t counter_down(uint8_t *cells, uint64_t i, unsigned b) {
    uint64_t was = counter_at(cells, i, b);
    if (was > 0 && was < low_bits(b)) counter_put(cells, i, b, was - 1);
    return was;
}

/* ---- whole tables ---- */

/* How many counters go through a word at once, from a byte's or half a byte's border on; and the
 * lowest and the highest bit of each. */
struct lanes {
    unsigned bits, count;
    uint64_t low, high;
};

static inline struct lanes lanes_of(unsigned b) {
    struct lanes l = {.bits = b, .low = 1};
    l.count = b == 1 ? 64 : b == 2 ? 32 : b <= 4 ? 16 : b <= 8 ? 8 : 4;
    for (unsigned wide = b; wide < l.count * b; wide *= 2) l.low |= l.low << wide;
    l.high = l.low << (b - 1);
    return l;
}

/* The lanes from counter i on, of n in all; those past the last are 0, and are not written. */
static inline uint64_t lanes_mask(const struct lanes *l, uint64_t i, uint64_t n) {
    return low_bits((unsigned)least(l->count, n - i) * l->bits);
}

static inline uint64_t lanes_at(const uint8_t *cells, const struct lanes *l, uint64_t i,
                                uint64_t n) {
    uint64_t bit = i * l->bits;
    return get64(cells + bit / 8) >> (bit % 8) & lanes_mask(l, i, n);
}

static inline void lanes_put(uint8_t *cells, const struct lanes *l, uint64_t i, uint64_t n,
                             uint64_t v) {
    uint64_t bit = i * l->bits, mask = lanes_mask(l, i, n) << (bit % 8);
    uint8_t *p = cells + bit / 8;
    put64(p, (get64(p) & ~mask) | (v << (bit % 8) & mask));
}

/* The highest bit of each lane that is not 0. */
static inline uint64_t lanes_used(const struct lanes *l, uint64_t v) {
    return (((v & ~l->high) + (l->high - l->low)) | v) & l->high;
}

/* Sums that stop at the largest value. All but the highest bits are added first, so that nothing
 * carries into the next lane. */
static inline uint64_t lanes_sum(const struct lanes *l, uint64_t a, uint64_t b) {
    uint64_t rest = (a & ~l->high) + (b & ~l->high);
    uint64_t over = ((a & b) | ((a | b) & rest)) & l->high;
    return (rest ^ ((a ^ b) & l->high)) | (over >> (l->bits - 1)) * low_bits(l->bits);
}

static inline void counters_add(uint8_t *into, const uint8_t *from, uint64_t n, unsigned b) {
    struct lanes l = lanes_of(b);
    for (uint64_t i = 0; i < n; i += l.count) {
        uint64_t sum = lanes_sum(&l, lanes_at(into, &l, i, n), lanes_at(from, &l, i, n));
        lanes_put(into, &l, i, n, sum);
    }
}

static inline uint64_t counters_used(const uint8_t *cells, uint64_t n, unsigned b) {
    struct lanes l = lanes_of(b);
    uint64_t used = 0;
    for (uint64_t i = 0; i < n; i += l.count)
        used += (unsigned)__builtin_popcountll(lanes_used(&l, lanes_at(cells, &l, i, n)));
    return used;
}

static inline uint64_t counters_full(const uint8_t *cells, uint64_t n, unsigned b) {
    struct lanes l = lanes_of(b);
    uint64_t full = 0;
    for (uint64_t i = 0; i < n; i += l.count) {
        uint64_t short_of = lanes_used(&l, ~lanes_at(cells, &l, i, n));
        full += (unsigned)__builtin_popcountll(l.high & ~short_of);
    }
    return full;
}

#endif
