/*
 * ribbon_walk.h - the inner loops of the ribbon, as every instruction set runs them.
 *
 * A key is an equation over GF(2): of the 64 rows from its start on, those that its coefficients
 * name add up to its tag. While rows are settled, a row's number modulo 64 is its bit in every word, so
 * nothing is ever shifted: coefficients are turned to their start.
 */
#ifndef SITO_RIBBON_WALK_H
#define SITO_RIBBON_WALK_H

#include "core/base.h"

enum { RIBBON_WIDTH = 64, RIBBON_BLOCK = 32, RIBBON_TAG_MAX = 48, RIBBON_LANES = 4 };
/* Keys that 128 rows and the 64 behind them may hold; with 64 open before. */
enum { RIBBON_SWEEP_MAX = 192, RIBBON_QUEUE = RIBBON_SWEEP_MAX + RIBBON_WIDTH + 16 };

#define RIBBON_INLINE static inline __attribute__((always_inline))

/* ---- hash -> equation ---- */

/* One-to-one, and whatever comes in, evenly spread: hashes may be given directly, and each layer
 * needs places of its own. */
RIBBON_INLINE uint64_t ribbon_stir(uint64_t x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

struct equation {
    uint64_t coef, tag; /* bit 0 is the start's, and set */
};

/* The tag must be far from linear in the coefficients, or rows of one pattern would please every
 * stranger: so it is a folded product. */
RIBBON_INLINE struct equation equation_of(uint64_t h) {
    uint64_t x = h * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    unsigned __int128 wide = (unsigned __int128)x * 0xd1342543de82ef95u;
    return (struct equation){x | 1, (uint64_t)wide ^ (uint64_t)(wide >> 64)};
}

RIBBON_INLINE uint64_t turned_to(uint64_t coef, unsigned by) {
    return coef << by | coef >> (-by & 63);
}

/* ---- starts ---- */

enum { RIBBON_BUCKET = 128 };

/* met[]: the sums of count[] up to each row, which itself becomes the sums before it. Returns the
 * largest count. */
RIBBON_INLINE unsigned ribbon_add_up_body(uint16_t *count, uint16_t *met) {
    unsigned sum = 0, most = 0;
    for (unsigned row = 0; row < RIBBON_BUCKET; row++) {
        unsigned here = count[row];
        count[row] = (uint16_t)sum;
        met[row] = (uint16_t)(sum += here);
        most = here > most ? here : most;
    }
    return most;
}

/* A row settles one equation, if one is open: so counting tells how many will be at most, `open`
 * being open before and the first `from` keys left out. Rows that find none open are idle. */
RIBBON_INLINE int ribbon_most_open_body(const uint16_t *met, int open, int from) {
    int idle = 0, most = 0;
    for (int row = 0; row < RIBBON_BUCKET; row++) {
        int come = met[row] > from ? met[row] - from : 0;
        int here = open + come - row; /* if none were idle */
        if (come) most = here + idle > most ? here + idle : most;
        idle = 1 - here > idle ? 1 - here : idle;
    }
    return most;
}

/* ---- repeats ---- */

typedef uint64_t ribbon_lanes __attribute__((vector_size(8 * RIBBON_LANES)));

/* Are there equal hashes, fewer than `near` places apart? */
RIBBON_INLINE bool ribbon_repeats_body(const uint64_t *hash, size_t n, size_t near) {
    ribbon_lanes found = {0}, a, b;
    bool rest = false;
    for (size_t by = 1; by < near; by++) {
        size_t i = by;
        for (; i + RIBBON_LANES <= n; i += RIBBON_LANES) {
            memcpy(&a, hash + i, sizeof a);
            memcpy(&b, hash + i - by, sizeof b);
            found |= (ribbon_lanes)(a == b);
        }
        for (; i < n; i++) rest |= hash[i] == hash[i - by];
    }
    return rest || (found[0] | found[1] | found[2] | found[3]);
}

/* ---- equations -> rows ---- */

/* Equations met so far and not yet settled on a row of their own, in the order in which they came:
 * all lie within the next 64 rows. */
struct ribbon_open {
    uint64_t coef[RIBBON_WIDTH], tag[RIBBON_WIDTH];
    unsigned n;
};

/* Behind a sweep's keys so many more are read, and do not count. */
enum { RIBBON_PAST = 32 };

/* Keys in the order of the rows they start at; the first `from` are left out. `met[row]`: how many
 * have started up to this row. Coefficients are turned to their start. */
struct ribbon_keys {
    const uint64_t *coef, *tag;
    const uint16_t *met;
    unsigned from, n, bits; /* bits: of a tag */
};

/* What a row has been settled with: no coefficients, none. */
struct ribbon_rows {
    uint64_t *coef, *tag;
};

/* A sweep's equations: the open ones, then all the keys'. Those that are settled are all zero. */
struct ribbon_queue {
    _Alignas(64) uint64_t coef[RIBBON_QUEUE], tag[RIBBON_QUEUE];
};

RIBBON_INLINE void ribbon_clear_lanes(uint64_t *coef, uint64_t *tag, unsigned bit,
                                      struct equation by, const ribbon_lanes *which) {
    typedef int64_t ribbon_signs __attribute__((vector_size(8 * RIBBON_LANES)));
    ribbon_lanes c, t, has;
    memcpy(&c, coef, sizeof c);
    memcpy(&t, tag, sizeof t);
    has = (ribbon_lanes)((ribbon_signs)(c << (RIBBON_WIDTH - 1 - bit)) < 0);
    if (which) has &= *which;
    c ^= has & by.coef;
    t ^= has & by.tag;
    memcpy(coef, &c, sizeof c);
    memcpy(tag, &t, sizeof t);
}

/* Takes the row out of all n equations that have it, also out of the one that settles it. */
RIBBON_INLINE void ribbon_clear(uint64_t *coef, uint64_t *tag, unsigned n, unsigned bit,
                                struct equation by) {
    static const ribbon_lanes first[RIBBON_LANES] = {
        {0, 0, 0, 0}, {~0ull, 0, 0, 0}, {~0ull, ~0ull, 0, 0}, {~0ull, ~0ull, ~0ull, 0}};
    uint64_t *end = coef + n / RIBBON_LANES * RIBBON_LANES;
    for (; coef < end; coef += RIBBON_LANES, tag += RIBBON_LANES)
        ribbon_clear_lanes(coef, tag, bit, by, NULL);
    ribbon_clear_lanes(coef, tag, bit, by, &first[n % RIBBON_LANES]);
}

/* The first of n equations that has this row; no coefficients: none has. Of four, one will. */
RIBBON_INLINE struct equation ribbon_taker(const uint64_t *coef, const uint64_t *tag, unsigned n,
                                           unsigned bit) {
    for (unsigned i = 0; i < n; i += RIBBON_LANES) {
        const uint64_t *c = coef + i;
        uint64_t has = (c[0] >> bit & 1) | (c[1] >> bit & 1) << 1 | (c[2] >> bit & 1) << 2 |
                       (c[3] >> bit & 1) << 3;
        unsigned at = i + (unsigned)__builtin_ctzll(has | 16);
        if (has && at < n) return (struct equation){coef[at], tag[at]};
    }
    return (struct equation){0, 0};
}

/* What is left of n becomes the open equations; false if one of them is 0 = 1. */
RIBBON_INLINE bool ribbon_leave(const uint64_t *coef, const uint64_t *tag, unsigned n,
                                struct ribbon_open *o) {
    uint64_t wrong = 0;
    o->n = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!coef[i]) {
            wrong |= tag[i];
            continue;
        }
        if (o->n == RIBBON_WIDTH) return false;
        o->coef[o->n] = coef[i];
        o->tag[o->n++] = tag[i];
    }
    return !wrong;
}

