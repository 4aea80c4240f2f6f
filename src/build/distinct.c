/* distinct.c - hashes are carried to buckets by their high bits, and each is sorted in the cache, a
 * digit at a time; then one pass drops repeats. */
#include "build/distinct.h"

#include "build/hands.h"
#include "core/life.h"
#include "core/memory.h"
#include "place/range.h"

enum {
    DIGIT = 11,
    DIGITS = 6,
    VALUES = 1 << DIGIT,
    BUCKET_BITS = 14, /* 2^14 hashes and their copies fit the second cache */
    SORT_PIECE = 1 << 20,
};

struct sorting {
    const uint64_t *hashes;
    size_t n;
    const sito_plan *plan;
    uint64_t *carried, *sorted; /* by bucket; and in each in order, without repeats */
    unsigned turn;              /* what is sorted is a hash turned left by so many bits */
    unsigned shift;             /* its bits below its bucket's number */
    unsigned nbuckets, next, nthreads;
    bool stopped;
    size_t begin[VALUES + 1], kept[VALUES]; /* of each bucket */
    struct sort_hand *hand;
};

/* What a thread has to itself. */
struct sort_hand {
    struct sorting *work;
    unsigned number;
    size_t from, to; /* its share of the hashes */
    uint64_t ones;   /* bits that any of them has */
    size_t at[VALUES];
    size_t count[DIGITS][VALUES];
};

/* Sorting is a part of the way that nobody has counted in keys: the watch hears that nothing is
 * done yet. */
static bool is_called_off(const sito_plan *plan, size_t n) {
    return plan->watch && plan->watch(plan->watch_self, 0, n);
}

/* The first hand is the caller's thread. */
static bool sorting_goes_on(const struct sort_hand *h) {
    struct sorting *w = h->work;
    if (h->number == 0 && is_called_off(w->plan, w->n))
        __atomic_store_n(&w->stopped, true, __ATOMIC_RELAXED);
    return !__atomic_load_n(&w->stopped, __ATOMIC_RELAXED);
}

/* ---- hashes -> buckets ---- */

static uint64_t turned(uint64_t hash, unsigned turn) {
    return turn ? hash << turn | hash >> (64 - turn) : hash;
}

static unsigned bucket_of(const struct sorting *w, uint64_t x) {
    return w->nbuckets > 1 ? (unsigned)(x >> w->shift) : 0;
}

static void *see_share(void *self) {
    struct sort_hand *h = (struct sort_hand *)self;
    h->ones = 0;
    for (size_t i = h->from; i < h->to; i++) h->ones |= h->work->hashes[i];
    h->ones = turned(h->ones, h->work->turn);
    return NULL;
}

static void *count_share(void *self) {
    struct sort_hand *h = (struct sort_hand *)self;
    const struct sorting *w = h->work;
    memset(h->at, 0, sizeof h->at);
    for (size_t i = h->from; i < h->to; i++) h->at[bucket_of(w, turned(w->hashes[i], w->turn))]++;
    return NULL;
}

static void *bucket_share(void *self) {
    struct sort_hand *h = (struct sort_hand *)self;
    const struct sorting *w = h->work;
    uint64_t *to = w->carried;
    for (size_t i = h->from; i < h->to && sorting_goes_on(h);)
        for (size_t end = (size_t)least(h->to, i + SORT_PIECE); i < end; i++) {
            uint64_t x = turned(w->hashes[i], w->turn);
            to[h->at[bucket_of(w, x)]++] = x;
        }
    return NULL;
}

/* From counts to places: bucket by bucket, in each the threads in their order. */
static void lay_out_buckets(struct sorting *w) {
    size_t sum = 0;
    for (unsigned v = 0; v < w->nbuckets; v++) {
        w->begin[v] = sum;
        for (unsigned t = 0; t < w->nthreads; t++) {
            size_t count = w->hand[t].at[v];
            w->hand[t].at[v] = sum;
            sum += count;
        }
    }
    w->begin[w->nbuckets] = sum;
}

/* ---- bucket -> distinct hashes in order ---- */

