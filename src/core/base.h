/* base.h - first in every source file: what we ask of the system, and numbers as little-endian
 * bytes. */
#ifndef SITO_BASE_H
#define SITO_BASE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* getrandom, explicit_bzero, madvise */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE16(v) __builtin_bswap16(v)
#define LITTLE32(v) __builtin_bswap32(v)
#define LITTLE64(v) __builtin_bswap64(v)
#else
#define LITTLE16(v) (v)
#define LITTLE32(v) (v)
#define LITTLE64(v) (v)
#endif

static inline uint16_t get16(const uint8_t *p) {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return LITTLE16(v);
}

static inline uint32_t get32(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return LITTLE32(v);
}

static inline uint64_t get64(const uint8_t *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return LITTLE64(v);
}

static inline void put16(uint8_t *p, uint16_t v) {
    v = LITTLE16(v);
    memcpy(p, &v, sizeof v);
}

static inline void put32(uint8_t *p, uint32_t v) {
    v = LITTLE32(v);
    memcpy(p, &v, sizeof v);
}

static inline void put64(uint8_t *p, uint64_t v) {
    v = LITTLE64(v);
    memcpy(p, &v, sizeof v);
}

/* Sizes saturate instead of wrapping: UINT64_MAX fits nowhere and is refused by whoever asked. */
static inline uint64_t sum_of(uint64_t a, uint64_t b) {
    uint64_t s;
    return __builtin_add_overflow(a, b, &s) ? UINT64_MAX : s;
}

static inline uint64_t product_of(uint64_t a, uint64_t b) {
    uint64_t s;
    return __builtin_mul_overflow(a, b, &s) ? UINT64_MAX : s;
}

/* Up to a multiple of `step`, a power of two. */
static inline uint64_t rounded_up(uint64_t n, uint64_t step) {
    uint64_t s = sum_of(n, step - 1);
    return s == UINT64_MAX ? s : s & ~(step - 1);
}

static inline uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

#endif
