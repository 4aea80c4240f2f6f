/*
 * block_share.c - shared adds to a block filter.
 *
 * The table is cut in stretches, and whoever holds one writes to it plainly. A key alone takes its
 * own. A batch takes all of them while it is the only one. Beside others it sorts its keys by parts
 * of the table, as many as there are batches or a few more, and adds those of one part after the
 * other, whichever is free.
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
    PARTS_MOST = STRETCHES_LEAST,
    SHORT_BATCH = 128,     /* keys; fewer take their own stretches */
    LOOK_AFTER = 8192,     /* keys; then a batch looks who else is there */
    SORTED_FEW = 8192,     /* keys; 64 KiB, which lie on the stack */
    SORTED_MOST = 65536,   /* keys */
    NEAR_BLOCKS = 1 << 16, /* the second cache can hold half of them, or nearly */
};

/* ---- a key ---- */

/* A power of two. */
unsigned block_stretches(const struct shape *shape) {
    uint64_t nblocks = nblocks_of(shape);
    unsigned n = nblocks < FEW_BLOCKS ? 1 : STRETCHES_LEAST;
    while (n < STRETCHES_MOST && nblocks / STRETCH_BLOCKS >= 2 * n) n *= 2;
    return n;
}

/* What a block is of a stretch, in 2^-64. In a table of few blocks all are in the first stretch. */
void block_ready(sito_filter *f) {
    uint64_t nblocks = nblocks_of(&f->shape);
    f->derived[0] = 0;
    if (nblocks >= FEW_BLOCKS)
        f->derived[0] = (uint64_t)(((unsigned __int128)f->nstretches << 64) / nblocks);
}

static unsigned stretch_at(const sito_filter *f, uint64_t block) {
    return (unsigned)range_of(f->derived[0], block);
}

/* Where a key goes, and the stretch that has to be held meanwhile. */
struct spot {
    uint8_t *block;
    unsigned stretch;
};

static inline struct spot spot_of(const sito_filter *f, uint64_t hash) {
    uint64_t number = range_of(hash, nblocks_of(&f->shape));
    return (struct spot){f->seg[0].at + number * BLOCK_BYTES, stretch_at(f, number)};
}

/* Apart, so that who need not wait has nothing to keep across a call. */
__attribute__((noinline, cold)) static int add_in_turn(sito_filter *f, uint64_t hash) {
    struct spot to = spot_of(f, hash);
    stretch_take(f, to.stretch);
    return kernel_of(f)->add_held(to.block, hash, f->stretch + to.stretch);
}

int block_add_shared(sito_filter *f, uint64_t hash) {
    const struct cpu_kernels *cpu = cpu_chosen_before();
    struct spot to = spot_of(f, hash);
    ask_to_write(to.block);
    if (!cpu || !stretch_try(f->stretch + to.stretch)) return add_in_turn(f, hash);
    return kernel_among(cpu, f)->add_held(to.block, hash, f->stretch + to.stretch);
}

/* ---- a few keys ---- */

static void add_few(sito_filter *f, const uint64_t *hashes, size_t n) {
    uint64_t nblocks = nblocks_of(&f->shape);
    for (size_t i = 0; i < n; i++) ask_to_write(f->seg[0].at + block_start(nblocks, hashes[i]));
    for (size_t i = 0; i < n; i++) block_add_shared(f, hashes[i]);
}

/* ---- a batch alone: all the table ---- */

/* How many were added before somebody came. */
static size_t add_alone(sito_filter *f, const uint64_t *hashes, size_t n) {
    struct run all = part_of(f, 0, 1);
    uint64_t added = 0;
    size_t i = 0;
    run_take(all);
    do {
        size_t step = (size_t)least(LOOK_AFTER, n - i);
        added += block_add_all(f, hashes + i, step);
        i += step;
    } while (i < n && !is_awaited(f) && batches_of(f) == 1);
    run_leave(all, added);
    return i;
}

/* ---- a batch beside others: part by part ---- */

/* Room for keys in the order of their parts. */
struct sorted {
    struct spare spare; /* of one that is no longer in use */
    size_t room;
    uint64_t *hash;
};

/* The more keys a part has, the seldomer lines go from core to core. Room for many is kept for the
 * next batch, since fresh memory would cost more than it saves. NULL: there is none, or whoever
 * brings the memory may not have thought of several threads. */
static struct sorted *much_room(sito_filter *f) {
    struct sorted *s = (struct sorted *)(void *)spare_take(f);
    size_t room = (size_t)least(SORTED_MOST, 4 * nblocks_of(&f->shape)); /* half the table */
    uint64_t bytes = sizeof *s + room * sizeof *s->hash;
    if (s || room <= SORTED_FEW || !takes_anywhere(&f->mem)) return s;
    if (!(s = (struct sorted *)take(&f->mem, bytes, false))) return NULL;
    *s = (struct sorted){.spare = {bytes}, .room = room, .hash = (uint64_t *)(void *)(s + 1)};
    return s;
}

