/*
 * ribbon_build.c - a set becomes rows, layer by layer.
 *
 * Every layer: its hashes are carried to parts of some hundred buckets, which fit a cache; then,
 * piece by piece, a part's hashes go to their buckets, each bucket's are ordered by their starts
 * and freed of repeats, and the piece decides who is bumped. Threads carry a share of the hashes
 * each, and take piece after piece. What is left behind the last bucket goes into the last layer,
 * by a few tries (ribbon_last.c).
 */
#include "build/ribbon_last.h"

#include "build/lines.h"
#include "core/memory.h"

enum {
    RIBBON_PARTS = 512,       /* if it can be: their open lines fit the first cache */
    PART_BITS_MIN = 7,        /* buckets a part, as a power of two */
    PART_BITS_MAX = 11,       /* 2 MB of hashes; also no more than a piece */
    WORTH_A_THREAD = 1 << 15, /* hashes */
    WATCH_EVERY = 1 << 19,
    HELD = 1024,      /* hashes */
    SEEN_AHEAD = 512, /* hashes asked for ahead: a page, which is as far as machines look */
    TOGETHER = 8,     /* steps of a loop that counts in memory: each its own instructions, or each
                       * would wait for the one before */
};

/* What one thread works with. */
struct ribbon_hand {
    struct ribbon_work *work;
    unsigned number;
    size_t *first, *end; /* of each part, where its hashes are in `carried` */
    uint64_t *lines;     /* open lines, one a part */
    uint64_t *sorted;    /* a part's hashes, by buckets */
    uint32_t *bucket;    /* where those of each bucket end there */
    struct ribbon_piece *piece;
    uint64_t *held, ndistinct; /* bumped hashes not yet handed over */
    size_t nheld;
};

/* One layer's work. */
struct ribbon_work {
    sito_filter *f;
    const sito_plan *plan;
    const struct ribbon_layer *layer;
    uint64_t try;
    const uint64_t *hashes;
    size_t n, total; /* of this layer, of the first */
    unsigned nthreads, part_bits;
    uint64_t nparts, npieces;
    uint64_t
        pad; /* buckets missing to whole parts where the deep ones end: no part is of two pieces */
    uint64_t *carried, *bumped;
    size_t bumped_room, run_room; /* run_room: for a thread's hashes of a part; 0: as counted */
    struct ribbon_hand hand[HANDS_MAX];
    /* shared by the threads */
    uint64_t next_piece, nbumped, ndistinct, ndone;
    bool stop, is_over; /* is_over: a part had more hashes than room */
};

/* ---- threads ---- */

static bool is_stopped(struct ribbon_work *w) {
    return __atomic_load_n(&w->stop, __ATOMIC_RELAXED);
}

/* The caller's thread is the first hand's. The first layer is the way; the others are its last
 * step. */
static void watch_ribbon(struct ribbon_hand *h) {
    struct ribbon_work *w = h->work;
    if (h->number || !w->plan->watch || is_stopped(w)) return;
    uint64_t done = w->layer->number ? w->total : __atomic_load_n(&w->ndone, __ATOMIC_RELAXED);
    if (w->plan->watch(w->plan->watch_self, done, w->total))
        __atomic_store_n(&w->stop, true, __ATOMIC_RELAXED);
}

/* ---- hash -> part ---- */

static uint64_t hash_in_layer(const struct ribbon_work *w, uint64_t x) {
    return ribbon_hash(x, w->layer->number, w->try);
}

/* What tells a hash's part; a copy of its own, which no store can change. */
struct ribbon_way {
    uint64_t nbuckets, ndeep, pad;
    unsigned part_bits;
};

static struct ribbon_way way_of(const struct ribbon_work *w) {
    return (struct ribbon_way){w->layer->nbuckets, w->layer->ndeep, w->pad, w->part_bits};
}

static inline size_t ribbon_part(const struct ribbon_way *way, uint64_t h) {
    uint64_t bucket = range_of(h, way->nbuckets);
    return (size_t)((bucket + (bucket >= way->ndeep ? way->pad : 0)) >> way->part_bits);
}