/* Settles rows at..at+nrows-1, `at` a multiple of 64, with the keys that start there. False: they
 * cannot all be met.
 *
 * The oldest takes a row first. So equations open from before meet none but each other, and after
 * 64 rows none of them is left: a contradiction among them shows within this sweep. */
RIBBON_INLINE bool ribbon_sweep_body(struct ribbon_open *o, struct ribbon_rows rows, uint64_t at,
                                     unsigned nrows, struct ribbon_keys k) {
    struct ribbon_queue q;
    unsigned nold = o->n, n = k.n - k.from, head = 0, tail = 0;
    uint64_t wrong = 0;
    if (n > RIBBON_SWEEP_MAX) return false;
    memcpy(q.coef, o->coef, sizeof o->coef);
    memcpy(q.tag, o->tag, sizeof o->tag);
    memcpy(q.coef + nold, k.coef + k.from, n * sizeof *q.coef);
    memcpy(q.tag + nold, k.tag + k.from, n * sizeof *q.tag);
    memset(q.coef + nold + n, 0, 2 * RIBBON_LANES * sizeof *q.coef);
    memset(q.tag + nold + n, 0, 2 * RIBBON_LANES * sizeof *q.tag);
    for (unsigned row = 0; row < nrows; row++) {
        unsigned bit = row % RIBBON_WIDTH, met = k.met[row];
        uint64_t *coef = q.coef + head, *tag = q.tag + head;
        tail = nold + (met > k.from ? met - k.from : 0);
        struct equation by = ribbon_taker(coef, tag, tail - head, bit);
        rows.coef[at + row] = by.coef;
        rows.tag[at + row] = by.tag;
        ribbon_clear(coef, tag, tail - head, bit, by);
        if (row % 4 < 3) continue;
        while (head + RIBBON_LANES <= tail && !(coef[0] | coef[1] | coef[2] | coef[3])) {
            wrong |= tag[0] | tag[1] | tag[2] | tag[3];
            head += RIBBON_LANES, coef += RIBBON_LANES, tag += RIBBON_LANES;
        }
    }
    return ribbon_leave(q.coef + head, q.tag + head, tail - head, o) && !wrong;
}

