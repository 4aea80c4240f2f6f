/*
 * avx512.c - the walks in words of 512 bits: a block is one.
 *
 * Rotating takes its count modulo 64, so a byte of the product need not be cut out to name a bit:
 * the product turned to bring that byte down will do. Batches of eight-bit keys go by eights, as
 * those of avx2.c go by fours.
 */
#include "cpu/cpu.h"

#include "cpu/block_walk.h"

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512dq,bmi2,popcnt")))

typedef __m512i word512;
typedef uint64_t words_of_8 __attribute__((vector_size(64)));
typedef uint32_t words_of_16 __attribute__((vector_size(64)));

static bool avx512_is_here(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("bmi2") && cpu_avx2.is_here();
}

/* ---- eight bits ---- */

/* How far each word turns for the bit that the key names to come last: word i is the product, turned
 * so that byte i does. */
AVX512 static inline word512 avx512_turns8(word512 product) {
    const words_of_8 down = {BLOCK_FIELDS};
    return _mm512_rorv_epi64(product, (word512)down);
}

AVX512 static inline word512 avx512_turns_by(uint64_t product) {
    return avx512_turns8(_mm512_set1_epi64((long long)product));
}

/* Which of the key's bits are set. */
AVX512 static inline __mmask8 avx512_seen8(const uint8_t *block, word512 turns) {
    word512 turned = _mm512_rorv_epi64(_mm512_loadu_si512(block), turns);
    return _mm512_test_epi64_mask(turned, _mm512_set1_epi64(1));
}

/* Sets them. Which of them had been set? */
AVX512 static inline __mmask8 avx512_put8(uint8_t *block, word512 turns) {
    word512 mask = _mm512_rolv_epi64(_mm512_set1_epi64(1), turns);
    word512 was = _mm512_loadu_si512(block);
    _mm512_storeu_si512(block, _mm512_or_si512(was, mask));
    return _mm512_test_epi64_mask(was, mask);
}

AVX512 static inline bool avx512_has8(const uint8_t *block, uint64_t hash) {
    return avx512_seen8(block, avx512_turns_by(hash * BLOCK_STIR)) == UINT8_MAX;
}

AVX512 static inline bool avx512_set8(uint8_t *block, uint64_t hash) {
    return avx512_put8(block, avx512_turns_by(hash * BLOCK_STIR)) != UINT8_MAX;
}

/* ---- sixteen bits ---- */

AVX512 static inline word512 avx512_mask16(uint64_t hash) {
    const words_of_16 odds = {BLOCK_ODDS_LOW, BLOCK_ODDS_HIGH};
    word512 all = _mm512_set1_epi32((int)(hash * BLOCK_STIR >> 32));
    word512 bit = _mm512_srli_epi32(_mm512_mullo_epi32(all, (word512)odds), 27);
    return _mm512_sllv_epi32(_mm512_set1_epi32(1), bit);
}

AVX512 static inline bool avx512_has16(const uint8_t *block, uint64_t hash) {
    return _mm512_test_epi32_mask(_mm512_loadu_si512(block), avx512_mask16(hash)) == UINT16_MAX;
}

AVX512 static inline bool avx512_set16(uint8_t *block, uint64_t hash) {
    word512 mask = avx512_mask16(hash), was = _mm512_loadu_si512(block);
    _mm512_storeu_si512(block, _mm512_or_si512(was, mask));
    return _mm512_test_epi32_mask(was, mask) != UINT16_MAX;
}

BLOCK_KERNEL(AVX512, avx512_eight, avx512_has8, avx512_set8)
BLOCK_KERNEL(AVX512, avx512_sixteen, avx512_has16, avx512_set16)

/* ---- many keys of eight bits ---- */

/* What is near comes by itself; the lines of the last cache are best asked for long ahead, those of
 * memory not so long. */
enum { EIGHTS_MOST = 128, EIGHTS_FEW = 32 };

#define NEAR_UP_TO ((uint64_t)4 << 20) /* bytes of table */
#define CACHED_UP_TO ((uint64_t)32 << 20)

#define BYTES_OF_1 0x0101010101010101u

