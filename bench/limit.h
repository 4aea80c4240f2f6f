/*
 * limit.h - what does the machine allow? Nanoseconds to read a random 64-byte line of an array as
 * large as a filter's cells, measured in the same run as the filter.
 *
 *     struct limit *limit = limit_new(bytes);
 *     for (int r = 0; r < ROUNDS; r++) limit_round(limit, r);      in turn with the filter's rounds
 *     limit_best(limit), limit_plain(limit)                        figures to compare with
 *     limit_free(limit);
 *
 * The array is there twice, on small pages and on huge ones. It is read plainly, and with each line
 * asked for some reads ahead; how many is found by trial when the limit is made. Places come from
 * an array of hashes, as for a batch of questions. Every pass has hashes of its own: lines read
 * before would lie in the cache, and flatter. What is read is summed, and the sum printed.
 */
#ifndef SITO_LIMIT_H
#define SITO_LIMIT_H

#include "bench.h"

enum { LIMIT_READS = 1 << 19, LIMIT_TRIALS = 11, LIMIT_WAYS = 8, AHEAD_MAX = 256 };
enum { HUGE_PAGE = 2 << 20 };

static const size_t limit_ahead[LIMIT_WAYS] = {0, 8, 16, 24, 32, 64, 128, AHEAD_MAX};

struct limit_pages {
    const char *name;
    uint64_t *at;
    double tried[LIMIT_WAYS]; /* the least of the trials, for each of limit_ahead */
    size_t ahead;             /* the best of those, plain reading aside */
    struct figure plain, best;
};

struct limit {
    uint64_t nlines, state, *hashes;
    struct limit_pages pages[2];
};

/* ---- the array ---- */

static inline size_t limit_room(const struct limit *l) {
    return (size_t)(l->nlines * 64 + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* Begins at a huge page's edge. Every line is written with its number: memory that nobody wrote is
 * one page of zeroes, always in the cache. */
static inline uint64_t *limit_map(const struct limit *l, int advice) {
    size_t room = limit_room(l);
    char *p =
        mmap(NULL, room + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(p == MAP_FAILED ? NULL : p);
    size_t before = (size_t)(-(uintptr_t)p % HUGE_PAGE);
    if (before) munmap(p, before);
    munmap(p + before + room, HUGE_PAGE - before);
    uint64_t *at = (uint64_t *)(void *)(p + before);
    madvise(at, room, advice); /* if the system has no huge pages, both arrays are on small ones */
    for (uint64_t i = 0; i < l->nlines * 8; i++) at[i] = i / 8;
    return at;
}

static inline void limit_free(struct limit *l) {
    for (int p = 0; p < 2; p++) munmap(l->pages[p].at, limit_room(l));
    free(l->hashes);
    free(l);
}

/* ---- reading it ---- */

static inline const uint64_t *limit_line(const uint64_t *at, uint64_t nlines, uint64_t x) {
    return at + (uint64_t)((unsigned __int128)x * nlines >> 64) * 8;
}

/* Asking ahead or not: a loop each, for the fewer the instructions, the truer the limit. */
static inline uint64_t limit_walk(const struct limit *l, const uint64_t *at, size_t ahead) {
    const uint64_t *hashes = l->hashes;
    uint64_t sum = 0, nlines = l->nlines;
    if (!ahead)
        for (size_t i = 0; i < LIMIT_READS; i++) sum += *limit_line(at, nlines, hashes[i]);
    else
        for (size_t i = 0; i < LIMIT_READS; i++) {
            __builtin_prefetch(limit_line(at, nlines, hashes[i + ahead]));
            sum += *limit_line(at, nlines, hashes[i]);
        }
    return sum;
}

/* A pass to warm the caches, then the one that counts; nanoseconds a line. */
static inline double limit_read(struct limit *l, const uint64_t *at, size_t ahead, uint64_t *sum) {
    double ns = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < LIMIT_READS + AHEAD_MAX; i++) l->hashes[i] = next_random(&l->state);
        double start = thread_ns();
        *sum += limit_walk(l, at, ahead);
        ns = (thread_ns() - start) / LIMIT_READS;
    }
    return ns;
}

static inline void limit_round(struct limit *l, int r) {
    for (struct limit_pages *p = l->pages; p < l->pages + 2; p++) {
        p->plain.ns[r] = limit_read(l, p->at, 0, &p->plain.sum);
        p->best.ns[r] = limit_read(l, p->at, p->ahead, &p->best.sum);
    }
}

/* ---- how far ahead? ---- */

/* All ways in turn, several times, so that a bad moment strikes them all. */
static inline void limit_try(struct limit *l, struct limit_pages *p) {
    for (int trial = 0; trial < LIMIT_TRIALS; trial++) {
        for (int way = 0; way < LIMIT_WAYS; way++) {
            double ns = limit_read(l, p->at, limit_ahead[way], &p->best.sum);
            if (!trial || ns < p->tried[way]) p->tried[way] = ns;
        }
    }
    int best = 1;
    for (int way = 2; way < LIMIT_WAYS; way++)
        if (p->tried[way] < p->tried[best]) best = way;
    p->ahead = limit_ahead[best];
}

static inline struct limit *limit_new(uint64_t bytes) {
    struct limit *l = must(calloc(1, sizeof *l));
    *l = (struct limit){.nlines = (bytes + 63) / 64,
                        .state = bytes,
                        .hashes = must(malloc((LIMIT_READS + AHEAD_MAX) * sizeof *l->hashes)),
                        .pages = {{.name = "4 KiB pages"}, {.name = "huge pages"}}};
    for (int p = 0; p < 2; p++) {
        l->pages[p].at = limit_map(l, p ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        limit_try(l, &l->pages[p]);
    }
    return l;
}

/* ---- the least of all ---- */

static inline struct figure *limit_lower(struct figure *a, struct figure *b) {
    qsort(a->ns, ROUNDS, sizeof *a->ns, ascending);
    qsort(b->ns, ROUNDS, sizeof *b->ns, ascending);
    return a->ns[0] < b->ns[0] ? a : b;
}

static inline struct figure *limit_plain(struct limit *l) {
    return limit_lower(&l->pages[0].plain, &l->pages[1].plain);
}

/* Where nothing is gained by asking ahead, the plain read is the best. */
static inline struct figure *limit_best(struct limit *l) {
    return limit_lower(limit_lower(&l->pages[0].best, &l->pages[1].best), limit_plain(l));
}

#endif
