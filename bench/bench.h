/* bench.h - what every benchmark needs: one core, its own clock, random keys, and a line of JSON a
 * figure. */
#ifndef SITO_BENCH_H
#define SITO_BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#ifndef ROUNDS /* a program whose rounds are short asks for more of them */
#define ROUNDS 9
#endif

/* Stay on the core we are on: a benchmark that wanders measures the scheduler. */
static inline void pin(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* A number of the command line: 10000000, or 1e7. */
static inline uint64_t number(const char *text) {
    char *end;
    double n = strtod(text, &end);
    if (n >= 1 && n < 1e15 && !*end) return (uint64_t)n;
    fprintf(stderr, "%s is no number from 1 on\n", text);
    exit(2);
}

/* CPU time: what others do on this machine does not count. Of the thread for queries, of the
 * process for builds. */
static inline double cpu_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline double thread_ns(void) { return cpu_ns(CLOCK_THREAD_CPUTIME_ID); }
static inline double wall_ns(void) { return cpu_ns(CLOCK_MONOTONIC); }
static inline double process_ns(void) { return cpu_ns(CLOCK_PROCESS_CPUTIME_ID); }

static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Key number i, hashed: all differ. */
static inline uint64_t hash_of(uint64_t i) { return next_random(&i); }

/* Read through, so that whoever is timed finds his hashes where others find theirs, however long they
 * took to make. */
static inline void at_hand(const uint64_t *hashes, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += hashes[i];
    __asm__ volatile("" : : "r"(sum)); /* lest nothing is read */
}

static inline int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct figure {
    double ns[ROUNDS]; /* of one operation, one entry a round */
    uint64_t sum;      /* of the answers, printed so that nothing is optimised away */
};

static inline double least_of(const struct figure *f) {
    double best = f->ns[0];
    for (int r = 1; r < ROUNDS; r++)
        if (f->ns[r] < best) best = f->ns[r];
    return best;
}

/* Prints the figure and returns its median. */
static inline double report(const char *bench, const char *who, const char *what, uint64_t n,
                            struct figure *f) {
    qsort(f->ns, ROUNDS, sizeof *f->ns, ascending);
    printf("{\"bench\":\"%s\",\"who\":\"%s\",\"what\":\"%s\",\"n\":%" PRIu64
           ",\"ns_min\":%.2f,\"ns_median\":%.2f,\"ns_max\":%.2f,\"sum\":%" PRIu64 "}\n",
           bench, who, what, n, f->ns[0], f->ns[ROUNDS / 2], f->ns[ROUNDS - 1], f->sum);
    return f->ns[ROUNDS / 2];
}

static inline void report_ratio(const char *bench, const char *what, double ratio) {
    printf("{\"bench\":\"%s\",\"ratio\":\"%s\",\"value\":%.2f}\n", bench, what, ratio);
}

/* Least to least, for noise only ever adds; the medians' ratio beside it. Of figures reported. */
static inline double report_against(const char *bench, const char *what, uint64_t n,
                                    const struct figure *f, const struct figure *limit) {
    printf("{\"bench\":\"%s\",\"ratio\":\"%s\",\"n\":%" PRIu64
           ",\"value\":%.2f,\"of_medians\":%.2f}\n",
           bench, what, n, f->ns[0] / limit->ns[0], f->ns[ROUNDS / 2] / limit->ns[ROUNDS / 2]);
    return f->ns[0] / limit->ns[0];
}

/* What can be had without pushing anything out; 0 if the system does not say. */
static inline uint64_t free_bytes(void) {
    uint64_t kib = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1) break;
    fclose(f);
    return kib * 1024;
}

static inline void *must(void *p) {
    if (p) return p;
    fprintf(stderr, "bench: out of memory\n");
    exit(1);
}

#endif
