/* share.h - a part of something, as people write it: 80% or 0.8. */
#ifndef KMER_SHARE_H
#define KMER_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* In whole numbers, since few decimals are doubles: 4.4% is 44 of 1000. */
struct share {
    uint64_t part, of;
};

/* More than nothing and at most all; false if it is no such share. Twelve digits count, of at most
 * seventeen decimals: more come from a program that rounds, and what rounds up asks too much. */
bool share_read(const char *text, struct share *out);

/* Is `n` of `total` that much? Exactly, whatever the numbers. */
bool share_reached(const struct share *s, uint64_t n, uint64_t total);

/* `n` of `total` in hundredths of a percent, halves up. */
uint64_t share_hundredths(uint64_t n, uint64_t total);

#endif
