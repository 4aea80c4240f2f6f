/* portable.c - the walks in plain C: the copy to read, and the one the others are tested against.
 * Bit by bit, with relaxed loads, so shared adds may run beside it on any machine. */
#include "cpu/cpu.h"

#include "cells/bits.h"
#include "cpu/block_walk.h"
#include "cpu/level_walk.h"

static bool portable_is_here(void) { return true; }

static inline bool portable_has8(const uint8_t *block, uint64_t hash) {
    unsigned all = 1;
    for (unsigned i = 0; i < 8; i++) all &= bit_at(block, block_bit8(i, hash));
    return all;
}

static inline bool portable_set8(uint8_t *block, uint64_t hash) {
    unsigned all = 1;
    for (unsigned i = 0; i < 8; i++) all &= bit_set(block, block_bit8(i, hash));
    return !all;
}

static inline bool portable_has16(const uint8_t *block, uint64_t hash) {
    unsigned all = 1;
    for (unsigned i = 0; i < 16; i++) all &= bit_at(block, block_bit16(i, hash));
    return all;
}

static inline bool portable_set16(uint8_t *block, uint64_t hash) {
    unsigned all = 1;
    for (unsigned i = 0; i < 16; i++) all &= bit_set(block, block_bit16(i, hash));
    return !all;
}

BLOCK_KERNEL(, portable8, portable_has8, portable_set8)
BLOCK_KERNEL(, portable16, portable_has16, portable_set16)

/* From both ends towards the middle. Each hash is written to both, and the next over it where it does
 * not belong. */
size_t portable_split(const uint64_t *hashes, size_t n, uint64_t border, uint64_t *out) {
    size_t nlow = 0;
    for (size_t i = 0; i < n; i++) {
        out[nlow] = out[n - 1 - (i - nlow)] = hashes[i];
        nlow += hashes[i] < border;
    }
    return nlow;
}

/* ---- levels ---- */

static void portable_fade(uint8_t *cells, uint64_t n, unsigned b, uint32_t p, uint32_t q) {
    levels_fade(cells, 0, n, b, p, q);
}

static void portable_lower(uint8_t *cells, uint64_t n, unsigned b) { levels_lower(cells, 0, n, b); }

static void portable_merge(uint8_t *into, const uint8_t *from, uint64_t n, unsigned b) {
    levels_merge(into, from, 0, n, b);
}

const struct level_kernel levels_portable = {portable_fade, portable_lower, portable_merge};

const struct cpu_kernels cpu_portable = {"portable",
                                         portable_is_here,
                                         BLOCK_CALLS(portable8),
                                         BLOCK_CALLS(portable16),
                                         portable_split,
                                         &levels_portable,
                                         NULL,
                                         NULL,
                                         false};
