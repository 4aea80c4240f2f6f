/*
 * avx2.c - the walks in words of 256 bits, two to a block.
 *
 * Batches of eight-bit keys go by fours: place and bits of four keys are worked out in one word
 * each, kept in a ring, and their lines asked for; a ring's length later the lines are there. The
 * fewer instructions a key takes, the more of the wait for memory is waited for once.
 */
#include "cpu/cpu.h"

#include "cpu/block_walk.h"

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,popcnt")))

typedef __m256i word256;

static bool avx2_is_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

struct halves {
    word256 low, high;
};

AVX2 static inline struct halves avx2_load(const uint8_t *block) {
    struct halves h; /* one by one: together they would go by way of the stack */
    memcpy(&h.low, block, sizeof h.low);
    memcpy(&h.high, block + sizeof h.low, sizeof h.high);
    return h;
}

/* ---- eight bits ---- */

#define LOW_SIX 0x3f3f3f3f3f3f3f3f
#define ALONE(byte) byte, -1, -1, -1, -1, -1, -1, -1 /* that byte, and zeroes */

/* Byte i of each of the words in x, which are equal, becomes word i. */
AVX2 static inline struct halves avx2_fields8(word256 x) {
    const word256 low = _mm256_setr_epi8(ALONE(0), ALONE(1), ALONE(2), ALONE(3));
    const word256 high = _mm256_setr_epi8(ALONE(4), ALONE(5), ALONE(6), ALONE(7));
    return (struct halves){_mm256_shuffle_epi8(x, low), _mm256_shuffle_epi8(x, high)};
}

AVX2 static inline struct halves avx2_mask8(uint64_t hash) {
    const word256 one = _mm256_set1_epi64x(1);
    struct halves f = avx2_fields8(_mm256_set1_epi64x((long long)(hash * BLOCK_STIR & LOW_SIX)));
    return (struct halves){_mm256_sllv_epi64(one, f.low), _mm256_sllv_epi64(one, f.high)};
}

/* ---- sixteen bits ---- */

AVX2 static inline struct halves avx2_mask16(uint64_t hash) {
    typedef uint32_t eight_words __attribute__((vector_size(32)));
    const eight_words low = {BLOCK_ODDS_LOW}, high = {BLOCK_ODDS_HIGH};
    uint32_t x = (uint32_t)(hash * BLOCK_STIR >> 32);
    eight_words all = {x, x, x, x, x, x, x, x}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    return (struct halves){(word256)(one << (all * low >> 27)),
                           (word256)(one << (all * high >> 27))};
}

/* ---- a key ---- */

AVX2 static inline bool avx2_covers(struct halves block, struct halves mask) {
    word256 missing = _mm256_or_si256(_mm256_andnot_si256(block.low, mask.low),
                                      _mm256_andnot_si256(block.high, mask.high));
    return _mm256_testz_si256(missing, missing);
}

AVX2 static inline bool avx2_put(uint8_t *block, struct halves mask) {
    struct halves was = avx2_load(block);
    word256 low = _mm256_or_si256(was.low, mask.low), high = _mm256_or_si256(was.high, mask.high);
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

/* ---- many keys of eight bits ---- */

enum { AHEAD = 128, SHORT_AHEAD = 32 }; /* a table near the cores needs no long look ahead */

#define SHORT_AHEAD_UP_TO ((uint64_t)4 << 20) /* bytes of table */

struct ahead {
    _Alignas(32) uint64_t block[AHEAD], fields[AHEAD]; /* addresses, and where in their words */
};

/* Keys s .. s + 3 of the ring: block_start() in 32-bit steps, for nblocks below 2^32, and the
 * product's fields. Asks for their lines, to write to them or not. */
AVX2 static inline __attribute__((always_inline)) void
ahead_take(struct ahead *r, size_t s, const uint8_t *cells, uint64_t nblocks,
           const uint64_t *hashes, bool to_write) {
    const word256 stir_low = _mm256_set1_epi64x((long long)(BLOCK_STIR & UINT32_MAX));
    const word256 stir_high = _mm256_set1_epi64x((long long)(BLOCK_STIR >> 32));
    const word256 n = _mm256_set1_epi64x((long long)nblocks), six = _mm256_set1_epi64x(LOW_SIX);
    const word256 first = _mm256_set1_epi64x((long long)(uintptr_t)cells);
    const word256 line = _mm256_set1_epi64x(-BLOCK_BYTES);
    uint64_t *block = r->block + s;
    word256 h, high; /* whose upper halves are never looked at */
    memcpy(&h, hashes, sizeof h);
    memcpy(&high, (const uint8_t *)hashes + sizeof(uint32_t), sizeof high);
    word256 below = _mm256_srli_epi64(_mm256_mul_epu32(h, n), 32);
    word256 start = _mm256_srli_epi64(_mm256_add_epi64(_mm256_mul_epu32(high, n), below), 26);
    word256 cross =
        _mm256_add_epi64(_mm256_mul_epu32(high, stir_low), _mm256_mul_epu32(h, stir_high));
    word256 x = _mm256_add_epi64(_mm256_mul_epu32(h, stir_low), _mm256_slli_epi64(cross, 32));
    word256 at = _mm256_add_epi64(first, _mm256_and_si256(start, line));
    /* An asker's bit moves up to its word's end: by 63 less its number. */
    x = to_write ? _mm256_and_si256(x, six) : _mm256_andnot_si256(x, six);
    memcpy(block, &at, sizeof at);
    memcpy(r->fields + s, &x, sizeof x);
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; j++) {
        if (to_write) __builtin_prefetch((const void *)(uintptr_t)block[j], 1);
        else __builtin_prefetch((const void *)(uintptr_t)block[j], 0);
    }
}

