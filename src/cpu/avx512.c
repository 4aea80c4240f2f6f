/*
 * avx512.c - the walks in words of 512 bits: a block is one.
 *
 * Batches of eight-bit keys go by eights, as those of avx2.c go by fours, and without a ring by 64.
 * How best depends on who made the machine, so there are four sets, alike but for these:
 *
 * Widening (AMD, Zen 4): shifts and tests have units of their own, rotations share the tests'. So a
 *     key's bits are bytes made words, then shifts. Lines of memory, not those of the caches, are
 *     asked for through a ring.
 * Picking (Intel, from Ice Lake on): what makes words of bytes shares a unit with tests and wide
 *     products. So a question picks its bits out of the block, and the mask of an add is made by
 *     copies to all words, shifts and rotations. A load from the upper half of a word just stored
 *     waits for all that came before: no rings.
 * Shifting (AMD, from Zen 5 on): avx512_shift.h.
 * Turning (Intel, before Ice Lake): avx512_turn.h.
 */
#include "cpu/cpu.h"

#include "cpu/avx512_shift.h"
#include "cpu/avx512_turn.h"

#ifdef __x86_64__

#define PICKS __attribute__((target("avx512f,avx512dq,avx512bw,avx512bitalg,bmi2,popcnt")))

typedef uint32_t words_of_16 __attribute__((vector_size(64)));

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi2") &&
           cpu_avx2.is_here();
}

static bool picks_better(void) {
    return __builtin_cpu_is("intel") && __builtin_cpu_supports("avx512bitalg");
}

static bool turns_better(void) {
    return __builtin_cpu_is("intel") && !__builtin_cpu_supports("avx512bitalg");
}

/* Of AMD's machines vp2intersect came with Zen 5. */
static bool shifts_better(void) {
    return __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512vp2intersect") &&
           __builtin_cpu_supports("avx512vbmi");
}

static bool avx512_is_here(void) {
    return has_avx512() && !picks_better() && !shifts_better() && !turns_better();
}
static bool avx512_picking_is_here(void) { return has_avx512() && picks_better(); }
static bool avx512_shifting_is_here(void) { return has_avx512() && shifts_better(); }
static bool avx512_turning_is_here(void) { return has_avx512() && turns_better(); }

enum avx512_way { WIDENING, PICKING };

/* ---- eight bits ---- */

/* One bit in each word: byte i says which in word i. */
AVX512 static inline __attribute__((always_inline)) word512 avx512_mask8(const uint64_t *bits,
                                                                         enum avx512_way way) {
    const word512 one = _mm512_set1_epi64(1);
    if (way == PICKING) {
        const word512 down = _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56);
        word512 all = _mm512_set1_epi64((long long)*bits);
        return _mm512_rolv_epi64(one, _mm512_srlv_epi64(all, down));
    }
    word512 shift = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)bits));
    return _mm512_sllv_epi64(one, shift);
}

/* Which of the key's bits are set. */
AVX512 static inline __mmask8 avx512_seen8(const uint8_t *block, word512 mask) {
    return _mm512_test_epi64_mask(_mm512_loadu_si512(block), mask);
}

AVX512 static inline bool avx512_has8(const uint8_t *block, uint64_t hash) {
    uint64_t bits = hash * BLOCK_STIR & SIX_OF_EIGHT;
    return avx512_seen8(block, avx512_mask8(&bits, WIDENING)) == UINT8_MAX;
}

