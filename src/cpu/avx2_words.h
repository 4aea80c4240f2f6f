/* avx2_words.h - four 64-bit numbers in a word of 256 bits: what AVX2 has no instruction for. */
#ifndef SITO_AVX2_WORDS_H
#define SITO_AVX2_WORDS_H

#include <immintrin.h>
#include <stdint.h>

#define AVX2_FOUR __attribute__((target("avx2"))) static inline __attribute__((always_inline))

AVX2_FOUR __m256i four_of(uint64_t x) { return _mm256_set1_epi64x((long long)x); }

AVX2_FOUR __m256i four_at(const uint64_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

AVX2_FOUR void four_to(uint64_t *p, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)p, x); }

AVX2_FOUR __m256i four_times(__m256i x, uint64_t factor) {
    __m256i low = four_of(factor & UINT32_MAX), high = four_of(factor >> 32);
    __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 32), low),
                                     _mm256_mul_epu32(x, high));
    return _mm256_add_epi64(_mm256_mul_epu32(x, low), _mm256_slli_epi64(cross, 32));
}

/* The same, for numbers below 2^32. */
AVX2_FOUR __m256i four_short_times(__m256i x, uint64_t factor) {
    __m256i low = four_of(factor & UINT32_MAX), high = four_of(factor >> 32);
    return _mm256_add_epi64(_mm256_mul_epu32(x, low),
                            _mm256_slli_epi64(_mm256_mul_epu32(x, high), 32));
}

/* range_of() for n below 2^32. */
AVX2_FOUR __m256i four_ranges(__m256i x, __m256i n) {
    __m256i low = _mm256_srli_epi64(_mm256_mul_epu32(x, n), 32);
    __m256i high = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), n);
    return _mm256_srli_epi64(_mm256_add_epi64(high, low), 32);
}

#endif
