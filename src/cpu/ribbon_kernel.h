/* ribbon_kernel.h - the ribbon's inner loops, compiled for the machine at hand. */
#ifndef SITO_RIBBON_KERNEL_H
#define SITO_RIBBON_KERNEL_H

#include "cpu/ribbon_walk.h"

struct ribbon_layer;

struct ribbon_kernel {
    bool (*sweep)(struct ribbon_open *o, struct ribbon_rows rows, uint64_t at, unsigned nrows,
                  struct ribbon_keys keys);
    void (*solve)(struct ribbon_rows rows, uint64_t nrows, unsigned bits, uint8_t *out);
    size_t (*ask)(const struct ribbon_layer *l, const uint8_t *cells, const uint8_t *codes,
                  uint64_t try, uint64_t *x, uint16_t *who, size_t n, uint8_t *answers);
};

const struct ribbon_kernel *ribbon_kernel(void);

#endif
