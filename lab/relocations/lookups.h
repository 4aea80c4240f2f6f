/* lookups.h - nanoseconds from a hash to an answer: keys that are inside and strangers, one by one
 * and in batches. */
#ifndef SITO_LAB_LOOKUPS_H
#define SITO_LAB_LOOKUPS_H

#include "fill.h"

enum { ASKED = 1 << 18, BATCH = 1024, MOST_ROUNDS = 99 };
enum { INSIDE, STRANGER, INSIDE_MANY, STRANGER_MANY, NLOOKUPS };

#define LOOKUP_COLUMNS "inside_ns\tstranger_ns\tinside_many_ns\tstranger_many_ns"

struct questions {
    uint64_t inside[ASKED], strangers[ASKED];
};

/* Keys from all over the filter, in no order, so that none is in the cache because of the last. */
static inline void choose(struct questions *q, uint64_t seed, uint64_t nkeys) {
    for (uint64_t i = 0; i < ASKED; i++) {
        q->inside[i] = hash_at(seed, KEYS, hash_at(seed, CHOICES, i) % nkeys);
        q->strangers[i] = hash_at(seed, STRANGERS, i);
    }
}

static inline double ask_each(const sito_filter *f, const uint64_t *hashes, uint64_t *yes) {
    double start = thread_ns();
    for (size_t i = 0; i < ASKED; i++) *yes += sito_maybe_hash(f, hashes[i]);
    return (thread_ns() - start) / ASKED;
}

static inline double ask_many(const sito_filter *f, const uint64_t *hashes, uint64_t *yes) {
    static uint8_t answers[BATCH];
    double start = thread_ns();
    for (size_t i = 0; i < ASKED; i += BATCH) {
        sito_maybe_many(f, hashes + i, BATCH, answers);
        for (size_t j = 0; j < BATCH; j++) *yes += answers[j];
    }
    return (thread_ns() - start) / ASKED;
}

/* The run ends if a key is denied: what follows would measure a broken filter. */
static inline void look_up(const sito_filter *f, const struct questions *q, double ns[NLOOKUPS]) {
    uint64_t inside = 0, strangers = 0;
    ns[INSIDE] = ask_each(f, q->inside, &inside);
    ns[STRANGER] = ask_each(f, q->strangers, &strangers);
    ns[INSIDE_MANY] = ask_many(f, q->inside, &inside);
    ns[STRANGER_MANY] = ask_many(f, q->strangers, &strangers);
    if (inside == 2 * ASKED && strangers < ASKED) return;
    fprintf(stderr, "lab: a key that was added is denied\n");
    exit(1);
}

/* Rounds that did not get there are NaN and do not count. */
static inline double median(double *values, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i])) values[kept++] = values[i];
    qsort(values, kept, sizeof *values, ascending);
    return kept ? values[kept / 2] : NAN;
}

#endif
