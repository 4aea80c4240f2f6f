/*
 * linear.c - the linear Bloom filter (Lima, Baquero and Miranda, 2015): every cell a level, every
 * key a confidence.
 *
 * Positions are drawn as in bloom. A put raises cells, a question takes the lowest, so a key is
 * never denied while its level is above 0. Fading and merging go through whole tables, and have
 * kernels of their own in cpu/.
 */
#include "core/filter.h"

#include <math.h>

#include "core/rate.h"
#include "cpu/cpu.h"
#include "kinds/linear.h"
#include "kinds/walk_bits.h"
#include "sito/linear.h"

static struct bits_walk linear_walk(const sito_filter *f) {
    return walk_of(&f->shape, false, linear_bits(&f->shape));
}

/* ---- hash -> place -> answer ---- */

static bool linear_maybe(const sito_filter *f, uint64_t hash) {
    return walk_along(f->seg[0].at, linear_walk(f), 0, hash);
}

static void linear_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                              uint8_t *answers) {
    walk_maybe_many(f->seg[0].at, linear_walk(f), hashes, n, answers);
}

static unsigned lowest_level(const sito_filter *f, uint64_t x) {
    struct bits_walk w = linear_walk(f);
    uint64_t lowest = UINT64_MAX;
    for (unsigned i = 0; i < w.k; i++, x = spread_next(x))
        lowest = least(lowest, slot_get(f->seg[0].at, place(&w, i, x), w.cell_bits));
    return (unsigned)lowest;
}

/* 1 if one of the cells was not in use. */
static int raise_to(sito_filter *f, uint64_t x, unsigned level) {
    struct bits_walk w = linear_walk(f);
    int is_new = 0;
    for (unsigned i = 0; i < w.k; i++, x = spread_next(x)) {
        uint64_t at = place(&w, i, x), was = slot_get(f->seg[0].at, at, w.cell_bits);
        if (was < level) slot_put(f->seg[0].at, at, w.cell_bits, level);
        is_new |= !was;
    }
    f->nkeys = sum_of(f->nkeys, (unsigned)is_new);
    return is_new;
}

static int linear_add(sito_filter *f, uint64_t hash) {
    return raise_to(f, hash, linear_levels(&f->shape).top);
}

/* ---- the calls of linear.h ---- */

static sito_rc may_be_put(const sito_filter *f) {
    if (!f) return SITO_EINVAL;
    return f->kind == &kind_linear && f->can & SITO_CAN_ADD ? SITO_OK : SITO_EUNABLE;
}

static int put_level(sito_filter *f, uint64_t hash, unsigned level) {
    if (level == 0) return 0;
    raise_to(f, hash, level);
    return 1;
}

static int put_confidence(sito_filter *f, uint64_t hash, double c) {
    if (!(c >= 0 && c <= 1)) return SITO_EINVAL; /* NaN neither */
    return put_level(f, hash, level_of(linear_levels(&f->shape), c));
}

int sito_linear_put_hash(sito_filter *f, uint64_t hash, double c) {
    sito_rc rc = may_be_put(f);
    return rc == SITO_OK ? put_confidence(f, hash, c) : rc;
}

int sito_linear_put(sito_filter *f, const void *key, size_t len, double c) {
    sito_rc rc = may_be_put(f);
    if (rc != SITO_OK) return rc;
    return f->hash.known ? put_confidence(f, sito_hash_key(f, key, len), c) : SITO_EKEY;
}

int sito_linear_put_level(sito_filter *f, const void *key, size_t len, unsigned level) {
    sito_rc rc = may_be_put(f);
    if (rc != SITO_OK) return rc;
    if (!f->hash.known) return SITO_EKEY;
    if (level > linear_levels(&f->shape).top) return SITO_EINVAL;
    return put_level(f, sito_hash_key(f, key, len), level);
}

int sito_linear_get_level(const sito_filter *f, const void *key, size_t len) {
    if (!f || f->kind != &kind_linear) return f ? SITO_EUNABLE : SITO_EINVAL;
    return f->hash.known ? (int)lowest_level(f, sito_hash_key(f, key, len)) : SITO_EKEY;
}

