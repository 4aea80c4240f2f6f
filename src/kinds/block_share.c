/*
 * block_share.c - shared adds to a block filter.
 *
 * The table is cut in stretches, and whoever holds one writes to it plainly. A key alone takes its
 * own. A batch takes what it can use: all of them while it is the only one, half the table while
 * there is another, and sheaves for single stretches in a crowd.
 */
#include "core/filter.h"

#include "core/memory.h"
#include "core/share.h"
#include "kinds/block.h"

enum {
    STRETCHES_LEAST = 32,
    STRETCHES_MOST = 128, /* two who add key by key are seldom in one */
    FEW_BLOCKS = 256,     /* one stretch will do */
    STRETCH_BLOCKS = 64,  /* so many in one before there are more than the least */
    SHEAF_BITS = 5,
    SHEAVES = 1 << SHEAF_BITS,
    SHEAF = 264, /* keys; an odd number of lines, or all sheaves would want the same few sets of the
                  * cache */
    SHEAF_STEP = 64,       /* keys; a sheaf with less room than this counts as full */
    SHORT_BATCH = 256,     /* keys; fewer are not worth taking all the table */
    PAIR_BATCH = 16384,    /* keys; fewer are not worth a half */
    LONE_PIECE = 8192,     /* keys; then a batch looks who else is there */
    HALF_PIECE = 4096,     /* the same, when it holds half the table */
    PUT_OFF_FEW = 4096,    /* keys of the other half; a piece at least */
    PUT_OFF_MOST = 40960,  /* half a batch of 64 Ki, and a piece or two */
    CROWD_PIECE = 1 << 16, /* keys */
    NEAR_BLOCKS = 1 << 16, /* the second cache can hold half of them, or nearly */
};

#define VAST_BLOCKS ((uint64_t)UINT32_MAX)

/* ---- a key ---- */

/* A power of two. */
unsigned block_stretches(const struct shape *shape) {
    uint64_t nblocks = nblocks_of(shape);
    unsigned n = nblocks < FEW_BLOCKS ? 1 : STRETCHES_LEAST;
    while (n < STRETCHES_MOST && nblocks / STRETCH_BLOCKS >= 2 * n) n *= 2;
    return n;
}

/* What a block is of a stretch, in 2^-64. Rounded up: so if a block begins at the table's middle, a
 * stretch does too. In a vast table that would lead past the last stretch: there it is rounded down,
 * and there are no halves. In a table of few blocks all are in the first stretch. */
void block_ready(sito_filter *f) {
    uint64_t nblocks = nblocks_of(&f->shape);
    f->derived[0] = 0;
    if (nblocks >= FEW_BLOCKS)
        f->derived[0] = (uint64_t)(((unsigned __int128)f->nstretches << 64) / nblocks) +
                        (nblocks <= VAST_BLOCKS);
}

static unsigned stretch_at(const sito_filter *f, uint64_t block) {
    return (unsigned)range_of(f->derived[0], block);
}

int block_add_shared(sito_filter *f, uint64_t hash) {
    const struct block_kernel *kernel = kernel_of(f);
    uint64_t nblocks = nblocks_of(&f->shape);
    unsigned s = stretch_at(f, range_of(hash, nblocks));
    uint8_t *block = f->seg[0].at + block_start(nblocks, hash);
    ask_to_write(block);
    stretch_take(f, s);
    return kernel->add_held(block, hash, f->stretch + s);
}

/* ---- a batch in a crowd: sheaves ---- */

/* Sheaves lie in the order of their hashes, and two may meet in a block. The lower stretch is always
 * taken first, so that no two threads wait for each other. */
static void block_bind(sito_filter *f, unsigned sheaf, const uint64_t *hashes, size_t n) {
    uint64_t nblocks = nblocks_of(&f->shape), first = (uint64_t)sheaf << (64 - SHEAF_BITS);
    uint64_t last = first + (UINT64_MAX >> SHEAF_BITS);
    unsigned from = stretch_at(f, range_of(first, nblocks));
    unsigned to = stretch_at(f, range_of(last, nblocks)) + 1;
    for (unsigned s = from; s < to; s++) stretch_take(f, s);
    uint64_t added = block_add_all(f, hashes, n);
    for (unsigned s = from; s < to; s++, added = 0) stretch_leave(f->stretch + s, added);
}

struct sheaves {
    uint64_t hash[SHEAVES][SHEAF]; /* 66 KiB */
    uint64_t *end[SHEAVES];
};

/* How many hashes may come now, be they all of one sheaf. Sheaves with less room than a step's are
 * bound first. */
