/*
 * block_share.c - shared adds to a block filter.
 *
 * The table is cut in stretches, and whoever holds one writes to it plainly. A key alone takes its
 * own. A batch takes what it can use: all of them while it is the only one, half the table while
 * there is another, and sheaves for single stretches in a crowd.
 */
#include "core/filter.h"

#include "core/share.h"
#include "kinds/block.h"

enum {
    STRETCH_BITS = 5,
    STRETCHES = BLOCK_STRETCHES,
    FEW_BLOCKS = 256, /* one stretch will do */
    SHEAF = 264, /* keys; an odd number of lines, or all sheaves would want the same few sets of the
                  * cache */
    SHEAF_STEP = 64,       /* keys; a sheaf with less room than this counts as full */
    SHORT_BATCH = 256,     /* keys; fewer are not worth taking all the table */
    PAIR_BATCH = 16384,    /* keys; fewer are not worth a half */
    LONE_PIECE = 8192,     /* keys; then a batch looks who else is there */
    HALF_PIECE = 16384,    /* the same, when it holds half the table */
    HALF_LAG = 1 << 15,    /* keys of which some are put off */
    CROWD_PIECE = 1 << 16, /* keys */
};

/* ---- a key ---- */

/* The hash's high bits name a stretch, and may cut a block in two: that one belongs to the stretch
 * below. Tables of few blocks are one stretch. */
static unsigned stretch_of(uint64_t nblocks, uint64_t hash) {
    uint64_t s = hash >> (64 - STRETCH_BITS);
    bool is_cut = range_of(hash, nblocks) == range_of((s << (64 - STRETCH_BITS)) - 1, nblocks);
    return nblocks < FEW_BLOCKS ? 0 : (unsigned)(s - (s && is_cut));
}

int block_add_shared(sito_filter *f, uint64_t hash) {
    uint64_t nblocks = nblocks_of(&f->shape);
    struct stretch *s = f->stretch + stretch_of(nblocks, hash);
    __builtin_prefetch(f->seg[0].at + block_start(nblocks, hash), 1);
    stretch_take(s);
    bool is_new = kernel_of(f)->add(f->seg[0].at, nblocks, hash);
    stretch_leave(s, is_new);
    return is_new;
}

/* ---- a batch in a crowd: sheaves ---- */

/* A stretch is taken with the one below, for the block that is cut; always the lower first, so that
 * no two threads wait for each other. */
static void block_bind(sito_filter *f, unsigned s, const uint64_t *hashes, size_t n) {
    if (s) stretch_take(f->stretch + s - 1);
    stretch_take(f->stretch + s);
    stretch_leave(f->stretch + s, block_add_part(f, hashes, n));
    if (s) stretch_leave(f->stretch + s - 1, 0);
}

struct sheaves {
    uint64_t hash[STRETCHES][SHEAF]; /* 66 KiB */
    uint64_t *end[STRETCHES];
};

/* How many hashes may come now, be they all of one stretch. Sheaves with less room than a step's are
 * bound first. */
static size_t bind_full(sito_filter *f, struct sheaves *all) {
    size_t most = SHEAF;
    for (unsigned s = 0; s < STRETCHES; s++) {
        size_t n = (size_t)(all->end[s] - all->hash[s]);
        if (n > SHEAF - SHEAF_STEP) {
            block_bind(f, s, all->hash[s], n);
            all->end[s] = all->hash[s];
            n = 0;
        }
        most = (size_t)least(most, SHEAF - n);
    }
    return most;
}

static inline void gather_one(struct sheaves *all, uint64_t hash) {
    *all->end[hash >> (64 - STRETCH_BITS)]++ = hash;
}

/* By eights: a machine remembers of each instruction whether it had to wait for a store, and of one
 * for all hashes it would be true too often. */
static void gather(struct sheaves *all, const uint64_t *hashes, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++) gather_one(all, hashes[i + j]);
    }
    for (; i < n; i++) gather_one(all, hashes[i]);
}

/* Hashes are gathered by stretch, and a stretch is taken for a sheaf of them. */
static void add_in_sheaves(sito_filter *f, const uint64_t *hashes, size_t n) {
    struct sheaves all;
    for (unsigned s = 0; s < STRETCHES; s++) all.end[s] = all.hash[s];
    for (size_t i = 0, step; i < n; i += step) {
        step = (size_t)least(bind_full(f, &all), n - i);
        gather(&all, hashes + i, step);
    }
    for (unsigned s = 0; s < STRETCHES; s++)
        if (all.end[s] > all.hash[s])
            block_bind(f, s, all.hash[s], (size_t)(all.end[s] - all.hash[s]));
}