static size_t share_from(const struct ribbon_work *w, unsigned number) {
    return (size_t)((unsigned __int128)w->n * number / w->nthreads);
}

static void *count_parts(void *self) {
    struct ribbon_hand *h = (struct ribbon_hand *)self;
    struct ribbon_work *w = h->work;
    size_t to = share_from(w, h->number + 1);
    struct ribbon_way way = way_of(w);
    memset(h->end, 0, w->nparts * sizeof *h->end);
    for (size_t i = share_from(w, h->number); i < to; i++) {
        if (i % WATCH_EVERY == 0) watch_ribbon(h);
        if (is_stopped(w)) break;
        h->end[ribbon_part(&way, hash_in_layer(w, w->hashes[i]))]++;
    }
    return NULL;
}

/* Hashes spread evenly: a little more than the mean is room enough, and nobody need count first. Unless
 * there are many copies. */
static void guess_parts(struct ribbon_work *w) {
    uint64_t buckets = least((uint64_t)1 << w->part_bits, w->layer->nbuckets);
    uint64_t mean = (w->n / w->nthreads + 1) * buckets / w->layer->nbuckets + 1;
    w->run_room = (size_t)rounded_up(mean + 8 * (ribbon_root(mean) + 1), HASH_LINE);
    for (unsigned t = 0; t < w->nthreads; t++)
        for (size_t p = 0; p < w->nparts; p++) w->hand[t].end[p] = w->run_room;
}

/* Part by part, and in each thread by thread; every run begins at a whole line. */
static size_t lay_out_parts(struct ribbon_work *w, size_t *largest) {
    size_t at = 0;
    *largest = 0;
    for (size_t p = 0; p < w->nparts; p++) {
        size_t before = at;
        for (unsigned t = 0; t < w->nthreads; t++) {
            size_t count = w->hand[t].end[p];
            w->hand[t].first[p] = w->hand[t].end[p] = at;
            at += (count + HASH_LINE - 1) / HASH_LINE * HASH_LINE;
        }
        if (at - before > *largest) *largest = at - before;
    }
    return at;
}

/* True if the part has no room for another line. */
static inline bool carry_one_on(struct ribbon_hand *h, const struct ribbon_way *way, uint64_t x) {
    size_t p = ribbon_part(way, x), end = h->end[p]++;
    h->lines[p * HASH_LINE + end % HASH_LINE] = x;
    if (end % HASH_LINE < HASH_LINE - 1) return false;
    line_out(h->work->carried + end - (HASH_LINE - 1), h->lines + p * HASH_LINE);
    return end + 1 - h->first[p] == h->work->run_room;
}

/* False if a part is full; that is seen in time, for each step is less than a line. */
static bool carry_some(struct ribbon_hand *h, const uint64_t *hashes, size_t n) {
    struct ribbon_way way = way_of(h->work);
    uint64_t number = h->work->layer->number, try = h->work->try;
    bool full = false;
    size_t i = 0;
    for (; i + TOGETHER <= n && !full; i += TOGETHER) {
        __builtin_prefetch(hashes + i + SEEN_AHEAD);
#pragma GCC unroll 8
        for (size_t j = 0; j < TOGETHER; j++)
            full |= carry_one_on(h, &way, ribbon_hash(hashes[i + j], number, try));
    }
    for (; i < n && !full; i++) full = carry_one_on(h, &way, ribbon_hash(hashes[i], number, try));
    return !full;
}

static void carry_share_on(struct ribbon_hand *h) {
    struct ribbon_work *w = h->work;
    size_t to = share_from(w, h->number + 1), step;
    for (size_t i = share_from(w, h->number); i < to; i += step) {
        step = (size_t)least(WATCH_EVERY, to - i);
        watch_ribbon(h);
        if (is_stopped(w)) return;
        if (carry_some(h, w->hashes + i, step)) continue;
        __atomic_store_n(&w->is_over, true, __ATOMIC_RELAXED);
        return;
    }
    for (size_t p = 0; p < w->nparts; p++) {
        size_t rest = h->end[p] % HASH_LINE;
        memcpy(w->carried + h->end[p] - rest, h->lines + p * HASH_LINE, rest * sizeof(uint64_t));
    }
}

