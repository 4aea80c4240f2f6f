/*
 * block.c - how near to the machine's limit is the block filter? At 1 %, hashes at hand: batched
 * questions against the best raw read of an array as large, single ones through the eye against the
 * plain raw read, and building at once against the best raw read a key, with one thread and with
 * two. block [KEYS].
 */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("avx2") /* as a program compiled for its machine would be */
#endif
#define ROUNDS 31
#include "fill.h"
#include "limit.h"

#include <sito/block.h>
#include <string.h>

enum { ASKED = 1 << 19, BATCH = 1 << 14, BUILDS = 5 };

static double look_through(const sito_block_eye *eye, const uint64_t *hashes, uint64_t *sum) {
    double start = thread_ns();
    for (size_t i = 0; i < ASKED; i++) *sum += sito_block_eye_maybe(eye, hashes[i]);
    return (thread_ns() - start) / ASKED;
}

static double ask_batches(const sito_filter *f, const uint64_t *hashes, uint8_t *answers,
                          uint64_t *sum) {
    double start = thread_ns();
    for (size_t i = 0; i < ASKED; i += BATCH) sito_maybe_many(f, hashes + i, BATCH, answers + i);
    double ns = (thread_ns() - start) / ASKED;
    for (size_t i = 0; i < ASKED; i++) *sum += answers[i];
    return ns;
}

static void tell(const char *what, uint64_t n, double ns, double ratio, const char *to) {
    printf("{\"bench\":\"block\",\"what\":\"%s\",\"n\":%" PRIu64
           ",\"ns\":%.2f,\"ratio\":%.2f,\"to\":\"%s\"}\n",
           what, n, ns, ratio, to);
    fflush(stdout);
}

static void measure(uint64_t n) {
    sito_plan plan = {.kind = SITO_BLOCK, .nkeys = n, .fpr = 0.01, .seed = 1};
    struct figure ask[4] = {0};
    uint64_t *hashes = must(malloc(n * sizeof *hashes)),
             *asked = must(malloc(ASKED * sizeof *asked));
    uint8_t *answers = must(malloc(ASKED));
    uint64_t state = 7, sum = 0;
    sito_filter *f = NULL;
    sito_block_eye eye;
    check(sito_plan_solve(&plan), "plan");
    for (uint64_t i = 0; i < n; i++) hashes[i] = hash_at(i);
    double two = build_least(&plan, hashes, 2, wall_ns, BUILDS, &f);
    double one_wall = build_least(&plan, hashes, 1, wall_ns, BUILDS, &f);
    double one = build_least(&plan, hashes, 1, process_ns, BUILDS, &f);
    check(sito_block_view(f, &eye), "view");
    struct limit *limit = limit_new(plan.bytes);
    for (int r = 0; r < ROUNDS; r++) {
        limit_round(limit, r);
        for (int way = 0; way < 4; way++) { /* batched, single; inside, strangers */
            for (int pass = 0; pass < 2; pass++) {
                for (size_t i = 0; i < ASKED; i++)
                    asked[i] = hash_at(next_random(&state) % n + (way % 2 ? n : 0));
                ask[way].ns[r] = way < 2 ? ask_batches(f, asked, answers, &ask[way].sum)
                                         : look_through(&eye, asked, &ask[way].sum);
            }
            sum += ask[way].sum;
        }
    }
    double best = least_of(limit_best(limit)), plain = least_of(limit_plain(limit));
    printf("{\"bench\":\"block\",\"n\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"raw_best_ns\":%.2f,\"raw_plain_ns\":%.2f,\"sum\":%" PRIu64 "}\n",
           n, plan.bytes, best, plain, sum);
    tell("batched, inside", n, least_of(&ask[0]), least_of(&ask[0]) / best, "best raw read");
    tell("batched, stranger", n, least_of(&ask[1]), least_of(&ask[1]) / best, "best raw read");
    tell("eye, inside", n, least_of(&ask[2]), least_of(&ask[2]) / plain, "plain raw read");
    tell("eye, stranger", n, least_of(&ask[3]), least_of(&ask[3]) / plain, "plain raw read");
    tell("build", n, one, one / best, "best raw read");
    tell("build, two threads", n, two, one_wall / two, "one thread, wall time");
    limit_free(limit);
    sito_free(f);
    free(hashes);
    free(asked);
    free(answers);
}

int main(int argc, char **argv) {
    static const uint64_t sizes[] = {1000000, 10000000, 100000000};
    if (argc > 1) return measure(strtoull(argv[1], NULL, 10)), 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) measure(sizes[i]);
    return 0;
}
