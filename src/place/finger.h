/*
 * finger.h - one hash -> a tag and two buckets, for filters that move tags and never see their keys
 * again.
 *
 * The tag comes from the low half of the hash, the first bucket from the high bits: were they the
 * same bits, a bucket's tags would agree in them. The other bucket is found from bucket and tag
 * alone, and from the other bucket the same step leads back:
 *
 *     other = (h(tag) - bucket) mod m
 *
 * for any m. With an even m, h is made odd; then one of a key's two buckets is always even and the
 * other odd, never the same, and "even first" settles ties as Voecking's always-go-left does. h
 * must not be linear: neighbouring tags would tie neighbouring buckets together, and tables of
 * short tags fill up a hundredth earlier.
 */
#ifndef SITO_FINGER_H
#define SITO_FINGER_H

#include "place/range.h"

#define FINGER_STIR_ONE 0x9e3779b97f4a7c15u
#define FINGER_STIR_TWO 0xd1342543de82ef95u

/* 1 .. 2^bits - 1, evenly; 0 is an empty slot. */
static inline uint32_t tag_of(uint64_t hash, unsigned bits) {
    uint64_t tags = ((uint64_t)1 << bits) - 1;
    return (uint32_t)(1 + ((hash & UINT32_MAX) * tags >> 32));
}

static inline uint64_t other_bucket(uint64_t bucket, uint32_t tag, uint64_t m) {
    uint64_t h = tag * FINGER_STIR_ONE;
    h = range_of((h ^ h >> 32) * FINGER_STIR_TWO, m) | (~m & 1);
    return h >= bucket ? h - bucket : h + m - bucket;
}

#endif