static void *carry_parts(void *self) {
    carry_share_on((struct ribbon_hand *)self);
    lines_settle();
    return NULL;
}

/* ---- part -> buckets ---- */

/* After this, bucket[i] is where the hashes of bucket i of the part end. */
static void sort_part(struct ribbon_hand *h, size_t part, uint64_t first) {
    struct ribbon_work *w = h->work;
    uint64_t nbuckets = w->layer->nbuckets;
    uint32_t *bucket = h->bucket, sum = 0;
    memset(bucket, 0, sizeof *bucket << w->part_bits);
    for (unsigned t = 0; t < w->nthreads; t++) {
        const uint64_t *x = w->carried + w->hand[t].first[part];
        size_t n = w->hand[t].end[part] - w->hand[t].first[part], i = 0;
        for (; i + TOGETHER <= n; i += TOGETHER) {
            __builtin_prefetch(x + i + SEEN_AHEAD);
#pragma GCC unroll 8
            for (size_t j = 0; j < TOGETHER; j++) bucket[range_of(x[i + j], nbuckets) - first]++;
        }
        for (; i < n; i++) bucket[range_of(x[i], nbuckets) - first]++;
    }
    for (size_t b = 0; b < (size_t)1 << w->part_bits; b++) {
        uint32_t here = bucket[b];
        bucket[b] = sum;
        sum += here;
    }
    for (unsigned t = 0; t < w->nthreads; t++) {
        const uint64_t *x = w->carried + w->hand[t].first[part];
        size_t n = w->hand[t].end[part] - w->hand[t].first[part], i = 0;
        for (; i + TOGETHER <= n; i += TOGETHER) {
#pragma GCC unroll 8
            for (size_t j = 0; j < TOGETHER; j++)
                h->sorted[bucket[range_of(x[i + j], nbuckets) - first]++] = x[i + j];
        }
        for (; i < n; i++) h->sorted[bucket[range_of(x[i], nbuckets) - first]++] = x[i];
    }
}

/* Bumped hashes are held back and handed over many at a time: the threads share one list. */
static void hand_over(struct ribbon_work *w, const uint64_t *hashes, size_t n) {
    uint64_t at = __atomic_fetch_add(&w->nbumped, n, __ATOMIC_RELAXED);
    if (at <= w->bumped_room && n <= w->bumped_room - at)
        memcpy(w->bumped + at, hashes, n * sizeof *hashes);
}

static void hand_over_held(struct ribbon_hand *h) {
    hand_over(h->work, h->held, h->nheld);
    h->nheld = 0;
}

static void bump(struct ribbon_hand *h, const uint64_t *hashes, size_t n) {
    if (n > HELD - h->nheld) hand_over_held(h);
    if (n > HELD) {
        hand_over(h->work, hashes, n);
        return;
    }
    memcpy(h->held + h->nheld, hashes, n * sizeof *hashes);
    h->nheld += n;
}

/* Hashes that start together lie together: repeats are as near as the largest number of those. */
static bool may_have_repeats(const struct ribbon_piece *p, const struct ribbon_bucket *b) {
    enum { NEAR = 7 };
    return b->most > NEAR + 1 || p->kernel->repeats(b->hash, b->n, b->most);
}

static void drop_repeats(struct ribbon_bucket *b) {
    size_t n = b->n;
    b->n = 0;
    memset(b->met, 0, sizeof b->met);
    for (size_t i = 0; i < n; i++) {
        size_t j = b->n;
        while (j && b->start[j - 1] == b->start[i] && b->hash[j - 1] != b->hash[i]) j--;
        if (j && b->start[j - 1] == b->start[i]) continue;
        b->met[b->start[i]]++;
        b->hash[b->n] = b->hash[i];
        b->start[b->n++] = b->start[i];
    }
    for (unsigned s = 1; s < RIBBON_BUCKET; s++) b->met[s] = (uint16_t)(b->met[s] + b->met[s - 1]);
}

