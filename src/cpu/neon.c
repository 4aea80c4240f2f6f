/* neon.c - the walks in words of 128 bits, four to a block, by the compiler's own vectors. */
#include "cpu/cpu.h"

#include "cpu/block_walk.h"
#include "cpu/level_walk.h"

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

typedef uint64_t two_words __attribute__((vector_size(16)));
typedef uint32_t quad_words __attribute__((vector_size(16)));

static bool neon_is_here(void) { return true; } /* every machine of this kind has it */

static inline bool neon_missing(two_words missing) { return missing[0] | missing[1]; }

static inline two_words neon_mask8(uint64_t hash, unsigned i) {
    static const uint64_t fields[8] = {BLOCK_FIELDS};
    uint64_t x = hash * BLOCK_STIR;
    two_words all = {x, x}, one = {1, 1}, down = {fields[2 * i], fields[2 * i + 1]};
    return one << (all >> down & 63);
}

static inline two_words neon_mask16(uint64_t hash, unsigned i) {
    static const uint32_t odds[16] = {BLOCK_ODDS_LOW, BLOCK_ODDS_HIGH};
    uint32_t x = (uint32_t)(hash * BLOCK_STIR >> 32);
    quad_words all = {x, x, x, x}, one = {1, 1, 1, 1}, odd;
    memcpy(&odd, odds + 4 * i, sizeof odd);
    return (two_words)(one << (all * odd >> 27));
}

static inline __attribute__((always_inline)) bool
neon_has(const uint8_t *block, uint64_t hash, two_words (*mask)(uint64_t hash, unsigned i)) {
    two_words missing = {0, 0}, words;
    for (unsigned i = 0; i < 4; i++) {
        memcpy(&words, block + 16 * i, sizeof words);
        missing |= mask(hash, i) & ~words;
    }
    return !neon_missing(missing);
}

static inline __attribute__((always_inline)) bool
neon_set(uint8_t *block, uint64_t hash, two_words (*mask)(uint64_t hash, unsigned i)) {
    two_words missing = {0, 0}, words;
    for (unsigned i = 0; i < 4; i++) {
        two_words bits = mask(hash, i);
        memcpy(&words, block + 16 * i, sizeof words);
        missing |= bits & ~words;
        words |= bits;
        memcpy(block + 16 * i, &words, sizeof words);
    }
    return neon_missing(missing);
}

static inline bool neon_has8(const uint8_t *b, uint64_t h) { return neon_has(b, h, neon_mask8); }
static inline bool neon_has16(const uint8_t *b, uint64_t h) { return neon_has(b, h, neon_mask16); }
static inline bool neon_set8(uint8_t *b, uint64_t h) { return neon_set(b, h, neon_mask8); }
static inline bool neon_set16(uint8_t *b, uint64_t h) { return neon_set(b, h, neon_mask16); }

BLOCK_KERNEL(, neon_eight, neon_has8, neon_set8)
BLOCK_KERNEL(, neon_sixteen, neon_has16, neon_set16)

/* ---- levels: whole bytes and pairs of bytes sixteen at a time ---- */

typedef uint8_t bytes_16 __attribute__((vector_size(16)));
typedef uint16_t pairs_8 __attribute__((vector_size(16)));

static void neon_lower(uint8_t *cells, uint64_t n, unsigned b) {
    uint64_t at = 0, bytes = b == 8 ? n : 2 * n;
    bytes_16 v;
    pairs_8 w;
    for (; b == 8 && bytes - at >= sizeof v; at += sizeof v) {
        memcpy(&v, cells + at, sizeof v);
        v += (bytes_16)(v != 0); /* a mask of ones is -1 */
        memcpy(cells + at, &v, sizeof v);
    }
    for (; b == 16 && bytes - at >= sizeof w; at += sizeof w) {
        memcpy(&w, cells + at, sizeof w);
        w += (pairs_8)(w != 0);
        memcpy(cells + at, &w, sizeof w);
    }
    levels_lower(cells, at * 8 / b, n, b);
}

static void neon_merge(uint8_t *into, const uint8_t *from, uint64_t n, unsigned b) {
    uint64_t at = 0, bytes = b == 8 ? n : 2 * n;
    bytes_16 v, more;
    pairs_8 w, higher;
    for (; b == 8 && bytes - at >= sizeof v; at += sizeof v) {
        memcpy(&v, into + at, sizeof v);
        memcpy(&more, from + at, sizeof more);
        v ^= (v ^ more) & (bytes_16)(more > v);
        memcpy(into + at, &v, sizeof v);
    }
    for (; b == 16 && bytes - at >= sizeof w; at += sizeof w) {
        memcpy(&w, into + at, sizeof w);
        memcpy(&higher, from + at, sizeof higher);
        w ^= (w ^ higher) & (pairs_8)(higher > w);
        memcpy(into + at, &w, sizeof w);
    }
    levels_merge(into, from, at * 8 / b, n, b);
}

static void neon_fade(uint8_t *cells, uint64_t n, unsigned b, uint32_t p, uint32_t q) {
    levels_fade(cells, 0, n, b, p, q);
}

const struct level_kernel levels_neon = {neon_fade, neon_lower, neon_merge};

const struct cpu_kernels cpu_neon = {"neon",
                                     neon_is_here,
                                     BLOCK_CALLS(neon_eight),
                                     BLOCK_CALLS(neon_sixteen),
                                     portable_split,
                                     &levels_neon,
                                     NULL,
                                     NULL,
                                     false};
#endif
