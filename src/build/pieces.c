/*
 * pieces.c - a fuse filter is made whole: hashes are carried to their pieces, and threads peel them.
 *
 * Carrying reads and writes in order, a whole line at a time and past the cache. Who does which piece
 * does not matter to the outcome.
 */
#include "build/sweep.h"

#include "build/lines.h"
#include "core/memory.h"

/* What a thread has to itself. */
struct piece_hand {
    struct peeler own;
    uint64_t *lines;      /* one open line a piece while hashes are carried */
    uint64_t *begin, *at; /* of each piece's run of hashes: where it begins, where the next goes */
    uint64_t *end;        /* and its room */
};

struct fuse_work {
    struct peeling how;
    sito_filter *f;
    unsigned nthreads;
    const uint64_t *hashes;
    const uint32_t *values; /* NULL: none */
    size_t n;
    uint32_t *carried_values; /* beside the hashes */
    uint64_t *carried;        /* stirred hashes by piece, in each by thread, with room to spare */
    uint64_t run_room;        /* for a thread's hashes of a piece; 0: as many as were counted */
    bool is_over;             /* that was not enough */
    struct piece_hand *hand;
    const sito_plan *plan;
    uint64_t most, usual;       /* hashes of the fullest piece; of one that all have room for */
    uint64_t next, nkeys, done; /* pieces handed out; keys that are in; hashes seen to */
    int outcome;
};

struct fuse_hand {
    struct fuse_work *work;
    unsigned number;
    bool is_callers;
};

/* ---- threads ---- */

static void peel_together(struct fuse_work *w, void *(*share)(void *self)) {
    struct fuse_hand hand[PEEL_RUNS_MAX];
    for (unsigned t = 0; t < w->nthreads; t++) hand[t] = (struct fuse_hand){w, t, t == 0};
    share_among(hand, sizeof *hand, w->nthreads, share);
}

static bool peeling_goes_on(const struct fuse_work *w) {
    return __atomic_load_n(&w->outcome, __ATOMIC_RELAXED) == SITO_OK;
}

static void end_with(struct fuse_work *w, int rc) {
    __atomic_store_n(&w->outcome, rc, __ATOMIC_RELAXED);
}

static void watch_peeling(struct fuse_work *w) {
    uint64_t done = __atomic_load_n(&w->done, __ATOMIC_RELAXED);
    if (w->plan->watch && w->plan->watch(w->plan->watch_self, done, w->n))
        end_with(w, SITO_ECANCEL);
}

/* ---- hash -> piece ---- */

static size_t share_begin(const struct fuse_work *w, unsigned number) {
    return (size_t)((unsigned __int128)w->n * number / w->nthreads);
}

static void *count_pieces(void *self) {
    struct fuse_hand *h = (struct fuse_hand *)self;
    struct fuse_work *w = h->work;
    uint64_t *count = w->hand[h->number].at;
    size_t end = share_begin(w, h->number + 1);
    memset(count, 0, (size_t)w->how.t.npieces * sizeof *count);
    for (size_t i = share_begin(w, h->number); i < end; i++)
        count[range_of(fuse_stirred(w->hashes[i], w->how.salt), w->how.t.npieces)]++;
    return NULL;
}

/* From counts to places, each run at a whole line: the pieces one behind the other, in each the
 * threads in their order. Returns the room for all. */
static uint64_t lay_out_runs(struct fuse_work *w) {
    uint64_t sum = 0;
    for (uint64_t p = 0; p < w->how.t.npieces; p++)
        for (unsigned t = 0; t < w->nthreads; t++) {
            struct piece_hand *own = &w->hand[t];
            uint64_t room = w->run_room ? w->run_room : rounded_up(own->at[p], HASH_LINE);
            own->begin[p] = own->at[p] = sum;
            own->end[p] = sum += room;
        }
    return sum;
}

