/*
 * avx512_shift.h - batches of eight-bit keys in words of 512 bits, on AMD's machines from Zen 5 on.
 *
 * These have twice as many lines of memory under way as others, and want them asked for long ahead;
 * those of the second cache, too, but only a few, or adds take half as long again. A narrow load
 * waits long for the wide store it reads from: no rings, and a key's bits stay in registers.
 */
#ifndef SITO_AVX512_SHIFT_H
#define SITO_AVX512_SHIFT_H

#include "cpu/avx512_words.h"

#ifdef __x86_64__

#define SHIFTS __attribute__((target("avx512f,avx512dq,avx512bw,avx512vbmi,bmi2,popcnt")))

/* Keys between asking for a line and its turn; 0: not asked for. */
enum {
    SHIFT_NEAR_AHEAD = 24,
    SHIFT_PART_AHEAD = 64,
    SHIFT_CACHED_AHEAD = 256,
    SHIFT_FAR_AHEAD = 128
};
enum { SHIFT_HASHES_AHEAD = 512 };

#define SHIFT_AT_HAND ((uint64_t)256 << 10) /* bytes of table */
#define SHIFT_ASKED_NEAR ((uint64_t)8 << 20)
#define SHIFT_ADDED_NEAR ((uint64_t)16 << 20)
#define SHIFT_CACHED ((uint64_t)32 << 20)

static inline size_t shift_ask_ahead(uint64_t nblocks) {
    uint64_t bytes = nblocks * BLOCK_BYTES;
    return bytes <= SHIFT_AT_HAND      ? 0
           : bytes <= SHIFT_ASKED_NEAR ? SHIFT_NEAR_AHEAD
           : bytes <= SHIFT_CACHED     ? SHIFT_CACHED_AHEAD
                                       : SHIFT_FAR_AHEAD;
}

static inline size_t shift_add_ahead(uint64_t nblocks) {
    uint64_t bytes = nblocks * BLOCK_BYTES;
    return bytes <= SHIFT_AT_HAND      ? 0
           : bytes <= SHIFT_ADDED_NEAR ? SHIFT_NEAR_AHEAD
                                       : SHIFT_FAR_AHEAD;
}

/* To a part of the table, which comes as its keys do. */
static inline size_t shift_part_ahead(uint64_t nblocks) {
    return (size_t)least(shift_add_ahead(nblocks), SHIFT_PART_AHEAD);
}

/* ---- questions ---- */

/* Bit j: key j has all its bits. Each byte of a key's product brings down, out of each word of the
 * block, eight bits from the one it names on; of these byte i of word i counts, and there bit j, for
 * key j asks j bits sooner. So what eight keys lack is one word, a bit each in eight bytes. */
SHIFTS static inline __attribute__((always_inline)) uint8_t
eight_shifted(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes) {
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR);
    const word512 own = _mm512_setr_epi64(1, 1 << 8, 1 << 16, 1 << 24, 1LL << 32, 1LL << 40,
                                          1LL << 48, 1LL << 56); /* byte i of word i */
    const word512 own_at = _mm512_set1_epi64(0x3f362d241b120900);
    const word512 key = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const word512 sooner = _mm512_mullo_epi64(key, _mm512_set1_epi64(BYTES_OF_1));
    const word512 of_key = _mm512_sllv_epi64(_mm512_set1_epi64(BYTES_OF_1), key);
    word512 lack = _mm512_setzero_si512();
    word512 named = _mm512_mullo_epi64(_mm512_loadu_si512(hashes), stir);
    named = _mm512_sub_epi8(named, sooner);
#pragma GCC unroll 8
    for (unsigned j = 0; j < 8; j++) {
        word512 block = _mm512_loadu_si512(cells + block_start(nblocks, hashes[j]));
        word512 of_j = _mm512_permutexvar_epi64(_mm512_set1_epi64(j), named);
        word512 down = _mm512_multishift_epi64_epi8(of_j, block);
        lack =
            _mm512_ternarylogic_epi64(lack, down, _mm512_slli_epi64(own, j), 0xf2); /* a|(~b&c) */
    }
    lack = _mm512_permutexvar_epi8(own_at, lack); /* the eight bytes, in every word */
    return (uint8_t)_mm512_testn_epi64_mask(lack, of_key);
}

SHIFTS static inline __attribute__((always_inline)) void keep_shifted(const uint8_t *known,
                                                                      uint8_t *answers) {
    uint64_t all;
    memcpy(&all, known, sizeof all);
    _mm512_storeu_si512(answers, _mm512_maskz_mov_epi8(all, _mm512_set1_epi8(1)));
}

/* Asks for hashes, and for the lines of eight keys that come so far behind these, if there are so
 * many. */
SHIFTS static inline __attribute__((always_inline)) void
shift_soon(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, size_t at,
           size_t ahead, bool to_write) {
    __builtin_prefetch(hashes + at + SHIFT_HASHES_AHEAD);
    if (ahead && at + ahead + 8 <= n) eight_soon(cells, nblocks, hashes + at + ahead, to_write);
}

