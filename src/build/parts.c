/* parts.c - carry each hash to its part of the table, then fill part by part. */
#include "build/parts.h"

#include <math.h>

#include "build/hands.h"
#include "build/lines.h"
#include "core/life.h"
#include "core/memory.h"
#include "core/stretch.h"
#include "place/range.h"

enum {
    PARTS_MAX = 1024,
    TRAY = 128, /* hashes; the second cache holds a tray of each part, unless there are very many */
    TRAY_BYTES = TRAY * sizeof(uint64_t),
    /* Hashes, for all threads together, so that a dozen take the room of one. On few threads no power
     * of two, or too many chunks would be written where they push each other out of the caches. */
    CHUNK = 63 * TRAY,
    CHUNK_LEAST = 3 * TRAY, /* as many of a chunk are asked for while the one before it is added */
    STRAIGHT_LEAST = 256,   /* hashes carried straight between two looks at the room left */
    STRAIGHT_AHEAD = 24, /* hashes of a part between one that is written and the line asked for */
    STRAIGHT_HASHES_AHEAD = 1024, /* between one that is carried and those asked for */
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

#define PART_BYTES ((uint64_t)256 << 10) /* of the table: the second cache holds two, and more */
#define NEAR_MANY ((uint64_t)8 << 20)    /* a table as small as this is near enough for more */
#define WORTH_ASKING 4                   /* keys a line, for all of a part's to be asked for */
#define NO_CHUNK UINT32_MAX

/* What of a part's last chunk is not written yet. */
struct rest {
    uint64_t *at, *end;
};

/* One thread's hashes of one round. A part's are laid on its tray, and go from there, by whole
 * trays, into its chunks; or straight into the one chunk that it has. */
struct carried {
    _Alignas(64) uint64_t trays[TRAY * (PARTS_MAX + 1)]; /* one to spare */
    uint64_t *tray; /* the first: at a multiple of its size, so that a place tells where one ends */
    uint64_t *end[PARTS_MAX]; /* where a part's next goes */
    struct rest rest[PARTS_MAX];
    uint32_t first[PARTS_MAX], last[PARTS_MAX]; /* chunks of a part: all but the last are full */
    uint64_t *room;                             /* chunks, one after the other */
    uint32_t *next;                             /* a chunk's part's next one */
    uint32_t used;                              /* chunks */
    uint32_t chunk;                             /* hashes */
    size_t done;                                /* hashes of its share, carried straight */
};

struct work_of_parts {
    sito_filter *f;
    part_add *add;
    const sito_plan *plan;
    const uint64_t *hashes; /* of this round */
    size_t n;               /* of this round */
    uint64_t round;         /* hashes of a round, less in the last */
    uint64_t before, total; /* hashes of the rounds before, of all */
    uint64_t told;          /* to the watch: never fewer, though a round may end early */
    uint64_t added;         /* keys certainly new */
    uint64_t nplaces;       /* of the table */
    unsigned shift;         /* a part has 2^shift of them */
    size_t parts;
    size_t next;                 /* part to be handed out */
    unsigned nthreads, carriers; /* carriers: whose hashes are of this round */
    uint64_t each;               /* hashes of a round and thread, at most */
    bool straight;               /* no trays */
    bool stopped;
    struct carried *carried; /* one a thread */
    uint64_t taken;          /* bytes, for these and their room */
};

struct hand {
    struct work_of_parts *work;
    unsigned number;
};

/* The first hand is the caller's thread, and tells; half of a round's work is carrying. */
static bool goes_on(const struct hand *h, size_t done) {
    struct work_of_parts *w = h->work;
    const sito_plan *plan = w->plan;
    if (h->number == 0 && plan->watch) {
        uint64_t now = w->before + done / 2;
        if (now > w->told) w->told = now;
        if (plan->watch(plan->watch_self, w->told, w->total))
            __atomic_store_n(&w->stopped, true, __ATOMIC_RELAXED);
    }
    return !__atomic_load_n(&w->stopped, __ATOMIC_RELAXED);
}

static void all_hands(struct work_of_parts *w, void *(*share)(void *self)) {
    struct hand hand[HANDS_MAX];
    for (unsigned t = 0; t < w->nthreads; t++) hand[t] = (struct hand){w, t};
    share_among(hand, sizeof *hand, w->nthreads, share);
}

/* Of this round's hashes. */
static size_t round_share(const struct work_of_parts *w, unsigned thread) {
    return w->n * thread / w->nthreads;
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

static uint32_t chunk_begin(struct carried *c, size_t part) {
    uint32_t chunk = c->used++;
    uint64_t *at = chunk_at(c, chunk);
    c->next[chunk] = NO_CHUNK;
    c->rest[part] = (struct rest){at, at + c->chunk};
    return c->last[part] = chunk;
}

static uint32_t chunk_count(const struct carried *c, size_t part, uint32_t chunk) {
    if (chunk != c->last[part]) return c->chunk;
    return (uint32_t)(c->rest[part].at - chunk_at(c, chunk));
}

/* The n hashes on a part's tray go to the part's last chunk, in whole lines: behind the last hash
 * whatever the tray had there. */
static inline void tray_clear(struct carried *c, size_t part, uint32_t n) {
    uint32_t last = c->last[part];
    struct rest *rest = &c->rest[part];
    if (__builtin_expect(rest->at == rest->end, 0)) c->next[last] = chunk_begin(c, part);
    uint64_t *from = c->tray + part * TRAY, *to = rest->at;
    for (uint32_t i = 0; i < n; i += HASH_LINE) line_out(to + i, from + i);
    rest->at = to + n;
    c->end[part] = from;
}

__attribute__((noinline)) static void tray_is_full(struct carried *c, size_t part) {
    tray_clear(c, part, TRAY);
}

/* No place is in two parts, so that no two threads write it, and its hashes stay in the order they
 * came. */
static inline void carry_one(struct carried *c, uint64_t hash, uint64_t nplaces, unsigned shift) {
    size_t part = range_of(hash, nplaces) >> shift;
    uint64_t *at = c->end[part];
    *at++ = hash;
    c->end[part] = at;
    if (__builtin_expect((uintptr_t)at % TRAY_BYTES == 0, 0)) tray_is_full(c, part);
}

/* The machine itself looks ahead only within a page. */
static void carry_step(struct carried *c, const uint64_t *hashes, size_t n,
                       const struct work_of_parts *w) {
    uint64_t nplaces = w->nplaces;
    unsigned shift = w->shift;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __builtin_prefetch(hashes + i + 512);
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++) carry_one(c, hashes[i + j], nplaces, shift);
    }
    for (; i < n; i++) carry_one(c, hashes[i], nplaces, shift);
}

