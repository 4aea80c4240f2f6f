/* ask.h - keys of 8 bytes to answers, one by one and in batches; nanoseconds a key, hashing
 * included unless the hashes are there already. */
#ifndef SITO_ASK_H
#define SITO_ASK_H

#include "bench.h"

#include <sito/sito.h>
#include <string.h>

enum { BATCHED = 1024, HASHED_BATCH = 4096, LARGE_BATCH = 16384 };

/* Eight at a time: what is measured is the asking. */
static inline uint64_t count_yes(const uint8_t *answers, size_t n) {
    uint64_t yes = 0, eight;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&eight, answers + i, 8);
        yes += eight * 0x0101010101010101u >> 56;
    }
    while (i < n) yes += answers[i++];
    return yes;
}

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
        *sum += count_yes(answers, BATCHED);
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
        *sum += count_yes(answers, some);
    }
    return (thread_ns() - start) / (double)n;
}

/* From keys by hash_of(), as many at a time as the first cache has room for. */
static inline double ask_numbers(const sito_filter *f, const uint64_t *numbers, size_t n,
                                 uint64_t *sum) {
    uint64_t hashes[HASHED_BATCH];
    uint8_t answers[HASHED_BATCH];
    double start = thread_ns();
    for (size_t i = 0; i < n; i += HASHED_BATCH) {
        size_t some = n - i < HASHED_BATCH ? n - i : HASHED_BATCH;
        for (size_t j = 0; j < some; j++) hashes[j] = hash_of(numbers[i + j]);
        sito_maybe_many(f, hashes, some, answers);
        *sum += count_yes(answers, some);
    }
    return (thread_ns() - start) / (double)n;
}

#endif
