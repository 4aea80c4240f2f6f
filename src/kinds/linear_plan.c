/*
 * linear_plan.c - what error to expect of a linear filter, and so how many bits a cell and how many
 * cells a key are best.
 *
 * A key is over-estimated if others raised all of its cells. Its k draws hit D distinct cells of m;
 * that all d of them hold more than x once N others are in has, by inclusion and exclusion over the
 * cells that do not, the probability
 *
 *     sum_j (-1)^j C(d,j) [1 - u (1 - (1 - j/m)^k)]^N,     u the share of confidences above x,
 *
 * and its mean over D is g. For uniform confidences u is 1 - x, and every moment of the error is a
 * sum over levels of g at the foot of the level: exact, however small the table.
 */
#include "core/filter.h"

#include <math.h>

#include "cells/bits.h"
#include "core/plan.h"
#include "core/rate.h"
#include "kinds/linear.h"
#include "sito/linear.h"

enum { USUAL_BITS = 8, EXACT_HASHES = 24 };
enum { STEPS_SEARCHED = 128, STEPS_TOLD = 1024 }; /* levels looked at */

static const char *const scale_names[SCALES] = {"linear", "geometric"};

/* ---- keys over each other ---- */

struct crowd {
    double others, cells;
    unsigned k;
    bool exact;
    double share[HASHES_MAX + 1];     /* of D */
    long double sign[HASHES_MAX + 1]; /* (-1)^j E[C(D,j)] */
    long double hit[HASHES_MAX + 1];  /* a key's k draws hit one of j cells */
};

/* In long doubles: the terms are as large as C(k, k/2), and cancel. Beyond EXACT_HASHES they would
 * leave nothing; there cells are taken as independent, which large k are nearly enough. */
static void crowd_begin(struct crowd *w, uint64_t m, uint64_t nkeys, unsigned k, bool exact) {
    *w = (struct crowd){.others = (double)nkeys - 1, .cells = (double)m, .k = k};
    w->exact = exact && k <= EXACT_HASHES;
    distinct_draws(w->cells, k, w->share);
    for (unsigned j = 0; j <= (w->exact ? k : 1) && j <= m; j++) {
        long double choose = 1, mean = 0; /* C(d,j), from d = j up */
        for (unsigned d = j; d <= k; choose = choose * (d + 1) / (d + 1 - j), d++)
            mean += choose * w->share[d];
        w->sign[j] = j % 2 ? -mean : mean;
        w->hit[j] = -expm1l(k * log1pl(-(long double)j / m));
    }
}

/* That a key's cells all hold more than what the share `above` of the others brings. */
static double crowd_above(const struct crowd *w, double above) {
    if (!(w->others > 0) || !(above > 0)) return 0;
    if (w->exact) {
        long double sum = 0;
        for (unsigned j = 0; j <= w->k && j <= w->cells; j++)
            sum += w->sign[j] * expl(w->others * log1pl(-above * w->hit[j]));
        return fmin(1, fmax(0, (double)sum));
    }
    double raised = -expm1(w->others * log1p(-above * (double)w->hit[1])), sum = 0;
    for (unsigned d = w->k; d > 0; d--) sum = (sum + w->share[d]) * raised;
    return sum;
}

/* ---- the error ---- */

/* Where a level begins; between whole levels too. */
static double foot(struct levels s, double v) {
    if (v <= 0) return 0;
    return s.factor > 0 ? pow(s.factor, s.top - v) : v / s.top;
}

static double middle(struct levels s, double v) {
    if (v <= 0) return 0;
    return v >= s.top ? 1 : (foot(s, v) + foot(s, v + 1)) / 2;
}

/* The integral of (x - c)^2 over c in [from, to]. */
static double square_over(double x, double from, double to) {
    double a = from - x, b = to - x;
    return (b * b * b - a * a * a) / 3;
}

/*
 * Alone in the filter a key of level v is off by what its level is read as. With others in it, each
 * level t above v that it passes, which happens with g at t's foot, adds the difference between
 * being read as t and as t - 1, over all c below that foot.
 *
 * Of more levels than `steps` only so many are looked at, and stand for their neighbours; on the
 * geometric scale those below e^-9 do not count.
 */
static sito_linear_odds odds_of(const struct crowd *w, struct levels s, unsigned steps) {
    sito_linear_odds o = {0};
    double count = s.top;
    if (s.factor > 0) count = fmin(count, ceil(9 / -log(s.factor)));
    double step = ceil(count / steps), last = s.top - count;
    for (double t = s.top; t > last; t -= step) {
        double many = fmin(step, t - last), v = t - (many - 1) / 2;
        double at = foot(s, v), below = foot(s, v - 1), mid = middle(s, v);
        double mid_below = middle(s, v - 1), g = crowd_above(w, 1 - at);
        o.squared_error += many * (square_over(below, below, at) + g * (at - below) * at * below);
        o.squared_error_mid += many * (square_over(mid_below, below, at) +
                                       g * (mid - mid_below) * (mid + mid_below - at) * at);
        o.overestimate += many * g * (at - below);
        o.bias += many * (at - below) * (g * at - (at - below) / 2);
    }
    return o;
}

