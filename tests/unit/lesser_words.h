/* lesser_words.h - what avx512.c and its headers call, in words that every machine has: said plainly,
 * lane by lane, so that what they say can be tested where the widest set is not. */
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

LESSER lesser64 lesser_all8(char x) {
    return lesser_all64((long long)(0x0101010101010101u * (uint8_t)x));
}

/* The lowest eight bytes, a word each. */
LESSER lesser64 lesser_spread(__m128i v) {
    uint64_t bytes;
    lesser64 to;
    memcpy(&bytes, &v, sizeof bytes);
    for (unsigned i = 0; i < 8; i++) to[i] = bytes >> 8 * i & 255;
    return to;
}

LESSER lesser64 lesser_up(lesser64 v, lesser64 by) {
    for (unsigned i = 0; i < 8; i++) v[i] = by[i] < 64 ? v[i] << by[i] : 0;
    return v;
}

LESSER lesser64 lesser_down_by(lesser64 v, lesser64 by) { /* by less than 64 */
    return v >> by;
}

LESSER lesser64 lesser_turned(lesser64 v, lesser64 by) {
    for (unsigned i = 0; i < 8; i++) v[i] = v[i] << (by[i] & 63) | v[i] >> (-by[i] & 63);
    return v;
}

LESSER lesser64 lesser_and(lesser64 a, lesser64 b) { return a & b; }
LESSER lesser64 lesser_or(lesser64 a, lesser64 b) { return a | b; }
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

LESSER __mmask8 lesser_not_below(lesser64 a, lesser64 b) {
    unsigned mask = 0;
    for (unsigned i = 0; i < 8; i++) mask |= (unsigned)(a[i] >= b[i]) << i;
    return (__mmask8)mask;
}

LESSER __mmask16 lesser_join8(__mmask16 high, __mmask16 low) {
    return (__mmask16)(high << 8 | (low & 0xff));
}
LESSER __mmask32 lesser_join16(__mmask32 high, __mmask32 low) {
    return high << 16 | (low & 0xffff);
}
LESSER __mmask64 lesser_join32(__mmask64 high, __mmask64 low) {
    return high << 32 | (low & 0xffffffff);
}

LESSER __mmask64 lesser_same8(lesser64 a, lesser64 b) {
    const uint8_t *x = (const uint8_t *)&a, *y = (const uint8_t *)&b;
    __mmask64 mask = 0;
    for (unsigned i = 0; i < 64; i++) mask |= (__mmask64)(x[i] == y[i]) << i;
    return mask;
}

LESSER lesser64 lesser_bytes_of(__mmask64 mask, lesser64 v) {
    uint8_t *x = (uint8_t *)&v;
    for (unsigned i = 0; i < 64; i++) x[i] = mask >> i & 1 ? x[i] : 0;
    return v;
}

/* Of each word the bits that its eight bytes name. */
LESSER __mmask64 lesser_picked(lesser64 v, lesser64 which) {
    __mmask64 mask = 0;
    for (unsigned i = 0; i < 64; i++)
        mask |= (__mmask64)(v[i / 8] >> (which[i / 8] >> i % 8 * 8 & 63) & 1) << i;
    return mask;
}

/* Of each word, from the bits that its eight bytes name, eight bits each; a word ends where it begins. */
LESSER lesser64 lesser_eights(lesser64 which, lesser64 v) {
    lesser64 to = {0};
    for (unsigned i = 0; i < 64; i++) {
        unsigned by = which[i / 8] >> i % 8 * 8 & 63;
        to[i / 8] |= ((v[i / 8] >> by | v[i / 8] << (-by & 63)) & 255) << i % 8 * 8;
    }
    return to;
}

LESSER lesser64 lesser_bytes(__mmask64 mask, lesser64 order, lesser64 v) {
    uint8_t at[64], from[64], to[64];
    memcpy(at, &order, 64);
    memcpy(from, &v, 64);
    for (unsigned i = 0; i < 64; i++) to[i] = mask >> i & 1 ? from[at[i] & 63] : 0;
    return lesser_load(to);
}

