/*
 * walk_bits.h - the walk that bloom and parted share: k positions, one bit each.
 *
 * They differ in one thing, where position i may fall: anywhere in the one table, or in table i of
 * k. `bits_walk` says which; it is made from constants in the two kinds' files, so the compiler
 * drops the other.
 */
#ifndef SITO_WALK_BITS_H
#define SITO_WALK_BITS_H

#include "cells/bits.h"
#include "core/filter.h"
#include "place/range.h"
#include "place/spread.h"

enum { BATCH = 64, PARAM_HASHES = 0 };

struct bits_walk {
    uint64_t size;  /* bits in one table */
    uint64_t extra; /* the first `extra` tables have one bit more */
    unsigned k;
    bool parted;
};

static inline struct bits_walk walk_of(const struct shape *s, bool parted) {
    unsigned k = s->param[PARAM_HASHES];
    return (struct bits_walk){.size = parted ? s->ncells / k : s->ncells,
                              .extra = parted ? s->ncells % k : 0,
                              .k = k,
                              .parted = parted};
}

/* ---- hash -> place ---- */

static inline uint64_t place(const struct bits_walk *w, unsigned i, uint64_t x) {
    if (!w->parted) return range_of(x, w->size);
    return i * w->size + least(i, w->extra) + range_of(x, w->size + (i < w->extra));
}

/* ---- place -> answer ---- */

static inline __attribute__((always_inline)) bool
walk_along(const uint8_t *cells, struct bits_walk w, unsigned i, uint64_t x) {
#pragma GCC unroll 8
    for (; i < w.k; i++, x = spread_next(x))
        if (!bit_at(cells, place(&w, i, x))) return false;
    return true;
}

/* From the third position on. At 1 %, what most people ask for, k is 7: a constant to unroll by. */
static inline __attribute__((always_inline)) bool walk_on(const uint8_t *cells, struct bits_walk w,
                                                          unsigned i, uint64_t x) {
    if (w.k != 7 || i != 2) return walk_along(cells, w, i, x);
    w.k = 7;
    return walk_along(cells, w, 2, x);
}

/* The first pair by itself: both loads are under way before either is judged, and three strangers
 * in four are found out. `rest` is the kind's call of walk_on() from there, out of line, so that
 * the way to here needs no stack. The fewer instructions a key takes, the more keys' waits for
 * memory overlap. */
static inline __attribute__((always_inline)) bool
walk_maybe(const sito_filter *f, struct bits_walk w, uint64_t x,
           bool (*rest)(const sito_filter *f, unsigned i, uint64_t x)) {
    const uint8_t *cells = f->seg[0].at;
    if (w.k < 2) return rest(f, 0, x);
    uint64_t y = spread_next(x);
    if (!(bit_at(cells, place(&w, 0, x)) & bit_at(cells, place(&w, 1, y)))) return false;
    return rest(f, 2, spread_next(y));
}

static inline __attribute__((always_inline)) int walk_add(uint8_t *cells, struct bits_walk w,
                                                          uint64_t x) {
    unsigned known = 1;
    for (unsigned i = 0; i < w.k; i++, x = spread_next(x)) known &= bit_set(cells, place(&w, i, x));
    return !known;
}

static inline __attribute__((always_inline)) int walk_add_shared(uint8_t *cells, struct bits_walk w,
                                                                 uint64_t x) {
    unsigned known = 1;
    for (unsigned i = 0; i < w.k; i++, x = spread_next(x))
        known &= bit_set_shared(cells, place(&w, i, x));
    return !known;
}

/* A batch goes round by round: everybody's first bit, then the second of those still in, and so on.
 * A round asks for the next round's lines, and who is still in is counted, not branched on. */