/* ---- the best b and k for keys and size ---- */

struct choice {
    unsigned b, k;
    double error;
};

struct wish {
    const sito_plan *plan;
    unsigned p, q;  /* the geometric factor, or 0 */
    uint64_t nbits; /* 0: the number of cells is given */
};

static uint64_t cells_of_width(const struct wish *wish, unsigned b) {
    return wish->nbits ? wish->nbits / b : wish->plan->ncells;
}

/* 1, which is no error at all but the worst, where there is no such filter. */
static double error_of_choice(const struct wish *wish, unsigned b, unsigned k, bool exact) {
    uint64_t m = b ? cells_of_width(wish, b) : 0;
    if (k < 1 || k > HASHES_MAX || b > LEVEL_BITS_MAX || m < k) return 1;
    struct crowd w;
    crowd_begin(&w, m, wish->plan->nkeys, k, exact);
    return odds_of(&w, levels_of(b, wish->p, wish->q), STEPS_SEARCHED).squared_error_mid;
}

static bool try_choice(const struct wish *wish, struct choice *best, unsigned b, unsigned k,
                       bool exact) {
    const sito_plan *p = wish->plan;
    if ((p->cell_bits && p->cell_bits != b) || (p->nhashes && p->nhashes != k)) return false;
    double error = error_of_choice(wish, b, k, exact);
    if (!(error < best->error)) return false;
    *best = (struct choice){b, k, error};
    return true;
}

/* From wide cells to narrow ones: more of them, so the best k rises. It is sought from the last
 * width's on, up and down, as long as the error falls. */
static struct choice first_guess(const struct wish *wish) {
    struct choice best = {0, 0, 2};
    unsigned k = wish->plan->nhashes ? wish->plan->nhashes : 1;
    for (unsigned b = LEVEL_BITS_MAX; b >= 1; b--) {
        struct choice here = {b, k, 2};
        try_choice(wish, &here, b, k, false);
        for (unsigned up = here.k + 1; try_choice(wish, &here, b, up, false);) up++;
        for (unsigned down = here.k - 1; try_choice(wish, &here, b, down, false);) down--;
        k = here.k;
        if (here.error < best.error) best = here;
    }
    return best;
}

/* The guess took cells as independent; now exactly, among its neighbours. */
static struct choice settled(const struct wish *wish, struct choice guess) {
    struct choice best = {guess.b, guess.k, error_of_choice(wish, guess.b, guess.k, true)}, centre;
    do {
        centre = best;
        try_choice(wish, &best, centre.b - 1, centre.k, true);
        try_choice(wish, &best, centre.b + 1, centre.k, true);
        try_choice(wish, &best, centre.b, centre.k - 1, true);
        try_choice(wish, &best, centre.b, centre.k + 1, true);
    } while (best.error < centre.error);
    return best;
}

/* Where room is plenty the error hardly hangs on k, but strangers do: of all k that cost less than a
 * hundredth, the one that lets the fewest of them in. */
static unsigned fewest_strangers(const struct wish *wish, struct choice best) {
    const sito_plan *p = wish->plan;
    uint64_t m = cells_of_width(wish, best.b);
    unsigned chosen = best.k;
    double rate = one_table_rate(m, p->nkeys, best.k);
    for (unsigned k = best.k + 1; error_of_choice(wish, best.b, k, false) <= 1.01 * best.error;
         k++) {
        double now = one_table_rate(m, p->nkeys, k);
        if (!(now < rate)) break;
        rate = now, chosen = k;
    }
    return chosen;
}

static void choose_cells(sito_plan *p, unsigned fade_p, unsigned fade_q) {
    struct wish wish = {.plan = p, .p = fade_p, .q = fade_q};
    sito_plan fixed = *p;
    if (p->ncells) {
        if (!fixed.cell_bits) fixed.cell_bits = USUAL_BITS;
        wish.plan = &fixed;
    } else {
        wish.nbits = 8 * least(p->max_bytes, CELLS_MAX);
    }
    struct choice guess = first_guess(&wish);
    if (!(guess.error < 1)) return; /* not even one cell: for the solver to refuse */
    struct choice best = settled(&wish, guess);
    p->cell_bits = best.b;
    if (!p->nhashes) p->nhashes = fewest_strangers(&wish, best);
}

/* ---- wish -> shape ---- */

