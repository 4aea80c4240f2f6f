/* fill.h - filters full of numbered keys, by hashes in batches. */
#ifndef SITO_FILL_H
#define SITO_FILL_H

#include "ask.h"

static inline void check(sito_rc rc, const char *what) {
    if (rc == SITO_OK) return;
    fprintf(stderr, "bench: %s: %s\n", what, sito_strerror(rc));
    exit(1);
}

/* A key that is refused is left out; what its vain search cost counts. Returns how many. */
static inline size_t add_batched(sito_filter *f, const uint64_t *hashes, size_t n) {
    size_t refused = 0;
    for (size_t i = 0, done; i < n; i += done) {
        size_t batch = n - i < BATCHED ? n - i : BATCHED;
        sito_rc rc = sito_add_many(f, hashes + i, batch, NULL, &done);
        if (rc == SITO_EFULL) done++, refused++;
        else check(rc, "add");
    }
    return refused;
}

/* Keys number `from` to `to`, less one; all must be taken. */
static inline void add_numbers(sito_filter *f, uint64_t from, uint64_t to) {
    uint64_t hashes[BATCHED];
    while (from < to) {
        size_t n = 0;
        while (n < BATCHED && from < to) hashes[n++] = hash_of(from++);
        if (add_batched(f, hashes, n)) check(SITO_EFULL, "add");
    }
}

#endif
