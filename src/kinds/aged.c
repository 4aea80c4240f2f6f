/*
 * aged.c - an age-partitioned Bloom filter (Shtul, Baquero, Almeida 2020): the window of the last
 * keys, and nothing older.
 *
 * k + l slices of equal size stand in a ring, the youngest first. An add sets one bit in each of
 * the k youngest; after a generation the oldest is emptied and becomes the youngest. A key is
 * inside if k neighbours have its bit. Each slice draws its bit by itself, so a slice keeps its
 * draws while it grows old.
 */
#include "core/filter.h"

#include <math.h>

#include "cells/bits.h"
#include "core/plan.h"
#include "core/rate.h"
#include "place/range.h"
#include "sito/aged.h"

enum {
    PARAM_YOUNG = 0,       /* k */
    PARAM_GENERATIONS = 1, /* l */
    PARAM_EACH = 2,        /* adds a generation: a number of 16 bits ... */
    PARAM_SHIFT = 3,       /* ... times a power of two; and BY_TIME */
    BY_TIME = 1 << 15,
    EXTRA_ADDS = 0,     /* of the youngest generation */
    EXTRA_YOUNGEST = 1, /* where in the ring it is */
    SLICES_MAX = 320,
    SLICE_STEP = 64,  /* slices are whole words */
    L_PER_K = 4,      /* more save little room and take longer to ask */
    BEYOND_BITS = 24, /* so far beyond a rate's may the best k be, where slices are few words */
};

struct ring {
    uint64_t size; /* bits a slice */
    unsigned k, slices, youngest;
};

static unsigned slices_in(const struct shape *s) {
    return (unsigned)s->param[PARAM_YOUNG] + s->param[PARAM_GENERATIONS];
}

static uint64_t adds_a_generation(const struct shape *s) {
    return (uint64_t)s->param[PARAM_EACH] << (s->param[PARAM_SHIFT] & 63);
}

static inline struct ring ring_of(const sito_filter *f) {
    unsigned slices = slices_in(&f->shape);
    return (struct ring){.size = f->shape.ncells / slices,
                         .k = f->shape.param[PARAM_YOUNG],
                         .slices = slices,
                         .youngest = (unsigned)f->extra[EXTRA_YOUNGEST]};
}

/* ---- hash -> place ---- */

/* The bit of a key in the slice of this age. */
static inline uint64_t aged_spot(const struct ring *r, unsigned age, uint64_t hash) {
    unsigned slice = r->youngest + age;
    if (slice >= r->slices) slice -= r->slices;
    uint64_t x = (hash + slice * 0x9e3779b97f4a7c15u) * 0xd1342543de82ef95u;
    return slice * r->size + range_of((x ^ x >> 32) * 0x9e3779b97f4a7c15u, r->size);
}

/* ---- place -> answer ---- */

/* A search for k neighbours. From the oldest k on: the ages `at` to `end` are still to be seen,
 * those from there to start + k are known to have the bit. Where one has not, no run can hold it,
 * and the next begins k earlier. */
struct run_search {
    unsigned start, at, end;
};

static inline struct run_search search_from(const struct ring *r) {
    unsigned oldest = r->slices - r->k;
    return (struct run_search){oldest, oldest, r->slices};
}

/* The bit at `at` was seen: true, the search goes on; else it is over, found if at == end. */
static inline bool search_on(struct run_search *s, unsigned k, unsigned is_set) {
    if (is_set) return ++s->at < s->end;
    if (s->at < k) return false;
    unsigned start = s->at - k;
    *s = (struct run_search){start, start, s->start};
    return true;
}

static bool aged_maybe(const sito_filter *f, uint64_t hash) {
    struct ring r = ring_of(f);
    struct run_search s = search_from(&r);
    while (search_on(&s, r.k, bit_at(f->seg[0].at, aged_spot(&r, s.at, hash)))) continue;
    return s.at == s.end;
}

enum { SEARCHERS = 64 };

/* A batch goes round by round, as in walk_bits.h: each round looks at one bit of everybody who is
 * still searching, and asks for the line of the next. */
static void aged_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                            uint8_t *answers) {
    struct ring r = ring_of(f);
    const uint8_t *cells = f->seg[0].at;
    struct run_search s[SEARCHERS];
    uint64_t spot[SEARCHERS];
    uint8_t who[SEARCHERS];
    for (size_t done = 0; done < n; done += SEARCHERS) {
        unsigned left = (unsigned)least(SEARCHERS, n - done);
        for (unsigned j = 0; j < left; j++) {
            s[j] = search_from(&r);
            spot[j] = aged_spot(&r, s[j].at, hashes[done + j]);
            who[j] = (uint8_t)j;
            __builtin_prefetch(cells + spot[j] / 8);
        }
        while (left) {
            unsigned still = 0;
            for (unsigned j = 0; j < left; j++) {
                struct run_search mine = s[j];
                bool goes_on = search_on(&mine, r.k, bit_at(cells, spot[j]));
                answers[done + who[j]] = mine.at == mine.end;
                if (!goes_on) continue;
                s[still] = mine, who[still] = who[j];
                spot[still] = aged_spot(&r, mine.at, hashes[done + who[j]]);
                __builtin_prefetch(cells + spot[still++] / 8);
            }
            left = still;
        }
    }
}

