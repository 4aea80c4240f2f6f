/*
 * ribbon_walk.h - the inner loops of the ribbon, as every instruction set runs them.
 *
 * A key is an equation over GF(2): of the 64 rows from its start on, those that its coefficients
 * name add up to its tag. A row's number modulo 64 is its bit in every word, so nothing is ever
 * shifted: coefficients are turned to their start, and 64 rows of one column are one word.
 */
#ifndef SITO_RIBBON_WALK_H
#define SITO_RIBBON_WALK_H

#include "core/base.h"

enum { RIBBON_WIDTH = 64, RIBBON_TAG_MAX = 48, RIBBON_LANES = 4 };

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

/* ---- equations -> rows ---- */

/* Equations met so far and not yet settled on a row of their own: all lie within the next 64 rows.
 * Past the last one coefficients are zero. */
struct ribbon_open {
    _Alignas(32) uint64_t coef[RIBBON_WIDTH + RIBBON_LANES], tag[RIBBON_WIDTH + RIBBON_LANES];
    unsigned n;
};

/* What a row has been settled with: no coefficients, none. */
struct ribbon_rows {
    uint64_t *coef, *tag;
};

typedef uint64_t ribbon_lanes __attribute__((vector_size(8 * RIBBON_LANES)));

/* Takes the row out of every equation that has it. */
RIBBON_INLINE void ribbon_clear(struct ribbon_open *o, unsigned bit, uint64_t coef, uint64_t tag) {
    for (unsigned i = 0; i < o->n; i += RIBBON_LANES) {
        ribbon_lanes c, t, has;
        memcpy(&c, o->coef + i, sizeof c);
        memcpy(&t, o->tag + i, sizeof t);
        has = -(c >> bit & 1);
        c ^= has & coef;
        t ^= has & tag;
        memcpy(o->coef + i, &c, sizeof c);
        memcpy(o->tag + i, &t, sizeof t);
    }
}

/* The first open equation that has this row, or n. */
RIBBON_INLINE unsigned ribbon_taker(const struct ribbon_open *o, unsigned bit) {
    unsigned i = 0;
    while (i < o->n && !(o->coef[i] >> bit & 1)) i++;
    return i;
}

/* Takes out equation i. The first *nold stay in front. */
RIBBON_INLINE void ribbon_remove(struct ribbon_open *o, unsigned i, unsigned *nold) {
    unsigned last = --o->n;
    if (i < *nold) {
        --*nold;
        o->coef[i] = o->coef[*nold];
        o->tag[i] = o->tag[*nold];
        i = *nold;
    }
    o->coef[i] = o->coef[last];
    o->tag[i] = o->tag[last];
    o->coef[last] = 0;
}

/* Equations without coefficients: those that say 0 = 0 are let go, another cannot be met. */
RIBBON_INLINE bool ribbon_consistent(struct ribbon_open *o) {
    unsigned kept = 0, n = o->n;
    for (unsigned i = 0; i < n; i++) {
        if (!o->coef[i] && o->tag[i]) return false;
        if (!o->coef[i]) continue;
        o->coef[kept] = o->coef[i];
        o->tag[kept++] = o->tag[i];
    }
    for (unsigned i = kept; i < n; i++) o->coef[i] = 0;
    o->n = kept;
    return true;
}

/* Settles rows at..at+nrows-1, `at` a multiple of 64, with the keys that start there: hashes and
 * the rows they start at, counted from `at`, in rising order. False: they cannot all be met.
 *
 * Equations open from before take rows first. So they meet none but each other, and after 64 rows
 * none of them is left: a contradiction among them shows within this sweep. */
RIBBON_INLINE bool ribbon_sweep_body(struct ribbon_open *o, struct ribbon_rows rows, uint64_t at,
                                     unsigned nrows, const uint64_t *hashes, const uint16_t *start,
                                     size_t n, uint64_t tag_mask) {
    size_t next = 0;
    unsigned nold = o->n;
    for (unsigned row = 0; row < nrows; row++) {
        unsigned bit = row % RIBBON_WIDTH;
        while (next < n && start[next] == row) {
            if (o->n == RIBBON_WIDTH) return false;
            struct equation e = equation_of(hashes[next++]);
            o->coef[o->n] = turned_to(e.coef, bit);
            o->tag[o->n++] = e.tag & tag_mask;
        }
        unsigned taker = ribbon_taker(o, bit);
        if (taker == o->n) {
            rows.coef[at + row] = rows.tag[at + row] = 0;
            continue;
        }
        uint64_t coef = o->coef[taker], tag = o->tag[taker];
        rows.coef[at + row] = coef;
        rows.tag[at + row] = tag;
        ribbon_remove(o, taker, &nold);
        ribbon_clear(o, bit, coef, tag);
    }
    return ribbon_consistent(o);
}

RIBBON_INLINE unsigned ribbon_parity(uint64_t x) { return (unsigned)__builtin_parityll(x); }

/* From the last row to the first, every row's bits in all columns; those that nobody settled are
 * zero. A block is 64 rows: one word a column. */
RIBBON_INLINE void ribbon_solve_body(struct ribbon_rows rows, uint64_t nrows, unsigned bits,
                                     uint8_t *out) {
    uint64_t column[RIBBON_TAG_MAX + 1] = {0};
    for (uint64_t row = nrows; row-- > 0;) {
        unsigned bit = row % RIBBON_WIDTH;
        uint64_t here = (uint64_t)1 << bit, coef = rows.coef[row] & ~here, tag = rows.tag[row];
        for (unsigned c = 0; c < bits; c++, tag >>= 1) {
            uint64_t z = (ribbon_parity(coef & column[c]) ^ tag) & 1;
            column[c] = (column[c] & ~here) | z << bit;
        }
        if (bit) continue;
        uint8_t *block = out + row / RIBBON_WIDTH * bits * 8;
        for (unsigned c = 0; c < bits; c++) put64(block + 8 * c, column[c]);
    }
}

/* ---- place -> answer ---- */

/* Where a key's equation lies: the block it starts in, its start there, and the columns. */
struct ribbon_spot {
    const uint8_t *block;
    unsigned start, bits;
};

RIBBON_INLINE bool ribbon_holds_body(struct ribbon_spot s, uint64_t h) {
    struct equation e = equation_of(h);
    uint64_t coef = turned_to(e.coef, s.start), first = coef & UINT64_MAX << s.start,
             second = coef ^ first, wrong = 0;
    const uint8_t *a = s.block, *b = a + (s.start ? 8 * s.bits : 0);
    for (unsigned c = 0; c < s.bits; c++, a += 8, b += 8, e.tag >>= 1)
        wrong |= ribbon_parity((get64(a) & first) ^ (get64(b) & second)) ^ e.tag;
    return !(wrong & 1);
}

#endif