/* Byte j is 1 if each word of key j has its top bit set: fifteen overflows. */
AVX2 static inline uint32_t avx2_all_set(const word256 key[4]) {
    uint32_t tops = 0;
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
        tops |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(key[j])) << 8 * j;
    return (tops + 0x01010101) >> 4 & 0x01010101;
}

/* Are all bits set? Then there is a one at each word's end. */
AVX2 static inline __attribute__((always_inline)) uint32_t ahead_ask(const struct ahead *r,
                                                                     size_t s) {
    const uint64_t *block = r->block + s, *fields = r->fields + s;
    word256 ends[4];
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; j++) {
        struct halves b = avx2_load((const uint8_t *)(uintptr_t)block[j]);
        struct halves f = avx2_fields8(_mm256_set1_epi64x((long long)fields[j]));
        ends[j] =
            _mm256_and_si256(_mm256_sllv_epi64(b.low, f.low), _mm256_sllv_epi64(b.high, f.high));
    }
    return avx2_all_set(ends);
}

/* In order: two of the four may share a block. Byte j is 1 if all bits of key j had been set. */
AVX2 static inline __attribute__((always_inline)) uint32_t ahead_put(const struct ahead *r,
                                                                     size_t s) {
    const word256 one = _mm256_set1_epi64x(1);
    const uint64_t *block = r->block + s, *fields = r->fields + s;
    word256 known[4];
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; j++) {
        uint8_t *at = (uint8_t *)(uintptr_t)block[j];
        struct halves f = avx2_fields8(_mm256_set1_epi64x((long long)fields[j]));
        word256 low = _mm256_sllv_epi64(one, f.low), high = _mm256_sllv_epi64(one, f.high);
        struct halves was = avx2_load(at);
        word256 missing =
            _mm256_or_si256(_mm256_andnot_si256(was.low, low), _mm256_andnot_si256(was.high, high));
        known[j] = _mm256_cmpeq_epi64(missing, _mm256_setzero_si256());
        low = _mm256_or_si256(was.low, low), high = _mm256_or_si256(was.high, high);
        memcpy(at, &low, sizeof low);
        memcpy(at + sizeof low, &high, sizeof high);
    }
    return avx2_all_set(known);
}

static size_t ahead_length(uint64_t nblocks) {
    return nblocks * BLOCK_BYTES <= SHORT_AHEAD_UP_TO ? SHORT_AHEAD : AHEAD;
}

/* The first keys of a batch, a ring of them at most; how many were taken. */
AVX2 static inline __attribute__((always_inline)) size_t
ahead_begin(struct ahead *r, size_t length, const uint8_t *cells, uint64_t nblocks,
            const uint64_t *hashes, size_t n, bool to_write) {
    size_t taken = 0;
    for (; taken < length && taken < n; taken += 4)
        ahead_take(r, taken, cells, nblocks, hashes + taken, to_write);
    return taken;
}

AVX2 static void avx2_ring_maybe_many(const uint8_t *cells, uint64_t nblocks,
                                      const uint64_t *hashes, size_t n, uint8_t *answers) {
    struct ahead r;
    size_t length = ahead_length(nblocks), i = 0,
           fours = nblocks > UINT32_MAX || !n ? 0 : (n - 1) & ~(size_t)3;
    size_t taken = ahead_begin(&r, length, cells, nblocks, hashes, fours, false);
    for (; i < fours; i += 4) {
        size_t s = i & (length - 1);
        __builtin_prefetch(hashes + taken + HASHES_AHEAD);
        uint32_t four = ahead_ask(&r, s);
        memcpy(answers + i, &four, sizeof four);
        if (taken < fours) ahead_take(&r, s, cells, nblocks, hashes + taken, false), taken += 4;
    }
    avx2_eight_maybe_many(cells, nblocks, hashes + i, n - i, answers + i);
}

