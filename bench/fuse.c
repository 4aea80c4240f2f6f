/*
 * fuse.c - how near to the machine's limit is a fuse filter? Marks of 8 bits, hashes at hand, three
 * and four slots a key: batched questions and building against the best raw read of an array as
 * large, building with two threads against one, and the memory a build takes. fuse [KEYS [ARITY]].
 */
#define ROUNDS 15
#include "builds.h"
#include "near.h"

#include <string.h>

enum { ASKED = 1 << 19 };

/* The most bytes a build holds at a time, its filter's cells aside. */
struct meter {
    sito_memory of;
    uint64_t now, most;
};

static void *metered_take(void *self, size_t bytes, size_t align, bool zeroed) {
    struct meter *m = self;
    void *block = NULL;
    if (posix_memalign(&block, align, bytes) != 0) return NULL;
    if (zeroed) memset(block, 0, bytes);
    m->now += bytes;
    if (m->now > m->most) m->most = m->now;
    return block;
}

static void metered_give(void *self, void *block, size_t bytes) {
    struct meter *m = self;
    m->now -= bytes;
    free(block);
}

static double working_bytes(const sito_plan *plan, const uint64_t *hashes) {
    struct meter m = {0};
    sito_memory mem = {metered_take, metered_give, &m};
    sito_filter *f;
    check(sito_build(plan, &mem, hashes, plan->nkeys, &f), "build");
    double bytes = (double)(m.most - m.now) / (double)plan->nkeys;
    sito_free(f);
    return bytes;
}

static void measure(uint64_t n, unsigned arity) {
    sito_plan plan = {.kind = SITO_FUSE, .nkeys = n, .tag_bits = 8, .arity = arity, .seed = 1};
    const char *who = arity == 3 ? "3-wise" : "4-wise";
    uint64_t *hashes = must(malloc(n * sizeof *hashes));
    sito_filter *f = NULL;
    check(sito_plan_solve(&plan), "plan");
    for (uint64_t i = 0; i < n; i++) hashes[i] = hash_of(i);
    double working = working_bytes(&plan, hashes);
    struct builds built = build_in_turn(&plan, hashes, &f);
    struct near *near = near_new(plan.bytes, n, ASKED);
    for (int r = 0; r < ROUNDS; r++) near_round(near, f, r);
    double best = near_limit(near);
    printf("{\"bench\":\"fuse\",\"arity\":%u,\"n\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"bits_per_key\":%.3f,\"working_bytes_per_key\":%.2f,\"raw_best_ns\":%.2f,\"sum\":"
           "%" PRIu64 "}\n",
           arity, n, plan.bytes, plan.bits_per_key, working, best, near->sum);
    near_tell(near, "fuse", who);
    builds_tell(&built, "fuse", who, n, best);
    near_free(near);
    sito_free(f);
    free(hashes);
}

int main(int argc, char **argv) {
    static const uint64_t sizes[] = {1000000, 10000000, 100000000};
    uint64_t asked = argc > 1 ? number(argv[1]) : 0;
    unsigned arity = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned a = 3; a <= 4; a++)
            if ((!asked || i == 0) && (!arity || arity == a)) measure(asked ? asked : sizes[i], a);
    return 0;
}
