/* avx2.c - the walks in words of 256 bits, two to a block, by the compiler's own vectors. */
#include "cpu/cpu.h"

#include "cpu/block_walk.h"

#ifdef __x86_64__

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

typedef uint64_t four_words __attribute__((vector_size(32)));
typedef uint32_t eight_words __attribute__((vector_size(32)));

static bool avx2_is_here(void) { return __builtin_cpu_supports("avx2"); }

struct halves {
    four_words low, high;
};

AVX2 static inline struct halves avx2_load(const uint8_t *block) {
    struct halves h; /* one by one: together they would go by way of the stack */
    memcpy(&h.low, block, sizeof h.low);
    memcpy(&h.high, block + sizeof h.low, sizeof h.high);
    return h;
}

AVX2 static inline struct halves avx2_mask8(uint64_t hash) {
    const four_words down_low = {BLOCK_FIELDS_LOW}, down_high = {BLOCK_FIELDS_HIGH};
    uint64_t x = hash * BLOCK_STIR;
    four_words all = {x, x, x, x}, one = {1, 1, 1, 1};
    return (struct halves){one << (all >> down_low & 63), one << (all >> down_high & 63)};
}

AVX2 static inline struct halves avx2_mask16(uint64_t hash) {
    const eight_words low = {BLOCK_ODDS_LOW}, high = {BLOCK_ODDS_HIGH};
    uint32_t x = (uint32_t)(hash * BLOCK_STIR >> 32);
    eight_words all = {x, x, x, x, x, x, x, x}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    return (struct halves){(four_words)(one << (all * low >> 27)),
                           (four_words)(one << (all * high >> 27))};
}

AVX2 static inline bool avx2_covers(struct halves block, struct halves mask) {
    typedef long long tested __attribute__((vector_size(32)));
    four_words missing = (~block.low & mask.low) | (~block.high & mask.high);
    return __builtin_ia32_ptestz256((tested)missing, (tested)missing);
}

AVX2 static inline bool avx2_put(uint8_t *block, struct halves mask) {
    struct halves was = avx2_load(block);
    four_words low = was.low | mask.low, high = was.high | mask.high;
    memcpy(block, &low, sizeof low);
    memcpy(block + sizeof low, &high, sizeof high);
    return !avx2_covers(was, mask);
}

AVX2 static inline bool avx2_has8(const uint8_t *block, uint64_t hash) {
    return avx2_covers(avx2_load(block), avx2_mask8(hash));
}

AVX2 static inline bool avx2_has16(const uint8_t *block, uint64_t hash) {
    return avx2_covers(avx2_load(block), avx2_mask16(hash));
}

AVX2 static inline bool avx2_set8(uint8_t *block, uint64_t hash) {
    return avx2_put(block, avx2_mask8(hash));
}

AVX2 static inline bool avx2_set16(uint8_t *block, uint64_t hash) {
    return avx2_put(block, avx2_mask16(hash));
}

BLOCK_KERNEL(AVX2, avx2_eight, avx2_has8, avx2_set8)
BLOCK_KERNEL(AVX2, avx2_sixteen, avx2_has16, avx2_set16)

/* range_of() for four: n is below 2^32. */
AVX2 static inline __m256i avx2_range(__m256i x, __m256i n) {
    __m256i low = _mm256_srli_epi64(_mm256_mul_epu32(x, n), 32);
    __m256i high = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), n);
    return _mm256_srli_epi64(_mm256_add_epi64(high, low), 32);
}

/* Zero lanes of the two slots from these bits on, compared with the tag: at their top bits, at
 * least. */
AVX2 static inline __m256i avx2_equal(const uint8_t *cells, __m256i bit, __m256i like,
                                      __m256i ones) {
    __m256i word = _mm256_i64gather_epi64((const long long *)(const void *)cells,
                                          _mm256_srli_epi64(bit, 3), 1);
    word = _mm256_srlv_epi64(word, _mm256_and_si256(bit, _mm256_set1_epi64x(7)));
    word = _mm256_xor_si256(word, like);
    return _mm256_andnot_si256(word, _mm256_sub_epi64(word, ones));
}

AVX2 unsigned avx2_in_tags(const struct tag_table *tables, unsigned ntables, unsigned bits,
                           const struct four_quests *q) {
    __m256i hash = _mm256_loadu_si256((const __m256i *)(const void *)q->hash);
    __m256i mix = _mm256_loadu_si256((const __m256i *)(const void *)q->mix);
    __m256i like = _mm256_loadu_si256((const __m256i *)(const void *)q->like);
    __m256i into = _mm256_loadu_si256((const __m256i *)(const void *)q->into);
    __m256i ones = _mm256_set1_epi64x(1 | 1LL << bits), each = _mm256_set1_epi64x(2 * bits);
    __m256i equal = _mm256_setzero_si256(), unit = _mm256_set1_epi64x(1);
    for (unsigned i = 0; i < ntables; i++) {
        __m256i m = _mm256_set1_epi64x((long long)tables[i].m);
        __m256i one = avx2_range(hash, m), h = _mm256_or_si256(avx2_range(mix, m), unit);
        __m256i around = _mm256_and_si256(_mm256_cmpgt_epi64(one, h), m);
        __m256i other = _mm256_add_epi64(_mm256_sub_epi64(h, one), around);
        one = _mm256_add_epi64(_mm256_mul_epu32(one, each), into);
        other = _mm256_add_epi64(_mm256_mul_epu32(other, each), into);
        equal = _mm256_or_si256(equal, avx2_equal(tables[i].cells, one, like, ones));
        equal = _mm256_or_si256(equal, avx2_equal(tables[i].cells, other, like, ones));
    }
    __m256i tops = _mm256_slli_epi64(ones, (int)bits - 1);
    __m256i none = _mm256_cmpeq_epi64(_mm256_and_si256(equal, tops), _mm256_setzero_si256());
    return ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(none)) & 15;
}

const struct cpu_kernels cpu_avx2 = {"avx2", avx2_is_here, BLOCK_CALLS(avx2_eight),
                                     BLOCK_CALLS(avx2_sixteen), avx2_in_tags};
#endif