/* ---- adds, and generations ---- */

static void grow_older(sito_filter *f) {
    struct ring r = ring_of(f);
    unsigned oldest = (r.youngest ? r.youngest : r.slices) - 1;
    memset(f->seg[0].at + oldest * (r.size / 8), 0, (size_t)(r.size / 8));
    f->extra[EXTRA_YOUNGEST] = oldest;
    f->extra[EXTRA_ADDS] = 0;
}

static int aged_add(sito_filter *f, uint64_t hash) {
    bool by_time = f->shape.param[PARAM_SHIFT] & BY_TIME;
    if (!by_time && f->extra[EXTRA_ADDS] >= adds_a_generation(&f->shape)) grow_older(f);
    bool is_new = !aged_maybe(f, hash);
    struct ring r = ring_of(f);
    for (unsigned age = 0; age < r.k; age++) bit_set(f->seg[0].at, aged_spot(&r, age, hash));
    f->extra[EXTRA_ADDS] += f->extra[EXTRA_ADDS] < UINT64_MAX;
    f->nkeys += is_new;
    return is_new;
}

static sito_rc aged_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                             size_t *done) {
    enum { SOON = 8 };
    for (*done = 0; *done < n; ++*done) {
        if (*done + SOON < n) {
            struct ring r = ring_of(f);
            uint64_t soon = hashes[*done + SOON];
            for (unsigned age = 0; age < r.k; age++)
                __builtin_prefetch(f->seg[0].at + aged_spot(&r, age, soon) / 8, 1);
            for (unsigned age = r.k; age < r.slices; age += r.k)
                __builtin_prefetch(f->seg[0].at + aged_spot(&r, age, soon) / 8);
        }
        int answer = aged_add(f, hashes[*done]);
        if (answers) answers[*done] = (int8_t)answer;
    }
    return SITO_OK;
}

sito_rc sito_aged_advance(sito_filter *f, unsigned generations) {
    if (!f) return SITO_EINVAL;
    if (f->kind != &kind_aged || !(f->can & SITO_CAN_ADD)) return SITO_EUNABLE;
    uint64_t steps = least(generations, slices_in(&f->shape)); /* then all are empty */
    for (uint64_t i = 0; i < steps; i++) grow_older(f);
    return SITO_OK;
}

/* ---- how often is a stranger let in? ---- */

/* The chance of k neighbours with a stranger's bit, given the share of ones in each slice: the
 * slices' draws are independent. run[j] is the chance that the last j slices had it, and the one
 * before them not. */
static double run_rate(const double *ones, unsigned slices, unsigned k) {
    double run[HASHES_MAX] = {1}, found = 0;
    for (unsigned i = 0; i < slices; i++) {
        double none = 0;
        found += run[k - 1] * ones[i];
        for (unsigned j = 0; j < k; j++) none += run[j];
        for (unsigned j = k - 1; j > 0; j--) run[j] = run[j - 1] * ones[i];
        run[0] = none * (1 - ones[i]);
    }
    return fmin(found, BELOW_ONE);
}

/* At the end of a generation slice i has had those of its own and of i older ones, of k at most. */
static double ring_rate(uint64_t size, unsigned k, unsigned generations, uint64_t each) {
    double ones[SLICES_MAX];
    unsigned slices = k + generations;
    for (unsigned i = 0; i < slices; i++)
        ones[i] = i < k ? touched((double)size, (double)(i + 1) * (double)each) : ones[k - 1];
    uint64_t remembered = product_of(generations + 1, each);
    return with_hash_rate(run_rate(ones, slices, k), remembered);
}

static double aged_rate(const struct shape *s, uint64_t nkeys) {
    (void)nkeys; /* adds without end make no difference */
    return ring_rate(s->ncells / slices_in(s), s->param[PARAM_YOUNG], s->param[PARAM_GENERATIONS],
                     adds_a_generation(s));
}

/* ---- wish -> shape ---- */

/* Adds a generation, rounded up to what a shape can tell: 16 bits and a power of two. */
static uint64_t rounded_each(uint64_t window, unsigned generations) {
    uint64_t each = window / generations + (window % generations != 0);
    unsigned shift = each >> 16 ? 48 - (unsigned)__builtin_clzll(each) : 0;
    return rounded_up(each, (uint64_t)1 << shift);
}