static inline __attribute__((always_inline)) void walk_maybe_many(const uint8_t *cells,
                                                                  struct bits_walk w,
                                                                  const uint64_t *hashes, size_t n,
                                                                  uint8_t *answers) {
    uint64_t state[BATCH], spot[BATCH];
    uint8_t who[BATCH];
    for (size_t done = 0; done < n; done += BATCH) {
        unsigned alive = (unsigned)least(BATCH, n - done);
        for (unsigned j = 0; j < alive; j++) {
            state[j] = hashes[done + j];
            spot[j] = place(&w, 0, state[j]);
            who[j] = (uint8_t)j;
            __builtin_prefetch(cells + spot[j] / 8);
        }
        memset(answers + done, 0, alive);
        for (unsigned i = 1; i < w.k; i++) {
            unsigned still = 0;
            for (unsigned j = 0; j < alive; j++) {
                unsigned set = bit_at(cells, spot[j]);
                uint64_t x = spread_next(state[j]), next = place(&w, i, x);
                __builtin_prefetch(cells + (set ? next : spot[j]) / 8);
                state[still] = x, spot[still] = next, who[still] = who[j];
                still += set;
            }
            alive = still;
        }
        for (unsigned j = 0; j < alive; j++)
            answers[done + who[j]] = (uint8_t)bit_at(cells, spot[j]);
    }
}

/* First all lines of a batch are asked for, then its bits are set, in order, so answers are as if
 * the keys had come one by one. Returns how many were certainly new. */
static inline __attribute__((always_inline)) uint64_t walk_add_group(uint8_t *cells,
                                                                     struct bits_walk w,
                                                                     const uint64_t *hashes,
                                                                     size_t n, int8_t *answers) {
    enum { GROUP = 32 };
    uint64_t spot[GROUP * HASHES_MAX], added = 0;
    for (size_t done = 0; done < n; done += GROUP) {
        size_t group = (size_t)least(GROUP, n - done);
        uint64_t *to = spot;
        for (size_t j = 0; j < group; j++) {
            uint64_t x = hashes[done + j];
            for (unsigned i = 0; i < w.k; i++, x = spread_next(x)) {
                *to = place(&w, i, x);
                __builtin_prefetch(cells + *to++ / 8, 1);
            }
        }
        const uint64_t *at = spot;
        for (size_t j = 0; j < group; j++) {
            unsigned known = 1;
            for (unsigned i = 0; i < w.k; i++) known &= bit_set(cells, *at++);
            if (answers) answers[done + j] = (int8_t)!known;
            added += !known;
        }
    }
    return added;
}

/* At 1 %, which most people ask for, k is 7: a constant the compiler unrolls by. */
static inline uint64_t walk_add_many(uint8_t *cells, struct bits_walk w, const uint64_t *hashes,
                                     size_t n, int8_t *answers) {
    if (w.k != 7) return walk_add_group(cells, w, hashes, n, answers);
    w.k = 7;
    return walk_add_group(cells, w, hashes, n, answers);
}

/* ---- whole tables ---- */

static inline bool bit_table_sizes(const struct shape *s, const uint64_t extra[3],
                                   uint64_t bytes[SEGMENTS]) {
    unsigned k = s->param[PARAM_HASHES];
    bytes[0] = bits_bytes(s->ncells);
    bytes[1] = 0;
    return k >= 1 && k <= HASHES_MAX && s->ncells >= k && bytes[0] <= CELLS_MAX && !s->param[1] &&
           !s->param[2] && !s->param[3] && !extra[0] && !extra[1] && !extra[2];
}

static inline void bit_table_to_shape(const sito_plan *plan, struct shape *s) {
    *s = (struct shape){.ncells = plan->ncells, .param = {(uint16_t)plan->nhashes}};
}

static inline void bit_table_to_plan(const struct shape *s, sito_plan *plan) {
    plan->nhashes = s->param[PARAM_HASHES];
}

static inline sito_rc bit_table_merge(sito_filter *into, const sito_filter *from) {
    bits_or(into->seg[0].at, from->seg[0].at, into->seg[0].bytes);
    into->nkeys = sum_of(into->nkeys, from->nkeys);
    return SITO_OK;
}

static inline sito_rc bit_table_verify(const sito_filter *f, const char **why) {
    if (!bits_tail_clear(f->seg[0].at, f->shape.ncells))
        return refuse(SITO_EDAMAGED, "bits past the last cell are set", why);
    return SITO_OK;
}

#endif