AVX512 static inline bool avx512_set8(uint8_t *block, uint64_t hash) {
    uint64_t bits = hash * BLOCK_STIR & SIX_OF_EIGHT;
    return avx512_put8(block, avx512_mask8(&bits, WIDENING)) != UINT8_MAX;
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
BLOCK_KERNEL_AHEAD(AVX512, shift_sixteen, avx512_has16, avx512_set16, shift_ask_ahead(nblocks),
                   shift_add_ahead(nblocks))

/* ---- many keys of eight bits ---- */

/* What is near comes by itself. A part of the table that shall be near is asked for as its keys
 * come; the lines of the last cache are best asked for long ahead, those of memory, which go
 * through a ring, not so long. Without rings, all alike. */
enum { CACHED_AHEAD = 128, PART_AHEAD = 32, RING_KEYS = 32, PICKING_AHEAD = 32 };

#define NEAR_UP_TO ((uint64_t)4 << 20) /* bytes of table */
#define CACHED_UP_TO ((uint64_t)32 << 20)
#define PICKING_NEAR_UP_TO ((uint64_t)3 << 19)

struct eights {
    _Alignas(64) uint64_t block[RING_KEYS], bits[RING_KEYS];
};

/* Keys s .. s + 7 of the ring: block_start() in 32-bit steps, for nblocks below 2^32, and their
 * bits. Asks for their lines, to write to them or not. */
AVX512 static inline __attribute__((always_inline)) void
eight_take(struct eights *r, size_t s, const uint8_t *cells, uint64_t nblocks,
           const uint64_t *hashes, bool to_write) {
    const word512 n = _mm512_set1_epi64((long long)nblocks);
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR);
    const word512 six = _mm512_set1_epi64((long long)SIX_OF_EIGHT);
    word512 h = _mm512_loadu_si512(hashes), high = _mm512_srli_epi64(h, 32);
    word512 below = _mm512_srli_epi64(_mm512_mul_epu32(h, n), 32);
    word512 start = _mm512_srli_epi64(_mm512_add_epi64(_mm512_mul_epu32(high, n), below), 26);
    start = _mm512_and_si512(start, _mm512_set1_epi64(-BLOCK_BYTES));
    start = _mm512_add_epi64(start, _mm512_set1_epi64((long long)(uintptr_t)cells));
    _mm512_storeu_si512(r->block + s, start);
    _mm512_storeu_si512(r->bits + s, _mm512_and_si512(_mm512_mullo_epi64(h, stir), six));
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        if (to_write) __builtin_prefetch((const void *)(uintptr_t)r->block[s + j], 1);
        else __builtin_prefetch((const void *)(uintptr_t)r->block[s + j], 0);
    }
}

/* The first keys of a batch, a ring of them at most; how many were taken. */
AVX512 static inline __attribute__((always_inline)) size_t
eights_begin(struct eights *r, const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
             size_t n, bool to_write) {
    size_t taken = 0;
    for (; taken < RING_KEYS && taken < n; taken += 8)
        eight_take(r, taken, cells, nblocks, hashes + taken, to_write);
    return taken;
}

/* ---- in memory: through the ring ---- */

/* Which bits of the ring's eight keys are set, a byte for each key. */
AVX512 static inline __attribute__((always_inline)) uint64_t eight_ask(const struct eights *r,
                                                                       size_t s) {
    uint64_t seen = 0;
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        const uint8_t *block = (const uint8_t *)(uintptr_t)r->block[s + j];
        seen |= (uint64_t)avx512_seen8(block, avx512_mask8(r->bits + s + j, WIDENING)) << 8 * j;
    }
    return seen;
}

/* Which had been set. In order: two of the eight may share a block. */
AVX512 static inline __attribute__((always_inline)) uint64_t eight_put(const struct eights *r,
                                                                       size_t s) {
    __mmask8 seen[8];
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        uint8_t *block = (uint8_t *)(uintptr_t)r->block[s + j];
        seen[j] = avx512_put8(block, avx512_mask8(r->bits + s + j, WIDENING));
    }
    return eight_masks(seen);
}

AVX512 static size_t eights_maybe(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                  size_t n, uint8_t *answers) {
    struct eights r;
    size_t i = 0, eights = nblocks > UINT32_MAX ? 0 : n & ~(size_t)7;
    size_t taken = eights_begin(&r, cells, nblocks, hashes, eights, false);
    for (; i < eights; i += 8) {
        size_t s = i & (RING_KEYS - 1);
        eight_keep(eight_whole(eight_ask(&r, s)), answers + i);
        if (taken < eights) eight_take(&r, s, cells, nblocks, hashes + taken, false), taken += 8;
    }
    return i;
}

/* Adds to *added how many were new. */
AVX512 static inline __attribute__((always_inline)) size_t
eights_add(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, int8_t *answers,
           uint64_t *added) {
    struct eights r;
    size_t i = 0, eights = nblocks > UINT32_MAX ? 0 : n & ~(size_t)7;
    size_t taken = eights_begin(&r, cells, nblocks, hashes, eights, true);
    for (; i < eights; i += 8) {
        size_t s = i & (RING_KEYS - 1);
        __builtin_prefetch(hashes + taken + HASHES_AHEAD);
        *added += eight_added(eight_whole(eight_put(&r, s)), answers ? answers + i : NULL);
        if (taken < eights) eight_take(&r, s, cells, nblocks, hashes + taken, true), taken += 8;
    }
    return i;
}