AVX2 static inline __attribute__((always_inline)) uint64_t
ring_add(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, int8_t *answers) {
    struct ahead r;
    size_t length = ahead_length(nblocks), i = 0,
           fours = nblocks > UINT32_MAX || !n ? 0 : (n - 1) & ~(size_t)3;
    size_t taken = ahead_begin(&r, length, cells, nblocks, hashes, fours, true);
    uint64_t added = 0;
    for (; i < fours; i += 4) {
        size_t s = i & (length - 1);
        __builtin_prefetch(hashes + taken + HASHES_AHEAD);
        uint32_t is_new = 0x01010101 ^ ahead_put(&r, s);
        if (answers) memcpy(answers + i, &is_new, sizeof is_new);
        added += is_new * 0x01010101 >> 24;
        if (taken < fours) ahead_take(&r, s, cells, nblocks, hashes + taken, true), taken += 4;
    }
    return added +
           avx2_eight_add_many(cells, nblocks, hashes + i, n - i, answers ? answers + i : NULL);
}

/* Mostly nobody wants the answers. */
AVX2 static uint64_t avx2_ring_add_many(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                        size_t n, int8_t *answers) {
    return answers ? ring_add(cells, nblocks, hashes, n, answers)
                   : ring_add(cells, nblocks, hashes, n, NULL);
}

/* ---- two sides ---- */

/* Four keys, a bit each: those with a 1 come last. */
#define KEY(i) 2 * (i), 2 * (i) + 1
#define KEYS(a, b, c, d)                                                                           \
    { KEY(a), KEY(b), KEY(c), KEY(d) }
static const _Alignas(32) uint32_t ones_last[16][8] = {
    KEYS(0, 1, 2, 3), KEYS(1, 2, 3, 0), KEYS(0, 2, 3, 1), KEYS(2, 3, 0, 1),
    KEYS(0, 1, 3, 2), KEYS(1, 3, 0, 2), KEYS(0, 3, 1, 2), KEYS(3, 0, 1, 2),
    KEYS(0, 1, 2, 3), KEYS(1, 2, 0, 3), KEYS(0, 2, 1, 3), KEYS(2, 0, 1, 3),
    KEYS(0, 1, 2, 3), KEYS(1, 0, 2, 3), KEYS(0, 1, 2, 3), KEYS(0, 1, 2, 3)};
#undef KEYS
#undef KEY

/* The same four to both ends, each of which keeps its own: there must be room for eight. */
AVX2 static size_t avx2_split(const uint64_t *hashes, size_t n, uint64_t border, uint64_t *out) {
    const word256 top = _mm256_set1_epi64x(INT64_MIN); /* compared are signed words */
    const word256 limit = _mm256_xor_si256(_mm256_set1_epi64x((long long)border), top);
    uint64_t *low = out, *high = out + n;
    size_t i = 0;
    for (; n - i >= 8; i += 4) {
        __builtin_prefetch(hashes + i + SPLIT_AHEAD);
        word256 h, order;
        memcpy(&h, hashes + i, sizeof h);
        word256 below = _mm256_cmpgt_epi64(limit, _mm256_xor_si256(h, top));
        unsigned which = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(below)) ^ 15;
        unsigned nhigh = (unsigned)__builtin_popcount(which);
        memcpy(&order, ones_last[which], sizeof order);
        h = _mm256_permutevar8x32_epi32(h, order);
        memcpy(low, &h, sizeof h);
        memcpy(high - 4, &h, sizeof h);
        low += 4 - nhigh;
        high -= nhigh;
    }
    return (size_t)(low - out) + portable_split(hashes + i, n - i, border, low);
}

const struct cpu_kernels cpu_avx2 = {"avx2",
                                     avx2_is_here,
                                     {avx2_eight_maybe, avx2_ring_maybe_many, avx2_eight_add,
                                      avx2_eight_add_held, avx2_ring_add_many, NULL},
                                     BLOCK_CALLS(avx2_sixteen),
                                     avx2_split,
                                     &levels_avx2,
                                     avx2_in_fuse,
                                     &cuckoo_avx2,
                                     false};
#endif
