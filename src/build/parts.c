/* parts.c - carry each hash to its part of the table, then fill part by part. */
#include "build/parts.h"

#include "build/hands.h"
#include "core/life.h"
#include "core/memory.h"

enum {
    PARTS_BITS_MAX = 9, /* more streams than the first cache has lines would cost more */
    STEP = 512,         /* hashes; a chunk with less room than this counts as full */
    SIDE = 2048,        /* hashes looked at together at a border */
    CHUNK = 8192,       /* hashes, for all threads together, so that four take the room of one */
    CHUNK_LEAST = 2048,
    LOOK = 1 << 20, /* hashes between two calls of the watch */
};

/* Hashes carried at a time, or an eighth of all: their room is used again. */
#ifndef PARTS_ROUND
#define PARTS_ROUND ((uint64_t)1 << 25)
#endif

#define PART_BYTES ((uint64_t)256 << 10) /* of the table: what the second cache holds with ease */
#define NEAR_BYTES ((uint64_t)8 << 20)   /* a table as small as this is near enough as it is */
#define NO_CHUNK UINT32_MAX

/* One thread's hashes of one round. */
struct carried {
    uint64_t *room;         /* chunks, one after the other */
    uint32_t *count, *next; /* hashes in a chunk, and its part's next one */
    uint32_t used;          /* chunks */
    uint32_t first[1 << PARTS_BITS_MAX], last[1 << PARTS_BITS_MAX]; /* chunks of a part */
    uint64_t *end[1 << PARTS_BITS_MAX];                             /* where its next hash goes */
    size_t chunk, step;                                             /* hashes */
};

struct work_of_parts {
    sito_filter *f;
    part_add *add;
    const sito_plan *plan;
    const uint64_t *hashes;  /* of this round */
    size_t n;                /* of this round */
    uint64_t round;          /* hashes of a round, less in the last */
    uint64_t before, total;  /* hashes of the rounds before, of all */
    uint64_t nplaces, added; /* keys certainly new */
    unsigned bits, nthreads; /* 2^bits parts */
    size_t next;             /* part to be handed out */
    bool stopped;
    struct carried *carried; /* one a thread */
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

/* An odd number of lines, or all parts would want the same few sets of the cache. */
static size_t chunk_for(unsigned nthreads) {
    size_t each = CHUNK / nthreads / 16 * 16;
    return (each < CHUNK_LEAST ? CHUNK_LEAST : each) + 8;
}

static uint64_t *chunk_at(const struct carried *c, uint32_t chunk) {
    return c->room + (size_t)chunk * c->chunk;
}

static void chunk_begin(struct carried *c, size_t part) {
    uint32_t chunk = c->used++;
    c->next[chunk] = NO_CHUNK;
    c->last[part] = chunk;
    c->end[part] = chunk_at(c, chunk);
}

static size_t chunk_fill(const struct carried *c, size_t part) {
    return (size_t)(c->end[part] - chunk_at(c, c->last[part]));
}

static void chunk_end(struct carried *c, size_t part) {
    c->count[c->last[part]] = (uint32_t)chunk_fill(c, part);
}

/* A line is asked for before its first hash comes: nothing here waits, and nothing is guessed. */
static inline void carry_one(struct carried *c, uint64_t hash, unsigned bits) {
    uint64_t *to = c->end[hash >> (64 - bits)]++;
    __builtin_prefetch(to + 12, 1);
    *to = hash;
}

/* The machine itself looks ahead only within a page. */
static void carry_step(struct carried *c, const uint64_t *hashes, size_t n, unsigned bits) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __builtin_prefetch(hashes + i + 128, 0, 0);
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++) carry_one(c, hashes[i + j], bits);
    }
    for (; i < n; i++) carry_one(c, hashes[i], bits);
}

/* New chunks for the parts whose last is full. How many hashes may come now, be they all of one
 * part: the least room that any has. */
static size_t make_room(struct carried *c, size_t parts) {
    size_t most = c->chunk;
    for (size_t p = 0; p < parts; p++) {
        size_t room = c->chunk - chunk_fill(c, p);
        if (room < c->step) {
            uint32_t full = c->last[p];
            chunk_end(c, p);
            chunk_begin(c, p);
            c->next[full] = c->last[p];
            room = c->chunk;
        }
        if (room < most) most = room;
    }
    return most;
}

static void *carry_share(void *self) {
    const struct hand *h = (const struct hand *)self;
    struct work_of_parts *w = h->work;
    struct carried *c = &w->carried[h->number];
    size_t from = w->n * h->number / w->nthreads, to = w->n * (h->number + 1) / w->nthreads;
    size_t parts = (size_t)1 << w->bits, look = from;
    c->used = 0;
    for (size_t p = 0; p < parts; p++) chunk_begin(c, p), c->first[p] = c->last[p];
    for (size_t i = from, step; i < to; i += step) {
        if (i >= look && !goes_on(h, (i - from) * w->nthreads)) break;
        if (i >= look) look += LOOK;
        step = (size_t)least(make_room(c, parts), to - i);
        carry_step(c, w->hashes + i, step, w->bits);
    }
    for (size_t p = 0; p < parts; p++) chunk_end(c, p);
    return NULL;
}

/* ---- filling ---- */

/* The high bits may cut a place in two, and no two threads may write it: it belongs to the part it
 * begins in. So a part's own hashes begin here, within the part, for it has more places than one. */
