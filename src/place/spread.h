/*
 * spread.h - one hash -> k positions that behave as k independent draws.
 *
 * Double hashing (a + i*b) is cheaper by a multiplication, but its k positions are two draws, not k: in small
 * tables, and below one in a million, that shows. Here each position comes from a new 64-bit state, one step of
 * a bijection away from the last; the first state is the hash itself.
 */
#ifndef SITO_SPREAD_H
#define SITO_SPREAD_H

#include "core/base.h"

/* The multiplier is the 64-bit one of Steele and Vigna's tables of spectrally good ones (2021). */
static inline uint64_t spread_next(uint64_t x) { return (x ^ x >> 32) * 0xd1342543de82ef95u; }

#endif