/* By the rows they start at. */
static void sort_bucket(const struct ribbon_layer *l, const struct ribbon_kernel *kernel,
                        struct ribbon_bucket *b, const uint64_t *hashes) {
    uint64_t nstarts = l->nbuckets * RIBBON_BUCKET;
    uint16_t at[RIBBON_BUCKET] = {0};
    uint8_t start[RIBBON_KEYS_MAX];
    size_t n = b->n, i = 0;
    for (; i + TOGETHER <= n; i += TOGETHER) {
#pragma GCC unroll 8
        for (size_t j = 0; j < TOGETHER; j++)
            at[start[i + j] = (uint8_t)(range_of(hashes[i + j], nstarts) % RIBBON_BUCKET)]++;
    }
    for (; i < n; i++) at[start[i] = (uint8_t)(range_of(hashes[i], nstarts) % RIBBON_BUCKET)]++;
    b->most = kernel->add_up(at, b->met);
    for (i = 0; i + TOGETHER <= n; i += TOGETHER) {
#pragma GCC unroll 8
        for (size_t j = 0; j < TOGETHER; j++) {
            uint16_t to = at[start[i + j]]++;
            b->hash[to] = hashes[i + j];
            b->start[to] = start[i + j];
        }
    }
    for (; i < n; i++) {
        uint16_t to = at[start[i]]++;
        b->hash[to] = hashes[i];
        b->start[to] = start[i];
    }
}

/* A bucket's hashes, each once. */
static void fill_bucket(struct ribbon_hand *h, struct ribbon_bucket *b, uint64_t *hashes,
                        size_t n) {
    bool many = n > RIBBON_KEYS_MAX;
    if (many) n = sort_distinct(hashes, n);
    b->crowded = n > RIBBON_KEYS_MAX;
    if (b->crowded) {
        bump(h, hashes, n);
        h->ndistinct += n;
        n = 0;
    }
    b->n = n;
    sort_bucket(h->work->layer, h->piece->kernel, b, hashes);
    if (!many && may_have_repeats(h->piece, b)) drop_repeats(b);
}

/* ---- buckets -> rows ---- */

struct piece_place {
    struct ribbon_hand *hand;
    uint64_t from, to; /* buckets of the layer */
    size_t part;       /* the first */
    bool deep;
};

static struct piece_place place_of_piece(struct ribbon_hand *h, uint64_t i) {
    const struct ribbon_work *w = h->work;
    const struct ribbon_layer *l = w->layer;
    uint64_t deep = ribbon_pieces(l->ndeep), from = i * RIBBON_PIECE;
    if (i < deep)
        return (struct piece_place){h, from, least(from + RIBBON_PIECE, l->ndeep),
                                    (size_t)(from >> w->part_bits), true};
    from = l->ndeep + (i - deep) * RIBBON_PIECE;
    return (struct piece_place){h, from, least(from + RIBBON_PIECE, l->nbuckets),
                                (size_t)((from + w->pad) >> w->part_bits), false};
}

/* Two pieces may share a byte of codes. */
static void bucket_settled(void *self, uint64_t bucket, const struct ribbon_bucket *b) {
    const struct piece_place *at = (const struct piece_place *)self;
    struct ribbon_work *w = at->hand->work;
    uint64_t i = w->layer->codes_at + at->from + bucket;
    bump(at->hand, b->hash, ribbon_first_kept(b, b->code));
    at->hand->ndistinct += b->n;
    if (b->code)
        __atomic_fetch_or(w->f->seg[1].at + i / 4, (uint8_t)(b->code << (i % 4 * 2)),
                          __ATOMIC_RELAXED);
}