static void *carry_to_pieces(void *self) {
    enum { WATCHED = 1 << 20 };
    struct fuse_hand *h = (struct fuse_hand *)self;
    struct fuse_work *w = h->work;
    struct piece_hand *own = &w->hand[h->number];
    size_t end = share_begin(w, h->number + 1);
    uint64_t npieces = w->how.t.npieces, *carried = w->carried;
    bool is_over = false;
    for (size_t from = share_begin(w, h->number); from < end && peeling_goes_on(w);
         from += WATCHED) {
        size_t to = (size_t)least(end, from + WATCHED);
        for (size_t i = from; i < to && !is_over; i++) {
            uint64_t x = fuse_stirred(w->hashes[i], w->how.salt), p = range_of(x, npieces);
            uint64_t at = own->at[p]++, *line = own->lines + p * HASH_LINE;
            line[at % HASH_LINE] = x;
            if (at % HASH_LINE < HASH_LINE - 1) continue;
            line_out(carried + at - (HASH_LINE - 1), line);
            is_over = at + 1 == own->end[p] && w->run_room;
        }
        if (h->is_callers) watch_peeling(w);
    }
    for (uint64_t p = 0; p < npieces; p++) {
        uint64_t rest = own->at[p] % HASH_LINE;
        memcpy(carried + own->at[p] - rest, own->lines + p * HASH_LINE, rest * sizeof *carried);
    }
    if (is_over) __atomic_store_n(&w->is_over, true, __ATOMIC_RELAXED);
    lines_settle();
    return NULL;
}

/* Each to where its hash has gone: as these were put there in the order they came. */
static void *carry_values(void *self) {
    struct fuse_hand *h = (struct fuse_hand *)self;
    struct fuse_work *w = h->work;
    struct piece_hand *own = &w->hand[h->number];
    size_t end = share_begin(w, h->number + 1);
    uint64_t npieces = w->how.t.npieces;
    memcpy(own->at, own->begin, (size_t)npieces * sizeof *own->at);
    for (size_t i = share_begin(w, h->number); i < end; i++) {
        uint64_t p = range_of(fuse_stirred(w->hashes[i], w->how.salt), npieces);
        w->carried_values[own->at[p]++] = w->values[i];
    }
    return NULL;
}

/* ---- all pieces ---- */

static struct piece_keys keys_of_piece(const struct fuse_work *w, uint64_t p) {
    struct piece_keys k = {
        .nruns = 1, .n = w->n, .from = {w->hashes}, .values = {w->values}, .run = {w->n}};
    if (!w->carried) return k;
    k.nruns = w->nthreads;
    k.stage = STIRRED;
    k.n = 0;
    for (unsigned t = 0; t < w->nthreads; t++) {
        k.from[t] = w->carried + w->hand[t].begin[p];
        if (w->values) k.values[t] = w->carried_values + w->hand[t].begin[p];
        k.n += k.run[t] = (size_t)(w->hand[t].at[p] - w->hand[t].begin[p]);
    }
    return k;
}

static bool fuse_piece(struct fuse_work *w, struct peeler *own, uint64_t p,
                       const struct piece_keys *k) {
    sito_filter *f = w->f;
    uint64_t nkeys, bytes = w->how.t.piece_slots / 8 * w->how.bits;
    unsigned attempt = peel_piece(&w->how, own, k, f->seg[0].at + p * bytes, &nkeys);
    if (!attempt) return false;
    f->seg[1].at[p] = (uint8_t)attempt;
    __atomic_fetch_add(&w->nkeys, nkeys, __ATOMIC_RELAXED);
    return true;
}

static void fuse_next(const struct fuse_hand *h, uint64_t p, bool is_usual) {
    struct fuse_work *w = h->work;
    struct peeler *own = &w->hand[h->number].own;
    const struct piece_keys k = keys_of_piece(w, p);
    if ((k.n <= w->usual) != is_usual) return;
    if (k.n && !fuse_piece(w, own, p, &k) && peeling_goes_on(w))
        end_with(w, own->is_contrary ? SITO_EINVAL : SITO_EFULL);
    __atomic_fetch_add(&w->done, k.n, __ATOMIC_RELAXED);
    if (h->is_callers) watch_peeling(w);
}

/* Those that copies overfill are for the first thread, which alone has room for them; the others for
 * whoever comes next. */
static void *fuse_pieces(void *self) {
    const struct fuse_hand *h = (const struct fuse_hand *)self;
    struct fuse_work *w = h->work;
    uint64_t p, npieces = w->how.t.npieces;
    if (h->number == 0 && w->most > w->usual)
        for (p = 0; p < npieces && peeling_goes_on(w); p++) fuse_next(h, p, false);
    while (peeling_goes_on(w) && (p = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED)) < npieces)
        fuse_next(h, p, true);
    return NULL;
}

static uint64_t root_of(uint64_t n) {
    uint64_t root = 1;
    while (root * root < n) root++;
    return root;
}

/* More keys than this, and a piece was not planned for them: chance does not go eight standard
 * deviations from the mean. */
