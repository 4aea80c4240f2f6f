/* avx512.c - the walks in words of 512 bits: a block is one, by the compiler's own vectors. */
#include "cpu/cpu.h"

#include "cpu/block_walk.h"

#ifdef __x86_64__

#define AVX512 __attribute__((target("avx512f")))

typedef uint64_t block_of_8 __attribute__((vector_size(64)));
typedef uint32_t block_of_16 __attribute__((vector_size(64)));

static bool avx512_is_here(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2");
}

AVX512 static inline block_of_8 avx512_load(const uint8_t *block) {
    block_of_8 words;
    memcpy(&words, block, sizeof words);
    return words;
}

AVX512 static inline block_of_8 avx512_mask8(uint64_t hash) {
    const block_of_8 down = {BLOCK_FIELDS};
    uint64_t x = hash * BLOCK_STIR;
    block_of_8 all = {x, x, x, x, x, x, x, x}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    return one << (all >> down & 63);
}

AVX512 static inline block_of_8 avx512_mask16(uint64_t hash) {
    const block_of_16 odds = {BLOCK_ODDS_LOW, BLOCK_ODDS_HIGH};
    uint32_t x = (uint32_t)(hash * BLOCK_STIR >> 32);
    block_of_16 all = {x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
    block_of_16 one = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return (block_of_8)(one << (all * odds >> 27));
}

AVX512 static inline bool avx512_covers(block_of_8 block, block_of_8 mask) {
    block_of_8 missing = mask & ~block;
    return !(missing[0] | missing[1] | missing[2] | missing[3] | missing[4] | missing[5] |
             missing[6] | missing[7]);
}

AVX512 static inline bool avx512_put(uint8_t *block, block_of_8 mask) {
    block_of_8 was = avx512_load(block), now = was | mask;
    memcpy(block, &now, sizeof now);
    return !avx512_covers(was, mask);
}

AVX512 static inline bool avx512_has8(const uint8_t *block, uint64_t hash) {
    return avx512_covers(avx512_load(block), avx512_mask8(hash));
}

AVX512 static inline bool avx512_has16(const uint8_t *block, uint64_t hash) {
    return avx512_covers(avx512_load(block), avx512_mask16(hash));
}

AVX512 static inline bool avx512_set8(uint8_t *block, uint64_t hash) {
    return avx512_put(block, avx512_mask8(hash));
}

AVX512 static inline bool avx512_set16(uint8_t *block, uint64_t hash) {
    return avx512_put(block, avx512_mask16(hash));
}

BLOCK_KERNEL(AVX512, avx512_eight, avx512_has8, avx512_set8)
BLOCK_KERNEL(AVX512, avx512_sixteen, avx512_has16, avx512_set16)

const struct cpu_kernels cpu_avx512 = {
    "avx512",     avx512_is_here, BLOCK_CALLS(avx512_eight), BLOCK_CALLS(avx512_sixteen),
    &levels_avx2, avx2_in_fuse};
#endif