static void build_piece(struct ribbon_hand *h, uint64_t i) {
    struct ribbon_work *w = h->work;
    struct ribbon_piece *p = h->piece;
    struct piece_place at = place_of_piece(h, i);
    unsigned bits = w->layer->bits + at.deep;
    p->bits = bits;
    p->self = &at;
    ribbon_piece_begin(p);
    for (uint64_t b = at.from; b < at.to && !is_stopped(w); at.part++) {
        uint64_t first = b, last = least(at.to, first + ((uint64_t)1 << w->part_bits));
        sort_part(h, at.part, first);
        for (uint32_t from = 0, end; b < last; b++, from = end) {
            end = h->bucket[b - first];
            fill_bucket(h, ribbon_piece_next(p), h->sorted + from, end - from);
            ribbon_piece_take(p);
        }
        __atomic_fetch_add(&w->ndone, h->bucket[last - first - 1], __ATOMIC_RELAXED);
        watch_ribbon(h);
    }
    if (is_stopped(w)) return;
    uint64_t rows = ribbon_piece_end(p);
    struct ribbon_spot out = ribbon_spot_of(w->layer, w->f->seg[0].at, at.from * RIBBON_BUCKET);
    p->kernel->solve(p->rows, rows, bits, w->f->seg[0].at + (out.block - w->f->seg[0].at));
}

static void *build_pieces(void *self) {
    struct ribbon_hand *h = (struct ribbon_hand *)self;
    for (uint64_t i; !is_stopped(h->work);) {
        i = __atomic_fetch_add(&h->work->next_piece, 1, __ATOMIC_RELAXED);
        if (i >= h->work->npieces) break;
        build_piece(h, i);
    }
    hand_over_held(h);
    __atomic_fetch_add(&h->work->ndistinct, h->ndistinct, __ATOMIC_RELAXED);
    return NULL;
}

/* ---- pages ---- */

/* Rows and bumped hashes are written little by little, the carried hashes all at once. Pages of the
 * three together are had together: a machine that lends its free memory to others gives it back
 * slowly, and until then may have kept what the last filter left. */
static void touch_share(const struct ribbon_hand *h, void *block, uint64_t bytes) {
    enum { PAGE = 4096 };
    uint64_t pages = bytes / PAGE, to = pages * (h->number + 1) / h->work->nthreads;
    for (uint64_t i = pages * h->number / h->work->nthreads; i < to; i++)
        ((volatile uint8_t *)block)[i * PAGE] = 0;
}

static void *touch_pages(void *self) {
    const struct ribbon_hand *h = (const struct ribbon_hand *)self;
    const struct ribbon_work *w = h->work;
    struct ribbon_layer next = *w->layer;
    ribbon_next(&next);
    touch_share(h, w->f->seg[0].at, w->f->seg[0].bytes);
    if (w->n >= w->layer->keys)
        touch_share(h, w->bumped, least(next.keys, w->bumped_room) * sizeof *w->bumped);
    return NULL;
}

/* ---- a layer ---- */

static void plan_work(struct ribbon_work *w) {
    const struct ribbon_layer *l = w->layer;
    w->part_bits = PART_BITS_MIN;
    while (w->part_bits < PART_BITS_MAX && l->nbuckets >> w->part_bits >= RIBBON_PARTS)
        w->part_bits++;
    uint64_t part = (uint64_t)1 << w->part_bits;
    w->pad = rounded_up(l->ndeep, part) - l->ndeep;
    w->nparts = rounded_up(l->nbuckets + w->pad, part) >> w->part_bits;
    w->npieces = ribbon_pieces(l->ndeep) + ribbon_pieces(l->nbuckets - l->ndeep);
    uint64_t threads = w->plan->threads ? w->plan->threads : 1;
    threads = least(least(threads, HANDS_MAX), w->n / WORTH_A_THREAD + 1);
    w->nthreads = (unsigned)threads;
}

static void lend_for_carrying(struct ribbon_work *w, struct lent *lent) {
    for (unsigned t = 0; t < w->nthreads; t++) {
        struct ribbon_hand *h = &w->hand[t];
        *h = (struct ribbon_hand){.work = w, .number = t};
        h->lines = (uint64_t *)lend(lent, w->nparts * HASH_LINE * sizeof *h->lines);
        h->first = (size_t *)lend(lent, 2 * w->nparts * sizeof *h->first);
        if (h->first) h->end = h->first + w->nparts;
    }
}

