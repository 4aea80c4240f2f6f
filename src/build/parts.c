/* parts.c - carry each hash to its part of the table, then fill part by part. */
#include "build/parts.h"

#include "build/hands.h"
#include "build/lines.h"
#include "core/life.h"
#include "core/memory.h"

enum {
    PARTS_BITS_MAX = 9, /* more streams than the first cache has lines would cost more */
    TRAY = 64,          /* hashes; the second cache holds a tray of each part */
    TRAY_BYTES = TRAY * sizeof(uint64_t),
    CHUNK = 8192, /* hashes, for all threads together, so that four take the room of one */
    CHUNK_LEAST = 512,
};

#ifndef PARTS_ROUND /* a test has others */
/* Hashes carried at a time, so that their room is used again: a third of all, but no more than
 * this, unless it were less than an eighth. */
#define PARTS_ROUND ((uint64_t)1 << 25)
#define PARTS_LOOK ((size_t)1 << 20)  /* hashes between two calls of the watch */
#define PARTS_WORTH 512               /* of a round and part, for a thread to be worth its chunks */
#define NEAR_ONE ((uint64_t)24 << 20) /* bytes of a table that is near enough for one thread */
#define NEAR_TWO ((uint64_t)16 << 20) /* and of one that two fill no sooner */
#endif
#define PARTS_ROUND_LEAST (PARTS_ROUND / 8) /* fewer are not worth a look at all the table */

#define PART_BYTES ((uint64_t)256 << 10) /* of the table: what the second cache holds with ease */
#define NEAR_MANY ((uint64_t)8 << 20)    /* a table as small as this is near enough for more */
#define NO_CHUNK UINT32_MAX

/* One thread's hashes of one round. A part's are laid on its tray, and go from there, by whole
 * trays, into its chunks. */
struct carried {
    _Alignas(64) uint64_t trays[(TRAY << PARTS_BITS_MAX) + TRAY]; /* 256 KiB, and one to spare */
    uint64_t *tray; /* the first: at a multiple of its size, so that a place tells where one ends */
    uint64_t *end[1 << PARTS_BITS_MAX]; /* where on its tray a part's next goes */
    uint32_t first[1 << PARTS_BITS_MAX], last[1 << PARTS_BITS_MAX]; /* chunks of a part */
    uint64_t *room;         /* chunks, one after the other */
    uint32_t *count, *next; /* hashes in a chunk, and its part's next one */
    uint32_t used;          /* chunks */
    uint32_t chunk;         /* hashes */
};

struct work_of_parts {
    sito_filter *f;
    part_add *add;
    const sito_plan *plan;
    const uint64_t *hashes;  /* of this round */
    size_t n;                /* of this round */
    uint64_t round;          /* hashes of a round, less in the last */
    uint64_t before, total;  /* hashes of the rounds before, of all */
    uint64_t added;          /* keys certainly new */
    unsigned bits, nthreads; /* 2^bits parts */
    size_t next;             /* part to be handed out */
    bool stopped;
    struct carried *carried;              /* one a thread */
    uint64_t border[1 << PARTS_BITS_MAX]; /* the least hash of a part */
};

struct hand {
    struct work_of_parts *work;
    unsigned number;
};

/* The first hand is the caller's thread, and tells; half of a round's work is carrying. */
static bool goes_on(const struct hand *h, size_t done) {
    struct work_of_parts *w = h->work;
    const sito_plan *plan = w->plan;
    if (h->number == 0 && plan->watch &&
        plan->watch(plan->watch_self, w->before + done / 2, w->total))
        __atomic_store_n(&w->stopped, true, __ATOMIC_RELAXED);
    return !__atomic_load_n(&w->stopped, __ATOMIC_RELAXED);
}

/* ---- carrying ---- */

/* Whole trays: none is laid in two chunks. */
static uint32_t chunk_for(unsigned nthreads) {
    uint32_t each = CHUNK / nthreads / TRAY * TRAY;
    return each < CHUNK_LEAST ? CHUNK_LEAST : each;
}

static uint64_t *chunk_at(const struct carried *c, uint32_t chunk) {
    return c->room + (size_t)chunk * c->chunk;
}

static uint32_t chunk_begin(struct carried *c) {
    uint32_t chunk = c->used++;
    c->count[chunk] = 0;
    c->next[chunk] = NO_CHUNK;
    return chunk;
}

/* What lies on a part's tray goes to the part's last chunk, in whole lines: behind the last hash
 * whatever the tray had there. */
