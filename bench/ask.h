/* ask.h - keys of 8 bytes to answers, one by one and in batches; nanoseconds a key, hashing
 * included unless the hashes are there already. */
#ifndef SITO_ASK_H
#define SITO_ASK_H

#include "bench.h"

#include <sito/sito.h>

enum { BATCHED = 1024, LARGE_BATCH = 16384 };

static inline double ask_single(const sito_filter *f, const uint64_t *keys, size_t n,
                                uint64_t *sum) {
    double start = thread_ns();
    for (size_t i = 0; i < n; i++) *sum += sito_maybe(f, &keys[i], sizeof keys[i]);
    return (thread_ns() - start) / (double)n;
}

/* n is a multiple of BATCHED. */
static inline double ask_batched(const sito_filter *f, const uint64_t *keys, size_t n,
                                 uint64_t *sum) {
    uint64_t hashes[BATCHED];
    uint8_t answers[BATCHED];
    double start = thread_ns();
    for (size_t i = 0; i < n; i += BATCHED) {
        for (size_t j = 0; j < BATCHED; j++)
            hashes[j] = sito_hash_key(f, &keys[i + j], sizeof keys[j]);
        sito_maybe_many(f, hashes, BATCHED, answers);
        for (size_t j = 0; j < BATCHED; j++) *sum += answers[j];
    }
    return (thread_ns() - start) / (double)n;
}

/* In large batches: their ends, where nothing is asked ahead any more, are few. */
static inline double ask_hashes(const sito_filter *f, const uint64_t *hashes, size_t n,
                                uint64_t *sum) {
    uint8_t answers[LARGE_BATCH];
    double start = thread_ns();
    for (size_t i = 0; i < n; i += LARGE_BATCH) {
        size_t some = n - i < LARGE_BATCH ? n - i : LARGE_BATCH;
        sito_maybe_many(f, hashes + i, some, answers);
        for (size_t j = 0; j < some; j++) *sum += answers[j];
    }
    return (thread_ns() - start) / (double)n;
}

#endif
