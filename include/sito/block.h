/*
 * sito/block.h - the block filter: a Bloom filter whose bits for one key all lie in one 64-byte
 * cache line, so that a question costs one read of memory.
 *
 *     hash --high bits--> which block
 *         `--stirred----> 8 bits, one in each 64-bit word; or 16, one in each 32-bit word
 *
 * Costs       more space than `bloom`, and clearly more below 0.1 %: blocks fill unevenly, and the
 *             plan, which is exact, makes up for it. 22 % more at 10 %, 5 % at 1 %, 9 % at 0.1 %,
 *             20 % at 0.01 %, 37 % at one in a million; below 1e-8 twice as much and more.
 * Can         add, merge, share, build, map, fold.      Cannot   remove, count.
 * Threads     any number of readers; one writer, alone; shared adds beside each other and readers.
 *
 * Single questions without a call: take a look through an eye.
 *
 *     sito_block_eye eye;
 *     sito_block_view(f, &eye);
 *     if (sito_block_eye_maybe(&eye, sito_hash_key(f, key, len))) ...
 *
 * Compiled with AVX2 (-march=x86-64-v3) the eye looks at half a line at a time, with AVX-512
 * (-march=x86-64-v4) at a whole one; with -O3 a short loop chooses between 8 bits and 16 only once.
 */
#ifndef SITO_BLOCK_H
#define SITO_BLOCK_H

#include <sito/hash.h>
#include <sito/status.h>
#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Valid until the filter is next written or freed. Never changes its shape. Shared adds may go on
 * meanwhile: the eye sees them bit by bit (a thread sanitizer, which wants to be told, calls that a
 * race). */
typedef struct sito_block_eye {
    const unsigned char *cells;
    uint64_t nblocks;
    unsigned nhashes; /* 8 or 16 */
} sito_block_eye;

/* SITO_EUNABLE on another kind; SITO_EKEY if the filter's key is not known. */
sito_rc sito_block_view(const sito_filter *f, sito_block_eye *eye);

/* The same answer as sito_maybe_hash(). */
static inline bool sito_block_eye_maybe(const sito_block_eye *eye, uint64_t hash);

/* ---- inside the eye ---- */

#define SITO_BLOCK_STIR 0x9e3779b97f4a7c15u

#if defined(__AVX512F__) && defined(__AVX512DQ__)
/* The mask is made before the line comes: its word i is 1, turned by byte i of x, of which rotation
 * minds six bits. What waits for memory is little, for the fewer instructions a key takes, the more
 * keys' waits overlap: one test, and a comparison that gcc -O3 adds to a sum as a carry. Masks that leave
 * nothing out are for g++ 12, which warns of what it makes of unmasked calls. */
static inline bool sito_block_has8(const unsigned char *block, uint64_t hash) {
    const __mmask8 all = 0xff;
    const __m512i down = _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56);
    const __m512i x = _mm512_mullo_epi64(_mm512_set1_epi64((long long)hash),
                                         _mm512_set1_epi64((long long)SITO_BLOCK_STIR));
    const __m512i mask =
        _mm512_maskz_rolv_epi64(all, _mm512_set1_epi64(1), _mm512_maskz_rorv_epi64(all, x, down));
    const __mmask8 missing = _mm512_testn_epi64_mask(mask, _mm512_loadu_si512(block));
    return _cvtmask8_u32(missing) < 1u;
}

static inline bool sito_block_has16(const unsigned char *block, uint64_t hash) {
    const __mmask16 all = 0xffff;
    const __m512i odds = _mm512_setr_epi32(
        (int)0xc070fef3u, (int)0xea6a82b7u, (int)0xc5519bddu, 0x7be90245, 0x721c9bd5,
        (int)0x85c7b0c1u, (int)0xfd33cebfu, 0x48b90a53, (int)0x83e986c9u, 0x252072ef,
        (int)0xd6132339u, 0x78297e31, (int)0xdb5166d7u, 0x27c14e4f, 0x2bae3d77, 0x7032af05);
    const __m512i h = _mm512_set1_epi32((int)(hash * SITO_BLOCK_STIR >> 32));
    const __m512i bits = _mm512_maskz_srli_epi32(all, _mm512_mullo_epi32(h, odds), 27);
    const __m512i mask = _mm512_maskz_sllv_epi32(all, _mm512_set1_epi32(1), bits);
    return _mm512_test_epi32_mask(_mm512_loadu_si512(block), mask) == all;
}
#elif defined(__AVX2__)
typedef uint64_t sito_block_words __attribute__((vector_size(32)));
typedef uint32_t sito_block_halves __attribute__((vector_size(32)));
typedef long long sito_block_tested __attribute__((vector_size(32)));