/* Fewer hands where a part is a large share of everything, or there are few pieces. */
static void lend_for_pieces(struct ribbon_work *w, struct lent *lent, size_t largest,
                            unsigned *hands) {
    uint64_t rows = least(w->layer->nbuckets, RIBBON_PIECE) * RIBBON_BUCKET + RIBBON_WIDTH;
    uint64_t most = least(w->npieces, largest ? w->n / largest + 1 : 1);
    *hands = (unsigned)least(w->nthreads, most);
    for (unsigned t = 0; t < *hands; t++) {
        struct ribbon_hand *h = &w->hand[t];
        uint64_t bytes = rounded_up(sizeof *h->piece, 64);
        h->sorted = (uint64_t *)lend(lent, (largest + 1) * sizeof *h->sorted);
        uint8_t *block = (uint8_t *)lend(lent, bytes + (2 * rows + HELD) * sizeof(uint64_t) +
                                                   (sizeof *h->bucket << w->part_bits));
        if (!block) return;
        h->piece = (struct ribbon_piece *)(void *)block;
        uint64_t *words = (uint64_t *)(void *)(block + bytes);
        h->piece->kernel = ribbon_kernel(UINT64_MAX);
        h->piece->rows = (struct ribbon_rows){words, words + rows};
        h->piece->settled = bucket_settled;
        h->held = words + 2 * rows;
        h->bucket = (uint32_t *)(void *)(h->held + HELD);
    }
}

/* Returns the hashes of the fullest part, or the room that it has. */
static size_t carry_to_parts(struct ribbon_work *w, struct lent *lent) {
    size_t largest = 0;
    guess_parts(w);
    for (w->is_over = true; w->is_over && !lent->is_short && !is_stopped(w); w->run_room = 0) {
        w->is_over = false;
        if (!w->run_room) share_among(w->hand, sizeof *w->hand, w->nthreads, count_parts);
        size_t room = lay_out_parts(w, &largest);
        if (largest > UINT32_MAX) lent->is_short = true; /* repeats, more than memory would hold */
        if (w->carried) give_last(lent);
        w->carried = (uint64_t *)lend(lent, (room + 1) * sizeof *w->carried);
        if (!lent->is_short) share_among(w->hand, sizeof *w->hand, w->nthreads, carry_parts);
    }
    return largest;
}

static sito_rc build_layer(struct ribbon_work *w) {
    struct lent lent = {.mem = &w->f->mem};
    unsigned hands = 0;
    plan_work(w);
    lend_for_carrying(w, &lent);
    if (!lent.is_short) {
        if (!w->layer->number) share_among(w->hand, sizeof *w->hand, w->nthreads, touch_pages);
        size_t largest = carry_to_parts(w, &lent);
        if (!lent.is_short) lend_for_pieces(w, &lent, largest, &hands);
    }
    if (!lent.is_short) share_among(w->hand, sizeof *w->hand, hands, build_pieces);
    give_all(&lent);
    return lent.is_short ? SITO_ENOMEM : w->stop ? SITO_ECANCEL : SITO_OK;
}

/* ---- all layers ---- */

static bool rest_new(struct ribbon_rest *rest, const sito_memory *mem, size_t room) {
    *rest = (struct ribbon_rest){.room = room};
    rest->keys = (uint64_t *)take(mem, (uint64_t)room * sizeof *rest->keys, false);
    return rest->keys;
}

static void rest_free(struct ribbon_rest *rest, const sito_memory *mem) {
    give(mem, rest->keys, (uint64_t)rest->room * sizeof *rest->keys);
    rest->keys = NULL;
}

/* Few keys, of perhaps many hashes: the distinct ones, by a table at most half full. 0 is an empty
 * place, and a key that needs none. */