RIBBON_INLINE unsigned ribbon_parity(uint64_t x) { return (unsigned)__builtin_parityll(x); }

enum { RIBBON_COLUMNS = 8 };

/* Bit 0 of a column is the row solved last, and the others follow. */
RIBBON_INLINE uint64_t ribbon_solved(uint64_t column, uint64_t coef, uint64_t tag) {
    return 2 * column | ((ribbon_parity(coef & column) ^ tag) & 1);
}

/* 64 rows, from the last to the first, in eight columns, or in the first four of them; they stay in
 * registers. */
RIBBON_INLINE void ribbon_solve_columns(const uint64_t *coefs, const uint64_t *tags, unsigned from,
                                        bool eight, uint64_t *columns) {
    uint64_t *w = columns + from, a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5],
             g = w[6], h = w[7];
    for (unsigned bit = RIBBON_WIDTH; bit-- > 0;) {
        uint64_t coef = turned_to(coefs[bit], -bit & 63) >> 1, tag = tags[bit] >> from;
        a = ribbon_solved(a, coef, tag);
        b = ribbon_solved(b, coef, tag >> 1);
        c = ribbon_solved(c, coef, tag >> 2);
        d = ribbon_solved(d, coef, tag >> 3);
        if (!eight) continue;
        e = ribbon_solved(e, coef, tag >> 4);
        f = ribbon_solved(f, coef, tag >> 5);
        g = ribbon_solved(g, coef, tag >> 6);
        h = ribbon_solved(h, coef, tag >> 7);
    }
    w[0] = a, w[1] = b, w[2] = c, w[3] = d;
    if (eight) w[4] = e, w[5] = f, w[6] = g, w[7] = h;
}

/* From the last row to the first, every row's bits in all columns; those that nobody settled are
 * zero. A block is 32 rows, and one word a column. */
RIBBON_INLINE void ribbon_solve_body(struct ribbon_rows rows, uint64_t nrows, unsigned bits,
                                     uint8_t *out) {
    uint64_t column[RIBBON_TAG_MAX + RIBBON_COLUMNS] = {0};
    for (uint64_t block = nrows / RIBBON_WIDTH; block-- > 0;) {
        const uint64_t *coefs = rows.coef + block * RIBBON_WIDTH,
                       *tags = rows.tag + block * RIBBON_WIDTH;
        unsigned from = 0;
        for (; from + 4 < bits; from += 8) ribbon_solve_columns(coefs, tags, from, true, column);
        if (from < bits) ribbon_solve_columns(coefs, tags, from, false, column);
        uint8_t *lower = out + 2 * block * bits * 4, *upper = lower + bits * 4;
        for (unsigned c = 0; c < bits; c++) {
            put32(lower + 4 * c, (uint32_t)column[c]);
            put32(upper + 4 * c, (uint32_t)(column[c] >> RIBBON_BLOCK));
        }
    }
}

/* ---- place -> answer ---- */

/* Where a key's equation lies: the block it starts in, its start there, and the columns. */
struct ribbon_spot {
    const uint8_t *block;
    unsigned start, bits;
};

/* What the coefficients name in each of three blocks; from a block's first row on there are two. */
struct ribbon_names {
    uint32_t in[3];
};

RIBBON_INLINE struct ribbon_names names_of(uint64_t coef, unsigned start) {
    unsigned rest = RIBBON_BLOCK - start;
    return (struct ribbon_names){
        {(uint32_t)(coef << start), (uint32_t)(coef >> rest), (uint32_t)(coef >> 32 >> rest)}};
}

RIBBON_INLINE bool ribbon_holds_body(struct ribbon_spot s, uint64_t h) {
    struct equation e = equation_of(h);
    struct ribbon_names names = names_of(e.coef, s.start);
    const uint8_t *first = s.block, *second = first + 4 * s.bits,
                  *third = second + (s.start ? 4 * s.bits : 0);
    uint64_t wrong = 0;
    for (unsigned c = 0; c < 4 * s.bits; c += 4, e.tag >>= 1)
        wrong |= e.tag ^ ribbon_parity((get32(first + c) & names.in[0]) ^
                                       (get32(second + c) & names.in[1]) ^
                                       (get32(third + c) & names.in[2]));
    return !(wrong & 1);
}

#endif