/* Parts halved again and again, from `hashes` to one half of the room, and on to the other. Returns
 * where they are in the end; those of part p begin at begin[p]. */
static const uint64_t *sort_by_parts(const sito_filter *f, const uint64_t *hashes, size_t n,
                                     unsigned nparts, uint64_t *out, uint64_t *next,
                                     size_t begin[PARTS_MOST + 1]) {
    uint64_t nblocks = nblocks_of(&f->shape);
    begin[0] = 0;
    begin[nparts] = n;
    for (unsigned run = nparts; run > 1; run /= 2) {
        for (unsigned p = 0; p < nparts; p += run) {
            unsigned middle = p + run / 2;
            size_t from = begin[p], many = begin[p + run] - from;
            uint64_t block = range_begin(f->nstretches / nparts * middle, f->derived[0]);
            uint64_t border = range_begin(block, nblocks);
            begin[middle] = from + cpu_chosen()->split(hashes + from, many, border, out + from);
        }
        uint64_t *done = out;
        hashes = done, out = next, next = done;
    }
    return hashes;
}

/* One of the parts that are left, which nobody holds. */
static unsigned part_take(const sito_filter *f, uint64_t left, unsigned nparts) {
    for (unsigned looks = 1;; looks++) {
        for (unsigned p = 0; p < nparts; p++) {
            struct run r = part_of(f, p, nparts);
            if (!(left >> p & 1) || stretch_is_busy(r.from) || !stretch_try(r.from)) continue;
            r.from++;
            run_take(r);
            return p;
        }
        if (looks % 64 == 0) sched_yield(); /* whoever holds them may wait for this core */
    }
}

/* To a part that was another's until now. */
static uint64_t add_to_part(sito_filter *f, const uint64_t *hashes, size_t n) {
    bool is_near = nblocks_of(&f->shape) <= NEAR_BLOCKS;
    return is_near ? block_add_part(f, hashes, n, NULL) : block_add_all(f, hashes, n);
}

/* A part is left before its end if somebody waits who takes stretches one by one. */
static void add_parts(sito_filter *f, const uint64_t *hashes, unsigned nparts,
                      const size_t begin[PARTS_MOST + 1]) {
    size_t at[PARTS_MOST];
    uint64_t left = 0;
    for (unsigned p = 0; p < nparts; p++) {
        at[p] = begin[p];
        left |= (uint64_t)(begin[p] < begin[p + 1]) << p;
    }
    while (left) {
        unsigned p = part_take(f, left, nparts);
        uint64_t added = 0;
        do {
            size_t step = (size_t)least(LOOK_AFTER, begin[p + 1] - at[p]);
            added += add_to_part(f, hashes + at[p], step);
            at[p] += step;
        } while (at[p] < begin[p + 1] && !is_awaited(f));
        run_leave(part_of(f, p, nparts), added);
        if (at[p] < begin[p + 1]) sched_yield();
        else left &= ~((uint64_t)1 << p);
    }
}

/* How many were added. Not put in line: it has much on the stack, and a thread may have little. */
__attribute__((noinline)) static size_t add_by_parts(sito_filter *f, const uint64_t *hashes,
                                                     size_t n, unsigned nparts) {
    uint64_t hash[SORTED_FEW];
    size_t begin[PARTS_MOST + 1];
    struct sorted few = {.room = SORTED_FEW, .hash = hash};
    struct sorted *many = n > SORTED_FEW ? much_room(f) : NULL, *s = many ? many : &few;
    size_t half = s->room / 2, most = nparts == 2 ? s->room : half;
    n = (size_t)least(n, most);
    add_parts(f, sort_by_parts(f, hashes, n, nparts, s->hash, s->hash + half, begin), nparts,
              begin);
    if (many) spare_keep(f, &many->spare);
    return n;
}

/* ---- a batch ---- */

/* As many as there are batches, or more; who waits for a single stretch shall not wait long. */
static unsigned parts_for(const sito_filter *f) {
    unsigned nparts = 1, batches = batches_of(f);
    if (is_awaited(f)) return PARTS_MOST;
    while (nparts < batches && nparts < PARTS_MOST) nparts *= 2;
    return nparts;
}

sito_rc block_add_shared_many(sito_filter *f, const uint64_t *hashes, size_t n) {
    if (nblocks_of(&f->shape) < FEW_BLOCKS) {
        stretch_take(f, 0);
        stretch_leave(f->stretch, block_add_all(f, hashes, n));
    } else if (n < SHORT_BATCH) {
        add_few(f, hashes, n);
    } else {
        batch_enters(f);
        for (size_t i = 0, step; i < n; i += step) {
            unsigned nparts = parts_for(f);
            step = nparts == 1 ? add_alone(f, hashes + i, n - i)
                               : add_by_parts(f, hashes + i, n - i, nparts);
        }
        batch_goes(f);
    }
    return SITO_OK;
}
