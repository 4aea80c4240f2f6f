/* fuse_ask.h - a key finds its slots: to tell whether it is inside, and what its value is. */
#ifndef SITO_FUSE_ASK_H
#define SITO_FUSE_ASK_H

#include "cells/slots.h"
#include "kinds/fuse.h"

static inline struct fuse_table fuse_table_in(const sito_filter *f) {
    uint32_t length = (uint32_t)f->derived[3];
    bool is_paired = f->derived[3] >> 32;
    return (struct fuse_table){.npieces = f->derived[0],
                               .piece_slots = f->derived[1],
                               .starts = (uint32_t)f->derived[2],
                               .length = length,
                               .is_paired = is_paired,
                               .spans = fuse_spans_of(length, is_paired)};
}

static inline struct fuse_eye fuse_eye_of(const sito_filter *f) {
    struct fuse_eye e = {.t = fuse_table_in(f),
                         .cells = f->seg[0].at,
                         .tries = f->seg[1].at,
                         .salt = f->extra[EXTRA_SALT],
                         .mask = low_bits(f->shape.param[PARAM_MARK_BITS]),
                         .bits = fuse_slot_bits(&f->shape),
                         .arity = f->shape.param[PARAM_ARITY]};
    e.piece_bytes = e.t.piece_slots / 8 * e.bits; /* a single piece begins at 0 anyway */
    return e;
}

/* A key whose lines are on their way: its piece, its slots in there, its mark. */
struct fused {
    const uint8_t *piece;
    uint64_t mark;
    uint32_t slot[ARITY_MAX];
    bool is_empty; /* a piece without keys lets nobody in */
};

FUSE_INLINE void fuse_find(const struct fuse_eye *e, uint64_t hash, struct fused *k) {
    uint64_t stirred = fuse_stirred(hash, e->salt), piece = range_of(stirred, e->t.npieces);
    unsigned attempt = e->tries[piece];
    uint64_t drawn = fuse_drawn(stirred, attempt);
    fuse_slots(&e->t, drawn, k->slot);
    k->piece = e->cells + piece * e->piece_bytes;
    k->mark = drawn;
    k->is_empty = attempt == 0;
}

FUSE_INLINE void fuse_fetch(const struct fuse_eye *e, const struct fused *k, const unsigned arity) {
    for (unsigned j = 0; j < arity; j++) __builtin_prefetch(k->piece + k->slot[j] * e->bits / 8);
}

/* Read in the word that it lies in, or in the one from that word's middle on: so nothing of another
 * line is read unless the slot has bits there. */
FUSE_INLINE uint64_t slot_bits_of(const struct fuse_eye *e, const struct fused *k, unsigned j) {
    uint32_t at = k->slot[j] * e->bits, into = at % 64, is_over = into + e->bits > 64;
    return get64(k->piece + at / 64 * 8 + 4 * is_over) >> (into - 32 * is_over);
}

/* Zero in the bits of the mark, if the key is inside; its value above them. */
FUSE_INLINE uint64_t fuse_sum(const struct fuse_eye *e, const struct fused *k,
                              const unsigned arity) {
    uint64_t sum = k->mark ^ slot_bits_of(e, k, 0) ^ slot_bits_of(e, k, 1) ^ slot_bits_of(e, k, 2);
    return arity == 4 ? sum ^ slot_bits_of(e, k, 3) : sum;
}

#endif
