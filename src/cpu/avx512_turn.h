/*
 * avx512_turn.h - batches of eight-bit keys in words of 512 bits, on Intel's machines before Ice
 * Lake.
 *
 * These reckon with two wide units, to which the upper half of every long product goes too, and have
 * few lines under way. So eight places come by one wide product, and wait in a ring until the lines
 * they were asked for are here. A block is turned, each word by a byte of the key's product: what the
 * key lacks is then one bit of each word, and another bit for every key. 64 keys are looked through
 * at once.
 */
#ifndef SITO_AVX512_TURN_H
#define SITO_AVX512_TURN_H

#include "cpu/avx512_words.h"

#ifdef __x86_64__

/* Keys: in the ring; between asking for a line and its turn; hashes are asked for before that. */
enum { TURN_RING = 128, TURN_AHEAD = 64, TURN_HASHES_AHEAD = 256 };

#define TURN_AT_HAND ((uint64_t)256 << 10) /* bytes of table whose lines are not asked for */

struct turn_ring {
    _Alignas(64) uint64_t start[TURN_RING], named[TURN_RING];
};

/* In halves, for a narrow load from the upper half of a word just stored would wait for it. */
AVX512 static inline void turn_write(uint64_t *to, word512 x) {
    __m256i low = _mm512_castsi512_si256(x), high = _mm512_extracti64x4_epi64(x, 1);
    memcpy(to, &low, sizeof low);
    memcpy(to + 4, &high, sizeof high);
}

/* Keys s .. s + 7 of the ring: block_start() in 32-bit steps, for nblocks below 2^32, and the bits
 * that their products name, of key s + j each by j less. */
AVX512 static inline __attribute__((always_inline)) void
turn_take(struct turn_ring *r, size_t s, uint64_t nblocks, const uint64_t *hashes) {
    const word512 n = _mm512_set1_epi64((long long)nblocks);
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR);
    const word512 key = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const word512 less = _mm512_mullo_epi64(key, _mm512_set1_epi64(BYTES_OF_1));
    word512 h = _mm512_loadu_si512(hashes), high = _mm512_srli_epi64(h, 32);
    word512 below = _mm512_srli_epi64(_mm512_mul_epu32(h, n), 32);
    word512 start = _mm512_srli_epi64(_mm512_add_epi64(_mm512_mul_epu32(high, n), below), 26);
    turn_write(r->start + s, _mm512_and_si512(start, _mm512_set1_epi64(-BLOCK_BYTES)));
    turn_write(r->named + s, _mm512_sub_epi8(_mm512_mullo_epi64(h, stir), less));
}

AVX512 static inline __attribute__((always_inline)) void
turn_soon(const struct turn_ring *r, size_t s, const uint8_t *cells, bool to_write) {
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        if (to_write) ask_to_write(cells + r->start[s + j]);
        else __builtin_prefetch(cells + r->start[s + j]);
    }
}

/* The bits of key s, a word each. */
AVX512 static inline word512 turn_named(const struct turn_ring *r, size_t s) {
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)(r->named + s)));
}

/* Bit j of a word is 1 if key s + j lacks its bit there. */
AVX512 static inline __attribute__((always_inline)) word512
turn_ask(const struct turn_ring *r, size_t s, const uint8_t *cells, word512 lack) {
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        word512 block = _mm512_loadu_si512(cells + r->start[s + j]);
        word512 turned = _mm512_rorv_epi64(block, turn_named(r, s + j));
        lack = _mm512_ternarylogic_epi64(lack, turned, _mm512_set1_epi64(1LL << j),
                                         0xf2); /* a|(~b&c) */
    }
    return lack;
}

/* The same, and sets them. In order: two of the eight may share a block. */
AVX512 static inline __attribute__((always_inline)) word512
turn_put(const struct turn_ring *r, size_t s, uint8_t *cells, word512 lack) {
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        const word512 own = _mm512_set1_epi64(1LL << j);
        uint8_t *block = cells + r->start[s + j];
        word512 was = _mm512_loadu_si512(block), named = turn_named(r, s + j);
        _mm512_storeu_si512(block, _mm512_or_si512(was, _mm512_rolv_epi64(own, named)));
        lack = _mm512_ternarylogic_epi64(lack, _mm512_rorv_epi64(was, named), own, 0xf2);
    }
    return lack;
}

/* Bit j of the few keys is 1 if key j lacks a bit. All were turned on by eight for every eight behind
 * them, and those themselves. */
AVX512 static inline uint64_t turn_back(word512 lack, size_t few) {
    return (uint64_t)_mm512_reduce_or_epi64(lack) >> (64 - few);
}

AVX512 static inline void turn_answer(uint64_t yes, size_t few, uint8_t *answers) {
    word512 ones = _mm512_maskz_mov_epi8(yes, _mm512_set1_epi8(1));
    if (few == 64) _mm512_storeu_si512(answers, ones);
    else
        for (size_t j = 0; j < few; j += 8)
            eight_keep(_pdep_u64(yes >> j & 255, BYTES_OF_1), answers + j);
}

/* Asks for keys, or adds them: eights of them, the rest is left. NULL: nobody wants the answers.
 * Returns how many keys lacked a bit. */
AVX512 static inline __attribute__((always_inline)) uint64_t
turn_all(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t eights, uint8_t *answers,
         bool to_add) {
    const bool far = nblocks * BLOCK_BYTES > TURN_AT_HAND;
    struct turn_ring r;
    uint64_t lacking = 0;
    size_t taken = 0, asked;
    for (; taken < TURN_AHEAD && taken < eights; taken += 8) {
        turn_take(&r, taken, nblocks, hashes + taken);
        if (far) turn_soon(&r, taken, cells, to_add);
    }
    asked = taken;
    for (size_t i = 0, few; i < eights; i += few) {
        word512 lack = _mm512_setzero_si512();
        few = (size_t)least(eights - i, 64);
        for (size_t j = 0; j < few; j += 8) {
            size_t s = (i + j) % TURN_RING;
            __builtin_prefetch(hashes + taken + TURN_HASHES_AHEAD);
            lack = to_add ? turn_put(&r, s, cells, lack) : turn_ask(&r, s, cells, lack);
            lack = _mm512_ror_epi64(lack, 8);
            /* The places of those taken last are on their way to memory: now others stand between. */
            if (far && asked < taken) turn_soon(&r, asked % TURN_RING, cells, to_add), asked += 8;
            if (taken == eights) continue;
            turn_take(&r, taken % TURN_RING, nblocks, hashes + taken);
            taken += 8;
        }
        uint64_t lacks = turn_back(lack, few);
        lacking += (uint64_t)__builtin_popcountll(lacks);
        if (answers) turn_answer(to_add ? lacks : ~lacks, few, answers + i);
    }
    return lacking;
}

#endif
#endif
