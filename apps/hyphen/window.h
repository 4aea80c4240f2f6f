/* window.h - the values of the last 16 gaps, moved on by one with each character of a word; and 16
 * letters turned into their classes. Twice: for SSE2, and for everybody. */
#ifndef HYPHEN_WINDOW_H
#define HYPHEN_WINDOW_H

#include <string.h>

#include "image.h"

/* Of 64 bytes of text, a bit each. */
struct sorts {
    uint64_t letters, blanks; /* a to z or A to Z; as is_blank() in text.c has them */
    uint64_t signs[2];        /* apostrophes, hyphens */
};

#if defined(__SSE2__) && !defined(HYPHEN_PORTABLE)
#include <emmintrin.h>

typedef __m128i window;

static inline window window_at(const uint8_t w[WINDOW]) {
    return _mm_loadu_si128((const __m128i *)(const void *)w);
}

/* The oldest gap leaves, a new one comes in, and the larger value holds in each. */
static inline window window_step(window v, const uint8_t w[WINDOW]) {
    return _mm_max_epu8(_mm_srli_si128(v, 1),
                        _mm_load_si128((const __m128i *)(const void *)w)); /* they are aligned */
}

/* Bit i: the value of gap i, counted from the oldest, is odd. */
static inline uint32_t window_odd(window v) {
    return (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(v, 7));
}

/* Bit i: gap i has no value. */
static inline uint32_t window_zero(window v) {
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128()));
}

static inline uint8_t window_oldest(window v) { return (uint8_t)_mm_cvtsi128_si32(v); }

static inline void window_put_four(window v, uint8_t *to) {
    const int four = _mm_cvtsi128_si32(v);
    memcpy(to, &four, 4);
}

static inline void window_put(window v, uint8_t to[WINDOW]) {
    _mm_storeu_si128((__m128i *)(void *)to, v);
}

/* Bit i: gap i was marked by something special. */
static inline uint32_t window_special(window v) { return (uint32_t)_mm_movemask_epi8(v); }

/* Of 8 characters, of which the first is from[2]: the two before each, in one number. */
static inline void recent_of(const uint8_t *from, uint16_t *to, unsigned shift, uint16_t mask) {
    const __m128i none = _mm_setzero_si128();
    const __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)from);
    const __m128i second = _mm_loadl_epi64((const __m128i *)(const void *)(from + 1));
    const __m128i moved =
        _mm_sll_epi16(_mm_unpacklo_epi8(first, none), _mm_cvtsi32_si128((int)shift));
    _mm_storeu_si128((__m128i *)(void *)to,
                     _mm_and_si128(_mm_or_si128(moved, _mm_unpacklo_epi8(second, none)),
                                   _mm_set1_epi16((short)mask)));
}

/* How many of 16 bytes, from the first on, are letters from a to z or A to Z. */
static inline unsigned letters_at(const char *from) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i letter =
        _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter);
    return (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(is_letter));
}

static inline struct sorts sorts_of(const char *from) {
    struct sorts all = {0};
    for (int i = 0; i < 64; i += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
        const __m128i letter =
            _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        const __m128i control = _mm_sub_epi8(bytes, _mm_set1_epi8('\t'));
        const __m128i letters = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter);
        const __m128i blanks =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                         _mm_cmpeq_epi8(_mm_min_epu8(control, _mm_set1_epi8(4)), control));
        const __m128i apostrophes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\''));
        const __m128i hyphens = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-'));
        all.letters |= (uint64_t)(uint32_t)_mm_movemask_epi8(letters) << i;
        all.blanks |= (uint64_t)(uint32_t)_mm_movemask_epi8(blanks) << i;
        all.signs[0] |= (uint64_t)(uint32_t)_mm_movemask_epi8(apostrophes) << i;
        all.signs[1] |= (uint64_t)(uint32_t)_mm_movemask_epi8(hyphens) << i;
    }
    return all;
}

/* Classes of 16 bytes, where a to z and A to Z begin with class 2; hyphen and apostrophe, whose bits
 * are set in *signs, become edges. The answer: bit i, byte i is a letter. */
static inline uint32_t latin_classes(const char *from, uint8_t *to, uint32_t *signs) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i letter =
        _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter);
    const __m128i is_sign = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\'')),
                                         _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-')));
    const __m128i classes =
        _mm_or_si128(_mm_and_si128(is_letter, _mm_add_epi8(letter, _mm_set1_epi8(2))),
                     _mm_and_si128(is_sign, _mm_set1_epi8(CLASS_EDGE)));
    _mm_storeu_si128((__m128i *)(void *)to, classes);
    *signs = (uint32_t)_mm_movemask_epi8(is_sign);
    return (uint32_t)_mm_movemask_epi8(is_letter);
}

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

static inline uint32_t window_zero(window v) {
    uint32_t zero = 0;
    for (int i = 0; i < WINDOW; i++) zero |= (uint32_t)!v.gap[i] << i;
    return zero;
}

static inline uint8_t window_oldest(window v) { return v.gap[0]; }

static inline void window_put_four(window v, uint8_t *to) { memcpy(to, v.gap, 4); }

static inline void window_put(window v, uint8_t to[WINDOW]) { memcpy(to, v.gap, WINDOW); }

static inline uint32_t window_special(window v) {
    uint32_t special = 0;
    for (int i = 0; i < WINDOW; i++) special |= (uint32_t)(v.gap[i] >> 7) << i;
    return special;
}

static inline void recent_of(const uint8_t *from, uint16_t *to, unsigned shift, uint16_t mask) {
    for (int i = 0; i < 8; i++) to[i] = (uint16_t)((from[i] << shift | from[i + 1]) & mask);
}

static inline unsigned letters_at(const char *from) {
    unsigned n = 0;
    while (n < WINDOW && (uint8_t)((from[n] | 0x20) - 'a') < 26) n++;
    return n;
}

static inline struct sorts sorts_of(const char *from) {
    struct sorts all = {0};
    for (int i = 0; i < 64; i++) {
        const uint8_t byte = (uint8_t)from[i];
        all.letters |= (uint64_t)((uint8_t)((byte | 0x20) - 'a') < 26) << i;
        all.blanks |= (uint64_t)(byte == ' ' || (byte >= '\t' && byte <= '\r')) << i;
        all.signs[0] |= (uint64_t)(byte == '\'') << i;
        all.signs[1] |= (uint64_t)(byte == '-') << i;
    }
    return all;
}

static inline uint32_t latin_classes(const char *from, uint8_t *to, uint32_t *signs) {
    uint32_t letters = 0;
    *signs = 0;
    for (int i = 0; i < WINDOW; i++) {
        const uint8_t byte = (uint8_t)from[i], letter = (uint8_t)((byte | 0x20) - 'a');
        const bool is_letter = letter < 26, is_sign = byte == '\'' || byte == '-';
        to[i] = is_letter ? (uint8_t)(letter + 2) : is_sign ? CLASS_EDGE : 0;
        letters |= (uint32_t)is_letter << i;
        *signs |= (uint32_t)is_sign << i;
    }
    return letters;
}

#endif
#endif