static unsigned digit_of(uint64_t hash, unsigned d) {
    return (unsigned)(hash >> (d * DIGIT)) & (VALUES - 1);
}

/* Stable by one digit; a digit that all hashes share is left out by the caller. */
static bool by_digit(struct sort_hand *h, const uint64_t *from, uint64_t *to, size_t n,
                     unsigned d) {
    size_t sum = 0;
    for (int v = 0; v < VALUES; v++) h->at[v] = sum, sum += h->count[d][v];
    for (size_t i = 0; i < n;) {
        size_t end = (size_t)least(n, i + SORT_PIECE);
        if (n > SORT_PIECE && !sorting_goes_on(h)) return false;
        for (; i < end; i++) to[h->at[digit_of(from[i], d)]++] = from[i];
    }
    return true;
}

/* Each once, turned back. `to` may be `sorted`. */
static size_t without_repeats(uint64_t *to, const uint64_t *sorted, size_t n, unsigned turn) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = sorted[i];
        bool is_last = i + 1 == n || x != sorted[i + 1];
        to[kept] = turned(x, (64 - turn) % 64);
        kept += is_last;
    }
    return kept;
}

static void bucket_in_order(struct sort_hand *h, unsigned v) {
    struct sorting *w = h->work;
    size_t begin = w->begin[v], n = w->begin[v + 1] - begin;
    uint64_t *from = w->carried + begin, *to = w->sorted + begin;
    unsigned ndigits = (w->shift + DIGIT - 1) / DIGIT;
    w->kept[v] = 0;
    if (!n) return;
    memset(h->count, 0, ndigits * sizeof *h->count);
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < ndigits; d++) h->count[d][digit_of(from[i], d)]++;
    for (unsigned d = 0; d < ndigits; d++) {
        if (h->count[d][digit_of(from[0], d)] == n) continue;
        if (!by_digit(h, from, to, n, d)) return;
        uint64_t *sorted = to;
        to = from, from = sorted;
    }
    w->kept[v] = without_repeats(w->sorted + begin, from, n, w->turn);
}

static void *sort_share(void *self) {
    struct sort_hand *h = (struct sort_hand *)self;
    struct sorting *w = h->work;
    unsigned v, done = 0;
    while ((done++ % 8 || sorting_goes_on(h)) &&
           (v = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED)) < w->nbuckets)
        bucket_in_order(h, v);
    return NULL;
}

/* Buckets with repeats leave gaps. */
static size_t close_gaps(struct sorting *w) {
    size_t sum = 0;
    for (unsigned v = 0; v < w->nbuckets; v++) {
        if (sum != w->begin[v])
            memmove(w->sorted + sum, w->sorted + w->begin[v], w->kept[v] * sizeof *w->sorted);
        sum += w->kept[v];
    }
    return sum;
}

/* ---- all of it ---- */

static void sort_together(struct sorting *w, void *(*share)(void *self)) {
    if (!w->stopped) share_among(w->hand, sizeof *w->hand, w->nthreads, share);
}

/* Buckets are told apart by the highest bits that are in use: hashes may be short. */
static void choose_buckets(struct sorting *w) {
    uint64_t ones = 0;
    unsigned bits = 0, used = 0;
    for (unsigned t = 0; t < w->nthreads; t++) ones |= w->hand[t].ones;
    while (used < 64 && ones >> used) used++;
    while (bits < DIGIT && bits < used && w->n >> bits > (size_t)1 << BUCKET_BITS) bits++;
    w->nbuckets = 1u << bits;
    w->shift = used - bits;
}

static sito_rc sort_all(struct sorting *w) {
    for (unsigned t = 0; t < w->nthreads; t++) {
        struct sort_hand *h = &w->hand[t];
        h->work = w, h->number = t;
        h->from = (size_t)((unsigned __int128)w->n * t / w->nthreads);
        h->to = (size_t)((unsigned __int128)w->n * (t + 1) / w->nthreads);
    }
    sort_together(w, see_share);
    choose_buckets(w);
    sort_together(w, count_share);
    lay_out_buckets(w);
    sort_together(w, bucket_share);
    sort_together(w, sort_share);
    return w->stopped ? SITO_ECANCEL : SITO_OK;
}

