/*
 * share.c - what do shared adds cost? A block filter is filled by one thread alone, by one that
 * shares, and by two that share: key by key, and in batches of 64 Ki. Nanoseconds a key and thread;
 * the ratio is of speeds. share [KEYS].
 */
#define ROUNDS 7
#include "fill.h"

#include <pthread.h>
#include <sito/sito.h>

enum { BATCH = 1 << 16 };

struct adder {
    sito_filter *f;
    const uint64_t *hashes;
    size_t n;
    int shared, batched;
    double ns;
};

static void *add_all(void *self) {
    struct adder *a = self;
    double start = thread_ns();
    for (size_t i = 0; i < a->n; i += BATCH) {
        const uint64_t *h = a->hashes + i;
        size_t n = a->n - i < BATCH ? a->n - i : BATCH;
        if (a->batched && a->shared) sito_add_shared_many(a->f, h, n);
        else if (a->batched) sito_add_many(a->f, h, n, NULL, NULL);
        else if (a->shared)
            for (size_t j = 0; j < n; j++) sito_add_shared(a->f, h[j]);
        else
            for (size_t j = 0; j < n; j++) sito_add_hash(a->f, h[j]);
    }
    a->ns = (thread_ns() - start) / (double)a->n;
    return NULL;
}

/* Nanoseconds a key of the slower thread. */
static double fill(sito_filter *f, const uint64_t *hashes, size_t n, int shared, int batched,
                   int threads) {
    struct adder a[2];
    pthread_t second;
    check(sito_clear(f), "clear");
    for (int t = 0; t < threads; t++)
        a[t] =
            (struct adder){f, hashes + n / 2 * (size_t)t, n / (size_t)threads, shared, batched, 0};
    if (threads > 1) pthread_create(&second, NULL, add_all, &a[1]);
    add_all(&a[0]);
    if (threads > 1) pthread_join(second, NULL);
    return threads > 1 && a[1].ns > a[0].ns ? a[1].ns : a[0].ns;
}

static void measure(uint64_t n) {
    sito_plan plan = {.kind = SITO_BLOCK, .nkeys = n, .fpr = 0.01, .seed = 1};
    uint64_t *hashes = must(malloc(n * sizeof *hashes));
    sito_filter *f = NULL;
    double best[2][3] = {{1e18, 1e18, 1e18}, {1e18, 1e18, 1e18}};
    for (uint64_t i = 0; i < n; i++) hashes[i] = hash_of(i);
    check(sito_new(&plan, NULL, &f), "new");
    for (int r = 0; r < ROUNDS; r++)
        for (int batched = 0; batched < 2; batched++)
            for (int way = 0; way < 3; way++) {
                double ns = fill(f, hashes, n, way > 0, batched, way == 2 ? 2 : 1);
                if (ns < best[batched][way]) best[batched][way] = ns;
            }
    for (int batched = 0; batched < 2; batched++)
        for (int way = 0; way < 3; way++)
            printf("{\"bench\":\"share\",\"what\":\"%s, %s\",\"n\":%" PRIu64
                   ",\"ns\":%.2f,\"ratio\":%.2f,\"to\":\"alone\"}\n",
                   batched ? "batched" : "single",
                   way == 0   ? "alone"
                   : way == 1 ? "shared, one thread"
                              : "shared, two threads",
                   n, best[batched][way], best[batched][0] / best[batched][way]);
    sito_free(f);
    free(hashes);
}

int main(int argc, char **argv) {
    static const uint64_t sizes[] = {1000000, 10000000, 100000000};
    if (argc > 1) return measure(strtoull(argv[1], NULL, 10)), 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) measure(sizes[i]);
    return 0;
}
