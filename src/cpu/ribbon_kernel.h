/* ribbon_kernel.h - the ribbon's inner loops, compiled for the machine at hand. */
#ifndef SITO_RIBBON_KERNEL_H
#define SITO_RIBBON_KERNEL_H

#include "cpu/ribbon_walk.h"

struct ribbon_layer;
struct ribbon_cells;
struct ribbon_asked;
struct ribbon_bumped;

struct ribbon_kernel {
    unsigned (*add_up)(uint16_t *count, uint16_t *met);
    int (*most_open)(const uint16_t *met, int open, int from);
    bool (*repeats)(const uint64_t *hash, size_t n, size_t near);
    bool (*sweep)(struct ribbon_open *o, struct ribbon_rows rows, uint64_t at, unsigned nrows,
                  struct ribbon_keys keys);
    void (*solve)(struct ribbon_rows rows, uint64_t nrows, unsigned bits, uint8_t *out);
    /* One layer, not the last. Who was bumped has no answer yet. */
    void (*ask)(const struct ribbon_layer *l, const struct ribbon_cells *c,
                struct ribbon_asked asked, struct ribbon_bumped *bumped, uint8_t *answers);
};

/* `beyond`: bytes that lie behind all that is asked, and may be read. */
const struct ribbon_kernel *ribbon_kernel(uint64_t beyond);

#endif
