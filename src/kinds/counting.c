/*
 * counting.c - Bloom's filter with small counters in place of bits, so that keys can be taken out
 * again (Fan, Cao, Almeida and Broder).
 *
 * Positions are drawn as in bloom, and may coincide: a cell drawn twice is counted twice. A counter
 * that has reached its largest value stays there for good, because nobody knows any more how many
 * keys it stands for; counted down, it would one day deny a key that is inside.
 */
#include "core/filter.h"

#include <math.h>

#include "build/distinct.h"
#include "build/places.h"
#include "core/plan.h"
#include "core/rate.h"
#include "kinds/walk_bits.h"
#include "sito/counting.h"

enum { PARAM_CELL_BITS = 1, CELL_BITS = 4 };

static struct bits_walk counting_walk(const sito_filter *f) {
    return walk_of(&f->shape, false, f->shape.param[PARAM_CELL_BITS]);
}

/* ---- wish -> shape ---- */

static bool is_width(unsigned bits) { return bits >= COUNTER_MIN && bits <= COUNTER_MAX; }

/* As many cells as bloom would take bits. */
static uint64_t counting_round(uint64_t m, unsigned k) {
    (void)k;
    return rounded_up(m, 64);
}

static sito_rc counting_solve(sito_plan *p) {
    if (!p->cell_bits) p->cell_bits = CELL_BITS;
    if (!is_width(p->cell_bits)) return SITO_EINVAL;
    const struct bit_kind kind = {
        .rate = one_table_rate, .round = counting_round, .cell_bits = p->cell_bits};
    return plan_bits(p, &kind);
}

static void counting_to_shape(const sito_plan *plan, struct shape *s) {
    *s = (struct shape){.ncells = plan->ncells,
                        .param = {(uint16_t)plan->nhashes, (uint16_t)plan->cell_bits}};
}

static void counting_to_plan(const struct shape *s, sito_plan *plan) {
    plan->nhashes = s->param[PARAM_HASHES];
    plan->cell_bits = s->param[PARAM_CELL_BITS];
}

static bool counting_sizes(const struct shape *s, const uint64_t extra[3],
                           uint64_t bytes[SEGMENTS]) {
    unsigned k = s->param[PARAM_HASHES], bits = s->param[PARAM_CELL_BITS];
    bytes[0] = bits_bytes(product_of(s->ncells, bits));
    bytes[1] = 0;
    return k >= 1 && k <= HASHES_MAX && is_width(bits) && s->ncells >= k && bytes[0] <= CELLS_MAX &&
           !s->param[2] && !s->param[3] && !extra[0] && !extra[1] && !extra[2];
}

/* A stranger is let in if all his cells are in use, whatever they count: as in bloom. */
static double counting_rate(const struct shape *s, uint64_t nkeys) {
    return with_hash_rate(one_table_rate(s->ncells, nkeys, s->param[PARAM_HASHES]), nkeys);
}

/* ---- hash -> place -> answer ---- */

/* Most people take the usual width: a constant, in the walks that are asked for most. */
static bool is_usual(const sito_filter *f) { return f->shape.param[PARAM_CELL_BITS] == CELL_BITS; }

static struct bits_walk usual_walk(const sito_filter *f) {
    return walk_of(&f->shape, false, CELL_BITS);
}

static __attribute__((noinline)) bool usual_maybe_on(const sito_filter *f, unsigned i, uint64_t x) {
    return walk_on(f->seg[0].at, usual_walk(f), i, x);
}

static __attribute__((noinline)) bool counting_maybe_on(const sito_filter *f, unsigned i,
                                                        uint64_t x) {
    return walk_along(f->seg[0].at, counting_walk(f), i, x);
}

static bool counting_maybe(const sito_filter *f, uint64_t hash) {
    return is_usual(f) ? walk_maybe(f, usual_walk(f), hash, usual_maybe_on)
                       : counting_maybe_on(f, 0, hash);
}