/* ---- without a ring ---- */

/* Working out twice where a block lies, to ask for it and to read it, is quicker than keeping it.
 * What waits for a line should be little: so masks are put by as they come, a byte for each key, and
 * those of 64 looked through when the next 64 are under way. */

/* The bits of eight keys, by one multiplication. */
struct eight_bits {
    _Alignas(64) uint64_t of[8];
};

AVX512 static inline __attribute__((always_inline)) struct eight_bits
bits_of_eight(const uint64_t *hashes, enum avx512_way way) {
    const word512 stir = _mm512_set1_epi64((long long)BLOCK_STIR);
    const word512 six = _mm512_set1_epi64((long long)SIX_OF_EIGHT);
    struct eight_bits bits;
    word512 product = _mm512_mullo_epi64(_mm512_loadu_si512(hashes), stir);
    if (way == WIDENING) product = _mm512_and_si512(product, six); /* others mind six anyway */
    _mm512_storeu_si512(bits.of, product);
    if (way == PICKING) __asm__("" : "+m"(bits)); /* lest they are picked out of the product */
    return bits;
}

AVX512 static inline __attribute__((always_inline)) void
eight_ask_near(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, uint8_t *masks) {
    struct eight_bits bits = bits_of_eight(hashes, WIDENING);
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++)
        masks[j] = avx512_seen8(cells + block_start(nblocks, hashes[j]),
                                avx512_mask8(bits.of + j, WIDENING));
}

AVX512 static inline __attribute__((always_inline)) void
eight_put_near(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, uint8_t *masks,
               enum avx512_way way) {
    struct eight_bits bits = bits_of_eight(hashes, way);
    __mmask8 seen[8];
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++)
        seen[j] =
            avx512_put8(cells + block_start(nblocks, hashes[j]), avx512_mask8(bits.of + j, way));
    eight_keep(eight_masks(seen), masks);
}

/* Masks of 64 keys become answers. */
AVX512 static inline __attribute__((always_inline)) void answer_64(uint8_t *answers) {
    const word512 all = _mm512_set1_epi8(-1), one = _mm512_set1_epi8(1);
    __mmask64 whole = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(answers), all);
    _mm512_storeu_si512(answers, _mm512_maskz_mov_epi8(whole, one));
}

/* Lines are asked for `ahead` keys before, 0: not at all. How many were answered. */
AVX512 static inline __attribute__((always_inline)) size_t
maybe_by_64(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n,
            uint8_t *answers, size_t ahead) {
    size_t i = 0;
    for (size_t j = 0; j < ahead && j + 8 <= n; j += 8)
        eight_soon(cells, nblocks, hashes + j, false);
    for (; n - i >= 64; i += 64) {
        const bool more = ahead && n - i >= ahead + 64;
        for (size_t j = i; j < i + 64; j += 8) {
            if (more) eight_soon(cells, nblocks, hashes + j + ahead, false);
            eight_ask_near(cells, nblocks, hashes + j, answers + j);
        }
        if (i) answer_64(answers + i - 64);
    }
    if (i) answer_64(answers + i - 64);
    for (; n - i >= 8; i += 8) {
        uint64_t masks;
        eight_ask_near(cells, nblocks, hashes + i, (uint8_t *)&masks);
        eight_keep(eight_whole(masks), answers + i);
    }
    return i;
}

/* Of each word of a block those bits are picked that the eight bytes of a key's product name; wanted
 * is of word i the bit that byte i names. */
#define OWN_BITS 0x8040201008040201u

PICKS static inline __attribute__((always_inline)) void
eight_pick_near(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, uint64_t *picked) {
    struct eight_bits bits = bits_of_eight(hashes, PICKING);
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) {
        word512 block = _mm512_loadu_si512(cells + block_start(nblocks, hashes[j]));
        word512 all = _mm512_set1_epi64((long long)bits.of[j]);
        picked[j] = _cvtmask64_u64(_mm512_bitshuffle_epi64_mask(block, all));
    }
}

/* Which of eight keys lack a bit. */
PICKS static inline __attribute__((always_inline)) uint64_t eight_lack(const uint64_t *picked) {
    const word512 own = _mm512_set1_epi64((long long)OWN_BITS);
    return _mm512_test_epi64_mask(_mm512_andnot_si512(_mm512_loadu_si512(picked), own), own);
}

