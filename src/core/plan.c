/* plan.c - wishes are checked, completed and solved here; the rates are the kinds' own. */
#include "core/plan.h"

#include <math.h>
#include <sys/random.h>

#include "cells/bits.h"
#include "core/rate.h"

/* ---- searching ---- */

uint64_t least_enough(uint64_t low, uint64_t high, uint64_t guess,
                      bool (*enough)(const void *self, uint64_t x), const void *self) {
    /* Gallop away from the guess until the answer is between low and high, then halve. */
    if (guess > low && guess < high) {
        uint64_t step = guess / 1024 + 1;
        if (enough(self, guess)) {
            high = guess;
            while (high - low > step && enough(self, high - step)) high -= step, step *= 4;
            if (high - low > step) low = high - step + 1;
        } else {
            low = guess + 1;
            while (high - low > step && !enough(self, low + step)) low += step + 1, step *= 4;
            if (high - low > step) high = low + step;
        }
    }
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;
        if (enough(self, mid)) high = mid;
        else low = mid + 1;
    }
    return low;
}

bool hashes_suffice(const sito_plan *p) {
    return !(p->fpr > 0) || hash_rate(p->nkeys ? p->nkeys : 1) <= p->fpr;
}

/* ---- kinds of k cells a key ---- */

/* The most cells that are allowed. */
static uint64_t cells_room(const sito_plan *p, const struct bit_kind *kind) {
    return 8 * least(p->max_bytes ? p->max_bytes : CELLS_MAX, CELLS_MAX) / kind->cell_bits;
}

struct bit_question {
    const struct bit_kind *kind;
    uint64_t m, n;
    unsigned k;
    double fpr;
};

static double rate_of(const struct bit_kind *kind, uint64_t m, uint64_t n, unsigned k) {
    return with_hash_rate(kind->rate(m, n, k), n);
}

static bool table_suffices(const void *self, uint64_t m) {
    const struct bit_question *q = (const struct bit_question *)self;
    return m >= q->k && rate_of(q->kind, m, q->n, q->k) <= q->fpr;
}

/* The best k lies beside (m/n) ln 2. */
static unsigned best_hashes(const struct bit_kind *kind, uint64_t m, uint64_t n) {
    double ideal = (double)m / (double)(n ? n : 1) * 0.6931471805599453;
    unsigned centre = ideal < 1 ? 1 : ideal > HASHES_MAX ? HASHES_MAX : (unsigned)ideal, best = 0;
    double best_rate = 2;
    for (unsigned k = centre > 2 ? centre - 2 : 1; k <= centre + 2 && k <= HASHES_MAX; k++) {
        if (k > m) break;
        double rate = kind->rate(m, n, k);
        if (rate < best_rate) best = k, best_rate = rate;
    }
    return best ? best : 1;
}

static bool keys_are_too_many(const void *self, uint64_t n) {
    const struct bit_question *q = (const struct bit_question *)self;
    unsigned k = q->k ? q->k : best_hashes(q->kind, q->m, n);
    return rate_of(q->kind, q->m, n, k) > q->fpr;
}

/* The smallest table for n keys at this rate; 0 if it would pass `limit` cells. */
static uint64_t smallest_table(const struct bit_kind *kind, uint64_t n, unsigned k, double fpr,
                               uint64_t limit) {
    struct bit_question q = {.kind = kind, .n = n, .k = k, .fpr = fpr};
    double share = -log1p(-pow(fpr, 1.0 / k)) / k; /* keys a cell, by the classical formula */
    double guess = (double)n / share;
    if (!(guess < (double)limit * 2)) return 0;
    uint64_t m = least_enough(k, limit + 1, (uint64_t)guess, table_suffices, &q);
    return m > limit ? 0 : m;
}

/* If all the room there is does not suffice, nothing smaller need be looked for. */
static bool room_suffices(const sito_plan *p, const struct bit_kind *kind, unsigned low,
                          unsigned high) {
    struct bit_question q = {.kind = kind, .n = p->nkeys, .k = low, .fpr = p->fpr};
    for (; q.k <= high && q.k <= HASHES_MAX; q.k++)
        if (table_suffices(&q, cells_room(p, kind))) return true;
    return false;
}