static uint64_t most_in_piece(const sito_filter *f, uint64_t npieces) {
    uint64_t mean = f->capacity / npieces + 1;
    return npieces > 1 ? mean + 8 * root_of(mean) : f->capacity;
}

/* Memory comes and goes on the caller's thread: all of it beforehand. */
struct fuse_room {
    uint64_t peelers, books, carried, values, scratch;
    uint8_t *scratch_at;
    uint64_t *books_at;
};

static bool room_for_books(struct fuse_work *w, struct fuse_room *room) {
    uint64_t npieces = w->how.t.npieces;
    room->peelers = w->nthreads * sizeof *w->hand;
    w->hand = (struct piece_hand *)take(&w->f->mem, room->peelers, true);
    if (!w->hand) return false;
    if (npieces == 1) return true;
    room->books = npieces * (HASH_LINE + 3) * w->nthreads * sizeof(uint64_t);
    uint64_t *at = room->books_at = (uint64_t *)take(&w->f->mem, room->books, true);
    for (unsigned t = 0; at && t < w->nthreads; t++) {
        w->hand[t].lines = at + t * npieces * HASH_LINE;
        w->hand[t].begin = at + (w->nthreads * HASH_LINE + 3 * t) * npieces;
        w->hand[t].at = w->hand[t].begin + npieces;
        w->hand[t].end = w->hand[t].at + npieces;
    }
    return at != NULL;
}

/* A thread's own. Keys are laid out in order where the pieces are so many that room for one more of them
 * is little; but not with values, for nobody carries these along. */
struct peel_room {
    uint64_t keys, in_order;                /* how many */
    uint64_t slots_bytes, order_bytes, all; /* bytes */
};

/* For pieces of `most` hashes, copies included. */
static struct peel_room peel_room_for(const struct fuse_work *w, uint64_t most) {
    enum { SORTED_FROM = 3 };
    const struct fuse_table *t = &w->how.t;
    bool is_sorted = t->npieces >= SORTED_FROM && !w->values;
    uint64_t slots = t->piece_slots;
    struct peel_room r = {.keys = is_sorted ? sweep_keys_room(t, most) : 0};
    r.in_order = is_sorted ? sweep_order_room(t) : slots + slots / 4 + 1;
    r.slots_bytes = rounded_up((slots + 1) * sizeof(uint64_t), CELLS_ALIGN);
    r.order_bytes = rounded_up(r.in_order * sizeof(uint32_t), CELLS_ALIGN);
    uint64_t keys_bytes = rounded_up(product_of(r.keys, sizeof(uint64_t)), CELLS_ALIGN);
    uint64_t sums_bytes = w->values ? rounded_up(slots * sizeof(uint32_t), CELLS_ALIGN) : 0;
    r.all = sum_of(keys_bytes, r.slots_bytes + r.order_bytes + sums_bytes);
    return r;
}

/* The first thread's is for the fullest piece, the others' for as many hashes as a piece has in the
 * mean, twice: so the room does not grow with threads and copies at once. */
static bool room_to_peel(struct fuse_work *w, struct fuse_room *room) {
    uint64_t twice = 2 * (w->n / w->how.t.npieces), keys = w->how.most_keys;
    w->usual = w->values ? w->most : least(w->most, twice > keys ? twice : keys);
    const struct peel_room first = peel_room_for(w, w->most), other = peel_room_for(w, w->usual);
    room->scratch = sum_of(first.all, product_of(other.all, w->nthreads - 1));
    room->scratch_at = (uint8_t *)take(&w->f->mem, room->scratch, false);
    if (!room->scratch_at) return false;
    uint8_t *at = room->scratch_at;
    for (unsigned h = 0; h < w->nthreads; h++) {
        const struct peel_room *r = h ? &other : &first;
        uint8_t *rest = at + r->slots_bytes + r->order_bytes;
        struct peeler *own = &w->hand[h].own;
        own->slots = (uint64_t *)(void *)at;
        own->order = (uint32_t *)(void *)(at + r->slots_bytes);
        own->room = r->in_order;
        own->keys_room = r->keys;
        if (r->keys) own->keys = (uint64_t *)(void *)rest;
        if (w->values) own->sums = (uint32_t *)(void *)rest;
        at += r->all;
    }
    return true;
}

