/*
 * near.h - how near to the machine's limit are a filter's batched questions? Twice: with the hashes
 * at hand, against the best raw read of places at hand; and from keys, hashed on the way, against
 * the best raw read from keys. Least times, inside and strangers.
 *
 *     struct near *near = near_new(bytes, nkeys, nasked);       the keys inside: numbers below nkeys
 *     for (int r = 0; r < ROUNDS; r++) near_round(near, f, r);
 *     near_tell(near, "fuse", "3-wise");                        lines of JSON
 *     near_free(near);
 */
#ifndef SITO_NEAR_H
#define SITO_NEAR_H

#include "fill.h"
#include "limit.h"

enum { NEAR_PASSES = 4 };

struct near {
    struct limit *limit[2];     /* of hashes, of keys */
    struct figure ask[2][2];    /* from hashes, from keys; inside, strangers */
    uint64_t nkeys, state, sum; /* the sum of all answers */
    size_t nasked;
    uint64_t *asked;
};

static inline struct near *near_new(uint64_t bytes, uint64_t nkeys, size_t nasked) {
    struct near *n = must(calloc(1, sizeof *n));
    *n = (struct near){.limit = {limit_new(bytes), limit_of_keys(bytes)},
                       .nkeys = nkeys,
                       .state = 7,
                       .nasked = nasked,
                       .asked = must(malloc(nasked * sizeof *n->asked))};
    return n;
}

static inline void near_free(struct near *n) {
    limit_free(n->limit[0]);
    limit_free(n->limit[1]);
    free(n->asked);
    free(n);
}

static inline void near_choose(struct near *n, bool from_keys, bool stranger) {
    for (size_t i = 0; i < n->nasked; i++) {
        uint64_t number = next_random(&n->state) % n->nkeys + (stranger ? n->nkeys : 0);
        n->asked[i] = from_keys ? number : hash_of(number);
    }
    at_hand(n->asked, n->nasked);
}

/* New keys every time, the last pass counts: the others warm the caches, as often as the limit's array
 * was read before its best reads are timed. A key that is lost ends it all. */
static inline void near_round(struct near *n, const sito_filter *f, int r) {
    for (int from = 0; from < 2; from++) {
        limit_round(n->limit[from], r);
        for (int who = 0; who < 2; who++) {
            struct figure *ask = &n->ask[from][who];
            for (int pass = 0; pass < NEAR_PASSES; pass++) {
                uint64_t yes = 0;
                near_choose(n, from, who);
                ask->ns[r] = (from ? ask_numbers : ask_hashes)(f, n->asked, n->nasked, &yes);
                if (!who && yes != n->nasked) check(SITO_EDAMAGED, "a key is lost");
                ask->sum += yes;
            }
            n->sum += ask->sum;
        }
    }
}

static inline double near_limit(struct near *n) { return least_of(limit_best(n->limit[0])); }

/* The share of strangers let in. */
static inline double near_rate(const struct near *n) {
    return (double)(n->ask[0][1].sum + n->ask[1][1].sum) /
           (2.0 * NEAR_PASSES * ROUNDS * (double)n->nasked);
}

static inline void near_tell(struct near *n, const char *bench, const char *who) {
    static const char *const from_what[] = {"", ", from keys"};
    for (int from = 0; from < 2; from++) {
        struct figure *best = limit_best(n->limit[from]);
        for (int strange = 0; strange < 2; strange++) {
            struct figure *ask = &n->ask[from][strange];
            qsort(ask->ns, ROUNDS, sizeof *ask->ns, ascending);
            printf("{\"bench\":\"%s\",\"who\":\"%s\",\"what\":\"batched, %s%s\",\"n\":%" PRIu64
                   ",\"ns\":%.2f,\"raw_ns\":%.2f,\"ratio\":%.2f,\"of_medians\":%.2f,\"to\":\"best "
                   "raw read%s\"}\n",
                   bench, who, strange ? "stranger" : "inside", from_what[from], n->nkeys,
                   ask->ns[0], best->ns[0], ask->ns[0] / best->ns[0],
                   ask->ns[ROUNDS / 2] / best->ns[ROUNDS / 2], from_what[from]);
        }
    }
    fflush(stdout);
}

#endif