PICKS static inline __attribute__((always_inline)) void answer_picked_64(const uint64_t *picked,
                                                                         uint8_t *answers) {
    uint64_t lack = 0;
#pragma GCC unroll 8
    for (size_t j = 0; j < 8; j++) lack |= eight_lack(picked + 8 * j) << 8 * j;
    _mm512_storeu_si512(answers, _mm512_maskz_mov_epi8(~lack, _mm512_set1_epi8(1)));
}

/* As maybe_by_64. */
PICKS static inline __attribute__((always_inline)) size_t
pick_by_64(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n,
           uint8_t *answers, size_t ahead) {
    uint64_t picked[2][64];
    size_t i = 0;
    for (size_t j = 0; j < ahead && j + 8 <= n; j += 8)
        eight_soon(cells, nblocks, hashes + j, false);
    for (; n - i >= 64; i += 64) {
        const bool more = ahead && n - i >= ahead + 64;
        unsigned now = i / 64 % 2;
        for (size_t j = 0; j < 64; j += 8) {
            __builtin_prefetch(hashes + i + j + ahead + HASHES_AHEAD);
            if (more) eight_soon(cells, nblocks, hashes + i + j + ahead, false);
            eight_pick_near(cells, nblocks, hashes + i + j, picked[now] + j);
        }
        if (i) answer_picked_64(picked[!now], answers + i - 64);
    }
    if (i) answer_picked_64(picked[i / 64 % 2 == 0], answers + i - 64);
    for (; n - i >= 8; i += 8) {
        eight_pick_near(cells, nblocks, hashes + i, picked[0]);
        eight_keep(BYTES_OF_1 ^ _pdep_u64(eight_lack(picked[0]), BYTES_OF_1), answers + i);
    }
    return i;
}

AVX512 static inline __attribute__((always_inline)) size_t
add_by_64(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, int8_t *answers,
          uint64_t *added, size_t ahead, bool is_part, enum avx512_way way) {
    uint8_t masks[2][64];
    size_t i = 0;
    for (size_t j = 0; j < ahead && j + 8 <= n; j += 8)
        eight_soon(cells, nblocks, hashes + j, is_part);
    for (; n - i >= 64; i += 64) {
        const bool more = ahead && n - i >= ahead + 64;
        unsigned now = i / 64 % 2;
        for (size_t j = 0; j < 64; j += 8) {
            if (is_part || way == PICKING) __builtin_prefetch(hashes + i + j + HASHES_AHEAD);
            if (more) eight_soon(cells, nblocks, hashes + i + j + ahead, is_part);
            eight_put_near(cells, nblocks, hashes + i + j, masks[now] + j, way);
        }
        if (i) *added += added_64(masks[!now], answers ? answers + i - 64 : NULL);
    }
    if (i) *added += added_64(masks[i / 64 % 2 == 0], answers ? answers + i - 64 : NULL);
    for (; n - i >= 8; i += 8) {
        uint64_t eight;
        eight_put_near(cells, nblocks, hashes + i, (uint8_t *)&eight, way);
        *added += eight_added(eight_whole(eight), answers ? answers + i : NULL);
    }
    return i;
}

/* ---- any table ---- */

AVX512 static void widening_maybe_many(const uint8_t *cells, uint64_t nblocks,
                                       const uint64_t *hashes, size_t n, uint8_t *answers) {
    uint64_t bytes = nblocks * BLOCK_BYTES;
    size_t i = bytes <= NEAR_UP_TO ? maybe_by_64(cells, nblocks, hashes, n, answers, 0)
               : bytes <= CACHED_UP_TO
                   ? maybe_by_64(cells, nblocks, hashes, n, answers, CACHED_AHEAD)
                   : eights_maybe(cells, nblocks, hashes, n, answers);
    avx512_eight_maybe_many(cells, nblocks, hashes + i, n - i, answers + i);
}

PICKS static void picking_maybe_many(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                     size_t n, uint8_t *answers) {
    size_t i = nblocks * BLOCK_BYTES <= PICKING_NEAR_UP_TO
                   ? pick_by_64(cells, nblocks, hashes, n, answers, 0)
                   : pick_by_64(cells, nblocks, hashes, n, answers, PICKING_AHEAD);
    avx512_eight_maybe_many(cells, nblocks, hashes + i, n - i, answers + i);
}

