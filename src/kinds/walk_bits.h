/*
 * walk_bits.h - the walk that bloom, parted and counting share: k positions, one cell each.
 *
 * They differ in where position i may fall, anywhere in the one table or in table i of k, and in
 * what a cell is: a bit, or a counter. `bits_walk` says which; it is made from constants in the
 * kinds' files, so the compiler drops the other.
 */
#ifndef SITO_WALK_BITS_H
#define SITO_WALK_BITS_H

#include "cells/bits.h"
#include "cells/counters.h"
#include "core/filter.h"
#include "core/share.h"
#include "place/range.h"
#include "place/spread.h"

enum { BATCH = 128, PARAM_HASHES = 0 };

struct bits_walk {
    uint64_t size;  /* cells in one table */
    uint64_t extra; /* the first `extra` tables have one cell more */
    unsigned k;
    unsigned cell_bits; /* 1: bits, more: counters */
    bool parted;
};

static inline struct bits_walk walk_of(const struct shape *s, bool parted, unsigned cell_bits) {
    unsigned k = s->param[PARAM_HASHES];
    return (struct bits_walk){.size = parted ? s->ncells / k : s->ncells,
                              .extra = parted ? s->ncells % k : 0,
                              .k = k,
                              .cell_bits = cell_bits,
                              .parted = parted};
}

/* ---- hash -> place ---- */

static inline uint64_t place(const struct bits_walk *w, unsigned i, uint64_t x) {
    if (!w->parted) return range_of(x, w->size);
    return i * w->size + least(i, w->extra) + range_of(x, w->size + (i < w->extra));
}

static inline const uint8_t *cell_byte(const uint8_t *cells, const struct bits_walk *w,
                                       uint64_t j) {
    return cells + j * w->cell_bits / 8;
}

/* Where the cell begins, in bits, for those who go on to look at it with is_used(). Where a cell is half a
 * byte, a range of bits is the range of cells, less a shift: the two lowest bits say nothing. */
static inline uint64_t cell_bit(const struct bits_walk *w, unsigned i, uint64_t x) {
    if (w->cell_bits == 4 && !w->parted) return range_of(x, w->size * 4);
    return place(w, i, x) * w->cell_bits;
}

/* ---- place -> answer ---- */

static inline unsigned is_used(const uint8_t *cells, const struct bits_walk *w, uint64_t bit) {
    if (w->cell_bits == 4) return (cells[bit / 8] >> (bit & 4) & 15) != 0;
    return w->cell_bits == 1 ? bit_at(cells, bit) : counter_from(cells, bit, w->cell_bits) != 0;
}

static inline unsigned cell_used(const uint8_t *cells, const struct bits_walk *w, uint64_t j) {
    return w->cell_bits == 1 ? bit_at(cells, j) : counter_at(cells, j, w->cell_bits) != 0;
}

static inline __attribute__((always_inline)) bool
walk_along(const uint8_t *cells, struct bits_walk w, unsigned i, uint64_t x) {
#pragma GCC unroll 8
    for (; i < w.k; i++, x = spread_next(x))
        if (!cell_used(cells, &w, place(&w, i, x))) return false;
    return true;
}

/* From the fourth position on. At 1 %, what most people ask for, k is 7: a constant to unroll by. */
static inline __attribute__((always_inline)) bool walk_on(const uint8_t *cells, struct bits_walk w,
                                                          unsigned i, uint64_t x) {
    if (w.k != 7 || i != 3) return walk_along(cells, w, i, x);
    w.k = 7;
    return walk_along(cells, w, 3, x);
}

/* The first three by themselves: all loads are under way before one is judged, and seven strangers
 * in eight are found out, so that the branch is seldom guessed wrong. `rest` is the kind's call of
 * walk_on() from there, out of line, so that the way to here needs no stack. The fewer instructions
 * a key takes, the more keys' waits for memory overlap. */
static inline __attribute__((always_inline)) bool
walk_maybe(const sito_filter *f, struct bits_walk w, uint64_t x,
           bool (*rest)(const sito_filter *f, unsigned i, uint64_t x)) {
    const uint8_t *cells = f->seg[0].at;
    if (w.k < 3) return rest(f, 0, x);
    uint64_t y = spread_next(x), z = spread_next(y);
    if (!(cell_used(cells, &w, place(&w, 0, x)) & cell_used(cells, &w, place(&w, 1, y)) &
          cell_used(cells, &w, place(&w, 2, z))))
        return false;
    return rest(f, 3, spread_next(z));
}

static inline __attribute__((always_inline)) int walk_add(uint8_t *cells, struct bits_walk w,
                                                          uint64_t x) {
    unsigned known = 1;
    for (unsigned i = 0; i < w.k; i++, x = spread_next(x)) known &= bit_set(cells, place(&w, i, x));
    return !known;
}

/* The keys of a batch that are still in: states, cells to look at, numbers in the batch; and later
 * whether all of their cells so far were in use. */
struct walkers {
    uint64_t state[BATCH], bit[BATCH];
    uint8_t who[BATCH], in[BATCH];
};

/* One round: those whose cell is in use go on to position i; returns how many. Who stays is
 * computed, not branched on. `sparing`: only for them is the next line asked for; else for all,
 * before their cell is seen. */
static inline __attribute__((always_inline)) unsigned walk_round(const uint8_t *cells,
                                                                 const struct bits_walk *w,
                                                                 struct walkers *all, unsigned n,
                                                                 unsigned i, bool sparing) {
    unsigned still = 0;
    for (unsigned j = 0; j < n; j++) {
        unsigned used = is_used(cells, w, all->bit[j]);
        uint64_t x = spread_next(all->state[j]), bit = all->bit[j], next = cell_bit(w, i, x);
        uint64_t stays = sparing ? 0 - (uint64_t)used : UINT64_MAX;
        __builtin_prefetch(cells + (bit ^ ((bit ^ next) & stays)) / 8);
        all->state[still] = x, all->bit[still] = next, all->who[still] = all->who[j];
        still += used;
    }
    return still;
}

