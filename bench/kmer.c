/*
 * kmer.c - how fast does a genome stream through an index of k-mers? Letters to answers at 0.1 %, by
 * batches, against the best raw read of an array as large as the index; and the walk alone, from
 * letters to hashes. The genome is of random letters, and all of it is inside. kmer [LETTERS].
 */
#define ROUNDS 11
#include "limit.h"

#include <sito/sito.h>

#include "../apps/kmer/kmer.h"

enum { BATCH = 1 << 13 };

static void check(sito_rc rc, const char *what) {
    if (rc == SITO_OK) return;
    fprintf(stderr, "kmer: %s: %s\n", what, sito_strerror(rc));
    exit(1);
}

static double walk_only(const struct kmer_way *w, const char *seq, size_t n, uint64_t *sum) {
    uint64_t hashes[BATCH];
    struct kmer_walk walk = {.seq = seq, .n = n};
    size_t got, all = 0;
    const double start = thread_ns();
    while ((got = kmer_hashes(w, &walk, hashes, BATCH))) all += got, *sum += hashes[got - 1];
    return (thread_ns() - start) / (double)all;
}

static double stream(const sito_filter *f, const struct kmer_way *w, const char *seq, size_t n,
                     uint64_t *sum) {
    uint64_t hashes[BATCH];
    uint8_t answers[BATCH];
    struct kmer_walk walk = {.seq = seq, .n = n};
    size_t got, all = 0;
    const double start = thread_ns();
    while ((got = kmer_hashes(w, &walk, hashes, BATCH))) {
        unsigned found = 0;
        sito_maybe_many(f, hashes, got, answers);
        for (size_t i = 0; i < got; i++) found += answers[i];
        *sum += found;
        all += got;
    }
    return (thread_ns() - start) / (double)all;
}

static void measure(const char *kind, unsigned k, const char *seq, size_t n, uint64_t *hashes) {
    struct kmer_way w;
    struct figure walked = {0}, streamed = {0};
    char what[64];
    kmer_way_set(&w, k, true, 5);
    struct kmer_walk walk = {.seq = seq, .n = n};
    sito_plan plan = {
        .kind = kind, .nkeys = kmer_hashes(&w, &walk, hashes, n), .fpr = 0.001, .seed = 5};
    sito_filter *f = NULL;
    check(sito_plan_solve(&plan), "plan");
    check(sito_build(&plan, NULL, hashes, plan.nkeys, &f), "build");
    struct limit *limit = limit_new(plan.bytes);
    for (int r = 0; r < ROUNDS; r++) {
        limit_round(limit, r);
        walked.ns[r] = walk_only(&w, seq, n, &walked.sum);
        streamed.ns[r] = stream(f, &w, seq, n, &streamed.sum);
    }
    snprintf(what, sizeof what, "%u-mers, letters to hashes", k);
    report("kmer", kind, what, plan.nkeys, &walked);
    snprintf(what, sizeof what, "%u-mers, letters to answers", k);
    report("kmer", kind, what, plan.nkeys, &streamed);
    double best = limit_best(limit)->ns[0];
    for (int r = 1; r < ROUNDS; r++)
        if (limit_best(limit)->ns[r] < best) best = limit_best(limit)->ns[r];
    printf("{\"bench\":\"kmer\",\"who\":\"%s\",\"k\":%u,\"bytes\":%" PRIu64
           ",\"raw_best_ns\":%.2f,\"above_it_ns\":%.2f}\n",
           kind, k, plan.bytes, best, streamed.ns[0] - best);
    fflush(stdout);
    limit_free(limit);
    sito_free(f);
}

int main(int argc, char **argv) {
    const size_t n = argc > 1 ? number(argv[1]) : 4938920;
    char *seq = must(malloc(n + 1));
    uint64_t *hashes = must(malloc((n + 1) * sizeof *hashes)), state = 3;
    if (n < 1000) return fprintf(stderr, "kmer: give 1000 letters or more\n"), 2;
    pin();
    for (size_t i = 0; i < n; i++) seq[i] = "ACGT"[next_random(&state) >> 62];
    measure(SITO_BLOCK, 31, seq, n, hashes);
    measure(SITO_CUCKOO, 31, seq, n, hashes);
    measure(SITO_BLOCK, 100, seq, n, hashes);
    free(hashes);
    free(seq);
    return 0;
}
