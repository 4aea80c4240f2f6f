/*
 * tags.h - slots of b-bit tags, 4..32, and the groups of 1, 2, 4 or 8 that are searched at once.
 *
 * A group is named by its first slot. In the packed form (slots.h) a slot is b bits and a group may
 * begin anywhere: as many slots as fit a word are compared in one go, each in its own lane. In the
 * sorted form a group is four slots at a multiple of four, in rising order: their high four bits
 * are one of 3,876 rising sequences, which 12 bits can number, so a tag costs b - 1 bits.
 */
#ifndef SITO_TAGS_H
#define SITO_TAGS_H

#include "cells/slots.h"

enum { NIBBLE = 4, SORTED_GROUP = 4, CODE_BITS = 12, CODES = 3876 };

struct tags {
    uint8_t *cells;
    unsigned bits, group; /* of a tag; slots a group */
    bool sorted;
    unsigned lane, lanes; /* bits that are compared in one go: so many lanes of so many */
    uint64_t ones;        /* 1 in each of them */
};

/* ---- lanes of a word ---- */

/* The 64 bits from here on; those past the ninth byte are zero. */
static inline uint64_t bits_from(const uint8_t *cells, uint64_t bit) {
    const uint8_t *p = cells + bit / 8;
    unsigned shift = (unsigned)(bit % 8);
    return get64(p) >> shift | ((uint64_t)p[8] << 1) << (63 - shift);
}

/* The top bit of every lane that is zero. */
static inline uint64_t zero_lanes(uint64_t word, uint64_t ones, unsigned b) {
    uint64_t tops = ones << (b - 1), rest = tops - ones;
    return ~(((word & rest) + rest) | word) & tops;
}

static inline struct tags tags_in(uint8_t *cells, unsigned bits, unsigned group, bool sorted) {
    unsigned lane = sorted ? bits - NIBBLE : bits, lanes = group;
    uint64_t ones = 1;
    while (lanes * lane > 64) lanes /= 2;
    if (lanes > 1) ones |= ones << lane;
    if (lanes > 2) ones |= ones << 2 * lane;
    if (lanes > 4) ones |= ones << 4 * lane;
    return (struct tags){cells, bits, group, sorted, lane, lanes, ones};
}

/* How many lanes those tops are. A lane is wide enough for the sum: 4 bits for 8 lanes. */
static inline unsigned tops_count(const struct tags *t, uint64_t tops) {
    return (unsigned)((tops >> (t->lane - 1)) * t->ones >> (t->lanes - 1) * t->lane) &
           (unsigned)low_bits(t->lane);
}

/* The lanes from here on that hold `value`, as their top bits. */
static inline uint64_t equal_lanes(const struct tags *t, uint64_t bit, uint64_t value) {
    return zero_lanes(bits_from(t->cells, bit) ^ value * t->ones, t->ones, t->lane);
}

/* ---- the sorted form ---- */

/* Rising a <= b <= c <= d below 16 are the set {a, b+1, c+2, d+3} below 19: its number among all
 * such sets is C(a,1) + C(b+1,2) + C(c+2,3) + C(d+3,4). */
static const uint16_t choose_two[16] = {0,  1,  3,  6,  10, 15, 21,  28,
                                        36, 45, 55, 66, 78, 91, 105, 120};
static const uint16_t choose_three[16] = {0,   1,   4,   10,  20,  35,  56,  84,
                                          120, 165, 220, 286, 364, 455, 560, 680};
static const uint16_t choose_four[16] = {0,   1,   5,   15,   35,   70,   126,  210,
                                         330, 495, 715, 1001, 1365, 1820, 2380, 3060};

/* Counted, not searched: no branch to guess wrong. */
static inline unsigned last_at_most(const uint16_t row[16], unsigned *code) {
    uint16_t n = 0, limit = (uint16_t)*code;
    for (int i = 0; i < 16; i++) n = (uint16_t)(n + (row[i] <= limit));
    *code -= row[n - 1];
    return n - 1u;
}

static inline unsigned code_of(const uint32_t nibble[4]) {
    return nibble[0] + choose_two[nibble[1]] + choose_three[nibble[2]] + choose_four[nibble[3]];
}

/* Codes that no sequence has come from damage only; they make some nibbles, none above 15. */
static inline void nibbles_of(unsigned code, uint32_t nibble[4]) {
    nibble[3] = last_at_most(choose_four, &code);
    nibble[2] = last_at_most(choose_three, &code);
    nibble[1] = last_at_most(choose_two, &code);
    nibble[0] = code & 15;
}

static inline uint64_t sorted_bit(const struct tags *t, uint64_t start) {
    return start * (t->bits - 1);
}

static inline unsigned sorted_code(const struct tags *t, uint64_t start) {
    uint64_t bit = sorted_bit(t, start) + SORTED_GROUP * (t->bits - NIBBLE);
    return (unsigned)bits_from(t->cells, bit) & ((1 << CODE_BITS) - 1);
}

static inline void sorted_read(const struct tags *t, uint64_t start, uint32_t tag[4]) {
    unsigned low = t->bits - NIBBLE;
    uint64_t bit = sorted_bit(t, start);
    nibbles_of(sorted_code(t, start), tag);
    for (unsigned s = 0; s < SORTED_GROUP; s++)
        tag[s] = tag[s] << low | (uint32_t)(bits_from(t->cells, bit + s * low) & low_bits(low));
}

