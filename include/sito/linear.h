/*
 * sito/linear.h - the linear Bloom filter (Lima, Baquero and Miranda): every key carries a confidence
 * in [0,1].
 *
 * A cell holds a level of b bits in place of a bit. A key put with confidence c raises each of its k
 * cells to c's level, and its confidence is the lowest of their levels: never below what was put.
 * Fading lowers all of them at once; merging takes the higher of each two. So filters handed from
 * neighbour to neighbour, each faded by its own hop, carry how far away everything is, in messages
 * of one size.
 *
 *     sito_plan plan = {.kind = SITO_LINEAR, .nkeys = 70, .max_bytes = 512};
 *     sito_new(&plan, NULL, &mine);                 b and k are chosen for the least error
 *     sito_linear_put(mine, "printer", 7, 1);
 *     sito_linear_fade(theirs, 9, 10);
 *     sito_merge(mine, theirs);                     theirs: a neighbour's, of the same plan
 *     sito_linear_get_mid(mine, "scanner", 7);
 *
 * Scales      plan.scale "linear", the default: level v stands for v/L, L = 2^b - 1, and fading by
 *             p/q makes it floor(v * p / q). "geometric": level v stands for (p/q)^(L-v), the factor
 *             plan.fade_p / fade_q (9/10 if not given) is part of the filter, and fading by it is one
 *             level less; no other fade is possible. A full cell lives 2^b - 1 such fades there; on the
 *             linear scale, with 9/10, 12 at b = 4, 18 at b = 5, 37 at b = 8.
 * Costs       plan.cell_bits (1..16) times the bits of a `bloom`. With keys and bytes given and no rate,
 *             the plan chooses b and k for the least squared error; with a rate b is 8. The rate is
 *             that of a filter whose keys were all put with 1: no other makes more errors.
 * Can         add, merge, map.   Cannot   remove, be folded, nor added to by several threads at once.
 * Threads     any number of readers; one writer, alone.
 *
 * Caveats     A confidence below level 1 (1/L; on the geometric scale f^(L-1)) is not stored, and
 *             such a key is denied: put answers 0. At b = 4 these are 6.7 % of uniform confidences.
 *             What was put with less than 1 is read back a little lower (sito_linear_get), or in the
 *             middle of its level (sito_linear_get_mid: a quarter of the squared error), or higher
 *             if others raised all of its cells.
 */
#ifndef SITO_LINEAR_H
#define SITO_LINEAR_H

#include <sito/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1: stored. 0: c comes to level 0, and nothing was stored. SITO_EINVAL: c is not in [0,1]. The same
 * key may be put again: the highest confidence counts. sito_add() puts 1. */
int sito_linear_put(sito_filter *f, const void *key, size_t len, double c);
int sito_linear_put_hash(sito_filter *f, uint64_t hash, double c);

/* The confidence, decoded at the foot of its level, as in the paper; 0: surely not inside, unless it
 * was put with less than level 1, or faded since. NaN: another kind, or keyed and opened without its
 * key. */
double sito_linear_get(const sito_filter *f, const void *key, size_t len);

/* The same, decoded in the middle of its level; level 0 stays 0, and the highest 1. */
double sito_linear_get_mid(const sito_filter *f, const void *key, size_t len);

/* Levels as they are: 0..2^b - 1. */
int sito_linear_put_level(sito_filter *f, const void *key, size_t len, unsigned level);
int sito_linear_get_level(const sito_filter *f, const void *key, size_t len);

/* Every confidence times p/q, rounded down; p <= q, q not 0. On the geometric scale only the fraction
 * that is its factor, else SITO_EINVAL. Needs no key. */
sito_rc sito_linear_fade(sito_filter *f, uint32_t p, uint32_t q);

/* What to expect of a filter of this plan with nkeys keys, their confidences uniform in [0,1]. */
typedef struct sito_linear_odds {
    double squared_error;     /* mean of (read - put)^2, read by sito_linear_get */
    double squared_error_mid; /* the same by sito_linear_get_mid */
    double overestimate;      /* share of keys read at a higher level than they were put */
    double bias;              /* mean of read - put, read by sito_linear_get */
} sito_linear_odds;

/* Exact for up to 24 hash functions, and to some thousandths beyond. Solves a copy if the plan is
 * unsolved; SITO_EUNABLE if it is another kind's. Some hundred microseconds. */
sito_rc sito_linear_expect(const sito_plan *plan, sito_linear_odds *out);

#ifdef __cplusplus
}
#endif
#endif
