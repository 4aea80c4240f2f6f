/*
 * block_walk.h - hash -> block -> bits, as every instruction set walks it.
 *
 * The high bits of the hash choose the block; its product with an odd constant, whose high bits
 * hang on all of the hash, chooses the bits. Eight bits: one in each 64-bit word, by the low six
 * bits of each byte of that product. Sixteen: one in each 32-bit word; the product's high half
 * times an odd constant for each word, of which the highest five bits count.
 */
#ifndef SITO_BLOCK_WALK_H
#define SITO_BLOCK_WALK_H

#include "core/stretch.h"
#include "cpu/cpu.h"
#include "place/range.h"

enum { BLOCK_BYTES = 64, BLOCK_AHEAD = 32 };

#define BLOCK_STIR 0x9e3779b97f4a7c15u

/* Shifts that bring field i down. */
#define BLOCK_FIELDS 0, 8, 16, 24, 32, 40, 48, 56

/* Odd, and otherwise drawn at random. */
#define BLOCK_ODDS_LOW                                                                             \
    0xc070fef3u, 0xea6a82b7u, 0xc5519bddu, 0x7be90245u, 0x721c9bd5u, 0x85c7b0c1u, 0xfd33cebfu,     \
        0x48b90a53u
#define BLOCK_ODDS_HIGH                                                                            \
    0x83e986c9u, 0x252072efu, 0xd6132339u, 0x78297e31u, 0xdb5166d7u, 0x27c14e4fu, 0x2bae3d77u,     \
        0x7032af05u

static inline uint64_t block_start(uint64_t nblocks, uint64_t hash) {
    return range_of(hash, nblocks) * BLOCK_BYTES;
}

/* Bit i of a key, counted from its block's first. */
static inline unsigned block_bit8(unsigned i, uint64_t hash) {
    return 64 * i + (unsigned)(hash * BLOCK_STIR >> 8 * i & 63);
}

static inline unsigned block_bit16(unsigned i, uint64_t hash) {
    static const uint32_t odds[] = {BLOCK_ODDS_LOW, BLOCK_ODDS_HIGH};
    return 32 * i + ((uint32_t)(hash * BLOCK_STIR >> 32) * odds[i] >> 27);
}

/* Where it is done by pieces: keys added between asking for some lines that come and some more. */
enum { COMING_PIECE = 512 };

/* Those that n keys have time for. */
static inline void coming_ask(struct coming *c, size_t n) {
    const uint8_t *to = c->at;
    if (to < c->end) to += least(n / 8 * c->step, (uint64_t)(c->end - to));
    for (; c->at < to; c->at += BLOCK_BYTES) __builtin_prefetch(c->at, 0, 2);
}

typedef bool block_has(const uint8_t *block, uint64_t hash);
typedef bool block_set(uint8_t *block, uint64_t hash); /* true: a bit was 0 */

/* Hashes are asked for farther ahead where they are split: that takes no time, and they are wanted
 * sooner. */
enum { SPLIT_AHEAD = 1024 };

/* `has` and `set` are known where these are used, and put in line. */
static inline __attribute__((always_inline)) void
block_ask_all(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n,
              uint8_t *answers, block_has *has, size_t ahead) {
    size_t i = 0;
    for (size_t soon = 0; soon < ahead && soon < n; soon++)
        __builtin_prefetch(cells + block_start(nblocks, hashes[soon]));
    for (; ahead && i + ahead < n; i++) {
        __builtin_prefetch(hashes + i + ahead + HASHES_AHEAD);
        __builtin_prefetch(cells + block_start(nblocks, hashes[i + ahead]));
        answers[i] = has(cells + block_start(nblocks, hashes[i]), hashes[i]);
    }
    for (; i < n; i++) answers[i] = has(cells + block_start(nblocks, hashes[i]), hashes[i]);
}

static inline __attribute__((always_inline)) uint64_t
block_set_all(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, int8_t *answers,
              block_set *set, size_t ahead) {
    uint64_t added = 0;
    for (size_t soon = 0; soon < ahead && soon < n; soon++)
        __builtin_prefetch(cells + block_start(nblocks, hashes[soon]), 1);
    for (size_t i = 0; i < n; i++) {
        __builtin_prefetch(hashes + i + ahead + HASHES_AHEAD);
        if (ahead && i + ahead < n)
            __builtin_prefetch(cells + block_start(nblocks, hashes[i + ahead]), 1);
        bool is_new = set(cells + block_start(nblocks, hashes[i]), hashes[i]);
        if (answers) answers[i] = is_new;
        added += is_new;
    }
    return added;
}

/* The calls of a kernel, made from its `has` and `set`. Lines are asked for so many keys ahead. */
#define BLOCK_KERNEL_AHEAD(ATTRIBUTE, NAME, HAS, SET, ASK_AHEAD, ADD_AHEAD)                        \
    ATTRIBUTE static bool NAME##_maybe(const uint8_t *cells, uint64_t nblocks, uint64_t hash) {    \
        return HAS(cells + block_start(nblocks, hash), hash);                                      \
    }                                                                                              \
    ATTRIBUTE static void NAME##_maybe_many(const uint8_t *cells, uint64_t nblocks,                \
                                            const uint64_t *hashes, size_t n, uint8_t *answers) {  \
        block_ask_all(cells, nblocks, hashes, n, answers, HAS, ASK_AHEAD);                         \
    }                                                                                              \
    ATTRIBUTE static bool NAME##_add(uint8_t *cells, uint64_t nblocks, uint64_t hash) {            \
        return SET(cells + block_start(nblocks, hash), hash);                                      \
    }                                                                                              \
    ATTRIBUTE static int NAME##_add_held(uint8_t *block, uint64_t hash, struct stretch *held) {    \
        bool is_new = SET(block, hash);                                                            \
        stretch_leave(held, is_new);                                                               \
        return is_new;                                                                             \
    }                                                                                              \
    ATTRIBUTE static uint64_t NAME##_add_many(uint8_t *cells, uint64_t nblocks,                    \
                                              const uint64_t *hashes, size_t n, int8_t *answers) { \
        return block_set_all(cells, nblocks, hashes, n, answers, SET, ADD_AHEAD);                  \
    }

#define BLOCK_KERNEL(ATTRIBUTE, NAME, HAS, SET)                                                    \
    BLOCK_KERNEL_AHEAD(ATTRIBUTE, NAME, HAS, SET, BLOCK_AHEAD, BLOCK_AHEAD)

#define BLOCK_CALLS(NAME)                                                                          \
    { NAME##_maybe, NAME##_maybe_many, NAME##_add, NAME##_add_held, NAME##_add_many, NULL }

#endif
