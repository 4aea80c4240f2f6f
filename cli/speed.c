/* speed.c - a filter is made, asked and compared with the bare machine, and the clock watched. */
#define _GNU_SOURCE
#include "speed.h"

#include <stdlib.h>

#include "../bench/ask.h"
#include "../bench/limit.h"
#include "talk.h"

enum { PASSES = 4 };

void speed_pin(void) { pin(); }

static void lower(double *least, double ns) {
    if (*least <= 0 || ns < *least) *least = ns;
}

/* ---- keys ---- */

/* All differ: those inside have numbers below nkeys, strangers above. */
static uint64_t key_at(uint64_t i) { return next_random(&i); }

struct questions {
    size_t n, nstrangers;
    uint64_t *keys, *hashes, state;
};

static void choose(struct questions *q, uint64_t nkeys, double share) {
    q->nstrangers = 0;
    for (size_t i = 0; i < q->n; i++) {
        bool stranger = (double)(next_random(&q->state) >> 11) * 0x1p-53 < share;
        uint64_t number = next_random(&q->state);
        q->keys[i] = key_at(stranger ? nkeys + number / 2 : number % nkeys);
        q->nstrangers += stranger;
    }
}

/* ---- making ---- */

/* From hashes at once. */
static sito_rc build(struct speed *s, sito_filter **out) {
    const uint64_t n = s->plan.nkeys;
    uint64_t *hashes = malloc(n * sizeof *hashes);
    if (!hashes) return SITO_ENOMEM;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = key_at(i);
        hashes[i] = sito_hash_plan(&s->plan, &key, sizeof key);
    }
    double start = thread_ns();
    sito_rc rc = sito_build(&s->plan, NULL, hashes, n, out);
    lower(&s->build, (thread_ns() - start) / (double)n);
    free(hashes);
    return rc;
}

/* From key bytes, one by one. */
static sito_rc add_all(struct speed *s, sito_filter **out) {
    double start = thread_ns();
    sito_rc rc = sito_new(&s->plan, NULL, out);
    for (uint64_t i = 0; i < s->plan.nkeys && rc >= 0; i++) {
        uint64_t key = key_at(i);
        rc = sito_add(*out, &key, sizeof key);
        if (i % 65536 == 0 && stop_asked()) rc = SITO_ECANCEL;
    }
    lower(&s->build, (thread_ns() - start) / (double)s->plan.nkeys);
    return rc < 0 ? rc : SITO_OK;
}

/* ---- asking ---- */

static void hash_all(struct speed *s, const sito_filter *f, struct questions *q) {
    double start = thread_ns();
    for (size_t i = 0; i < q->n; i++) q->hashes[i] = sito_hash_key(f, &q->keys[i], sizeof *q->keys);
    lower(&s->hash, (thread_ns() - start) / (double)q->n);
}

/* The first pass warms the caches, the least of the others counts. */
static void ask(struct speed *s, const sito_filter *f, struct questions *q, double share,
                double *least, bool many) {
    for (int pass = 0; pass < PASSES; pass++) {
        uint64_t yes = 0;
        choose(q, s->plan.nkeys, share);
        if (many) hash_all(s, f, q);
        double ns =
            many ? ask_hashes(f, q->hashes, q->n, &yes) : ask_single(f, q->keys, q->n, &yes);
        if (yes < q->n - q->nstrangers) s->rc = SITO_EDAMAGED;
        s->strangers += q->nstrangers;
        s->taken += yes - (q->n - q->nstrangers);
        if (pass) lower(least, ns);
    }
}

/* ---- the bare machine ---- */

static sito_rc read_raw(struct speed *s, size_t nreads) {
    double plain, best;
    struct limit *limit = limit_open(s->bytes, nreads);
    if (!limit) return SITO_ENOMEM;
    for (int p = 0; p < 2; p++) {
        limit_trial(limit, &limit->pages[p]);
        s->sum += limit->pages[p].best.sum;
    }
    limit_least(limit, &plain, &best);
    lower(&s->raw_plain, plain), lower(&s->raw_best, best);
    limit_free(limit);
    return SITO_OK;
}

/* ---- one round ---- */

/* The hashes and what a build does with them, the filter, the raw arrays: is there room? Beyond it
 * some systems end the process. */
static bool fits(const sito_plan *plan) {
    const uint64_t room = free_bytes();
    return !room || (plan->bytes < room / 4 && plan->nkeys < room / 64);
}

static void measure(struct speed *s, const struct effort *e, struct questions *q) {
    sito_filter *f = NULL;
    sito_info info;
    const bool at_once = sito_abilities(s->plan.kind) & SITO_CAN_BUILD;
    s->rc = at_once ? build(s, &f) : add_all(s, &f);
    for (size_t i = 0; i < e->nshares && s->rc == SITO_OK && !stop_asked(); i++) {
        ask(s, f, q, e->shares[i], &s->single[i], false);
        ask(s, f, q, e->shares[i], &s->many[i], true);
    }
    if (f && sito_look(f, &info) == SITO_OK) s->bytes = info.bytes;
    sito_free(f);
    if (s->rc == SITO_OK && e->raw) s->rc = read_raw(s, e->nasked);
}

void speed_round(struct speed *s, const sito_plan *wish, const struct effort *e, unsigned round) {
    struct questions q = {.n = e->nasked, .state = round};
    if (s->rc != SITO_OK) return;
    s->plan = *wish;
    s->plan.seed = 1 + round;
    s->plan.watch = stop_watch;
    s->rc = sito_plan_solve(&s->plan);
    s->planned = s->rc == SITO_OK;
    if (!s->planned) return;
    q.keys = malloc(q.n * sizeof *q.keys), q.hashes = malloc(q.n * sizeof *q.hashes);
    if (q.keys && q.hashes && s->plan.nkeys && fits(&s->plan)) measure(s, e, &q);
    else s->rc = SITO_ENOMEM;
    free(q.keys), free(q.hashes);
}
