/* bitmap.c - one bit for every possible hash below 2^u. A set of numbers without error; a set of
 * keys with the error of one hash function. */
#include "core/filter.h"

#include <math.h>

#include "cells/bits.h"
#include "core/life.h"
#include "core/plan.h"
#include "core/rate.h"

static unsigned log2_of(uint64_t ncells) { return (unsigned)__builtin_ctzll(ncells); }

/* ---- wish -> shape ---- */

static double bitmap_error(uint64_t m, uint64_t n) {
    return with_hash_rate(touched((double)m, (double)n), n);
}

static sito_rc bitmap_solve(sito_plan *p) {
    if (!hashes_suffice(p)) return SITO_ELIMIT;
    bool to_the_letter = p->ncells;
    if (!size_is_given(p)) {
        if (!(p->fpr > 0)) p->fpr = 0.01;
        p->ncells = 2;
        while (bitmap_error(p->ncells, p->nkeys) > p->fpr)
            if ((p->ncells *= 2) > 8 * CELLS_MAX) return SITO_ELIMIT;
    } else if (!p->ncells) {
        p->ncells = 8;
        while (p->ncells < 8 * CELLS_MAX && p->ncells / 4 <= p->max_bytes) p->ncells *= 2;
    }
    if (p->ncells < 2 || p->ncells & (p->ncells - 1)) return SITO_EINVAL;
    if (p->ncells > 8 * CELLS_MAX) return SITO_ELIMIT;
    if (!p->nkeys && !(p->fpr > 0)) {
        /* A set of few numbers can promise keys no such rate, nor need it. */
        if (to_the_letter && bitmap_error(p->ncells, 1) > 0.01) p->nkeys = 1;
        else p->fpr = 0.01;
    }
    if (!p->nkeys) {
        uint64_t low = 1, high = product_of(p->ncells, 64); /* 2^-64 of it is full */
        while (low < high) {
            uint64_t mid = low + (high - low + 1) / 2;
            if (bitmap_error(p->ncells, mid) <= p->fpr) low = mid;
            else high = mid - 1;
        }
        p->nkeys = low;
    }
    p->bytes = bits_bytes(p->ncells);
    p->real_fpr = bitmap_error(p->ncells, p->nkeys);
    return SITO_OK;
}

static void bitmap_to_shape(const sito_plan *plan, struct shape *s) {
    *s = (struct shape){.ncells = plan->ncells};
}

static void bitmap_to_plan(const struct shape *s, sito_plan *plan) { plan->ncells = s->ncells; }

static bool bitmap_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    bytes[0] = bits_bytes(s->ncells);
    bytes[1] = 0;
    return s->ncells >= 2 && !(s->ncells & (s->ncells - 1)) && bytes[0] <= CELLS_MAX &&
           !s->param[0] && !s->param[1] && !s->param[2] && !s->param[3] && !extra[0] && !extra[1] &&
           !extra[2];
}

static double bitmap_rate(const struct shape *s, uint64_t nkeys) {
    return bitmap_error(s->ncells, nkeys);
}

/* A key's place is the top u bits of its hash. */
static unsigned bitmap_shift(const struct shape *s) { return 64 - log2_of(s->ncells); }

/* ---- value -> answer ---- */

static bool bitmap_maybe(const sito_filter *f, uint64_t value) {
    return value < f->shape.ncells && bit_at(f->seg[0].at, value);
}

static void bitmap_maybe_many(const sito_filter *f, const uint64_t *values, size_t n,
                              uint8_t *answers) {
    enum { AHEAD = 32 };
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n && values[i + AHEAD] < f->shape.ncells)
            __builtin_prefetch(f->seg[0].at + values[i + AHEAD] / 8);
        answers[i] = bitmap_maybe(f, values[i]);
    }
}

static int bitmap_add(sito_filter *f, uint64_t value) {
    if (value >= f->shape.ncells) return SITO_EINVAL;
    int is_new = !bit_set(f->seg[0].at, value);
    f->nkeys += (unsigned)is_new;
    return is_new;
}

static int bitmap_remove(sito_filter *f, uint64_t value) {
    if (value >= f->shape.ncells) return SITO_EINVAL;
    int was = (int)bit_clear(f->seg[0].at, value);
    f->nkeys -= (unsigned)was;
    return was;
}

/* ---- whole filters ---- */

static uint64_t bitmap_ones(const sito_filter *f) {
    return bits_ones(f->seg[0].at, f->seg[0].bytes);
}

static sito_rc bitmap_merge(sito_filter *into, const sito_filter *from) {
    bits_or(into->seg[0].at, from->seg[0].at, into->seg[0].bytes);
    into->nkeys = bitmap_ones(into);
    return SITO_OK;
}

/* A view may have bits set past the last one. */
static void bitmap_look(const sito_filter *f, sito_info *info) {
    info->fill = fmin((double)bitmap_ones(f) / (double)f->shape.ncells, 1);
    info->present_fpr = with_hash_rate(info->fill, f->nkeys);
}

static const char *const bitmap_facts[] = {"cells", NULL};

static double bitmap_fact(const sito_filter *f, size_t i) {
    return i == 0 ? (double)f->shape.ncells : 0;
}

static sito_rc bitmap_verify(const sito_filter *f, const char **why) {
    if (!bits_tail_clear(f->seg[0].at, f->shape.ncells))
        return refuse(SITO_EDAMAGED, "bits past the last cell are set", why);
    if (f->nkeys != bitmap_ones(f))
        return refuse(SITO_EDAMAGED, "the number of keys is not the number of bits set", why);
    return SITO_OK;
}

const struct kind kind_bitmap = {
    .name = SITO_BITMAP,
    .what = "one bit for every possible hash below 2^u",
    .id = 2,
    .can = SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_MERGE | SITO_CAN_BUILD | SITO_CAN_MAP,
    .solve = bitmap_solve,
    .to_shape = bitmap_to_shape,
    .to_plan = bitmap_to_plan,
    .sizes = bitmap_sizes,
    .rate = bitmap_rate,
    .hash_shift = bitmap_shift,
    .add = bitmap_add,
    .maybe = bitmap_maybe,
    .remove = bitmap_remove,
    .maybe_many = bitmap_maybe_many,
    .build = build_by_adding,
    .merge = bitmap_merge,
    .look = bitmap_look,
    .facts = bitmap_facts,
    .fact = bitmap_fact,
    .verify = bitmap_verify,
};