static size_t bind_full(sito_filter *f, struct sheaves *all) {
    size_t most = SHEAF;
    for (unsigned s = 0; s < SHEAVES; s++) {
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
    *all->end[hash >> (64 - SHEAF_BITS)]++ = hash;
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

/* Hashes are gathered by where they go, and its stretches are taken for a sheaf of them. Not put in
 * line, as add_beside_another is not: each has much on the stack, and a thread may have little. */
__attribute__((noinline)) static void add_in_sheaves(sito_filter *f, const uint64_t *hashes,
                                                     size_t n) {
    struct sheaves all;
    for (unsigned s = 0; s < SHEAVES; s++) all.end[s] = all.hash[s];
    for (size_t i = 0, step; i < n; i += step) {
        step = (size_t)least(bind_full(f, &all), n - i);
        gather(&all, hashes + i, step);
    }
    for (unsigned s = 0; s < SHEAVES; s++)
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
    for (struct stretch *s = r.from; s < r.to; s++) ask_to_write(&s->busy);
    for (struct stretch *s = r.from; s < r.to; s++)
        while (!stretch_try(s)) stretch_wait(s);
}

static void run_leave(struct run r, uint64_t added) {
    for (struct stretch *s = r.from; s < r.to; s++, added = 0) stretch_leave(s, added);
}

static struct run half_of(const sito_filter *f, unsigned side) {
    unsigned half = f->nstretches / 2;
    struct stretch *from = f->stretch + side * half;
    return (struct run){from, from + half};
}

static bool is_awaited(const sito_filter *f) {
    return half_is_awaited(half_of(f, 0).from) || half_is_awaited(half_of(f, 1).from);
}

/* How many were added before somebody came. */
static size_t add_alone(sito_filter *f, const uint64_t *hashes, size_t n) {
    struct run all = {f->stretch, f->stretch + f->nstretches};
    uint64_t added = 0;
    size_t i = 0;
    run_take(all);
    do {
        size_t step = (size_t)least(LONE_PIECE, n - i);
        added += block_add_all(f, hashes + i, step);
        i += step;
    } while (i < n && !is_awaited(f) && batches_of(f) == 1);
    run_leave(all, added);
    return i;
}

/* ---- two batches: half the table each, in turn ---- */

/* The hash's highest bit is the side, if no block is cut. */
static bool has_halves(const sito_filter *f) {
    uint64_t nblocks = nblocks_of(&f->shape);
    return nblocks % 2 == 0 && nblocks <= VAST_BLOCKS;
}

/* Keys of the half that is not held. */
struct put_off {
    struct spare spare; /* of one that is no longer in use */
    size_t n, room;
    uint64_t *hash; /* SPLIT_SLACK more than there is room for */
};

/* The more can be put off, the seldomer lines go from core to core; up to a quarter of the table.
 * Room for many is kept for the next batch, since fresh memory would cost more than it saves. NULL:
 * there is none, or whoever brings the memory may not have thought of several threads. */
static struct put_off *much_put_off(sito_filter *f) {
    struct put_off *p = (struct put_off *)(void *)spare_take(f);
    size_t room = (size_t)least(PUT_OFF_MOST, 2 * nblocks_of(&f->shape));
    uint64_t bytes = sizeof *p + (room + SPLIT_SLACK) * sizeof *p->hash;
    if (p || room <= PUT_OFF_FEW || !takes_anywhere(&f->mem)) return p;
    if (!(p = (struct put_off *)take(&f->mem, bytes, false))) return NULL;
    *p = (struct put_off){.spare = {bytes}, .room = room, .hash = (uint64_t *)(void *)(p + 1)};
    return p;
}

/* To a half that was another's until now. */
static uint64_t add_to_half(sito_filter *f, const uint64_t *hashes, size_t n) {
    bool is_near = nblocks_of(&f->shape) <= NEAR_BLOCKS;
    return is_near ? block_add_part(f, hashes, n) : block_add_all(f, hashes, n);
}

/* Those of the half that is held are added. */
static uint64_t add_own(sito_filter *f, const uint64_t *hashes, size_t n, unsigned side,
                        struct put_off *other) {
    _Alignas(64) uint64_t own[HALF_PIECE + SPLIT_SLACK];
    uint64_t *theirs = other->hash + other->n;
    size_t nlow = cpu_chosen()->split(hashes, n, side ? theirs : own, side ? own : theirs);
    size_t nown = side ? n - nlow : nlow;
    other->n += n - nown;
    return add_to_half(f, own, nown);
}

/* One half after the other. Halves are changed if the other is free, if no more can be put off, and
 * at the end: after HALF_PIECE keys if somebody waits who takes stretches one by one, or if there are
 * not two batches any more. Returns how many were added. */
static size_t add_by_halves(sito_filter *f, const uint64_t *hashes, size_t n,
                            struct put_off *other) {
    unsigned side = stretch_is_busy(half_of(f, 0).from);
    size_t i = 0;
    bool ends = false;
    run_take(half_of(f, side));
    for (;; side = !side) {
        uint64_t added = add_to_half(f, other->hash, other->n);
        other->n = 0;
        while (!ends && other->room - other->n >= HALF_PIECE) {
            size_t step = (size_t)least(HALF_PIECE, n - i);
            added += add_own(f, hashes + i, step, side, other);
            i += step;
            ends = i == n || half_is_awaited(half_of(f, side).from) || batches_of(f) != 2;
            if (!stretch_is_busy(half_of(f, !side).from)) break;
        }
        run_leave(half_of(f, side), added);
        if (!other->n) return i;
        run_take(half_of(f, !side));
    }
}

__attribute__((noinline)) static size_t add_beside_another(sito_filter *f, const uint64_t *hashes,
                                                           size_t n) {
    uint64_t hash[PUT_OFF_FEW + SPLIT_SLACK];
    struct put_off few = {.room = PUT_OFF_FEW, .hash = hash}, *many = much_put_off(f);
    size_t done = add_by_halves(f, hashes, n, many ? many : &few);
    if (many) spare_keep(f, &many->spare);
    return done;
}

/* ---- a batch ---- */

static void add_in_company(sito_filter *f, const uint64_t *hashes, size_t n) {
    for (size_t i = 0, step; i < n; i += step) {
        unsigned batches = batches_of(f);
        bool awaited = is_awaited(f);
        if (batches == 1 && !awaited) {
            step = add_alone(f, hashes + i, n - i);
        } else if (batches == 2 && !awaited && n - i >= PAIR_BATCH && has_halves(f)) {
            step = add_beside_another(f, hashes + i, n - i);
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
