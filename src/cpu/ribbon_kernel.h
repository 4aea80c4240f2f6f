/* ribbon_kernel.h - the ribbon's inner loops, compiled for the machine at hand. */
#ifndef SITO_RIBBON_KERNEL_H
#define SITO_RIBBON_KERNEL_H

#include "cpu/ribbon_walk.h"

struct ribbon_kernel {
    bool (*sweep)(struct ribbon_open *o, struct ribbon_rows rows, uint64_t at, unsigned nrows,
                  struct ribbon_keys keys);
    void (*solve)(struct ribbon_rows rows, uint64_t nrows, unsigned bits, uint8_t *out);
    /* answers[who[i]] for each of these */
    void (*ask)(const struct ribbon_spot *spots, const uint64_t *h, const uint8_t *who, size_t n,
                uint8_t *answers);
};

const struct ribbon_kernel *ribbon_kernel(void);

#endif