static void carry_begin(struct carried *c, size_t parts, uint32_t chunk) {
    c->used = 0;
    c->chunk = chunk;
    c->tray = c->trays + (-(uintptr_t)c->trays % TRAY_BYTES) / sizeof *c->trays;
    for (size_t p = 0; p < parts; p++) {
        c->first[p] = chunk_begin(c, p);
        c->end[p] = c->tray + p * TRAY;
    }
}

static void *carry_share(void *self) {
    const struct hand *h = (const struct hand *)self;
    struct work_of_parts *w = h->work;
    struct carried *c = &w->carried[h->number];
    size_t from = round_share(w, h->number), to = round_share(w, h->number + 1);
    carry_begin(c, w->parts, chunk_for(w->nthreads));
    for (size_t i = from; i < to; i += PARTS_LOOK) {
        if (!goes_on(h, (i - from) * w->nthreads)) break;
        carry_step(c, w->hashes + i, (size_t)least(PARTS_LOOK, to - i), w);
    }
    for (size_t p = 0; p < w->parts; p++)
        tray_clear(c, p, (uint32_t)(c->end[p] - (c->tray + p * TRAY)));
    lines_settle();
    return NULL;
}

/* ---- carrying straight ---- */

/* Where a core has many lines of memory under way, writing wherever a part's next hash goes, to
 * lines that were asked for, takes less than laying it on a tray, though these are read in vain. */
static inline void straight_one(uint64_t **end, uint64_t hash, uint64_t nplaces, unsigned shift,
                                bool ask) {
    size_t part = range_of(hash, nplaces) >> shift;
    uint64_t *at = end[part];
    *at = hash;
    end[part] = at + 1;
    if (ask) ask_to_write(at + STRAIGHT_AHEAD);
}

/* To ask at every other hash leaves out hardly a line, which takes eight. */
static void straight_step(struct carried *c, const uint64_t *hashes, size_t n,
                          const struct work_of_parts *w) {
    uint64_t nplaces = w->nplaces, **end = c->end;
    unsigned shift = w->shift;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __builtin_prefetch(hashes + i + STRAIGHT_HASHES_AHEAD);
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++) straight_one(end, hashes[i + j], nplaces, shift, j % 2);
    }
    for (; i < n; i++) straight_one(end, hashes[i], nplaces, shift, true);
}

/* A part's one chunk: hashes that spread evenly need more once in 10^15 times. An odd number of
 * lines, so that the parts' do not begin in the same place of the caches. */
static uint64_t straight_chunk(const struct work_of_parts *w) {
    double mean = (double)w->each * (double)((uint64_t)1 << w->shift) / (double)w->nplaces;
    double most = mean + 8 * sqrt(mean) + 2 * STRAIGHT_LEAST;
    return ((uint64_t)(most / (2 * HASH_LINE)) * 2 + 1) * HASH_LINE;
}

