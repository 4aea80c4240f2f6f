/*
 * share_bits.h - shared adds to one table of bits: bloom and parted.
 *
 * A key's bits lie all over the table, so who adds cannot hold the part where they go. Stretches are
 * gates here. A key alone, or a few of a batch in a crowd, goes through one of them and sets its bits
 * by locked instructions, as any number of threads may at once. A batch that has few beside it, or
 * none, shuts all gates and sets bits plainly, in a third of the time: so one after the other they
 * are done sooner.
 */
#ifndef SITO_SHARE_BITS_H
#define SITO_SHARE_BITS_H

#include "core/share.h"
#include "kinds/walk_bits.h"

enum {
    GATES_MOST = 128,
    GATES_FEW = 4,
    GATE_BYTES = 4096,    /* of a table, for each of its gates */
    AT_ONCE = 64,         /* keys of a batch that go through a gate */
    GATE_BATCH = 256,     /* keys; fewer are not worth shutting all gates */
    GATE_LOOK = 2048,     /* keys; then a batch looks who else is there */
    LOOKS = 32,           /* at a gate that is shut; then a batch queues */
    GATE_TURN = 1 << 14,  /* keys of one that queued, before it leaves */
    GATES_OPEN = 1 << 15, /* keys; so long no gate is shut after somebody had to wait */
    IN_TURN = 4,          /* batches; more go through gates */
    A_MOMENT = 256,       /* tries, a fraction of a microsecond */
};

static inline unsigned bits_gates(const struct shape *shape) {
    uint64_t bytes = bits_bytes(shape->ncells);
    unsigned n = 1;
    while (n < GATES_MOST && bytes / GATE_BYTES >= 2 * n) n *= 2;
    return n;
}

static inline unsigned gate_of(const sito_filter *f, uint64_t hash) {
    return (unsigned)range_of(hash, f->nstretches);
}

/* A few keys, through the gate of the first. How many were new. */
static inline __attribute__((always_inline)) uint64_t
add_through_gate(sito_filter *f, struct bits_walk w, const uint64_t *hashes, size_t n) {
    unsigned gate = gate_of(f, *hashes);
    stretch_take(f, gate);
    uint64_t added = walk_add_group(f->seg[0].at, w, hashes, n, NULL, bit_set_shared);
    stretch_leave(f->stretch + gate, added);
    return added;
}

/* One gate, or one of few, would be taken again before whoever waits for it sees that it is open. */
static inline void let_in(const sito_filter *f) {
    if (f->nstretches <= GATES_FEW)
        for (unsigned tries = 0; tries < A_MOMENT && is_awaited(f); tries++) continue;
    /* Whoever waits may have no core to see it on. */
    if (is_awaited(f) || __atomic_load_n(&f->stretch->shutting, __ATOMIC_RELAXED)) sched_yield();
}

/* How many were added. */
static inline __attribute__((always_inline)) size_t
add_through_gates(sito_filter *f, struct bits_walk w, const uint64_t *hashes, size_t n) {
    n = (size_t)least(GATES_OPEN, n);
    for (size_t i = 0; i < n; i += AT_ONCE) {
        add_through_gate(f, w, hashes + i, (size_t)least(AT_ONCE, n - i));
        let_in(f);
    }
    return n;
}

static inline bool somebody_queues(const struct stretch *first) {
    return __atomic_load_n(&first->turn, __ATOMIC_RELAXED) !=
           __atomic_load_n(&first->turns, __ATOMIC_RELAXED);
}

/* A look at a gate that is not to be had, told to those who let in. */
static inline void gate_look(sito_filter *f, const struct stretch *gate) {
    __atomic_store_n(&f->stretch->shutting, 1, __ATOMIC_RELAXED);
    stretch_look(gate);
}

/* Who leaves may be back before those who wait look again, and finds the table in its cache then. But
 * not for ever: who has waited long queues, and is let in before all that do not. Did it queue? */
static inline bool first_gate_shut(sito_filter *f) {
    struct stretch *first = f->stretch;
    for (unsigned looks = 0; looks < LOOKS; looks++) {
        if (!somebody_queues(first) && stretch_try(first)) return false;
        gate_look(f, first);
    }
    unsigned mine = __atomic_fetch_add(&first->turns, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&first->turn, __ATOMIC_RELAXED) != mine) sched_yield();
    while (!stretch_try(first)) gate_look(f, first);
    __atomic_store_n(&first->turn, mine + 1, __ATOMIC_RELAXED);
    return true;
}

/* From the lowest up, so that no two batches wait for each other. Is it to have a turn? */
static inline bool gates_shut(sito_filter *f) {
    for (unsigned g = 0; g < f->nstretches; g++) ask_to_write(&f->stretch[g].busy);
    bool queued = first_gate_shut(f);
    for (unsigned g = 1; g < f->nstretches; g++)
        while (!stretch_try(f->stretch + g)) gate_look(f, f->stretch + g);
    __atomic_store_n(&f->stretch->shutting, 0, __ATOMIC_RELAXED);
    return queued;
}

/* How many were added before somebody came. */
static inline __attribute__((always_inline)) size_t
add_behind_gates(sito_filter *f, struct bits_walk w, const uint64_t *hashes, size_t n) {
    uint64_t added = 0;
    size_t i = 0, turn = gates_shut(f) ? GATE_TURN : 0;
    do {
        size_t step = (size_t)least(GATE_LOOK, n - i);
        added += walk_add_many(f->seg[0].at, w, hashes + i, step, NULL);
        i += step;
    } while (i < n && !is_awaited(f) && (i < turn || batches_of(f) == 1));
    run_leave(part_of(f, 0, 1), added);
    return i;
}

static inline __attribute__((always_inline)) int bits_add_shared(sito_filter *f, struct bits_walk w,
                                                                 uint64_t hash) {
    return (int)add_through_gate(f, w, &hash, 1);
}

static inline __attribute__((always_inline)) sito_rc
bits_add_shared_many(sito_filter *f, struct bits_walk w, const uint64_t *hashes, size_t n) {
    if (n < GATE_BATCH) {
        add_through_gates(f, w, hashes, n);
        return SITO_OK;
    }
    batch_enters(f);
    for (size_t i = 0, step; i < n; i += step)
        step = batches_of(f) > IN_TURN || is_awaited(f) ? add_through_gates(f, w, hashes + i, n - i)
                                                        : add_behind_gates(f, w, hashes + i, n - i);
    batch_goes(f);
    return SITO_OK;
}

#endif