/* ---- a batch alone: all the table ---- */

/* A run of stretches; taken from the lowest up, as sheaves are. */
struct run {
    struct stretch *from, *to;
};

/* Batches wait in silence: they see by themselves when there are others. */
static void run_take(struct run r) {
    for (struct stretch *s = r.from; s < r.to; s++)
        while (!stretch_try(s)) stretch_wait(s);
}

static void run_leave(struct run r, uint64_t added) {
    for (struct stretch *s = r.from; s < r.to; s++, added = 0) stretch_leave(s, added);
}

static bool run_is_awaited(struct run r) {
    for (struct stretch *s = r.from; s < r.to; s++)
        if (stretch_is_awaited(s)) return true;
    return false;
}

/* How many were added before somebody came. */
static size_t add_alone(sito_filter *f, const uint64_t *hashes, size_t n) {
    struct run all = {f->stretch, f->stretch + STRETCHES};
    uint64_t added = 0;
    size_t i = 0;
    run_take(all);
    do {
        size_t step = (size_t)least(LONE_PIECE, n - i);
        added += block_add_part(f, hashes + i, step);
        i += step;
    } while (i < n && !run_is_awaited(all) && batches_of(f) == 1);
    run_leave(all, added);
    return i;
}

/* ---- two batches: half the table each, in turn ---- */

static struct run half_of(const sito_filter *f, unsigned side) {
    struct stretch *from = f->stretch + side * STRETCHES / 2;
    return (struct run){from, from + STRETCHES / 2};
}

/* The hash's highest bit is the side, if no block is cut. */
static bool has_halves(const sito_filter *f) { return nblocks_of(&f->shape) % 2 == 0; }

/* Keys of the other side are put off: until it is free, or too many wait, or all of the own are
 * in. As add_alone; but who waits for a half waits until both sides are equally far, HALF_LAG keys at
 * most. */
static size_t add_by_halves(sito_filter *f, const uint64_t *hashes, size_t n) {
    uint64_t nblocks = nblocks_of(&f->shape), added = 0;
    unsigned side = stretch_is_busy(half_of(f, 0).from);
    size_t done[2] = {0, 0}, end = n; /* of each side; none is added past the end */
    run_take(half_of(f, side));
    for (;;) {
        size_t *own = &done[side], other = done[!side];
        size_t step = (size_t)least(HALF_PIECE, end - *own);
        added += kernel_of(f)->add_side(f->seg[0].at, nblocks, hashes + *own, step, side);
        *own += step;
        if (run_is_awaited(half_of(f, side)) || batches_of(f) != 2)
            end = *own > other ? *own : other;
        bool is_late = *own >= least(end, other + HALF_LAG);
        if (!is_late && (*own <= other || stretch_is_busy(half_of(f, !side).from))) continue;
        run_leave(half_of(f, side), added);
        if (other == end && *own == end) return end;
        added = 0;
        side = !side;
        run_take(half_of(f, side));
    }
}

/* ---- a batch ---- */

static void add_in_company(sito_filter *f, const uint64_t *hashes, size_t n) {
    for (size_t i = 0, step; i < n; i += step) {
        unsigned batches = batches_of(f);
        bool awaited = run_is_awaited((struct run){f->stretch, f->stretch + STRETCHES});
        if (batches == 1 && !awaited) {
            step = add_alone(f, hashes + i, n - i);
        } else if (batches == 2 && !awaited && n - i >= PAIR_BATCH && has_halves(f)) {
            step = add_by_halves(f, hashes + i, n - i);
        } else {
            step = (size_t)least(CROWD_PIECE, n - i);
            add_in_sheaves(f, hashes + i, step);
        }
    }
}

sito_rc block_add_shared_many(sito_filter *f, const uint64_t *hashes, size_t n) {
    if (nblocks_of(&f->shape) < FEW_BLOCKS) {
        block_bind(f, 0, hashes, n);
    } else if (n < SHORT_BATCH) {
        add_in_sheaves(f, hashes, n);
    } else {
        batch_enters(f);
        add_in_company(f, hashes, n);
        batch_goes(f);
    }
    return SITO_OK;
}
