/* rate.h - how often a stranger is taken for a member: exactly, at every size. */
#ifndef SITO_RATE_H
#define SITO_RATE_H

#include "core/base.h"

/* A rate is below 1, if only just. */
#define BELOW_ONE (1 - 0x1p-53)

/* The chance that n draws touch one given cell of m. */
double touched(double m, double n);

/* share[d] = P(k draws from m cells hit d distinct ones), d = 0..k. */
void distinct_draws(double m, unsigned k, double *share);

/* One table of m bits, n keys, k independent draws each, with replacement, for keys and stranger
 * alike. */
double one_table_rate(uint64_t m, uint64_t n, unsigned k);

/* P(X >= j), X Poisson with this mean; j is at least 1. */
double poisson_tail(double mean, double j);

/* log C(n, k), to about 1e-13 of it. */
double log_choose(double n, double k);

/* With 64-bit hashes a stranger's hash is one of n with this probability, whatever the cells do. */
double hash_rate(uint64_t n);
double with_hash_rate(double rate, uint64_t n);

#endif
