/* fuse_kernel.h - peeling in order, compiled for the machine at hand. */
#ifndef SITO_FUSE_KERNEL_H
#define SITO_FUSE_KERNEL_H

#include "cpu/fuse_walk.h"

struct fuse_kernel {
    /* How many keys could be peeled; 0: a slot has too many. */
    size_t (*sweep)(const struct fuse_table *t, unsigned arity, const struct fuse_sweep *w);
    /* From the last of `n` peeled keys to the first; all marks are 0 before. */
    void (*set)(const struct fuse_table *t, unsigned arity, const struct fuse_sweep *w, size_t n,
                struct fuse_marks m);
};

const struct fuse_kernel *fuse_kernel(void);

#endif