struct eights {
    _Alignas(64) uint64_t block[EIGHTS_MOST], product[EIGHTS_MOST];
};

/* Keys s .. s + 7 of the ring: block_start() in 32-bit steps, for nblocks below 2^32, and the
 * product. Asks for their lines, to write to them or not. */
AVX512 static inline __attribute__((always_inline)) void
eight_take(struct eights *r, size_t s, const uint8_t *cells, uint64_t nblocks,
           const uint64_t *hashes, bool to_write) {
    const word512 n = _mm512_set1_epi64((long long)nblocks);
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR);
    word512 h = _mm512_loadu_si512(hashes), high = _mm512_srli_epi64(h, 32);
    word512 below = _mm512_srli_epi64(_mm512_mul_epu32(h, n), 32);
    word512 start = _mm512_srli_epi64(_mm512_add_epi64(_mm512_mul_epu32(high, n), below), 26);
    start = _mm512_and_si512(start, _mm512_set1_epi64(-BLOCK_BYTES));
    start = _mm512_add_epi64(start, _mm512_set1_epi64((long long)(uintptr_t)cells));
    _mm512_storeu_si512(r->block + s, start);
    _mm512_storeu_si512(r->product + s, _mm512_mullo_epi64(h, stir));
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        if (to_write) __builtin_prefetch((const void *)(uintptr_t)r->block[s + j], 1);
        else __builtin_prefetch((const void *)(uintptr_t)r->block[s + j], 0);
    }
}

/* The first keys of a batch, a ring of them at most; how many were taken. */
AVX512 static inline __attribute__((always_inline)) size_t
eights_begin(struct eights *r, size_t length, const uint8_t *cells, uint64_t nblocks,
             const uint64_t *hashes, size_t n, bool to_write) {
    size_t taken = 0;
    for (; taken < length && taken < n; taken += 8)
        eight_take(r, taken, cells, nblocks, hashes + taken, to_write);
    return taken;
}

/* Byte j becomes 1 if it is 255, else 0. */
static inline uint64_t eight_whole(uint64_t masks) {
    const __m128i all = _mm_set1_epi8(-1), one = _mm_set1_epi8(1);
    __m128i whole = _mm_cmpeq_epi8(_mm_cvtsi64_si128((long long)masks), all);
    return (uint64_t)_mm_cvtsi128_si64(_mm_and_si128(whole, one));
}

static inline void eight_answer(uint64_t eight, uint8_t *answers) {
    memcpy(answers, &eight, sizeof eight);
}

/* Byte j is 1 if all bits of key j are set. */
AVX512 static inline __attribute__((always_inline)) uint64_t eight_ask(const struct eights *r,
                                                                       size_t s) {
    uint64_t seen = 0;
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        const uint8_t *block = (const uint8_t *)(uintptr_t)r->block[s + j];
        seen |= (uint64_t)avx512_seen8(block, avx512_turns_by(r->product[s + j])) << 8 * j;
    }
    return eight_whole(seen);
}

/* In order: two of the eight may share a block. Byte j is 1 if all bits of key j had been set. */
AVX512 static inline __attribute__((always_inline)) uint64_t eight_put(const struct eights *r,
                                                                       size_t s) {
    uint64_t seen = 0;
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        uint8_t *block = (uint8_t *)(uintptr_t)r->block[s + j];
        seen |= (uint64_t)avx512_put8(block, avx512_turns_by(r->product[s + j])) << 8 * j;
    }
    return eight_whole(seen);
}

/* The products of eight at once, to be read one by one: in wide words that is cheaper than eight
 * plain ones. */
struct products {
    _Alignas(64) uint64_t of[8];
};

AVX512 static inline __attribute__((always_inline)) struct products
eight_products(const uint64_t *hashes) {
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR);
    struct products p;
    _mm512_storeu_si512(p.of, _mm512_mullo_epi64(_mm512_loadu_si512(hashes), stir));
    return p;
}