struct ring_question {
    unsigned k, generations;
    uint64_t each;
    double fpr;
};

static bool words_suffice(const void *self, uint64_t words) {
    const struct ring_question *q = (const struct ring_question *)self;
    return ring_rate(words * SLICE_STEP, q->k, q->generations, q->each) <= q->fpr;
}

static bool makes_slices(uint64_t ncells, uint64_t slices) {
    return slices <= SLICES_MAX && ncells % (slices * SLICE_STEP) == 0;
}

/* Generations of a window for this k: as asked, or as many as are worth it and make slices of whole
 * words, if the cells are given. More than adds in the window only if no fewer will do. 0: no such
 * ring. */
static unsigned generations_for(const sito_plan *p, uint64_t window, unsigned k) {
    if (p->max_layers) return makes_slices(p->ncells, k + p->max_layers) ? p->max_layers : 0;
    uint64_t worth = L_PER_K * k, l = least(worth, window), more = l + 1;
    while (l && !makes_slices(p->ncells, k + l)) l--;
    if (l) return (unsigned)l;
    while (more <= worth && !makes_slices(p->ncells, k + more)) more++;
    return more <= worth ? (unsigned)more : 0;
}

/* Bits a slice, where the size is given; 0: not a word. */
static uint64_t size_given(const sito_plan *p, unsigned slices) {
    if (p->ncells) return p->ncells / slices;
    return least(p->max_bytes, CELLS_MAX) * 8 / (slices * (uint64_t)SLICE_STEP) * SLICE_STEP;
}

/* The best k: of the smallest ring that meets the rate, or of the ring of that size that errs
 * least. Fills in nhashes, ncells and real_fpr; false if there is none. */
static bool best_ring(sito_plan *p, uint64_t window) {
    const sito_plan wish = *p; /* p tells the best so far: no wish of the next k */
    bool is_given = size_is_given(p);
    double bits = p->fpr > 0 ? -log2(p->fpr) : HASHES_MAX;
    unsigned asked = p->nhashes, from = is_given || bits < 3 ? 1 : (unsigned)bits - 2;
    unsigned to = p->ncells ? HASHES_MAX : (unsigned)fmin(bits + BEYOND_BITS, HASHES_MAX);
    uint64_t best = 8 * CELLS_MAX + 1;
    double best_rate = 2;
    if (asked) from = to = asked;
    for (unsigned k = from; k <= to; k++) {
        struct ring_question q = {.k = k, .generations = generations_for(&wish, window, k)};
        if (!q.generations) continue;
        unsigned slices = k + q.generations;
        q.each = rounded_each(window, q.generations), q.fpr = p->fpr;
        uint64_t size, most = 8 * CELLS_MAX / slices / SLICE_STEP;
        if (is_given) {
            size = size_given(&wish, slices);
        } else {
            uint64_t fewer = least(most, (best - 1) / slices / SLICE_STEP);
            if (!fewer || !words_suffice(&q, fewer)) continue;
            double guess = (double)q.each * k / 0.6931 / SLICE_STEP;
            size = least_enough(1, fewer, (uint64_t)guess, words_suffice, &q) * SLICE_STEP;
        }
        if (!size) continue;
        double rate = ring_rate(size, k, q.generations, q.each);
        if (is_given ? rate >= best_rate : slices * size >= best) continue;
        best = slices * size, best_rate = rate;
        p->nhashes = k, p->ncells = best, p->real_fpr = rate;
    }
    return best_rate < 2;
}

static bool window_is_too_large(const void *self, uint64_t window) {
    sito_plan p = *(const sito_plan *)self;
    return !best_ring(&p, window) || p.real_fpr > p.fpr;
}

static sito_rc aged_solve(sito_plan *p) {
    uint64_t window = p->window ? p->window : p->nkeys;
    bool by_time = !p->window && p->max_layers;
    if (p->nhashes > HASHES_MAX) return SITO_EINVAL;
    if (p->max_layers > SLICES_MAX - 1) return SITO_EINVAL;
    if (p->ncells > 8 * CELLS_MAX || window > CELLS_MAX) return SITO_ELIMIT;
    if (!(p->fpr > 0) && (!window || !size_is_given(p))) p->fpr = 0.01;
    if (p->fpr > 0 && hash_rate(window ? window : 1) > p->fpr) return SITO_ELIMIT;
    if (!window) {
        uint64_t most =
            least(p->ncells ? p->ncells : 8 * least(p->max_bytes, CELLS_MAX), CELLS_MAX);
        uint64_t guess = (uint64_t)((double)most / (-log2(p->fpr) * 2 + 4));
        sito_plan any = *p;
        if (p->ncells && !best_ring(&any, most)) return SITO_EINVAL;
        window = least_enough(1, most, guess, window_is_too_large, p) - 1;
        if (!window) return SITO_ELIMIT;
    } else if (!p->nkeys) {
        p->nkeys = window;
    }
    if (!by_time) p->window = window;
    if (p->fpr > 0 && hash_rate(window) > p->fpr) return SITO_ELIMIT;
    if (!best_ring(p, window)) return p->ncells ? SITO_EINVAL : SITO_ELIMIT;
    if (!p->nkeys) p->nkeys = window; /* before, it would be a wish, and the size only a limit */
    p->bytes = bits_bytes(p->ncells);
    p->max_layers = generations_for(p, window, p->nhashes);
    return SITO_OK;
}