static uint64_t border_of(const struct work_of_parts *w, size_t part) {
    unsigned __int128 cut = (unsigned __int128)part * w->nplaces;
    unsigned __int128 whole = (cut + (((unsigned)1 << w->bits) - 1)) >> w->bits;
    return (uint64_t)(((whole << 64) + w->nplaces - 1) / w->nplaces);
}

/* Those of these hashes that are below the border, or those that are not. */
static uint64_t add_on_one_side(struct work_of_parts *w, const uint64_t *hashes, size_t n,
                                uint64_t border, bool below) {
    uint64_t chosen[SIDE], added = 0; /* 16 KiB */
    for (size_t at = 0; at < n; at += SIDE) {
        size_t step = (size_t)least(SIDE, n - at), k = 0;
        for (size_t i = at; i < at + step; i++) {
            chosen[k] = hashes[i];
            k += (hashes[i] < border) == below;
        }
        added += w->add(w->f, chosen, k);
    }
    return added;
}

/* The next run of parts, for one of several threads a share of what is left: the last are short, and
 * nobody waits long for another. One thread alone has no borders. */
static bool next_run(struct work_of_parts *w, size_t *from, size_t *to) {
    size_t parts = (size_t)1 << w->bits;
    *from = __atomic_load_n(&w->next, __ATOMIC_RELAXED);
    do {
        size_t share = (parts - *from) / (2 * w->nthreads);
        if (*from == parts) return false;
        *to = w->nthreads == 1 ? parts : *from + (share ? share : 1);
    } while (!__atomic_compare_exchange_n(&w->next, from, *to, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return true;
}

enum side { WHOLE, BELOW_BORDER, FROM_BORDER };

static uint64_t fill_part(struct work_of_parts *w, size_t part, enum side side) {
    uint64_t added = 0, border = side == WHOLE ? 0 : border_of(w, part);
    for (unsigned t = 0; t < w->nthreads; t++) {
        const struct carried *c = &w->carried[t];
        for (uint32_t chunk = c->first[part]; chunk != NO_CHUNK; chunk = c->next[chunk]) {
            const uint64_t *hashes = chunk_at(c, chunk);
            added += side == WHOLE ? w->add(w->f, hashes, c->count[chunk])
                                   : add_on_one_side(w, hashes, c->count[chunk], border,
                                                     side == BELOW_BORDER);
        }
    }
    return added;
}

/* Runs of neighbouring parts, for whoever comes next; with a run goes the place its end cuts. */
static void *fill_share(void *self) {
    const struct hand *h = (const struct hand *)self;
    struct work_of_parts *w = h->work;
    size_t parts = (size_t)1 << w->bits, from, to;
    uint64_t added = 0;
    while (next_run(w, &from, &to)) {
        for (size_t p = from; p < to; p++) {
            if (!goes_on(h, w->n + w->n * p / parts)) return NULL;
            added += fill_part(w, p, p == from && from ? FROM_BORDER : WHOLE);
        }
        if (to < parts) added += fill_part(w, to, BELOW_BORDER);
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

static unsigned bits_for(uint64_t table_bytes) {
    unsigned bits = 1;
    while (bits < PARTS_BITS_MAX && table_bytes >> bits > PART_BYTES) bits++;
    return bits;
}

/* A run of parts for each; and a thread that has less than a step of hashes for a part is not worth
 * the chunks that it begins. */
static unsigned threads_for(const sito_plan *plan, size_t n, unsigned bits) {
    uint64_t runs = ((uint64_t)1 << bits) / 2, worth = (n >> bits) / STEP;
    uint64_t most = least(least(runs, worth), least(plan->threads, HANDS_MAX));
    return most ? (unsigned)most : 1;
}

/* SITO_ENOMEM: nothing has been added. */
static sito_rc build_in_rounds(struct work_of_parts *w, const uint64_t *hashes) {
    const sito_memory *mem = &w->f->mem;
    uint64_t each = least(w->round, w->total) / w->nthreads + 1;
    size_t chunk = chunk_for(w->nthreads), step = (size_t)least(STEP, chunk / 8);
    uint64_t chunks = each / (chunk - step) + ((uint64_t)1 << w->bits) + 1;
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
            c->chunk = chunk, c->step = step;
            c->next = c->count + chunks;
        }
        rc = rounds(w, hashes);
        w->f->nkeys += w->added;
    }
    give(mem, w->carried, books);
    give(mem, space, room * w->nthreads);
    return rc;
}

sito_rc build_by_parts(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n,
                       uint64_t nplaces, part_add *add) {
    uint64_t table_bytes = f->seg[0].bytes, eighth = (n + UINT64_C(7)) / 8;
    /* A near table has no far lines to spare, and few keys are not worth a part. */
    if (table_bytes <= NEAR_BYTES || n < 1 << 16) return build_by_adding(f, plan, hashes, n);
    struct work_of_parts w = {.f = f,
                              .add = add,
                              .plan = plan,
                              .total = n,
                              .round = eighth > PARTS_ROUND ? eighth : PARTS_ROUND,
                              .nplaces = nplaces,
                              .bits = bits_for(table_bytes)};
    w.nthreads = threads_for(plan, n, w.bits);
    sito_rc rc = build_in_rounds(&w, hashes);
    if (rc == SITO_ENOMEM && w.round > PARTS_ROUND) {
        w.round = PARTS_ROUND;
        rc = build_in_rounds(&w, hashes);
    }
    return rc == SITO_ENOMEM ? build_by_adding(f, plan, hashes, n) : rc;
}
