/*
 * plan.h - what the kinds' solvers share.
 *
 * A solver turns two of keys, rate and size into the third. Kinds that hold k bits a key share one,
 * told apart by their rate and by the bits of a cell; the search below serves everybody: rates fall
 * as tables grow and rise with the keys.
 */
#ifndef SITO_PLANNING_H
#define SITO_PLANNING_H

#include "core/filter.h"

/* Is a size asked for, rather than only limited? */
static inline bool size_is_given(const sito_plan *p) {
    return p->ncells || (p->max_bytes && !(p->nkeys && p->fpr > 0));
}

/* Are 64-bit hashes enough for this wish, whatever the cells do? */
bool hashes_suffice(const sito_plan *p);

/* The least x in low..high for which `enough(x)`, high if there is none; `enough` is monotone.
 * `guess` is where to look first: a good one makes it a few steps. */
uint64_t least_enough(uint64_t low, uint64_t high, uint64_t guess,
                      bool (*enough)(const void *self, uint64_t x), const void *self);

/* How a kind of k cells a key behaves. */
struct bit_kind {
    double (*rate)(uint64_t m, uint64_t n, unsigned k);
    uint64_t (*round)(uint64_t m, unsigned k); /* up to a size that folds well */
    unsigned cell_bits;
};

/* Fills in ncells, nhashes, nkeys, fpr, bytes and real_fpr. */
sito_rc plan_bits(sito_plan *p, const struct bit_kind *kind);

#endif
