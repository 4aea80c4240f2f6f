/* avx2.c - the walks in words of 256 bits, two to a block, by the compiler's own vectors. */
#include "cpu/cpu.h"

#include "cpu/block_walk.h"

#ifdef __x86_64__

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

const struct cpu_kernels cpu_avx2 = {"avx2", avx2_is_here, BLOCK_CALLS(avx2_eight),
                                     BLOCK_CALLS(avx2_sixteen), &levels_avx2};
#endif