enum { FEW_KEYS = 1024 };

/* The best k lies beside the bits of the rate; but where a few keys' tables are rounded up to whole
 * bytes, more of them that are a byte smaller may be the better choice. Were it left out, a stricter
 * rate, which looks farther, could have the smaller filter. */
static unsigned most_bits_a_key(double bits, uint64_t n) {
    return (unsigned)(n < FEW_KEYS ? 1.5 * bits : bits) + 2;
}

static sito_rc size_for_keys(sito_plan *p, const struct bit_kind *kind) {
    uint64_t room = cells_room(p, kind), limit = 8 * CELLS_MAX / kind->cell_bits, best = 0;
    double bits = -log2(p->fpr);
    unsigned low = p->nhashes ? p->nhashes : bits < 3 ? 1 : (unsigned)bits - 2;
    unsigned high = p->nhashes ? p->nhashes : most_bits_a_key(bits, p->nkeys), chosen = 0;
    if (p->max_bytes && !room_suffices(p, kind, low, high)) return SITO_ELIMIT;
    for (unsigned k = low; k <= high && k <= HASHES_MAX; k++) {
        uint64_t m = smallest_table(kind, p->nkeys, k, p->fpr, best ? best : limit);
        uint64_t folds = m ? kind->round(m, k) : 0;
        if (folds <= room) m = folds; /* else to the cell */
        if (m && (!best || m < best)) best = m, chosen = k;
    }
    if (!best || best > room) return SITO_ELIMIT;
    p->ncells = best;
    p->nhashes = chosen;
    return SITO_OK;
}

static sito_rc keys_for_size(sito_plan *p, const struct bit_kind *kind) {
    uint64_t room = cells_room(p, kind);
    if (!p->ncells) p->ncells = room;
    if (!room || p->ncells > room) return SITO_ELIMIT;
    if (p->nhashes > p->ncells) return SITO_EINVAL;
    if (!p->nkeys) {
        if (!(p->fpr > 0)) p->fpr = 0.01;
        struct bit_question q = {.kind = kind, .m = p->ncells, .k = p->nhashes, .fpr = p->fpr};
        if (keys_are_too_many(&q, 1)) return SITO_ELIMIT;
        uint64_t most = p->ncells * 64;
        double guess = fmin((double)p->ncells / -log2(p->fpr) / 1.4427, (double)most);
        p->nkeys = least_enough(1, most, (uint64_t)guess, keys_are_too_many, &q) - 1;
        if (!p->nkeys) return SITO_ELIMIT;
    }
    if (!p->nhashes) p->nhashes = best_hashes(kind, p->ncells, p->nkeys);
    return SITO_OK;
}

sito_rc plan_bits(sito_plan *p, const struct bit_kind *kind) {
    if (p->nhashes > HASHES_MAX) return SITO_EINVAL;
    if (!size_is_given(p) && !(p->fpr > 0)) p->fpr = 0.01;
    if (!hashes_suffice(p)) return SITO_ELIMIT;
    sito_rc rc = size_is_given(p) ? keys_for_size(p, kind) : size_for_keys(p, kind);
    if (rc != SITO_OK) return rc;
    p->real_fpr = rate_of(kind, p->ncells, p->nkeys, p->nhashes);
    p->bytes = bits_bytes(p->ncells * kind->cell_bits);
    return SITO_OK;
}

/* ---- every plan ---- */

static bool is_sensible(const sito_plan *p) {
    for (size_t i = 0; i < sizeof p->reserved / sizeof *p->reserved; i++)
        if (p->reserved[i]) return false;
    return p->fpr == 0 || (p->fpr > 0 && p->fpr < 1); /* false for NaN */
}

