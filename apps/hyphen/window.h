/* window.h - the values of the last 16 gaps, moved on by one with each character of a word. */
#ifndef HYPHEN_WINDOW_H
#define HYPHEN_WINDOW_H

#include "image.h"

#if defined(__SSE2__) && !defined(HYPHEN_PORTABLE)
#include <emmintrin.h>

typedef __m128i window;

static inline window window_at(const uint8_t w[WINDOW]) {
    return _mm_loadu_si128((const __m128i *)(const void *)w);
}

/* The oldest gap leaves, a new one comes in, and the larger value holds in each. */
static inline window window_step(window v, const uint8_t w[WINDOW]) {
    return _mm_max_epu8(_mm_srli_si128(v, 1), window_at(w));
}

/* Bit i: the value of gap i, counted from the oldest, is odd. */
static inline uint32_t window_odd(window v) {
    return (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(v, 7));
}

static inline unsigned window_oldest(window v) { return (unsigned)_mm_cvtsi128_si32(v) & 0xff; }

#else
#include <string.h>

typedef struct {
    uint8_t gap[WINDOW];
} window;

static inline window window_at(const uint8_t w[WINDOW]) {
    window v;
    memcpy(v.gap, w, WINDOW);
    return v;
}

static inline window window_step(window v, const uint8_t w[WINDOW]) {
    window to;
    for (int i = 0; i < WINDOW; i++) {
        const uint8_t moved = i + 1 < WINDOW ? v.gap[i + 1] : 0;
        to.gap[i] = moved > w[i] ? moved : w[i];
    }
    return to;
}

static inline uint32_t window_odd(window v) {
    uint32_t odd = 0;
    for (int i = 0; i < WINDOW; i++) odd |= (v.gap[i] & 1u) << i;
    return odd;
}

static inline unsigned window_oldest(window v) { return v.gap[0]; }

#endif
#endif
