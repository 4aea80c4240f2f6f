/*
 * bits.h - cells of one bit. Bit j is bit j % 8 of byte j / 8, on every machine.
 *
 * Reads are relaxed atomic loads: the same instruction as a plain one, and shared adds may run
 * beside them.
 */
#ifndef SITO_BITS_H
#define SITO_BITS_H

#include "core/base.h"

static inline uint64_t bits_bytes(uint64_t nbits) { return nbits / 8 + (nbits % 8 != 0); }

static inline unsigned bit_at(const uint8_t *cells, uint64_t j) {
    return (unsigned)__atomic_load_n(cells + j / 8, __ATOMIC_RELAXED) >> (j % 8) & 1u;
}

/* These return what the bit was. */
static inline unsigned bit_set(uint8_t *cells, uint64_t j) {
    unsigned was = cells[j / 8], mask = 1u << (j % 8);
    __atomic_store_n(cells + j / 8, (uint8_t)(was | mask), __ATOMIC_RELAXED);
    return was >> (j % 8) & 1u;
}

static inline unsigned bit_clear(uint8_t *cells, uint64_t j) {
    unsigned was = cells[j / 8], mask = 1u << (j % 8);
    cells[j / 8] = (uint8_t)(was & ~mask);
    return was >> (j % 8) & 1u;
}

/* Looking first keeps lines that need no write out of the other cores' way. */
static inline unsigned bit_set_shared(uint8_t *cells, uint64_t j) {
    if (bit_at(cells, j)) return 1;
    unsigned was = __atomic_fetch_or(cells + j / 8, (uint8_t)(1u << (j % 8)), __ATOMIC_RELAXED);
    return was >> (j % 8) & 1u;
}

static inline uint64_t bits_ones(const uint8_t *cells, uint64_t bytes) {
    uint64_t ones = 0, i = 0;
    for (; i + 8 <= bytes; i += 8) ones += (unsigned)__builtin_popcountll(get64(cells + i));
    for (; i < bytes; i++) ones += (unsigned)__builtin_popcount(cells[i]);
    return ones;
}

typedef uint64_t sixteen_bytes __attribute__((vector_size(16)));

enum { BITS_LINE = 64, BITS_STEPS = BITS_LINE / sizeof(sixteen_bytes) };

/* A line that is what is set in either of two; `into` may be one of them. Each is read whole before
 * anything is written: lines that lie alike in large pages would else get in each other's way. */
static inline void line_or(uint8_t *into, const uint8_t *a, const uint8_t *b) {
    sixteen_bytes x[BITS_STEPS], y[BITS_STEPS];
#pragma GCC unroll 4
    for (size_t i = 0; i < BITS_STEPS; i++) memcpy(x + i, a + i * sizeof *x, sizeof *x);
#pragma GCC unroll 4
    for (size_t i = 0; i < BITS_STEPS; i++) memcpy(y + i, b + i * sizeof *y, sizeof *y);
#pragma GCC unroll 4
    for (size_t i = 0; i < BITS_STEPS; i++) {
        x[i] |= y[i];
        memcpy(into + i * sizeof *x, x + i, sizeof *x);
    }
}

static inline void bits_or(uint8_t *into, const uint8_t *from, uint64_t bytes) {
    uint64_t i = 0;
    for (; i + BITS_LINE <= bytes; i += BITS_LINE) line_or(into + i, into + i, from + i);
    for (; i < bytes; i++) into[i] |= from[i];
}

/* Are the bits past the last one zero? */
static inline bool bits_tail_clear(const uint8_t *cells, uint64_t nbits) {
    return nbits % 8 == 0 || cells[nbits / 8] >> (nbits % 8) == 0;
}

/* Every second bit of x, pushed together. */
static inline uint64_t even_bits(uint64_t x) {
    x &= 0x5555555555555555u;
    x = (x | x >> 1) & 0x3333333333333333u;
    x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
    x = (x | x >> 8) & 0x0000ffff0000ffffu;
    return (x | x >> 16) & 0x00000000ffffffffu;
}

/* Bit j becomes bit 2j or bit 2j+1: half the table. range_of(x, n/2) is range_of(x, n) / 2, so a
 * key's positions fold with it. `from` may be `into`; both have room up to a multiple of 8 bytes.
 */
static inline void bits_fold(uint8_t *into, const uint8_t *from, uint64_t nbits) {
    uint64_t bytes = bits_bytes(nbits);
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t x = get64(from + i);
        if (bytes - i < 8) x &= ((uint64_t)1 << (8 * (bytes - i))) - 1;
        put32(into + i / 2, (uint32_t)even_bits(x | x >> 1));
    }
}

#endif
