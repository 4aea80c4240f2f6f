/* stretch.h - a stretch of a table, that is held by one who writes to it. */
#ifndef SITO_STRETCH_H
#define SITO_STRETCH_H

#include <sched.h>

#include "core/base.h"

/* A line of memory each, so that threads in different stretches leave each other alone. */
struct stretch {
    _Alignas(64) uint64_t added; /* keys certainly new, beside the filter's nkeys */
    uint8_t busy;
    uint8_t awaited;      /* the first of each half's: somebody waits for one stretch of it */
    uint8_t shutting;     /* the first's: a batch that wants all of them waits for one */
    unsigned batches;     /* the first stretch's: large batches under way in all the table */
    unsigned turns, turn; /* the first's: how many were asked for, and whose it is */
};

/* Compilers ask for a line to read it, unless they know the machine; then its other owner has to be
 * asked once more. Machines that do not know the instruction ignore it. */
static inline void ask_to_write(const void *at) {
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" ::"m"(*(const char *)at));
#else
    __builtin_prefetch(at, 1);
#endif
}

static inline bool stretch_is_busy(const struct stretch *s) {
    return __atomic_load_n(&s->busy, __ATOMIC_RELAXED);
}

static inline bool stretch_try(struct stretch *s) {
    return !__atomic_exchange_n(&s->busy, 1, __ATOMIC_ACQUIRE);
}

/* A moment long, for it to become free. */
static inline void stretch_look(const struct stretch *s) {
    for (unsigned tries = 0; stretch_is_busy(s); tries++)
        if (tries == 64) return (void)sched_yield(); /* whoever holds it may wait for this core */
}

static inline void stretch_wait(const struct stretch *s) {
    while (stretch_is_busy(s)) stretch_look(s);
}

static inline void stretch_leave(struct stretch *s, uint64_t added) {
    uint64_t sum = __atomic_load_n(&s->added, __ATOMIC_RELAXED) + added;
    __atomic_store_n(&s->added, sum, __ATOMIC_RELAXED);
    __atomic_store_n(&s->busy, 0, __ATOMIC_RELEASE);
}

#endif
