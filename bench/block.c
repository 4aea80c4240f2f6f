/*
 * block.c - how near to the machine's limit is the block filter? At 1 %: batched questions
 * against the best raw read of an array as large, single ones through the eye against the plain raw
 * read, hashes at hand and from keys; and building at once, from hashes, against the best raw read a
 * key, with one thread and with two. block [KEYS].
 */
#define ROUNDS 31
#define BUILDS 31
#include "builds.h"
#include "near.h"

#include <sito/block.h>
#include <string.h>

enum { ASKED = 1 << 19 };

/* A loop a function, the eye and the sum its own, as the limit's are. */
static __attribute__((noinline)) uint64_t look(sito_block_eye eye, const uint64_t *hashes) {
    uint64_t yes = 0;
    for (size_t i = 0; i < ASKED; i++) yes += sito_block_eye_maybe(&eye, hashes[i]);
    return yes;
}

static __attribute__((noinline)) uint64_t look_keys(sito_block_eye eye, const uint64_t *keys) {
    uint64_t yes = 0;
    for (size_t i = 0; i < ASKED; i++) yes += sito_block_eye_maybe(&eye, hash_of(keys[i]));
    return yes;
}

static void tell(const char *what, uint64_t n, double ns, double ratio, const char *to) {
    printf("{\"bench\":\"block\",\"what\":\"%s\",\"n\":%" PRIu64
           ",\"ns\":%.2f,\"ratio\":%.2f,\"to\":\"%s\"}\n",
           what, n, ns, ratio, to);
    fflush(stdout);
}

static void look_round(struct near *near, const sito_block_eye *eye, int r,
                       struct figure looked[2][2]) {
    for (int from = 0; from < 2; from++)
        for (int who = 0; who < 2; who++)
            for (int pass = 0; pass < 2; pass++) {
                near_choose(near, from, who);
                double start = thread_ns();
                looked[from][who].sum += (from ? look_keys : look)(*eye, near->asked);
                looked[from][who].ns[r] = (thread_ns() - start) / ASKED;
            }
}

static void tell_looks(struct near *near, struct figure looked[2][2]) {
    static const char *const what[2][2] = {{"eye, inside", "eye, stranger"},
                                           {"eye, inside, from keys", "eye, stranger, from keys"}};
    static const char *const to[2] = {"plain raw read", "plain raw read, from keys"};
    for (int from = 0; from < 2; from++)
        for (int who = 0; who < 2; who++) {
            double ns = least_of(&looked[from][who]);
            tell(what[from][who], near->nkeys, ns, ns / least_of(limit_plain(near->limit[from])),
                 to[from]);
        }
}

static void measure(uint64_t n) {
    sito_plan plan = {.kind = SITO_BLOCK, .nkeys = n, .fpr = 0.01, .seed = 1};
    struct figure looked[2][2] = {0};
    uint64_t *hashes = must(malloc(n * sizeof *hashes));
    sito_filter *f = NULL;
    sito_block_eye eye;
    check(sito_plan_solve(&plan), "plan");
    for (uint64_t i = 0; i < n; i++) hashes[i] = hash_of(i);
    struct builds built = build_in_turn(&plan, hashes, &f);
    check(sito_block_view(f, &eye), "view");
    struct near *near = near_new(plan.bytes, n, ASKED);
    for (int r = 0; r < ROUNDS; r++) {
        near_round(near, f, r);
        look_round(near, &eye, r, looked);
    }
    double best = near_limit(near);
    printf("{\"bench\":\"block\",\"n\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"raw_best_ns\":%.2f,\"sum\":%" PRIu64 "}\n",
           n, plan.bytes, best, near->sum + looked[0][0].sum + looked[1][1].sum);
    near_tell(near, "block", "1 %");
    tell_looks(near, looked);
    builds_tell(&built, "block", "1 %", n, best);
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