static sito_rc distinct_turned(const uint64_t *hashes, size_t n, const sito_plan *plan,
                               const sito_memory *mem, unsigned turn, struct distinct *out) {
    struct sorting w = {.hashes = hashes, .n = n, .plan = plan, .turn = turn};
    uint64_t room = product_of(n ? n : 1, sizeof *hashes);
    w.nthreads = (unsigned)least(plan->threads ? plan->threads : 1,
                                 least((n >> BUCKET_BITS) + 1, HANDS_MAX));
    uint64_t books = w.nthreads * sizeof *w.hand;
    w.carried = (uint64_t *)take(mem, room, false);
    w.sorted = (uint64_t *)take(mem, room, false);
    w.hand = (struct sort_hand *)take(mem, books, false);
    sito_rc rc = w.carried && w.sorted && w.hand ? sort_all(&w) : SITO_ENOMEM;
    if (rc == SITO_OK)
        *out = (struct distinct){.hashes = w.sorted, .n = close_gaps(&w), .room = room};
    else give(mem, w.sorted, room);
    give(mem, w.carried, room);
    give(mem, w.hand, books);
    return rc;
}

sito_rc distinct_of(const uint64_t *hashes, size_t n, const sito_plan *plan, const sito_memory *mem,
                    struct distinct *out) {
    return distinct_turned(hashes, n, plan, mem, 0, out);
}

sito_rc distinct_scattered(const uint64_t *hashes, size_t n, const sito_plan *plan,
                           const sito_memory *mem, struct distinct *out) {
    return distinct_turned(hashes, n, plan, mem, 32, out);
}

/* A set of the hashes met so far: a table at most half full, 0 for an empty place. Hashes may come
 * from anywhere, so they are stirred. */
struct hashes_met {
    uint64_t *place, room;
    bool zero;
};

static uint64_t stirred(uint64_t x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static bool met_before(struct hashes_met *m, uint64_t hash) {
    if (!hash) {
        bool was = m->zero;
        m->zero = true;
        return was;
    }
    uint64_t i = range_of(stirred(hash), m->room);
    while (m->place[i] && m->place[i] != hash) i = i + 1 < m->room ? i + 1 : 0;
    bool was = m->place[i] == hash;
    m->place[i] = hash;
    return was;
}

sito_rc distinct_in_order(const uint64_t *hashes, size_t n, const sito_plan *plan,
                          const sito_memory *mem, struct distinct *out) {
    enum { PIECE = 1 << 16, AHEAD = 16 };
    struct hashes_met m = {.room = sum_of(product_of(n, 2), 1)};
    uint64_t room = product_of(n ? n : 1, sizeof *hashes),
             places = product_of(m.room, sizeof *hashes);
    uint64_t *kept = (uint64_t *)take(mem, room, false);
    m.place = (uint64_t *)take(mem, places, true);
    sito_rc rc = kept && m.place ? SITO_OK : SITO_ENOMEM;
    size_t count = 0;
    for (size_t i = 0; i < n && rc == SITO_OK; i++) {
        if (i % PIECE == 0 && is_called_off(plan, n)) rc = SITO_ECANCEL;
        if (i + AHEAD < n)
            __builtin_prefetch(&m.place[range_of(stirred(hashes[i + AHEAD]), m.room)], 1);
        if (!met_before(&m, hashes[i])) kept[count++] = hashes[i];
    }
    give(mem, m.place, places);
    if (rc == SITO_OK) *out = (struct distinct){.hashes = kept, .n = count, .room = room};
    else give(mem, kept, room);
    return rc;
}

void distinct_free(struct distinct *d, const sito_memory *mem) { give(mem, d->hashes, d->room); }

sito_rc build_distinct(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n) {
    struct distinct d = {0};
    sito_rc rc = distinct_of(hashes, n, plan, &f->mem, &d);
    if (rc != SITO_OK) return rc;
    rc = build_by_adding(f, plan, d.hashes, d.n);
    distinct_free(&d, &f->mem);
    return rc;
}