/* As many hashes may come, whatever their parts. */
static size_t room_left(const struct carried *c, size_t parts) {
    ptrdiff_t left = c->rest[0].end - c->end[0];
    for (size_t p = 1; p < parts; p++) {
        ptrdiff_t here = c->rest[p].end - c->end[p];
        if (here < left) left = here;
    }
    return (size_t)left;
}

/* How many: fewer if one part has no room for more. */
static size_t straight_some(struct carried *c, const uint64_t *hashes, size_t n,
                            const struct work_of_parts *w) {
    size_t done = 0;
    while (done < n) {
        size_t step = (size_t)least(room_left(c, w->parts), n - done);
        if (step < STRAIGHT_LEAST && step < n - done) break;
        straight_step(c, hashes + done, step, w);
        done += step;
    }
    return done;
}

/* Its share of this round's hashes, or the first of them. */
static void *straight_share(void *self) {
    const struct hand *h = (const struct hand *)self;
    struct work_of_parts *w = h->work;
    struct carried *c = &w->carried[h->number];
    size_t from = round_share(w, h->number), to = round_share(w, h->number + 1), i = from;
    carry_begin(c, w->parts, (uint32_t)straight_chunk(w));
    for (size_t p = 0; p < w->parts; p++) c->end[p] = c->rest[p].at;
    for (size_t step, done; i < to && goes_on(h, (i - from) * w->nthreads); i += done) {
        step = (size_t)least(PARTS_LOOK, to - i);
        done = straight_some(c, w->hashes + i, step, w);
        if (done < step) to = i + done;
    }
    for (size_t p = 0; p < w->parts; p++) c->rest[p].at = c->end[p];
    c->done = i - from;
    return NULL;
}

/* Hashes that do not spread evenly, for many are equal, say, end the round where the first of them
 * had no room; from there on all go by trays. */
static void carry_straight(struct work_of_parts *w) {
    all_hands(w, straight_share);
    for (unsigned t = 0; t < w->nthreads && w->straight; t++) {
        size_t end = round_share(w, t) + w->carried[t].done;
        if (end == round_share(w, t + 1)) continue;
        w->n = end;
        w->carriers = t + 1;
        w->straight = false;
    }
}

/* ---- filling ---- */

/* The next run of parts, a share of what is left: the last are short, and nobody waits long for
 * another. */
