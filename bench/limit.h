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
 * an array of hashes, as for a batch of questions; or, by limit_of_keys(), from an array of keys
 * that are hashed on the way, as for whoever has keys to ask for. Every pass has hashes or keys of
 * its own: lines read before would lie in the cache, and flatter. What is read is summed, and the
 * sum printed.
 *
 * `sito bench` wants only the least of all ways, in turn with its own rounds: limit_open(),
 * limit_trial() of both pages, limit_least().
 */
#ifndef SITO_LIMIT_H
#define SITO_LIMIT_H

#include "bench.h"

#include <stdbool.h>
#include <string.h>

enum { LIMIT_READS = 1 << 19, LIMIT_TRIALS = 11, LIMIT_WAYS = 8, AHEAD_MAX = 256 };
enum { HUGE_PAGE = 2 << 20, HANDFUL = 1024 };

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
    size_t nreads;  /* in one pass */
    bool from_keys; /* in place of the hashes are keys */
    struct limit_pages pages[2];
};

/* ---- the array ---- */

static inline size_t limit_room(const struct limit *l) {
    return (size_t)(l->nlines * 64 + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* Begins at a huge page's edge; NULL if there is no room. Every line is written with its number:
 * memory that nobody wrote is one page of zeroes, always in the cache. */
static inline uint64_t *limit_map(const struct limit *l, int advice) {
    size_t room = limit_room(l);
    char *p =
        mmap(NULL, room + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    size_t before = (size_t)(-(uintptr_t)p % HUGE_PAGE);
    if (before) munmap(p, before);
    munmap(p + before + room, HUGE_PAGE - before);
    uint64_t *at = (uint64_t *)(void *)(p + before);
    madvise(at, room, advice); /* if the system has no huge pages, both arrays are on small ones */
    for (uint64_t i = 0; i < l->nlines * 8; i++) at[i] = i / 8;
    return at;
}

static inline void limit_free(struct limit *l) {
    for (int p = 0; p < 2; p++)
        if (l->pages[p].at) munmap(l->pages[p].at, limit_room(l));
    free(l->hashes);
    free(l);
}

/* NULL if there is no room. */
static inline struct limit *limit_open(uint64_t bytes, size_t nreads) {
    struct limit *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    *l = (struct limit){.nlines = (bytes + 63) / 64,
                        .state = bytes,
                        .nreads = nreads,
                        .hashes = malloc((nreads + AHEAD_MAX) * sizeof *l->hashes),
                        .pages = {{.name = "4 KiB pages"}, {.name = "huge pages"}}};
    l->pages[0].at = limit_map(l, MADV_NOHUGEPAGE);
    l->pages[1].at = limit_map(l, MADV_HUGEPAGE);
    if (l->hashes && l->pages[0].at && l->pages[1].at) return l;
    limit_free(l);
    return NULL;
}

/* ---- reading it ---- */

static inline const uint64_t *limit_line(const uint64_t *at, uint64_t nlines, uint64_t x) {
    return at + (uint64_t)((unsigned __int128)x * nlines >> 64) * 8;
}

/* Asking ahead or not: a loop each, for the fewer the instructions, the truer the limit. */
static inline uint64_t limit_walk(const struct limit *l, const uint64_t *at, size_t ahead) {
    const uint64_t *hashes = l->hashes;
    uint64_t sum = 0, nlines = l->nlines;
    size_t n = l->nreads;
    if (!ahead)
        for (size_t i = 0; i < n; i++) sum += *limit_line(at, nlines, hashes[i]);
    else
        for (size_t i = 0; i < n; i++) {
            __builtin_prefetch(limit_line(at, nlines, hashes[i + ahead]));
            sum += *limit_line(at, nlines, hashes[i]);
        }
    return sum;
}

/* The same from keys. Hashing a handful before reading it is quicker than hashing as it goes. */
static inline uint64_t limit_walk_keys(const struct limit *l, const uint64_t *at, size_t ahead) {
    uint64_t hashes[HANDFUL + AHEAD_MAX], sum = 0, nlines = l->nlines;
    if (!ahead)
        for (size_t i = 0; i < l->nreads; i++)
            sum += *limit_line(at, nlines, hash_of(l->hashes[i]));
    else
        for (size_t i = 0; i < l->nreads; i += HANDFUL) {
            size_t n = l->nreads - i < HANDFUL ? l->nreads - i : HANDFUL, known = i ? ahead : 0;
            memmove(hashes, hashes + HANDFUL, known * sizeof *hashes);
            for (size_t j = known; j < n + ahead; j++) hashes[j] = hash_of(l->hashes[i + j]);
            for (size_t j = 0; j < n; j++) {
                __builtin_prefetch(limit_line(at, nlines, hashes[j + ahead]));
                sum += *limit_line(at, nlines, hashes[j]);
            }
        }
    return sum;
}

/* A pass to warm the caches, then the one that counts; nanoseconds a line. */
static inline double limit_read(struct limit *l, const uint64_t *at, size_t ahead, uint64_t *sum) {
    double ns = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->nreads + AHEAD_MAX; i++) l->hashes[i] = next_random(&l->state);
        at_hand(l->hashes, l->nreads + AHEAD_MAX);
        double start = thread_ns();
        *sum += l->from_keys ? limit_walk_keys(l, at, ahead) : limit_walk(l, at, ahead);
        ns = (thread_ns() - start) / (double)l->nreads;
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

/* All ways in turn, so that a bad moment strikes them all. */
static inline void limit_trial(struct limit *l, struct limit_pages *p) {
    for (int way = 0; way < LIMIT_WAYS; way++) {
        double ns = limit_read(l, p->at, limit_ahead[way], &p->best.sum);
        if (p->tried[way] <= 0 || ns < p->tried[way]) p->tried[way] = ns;
    }
}

static inline int limit_best_way(const struct limit_pages *p, int first) {
    int best = first;
    for (int way = first + 1; way < LIMIT_WAYS; way++)
        if (p->tried[way] < p->tried[best]) best = way;
    return best;
}

static inline struct limit *limit_tried(struct limit *l) {
    for (struct limit_pages *p = l->pages; p < l->pages + 2; p++) {
        for (int trial = 0; trial < LIMIT_TRIALS; trial++) limit_trial(l, p);
        p->ahead = limit_ahead[limit_best_way(p, 1)];
    }
    return l;
}

static inline struct limit *limit_new(uint64_t bytes) {
    return limit_tried(must(limit_open(bytes, LIMIT_READS)));
}

static inline struct limit *limit_of_keys(uint64_t bytes) {
    struct limit *l = must(limit_open(bytes, LIMIT_READS));
    l->from_keys = true;
    return limit_tried(l);
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

/* Of the trials: of plain reads, and of all ways. */
static inline void limit_least(const struct limit *l, double *plain, double *best) {
    const struct limit_pages *small = &l->pages[0], *huge = &l->pages[1];
    double a = small->tried[limit_best_way(small, 0)], b = huge->tried[limit_best_way(huge, 0)];
    *plain = small->tried[0] < huge->tried[0] ? small->tried[0] : huge->tried[0];
    *best = a < b ? a : b;
}

#endif