static void aged_to_shape(const sito_plan *plan, struct shape *s) {
    uint64_t window = plan->window ? plan->window : plan->nkeys;
    uint64_t each = rounded_each(window, plan->max_layers);
    unsigned shift = each >> 16 ? 48 - (unsigned)__builtin_clzll(each) : 0;
    *s = (struct shape){.ncells = plan->ncells,
                        .param = {(uint16_t)plan->nhashes, (uint16_t)plan->max_layers,
                                  (uint16_t)(each >> shift),
                                  (uint16_t)(shift | (plan->window ? 0 : BY_TIME))}};
}

static void aged_to_plan(const struct shape *s, sito_plan *plan) {
    uint64_t window = product_of(s->param[PARAM_GENERATIONS], adds_a_generation(s));
    plan->nhashes = s->param[PARAM_YOUNG];
    plan->max_layers = s->param[PARAM_GENERATIONS];
    if (s->param[PARAM_SHIFT] & BY_TIME) plan->nkeys = window;
    else plan->window = window;
}

static bool aged_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    unsigned k = s->param[PARAM_YOUNG], slices = slices_in(s), each = s->param[PARAM_EACH];
    unsigned shift = s->param[PARAM_SHIFT] & ~(unsigned)BY_TIME;
    bytes[0] = bits_bytes(s->ncells);
    bytes[1] = 0;
    return k >= 1 && k <= HASHES_MAX && slices > k && slices <= SLICES_MAX && s->ncells &&
           s->ncells % (slices * SLICE_STEP) == 0 && bytes[0] <= CELLS_MAX && each && shift < 48 &&
           (!shift || each >> 15) && extra[EXTRA_YOUNGEST] < slices && !extra[2];
}

/* ---- looking ---- */

static void aged_look(const sito_filter *f, sito_info *info) {
    struct ring r = ring_of(f);
    double ones[SLICES_MAX], sum = 0;
    for (unsigned age = 0; age < r.slices; age++) {
        unsigned slice = (r.youngest + age) % r.slices;
        uint64_t set = bits_ones(f->seg[0].at + slice * (r.size / 8), r.size / 8);
        ones[age] = (double)set / (double)r.size;
        sum += ones[age];
    }
    uint64_t window = product_of(r.slices - r.k + 1, adds_a_generation(&f->shape));
    info->fill = fmin(sum / r.slices, 1);
    info->present_fpr = with_hash_rate(run_rate(ones, r.slices, r.k), least(f->nkeys, window));
}

static const char *const aged_facts[] = {"cells",  "hashes", "slices",        "generations",
                                         "window", "each",   "in_generation", NULL};

/* `each`: adds a generation. By time there is no window of adds: 0. */
static double aged_fact(const sito_filter *f, size_t i) {
    const uint16_t *param = f->shape.param;
    double each = (double)adds_a_generation(&f->shape), l = param[PARAM_GENERATIONS];
    const double facts[] = {(double)f->shape.ncells,
                            param[PARAM_YOUNG],
                            slices_in(&f->shape),
                            l,
                            param[PARAM_SHIFT] & BY_TIME ? 0 : l * each,
                            each,
                            (double)f->extra[EXTRA_ADDS]};
    return facts[i];
}

static sito_rc aged_verify(const sito_filter *f, const char **why) {
    (void)f, (void)why; /* every bit may be set, or not */
    return SITO_OK;
}

const struct kind kind_aged = {
    .name = SITO_AGED,
    .what = "forgets: the last keys of a sliding window, no older ones",
    .id = 14,
    .can = SITO_CAN_ADD | SITO_CAN_MAP,
    .solve = aged_solve,
    .to_shape = aged_to_shape,
    .to_plan = aged_to_plan,
    .sizes = aged_sizes,
    .rate = aged_rate,
    .add = aged_add,
    .maybe = aged_maybe,
    .maybe_many = aged_maybe_many,
    .add_many = aged_add_many,
    .look = aged_look,
    .facts = aged_facts,
    .fact = aged_fact,
    .verify = aged_verify,
};