static int scale_named(const char *name) {
    if (!name) return SCALE_LINEAR;
    for (int i = 0; i < SCALES; i++)
        if (strcmp(name, scale_names[i]) == 0) return i;
    return -1;
}

static unsigned common_divisor(unsigned a, unsigned b) {
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The geometric factor in lowest terms; 0/0 on the linear scale. */
static void factor_of(const sito_plan *p, unsigned *fade_p, unsigned *fade_q) {
    *fade_p = p->fade_p, *fade_q = p->fade_q;
    unsigned divisor = common_divisor(*fade_p, *fade_q);
    if (divisor) *fade_p /= divisor, *fade_q /= divisor;
}

static bool is_factor(unsigned p, unsigned q) { return p >= 1 && p < q && q <= FADE_MAX; }

/* As in bloom; here nothing folds, but words come out whole. */
static uint64_t linear_round(uint64_t m, unsigned k) {
    (void)k;
    return rounded_up(m, 64);
}

sito_rc linear_solve(sito_plan *p) {
    unsigned fade_p, fade_q;
    int scale = scale_named(p->scale);
    if (scale < 0 || p->cell_bits > LEVEL_BITS_MAX || p->nhashes > HASHES_MAX) return SITO_EINVAL;
    if (scale == SCALE_GEOMETRIC && !p->fade_p && !p->fade_q) p->fade_p = 9, p->fade_q = 10;
    factor_of(p, &fade_p, &fade_q);
    if (scale == SCALE_GEOMETRIC ? !is_factor(fade_p, fade_q) : fade_p || fade_q)
        return SITO_EINVAL;
    p->scale = scale_names[scale];
    if (p->ncells > 8 * least(p->max_bytes ? p->max_bytes : CELLS_MAX, CELLS_MAX))
        return SITO_ELIMIT;
    if (p->nkeys && size_is_given(p) && !(p->fpr > 0) && !(p->cell_bits && p->nhashes))
        choose_cells(p, fade_p, fade_q);
    if (!p->cell_bits) p->cell_bits = USUAL_BITS;
    const struct bit_kind kind = {
        .rate = one_table_rate, .round = linear_round, .cell_bits = p->cell_bits};
    return plan_bits(p, &kind);
}

void linear_to_shape(const sito_plan *plan, struct shape *s) {
    unsigned p, q, scale = plan->scale && strcmp(plan->scale, scale_names[SCALE_GEOMETRIC]) == 0;
    factor_of(plan, &p, &q);
    *s = (struct shape){.ncells = plan->ncells,
                        .param = {(uint16_t)plan->nhashes, (uint16_t)(plan->cell_bits | scale << 8),
                                  (uint16_t)p, (uint16_t)q}};
}

void linear_to_plan(const struct shape *s, sito_plan *plan) {
    plan->nhashes = s->param[0];
    plan->cell_bits = linear_bits(s);
    plan->scale = scale_names[linear_scale(s)];
    plan->fade_p = s->param[PARAM_FADE_P];
    plan->fade_q = s->param[PARAM_FADE_Q];
}

bool linear_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    unsigned k = s->param[0], b = linear_bits(s), p = s->param[PARAM_FADE_P],
             q = s->param[PARAM_FADE_Q];
    bool fades = linear_scale(s) == SCALE_LINEAR ? !p && !q
                                                 : linear_scale(s) == SCALE_GEOMETRIC &&
                                                       is_factor(p, q) && common_divisor(p, q) == 1;
    bytes[0] = bits_bytes(product_of(s->ncells, b));
    bytes[1] = 0;
    return k >= 1 && k <= HASHES_MAX && b >= 1 && b <= LEVEL_BITS_MAX && fades && s->ncells >= k &&
           bytes[0] <= CELLS_MAX && !extra[0] && !extra[1] && !extra[2];
}

/* If every key is put with 1, all cells touched are in use: then it is a bloom of so many cells. */
double linear_rate(const struct shape *s, uint64_t nkeys) {
    return with_hash_rate(one_table_rate(s->ncells, nkeys, s->param[0]), nkeys);
}

/* ---- what to expect ---- */

sito_rc sito_linear_expect(const sito_plan *plan, sito_linear_odds *out) {
    if (!plan || !out) return SITO_EINVAL;
    sito_plan p = *plan;
    struct shape shape;
    struct crowd w;
    if (!p.seed) p.seed = 1; /* nothing here depends on it: none need be drawn */
    sito_rc rc = sito_plan_solve(&p);
    if (rc != SITO_OK) return rc;
    if (strcmp(p.kind, SITO_LINEAR) != 0) return SITO_EUNABLE;
    linear_to_shape(&p, &shape);
    crowd_begin(&w, p.ncells, p.nkeys, p.nhashes, true);
    *out = odds_of(&w, linear_levels(&shape), STEPS_TOLD);
    return SITO_OK;
}
