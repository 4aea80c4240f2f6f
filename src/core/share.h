/*
 * share.h - stretches of a table that shared adds take in turn.
 *
 * One locked instruction a key, or hundreds of keys, and plain writes while the stretch is held:
 * several times cheaper than a locked instruction a bit. Questions go on meanwhile; bits only come.
 */
#ifndef SITO_SHARE_H
#define SITO_SHARE_H

#include "core/filter.h"
#include "core/memory.h"
#include "core/stretch.h"

/* Does somebody wait long who takes stretches one by one? To be asked of the first of a half. */
static inline bool half_is_awaited(const struct stretch *first) {
    return __atomic_load_n(&first->awaited, __ATOMIC_RELAXED);
}

/* Tries, some ten microseconds: about as long as a batch holds what it knows to be awaited. Whoever
 * goes to sleep for less may sleep for milliseconds, if there are more threads than cores. */
enum { PATIENCE = 1 << 14 };

/* Apart, so that who finds a stretch free has little to do. */
__attribute__((noinline, cold)) static void stretch_take_in_turn(sito_filter *f, unsigned at) {
    struct stretch *s = f->stretch + at, *first = f->stretch;
    bool told = false;
    if (at >= f->nstretches / 2) first += f->nstretches / 2;
    do {
        for (unsigned tries = 1; stretch_is_busy(s); tries++) {
            if (tries % 64) continue;
            if (!half_is_awaited(first)) __atomic_store_n(&first->awaited, 1, __ATOMIC_RELAXED);
            told = true;
            if (tries % PATIENCE == 0) sched_yield();
        }
    } while (!stretch_try(s));
    if (told) __atomic_store_n(&first->awaited, 0, __ATOMIC_RELAXED); /* others tell again */
}

static inline void stretch_take(sito_filter *f, unsigned at) {
    if (!stretch_try(f->stretch + at)) stretch_take_in_turn(f, at);
}

/* A run of stretches; taken from the lowest up, so that no two threads wait for each other. */
struct run {
    struct stretch *from, *to;
};

/* Batches wait in silence: they see by themselves when there are others. */
static inline void run_take(struct run r) {
    for (struct stretch *s = r.from; s < r.to; s++) ask_to_write(&s->busy);
    for (struct stretch *s = r.from; s < r.to; s++)
        while (!stretch_try(s)) stretch_wait(s);
}

static inline void run_leave(struct run r, uint64_t added) {
    for (struct stretch *s = r.from; s < r.to; s++, added = 0) stretch_leave(s, added);
}

static inline struct run part_of(const sito_filter *f, unsigned part, unsigned nparts) {
    unsigned each = f->nstretches / nparts;
    struct stretch *from = f->stretch + part * each;
    return (struct run){from, from + each};
}

static inline bool is_awaited(const sito_filter *f) {
    return half_is_awaited(part_of(f, 0, 2).from) || half_is_awaited(part_of(f, 1, 2).from);
}

/* Batches that are large enough to hold much of the table count each other. */
static inline void batch_enters(sito_filter *f) {
    __atomic_fetch_add(&f->stretch->batches, 1, __ATOMIC_RELAXED);
}

static inline void batch_goes(sito_filter *f) {
    __atomic_fetch_sub(&f->stretch->batches, 1, __ATOMIC_RELAXED);
}

static inline unsigned batches_of(const sito_filter *f) {
    return __atomic_load_n(&f->stretch->batches, __ATOMIC_RELAXED);
}

/* Memory that a batch made use of begins with its size. */
struct spare {
    uint64_t bytes;
};

static inline struct spare *spare_take(sito_filter *f) {
    struct spare *s = NULL;
    for (unsigned i = 0; i < 2 && !s; i++)
        s = __atomic_exchange_n(&f->spare[i], NULL, __ATOMIC_ACQUIRE);
    return s;
}

/* One more than two is not kept. */
static inline void spare_keep(sito_filter *f, struct spare *s) {
    for (unsigned i = 0; i < 2 && s; i++)
        s = __atomic_exchange_n(&f->spare[i], s, __ATOMIC_ACQ_REL);
    if (s) give(&f->mem, s, s->bytes);
}

static inline uint64_t keys_of(const sito_filter *f) {
    uint64_t sum = __atomic_load_n(&f->nkeys, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < f->nstretches; i++)
        sum += __atomic_load_n(&f->stretch[i].added, __ATOMIC_RELAXED);
    return sum;
}

/* What the stretches counted becomes the filter's own: before it is written by one alone. */
static inline void stretches_settle(sito_filter *f) {
    f->nkeys = keys_of(f);
    for (unsigned i = 0; i < f->nstretches; i++) f->stretch[i].added = 0;
}

#endif
