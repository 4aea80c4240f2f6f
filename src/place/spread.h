/*
 * spread.h - one hash -> k positions that behave as k independent draws.
 *
 * Double hashing (a + i*b) saves a multiplication, but its k positions are two draws, not k: in
 * small tables, and below one in a million, that shows. Here each position comes from a new 64-bit
 * state, one step of a linear congruential generator away from the last; the first state is the
 * hash itself. Positions are taken from the high bits, where such a generator is good, and two
 * keys' runs drift apart at the first step.
 */
#ifndef SITO_SPREAD_H
#define SITO_SPREAD_H

#include "core/base.h"

/* The multiplier is one of Steele and Vigna's spectrally good ones (2021); any odd constant will do
 * beside it. */
static inline uint64_t spread_next(uint64_t x) {
    return x * 0xd1342543de82ef95u + 0x9e3779b97f4a7c15u;
}

#endif
