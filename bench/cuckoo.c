/*
 * cuckoo.c - how near to the machine's limit are a cuckoo filter's answers? Batched questions at
 * 0.1 %, hashes at hand, for each layout, and for bloom and counting beside them: each against the
 * best raw read of an array as large. A cuckoo filter reads two lines, the others up to k.
 * cuckoo [KEYS [WHO]].
 */
#define ROUNDS 61
#include "fill.h"
#include "limit.h"

#include <string.h>

struct crowd {
    uint64_t *hashes, state;
    size_t n;
};

/* A pass takes about as long as one of raw reads: of short and long passes in a noisy machine, the
 * least of the short ones is the luckier. */
static size_t asked_at_once(const sito_plan *plan) {
    size_t n = LIMIT_READS;
    for (unsigned lines = plan->nhashes ? plan->nhashes : 2; lines > 1; lines /= 2) n /= 2;
    return n;
}

/* Keys inside have numbers below nkeys, strangers above; new ones every time, the first pass to
 * warm the caches. */
static double ask(const sito_filter *f, struct crowd *c, uint64_t nkeys, bool inside,
                  uint64_t *sum) {
    double ns = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < c->n; i++)
            c->hashes[i] = hash_at(next_random(&c->state) % nkeys + (inside ? 0 : nkeys));
        ns = ask_hashes(f, c->hashes, c->n, sum);
    }
    return ns;
}

static void report_all(const char *who, const sito_plan *plan, uint64_t bytes, struct limit *limit,
                       size_t asked, struct figure *inside, struct figure *stranger) {
    struct figure *best = limit_best(limit);
    char what[64];
    printf("{\"bench\":\"cuckoo\",\"who\":\"%s\",\"n\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"bits_per_key\":%.2f,\"nhashes\":%u,\"tag_bits\":%u,\"measured\":%.6f}\n",
           who, plan->nkeys, bytes, 8 * (double)bytes / (double)plan->nkeys, plan->nhashes,
           plan->tag_bits, (double)stranger->sum / (2.0 * ROUNDS * (double)asked));
    report("cuckoo", who, "best raw read", plan->nkeys, best);
    report("cuckoo", who, "inside, batched", plan->nkeys, inside);
    report("cuckoo", who, "stranger, batched", plan->nkeys, stranger);
    snprintf(what, sizeof what, "%s / best raw read, inside", who);
    report_against("cuckoo", what, plan->nkeys, inside, best);
    snprintf(what, sizeof what, "%s / best raw read, stranger", who);
    report_against("cuckoo", what, plan->nkeys, stranger, best);
    fflush(stdout);
}

static void measure(const char *who, sito_plan plan) {
    struct figure inside = {0}, stranger = {0};
    struct crowd crowd = {.state = 7};
    sito_filter *f;
    sito_info info;
    check(sito_plan_solve(&plan), who);
    crowd.n = asked_at_once(&plan);
    crowd.hashes = must(malloc(crowd.n * sizeof *crowd.hashes));
    check(sito_new(&plan, NULL, &f), who);
    add_numbers(f, 0, plan.nkeys);
    sito_look(f, &info);
    struct limit *limit = limit_new(info.bytes);
    for (int r = 0; r < ROUNDS; r++) {
        limit_round(limit, r);
        inside.ns[r] = ask(f, &crowd, plan.nkeys, true, &inside.sum);
        stranger.ns[r] = ask(f, &crowd, plan.nkeys, false, &stranger.sum);
    }
    if (inside.sum != 2ull * ROUNDS * crowd.n) check(SITO_EDAMAGED, "a key is lost");
    report_all(who, &plan, info.bytes, limit, crowd.n, &inside, &stranger);
    limit_free(limit);
    sito_free(f);
    free(crowd.hashes);
}

int main(int argc, char **argv) {
    static const struct {
        const char *who, *kind, *layout;
    } rows[] = {{"bucket", SITO_CUCKOO, "bucket"},
                {"sorted", SITO_CUCKOO, "sorted"},
                {"window", SITO_CUCKOO, "window"},
                {"bloom", SITO_BLOOM, NULL},
                {"counting", SITO_COUNTING, NULL}};
    uint64_t nkeys = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    pin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sito_plan plan = {.nkeys = nkeys,
                          .fpr = 0.001,
                          .seed = 1,
                          .kind = rows[i].kind,
                          .layout = rows[i].layout};
        if (argc > 2 && strcmp(argv[2], rows[i].who)) continue;
        if (sito_abilities(plan.kind)) measure(rows[i].who, plan);
        else fprintf(stderr, "cuckoo: no kind %s here\n", plan.kind);
    }
    return 0;
}
