/*
 * builds.h - a filter built at once, on one thread and on two, in turn.
 *
 *     struct builds built = build_in_turn(&plan, hashes, &f);     the last filter built stays
 *     builds_tell(&built, "fuse", "4-wise", n, best);             lines of JSON
 *
 * One thread's time is the process's; two are compared with one in wall time, by the least of each
 * and by the median of the rounds, for a core that others use at times is no core of ours. How much
 * more two threads do here than one when all they do is reckon stands beside it.
 */
#ifndef SITO_BUILDS_H
#define SITO_BUILDS_H

#include "fill.h"

#include <pthread.h>

#ifndef BUILDS /* a program whose builds are short asks for more of them */
#define BUILDS 3
#endif

enum { RECKONED = 20000000 };

struct builds {
    double one, one_wall, two;                /* nanoseconds a key, the least */
    double speedup[BUILDS], reckoned[BUILDS]; /* of two threads, round by round */
};

static inline void *reckon(void *self) {
    uint64_t x = 1;
    for (uint64_t i = 0; i < RECKONED; i++) x = (x ^ i) * 0x9e3779b97f4a7c15u;
    *(uint64_t *)self = x;
    return NULL;
}

static inline double speedup_of_reckoning(uint64_t *sum) {
    uint64_t made[3];
    pthread_t second;
    double start = wall_ns();
    reckon(&made[0]);
    double one = wall_ns() - start;
    start = wall_ns();
    if (pthread_create(&second, NULL, reckon, &made[1])) return 1;
    reckon(&made[2]);
    pthread_join(second, NULL);
    *sum += made[0] + made[1] + made[2];
    return 2 * one / (wall_ns() - start);
}

static inline double build_once(const sito_plan *plan, const uint64_t *hashes, unsigned threads,
                                double *process, sito_filter **out) {
    sito_plan p = *plan;
    p.threads = threads;
    sito_free(*out);
    double start = wall_ns(), spent = process_ns();
    check(sito_build(&p, NULL, hashes, plan->nkeys, out), "build");
    double ns = (process_ns() - spent) / (double)plan->nkeys;
    if (process && ns < *process) *process = ns;
    return (wall_ns() - start) / (double)plan->nkeys;
}

static inline struct builds build_in_turn(const sito_plan *plan, const uint64_t *hashes,
                                          sito_filter **out) {
    struct builds b = {.one = 1e18, .one_wall = 1e18, .two = 1e18};
    volatile uint64_t kept;
    uint64_t sum = 0;
    for (int r = 0; r < BUILDS; r++) {
        b.reckoned[r] = speedup_of_reckoning(&sum);
        double two = build_once(plan, hashes, 2, NULL, out);
        double one = build_once(plan, hashes, 1, &b.one, out);
        b.speedup[r] = one / two;
        if (two < b.two) b.two = two;
        if (one < b.one_wall) b.one_wall = one;
    }
    kept = sum;
    (void)kept;
    qsort(b.speedup, BUILDS, sizeof *b.speedup, ascending);
    qsort(b.reckoned, BUILDS, sizeof *b.reckoned, ascending);
    return b;
}

static inline void builds_tell(const struct builds *b, const char *bench, const char *who,
                               uint64_t n, double best) {
    printf("{\"bench\":\"%s\",\"who\":\"%s\",\"what\":\"build\",\"n\":%" PRIu64
           ",\"ns\":%.2f,\"ratio\":%.2f,\"to\":\"best raw read\"}\n",
           bench, who, n, b->one, b->one / best);
    printf("{\"bench\":\"%s\",\"who\":\"%s\",\"what\":\"build, two threads\",\"n\":%" PRIu64
           ",\"ns\":%.2f,\"ratio\":%.2f,\"of_medians\":%.2f,\"reckoning\":%.2f,\"to\":\"one "
           "thread, wall time\"}\n",
           bench, who, n, b->two, b->one_wall / b->two, b->speedup[BUILDS / 2],
           b->reckoned[BUILDS / 2]);
    fflush(stdout);
}

#endif
