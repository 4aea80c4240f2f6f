/*
 * cpu.h - walks that are worth an instruction set of their own, and the choice among them.
 *
 * portable.c is the one to read; every other file says the same in wider words, and a test holds
 * them against it. The best that this machine has is chosen once, at the first question. The
 * environment may lower the choice: SITO_CPU=portable, avx2, avx512 or neon.
 */
#ifndef SITO_CPU_H
#define SITO_CPU_H

#include "core/base.h"

struct stretch; /* core/stretch.h */

/* How far ahead batches ask for hashes: the machine itself looks ahead only within a page. */
enum { HASHES_AHEAD = 128 };

/* Lines of a table that are wanted soon, and asked for while others are written: so many bytes of
 * them, two lines at most, for every eight keys. */
struct coming {
    const uint8_t *at, *end;
    size_t step;
};

/* The walk through a block filter: its table of 64-byte blocks, and a key's hash. */
struct block_kernel {
    bool (*maybe)(const uint8_t *cells, uint64_t nblocks, uint64_t hash);
    void (*maybe_many)(const uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n,
                       uint8_t *answers);
    bool (*add)(uint8_t *cells, uint64_t nblocks, uint64_t hash); /* true: certainly new */
    /* To a block, in a stretch that is held; then counts the key if it is new, and lets go. */
    int (*add_held)(uint8_t *block, uint64_t hash, struct stretch *held);
    /* Answers, or NULL; returns how many were certainly new. */
    uint64_t (*add_many)(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n,
                         int8_t *answers);
    /* As add_many; to a part of the table that the second cache can hold: it does, and others come;
     * or it may not yet, and then `coming` is NULL. No such call: no better way. */
    uint64_t (*add_part)(uint8_t *cells, uint64_t nblocks, const uint64_t *hashes, size_t n,
                         struct coming *coming);
};

/* Those below the border to the beginning of `out`, in order; the others behind them, in any order.
 * There is room for n, and not among the hashes. Returns how many are below. */
typedef size_t split_at_border(const uint64_t *hashes, size_t n, uint64_t border, uint64_t *out);

/* Whole tables of n levels, b bits each (1..16): every level times p/q, p < q, rounded down; every
 * level one less, 0 stays; the higher of each two. Bits past the last level are 0, and stay so. */
struct level_kernel {
    void (*fade)(uint8_t *cells, uint64_t n, unsigned b, uint32_t p, uint32_t q);
    void (*lower)(uint8_t *cells, uint64_t n, unsigned b);
    void (*merge)(uint8_t *into, const uint8_t *from, uint64_t n, unsigned b);
};

/* The walk of many keys through a fuse filter (kinds/fuse.c); returns how many have been answered. */
struct fuse_eye;
typedef size_t many_in_fuse(const struct fuse_eye *e, const uint64_t *hashes, size_t n,
                            uint8_t *answers);

/* A cuckoo filter (kinds/cuckoo.h) whose buckets fit a word wherever they begin in a byte. */
struct nest;
struct nesting;
struct aside;
struct cuckoo_kernel {
    /* The walk of many keys; returns how many have been answered. */
    size_t (*maybe_many)(const struct nest *t, const uint64_t *hashes, size_t n, uint8_t *answers);
    /* For buckets of four, as kinds/cuckoo_rules.c does: ways out by one move, or by two if `limit`
     * allows; and asking for the lines they lead to. False, and nothing done, if the table is too
     * large. */
    bool (*aside)(const struct nest *t, const struct nesting *p, unsigned limit, struct aside *a);
    bool (*foresee)(const struct nest *t, const struct nesting *p);
};

struct cpu_kernels {
    const char *name;
    bool (*is_here)(void);
    struct block_kernel block8, block16; /* 8 bits in 8 words of 64, 16 in 16 words of 32 */
    split_at_border *split;
    const struct level_kernel *levels;
    many_in_fuse *in_fuse;                 /* NULL: one by one */
    const struct cuckoo_kernel *in_cuckoo; /* NULL: none */
    bool carries_straight;                 /* build/parts.c: to their parts without trays */
};

extern const struct level_kernel levels_portable;
extern const struct cpu_kernels cpu_portable;
size_t portable_split(const uint64_t *hashes, size_t n, uint64_t border, uint64_t *out);
#ifdef __x86_64__
extern const struct level_kernel levels_avx2;
extern const struct cuckoo_kernel cuckoo_avx2;
extern const struct cpu_kernels cpu_avx2, cpu_avx512, cpu_avx512_picking, cpu_avx512_shifting,
    cpu_avx512_turning;
/* Serve the wider set too. */
size_t avx2_in_fuse(const struct fuse_eye *e, const uint64_t *hashes, size_t n, uint8_t *answers);
#elif defined(__aarch64__)
extern const struct level_kernel levels_neon;
extern const struct cpu_kernels cpu_neon;
#endif

extern const struct cpu_kernels *cpu_choice; /* NULL: none yet */
const struct cpu_kernels *cpu_choose(void);

static inline const struct cpu_kernels *cpu_chosen_before(void) {
    return __atomic_load_n(&cpu_choice, __ATOMIC_ACQUIRE);
}

static inline const struct cpu_kernels *cpu_chosen(void) {
    const struct cpu_kernels *now = cpu_chosen_before();
    return __builtin_expect(now != NULL, 1) ? now : cpu_choose();
}

const struct cpu_kernels *cpu_at(size_t i); /* from the plainest to the widest; NULL past the end */

#endif
