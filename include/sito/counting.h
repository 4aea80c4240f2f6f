/*
 * sito/counting.h - Bloom's filter with small counters in place of bits: keys can be taken out.
 *
 * Each of a key's k cells counts the keys that drew it. A stranger is let in as often as by a
 * `bloom` of as many cells. The calls are those of sito.h; here is what only this kind can say.
 *
 * Costs       plan.cell_bits (2..16, 4 if not given) times the bits of `bloom`.
 * Can         add, remove, count, merge, build, map.    Cannot   be folded, nor added to by several
 *             threads at once.
 * Threads     any number of readers; one writer, alone.
 *
 * Caveats     A counter that has reached 2^b - 1 is saturated: it may stand for more keys than it
 *             says, so it stays there for good, and no key is ever lost by it. What is lost is the
 *             cell: it lets strangers in until sito_clear(). The fact `saturated` says how many
 *             there are. One key added 2^b - 1 times saturates all of its cells; it can then be
 *             removed without end, and is still found. sito_count() gives the smallest count that
 *             a cell allows, or UINT64_MAX if all of the key's cells are saturated: unknown.
 *             Removing a key that was never added, but seems to be inside, takes from the counts of
 *             others, and some of those may then be denied.
 */
#ifndef SITO_COUNTING_H
#define SITO_COUNTING_H

#include <sito/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How likely is a cell to be counted more often than it can tell, 2^b times or more, once
 * plan->nkeys distinct keys are in, one copy of each? *tail: the Poisson distribution's answer, mean
 * nkeys * nhashes / ncells. *bound: what Fan et al. bound it by, (e * mean / 2^b)^(2^b). With 4 bits
 * and the best k 7.07e-17 and 1.37e-15. Solves a copy if the plan is unsolved; SITO_EUNABLE if it is
 * another kind's. */
sito_rc sito_counting_overflow(const sito_plan *plan, double *tail, double *bound);

#ifdef __cplusplus
}
#endif
#endif