/* All later ones: nobody leaves, for hardly anybody would; it is noted who should. A few keys at a
 * time: who needs all his lines is best served if they are not asked for too long ahead. */
static inline __attribute__((always_inline)) void walk_late(const uint8_t *cells,
                                                            const struct bits_walk *w,
                                                            struct walkers *all, unsigned n,
                                                            unsigned i) {
    enum { FEW = 32 };
    for (unsigned from = 0, end; from < n; from = end) {
        end = (unsigned)least(n, from + FEW);
        for (unsigned late = i; late < w->k; late++) {
#pragma GCC unroll 4
            for (unsigned j = from; j < end; j++) {
                all->in[j] &= (uint8_t)is_used(cells, w, all->bit[j]);
                all->state[j] = spread_next(all->state[j]);
                all->bit[j] = cell_bit(w, late, all->state[j]);
                __builtin_prefetch(cells + all->bit[j] / 8);
            }
        }
    }
}

/* Strangers would not be so many. */
static inline bool are_keys(unsigned alive, unsigned of) { return alive > of / 8 * 7; }

/* A batch goes round by round: everybody's first cell, then the second of those still in, and so on.
 * A round asks for the next round's lines. Most strangers leave in the first two, nearly all in the
 * first four; the others are probably keys, and will need theirs. So are all, if the first round let
 * hardly anybody go. */
static inline __attribute__((always_inline)) void walk_maybe_many(const uint8_t *cells,
                                                                  struct bits_walk w,
                                                                  const uint64_t *hashes, size_t n,
                                                                  uint8_t *answers) {
    enum { SPARING = 2, EARLY = 4 };
    struct walkers all;
    for (size_t done = 0; done < n; done += BATCH) {
        unsigned i = 1, size = (unsigned)least(BATCH, n - done), alive = size;
        memset(answers + done, 0, alive);
        memset(all.in, 1, sizeof all.in);
        for (unsigned j = 0; j < alive; j++) {
            all.state[j] = hashes[done + j];
            all.bit[j] = cell_bit(&w, 0, all.state[j]);
            all.who[j] = (uint8_t)j;
            __builtin_prefetch(cells + all.bit[j] / 8);
        }
        if (w.k > 1) alive = walk_round(cells, &w, &all, alive, i++, true);
        bool late = are_keys(alive, size);
        for (; !late && i < w.k && i <= SPARING; i++)
            alive = walk_round(cells, &w, &all, alive, i, true);
        for (; !late && i < w.k && i <= EARLY; i++)
            alive = walk_round(cells, &w, &all, alive, i, false);
        walk_late(cells, &w, &all, alive, i);
        for (unsigned j = 0; j < alive; j++)
            answers[done + all.who[j]] = all.in[j] & (uint8_t)is_used(cells, &w, all.bit[j]);
    }
}

/* The cells of n keys, k for each, and their lines on the way. */
static inline __attribute__((always_inline)) void walk_draw(const uint8_t *cells,
                                                            const struct bits_walk *w,
                                                            const uint64_t *hashes, size_t n,
                                                            uint64_t *spot) {
    for (size_t j = 0; j < n; j++) {
        uint64_t x = hashes[j];
        for (unsigned i = 0; i < w->k; i++, x = spread_next(x)) {
            *spot = place(w, i, x);
            __builtin_prefetch(cell_byte(cells, w, *spot++), 1);
        }
    }
}

/* First all lines of a group are asked for, then its bits are set, in order, so answers are as if
 * the keys had come one by one. `set`: alone, or beside others. Returns how many were certainly
 * new. */
static inline __attribute__((always_inline)) uint64_t
walk_add_group(uint8_t *cells, struct bits_walk w, const uint64_t *hashes, size_t n,
               int8_t *answers, unsigned (*set)(uint8_t *cells, uint64_t j)) {
    enum { GROUP = 32 };
    uint64_t spot[GROUP * HASHES_MAX], added = 0;
    for (size_t done = 0; done < n; done += GROUP) {
        size_t group = (size_t)least(GROUP, n - done);
        walk_draw(cells, &w, hashes + done, group, spot);
        const uint64_t *at = spot;
        for (size_t j = 0; j < group; j++) {
            unsigned known = 1;
            for (unsigned i = 0; i < w.k; i++) known &= set(cells, *at++);
            if (answers) answers[done + j] = (int8_t)!known;
            added += !known;
        }
    }
    return added;
}

/* At 1 %, which most people ask for, k is 7: a constant the compiler unrolls by. */
static inline __attribute__((always_inline)) uint64_t walk_add_many(uint8_t *cells,
                                                                    struct bits_walk w,
                                                                    const uint64_t *hashes,
                                                                    size_t n, int8_t *answers) {
    if (w.k != 7) return walk_add_group(cells, w, hashes, n, answers, bit_set);
    w.k = 7;
    return walk_add_group(cells, w, hashes, n, answers, bit_set);
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
    into->nkeys = sum_of(into->nkeys, keys_of(from));
    return SITO_OK;
}

static inline sito_rc bit_table_verify(const sito_filter *f, const char **why) {
    if (!bits_tail_clear(f->seg[0].at, f->shape.ncells))
        return refuse(SITO_EDAMAGED, "bits past the last cell are set", why);
    return SITO_OK;
}

#endif
