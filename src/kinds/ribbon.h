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
    RIBBON_KEYS_OF_5 = 691,  /* buckets */
    RIBBON_TRIES = 64,
    RIBBON_ROUND = 2048,         /* questions */
    RIBBON_SOON = 48,            /* of which so many are asked for ahead */
    RIBBON_AT_ONCE = 8,          /* and so many together: their lines are all a core can await */
    RIBBON_RING = 64,            /* room for both */
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

RIBBON_INLINE uint64_t ribbon_rows(uint64_t nbuckets) {
    return nbuckets * RIBBON_BUCKET + ribbon_pieces(nbuckets) * RIBBON_WIDTH;
}

/* Rows are in whole bytes, whatever their bits: there are whole blocks of them. */
RIBBON_INLINE uint64_t ribbon_row_bytes(uint64_t nrows, unsigned bits) { return nrows / 8 * bits; }

RIBBON_INLINE void ribbon_divide(struct ribbon_layer *l) {
    l->nbuckets = l->keys > RIBBON_LAST_KEYS ? l->keys * 5 / RIBBON_KEYS_OF_5 : 0;
    l->ndeep = (l->nbuckets * l->share + RIBBON_SHARES - 1) / RIBBON_SHARES;
    l->flat_at = l->deep_at + ribbon_row_bytes(ribbon_rows(l->ndeep), l->bits + 1);
}

/* How many keys more a layer needs for another bucket. */
RIBBON_INLINE uint64_t ribbon_keys_to_bucket(const struct ribbon_layer *l) {
    uint64_t keys = ((l->nbuckets + 1) * RIBBON_KEYS_OF_5 + 4) / 5;
    return (keys > RIBBON_LAST_KEYS ? keys : RIBBON_LAST_KEYS + 1) - l->keys;
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
    uint64_t flat = l->nbuckets - l->ndeep, rows = ribbon_rows(l->ndeep) + ribbon_rows(flat);
    uint64_t unsettled = l->nbuckets / 32 + 30 * (ribbon_pieces(l->ndeep) + ribbon_pieces(flat));
    l->keys = l->keys + unsettled > rows ? l->keys + unsettled - rows : 0;
    l->deep_at = l->flat_at + ribbon_row_bytes(ribbon_rows(flat), l->bits);
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

RIBBON_INLINE struct ribbon_spot ribbon_spot_at(const uint8_t *rows, uint64_t row, unsigned bits) {
    return (struct ribbon_spot){rows + row / RIBBON_BLOCK * (4 * bits), row % RIBBON_BLOCK, bits};
}

/* The flat buckets of a layer, or the deep ones. */
struct ribbon_side {
    const uint8_t *rows;
    uint64_t from; /* the first start */
    unsigned bits;
};

struct ribbon_sides {
    struct ribbon_side of[2];
};

RIBBON_INLINE struct ribbon_sides ribbon_sides_of(const struct ribbon_layer *l,
                                                  const uint8_t *cells) {
    return (struct ribbon_sides){{{cells + l->flat_at, l->ndeep * RIBBON_BUCKET, l->bits},
                                  {cells + l->deep_at, 0, l->bits + 1}}};
}

RIBBON_INLINE struct ribbon_spot ribbon_spot_in(const struct ribbon_sides *sides, uint64_t start) {
    const struct ribbon_side *side = &sides->of[start < sides->of[0].from];
    uint64_t row = start - side->from;
    row += row / (RIBBON_BUCKET * RIBBON_PIECE) * RIBBON_WIDTH;
    return ribbon_spot_at(side->rows, row, side->bits);
}

RIBBON_INLINE struct ribbon_spot ribbon_spot_of(const struct ribbon_layer *l, const uint8_t *cells,
                                                uint64_t start) {
    struct ribbon_sides sides = ribbon_sides_of(l, cells);
    return ribbon_spot_in(&sides, start);
}

RIBBON_INLINE struct ribbon_spot ribbon_last_spot(const struct ribbon_layer *last, uint64_t rows,
                                                  const uint8_t *cells, uint64_t h) {
    uint64_t start = range_of(h, rows - (RIBBON_WIDTH - 1));
    return ribbon_spot_at(cells + last->deep_at, start, ribbon_last_bits(last));
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

/* Questions to a layer: what each hash has become, and whose answer it is; no `who`: in order. */
struct ribbon_asked {
    const uint64_t *x;
    const uint16_t *who;
    size_t n;
};

/* Those that the next layer will be asked. */
struct ribbon_bumped {
    uint64_t x[RIBBON_ROUND];
    uint16_t who[RIBBON_ROUND];
    size_t n;
};

/* Those that this layer can answer, their rows asked for; the i-th lies at i modulo the ring. */
struct ribbon_soon {
    struct ribbon_spot spot[RIBBON_RING];
    uint64_t h[RIBBON_RING];
    uint16_t who[RIBBON_RING];
};

struct ribbon_cells {
    const uint8_t *rows, *codes;
    uint64_t try;
};

/* Three blocks; the last may be read by eight columns, be there fewer. */
RIBBON_INLINE void ribbon_ask_ahead(const uint8_t *block, unsigned columns) {
    unsigned bytes = 8 * columns + (columns + 7) / 8 * 32;
    __builtin_prefetch(block);
    for (unsigned line = 64; line < bytes; line += 64) __builtin_prefetch(block + line);
    __builtin_prefetch(block + bytes - 1);
}

/* From question i on; returns how many have been kept, with `kept` before. No branch hangs on who
 * was bumped, and their rows are not asked for. Rows are asked for in a loop of their own: a core
 * sees so many instructions ahead, and these wait. What is asked may lie where the bumped ones go:
 * they are never more than have been read. */
RIBBON_INLINE size_t ribbon_look_ahead(const struct ribbon_layer *l, const struct ribbon_cells *c,
                                       struct ribbon_asked asked, size_t i,
                                       struct ribbon_soon *soon, size_t kept,
                                       struct ribbon_bumped *bumped) {
    size_t end = (size_t)least(asked.n, i + RIBBON_AT_ONCE), gone = bumped->n, before = kept;
    struct ribbon_sides sides = ribbon_sides_of(l, c->rows);
    unsigned columns = ribbon_last_bits(l);
    for (; i < end; i++) {
        uint64_t h = ribbon_hash(asked.x[i], l->number, c->try), start = ribbon_start(l, h);
        uint16_t who = asked.who ? asked.who[i] : (uint16_t)i;
        bool is_bumped = ribbon_is_bumped(l, c->codes, start);
        struct ribbon_spot spot = ribbon_spot_in(&sides, start);
        bumped->x[gone] = soon->h[kept % RIBBON_RING] = h;
        bumped->who[gone] = soon->who[kept % RIBBON_RING] = who;
        soon->spot[kept % RIBBON_RING] = spot;
        gone += is_bumped;
        kept += !is_bumped;
    }
    bumped->n = gone;
    for (size_t k = before; k < kept; k++)
        ribbon_ask_ahead(soon->spot[k % RIBBON_RING].block, columns);
    return kept;
}

/* build/ribbon_build.c */
sito_rc ribbon_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n);

#endif
