/* sweep.h - a piece of a fuse filter whose keys are put in order first. */
#ifndef SITO_SWEEP_H
#define SITO_SWEEP_H

#include "build/peel.h"

/* Of own->keys, for pieces of at most so many; and of own->order. */
uint64_t sweep_keys_room(const struct fuse_table *t, uint64_t most);
uint64_t sweep_order_room(const struct fuse_table *t);

/* Writes the cells, zero before, and a->n; false if this try does not do. */
bool sweeps(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
            struct peel_try *a, uint8_t *cells);

#endif
