/*
 * ribbon.c - how near to the limits is the ribbon? Space: bits a key above log2(1/rate), at powers
 * of two and between. Time, at 1 %: building, one thread's processor time, and batched questions,
 * against the best raw read of an array as large; two threads against one. ribbon [KEYS].
 */
#define ROUNDS 15
#include "builds.h"
#include "near.h"

#include <math.h>
#include <string.h>

enum { ASKED = 1 << 19 };

/* Planned sizes are the real ones. */
static void space(uint64_t n) {
    for (double bits = 3; bits <= 20; bits += 0.5) {
        sito_plan plan = {.kind = SITO_RIBBON, .nkeys = n, .fpr = exp2(-bits), .seed = 1};
        check(sito_plan_solve(&plan), "plan");
        printf("{\"bench\":\"ribbon\",\"what\":\"space\",\"n\":%" PRIu64
               ",\"log2_rate\":%.1f,\"bits_per_key\":%.4f,\"above\":%.4f}\n",
               n, -bits, plan.bits_per_key, plan.bits_per_key - bits);
    }
}

static void measure(uint64_t n) {
    sito_plan plan = {.kind = SITO_RIBBON, .nkeys = n, .fpr = 0.01, .seed = 1};
    uint64_t *hashes = must(malloc(n * sizeof *hashes));
    sito_filter *f = NULL;
    space(n);
    check(sito_plan_solve(&plan), "plan");
    for (uint64_t i = 0; i < n; i++) hashes[i] = hash_of(i);
    struct builds built = build_in_turn(&plan, hashes, &f);
    struct near *near = near_new(plan.bytes, n, ASKED);
    for (int r = 0; r < ROUNDS; r++) near_round(near, f, r);
    double best = near_limit(near);
    printf("{\"bench\":\"ribbon\",\"n\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"raw_best_ns\":%.2f,\"sum\":%" PRIu64 "}\n",
           n, plan.bytes, best, near->sum);
    near_tell(near, "ribbon", "1 %");
    builds_tell(&built, "ribbon", "1 %", n, best);
    near_free(near);
    sito_free(f);
    free(hashes);
}

int main(int argc, char **argv) {
    static const uint64_t sizes[] = {1000000, 10000000, 100000000};
    if (argc > 1) return measure(number(argv[1])), 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) measure(sizes[i]);
    return 0;
}
