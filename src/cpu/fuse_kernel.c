/* fuse_kernel.c - the same loops twice: for any machine, and for x86 with AVX2. */
#include "cpu/fuse_kernel.h"

#include "cpu/cpu.h"

#define FUSE_KERNEL(ATTRIBUTE, NAME, FOUR)                                                         \
    ATTRIBUTE static size_t NAME##_sweep(const struct fuse_table *t, unsigned arity,               \
                                         const struct fuse_sweep *w) {                             \
        return arity == 3 ? sweep_body(t, w, 3, FOUR) : sweep_body(t, w, 4, FOUR);                 \
    }                                                                                              \
    ATTRIBUTE static void NAME##_set(const struct fuse_table *t, unsigned arity,                   \
                                     const struct fuse_sweep *w, size_t n, struct fuse_marks m) {  \
        struct fuse_marks bytes = {.bytes = m.bytes}, words = {.words = m.words};                  \
        if (m.bytes && arity == 3) set_body(t, w, n, bytes, 3, FOUR);                              \
        else if (m.bytes) set_body(t, w, n, bytes, 4, FOUR);                                       \
        else if (arity == 3) set_body(t, w, n, words, 3, FOUR);                                    \
        else set_body(t, w, n, words, 4, FOUR);                                                    \
    }                                                                                              \
    static const struct fuse_kernel NAME = {NAME##_sweep, NAME##_set};

FUSE_INLINE void four_one_by_one(const struct fuse_table *t, uint64_t a, uint64_t b, uint64_t c,
                                 uint64_t d, uint32_t at[SWEEP_FOUR][ARITY_MAX]) {
    fuse_slots(t, a, at[0]);
    fuse_slots(t, b, at[1]);
    fuse_slots(t, c, at[2]);
    fuse_slots(t, d, at[3]);
}

FUSE_KERNEL(, fuse_plain, four_one_by_one)

#ifdef __x86_64__
#include <immintrin.h>

#define FUSE_AVX2 __attribute__((target("avx2")))

FUSE_AVX2 FUSE_INLINE __m256i all_four(uint64_t x) { return _mm256_set1_epi64x((long long)x); }

FUSE_AVX2 FUSE_INLINE __m256i wide_shares(__m256i x) {
    const __m256i low = all_four(FUSE_SHARE & UINT32_MAX), high = all_four(FUSE_SHARE >> 32);
    __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 32), low),
                                     _mm256_mul_epu32(x, high));
    x = _mm256_add_epi64(_mm256_mul_epu32(x, low), _mm256_slli_epi64(cross, 32));
    return x ^ _mm256_srli_epi64(x, 32);
}

/* From shares widened to words, for a key in either half, to slots behind the first. */
FUSE_AVX2 FUSE_INLINE __m256i wide_slots(const struct fuse_spans *s, __m256i x) {
    const __m256i base = _mm256_setr_epi32(0, (int)s->base[1], (int)s->base[2], (int)s->base[3], 0,
                                           (int)s->base[1], (int)s->base[2], (int)s->base[3]);
    const __m256i pair = _mm256_setr_epi32(0, (int)s->pair, 0, 0, 0, (int)s->pair, 0, 0);
    x = _mm256_add_epi32(x, base);
    return x ^ (_mm256_slli_si256(x, 4) & pair);
}

FUSE_AVX2 FUSE_INLINE void put_two(uint32_t *one, uint32_t *other, __m256i x) {
    _mm_storeu_si128((__m128i *)(void *)one, _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)(void *)other, _mm256_extracti128_si256(x, 1));
}

/* As fuse_slots() does. */
FUSE_AVX2 FUSE_INLINE void four_at_once(const struct fuse_table *t, uint64_t a, uint64_t b,
                                        uint64_t c, uint64_t d,
                                        uint32_t at[SWEEP_FOUR][ARITY_MAX]) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i key = _mm256_setr_epi64x((long long)a, (long long)b, (long long)c, (long long)d);
    __m256i start = _mm256_mul_epu32(_mm256_srli_epi64(key, DRAWN_BITS - 32), all_four(t->starts));
    __m256i first = _mm256_mul_epu32(_mm256_srli_epi64(start, 32), all_four(t->length));
    __m256i x = _mm256_mulhi_epu16(wide_shares(key), all_four(t->spans.spans));
    __m256i a_c = wide_slots(&t->spans, _mm256_unpacklo_epi16(x, zero));
    __m256i b_d = wide_slots(&t->spans, _mm256_unpackhi_epi16(x, zero));
    put_two(at[0], at[2], _mm256_add_epi32(a_c, _mm256_shuffle_epi32(first, 0x00)));
    put_two(at[1], at[3], _mm256_add_epi32(b_d, _mm256_shuffle_epi32(first, 0xaa)));
}

FUSE_KERNEL(FUSE_AVX2, fuse_wide, four_at_once)

/* The choice of instruction sets says whether wide words are wanted at all. */
const struct fuse_kernel *fuse_kernel(void) {
    return cpu_chosen() == &cpu_portable ? &fuse_plain : &fuse_wide;
}
#else
const struct fuse_kernel *fuse_kernel(void) { return &fuse_plain; }
#endif
