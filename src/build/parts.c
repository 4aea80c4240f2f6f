/* parts.c - carry each hash to its part of the table, then fill part by part. */
#include "build/parts.h"

#include <pthread.h>

#include "core/life.h"
#include "core/memory.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum {
    LINE = 8,           /* hashes a cache line */
    PARTS_BITS_MAX = 8, /* twice as many open lines would fill the first cache */
    THREADS_MAX = 64,
    ROUND = 1 << 24, /* hashes carried at a time: their room is used again */
};

#define PART_BYTES ((uint64_t)384 << 10) /* of the table: what the second cache holds with ease */

/* One thread's hashes of one round, part by part: those of part p are at[first[p]] .. at[end[p]]. */
struct carried {
    uint64_t *at;
    size_t room;
    size_t first[1 << PARTS_BITS_MAX], end[1 << PARTS_BITS_MAX];
};

struct work_of_parts {
    sito_filter *f;
    part_add *add;
    const uint64_t *hashes; /* of this round */
    size_t n;
    unsigned bits, nthreads; /* 2^bits parts */
    uint64_t border[1 << PARTS_BITS_MAX];
    struct carried *carried; /* one a thread */
    uint64_t added;
};

struct hand {
    struct work_of_parts *work;
    unsigned number;
};

static void put_line(uint64_t *to, const uint64_t *from) {
#if defined(__x86_64__)
    for (int i = 0; i < LINE; i += 2)
        _mm_stream_si128((__m128i *)(void *)(to + i),
                         _mm_load_si128((const __m128i *)(const void *)(from + i)));
#else
    memcpy(to, from, LINE * sizeof *to);
#endif
}

static void lines_are_put(void) {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

/* The high bits may cut a place in two. It belongs to the part that it begins in, or two threads
 * would write it: so a part's own hashes begin with those of its first whole place. */
static void draw_borders(uint64_t *border, unsigned bits, uint64_t nplaces) {
    for (uint64_t p = 0; p < (uint64_t)1 << bits; p++) {
        unsigned __int128 whole = ((unsigned __int128)p * nplaces + ((1u << bits) - 1)) >> bits;
        border[p] = (uint64_t)(((whole << 64) + nplaces - 1) / nplaces);
    }
}

static size_t part_of(uint64_t hash, const uint64_t *border, unsigned bits) {
    size_t p = (size_t)(hash >> (64 - bits));
    return p - (hash < border[p]);
}

/* Every part begins at a whole line, with as much room as its hashes take. */
static void carry(struct carried *c, const uint64_t *hashes, size_t n, const uint64_t *border,
                  unsigned bits) {
    _Alignas(64) uint64_t open[1 << PARTS_BITS_MAX][LINE];
    size_t parts = (size_t)1 << bits, at = 0;
    memset(c->end, 0, sizeof c->end);
    for (size_t i = 0; i < n; i++) c->end[part_of(hashes[i], border, bits)]++;
    for (size_t p = 0; p < parts; p++) {
        size_t count = c->end[p];
        c->first[p] = c->end[p] = at;
        at += (count + LINE - 1) / LINE * LINE;
    }
    for (size_t i = 0; i < n; i++) {
        size_t p = part_of(hashes[i], border, bits), end = c->end[p]++;
        open[p][end % LINE] = hashes[i];
        if (end % LINE == LINE - 1) put_line(c->at + end - (LINE - 1), open[p]);
    }
    for (size_t p = 0; p < parts; p++) {
        size_t rest = c->end[p] % LINE;
        memcpy(c->at + c->end[p] - rest, open[p], rest * sizeof(uint64_t));
    }
    lines_are_put();
}

static void *carry_share(void *self) {
    struct hand *h = (struct hand *)self;
    struct work_of_parts *w = h->work;
    size_t from = w->n * h->number / w->nthreads, to = w->n * (h->number + 1) / w->nthreads;
    carry(&w->carried[h->number], w->hashes + from, to - from, w->border, w->bits);
    return NULL;
}

/* A run of neighbouring parts each. */
static void *fill_share(void *self) {
    struct hand *h = (struct hand *)self;
    struct work_of_parts *w = h->work;
    size_t parts = (size_t)1 << w->bits;
    uint64_t added = 0;
    size_t from = parts * h->number / w->nthreads, to = parts * (h->number + 1) / w->nthreads;
    for (size_t p = from; p < to; p++)
        for (unsigned t = 0; t < w->nthreads; t++) {
            const struct carried *c = &w->carried[t];
            added += w->add(w->f, c->at + c->first[p], c->end[p] - c->first[p]);
        }
    __atomic_fetch_add(&w->added, added, __ATOMIC_RELAXED);
    return NULL;
}

/* On all threads; on this one alone where no other can be had. */
static void all_hands(struct work_of_parts *w, void *(*share)(void *self)) {
    pthread_t thread[THREADS_MAX];
    struct hand hand[THREADS_MAX];
    bool runs[THREADS_MAX] = {false};
    for (unsigned t = 0; t < w->nthreads; t++) hand[t] = (struct hand){w, t};
    for (unsigned t = 1; t < w->nthreads; t++)
        runs[t] = pthread_create(&thread[t], NULL, share, &hand[t]) == 0;
    share(&hand[0]);
    for (unsigned t = 1; t < w->nthreads; t++) {
        if (runs[t]) pthread_join(thread[t], NULL);
        else share(&hand[t]);
    }
}

static unsigned bits_for(uint64_t table_bytes) {
    unsigned bits = 1;
    while (bits < PARTS_BITS_MAX && table_bytes >> bits > PART_BYTES) bits++;
    return bits;
}

static sito_rc rounds(struct work_of_parts *w, const sito_plan *plan, const uint64_t *hashes,
                      size_t n) {
    for (size_t done = 0; done < n; done += w->n) {
        w->hashes = hashes + done;
        w->n = (size_t)least(ROUND, n - done);
        all_hands(w, carry_share);
        all_hands(w, fill_share);
        if (plan->watch && plan->watch(plan->watch_self, done + w->n, n)) return SITO_ECANCEL;
    }
    return SITO_OK;
}

sito_rc build_by_parts(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n,
                       uint64_t nplaces, part_add *add) {
    uint64_t table_bytes = f->seg[0].bytes;
    /* A table that fits the cache has no far lines to spare, and few keys are not worth a part. */
    if (table_bytes <= 4 * PART_BYTES || n < 1 << 16) return build_by_adding(f, plan, hashes, n);
    unsigned nthreads = plan->threads ? (unsigned)least(plan->threads, THREADS_MAX) : 1;
    struct work_of_parts w = {
        .f = f, .add = add, .nthreads = nthreads, .bits = bits_for(table_bytes)};
    draw_borders(w.border, w.bits, nplaces);
    uint64_t each = rounded_up(least(ROUND, n) / nthreads + 1 + ((uint64_t)LINE << w.bits), LINE);
    uint64_t room = each * nthreads * sizeof *hashes, books = nthreads * sizeof *w.carried;
    uint64_t *space = (uint64_t *)take(&f->mem, room, false);
    w.carried = (struct carried *)take(&f->mem, books, false);
    sito_rc rc = SITO_OK;
    if (space && w.carried) {
        for (unsigned t = 0; t < nthreads; t++) w.carried[t].at = space + t * each;
        rc = rounds(&w, plan, hashes, n);
        f->nkeys += w.added;
    }
    bool is_short = !space || !w.carried;
    give(&f->mem, w.carried, books);
    give(&f->mem, space, room);
    return is_short ? build_by_adding(f, plan, hashes, n) : rc;
}