static bool next_run(struct work_of_parts *w, size_t *from, size_t *to) {
    *from = __atomic_load_n(&w->next, __ATOMIC_RELAXED);
    do {
        size_t share = (w->parts - *from) / (2 * w->nthreads);
        if (*from == w->parts) return false;
        *to = *from + (share ? share : 1);
    } while (!__atomic_compare_exchange_n(&w->next, from, *to, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return true;
}

static uint64_t keys_of_part(const struct work_of_parts *w, size_t part) {
    uint64_t n = 0;
    for (unsigned t = 0; t < w->carriers; t++) {
        const struct carried *c = &w->carried[t];
        for (uint32_t i = c->first[part]; i != NO_CHUNK; i = c->next[i])
            n += chunk_count(c, part, i);
    }
    return n;
}

/* Bytes of a part, but for the last. */
static uint64_t part_bytes(const struct work_of_parts *w) {
    return w->f->seg[0].bytes / w->nplaces << w->shift;
}

/* Where few keys come to a line, these ask for their own sooner than all could be asked for. */
static bool is_worth_asking(const struct work_of_parts *w, size_t part) {
    return keys_of_part(w, part) >= WORTH_ASKING * (part_bytes(w) / LINE_BYTES);
}

/* The part behind this one: all of it is asked for by the time this one is full. */
static struct coming part_behind(const struct work_of_parts *w, size_t part) {
    const uint8_t *table = w->f->seg[0].at;
    uint64_t bytes = w->f->seg[0].bytes, each = part_bytes(w);
    uint64_t from = least(bytes, (part + 1) * each), end = least(bytes, (part + 2) * each);
    return (struct coming){table + from, table + end, 8 * each / (keys_of_part(w, part) + 1) + 1};
}

/* If coming is not NULL, this part is near, but for the first of a run, and that one is asked for
 * meanwhile. */
static uint64_t fill_part(const struct work_of_parts *w, size_t part, struct coming *coming) {
    uint64_t added = 0;
    for (unsigned t = 0; t < w->carriers; t++) {
        const struct carried *c = &w->carried[t];
        for (uint32_t chunk = c->first[part], next; chunk != NO_CHUNK; chunk = next) {
            const uint64_t *hashes = chunk_at(c, chunk);
            next = c->next[chunk];
            if (next != NO_CHUNK)
                for (size_t i = 0; i < CHUNK_LEAST; i += HASH_LINE)
                    __builtin_prefetch(chunk_at(c, next) + i, 0, 2);
            added += w->add(w->f, hashes, chunk_count(c, part, chunk), coming);
        }
    }
    return added;
}

/* Runs of neighbouring parts, for whoever comes next. */
static void *fill_share(void *self) {
    const struct hand *h = (const struct hand *)self;
    struct work_of_parts *w = h->work;
    size_t from, to;
    uint64_t added = 0;
    while (next_run(w, &from, &to)) {
        for (size_t p = from; p < to; p++) {
            if (!goes_on(h, w->n + w->n * p / w->parts)) return NULL;
            struct coming coming = part_behind(w, p);
            if (p + 1 == to)
                coming.at = coming.end =
                    w->f->seg[0].at + p * part_bytes(w); /* or another's would come */
            added += fill_part(w, p, is_worth_asking(w, p) ? &coming : NULL);
        }
    }
    __atomic_fetch_add(&w->added, added, __ATOMIC_RELAXED);
    return NULL;
}

/* ---- rounds ---- */

static void carry_round(struct work_of_parts *w) {
    w->carriers = w->nthreads;
    if (w->straight) carry_straight(w);
    else all_hands(w, carry_share);
}

static sito_rc rounds(struct work_of_parts *w, const uint64_t *hashes) {
    for (; w->before < w->total; w->before += w->n) {
        w->hashes = hashes + w->before;
        w->n = (size_t)least(w->round, w->total - w->before);
        w->next = 0;
        carry_round(w);
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

/* As many parts as it takes for each to be near, and no more than there may be. */
static unsigned shift_for(uint64_t nplaces, uint64_t table_bytes) {
    unsigned shift = 0;
    while ((nplaces - 1) >> shift >= PARTS_MAX || table_bytes / nplaces << shift < PART_BYTES)
        shift++;
    return shift;
}

static size_t parts_in(uint64_t nplaces, unsigned shift) {
    return (size_t)((nplaces - 1) >> shift) + 1;
}

/* A run of parts for each. */
static unsigned threads_for(const sito_plan *plan, uint64_t round, size_t parts) {
    uint64_t runs = parts / 2, worth = round / parts / PARTS_WORTH;
    uint64_t most = least(least(runs, worth), least(plan->threads, HANDS_MAX));
    return most ? (unsigned)most : 1;
}

/* For all threads' hashes of a round, however they spread. The straight way has room there unless
 * threads are many, or keys are billions. */
static bool room_take(struct work_of_parts *w) {
    uint32_t chunk = chunk_for(w->nthreads);
    w->each = least(w->round, w->total) / w->nthreads + 1;
    uint64_t chunks = w->each / chunk + w->parts; /* a part's last may be empty */
    uint64_t hashes = chunks * chunk, books = w->nthreads * sizeof *w->carried;
    uint64_t room = rounded_up(hashes * sizeof(uint64_t) + chunks * sizeof(uint32_t), 64);
    w->straight = cpu_chosen()->carries_straight && straight_chunk(w) <= UINT32_MAX &&
                  straight_chunk(w) * w->parts <= hashes;
    w->taken = books + w->nthreads * room;
    w->carried = (struct carried *)take(&w->f->mem, w->taken, false);
    for (unsigned t = 0; w->carried && t < w->nthreads; t++) {
        struct carried *c = &w->carried[t];
        c->room = (uint64_t *)(void *)((uint8_t *)w->carried + books + t * room);
        c->next = (uint32_t *)(void *)(c->room + hashes);
    }
    return w->carried != NULL;
}

static void room_give(struct work_of_parts *w) { give(&w->f->mem, w->carried, w->taken); }

/* SITO_ENOMEM: nothing has been added. */
static sito_rc build_in_rounds(struct work_of_parts *w, const uint64_t *hashes) {
    if (!room_take(w)) return SITO_ENOMEM;
    sito_rc rc = rounds(w, hashes);
    w->f->nkeys += w->added;
    room_give(w);
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
                              .nplaces = nplaces,
                              .shift = shift_for(nplaces, table_bytes)};
    w.parts = parts_in(nplaces, w.shift);
    w.nthreads = threads_for(plan, least(w.round, n), w.parts);
    sito_rc rc = build_in_rounds(&w, hashes);
    if (rc == SITO_ENOMEM && w.round > PARTS_ROUND) {
        w.round = PARTS_ROUND;
        rc = build_in_rounds(&w, hashes);
    }
    return rc == SITO_ENOMEM ? build_by_adding(f, plan, hashes, n) : rc;
}