/* Are all the mask's bits set in this half of a block? */
static inline bool sito_block_covers(const unsigned char *half, sito_block_words mask) {
    sito_block_words words;
    __builtin_memcpy(&words, half, sizeof words);
    return __builtin_ia32_ptestc256((sito_block_tested)words, (sito_block_tested)mask) != 0;
}

/* Are the bits that bytes `at` .. `at` + 3 of x name set, one in each word of this half? Each moves up
 * to its word's end, by 63 less its number. */
static inline bool sito_block_named(const unsigned char *half, __m256i x, char at) {
    const __m256i alone = _mm256_setr_epi8(at, -1, -1, -1, -1, -1, -1, -1, (char)(at + 1), -1, -1,
                                           -1, -1, -1, -1, -1, (char)(at + 2), -1, -1, -1, -1, -1,
                                           -1, -1, (char)(at + 3), -1, -1, -1, -1, -1, -1, -1);
    __m256i words;
    __builtin_memcpy(&words, half, sizeof words);
    words = _mm256_sllv_epi64(words, _mm256_shuffle_epi8(x, alone));
    return _mm256_movemask_pd(_mm256_castsi256_pd(words)) == 15;
}

/* The first half decides for nearly all strangers; the fewer instructions a key takes, the more
 * keys' waits for memory overlap. */
static inline bool sito_block_has8(const unsigned char *block, uint64_t hash) {
    const uint64_t x = hash * SITO_BLOCK_STIR;
    const __m256i up = _mm256_set1_epi64x((long long)(~x & 0x3f3f3f3f3f3f3f3fu));
    return sito_block_named(block, up, 0) && sito_block_named(block + 32, up, 4);
}

static inline bool sito_block_has16(const unsigned char *block, uint64_t hash) {
    const uint32_t h = (uint32_t)(hash * SITO_BLOCK_STIR >> 32);
    const sito_block_halves one = {1, 1, 1, 1, 1, 1, 1, 1}, all = {h, h, h, h, h, h, h, h};
    const sito_block_halves first = {0xc070fef3u, 0xea6a82b7u, 0xc5519bddu, 0x7be90245u,
                                     0x721c9bd5u, 0x85c7b0c1u, 0xfd33cebfu, 0x48b90a53u};
    const sito_block_halves second = {0x83e986c9u, 0x252072efu, 0xd6132339u, 0x78297e31u,
                                      0xdb5166d7u, 0x27c14e4fu, 0x2bae3d77u, 0x7032af05u};
    return sito_block_covers(block, (sito_block_words)(one << ((all * first) >> 27))) &&
           sito_block_covers(block + 32, (sito_block_words)(one << ((all * second) >> 27)));
}
#else
/* Word i of so many bits, whatever the machine's own order of bytes. */
static inline uint64_t sito_block_word(const unsigned char *block, unsigned i, unsigned bits) {
    uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    __builtin_memcpy(&word, block + i * bits / 8, bits / 8);
#else
    for (unsigned j = 0; j < bits / 8; j++) word |= (uint64_t)block[i * bits / 8 + j] << (8 * j);
#endif
    return word;
}

static inline bool sito_block_has8(const unsigned char *block, uint64_t hash) {
    const uint64_t x = hash * SITO_BLOCK_STIR;
    uint64_t all = 1;
    for (unsigned i = 0; i < 8; i++) all &= sito_block_word(block, i, 64) >> (x >> (8 * i) & 63);
    return all != 0;
}

static inline bool sito_block_has16(const unsigned char *block, uint64_t hash) {
    const uint32_t h = (uint32_t)(hash * SITO_BLOCK_STIR >> 32);
    static const uint32_t odds[16] = {0xc070fef3u, 0xea6a82b7u, 0xc5519bddu, 0x7be90245u,
                                      0x721c9bd5u, 0x85c7b0c1u, 0xfd33cebfu, 0x48b90a53u,
                                      0x83e986c9u, 0x252072efu, 0xd6132339u, 0x78297e31u,
                                      0xdb5166d7u, 0x27c14e4fu, 0x2bae3d77u, 0x7032af05u};
    uint64_t all = 1;
    for (unsigned i = 0; i < 16; i++) all &= sito_block_word(block, i, 32) >> (h * odds[i] >> 27);
    return all != 0;
}
#endif

__extension__ typedef unsigned __int128 sito_block_wide;

static inline bool sito_block_eye_maybe(const sito_block_eye *eye, uint64_t hash) {
    uint64_t start = (uint64_t)((sito_block_wide)hash * eye->nblocks >> 64) * 64;
    if (__builtin_expect(eye->nhashes != 8, 0)) {
        __asm__("" : "+r"(start)); /* lest the ways share what each does better by itself */
        return sito_block_has16(eye->cells + start, hash);
    }
    return sito_block_has8(eye->cells + start, hash);
}

#ifdef __cplusplus
}
#endif
#endif
