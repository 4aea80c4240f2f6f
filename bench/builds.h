/*
 * builds.h - a filter built at once, on one thread and on two, in turn.
 *
 *     struct builds built = build_in_turn(&plan, hashes, &f);     the last filter built stays
 *     builds_tell(&built, "fuse", "4-wise", n, best);             lines of JSON
 *
 * One thread's time is the process's; two are compared with one in wall time, by the least of each
 * and by the median of the rounds, for a core that others use at times is no core of ours. Beside
 * it, how much more two threads of this machine do than one if all they do is reckon, or copy.
 */
#ifndef SITO_BUILDS_H
#define SITO_BUILDS_H

#include "fill.h"

#include <pthread.h>
#include <string.h>

#ifndef BUILDS /* a program whose builds are short asks for more of them */
#define BUILDS 3
#endif

enum { RECKONED = 20000000, COPIED = 128 << 20 /* bytes a thread, read and written */ };

struct builds {
    uint64_t sum;              /* printed, so that nothing is optimised away */
    double one, one_wall, two; /* nanoseconds a key, the least */
    double speedup[BUILDS], reckoned[BUILDS], copied[BUILDS]; /* of two threads, round by round */
};

/* One of two threads' share of a work: to reckon, or to copy the first half of its bytes to the
 * second. */
struct share {
    uint64_t made;
    char *bytes;
    size_t n;
};

static inline void *reckon(void *self) {
    struct share *s = (struct share *)self;
    for (uint64_t i = 0; i < RECKONED; i++) s->made = (s->made ^ i) * 0x9e3779b97f4a7c15u;
    return NULL;
}

static inline void *copy(void *self) {
    struct share *s = (struct share *)self;
    memcpy(s->bytes + s->n / 2, s->bytes, s->n / 2);
    return NULL;
}

/* Two shares, one after the other on one thread against both at once. */
static inline double speedup_of(void *(*work)(void *self), struct share share[2]) {
    pthread_t second;
    double start = wall_ns();
    work(&share[0]);
    work(&share[1]);
    double one = wall_ns() - start;
    start = wall_ns();
    if (pthread_create(&second, NULL, work, &share[1])) return 1;
    work(&share[0]);
    pthread_join(second, NULL);
    return one / (wall_ns() - start);
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
    char *bytes = must(malloc(2 * COPIED));
    struct share share[2] = {{1, bytes, COPIED}, {2, bytes + COPIED, COPIED}};
    memset(bytes, 1, 2 * COPIED);
    for (int r = 0; r < BUILDS; r++) {
        b.reckoned[r] = speedup_of(reckon, share);
        b.copied[r] = speedup_of(copy, share);
        double wall[2];
        for (unsigned i = 0; i < 2; i++) { /* who is second finds hashes in the cache: in turn */
            unsigned more = (unsigned)r % 2 == i;
            wall[more] = build_once(plan, hashes, 1 + more, more ? NULL : &b.one, out);
        }
        b.speedup[r] = wall[0] / wall[1];
        if (wall[0] < b.one_wall) b.one_wall = wall[0];
        if (wall[1] < b.two) b.two = wall[1];
    }
    b.sum = share[0].made + share[1].made + (unsigned char)bytes[2 * COPIED - 1];
    free(bytes);
    qsort(b.speedup, BUILDS, sizeof *b.speedup, ascending);
    qsort(b.reckoned, BUILDS, sizeof *b.reckoned, ascending);
    qsort(b.copied, BUILDS, sizeof *b.copied, ascending);
    return b;
}

static inline void builds_tell(const struct builds *b, const char *bench, const char *who,
                               uint64_t n, double best) {
    printf("{\"bench\":\"%s\",\"who\":\"%s\",\"what\":\"build\",\"n\":%" PRIu64
           ",\"ns\":%.2f,\"ratio\":%.2f,\"to\":\"best raw read\"}\n",
           bench, who, n, b->one, b->one / best);
    printf("{\"bench\":\"%s\",\"who\":\"%s\",\"what\":\"build, two threads\",\"n\":%" PRIu64
           ",\"ns\":%.2f,\"ratio\":%.2f,\"of_medians\":%.2f,\"reckoning\":%.2f,\"copying\":%.2f,"
           "\"sum\":%" PRIu64 ",\"to\":\"one thread, wall time\"}\n",
           bench, who, n, b->two, b->one_wall / b->two, b->speedup[BUILDS / 2],
           b->reckoned[BUILDS / 2], b->copied[BUILDS / 2], b->sum);
    fflush(stdout);
}

#endif
