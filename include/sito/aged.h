/*
 * sito/aged.h - a filter that forgets: every key of the last `plan.window` adds is found, older
 * ones fade out (Shtul, Baquero, Almeida: age-partitioned Bloom filters, 2020).
 *
 *     sito_plan plan = {.kind = SITO_AGED, .window = 1000000, .fpr = 0.01};
 *
 * The table is k + l slices of equal size, from the youngest to the oldest. An add sets one bit in
 * each of the k youngest. After a generation of window / l adds the oldest slice is emptied and
 * becomes the youngest. A key is inside if k neighbouring slices have its bit: so for l generations
 * after its own it is certainly found, and it is gone without a trace after k more.
 *
 * By count    plan.window is set, or else plan.nkeys is the window: adds advance the generations
 *             themselves.
 * By time     plan.max_layers is set, and plan.window is not: only sito_aged_advance() does. l is
 *             plan.max_layers: with 24, and an advance every hour, a day is remembered. plan.nkeys
 *             is how many keys l generations will have, about as many each; more than that is
 *             allowed, and sito_info.present_fpr tells.
 *
 * Costs       about twice the bits of `bloom` for as many keys: k (k + l) / l * 1.44 a key; l is
 *             4 k unless plan.max_layers says otherwise, or plan.ncells: that must be k + l times a
 *             multiple of 64, for some k and l. An add writes k bits, and asks first; a
 *             stranger takes two reads for each k slices. One add of a generation also clears a slice.
 * Rate        real_fpr is that of a full window at the end of a generation: at other times it is
 *             lower. It holds for any number of adds.
 * Can         add, map.      Cannot   be merged, removed from, built at once.
 * Threads     any number of readers; one writer, alone.
 *
 * Caveats     Every add counts, also of a key that is known: it makes that key young again, and the
 *             others older. Ask first if that is not wanted. A key that was just forgotten is still
 *             let in more often than a stranger: with probability 1/2 in its first generation after
 *             the window, 1/4 in the next, and so on. Windows of fewer keys than k take longer than
 *             twice the window to fade out.
 */
#ifndef SITO_AGED_H
#define SITO_AGED_H

#include <sito/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So many generations go by at once. The number of keys since the last advance does not matter.
 * SITO_EUNABLE on another kind, and on a filter that cannot be added to. */
sito_rc sito_aged_advance(sito_filter *f, unsigned generations);

#ifdef __cplusplus
}
#endif
#endif