static sito_rc rest_of_few(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n,
                           struct ribbon_rest *rest) {
    enum { PLACES = 4 * RIBBON_LAST_KEYS, MOST = PLACES / 2 };
    uint64_t *place = (uint64_t *)take(&f->mem, PLACES * sizeof *place, true);
    sito_rc rc = rest_new(rest, &f->mem, MOST) && place ? SITO_OK : SITO_ENOMEM;
    bool zero = false;
    for (size_t i = 0; i < n && rc == SITO_OK; i++) {
        if (i % WATCH_EVERY == 0 && plan->watch && plan->watch(plan->watch_self, i, n))
            rc = SITO_ECANCEL;
        uint64_t x = hashes[i], at = range_of(ribbon_stir(x), PLACES);
        while (place[at] && place[at] != x) at = (at + 1) % PLACES;
        if (x ? place[at] == x : zero) continue;
        if (rest->n == MOST) rc = SITO_EFULL;
        if (rc != SITO_OK) break;
        if (x) place[at] = x;
        else zero = true;
        rest->keys[rest->n++] = x;
    }
    give(&f->mem, place, PLACES * sizeof *place);
    return rc;
}

/* One layer, from what is left to what is left then. */
static sito_rc pass_layer(sito_filter *f, const sito_plan *plan, const struct ribbon_layer *l,
                          uint64_t try, const uint64_t *hashes, size_t n, size_t total,
                          struct ribbon_rest *rest) {
    if (!rest_new(rest, &f->mem, (size_t)least(n, l->keys) / 6 + 1024)) return SITO_ENOMEM;
    struct ribbon_work w = {.f = f,
                            .plan = plan,
                            .layer = l,
                            .try = try,
                            .hashes = hashes,
                            .n = n,
                            .total = total,
                            .bumped = rest->keys,
                            .bumped_room = rest->room};
    sito_rc rc = build_layer(&w);
    rest->n = (size_t)w.nbumped;
    if (!l->number) f->nkeys = w.ndistinct, f->extra[EXTRA_RIBBON_BUMPED] = w.nbumped;
    return rc == SITO_OK && rest->n > rest->room ? SITO_EFULL : rc;
}

/* SITO_EFULL: more was bumped than the last layer holds. */
static sito_rc build_all(sito_filter *f, const sito_plan *plan, uint64_t try,
                         const uint64_t *hashes, size_t n) {
    struct ribbon_layer l = ribbon_first(&f->shape);
    struct ribbon_rest rest = {0}, next = {0};
    sito_rc rc = SITO_OK;
    if (!l.nbuckets) {
        rc = rest_of_few(f, plan, hashes, n, &rest);
        f->nkeys = rest.n;
    }
    f->extra[EXTRA_RIBBON_TRY] = try;
    for (uint64_t salt = try; l.nbuckets && rc == SITO_OK; ribbon_next(&l), salt = 0) {
        rc = pass_layer(f, plan, &l, salt, rest.keys ? rest.keys : hashes, rest.keys ? rest.n : n,
                        n, &next);
        rest_free(&rest, &f->mem);
        rest = next;
    }
    if (rc == SITO_OK) rc = build_last(f, &l, &rest);
    rest_free(&rest, &f->mem);
    return rc;
}

/* By bad luck too much may be left for the last layer: once in thousands of builds, and then other
 * places help. Too many keys no places help. */
sito_rc ribbon_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n) {
    sito_rc rc = n ? SITO_EFULL : SITO_OK;
    if (!n) f->extra[EXTRA_RIBBON_TRY] = RIBBON_EMPTY;
    for (uint64_t try = 0; try < RIBBON_TRIES && rc == SITO_EFULL; try++) {
        if (try && f->nkeys > f->capacity) break;
        for (int i = 0; i < SEGMENTS && try; i++)
            if (f->seg[i].at) memset(f->seg[i].at, 0, (size_t)f->seg[i].bytes);
        rc = build_all(f, plan, try, hashes, n);
        if (!ribbon_first(&f->shape).nbuckets) break;
    }
    if (rc == SITO_OK && plan->watch && plan->watch(plan->watch_self, n, n)) rc = SITO_ECANCEL;
    return rc;
}