static sito_rc draw_seed(uint64_t *seed) {
    while (*seed == 0) {
        uint64_t drawn;
        if (getrandom(&drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn) return SITO_EIO;
        *seed = drawn;
    }
    return SITO_OK;
}

/* 24 bits of a rate, rounded up: what a plan found goes into images, and the last bits of a
 * logarithm are not the same on every machine. */
static double just_above(double rate) {
    int exponent;
    double share = frexp(rate, &exponent), above = ldexp(ceil(ldexp(share, 24)), exponent - 24);
    return above < 1 ? above : rate;
}

/* Layers that can remove make a scalable filter that can. */
static unsigned can_as_wished(const struct kind *kind, const sito_plan *p) {
    bool removes = kind == &kind_scalable && p->layer && strcmp(p->layer, SITO_CUCKOO) == 0;
    return kind->can | (removes ? SITO_CAN_REMOVE | SITO_CAN_COUNT : 0);
}

static sito_rc solve_with(const struct kind *kind, sito_plan *p) {
    if ((can_as_wished(kind, p) & p->needs) != p->needs) return SITO_EUNABLE;
    bool is_sized = p->nkeys || p->ncells || p->max_bytes || (p->window && kind == &kind_aged);
    if (!is_sized && !(kind->can & SITO_CAN_GROW)) return SITO_EINVAL;
    p->kind = kind->name;
    sito_rc rc = kind->solve(p);
    if (rc != SITO_OK) return rc;
    p->real_fpr = fmin(p->real_fpr, BELOW_ONE);
    if (p->fpr > 0 && p->real_fpr > p->fpr) return SITO_ELIMIT;
    if (p->max_bytes && p->bytes > p->max_bytes) return SITO_ELIMIT;
    if (!(p->fpr > 0)) p->fpr = just_above(p->real_fpr);
    if (!p->key && (rc = draw_seed(&p->seed)) != SITO_OK) return rc;
    p->bits_per_key = p->nkeys ? 8.0 * (double)p->bytes / (double)p->nkeys : 0;
    return SITO_OK;
}

/* Without a name, the first in the order of preference that is able, and for which the wish is not
 * too much. */
static sito_rc solve_with_any(sito_plan *p) {
    const struct kind *kind;
    sito_rc rc = SITO_EUNABLE;
    for (size_t i = 0; (kind = kind_preferred(i)); i++) {
        if (kind == &kind_scalable && p->ncells) continue; /* nobody can tell it how many */
        sito_plan trial = *p;
        sito_rc now = solve_with(kind, &trial);
        if (now == SITO_EUNABLE) continue;
        rc = now;
        if (rc == SITO_OK) *p = trial;
        if (rc != SITO_ELIMIT) break;
    }
    return rc;
}

sito_rc sito_plan_solve(sito_plan *plan) {
    if (!plan || !is_sensible(plan)) return SITO_EINVAL;
    const struct kind *kind = plan->kind ? kind_named(plan->kind) : NULL;
    if (plan->kind && !kind) return SITO_EINVAL;
    sito_plan p = *plan;
    sito_rc rc = kind ? solve_with(kind, &p) : solve_with_any(&p);
    if (rc == SITO_OK) *plan = p;
    return rc;
}

sito_rc sito_plan_like(const sito_filter *f, sito_plan *out) {
    if (!f || !out) return SITO_EINVAL;
    if (!f->hash.known) return SITO_EKEY;
    sito_plan p = {.kind = f->kind->name, .nkeys = f->capacity, .ncells = f->shape.ncells};
    if (f->hash.id == HASH_SIP13) p.key = &f->hash.key;
    else if (!(p.seed = f->hash.seed)) return SITO_EUNABLE; /* in a plan that means any */
    f->kind->to_plan(&f->shape, &p);
    double real = fmin(f->kind->rate(&f->shape, f->capacity), BELOW_ONE);
    p.fpr = f->wanted_fpr > real ? f->wanted_fpr
                                 : real; /* a folded filter keeps less than was wanted */
    sito_rc rc = sito_plan_solve(&p);
    if (rc == SITO_OK) *out = p;
    return rc;
}
