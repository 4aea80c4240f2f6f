/* avx512_words.h - words of 512 bits: what the walks of avx512.c, avx512_shift.h and
 * avx512_turn.h have in common. */
#ifndef SITO_AVX512_WORDS_H
#define SITO_AVX512_WORDS_H

#include "cpu/block_walk.h"

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,bmi2,popcnt")))

typedef __m512i word512;

#define SIX_OF_EIGHT 0x3f3f3f3f3f3f3f3fu /* which bits of the product count */
#define BYTES_OF_1 0x0101010101010101u

/* Sets the mask's bits. In which words had they been set? */
AVX512 static inline __mmask8 avx512_put8(uint8_t *block, word512 mask) {
    word512 was = _mm512_loadu_si512(block);
    _mm512_storeu_si512(block, _mm512_or_si512(was, mask));
    return _mm512_test_epi64_mask(was, mask);
}

/* Byte j is mask j. Joined before they leave the mask registers: moving each costs more where every
 * key has a line to write. */
AVX512 static inline __attribute__((always_inline)) uint64_t eight_masks(const __mmask8 m[8]) {
    __mmask32 low = _mm512_kunpackw(_mm512_kunpackb(m[3], m[2]), _mm512_kunpackb(m[1], m[0]));
    __mmask32 high = _mm512_kunpackw(_mm512_kunpackb(m[7], m[6]), _mm512_kunpackb(m[5], m[4]));
    return _cvtmask64_u64(_mm512_kunpackd(high, low));
}

/* Byte j becomes 1 if it is 255, else 0. */
static inline uint64_t eight_whole(uint64_t masks) {
    const __m128i all = _mm_set1_epi8(-1), one = _mm_set1_epi8(1);
    __m128i whole = _mm_cmpeq_epi8(_mm_cvtsi64_si128((long long)masks), all);
    return (uint64_t)_mm_cvtsi128_si64(_mm_and_si128(whole, one));
}

static inline void eight_keep(uint64_t eight, uint8_t *bytes) {
    memcpy(bytes, &eight, sizeof eight);
}

/* Byte j is 1 if key j was known. Returns how many were new. */
static inline __attribute__((always_inline)) uint64_t eight_added(uint64_t known, int8_t *answers) {
    uint64_t is_new = BYTES_OF_1 ^ known;
    if (answers) memcpy(answers, &is_new, sizeof is_new);
    return is_new * BYTES_OF_1 >> 56;
}

/* Asks for the lines of eight keys, to write to them or not. */
AVX512 static inline __attribute__((always_inline)) void
eight_soon(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, bool to_write) {
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        if (to_write) ask_to_write(cells + block_start(nblocks, hashes[j]));
        else __builtin_prefetch(cells + block_start(nblocks, hashes[j]));
    }
}

/* How many of 64 keys were new. */
AVX512 static inline __attribute__((always_inline)) uint64_t added_64(const uint8_t *masks,
                                                                      int8_t *answers) {
    const word512 all = _mm512_set1_epi8(-1), one = _mm512_set1_epi8(1);
    __mmask64 is_new = _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(masks), all);
    if (answers) _mm512_storeu_si512(answers, _mm512_maskz_mov_epi8(is_new, one));
    return (uint64_t)__builtin_popcountll(is_new);
}

#endif
#endif
