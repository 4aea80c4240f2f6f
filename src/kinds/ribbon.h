/*
 * ribbon.h - where everything in a ribbon filter lies: shared by its questions and its build.
 *
 * Layers, each with a fixed number of buckets of 128 starts, reckoned for a twelfth more keys than
 * they have rows; who is bumped goes on to the next, and the few that are left to the last, which
 * has no buckets and room for all. Of every layer a share of the buckets, the first ones, is one
 * bit deeper, for rates between the powers of two.
 *
 * Rows are in pieces of at most 8192 buckets, each with 64 rows more for the last keys' ends: each
 * is solved by itself. All this follows from the number of keys planned for, the bits and the share,
 * in whole numbers.
 */
#ifndef SITO_RIBBON_H
#define SITO_RIBBON_H

#include "build/ribbon_piece.h"
#include "core/filter.h"
#include "place/range.h"

enum {
    PARAM_RIBBON_BITS = 0,
    PARAM_RIBBON_SHARE = 1,
    RIBBON_SHARES = 1 << 16, /* shares are counted in these */
    RIBBON_PIECE = 8192,     /* buckets */
    RIBBON_LAST_KEYS = 1024, /* so few need no bumping */
    RIBBON_TRIES = 64,
    RIBBON_EMPTY = RIBBON_TRIES, /* in place of the try: there are no keys, and nobody is let in */
    EXTRA_RIBBON_TRY = 0,        /* of all layers, from the first on */
    EXTRA_RIBBON_LAST_TRY = 1,   /* of the last */
    EXTRA_RIBBON_BUMPED = 2,     /* keys that are not in the first layer */
};

struct ribbon_layer {
    uint64_t keys;            /* planned for */
    uint64_t nbuckets, ndeep; /* none: the last layer */
    unsigned bits;            /* a row, where it is not deep */
    uint64_t share, number;
    uint64_t deep_at, flat_at;      /* bytes; of the last layer only the first counts */
    uint64_t codes_at, rows_before; /* buckets and rows of the layers before */
};

RIBBON_INLINE uint64_t ribbon_pieces(uint64_t nbuckets) {
    return nbuckets / RIBBON_PIECE + (nbuckets % RIBBON_PIECE != 0);
}

/* Blocks of 64 rows. */
RIBBON_INLINE uint64_t ribbon_blocks(uint64_t nbuckets) {
    return nbuckets * (RIBBON_BUCKET / RIBBON_WIDTH) + ribbon_pieces(nbuckets);
}

RIBBON_INLINE void ribbon_divide(struct ribbon_layer *l) {
    l->nbuckets = l->keys > RIBBON_LAST_KEYS ? l->keys * 5 / 691 : 0;
    l->ndeep = (l->nbuckets * l->share + RIBBON_SHARES - 1) / RIBBON_SHARES;
    l->flat_at = l->deep_at + ribbon_blocks(l->ndeep) * (l->bits + 1) * 8;
}

RIBBON_INLINE struct ribbon_layer ribbon_first(const struct shape *s) {
    struct ribbon_layer l = {.keys = s->ncells,
                             .bits = s->param[PARAM_RIBBON_BITS],
                             .share = s->param[PARAM_RIBBON_SHARE]};
    ribbon_divide(&l);
    return l;
}

/* Every row that nobody settles is a key more to be bumped: one in some four thousand, and thirty a
 * piece. */
RIBBON_INLINE void ribbon_next(struct ribbon_layer *l) {
    uint64_t flat = l->nbuckets - l->ndeep, blocks = ribbon_blocks(l->ndeep) + ribbon_blocks(flat),
             rows = blocks * RIBBON_WIDTH;
    uint64_t unsettled = l->nbuckets / 32 + 30 * (ribbon_pieces(l->ndeep) + ribbon_pieces(flat));
    l->keys = l->keys + unsettled > rows ? l->keys + unsettled - rows : 0;
    l->deep_at = l->flat_at + ribbon_blocks(flat) * l->bits * 8;
    l->codes_at += l->nbuckets;
    l->rows_before += rows;
    l->number++;
    ribbon_divide(l);
}

/* ---- the last layer ---- */

RIBBON_INLINE uint64_t ribbon_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

/* Rows in all: one a key, those that nobody settles, and enough for bad luck. */
RIBBON_INLINE uint64_t ribbon_rows_of(const struct shape *s, uint64_t nlayers) {
    uint64_t n = s->ncells, sections = s->param[PARAM_RIBBON_SHARE] ? 2 : 1;
    uint64_t slack = n / 32 + 8;
    if (nlayers) slack = n / 3600 + ribbon_root(n) / 4 + 32 * nlayers * sections + 48;
    return rounded_up(n + slack, RIBBON_WIDTH);
}

