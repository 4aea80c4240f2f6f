/* fill.h - a cuckoo filter of a given shape, and the hashes that fill it. Hash i of a seed is the
 * same for every rule and layout, so all of them meet the same keys in the same order. */
#ifndef SITO_LAB_FILL_H
#define SITO_LAB_FILL_H

#include "bench.h"

#include <math.h>
#include <sito/sito.h>

static const double loads[] = {0.50, 0.75, 0.85, 0.90, 0.95, 0.975};
enum { NLOADS = sizeof loads / sizeof *loads };

static const char *const rules[] = {"random", "emptier", "path"};
enum { NRULES = sizeof rules / sizeof *rules };

struct wish {
    const char *rule, *layout;
    unsigned bucket, tag_bits, max_moves;
    uint64_t slots;
};

static inline sito_filter *filter_of(struct wish w, uint64_t seed) {
    sito_plan plan = {.kind = SITO_CUCKOO,
                      .rule = w.rule,
                      .layout = w.layout,
                      .bucket = w.bucket,
                      .tag_bits = w.tag_bits,
                      .max_moves = w.max_moves,
                      .ncells = w.slots,
                      .seed = seed};
    sito_filter *f;
    sito_rc rc = sito_new(&plan, NULL, &f);
    if (rc == SITO_OK) return f;
    fprintf(stderr, "lab: %s, %s, %u-bit tags, %" PRIu64 " slots: %s\n", w.rule, w.layout,
            w.tag_bits, w.slots, sito_strerror(rc));
    exit(1);
}

static inline double fact(const sito_filter *f, const char *name) {
    double value = NAN;
    sito_fact(f, name, &value);
    return value;
}

/* Seed s and stream t give numbers that share nothing with another seed's or stream's. */
static inline uint64_t hash_at(uint64_t seed, uint64_t stream, uint64_t i) {
    uint64_t state = seed << 8 | stream;
    state = next_random(&state) + i * 0x9e3779b97f4a7c15u;
    return next_random(&state);
}

enum { KEYS, STRANGERS, CHOICES };

/* How many keys are a load of this table. */
static inline uint64_t keys_at(double load, uint64_t slots) {
    return (uint64_t)ceil(load * (double)slots);
}

/* Add keys from number `from` until there are `to`, or one is refused: how many there are then. */
static inline uint64_t add_batched(sito_filter *f, uint64_t seed, uint64_t from, uint64_t to) {
    enum { AT_ONCE = 1024 };
    uint64_t hashes[AT_ONCE];
    size_t n = 0, done = 0;
    for (; from < to && done == n; from += done) {
        n = to - from < AT_ONCE ? (size_t)(to - from) : AT_ONCE;
        for (size_t i = 0; i < n; i++) hashes[i] = hash_at(seed, KEYS, from + i);
        sito_add_many(f, hashes, n, NULL, &done);
    }
    return from;
}

/* A column of a table: "-" where there is nothing to say. */
static inline void column(const char *format, double value) {
    putchar('\t');
    if (isnan(value)) putchar('-');
    else printf(format, value);
}

#endif