/* Bits of a little-endian string: n of them, at most 32, become `value`. */
static inline void bits_write(uint8_t *cells, uint64_t bit, unsigned n, uint64_t value) {
    uint8_t *p = cells + bit / 8;
    unsigned shift = (unsigned)(bit % 8);
    put64(p, (get64(p) & ~(low_bits(n) << shift)) | value << shift);
}

static inline void sorted_write(const struct tags *t, uint64_t start, const uint32_t tag[4]) {
    unsigned low = t->bits - NIBBLE;
    uint32_t nibble[4];
    uint64_t bit = sorted_bit(t, start);
    for (unsigned s = 0; s < SORTED_GROUP; s++) {
        nibble[s] = tag[s] >> low;
        bits_write(t->cells, bit + s * low, low, tag[s] & low_bits(low));
    }
    bits_write(t->cells, bit + SORTED_GROUP * low, CODE_BITS, code_of(nibble));
}

static inline void rise(uint32_t tag[4]) {
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && tag[j] < tag[j - 1]; j--) {
            uint32_t t = tag[j];
            tag[j] = tag[j - 1], tag[j - 1] = t;
        }
}

/* The low parts decide most questions; only where one agrees is the code taken apart. */
static inline unsigned sorted_copies(const struct tags *t, uint64_t start, uint32_t tag) {
    uint64_t bit = sorted_bit(t, start), low = tag & low_bits(t->lane), equal = 0;
    for (unsigned s = 0; s < SORTED_GROUP; s += t->lanes)
        equal |= equal_lanes(t, bit + s * t->lane, low);
    if (!equal) return 0;
    uint32_t all[4];
    unsigned copies = 0;
    sorted_read(t, start, all);
    for (unsigned s = 0; s < SORTED_GROUP; s++) copies += all[s] == tag;
    return copies;
}

/* ---- groups of either form ---- */

static inline uint64_t tags_bytes(uint64_t slots, unsigned bits, bool sorted) {
    uint64_t all = product_of(slots, bits - sorted);
    return all / 8 + (all % 8 != 0);
}

static inline const uint8_t *tags_at(const struct tags *t, uint64_t slot) {
    return t->cells + slot * (t->bits - t->sorted) / 8;
}

/* How many slots of the group hold this tag; tag 0: how many are free. */
static inline unsigned tag_copies(const struct tags *t, uint64_t start, uint32_t tag) {
    if (t->sorted) return sorted_copies(t, start, tag);
    unsigned copies = 0;
    for (unsigned s = 0; s < t->group; s += t->lanes)
        copies += tops_count(t, equal_lanes(t, (start + s) * t->bits, tag));
    return copies;
}

static inline bool tag_there(const struct tags *t, uint64_t start, uint32_t tag) {
    if (t->sorted) return sorted_copies(t, start, tag);
    uint64_t equal = 0;
    for (unsigned s = 0; s < t->group; s += t->lanes)
        equal |= equal_lanes(t, (start + s) * t->bits, tag);
    return equal;
}

/* Both at once: is this tag there, and how many slots are free? */
struct glance {
    bool there;
    unsigned room;
};

static inline struct glance tags_glance(const struct tags *t, uint64_t start, uint32_t tag) {
    if (t->sorted || t->lanes != t->group)
        return (struct glance){tag_there(t, start, tag), tag_copies(t, start, 0)};
    uint64_t word = bits_from(t->cells, start * t->bits);
    return (struct glance){zero_lanes(word ^ tag * t->ones, t->ones, t->lane) != 0,
                           tops_count(t, zero_lanes(word, t->ones, t->lane))};
}

/* All of a group's tags. */
static inline void tags_read(const struct tags *t, uint64_t start, uint32_t *tag) {
    if (t->sorted) {
        sorted_read(t, start, tag);
        return;
    }
    for (unsigned s = 0; s < t->group; s += t->lanes) {
        uint64_t word = bits_from(t->cells, (start + s) * t->bits);
        for (unsigned i = 0; i < t->lanes; i++, word >>= t->bits)
            tag[s + i] = (uint32_t)(word & low_bits(t->bits));
    }
}

static inline uint32_t tag_read(const struct tags *t, uint64_t slot) {
    if (!t->sorted) return (uint32_t)slot_get(t->cells, slot, t->bits);
    uint32_t all[4];
    sorted_read(t, slot & ~(uint64_t)3, all);
    return all[slot & 3];
}

/* In the sorted form the slots of the group change places. */
static inline void tag_write(const struct tags *t, uint64_t slot, uint32_t tag) {
    if (!t->sorted) {
        slot_put(t->cells, slot, t->bits, tag);
        return;
    }
    uint32_t all[4];
    sorted_read(t, slot & ~(uint64_t)3, all);
    all[slot & 3] = tag;
    rise(all);
    sorted_write(t, slot & ~(uint64_t)3, all);
}

/* The first slot of the group that holds this tag; the last one if none does. */
static inline uint64_t slot_holding(const struct tags *t, uint64_t start, uint32_t tag) {
    if (!t->sorted && t->lanes == t->group) {
        uint64_t equal = equal_lanes(t, start * t->bits, tag);
        return start + (equal ? (unsigned)__builtin_ctzll(equal) / t->bits : t->group - 1);
    }
    uint64_t slot = start;
    while (slot < start + t->group - 1 && tag_read(t, slot) != tag) slot++;
    return slot;
}

#endif
