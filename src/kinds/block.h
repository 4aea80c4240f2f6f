/* block.h - what the two halves of the block filter have in common: block.c, its plan and its adds
 * by one writer, and block_share.c, the adds of many. */
#ifndef SITO_KINDS_BLOCK_H
#define SITO_KINDS_BLOCK_H

#include "cpu/block_walk.h"
#include "cpu/cpu.h"
#include "kinds/walk_bits.h"

enum { BLOCK_BITS = 8 * BLOCK_BYTES };

static inline uint64_t nblocks_of(const struct shape *s) { return s->ncells / BLOCK_BITS; }

static inline const struct block_kernel *kernel_among(const struct cpu_kernels *cpu,
                                                      const sito_filter *f) {
    return f->shape.param[PARAM_HASHES] == 8 ? &cpu->block8 : &cpu->block16;
}

static inline const struct block_kernel *kernel_of(const sito_filter *f) {
    return kernel_among(cpu_chosen(), f);
}

/* Anywhere; and to a part of the table that the second cache can hold: see cpu/cpu.h. How many were
 * new. */
static inline uint64_t block_add_all(sito_filter *f, const uint64_t *hashes, size_t n) {
    return kernel_of(f)->add_many(f->seg[0].at, nblocks_of(&f->shape), hashes, n, NULL);
}

static inline uint64_t block_add_part(sito_filter *f, const uint64_t *hashes, size_t n,
                                      struct coming *coming) {
    const struct block_kernel *kernel = kernel_of(f);
    if (kernel->add_part)
        return kernel->add_part(f->seg[0].at, nblocks_of(&f->shape), hashes, n, coming);
    uint64_t added = 0;
    for (size_t step; n; n -= step, hashes += step) {
        step = coming ? (size_t)least(COMING_PIECE, n) : n;
        if (coming) coming_ask(coming, step);
        added += block_add_all(f, hashes, step);
    }
    return added;
}

unsigned block_stretches(const struct shape *shape);
void block_ready(sito_filter *f);
int block_add_shared(sito_filter *f, uint64_t hash);
sito_rc block_add_shared_many(sito_filter *f, const uint64_t *hashes, size_t n);

#endif