LESSER lesser64 lesser_less8(lesser64 a, lesser64 b) {
    uint8_t x[64], y[64];
    memcpy(x, &a, 64);
    memcpy(y, &b, 64);
    for (unsigned i = 0; i < 64; i++) x[i] = (uint8_t)(x[i] - y[i]);
    return lesser_load(x);
}

/* Bit 4a + 2b + c of the table is what bits a, b and c make. */
LESSER lesser64 lesser_by_table(lesser64 a, lesser64 b, lesser64 c, unsigned table) {
    lesser64 to = {0};
    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1) to |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return to;
}

LESSER lesser64 lesser_ordered(lesser64 order, lesser64 v) {
    lesser64 to;
    for (unsigned i = 0; i < 8; i++) to[i] = v[order[i] & 7];
    return to;
}

/* The lower half, and the upper one. */
typedef uint64_t lesser_half __attribute__((vector_size(32)));

LESSER lesser_half lesser_half_of(lesser64 v, unsigned which) {
    lesser_half half;
    memcpy(&half, (const uint8_t *)&v + which * sizeof half, sizeof half);
    return half;
}

LESSER uint64_t lesser_any(lesser64 v) {
    uint64_t any = 0;
    for (unsigned i = 0; i < 8; i++) any |= v[i];
    return any;
}

/* The lowest bits, brought to those of the mask. */
LESSER uint64_t lesser_apart(uint64_t bits, uint64_t mask) {
    uint64_t to = 0;
    for (unsigned i = 0, n = 0; i < 64; i++)
        if (mask >> i & 1) to |= (bits >> n++ & 1) << i;
    return to;
}

#define __m512i lesser64
#define _mm512_set1_epi64 lesser_all64
#define _mm512_set1_epi32 lesser_all32
#define _mm512_loadu_si512 lesser_load
#define _mm512_storeu_si512 lesser_store
#define _mm512_set1_epi8 lesser_all8
#define _mm512_cvtepu8_epi64 lesser_spread
#define _mm512_sllv_epi64 lesser_up
#define _mm512_srlv_epi64 lesser_down_by
#define _mm512_rolv_epi64 lesser_turned
#define _mm512_rorv_epi64(v, by) lesser_turned(v, -(by))
#undef _mm512_ror_epi64
#define _mm512_ror_epi64(v, by) lesser_turned(v, lesser_all64(-(by)))
#define __m256i lesser_half
#define _mm512_castsi512_si256(v) lesser_half_of(v, 0)
#undef _mm512_extracti64x4_epi64
#define _mm512_extracti64x4_epi64 lesser_half_of
#define _mm512_reduce_or_epi64 lesser_any
#undef _mm512_setr_epi64 /* a macro, not a call */
#define _mm512_setr_epi64(...) ((lesser64){__VA_ARGS__})
#define _mm512_kunpackb lesser_join8
#define _mm512_kunpackw lesser_join16
#define _mm512_kunpackd lesser_join32
#define _cvtmask64_u64(mask) ((uint64_t)(mask))
#define _mm512_cmpeq_epi8_mask lesser_same8
#define _mm512_cmpneq_epi8_mask(a, b) (~lesser_same8(a, b))
#define _mm512_bitshuffle_epi64_mask lesser_picked
#define _mm512_maskz_mov_epi8 lesser_bytes_of
#define _mm512_and_si512 lesser_and
#define _mm512_andnot_si512(a, b) (~(a) & (b))
#define _mm512_or_si512 lesser_or
#undef _mm512_cmpge_epu64_mask
#define _mm512_cmpge_epu64_mask lesser_not_below
#define _mm512_permutexvar_epi64 lesser_ordered
#define _pdep_u64 lesser_apart
#define _mm512_setzero_si512() ((lesser64){0})
#define _mm512_multishift_epi64_epi8 lesser_eights
#define _mm512_permutexvar_epi8(order, v) lesser_bytes(UINT64_MAX, order, v)
#define _mm512_maskz_permutexvar_epi8 lesser_bytes
#define _mm512_sub_epi8 lesser_less8
#undef _mm512_ternarylogic_epi64
#define _mm512_ternarylogic_epi64 lesser_by_table
#define _mm512_slli_epi64(v, by) ((v) << (by))
#define _mm512_testn_epi64_mask(a, b) ((__mmask8)~lesser_test(a, b))
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