double sito_linear_get(const sito_filter *f, const void *key, size_t len) {
    int level = sito_linear_get_level(f, key, len);
    return level < 0 ? (double)NAN : level_floor(linear_levels(&f->shape), (unsigned)level);
}

double sito_linear_get_mid(const sito_filter *f, const void *key, size_t len) {
    int level = sito_linear_get_level(f, key, len);
    return level < 0 ? (double)NAN : level_middle(linear_levels(&f->shape), (unsigned)level);
}

sito_rc sito_linear_fade(sito_filter *f, uint32_t p, uint32_t q) {
    sito_rc rc = may_be_put(f);
    if (rc != SITO_OK) return rc;
    if (p > q || q == 0) return SITO_EINVAL;
    const struct level_kernel *kernel = cpu_chosen()->levels;
    const struct shape *s = &f->shape;
    if (linear_scale(s) == SCALE_LINEAR) {
        if (p < q) kernel->fade(f->seg[0].at, s->ncells, linear_bits(s), p, q);
    } else {
        if ((uint64_t)p * s->param[PARAM_FADE_Q] != (uint64_t)q * s->param[PARAM_FADE_P])
            return SITO_EINVAL;
        kernel->lower(f->seg[0].at, s->ncells, linear_bits(s));
    }
    return SITO_OK;
}

/* ---- whole filters ---- */

static sito_rc linear_merge(sito_filter *into, const sito_filter *from) {
    cpu_chosen()->levels->merge(into->seg[0].at, from->seg[0].at, into->shape.ncells,
                                linear_bits(&into->shape));
    into->nkeys = sum_of(into->nkeys, from->nkeys);
    return SITO_OK;
}

static double cells_in_use(const sito_filter *f) {
    uint64_t used = counters_used(f->seg[0].at, f->shape.ncells, linear_bits(&f->shape));
    return (double)used / (double)f->shape.ncells;
}

static void linear_look(const sito_filter *f, sito_info *info) {
    info->fill = cells_in_use(f);
    info->present_fpr = with_hash_rate(pow(info->fill, f->shape.param[PARAM_HASHES]), f->nkeys);
}

/* The paper's text means the share of 1 bits by occupancy, its authors' program that of cells in
 * use. */
static const char *const linear_facts[] = {
    "cells", "hashes", "cell_bits", "levels", "fill_bits", "fill_cells", "fade_p", "fade_q", NULL};

static double linear_fact(const sito_filter *f, size_t i) {
    const struct shape *s = &f->shape;
    switch (i) {
    case 0: return (double)s->ncells;
    case 1: return s->param[PARAM_HASHES];
    case 2: return linear_bits(s);
    case 3: return linear_levels(s).top;
    case 4:
        return (double)bits_ones(f->seg[0].at, f->seg[0].bytes) /
               ((double)s->ncells * linear_bits(s));
    case 5: return cells_in_use(f);
    default: return s->param[i == 6 ? PARAM_FADE_P : PARAM_FADE_Q];
    }
}

static sito_rc linear_verify(const sito_filter *f, const char **why) {
    if (!bits_tail_clear(f->seg[0].at, f->shape.ncells * linear_bits(&f->shape)))
        return refuse(SITO_EDAMAGED, "bits past the last cell are set", why);
    return SITO_OK;
}

const struct kind kind_linear = {
    .name = SITO_LINEAR,
    .what = "linear Bloom filter: every key carries a confidence in [0,1]",
    .id = 12,
    .can = SITO_CAN_ADD | SITO_CAN_MERGE | SITO_CAN_MAP,
    .solve = linear_solve,
    .to_shape = linear_to_shape,
    .to_plan = linear_to_plan,
    .sizes = linear_sizes,
    .rate = linear_rate,
    .add = linear_add,
    .maybe = linear_maybe,
    .maybe_many = linear_maybe_many,
    .merge = linear_merge,
    .look = linear_look,
    .facts = linear_facts,
    .fact = linear_fact,
    .verify = linear_verify,
};
