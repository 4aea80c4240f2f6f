/*
 * share.c - what do shared adds cost? A block filter, or one of KIND, is filled by one thread alone, by
 * one that shares, by two that share, and by four: key by key, and in batches of 64 Ki. Beside the
 * two, for what two cores cost each other anyway: two that share nothing, each with a filter half as large.
 * And what may be done instead: each of two fills a filter of the whole size, and one is merged into
 * the other. Processor nanoseconds a key and thread, of the slowest one; the ratio is of speeds.
 * share [KEYS [KIND]].
 */
#define ROUNDS 7
#include "fill.h"

#include <pthread.h>
#include <sito/sito.h>

enum {
    BATCH = 1 << 16,
    LEAST = 8000000 /* keys added in all: few are added to a filter emptied again and again */
};
enum way { ALONE, ONE_SHARES, TWO_APART, TWO_SHARE, FOUR_SHARE, TWO_MERGED, WAYS };
enum { THREADS_MOST = 4 };
static const unsigned threads_of[] = {1, 1, 2, 2, 4, 2};

struct adder {
    sito_filter *f;
    const uint64_t *hashes;
    size_t n;
    bool shared, batched;
    pthread_barrier_t *gate;
    double ns;
};

static void add_pass(const struct adder *a) {
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
}

static void *add_all(void *self) {
    struct adder *a = self;
    pthread_barrier_wait(a->gate);
    double start = thread_ns();
    add_pass(a);
    a->ns = (thread_ns() - start) / (double)a->n;
    return NULL;
}

/* The second into the first. */
static double merge_ns(sito_filter *f[2]) {
    double start = thread_ns();
    check(sito_merge(f[0], f[1]), "merge");
    return thread_ns() - start;
}

static double fill_once(sito_filter *f[2], const uint64_t *hashes, size_t n, enum way way,
                        bool batched) {
    bool shared = way == ONE_SHARES || way == TWO_SHARE || way == FOUR_SHARE;
    unsigned threads = threads_of[way];
    struct adder a[THREADS_MOST];
    pthread_t others[THREADS_MOST];
    pthread_barrier_t gate;
    double slowest = 0;
    pthread_barrier_init(&gate, NULL, threads);
    for (unsigned t = 0; t < threads; t++) {
        a[t] = (struct adder){
            f[t % 2], hashes + n / threads * t, n / threads, shared, batched, &gate, 0};
        check(sito_clear(a[t].f), "clear");
    }
    for (unsigned t = 1; t < threads; t++)
        if (pthread_create(&others[t], NULL, add_all, &a[t])) check(SITO_ENOMEM, "thread");
    add_all(&a[0]);
    for (unsigned t = 1; t < threads; t++) pthread_join(others[t], NULL);
    pthread_barrier_destroy(&gate);
    for (unsigned t = 0; t < threads; t++)
        if (a[t].ns > slowest) slowest = a[t].ns;
    return way == TWO_MERGED ? slowest + merge_ns(f) / (double)a[0].n : slowest;
}

static double fill(sito_filter *f[2], const uint64_t *hashes, size_t n, enum way way,
                   bool batched) {
    size_t times = n < LEAST ? LEAST / n : 1;
    double ns = 0;
    for (size_t i = 0; i < times; i++) ns += fill_once(f, hashes, n, way, batched);
    return ns / (double)times;
}

static sito_filter *filter_for(const char *kind, uint64_t nkeys) {
    sito_plan plan = {.kind = kind, .nkeys = nkeys, .fpr = 0.01, .seed = 1};
    sito_filter *f = NULL;
    check(sito_new(&plan, NULL, &f), "new");
    return f;
}

static void measure(const char *kind, uint64_t n) {
    static const char *const told[] = {"alone",
                                       "shared, one thread",
                                       "apart, two threads",
                                       "shared, two threads",
                                       "shared, four threads",
                                       "merged, two threads"};
    uint64_t *hashes = must(malloc(n * sizeof *hashes));
    for (uint64_t i = 0; i < n; i++) hashes[i] = hash_of(i);
    sito_filter *whole[2] = {filter_for(kind, n), filter_for(kind, n)};
    sito_filter *half[2] = {filter_for(kind, n / 2), filter_for(kind, n / 2)};
    sito_filter *filters[WAYS][2] = {
        {whole[0], NULL},     {whole[0], NULL},     {half[0], half[1]},
        {whole[0], whole[0]}, {whole[0], whole[0]}, {whole[0], whole[1]},
    };
    double best[2][WAYS];
    for (int r = 0; r < ROUNDS; r++)
        for (int batched = 0; batched < 2; batched++)
            for (enum way way = ALONE; way < WAYS; way++) {
                double ns = fill(filters[way], hashes, n, way, batched);
                if (r == 0 || ns < best[batched][way]) best[batched][way] = ns;
            }
    for (int batched = 0; batched < 2; batched++)
        for (enum way way = ALONE; way < WAYS; way++)
            printf("{\"bench\":\"share\",\"who\":\"%s\",\"what\":\"%s, %s\",\"n\":%" PRIu64
                   ",\"ns\":%.2f,\"ratio\":%.2f,\"to\":\"alone\"}\n",
                   kind, batched ? "batched" : "single", told[way], n, best[batched][way],
                   best[batched][ALONE] / best[batched][way]);
    fflush(stdout);
    for (unsigned i = 0; i < 2; i++) {
        sito_free(whole[i]);
        sito_free(half[i]);
    }
    free(hashes);
}

int main(int argc, char **argv) {
    static const uint64_t sizes[] = {1000000, 10000000, 100000000};
    const char *kind = argc > 2 ? argv[2] : SITO_BLOCK;
    if (argc > 1) return measure(kind, number(argv[1])), 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) measure(kind, sizes[i]);
    return 0;
}