static void tray_clear(struct carried *c, size_t part) {
    uint64_t *begin = c->tray + part * TRAY;
    uint32_t n = (uint32_t)(c->end[part] - begin), last = c->last[part];
    if (c->count[last] == c->chunk) last = c->last[part] = c->next[last] = chunk_begin(c);
    for (uint32_t i = 0; i < n; i += HASH_LINE)
        line_out(chunk_at(c, last) + c->count[last] + i, begin + i);
    c->count[last] += n;
    c->end[part] = begin;
}

/* The high bits name a hash's part, but for those that are below its border. */
static inline void carry_one(struct carried *c, uint64_t hash, const struct work_of_parts *w) {
    size_t part = hash >> (64 - w->bits);
    part -= hash < w->border[part];
    uint64_t *at = c->end[part];
    *at++ = hash;
    c->end[part] = at;
    if (__builtin_expect((uintptr_t)at % TRAY_BYTES == 0, 0)) tray_clear(c, part);
}

/* The machine itself looks ahead only within a page. */
static void carry_step(struct carried *c, const uint64_t *hashes, size_t n,
                       const struct work_of_parts *w) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __builtin_prefetch(hashes + i + 512);
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++) carry_one(c, hashes[i + j], w);
    }
    for (; i < n; i++) carry_one(c, hashes[i], w);
}

static void carry_begin(struct carried *c, size_t parts) {
    c->used = 0;
    c->tray = c->trays + (-(uintptr_t)c->trays % TRAY_BYTES) / sizeof *c->trays;
    for (size_t p = 0; p < parts; p++) {
        c->first[p] = c->last[p] = chunk_begin(c);
        c->end[p] = c->tray + p * TRAY;
    }
}

static void *carry_share(void *self) {
    const struct hand *h = (const struct hand *)self;
    struct work_of_parts *w = h->work;
    struct carried *c = &w->carried[h->number];
    size_t from = w->n * h->number / w->nthreads, to = w->n * (h->number + 1) / w->nthreads;
    size_t parts = (size_t)1 << w->bits;
    carry_begin(c, parts);
    for (size_t i = from; i < to; i += PARTS_LOOK) {
        if (!goes_on(h, (i - from) * w->nthreads)) break;
        carry_step(c, w->hashes + i, (size_t)least(PARTS_LOOK, to - i), w);
    }
    for (size_t p = 0; p < parts; p++) tray_clear(c, p);
    lines_settle();
    return NULL;
}

/* ---- filling ---- */

/* The next run of parts, a share of what is left: the last are short, and nobody waits long for
 * another. */
