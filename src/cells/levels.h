/*
 * levels.h - confidences in [0,1] as levels 0..L of a cell, L = 2^b - 1, and back.
 *
 * On the linear scale level v stands for v/L. On the geometric one it stands for f^(L-v), and level
 * 0 for 0: there, less by the factor f is less by one level. A confidence goes to the highest level
 * that does not stand for more; so what was read back and is put again comes to the same level, and
 * no rounding of a product decides. Only plain IEEE operations: every machine finds the same level.
 */
#ifndef SITO_LEVELS_H
#define SITO_LEVELS_H

#include "core/base.h"

enum { LEVEL_BITS_MAX = 16 };

/* The smallest double stands for what is smaller yet: 0 would deny what is inside. */
#define LEVEL_LEAST 0x1p-1074

/* `factor` is 0 on the linear scale. */
struct levels {
    unsigned top; /* L */
    double factor;
};

static inline struct levels levels_of(unsigned bits, unsigned p, unsigned q) {
    return (struct levels){(1u << bits) - 1, q ? (double)p / q : 0};
}

/* What the level stands for: the least confidence that comes to it. */
static inline double level_floor(struct levels s, unsigned v) {
    if (!(s.factor > 0)) return (double)v / s.top;
    if (v == 0) return 0;
    double x = 1, square = s.factor;
    for (unsigned n = s.top - v; n; n >>= 1, square *= square)
        if (n & 1) x *= square;
    return x > 0 ? x : LEVEL_LEAST;
}

/* The middle of what comes to the level. Level 0 is where those are who were never put: it stays
 * 0. Level L is 1 alone. */
static inline double level_middle(struct levels s, unsigned v) {
    if (v == 0 || v == s.top) return level_floor(s, v);
    return (level_floor(s, v) + level_floor(s, v + 1)) / 2;
}

static inline unsigned level_of(struct levels s, double c) {
    unsigned low = 0, high = s.top; /* low stands for no more than c */
    if (!(s.factor > 0)) {
        unsigned near = (unsigned)(c * s.top);
        low = near ? near - 1 : 0;
        high = near < s.top ? near + 1 : s.top;
    }
    while (low < high && c > 0) {
        unsigned mid = high - (high - low) / 2;
        if (level_floor(s, mid) <= c) low = mid;
        else high = mid - 1;
    }
    return low;
}

#endif