/* How many were answered. Those of 64 are written when the next 64 are under way. */
SHIFTS static size_t shift_maybe(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                 size_t n, uint8_t *answers) {
    size_t i = 0, ahead = shift_ask_ahead(nblocks);
    uint8_t known[2][8];
    for (size_t j = 0; j < ahead && j + 8 <= n; j += 8)
        eight_soon(cells, nblocks, hashes + j, false);
    for (; n - i >= 64; i += 64) {
        unsigned now = i / 64 % 2;
        for (size_t j = 0; j < 64; j += 8) {
            shift_soon(cells, nblocks, hashes, n, i + j, ahead, false);
            known[now][j / 8] = eight_shifted(cells, nblocks, hashes + i + j);
        }
        if (i) keep_shifted(known[!now], answers + i - 64);
    }
    if (i) keep_shifted(known[i / 64 % 2 == 0], answers + i - 64);
    for (; n - i >= 8; i += 8) {
        uint64_t all = eight_shifted(cells, nblocks, hashes + i);
        eight_keep(_pdep_u64(all, BYTES_OF_1), answers + i);
    }
    return i;
}

/* ---- adds ---- */

SHIFTS static inline __attribute__((always_inline)) void
eight_put_shifted(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, uint8_t *masks) {
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR), one = _mm512_set1_epi64(1);
    const word512 first = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    word512 named = _mm512_mullo_epi64(_mm512_loadu_si512(hashes), stir);
    __mmask8 seen[8];
    named = _mm512_and_si512(named, _mm512_set1_epi64((long long)SIX_OF_EIGHT));
#pragma GCC unroll 8
    for (unsigned j = 0; j < 8; j++) {
        word512 at =
            _mm512_add_epi64(first, _mm512_set1_epi64(8 * j)); /* key j's bytes, a word each */
        word512 bit = _mm512_maskz_permutexvar_epi8(BYTES_OF_1, at, named);
        seen[j] = avx512_put8(cells + block_start(nblocks, hashes[j]), _mm512_sllv_epi64(one, bit));
    }
    eight_keep(eight_masks(seen), masks);
}

/* How many were added; to *added, how many were new. */
SHIFTS static inline __attribute__((always_inline)) size_t
shift_add(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, int8_t *answers,
          uint64_t *added, size_t ahead) {
    uint8_t masks[2][64];
    size_t i = 0;
    for (size_t j = 0; j < ahead && j + 8 <= n; j += 8)
        eight_soon(cells, nblocks, hashes + j, true);
    for (; n - i >= 64; i += 64) {
        unsigned now = i / 64 % 2;
        for (size_t j = 0; j < 64; j += 8) {
            shift_soon(cells, nblocks, hashes, n, i + j, ahead, true);
            eight_put_shifted(cells, nblocks, hashes + i + j, masks[now] + j);
        }
        if (i) *added += added_64(masks[!now], answers ? answers + i - 64 : NULL);
    }
    if (i) *added += added_64(masks[i / 64 % 2 == 0], answers ? answers + i - 64 : NULL);
    for (; n - i >= 8; i += 8) {
        uint64_t eight;
        eight_put_shifted(cells, nblocks, hashes + i, (uint8_t *)&eight);
        *added += eight_added(eight_whole(eight), answers ? answers + i : NULL);
    }
    return i;
}

/* ---- adds to a part of the table ---- */

/* To blocks that were found before; then the next eight keys' are found, and asked for. Few
 * instructions wait for a line: the mask is made before, by turning a 1, and turning minds six bits
 * of its count only. */
SHIFTS static inline __attribute__((always_inline)) void
eight_put_found(uint8_t *block[8], uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                const uint64_t *next, uint8_t *masks) {
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR), one = _mm512_set1_epi64(1);
    const word512 first = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const word512 named = _mm512_mullo_epi64(_mm512_loadu_si512(hashes), stir);
    __mmask8 seen[8];
#pragma GCC unroll 8
    for (unsigned j = 0; j < 8; j++) {
        word512 at = _mm512_add_epi64(first, _mm512_set1_epi64(8 * j));
        word512 turns = _mm512_permutexvar_epi8(at, named);
        seen[j] = avx512_put8(block[j], _mm512_rolv_epi64(one, turns));
        block[j] = cells + block_start(nblocks, next[j]);
        ask_to_write(block[j]);
    }
    eight_keep(eight_masks(seen), masks);
}

/* How many were added; to *added, how many were new. Lines that come are best asked for one by one,
 * or, if there are more than one for eight keys, by two. */
SHIFTS static inline __attribute__((always_inline)) size_t
shift_add_part(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, uint64_t *added,
               struct coming *coming, bool many) {
    uint8_t masks[2][64], *block[8];
    const uint8_t *soon = coming->at;
    size_t i = 0;
    if (n < 64) return 0;
    for (size_t j = 0; j < 8; j++) block[j] = cells + block_start(nblocks, hashes[j]);
    for (; n - i >= 64; i += 64) {
        unsigned now = i / 64 % 2;
        size_t step = soon < coming->end ? coming->step : 0;
        for (size_t j = 0; j < 64; j += 8) {
            const uint64_t *eight = hashes + i + j, *last = hashes + n - 8;
            __builtin_prefetch(eight + SHIFT_HASHES_AHEAD);
            __builtin_prefetch(soon);
            if (many) __builtin_prefetch(soon + BLOCK_BYTES);
            soon += step;
            eight_put_found(block, cells, nblocks, eight, eight < last - 8 ? eight + 8 : last,
                            masks[now] + j);
        }
        if (i) *added += added_64(masks[!now], NULL);
    }
    *added += added_64(masks[i / 64 % 2 == 0], NULL);
    coming->at = soon;
    return i;
}

#endif
#endif