static bool next_run(struct work_of_parts *w, size_t *from, size_t *to) {
    size_t parts = (size_t)1 << w->bits;
    *from = __atomic_load_n(&w->next, __ATOMIC_RELAXED);
    do {
        size_t share = (parts - *from) / (2 * w->nthreads);
        if (*from == parts) return false;
        *to = *from + (share ? share : 1);
    } while (!__atomic_compare_exchange_n(&w->next, from, *to, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return true;
}

static uint64_t fill_part(struct work_of_parts *w, size_t part) {
    uint64_t added = 0;
    for (unsigned t = 0; t < w->nthreads; t++) {
        const struct carried *c = &w->carried[t];
        for (uint32_t chunk = c->first[part]; chunk != NO_CHUNK; chunk = c->next[chunk])
            added += w->add(w->f, chunk_at(c, chunk), c->count[chunk]);
    }
    return added;
}

/* Runs of neighbouring parts, for whoever comes next. */
static void *fill_share(void *self) {
    const struct hand *h = (const struct hand *)self;
    struct work_of_parts *w = h->work;
    size_t parts = (size_t)1 << w->bits, from, to;
    uint64_t added = 0;
    while (next_run(w, &from, &to)) {
        for (size_t p = from; p < to; p++) {
            if (!goes_on(h, w->n + w->n * p / parts)) return NULL;
            added += fill_part(w, p);
        }
    }
    __atomic_fetch_add(&w->added, added, __ATOMIC_RELAXED);
    return NULL;
}

/* ---- rounds ---- */

static void all_hands(struct work_of_parts *w, void *(*share)(void *self)) {
    struct hand hand[HANDS_MAX];
    for (unsigned t = 0; t < w->nthreads; t++) hand[t] = (struct hand){w, t};
    share_among(hand, sizeof *hand, w->nthreads, share);
}

static sito_rc rounds(struct work_of_parts *w, const uint64_t *hashes) {
    for (; w->before < w->total; w->before += w->n) {
        w->hashes = hashes + w->before;
        w->n = (size_t)least(w->round, w->total - w->before);
        w->next = 0;
        all_hands(w, carry_share);
        if (!w->stopped) all_hands(w, fill_share);
        if (w->stopped) return SITO_ECANCEL;
    }
    struct hand teller = {w, 0};
    w->n = 0;
    return goes_on(&teller, 0) ? SITO_OK : SITO_ECANCEL;
}

static uint64_t round_for(uint64_t n) {
    uint64_t third = least(n / 3 + 1, PARTS_ROUND), eighth = n / 8 + 1;
    uint64_t most = third > eighth ? third : eighth;
    return most > PARTS_ROUND_LEAST ? most : PARTS_ROUND_LEAST;
}

static unsigned bits_for(uint64_t table_bytes) {
    unsigned bits = 1;
    while (bits < PARTS_BITS_MAX && table_bytes >> bits > PART_BYTES) bits++;
    return bits;
}

/* A run of parts for each. */
static unsigned threads_for(const sito_plan *plan, uint64_t round, unsigned bits) {
    uint64_t runs = ((uint64_t)1 << bits) / 2, worth = (round >> bits) / PARTS_WORTH;
    uint64_t most = least(least(runs, worth), least(plan->threads, HANDS_MAX));
    return most ? (unsigned)most : 1;
}

/* The high bits may cut a place in two: it belongs to the part it begins in, so that no two threads
 * write it, and its hashes stay in the order they came. A part's own begin here, within the part, for
 * it has more places than one. */
static uint64_t border_of(uint64_t nplaces, size_t part, unsigned bits) {
    unsigned __int128 cut = (unsigned __int128)part * nplaces;
    unsigned __int128 whole = (cut + (((unsigned)1 << bits) - 1)) >> bits;
    return (uint64_t)(((whole << 64) + nplaces - 1) / nplaces);
}

/* SITO_ENOMEM: nothing has been added. */
static sito_rc build_in_rounds(struct work_of_parts *w, const uint64_t *hashes) {
    const sito_memory *mem = &w->f->mem;
    uint64_t each = least(w->round, w->total) / w->nthreads + 1;
    uint32_t chunk = chunk_for(w->nthreads);
    uint64_t chunks = each / chunk + ((uint64_t)1 << w->bits); /* a part's last may be empty */
    uint64_t bytes = chunks * (chunk * sizeof(uint64_t) + 2 * sizeof(uint32_t));
    uint64_t room = rounded_up(bytes, 64), books = w->nthreads * sizeof *w->carried;
    uint8_t *space = (uint8_t *)take(mem, room * w->nthreads, false);
    w->carried = (struct carried *)take(mem, books, false);
    sito_rc rc = SITO_ENOMEM;
    if (space && w->carried) {
        for (unsigned t = 0; t < w->nthreads; t++) {
            struct carried *c = &w->carried[t];
            c->room = (uint64_t *)(void *)(space + t * room);
            c->count = (uint32_t *)(void *)(c->room + chunks * chunk);
            c->next = c->count + chunks;
            c->chunk = chunk;
        }
        rc = rounds(w, hashes);
        w->f->nkeys += w->added;
    }
    give(mem, w->carried, books);
    give(mem, space, room * w->nthreads);
    return rc;
}

static uint64_t near_for(unsigned threads) {
    return threads < 2 ? NEAR_ONE : threads == 2 ? NEAR_TWO : NEAR_MANY;
}

sito_rc build_by_parts(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n,
                       uint64_t nplaces, part_add *add) {
    uint64_t table_bytes = f->seg[0].bytes;
    /* A near table has no far lines to spare, and few keys are not worth a part. */
    if (table_bytes <= near_for(plan->threads) || n < 1 << 16)
        return build_by_adding(f, plan, hashes, n);
    struct work_of_parts w = {.f = f,
                              .add = add,
                              .plan = plan,
                              .total = n,
                              .round = round_for(n),
                              .bits = bits_for(table_bytes)};
    w.nthreads = threads_for(plan, least(w.round, n), w.bits);
    for (size_t p = 0; p >> w.bits == 0; p++) w.border[p] = border_of(nplaces, p, w.bits);
    sito_rc rc = build_in_rounds(&w, hashes);
    if (rc == SITO_ENOMEM && w.round > PARTS_ROUND) {
        w.round = PARTS_ROUND;
        rc = build_in_rounds(&w, hashes);
    }
    return rc == SITO_ENOMEM ? build_by_adding(f, plan, hashes, n) : rc;
}