AVX512 static inline __attribute__((always_inline)) uint64_t
most_add(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n, int8_t *answers,
         enum avx512_way way) {
    uint64_t bytes = nblocks * BLOCK_BYTES, added = 0;
    size_t i;
    if (bytes <= (way == PICKING ? PICKING_NEAR_UP_TO : NEAR_UP_TO))
        i = add_by_64(cells, nblocks, hashes, n, answers, &added, 0, false, way);
    else if (way == PICKING)
        i = add_by_64(cells, nblocks, hashes, n, answers, &added, PICKING_AHEAD, false, way);
    else if (bytes <= CACHED_UP_TO)
        i = add_by_64(cells, nblocks, hashes, n, answers, &added, CACHED_AHEAD, false, way);
    else i = eights_add(cells, nblocks, hashes, n, answers, &added);
    if (answers) answers += i;
    return added + avx512_eight_add_many(cells, nblocks, hashes + i, n - i, answers);
}

AVX512 static inline __attribute__((always_inline)) uint64_t
most_add_part(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n,
              struct coming *coming, enum avx512_way way) {
    uint64_t added = 0;
    for (size_t step; n; n -= step, hashes += step) {
        step = coming ? (size_t)least(COMING_PIECE, n) : n;
        if (coming) coming_ask(coming, step);
        size_t i = add_by_64(cells, nblocks, hashes, step, NULL, &added, PART_AHEAD, true, way);
        added += avx512_eight_add_many(cells, nblocks, hashes + i, step - i, NULL);
    }
    return added;
}

SHIFTS static void shifting_maybe_many(const uint8_t *cells, uint64_t nblocks,
                                       const uint64_t *hashes, size_t n, uint8_t *answers) {
    size_t i = shift_maybe(cells, nblocks, hashes, n, answers);
    avx512_eight_maybe_many(cells, nblocks, hashes + i, n - i, answers + i);
}

SHIFTS static uint64_t shifting_add_many(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                         size_t n, int8_t *answers) {
    uint64_t added = 0;
    size_t ahead = shift_add_ahead(nblocks);
    size_t i = answers ? shift_add(cells, nblocks, hashes, n, answers, &added, ahead)
                       : shift_add(cells, nblocks, hashes, n, NULL, &added, ahead);
    if (answers) answers += i;
    return added + avx512_eight_add_many(cells, nblocks, hashes + i, n - i, answers);
}

SHIFTS static uint64_t shifting_add_part(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                         size_t n, struct coming *coming) {
    uint64_t added = 0;
    size_t ahead = shift_part_ahead(nblocks);
    size_t i = !coming ? shift_add(cells, nblocks, hashes, n, NULL, &added, ahead)
               : coming->step <= BLOCK_BYTES
                   ? shift_add_part(cells, nblocks, hashes, n, &added, coming, false)
                   : shift_add_part(cells, nblocks, hashes, n, &added, coming, true);
    return added + avx512_eight_add_many(cells, nblocks, hashes + i, n - i, NULL);
}

static size_t eights_that_turn(uint64_t nblocks, size_t n) {
    return nblocks > UINT32_MAX ? 0 : n & ~(size_t)7;
}

AVX512 static void turning_maybe_many(const uint8_t *cells, uint64_t nblocks,
                                      const uint64_t *hashes, size_t n, uint8_t *answers) {
    size_t i = eights_that_turn(nblocks, n);
    turn_all((uint8_t *)(uintptr_t)cells, nblocks, hashes, i, answers, false);
    avx512_eight_maybe_many(cells, nblocks, hashes + i, n - i, answers + i);
}

AVX512 static uint64_t turning_add_many(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes,
                                        size_t n, int8_t *answers) {
    size_t i = eights_that_turn(nblocks, n);
    uint64_t added = answers ? turn_all(cells, nblocks, hashes, i, (uint8_t *)answers, true)
                             : turn_all(cells, nblocks, hashes, i, NULL, true);
    if (answers) answers += i;
    return added + avx512_eight_add_many(cells, nblocks, hashes + i, n - i, answers);
}

/* Mostly nobody wants the answers. */
#define MOST_ADDS(WHO, WAY)                                                                        \
    AVX512 static uint64_t WHO##_add_many(uint8_t *cells, uint64_t nblocks,                        \
                                          const uint64_t *hashes, size_t n, int8_t *answers) {     \
        return answers ? most_add(cells, nblocks, hashes, n, answers, WAY)                         \
                       : most_add(cells, nblocks, hashes, n, NULL, WAY);                           \
    }                                                                                              \
    AVX512 static uint64_t WHO##_add_part(uint8_t *cells, uint64_t nblocks,                        \
                                          const uint64_t *hashes, size_t n,                        \
                                          struct coming *coming) {                                 \
        return most_add_part(cells, nblocks, hashes, n, coming, WAY);                              \
    }

