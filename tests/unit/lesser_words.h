/* lesser_words.h - what avx512.c calls, in words that every machine has: said plainly, lane by lane, so that
 * what the file says can be tested where the widest set is not. */
#ifndef SITO_LESSER_WORDS_H
#define SITO_LESSER_WORDS_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t lesser64 __attribute__((vector_size(64)));
typedef uint32_t lesser32 __attribute__((vector_size(64)));

#define LESSER static inline __attribute__((always_inline))

LESSER lesser64 lesser_all64(long long x) { return (lesser64){0} + (uint64_t)x; }
LESSER lesser64 lesser_all32(int x) { return (lesser64)((lesser32){0} + (uint32_t)x); }

LESSER lesser64 lesser_load(const void *p) {
    lesser64 v;
    memcpy(&v, p, sizeof v);
    return v;
}

LESSER void lesser_store(void *p, lesser64 v) { memcpy(p, &v, sizeof v); }

/* Counts are minded modulo 64. */
LESSER lesser64 lesser_right(lesser64 v, lesser64 by) {
    by &= 63;
    return v >> by | v << (-by & 63);
}

LESSER lesser64 lesser_left(lesser64 v, lesser64 by) { return lesser_right(v, -by); }
LESSER lesser64 lesser_and(lesser64 a, lesser64 b) { return a & b; }
LESSER lesser64 lesser_or(lesser64 a, lesser64 b) { return a | b; }
LESSER lesser64 lesser_xor(lesser64 a, lesser64 b) { return a ^ b; }
LESSER lesser64 lesser_add(lesser64 a, lesser64 b) { return a + b; }
LESSER lesser64 lesser_times(lesser64 a, lesser64 b) { return a * b; }
LESSER lesser64 lesser_times_low(lesser64 a, lesser64 b) {
    return (a & UINT32_MAX) * (b & UINT32_MAX);
}
LESSER lesser64 lesser_times32(lesser64 a, lesser64 b) {
    return (lesser64)((lesser32)a * (lesser32)b);
}
LESSER lesser64 lesser_down(lesser64 v, unsigned by) { return v >> by; }
LESSER lesser64 lesser_down32(lesser64 v, unsigned by) { return (lesser64)((lesser32)v >> by); }
LESSER lesser64 lesser_up32(lesser64 v, lesser64 by) { /* by less than 32 */
    return (lesser64)((lesser32)v << (lesser32)by);
}

LESSER __mmask8 lesser_test(lesser64 a, lesser64 b) {
    unsigned mask = 0;
    for (unsigned i = 0; i < 8; i++) mask |= (unsigned)((a[i] & b[i]) != 0) << i;
    return (__mmask8)mask;
}

LESSER __mmask16 lesser_test32(lesser64 a, lesser64 b) {
    lesser32 both = (lesser32)(a & b);
    unsigned mask = 0;
    for (unsigned i = 0; i < 16; i++) mask |= (unsigned)(both[i] != 0) << i;
    return (__mmask16)mask;
}

LESSER __mmask8 lesser_tops(lesser64 a) { return lesser_test(a, lesser_all64(INT64_MIN)); }

/* The lanes of the mask, brought together; then zeros. */
LESSER lesser64 lesser_together(__mmask8 mask, lesser64 v) {
    lesser64 to = {0};
    for (unsigned i = 0, n = 0; i < 8; i++)
        if (mask >> i & 1) to[n++] = v[i];
    return to;
}

#define __m512i lesser64
#define _mm512_set1_epi64 lesser_all64
#define _mm512_set1_epi32 lesser_all32
#define _mm512_loadu_si512 lesser_load
#define _mm512_storeu_si512 lesser_store
#define _mm512_rorv_epi64 lesser_right
#define _mm512_rolv_epi64 lesser_left
#define _mm512_and_si512 lesser_and
#define _mm512_or_si512 lesser_or
#define _mm512_xor_si512 lesser_xor
#define _mm512_movepi64_mask lesser_tops
#define _mm512_maskz_compress_epi64 lesser_together
#define _mm512_add_epi64 lesser_add
#define _mm512_mullo_epi64 lesser_times
#define _mm512_mul_epu32 lesser_times_low
#define _mm512_mullo_epi32 lesser_times32
#define _mm512_srli_epi64 lesser_down
#define _mm512_srli_epi32 lesser_down32
#define _mm512_sllv_epi32 lesser_up32
#define _mm512_test_epi64_mask lesser_test
#define _mm512_test_epi32_mask lesser_test32

#endif