static void counting_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                                uint8_t *answers) {
    if (is_usual(f)) walk_maybe_many(f->seg[0].at, usual_walk(f), hashes, n, answers);
    else walk_maybe_many(f->seg[0].at, counting_walk(f), hashes, n, answers);
}

/* 1 if one of the cells was not in use. */
static inline int count_in(uint8_t *cells, const struct bits_walk *w, const uint64_t *spot) {
    int is_new = 0;
    for (unsigned i = 0; i < w->k; i++) is_new |= !counter_up(cells, spot[i], w->cell_bits);
    return is_new;
}

/* Where a cell has nothing to give, what was taken from those before it is given back. None of them
 * was at its largest value, or it would have stayed there. */
static inline int count_out(uint8_t *cells, const struct bits_walk *w, const uint64_t *spot) {
    unsigned i = 0;
    while (i < w->k && counter_down(cells, spot[i], w->cell_bits)) i++;
    if (i == w->k) return 1;
    while (i--) counter_up(cells, spot[i], w->cell_bits);
    return 0;
}

/* Group by group: the lines of the next one are asked for before the keys of this one are counted,
 * one by one. Returns how many were answered with 1. */
static inline __attribute__((always_inline)) uint64_t
count_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
           int (*count)(uint8_t *cells, const struct bits_walk *w, const uint64_t *spot)) {
    enum { GROUP = 8 };
    struct bits_walk w = counting_walk(f);
    uint8_t *cells = f->seg[0].at;
    uint64_t spots[2][GROUP * HASHES_MAX], ones = 0;
    walk_draw(cells, &w, hashes, (size_t)least(GROUP, n), spots[0]);
    for (size_t done = 0; done < n;) {
        const uint64_t *spot = spots[done / GROUP % 2];
        size_t end = (size_t)least(done + GROUP, n);
        walk_draw(cells, &w, hashes + end, (size_t)least(GROUP, n - end), spots[end / GROUP % 2]);
        for (; done < end; done++, spot += w.k) {
            int answer = count(cells, &w, spot);
            if (answers) answers[done] = (int8_t)answer;
            ones += (unsigned)answer;
        }
    }
    return ones;
}

static sito_rc counting_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                                 size_t *done) {
    count_many(f, hashes, n, answers, count_in);
    f->nkeys = sum_of(f->nkeys, n);
    *done = n;
    return SITO_OK;
}

static sito_rc counting_remove_many(sito_filter *f, const uint64_t *hashes, size_t n,
                                    int8_t *answers, size_t *done) {
    f->nkeys -= least(f->nkeys, count_many(f, hashes, n, answers, count_out));
    *done = n;
    return SITO_OK;
}

static int counting_add(sito_filter *f, uint64_t hash) {
    struct bits_walk w = counting_walk(f);
    uint64_t spot[HASHES_MAX];
    walk_draw(f->seg[0].at, &w, &hash, 1, spot);
    f->nkeys = sum_of(f->nkeys, 1);
    return count_in(f->seg[0].at, &w, spot);
}

static int counting_remove(sito_filter *f, uint64_t hash) {
    struct bits_walk w = counting_walk(f);
    uint64_t spot[HASHES_MAX];
    walk_draw(f->seg[0].at, &w, &hash, 1, spot);
    int gone = count_out(f->seg[0].at, &w, spot);
    f->nkeys -= least(f->nkeys, (unsigned)gone);
    return gone;
}

static unsigned times_drawn(const uint64_t *spot, unsigned k, uint64_t cell) {
    unsigned times = 0;
    for (unsigned i = 0; i < k; i++) times += spot[i] == cell;
    return times;
}

/* Every copy has counted each cell as often as it is drawn. Cells at their largest value say
 * nothing; if all of them are, neither do we. */