MOST_ADDS(widening, WIDENING)
MOST_ADDS(picking, PICKING)

/* ---- two sides ---- */

/* Eight keys, a bit each: byte i says which comes at place i, those with a 1 last. */
#define ONES(m) __builtin_popcount(m)
#define COMES_AT(m, i) ((m) >> (i)&1 ? 8 - ONES((m) >> (i)) : (i)-ONES((m) & ((1 << (i)) - 1)))
#define COMES(m, i) (uint64_t)(i) << 8 * COMES_AT(m, i)
#define ORDER(m)                                                                                   \
    COMES(m, 1) | COMES(m, 2) | COMES(m, 3) | COMES(m, 4) | COMES(m, 5) | COMES(m, 6) | COMES(m, 7)
#define ORDERS_4(m) ORDER(m), ORDER(m + 1), ORDER(m + 2), ORDER(m + 3)
#define ORDERS_16(m) ORDERS_4(m), ORDERS_4(m + 4), ORDERS_4(m + 8), ORDERS_4(m + 12)
#define ORDERS_64(m) ORDERS_16(m), ORDERS_16(m + 16), ORDERS_16(m + 32), ORDERS_16(m + 48)

static const uint64_t orders_of_8[256] = {ORDERS_64(0), ORDERS_64(64), ORDERS_64(128),
                                          ORDERS_64(192)};

enum { SPLIT_OUT_AHEAD = 32 }; /* hashes; lines that are written soon, or next to them */

/* The same eight to both ends, each of which keeps its own: there must be room for sixteen. One
 * permutation out of a table is quicker than the instructions made for this, where both were
 * measured. */
AVX512 static size_t avx512_split(const uint64_t *hashes, size_t n, uint64_t border,
                                  uint64_t *out) {
    const word512 limit = _mm512_set1_epi64((long long)border);
    uint64_t *low = out, *high = out + n;
    size_t i = 0;
    for (; n - i >= 16; i += 8) {
        __builtin_prefetch(hashes + i + SPLIT_AHEAD);
        ask_to_write(low + SPLIT_OUT_AHEAD);
        ask_to_write(high - 8 - SPLIT_OUT_AHEAD);
        word512 h = _mm512_loadu_si512(hashes + i);
        unsigned which = _mm512_cmpge_epu64_mask(h, limit);
        unsigned nhigh = (unsigned)__builtin_popcount(which);
        __m128i order = _mm_cvtsi64_si128((long long)orders_of_8[which]);
        h = _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(order), h);
        _mm512_storeu_si512(low, h);
        _mm512_storeu_si512(high - 8, h);
        low += 8 - nhigh;
        high -= nhigh;
    }
    return (size_t)(low - out) + portable_split(hashes + i, n - i, border, low);
}

#define AVX512_SET(IS_HERE, WHO, ADD_PART, SIXTEEN, STRAIGHT)                                      \
    {                                                                                              \
        "avx512", avx512_##IS_HERE, {avx512_eight_maybe,    WHO##_maybe_many, avx512_eight_add,    \
                                     avx512_eight_add_held, WHO##_add_many,   ADD_PART},           \
            BLOCK_CALLS(SIXTEEN), avx512_split, &levels_avx2, avx2_in_fuse, &cuckoo_avx2, STRAIGHT \
    }

#define WIDENING_SET AVX512_SET(is_here, widening, widening_add_part, avx512_sixteen, false)
#define PICKING_SET AVX512_SET(picking_is_here, picking, picking_add_part, avx512_sixteen, false)
#define SHIFTING_SET AVX512_SET(shifting_is_here, shifting, shifting_add_part, shift_sixteen, true)
#define TURNING_SET AVX512_SET(turning_is_here, turning, NULL, avx512_sixteen, false)

const struct cpu_kernels cpu_avx512 = WIDENING_SET;
const struct cpu_kernels cpu_avx512_picking = PICKING_SET;
const struct cpu_kernels cpu_avx512_shifting = SHIFTING_SET;
const struct cpu_kernels cpu_avx512_turning = TURNING_SET;
#endif