RIBBON_INLINE uint64_t ribbon_last_rows(const struct shape *s, const struct ribbon_layer *last) {
    return ribbon_rows_of(s, last->number) - last->rows_before;
}

RIBBON_INLINE unsigned ribbon_last_bits(const struct ribbon_layer *last) {
    return last->bits + (last->share > 0);
}

/* ---- hash -> place ---- */

#define RIBBON_STEP 0x9e3779b97f4a7c15u

/* What a layer's places come from: of the hash, or of what the layer before had. */
RIBBON_INLINE uint64_t ribbon_hash(uint64_t x, uint64_t number, uint64_t try) {
    return ribbon_stir(x + (2 * try + (number > 0)) * RIBBON_STEP);
}

RIBBON_INLINE uint64_t ribbon_start(const struct ribbon_layer *l, uint64_t h) {
    return range_of(h, l->nbuckets * RIBBON_BUCKET);
}

RIBBON_INLINE struct ribbon_spot ribbon_spot_of(const struct ribbon_layer *l, const uint8_t *cells,
                                                uint64_t start) {
    bool deep = start / RIBBON_BUCKET < l->ndeep;
    unsigned bits = l->bits + deep;
    uint64_t from = deep ? 0 : l->ndeep * RIBBON_BUCKET, at = deep ? l->deep_at : l->flat_at;
    start -= from;
    uint64_t block = start / RIBBON_WIDTH + start / (RIBBON_BUCKET * RIBBON_PIECE);
    return (struct ribbon_spot){cells + at + block * bits * 8, start % RIBBON_WIDTH, bits};
}

RIBBON_INLINE struct ribbon_spot ribbon_last_spot(const struct ribbon_layer *last, uint64_t rows,
                                                  const uint8_t *cells, uint64_t h) {
    uint64_t start = range_of(h, rows - (RIBBON_WIDTH - 1));
    unsigned bits = ribbon_last_bits(last);
    return (struct ribbon_spot){cells + last->deep_at + start / RIBBON_WIDTH * bits * 8,
                                start % RIBBON_WIDTH, bits};
}

RIBBON_INLINE unsigned ribbon_code(const uint8_t *codes, uint64_t bucket) {
    return codes[bucket / 4] >> (bucket % 4 * 2) & 3;
}

RIBBON_INLINE bool ribbon_is_bumped(const struct ribbon_layer *l, const uint8_t *codes,
                                    uint64_t start) {
    unsigned code = ribbon_code(codes, l->codes_at + start / RIBBON_BUCKET);
    return start % RIBBON_BUCKET < ribbon_bumps_below(code);
}

/* ---- many places -> answers ---- */

RIBBON_INLINE void ribbon_ask_ahead(struct ribbon_spot s) {
    const uint8_t *end = s.block + 16 * s.bits - 1;
    for (const uint8_t *line = s.block; line < end; line += 64) __builtin_prefetch(line);
    __builtin_prefetch(end);
}

/* One layer for n hashes x, answers[who[i]] being x[i]'s. Rows are asked for some questions ahead.
 * Those that were bumped are moved to the front, as what they are for the next layer; returns how
 * many. Their answers are anything until then. */
RIBBON_INLINE size_t ribbon_ask_body(const struct ribbon_layer *l, const uint8_t *cells,
                                     const uint8_t *codes, uint64_t try, uint64_t *x, uint16_t *who,
                                     size_t n, uint8_t *answers) {
    enum { AHEAD = 32 };
    struct {
        struct ribbon_spot spot;
        uint64_t h;
        size_t who;
    } soon[AHEAD], *s;
    size_t on = 0;
    for (size_t i = 0; i < n + AHEAD; i++) {
        s = &soon[i % AHEAD];
        if (i >= AHEAD) answers[s->who] = ribbon_holds_body(s->spot, l->bits, s->h);
        if (i >= n) continue;
        uint64_t h = ribbon_hash(x[i], l->number, try), start = ribbon_start(l, h);
        s->spot = ribbon_spot_of(l, cells, start);
        ribbon_ask_ahead(s->spot);
        s->h = h;
        s->who = who[i];
        x[on] = h;
        who[on] = who[i];
        on += ribbon_is_bumped(l, codes, start);
    }
    return on;
}

/* build/ribbon_build.c */
sito_rc ribbon_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n);

#endif