static uint64_t counting_count(const sito_filter *f, uint64_t hash) {
    struct bits_walk w = counting_walk(f);
    uint64_t spot[HASHES_MAX], copies = UINT64_MAX;
    walk_draw(f->seg[0].at, &w, &hash, 1, spot);
    for (unsigned i = 0; i < w.k; i++) {
        uint64_t v = counter_at(f->seg[0].at, spot[i], w.cell_bits);
        if (v < low_bits(w.cell_bits)) copies = least(copies, v / times_drawn(spot, w.k, spot[i]));
    }
    return copies;
}

/* ---- whole filters ---- */

static sito_rc counting_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes,
                              size_t n) {
    struct distinct d = {0};
    sito_rc rc = distinct_scattered(hashes, n, plan, &f->mem, &d);
    if (rc != SITO_OK) return rc;
    rc = build_by_places(f, plan, d.hashes, d.n, counting_walk(f));
    distinct_free(&d, &f->mem);
    return rc;
}

static sito_rc counting_merge(sito_filter *into, const sito_filter *from) {
    counters_add(into->seg[0].at, from->seg[0].at, into->shape.ncells,
                 into->shape.param[PARAM_CELL_BITS]);
    into->nkeys = sum_of(into->nkeys, from->nkeys);
    return SITO_OK;
}

static void counting_look(const sito_filter *f, sito_info *info) {
    uint64_t used = counters_used(f->seg[0].at, f->shape.ncells, f->shape.param[PARAM_CELL_BITS]);
    info->fill = (double)used / (double)f->shape.ncells;
    info->present_fpr = with_hash_rate(pow(info->fill, f->shape.param[PARAM_HASHES]), f->nkeys);
}

static const char *const counting_facts[] = {"cells", "hashes", "cell_bits", "saturated", NULL};

static double counting_fact(const sito_filter *f, size_t i) {
    unsigned bits = f->shape.param[PARAM_CELL_BITS];
    if (i == 0) return (double)f->shape.ncells;
    if (i == 1) return f->shape.param[PARAM_HASHES];
    return i == 2 ? bits : (double)counters_full(f->seg[0].at, f->shape.ncells, bits);
}

static sito_rc counting_verify(const sito_filter *f, const char **why) {
    if (!bits_tail_clear(f->seg[0].at, f->shape.ncells * f->shape.param[PARAM_CELL_BITS]))
        return refuse(SITO_EDAMAGED, "bits past the last cell are set", why);
    return SITO_OK;
}

sito_rc sito_counting_overflow(const sito_plan *plan, double *tail, double *bound) {
    if (!plan || !tail || !bound) return SITO_EINVAL;
    sito_plan p = *plan;
    if (!p.seed) p.seed = 1; /* nothing here depends on it: none need be drawn */
    sito_rc rc = sito_plan_solve(&p);
    if (rc != SITO_OK) return rc;
    if (strcmp(p.kind, SITO_COUNTING) != 0) return SITO_EUNABLE;
    double mean = (double)p.nkeys * p.nhashes / (double)p.ncells, most = ldexp(1, (int)p.cell_bits);
    *tail = poisson_tail(mean, most);
    *bound = fmin(1, exp(most * (1 + log(mean / most))));
    return SITO_OK;
}

const struct kind kind_counting = {
    .name = SITO_COUNTING,
    .what = "Bloom's filter with small counters in place of bits",
    .id = 6,
    .can = SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_COUNT | SITO_CAN_MERGE | SITO_CAN_BUILD |
           SITO_CAN_MAP,
    .solve = counting_solve,
    .to_shape = counting_to_shape,
    .to_plan = counting_to_plan,
    .sizes = counting_sizes,
    .rate = counting_rate,
    .add = counting_add,
    .maybe = counting_maybe,
    .remove = counting_remove,
    .count = counting_count,
    .maybe_many = counting_maybe_many,
    .add_many = counting_add_many,
    .remove_many = counting_remove_many,
    .build = counting_build,
    .merge = counting_merge,
    .look = counting_look,
    .facts = counting_facts,
    .fact = counting_fact,
    .verify = counting_verify,
};