static void give_back(struct fuse_work *w, struct fuse_room *room) {
    give(&w->f->mem, room->scratch_at, room->scratch);
    give(&w->f->mem, w->carried_values, room->values);
    give(&w->f->mem, w->carried, room->carried);
    give(&w->f->mem, room->books_at, room->books);
    give(&w->f->mem, w->hand, room->peelers);
}

/* Hashes spread evenly: a little more than the mean is room enough, and nobody need count first. Unless
 * there are many copies. */
static void carry_all(struct fuse_work *w, struct fuse_room *room) {
    uint64_t mean = w->n / w->how.t.npieces / w->nthreads + 1;
    w->run_room = rounded_up(mean + 8 * root_of(mean), HASH_LINE);
    for (w->is_over = true; w->is_over && peeling_goes_on(w); w->run_room = 0) {
        w->is_over = false;
        give(&w->f->mem, w->carried, room->carried);
        if (!w->run_room) peel_together(w, count_pieces);
        uint64_t nplaces = lay_out_runs(w);
        room->carried = product_of(nplaces, sizeof *w->carried);
        room->values = product_of(nplaces, sizeof *w->carried_values);
        w->carried = (uint64_t *)take(&w->f->mem, room->carried, false);
        if (w->carried) peel_together(w, carry_to_pieces);
        else end_with(w, SITO_ENOMEM);
    }
    if (!w->values || !peeling_goes_on(w)) return;
    w->carried_values = (uint32_t *)take(&w->f->mem, room->values, false);
    if (w->carried_values) peel_together(w, carry_values);
    else end_with(w, SITO_ENOMEM);
}

/* How many hashes has the fullest piece? */
static uint64_t most_hashes(const struct fuse_work *w) {
    uint64_t most = 0;
    for (uint64_t p = 0; p < w->how.t.npieces; p++) {
        uint64_t n = keys_of_piece(w, p).n;
        if (n > most) most = n;
    }
    return most;
}

static sito_rc build_salted(struct fuse_work *w) {
    struct fuse_room room = {0};
    w->outcome = SITO_OK;
    w->next = w->nkeys = w->done = 0;
    w->hand = NULL, w->carried = NULL, w->carried_values = NULL;
    if (!room_for_books(w, &room)) end_with(w, SITO_ENOMEM);
    if (peeling_goes_on(w) && w->how.t.npieces > 1) carry_all(w, &room);
    w->most = peeling_goes_on(w) ? most_hashes(w) : 0;
    if (w->most > UINT32_MAX) end_with(w, SITO_ELIMIT);
    if (peeling_goes_on(w) && !room_to_peel(w, &room)) end_with(w, SITO_ENOMEM);
    if (peeling_goes_on(w)) peel_together(w, fuse_pieces);
    if (peeling_goes_on(w) && w->nthreads > 1) watch_peeling(w); /* others may have ended last */
    give_back(w, &room);
    return w->outcome;
}

/* Values that the shape has room for would be missing. */
sito_rc fuse_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n) {
    if (f->shape.param[PARAM_VALUE_BITS]) return SITO_EINVAL;
    return fuse_build_valued(f, plan, hashes, NULL, n);
}

sito_rc fuse_build_valued(sito_filter *f, const sito_plan *plan, const uint64_t *hashes,
                          const uint32_t *values, size_t n) {
    unsigned arity = f->shape.param[PARAM_ARITY];
    struct fuse_table t = fuse_table_of(f->shape.ncells, arity);
    struct fuse_work w = {.f = f, .hashes = hashes, .values = values, .n = n, .plan = plan};
    w.how = (struct peeling){.t = t,
                             .arity = arity,
                             .bits = fuse_slot_bits(&f->shape),
                             .value_at = f->shape.param[PARAM_MARK_BITS],
                             .most_keys = most_in_piece(f, t.npieces)};
    w.nthreads =
        (unsigned)least(plan->threads ? plan->threads : 1, least(t.npieces, PEEL_RUNS_MAX));
    sito_rc rc = SITO_EFULL;
    for (uint64_t salt = 0; salt < SALTS_MAX && rc == SITO_EFULL; salt++) {
        if (salt) {
            memset(f->seg[0].at, 0, (size_t)f->seg[0].bytes);
            memset(f->seg[1].at, 0, (size_t)f->seg[1].bytes);
        }
        f->extra[EXTRA_SALT] = w.how.salt = salt;
        rc = build_salted(&w);
    }
    f->nkeys = w.nkeys;
    return rc == SITO_OK && f->nkeys > f->capacity ? SITO_EFULL : rc;
}