/* As the keys come: no ring. */
AVX512 static inline __attribute__((always_inline)) uint64_t
eight_ask_near(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes) {
    struct products products = eight_products(hashes);
    uint64_t seen = 0;
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        const uint8_t *block = cells + block_start(nblocks, hashes[j]);
        seen |= (uint64_t)avx512_seen8(block, avx512_turns_by(products.of[j])) << 8 * j;
    }
    return eight_whole(seen);
}

AVX512 static inline __attribute__((always_inline)) uint64_t
eight_put_near(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes) {
    struct products products = eight_products(hashes);
    uint64_t seen = 0;
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        uint8_t *block = cells + block_start(nblocks, hashes[j]);
        seen |= (uint64_t)avx512_put8(block, avx512_turns_by(products.of[j])) << 8 * j;
    }
    return eight_whole(seen);
}

static size_t eights_length(uint64_t nblocks) {
    uint64_t bytes = nblocks * BLOCK_BYTES;
    return bytes > NEAR_UP_TO && bytes <= CACHED_UP_TO ? EIGHTS_MOST : EIGHTS_FEW;
}

/* Of a table in the caches: working out twice where a block lies is quicker than keeping it. */
AVX512 static size_t eights_maybe_cached(const uint8_t *cells, uint64_t nblocks,
                                         const uint64_t *hashes, size_t n, uint8_t *answers) {
    size_t ahead = nblocks * BLOCK_BYTES <= NEAR_UP_TO ? 0 : EIGHTS_MOST, i = 0;
    for (size_t j = 0; j < ahead && j < n; j++)
        __builtin_prefetch(cells + block_start(nblocks, hashes[j]));
    for (; ahead && n - i >= ahead + 8; i += 8) {
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++)
            __builtin_prefetch(cells + block_start(nblocks, hashes[i + ahead + j]));
        eight_answer(eight_ask_near(cells, nblocks, hashes + i), answers + i);
    }
    for (; n - i >= 8; i += 8)
        eight_answer(eight_ask_near(cells, nblocks, hashes + i), answers + i);
    return i;
}

AVX512 static size_t eights_maybe(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                  size_t n, uint8_t *answers) {
    struct eights r;
    size_t i = 0, eights = nblocks > UINT32_MAX ? 0 : n & ~(size_t)7;
    size_t taken = eights_begin(&r, EIGHTS_FEW, cells, nblocks, hashes, eights, false);
    for (; i < eights; i += 8) {
        size_t s = i & (EIGHTS_FEW - 1);
        eight_answer(eight_ask(&r, s), answers + i);
        if (taken < eights) eight_take(&r, s, cells, nblocks, hashes + taken, false), taken += 8;
    }
    return i;
}

AVX512 static void avx512_ring_maybe_many(const uint8_t *cells, uint64_t nblocks,
                                          const uint64_t *hashes, size_t n, uint8_t *answers) {
    bool cached = nblocks * BLOCK_BYTES <= CACHED_UP_TO;
    size_t i = (cached ? eights_maybe_cached : eights_maybe)(cells, nblocks, hashes, n, answers);
    avx512_eight_maybe_many(cells, nblocks, hashes + i, n - i, answers + i);
}

/* Returns how many were new. */
AVX512 static inline __attribute__((always_inline)) uint64_t eight_added(uint64_t known,
                                                                         int8_t *answers) {
    uint64_t is_new = BYTES_OF_1 ^ known;
    if (answers) memcpy(answers, &is_new, sizeof is_new);
    return is_new * BYTES_OF_1 >> 56;
}

AVX512 static inline __attribute__((always_inline)) uint64_t
eights_add(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, int8_t *answers) {
    struct eights r;
    size_t length = eights_length(nblocks), i = 0, taken = 0,
           eights = nblocks > UINT32_MAX ? 0 : n & ~(size_t)7;
    uint64_t added = 0;
    if (nblocks * BLOCK_BYTES <= NEAR_UP_TO) {
        for (; i < eights; i += 8)
            added += eight_added(eight_put_near(cells, nblocks, hashes + i),
                                 answers ? answers + i : NULL);
    } else {
        taken = eights_begin(&r, length, cells, nblocks, hashes, eights, true);
    }
    for (; i < eights; i += 8) {
        size_t s = i & (length - 1);
        __builtin_prefetch(hashes + taken + HASHES_AHEAD);
        added += eight_added(eight_put(&r, s), answers ? answers + i : NULL);
        if (taken < eights) eight_take(&r, s, cells, nblocks, hashes + taken, true), taken += 8;
    }
    return added +
           avx512_eight_add_many(cells, nblocks, hashes + i, n - i, answers ? answers + i : NULL);
}

/* Mostly nobody wants the answers. */
AVX512 static uint64_t avx512_ring_add_many(uint8_t *cells, uint64_t nblocks,
                                            const uint64_t *hashes, size_t n, int8_t *answers) {
    return answers ? eights_add(cells, nblocks, hashes, n, answers)
                   : eights_add(cells, nblocks, hashes, n, NULL);
}

/* ---- those of one side of the table ---- */

/* The own among eight, and zeros, over which the next are written. Returns where. */
AVX512 static inline __attribute__((always_inline)) uint64_t *
pick_eight(const uint64_t *hashes, word512 flip, uint64_t *own) {
    word512 h = _mm512_loadu_si512(hashes);
    __mmask8 which = _mm512_movepi64_mask(_mm512_xor_si512(h, flip));
    _mm512_storeu_si512(own, _mm512_maskz_compress_epi64(which, h));
    return own + (unsigned)__builtin_popcount(which);
}

/* Picking runs ahead of adding: sixteen are looked through while lines come for eight. */
AVX512 static uint64_t avx512_ring_add_side(uint8_t *cells, uint64_t nblocks,
                                            const uint64_t *hashes, size_t n, unsigned side) {
    const word512 flip = _mm512_set1_epi64(side ? 0 : INT64_MIN);
    struct eights r;
    uint64_t own[PICKED_MOST + 8], *next = own, *end = own, added = 0;
    size_t length = eights_length(nblocks), i = 0, taken = 0, put = 0;
    if (nblocks > UINT32_MAX) return avx512_eight_add_side(cells, nblocks, hashes, n, side);
    for (; i + 8 <= n && (size_t)(end - next) < length + PICKED_AHEAD; i += 8)
        end = pick_eight(hashes + i, flip, end);
    for (; taken < length && end - next >= 8; taken += 8, next += 8)
        eight_take(&r, taken, cells, nblocks, next, true);
    for (; i + 16 <= n; i += 16) {
        __builtin_prefetch(hashes + i + HASHES_AHEAD);
        __builtin_prefetch(hashes + i + HASHES_AHEAD + 8);
        if (end > own + PICKED_FULL) end = picked_back(own, next, end), next = own;
        end = pick_eight(hashes + i, flip, end);
        end = pick_eight(hashes + i + 8, flip, end);
        for (ptrdiff_t least = 8; end - next >= least; least = PICKED_MANY) {
            added += eight_added(eight_put(&r, put & (length - 1)), NULL);
            eight_take(&r, put & (length - 1), cells, nblocks, next, true);
            put += 8, taken += 8, next += 8;
        }
    }
    if (end > own + PICKED_FULL) end = picked_back(own, next, end), next = own;
    for (; i + 8 <= n; i += 8) end = pick_eight(hashes + i, flip, end);
    for (; put < taken; put += 8) {
        added += eight_added(eight_put(&r, put & (length - 1)), NULL);
        if (end - next < 8) continue;
        eight_take(&r, taken & (length - 1), cells, nblocks, next, true);
        taken += 8, next += 8;
    }
    end += side_pick(hashes + i, n - i, side, end);
    return added + avx512_eight_add_many(cells, nblocks, next, (size_t)(end - next), NULL);
}

const struct cpu_kernels cpu_avx512 = {"avx512",
                                       avx512_is_here,
                                       {avx512_eight_maybe, avx512_ring_maybe_many,
                                        avx512_eight_add, avx512_eight_add_held,
                                        avx512_ring_add_many, avx512_ring_add_side},
                                       BLOCK_CALLS(avx512_sixteen),
                                       &levels_avx2,
                                       avx2_in_fuse,
                                       &cuckoo_avx2};
#endif
