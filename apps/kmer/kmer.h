/*
 * kmer.h - a sequence becomes k-mers, and each k-mer 64 bits.
 *
 *     letters --walk--> k-mers --both strands as one--> number or rolling hash --> 64 bits
 *
 * Up to 32 letters a k-mer is a number, two bits a letter, and its hash is that number stirred: no
 * two k-mers share a hash. Beyond, it is a polynomial over the field of 2^61 - 1 at a point drawn
 * from the seed: two k-mers share a hash with a chance of at most 2k / 2^61. Either is the same
 * wherever the k-mer stands and, unless strands are told apart, for its reverse complement.
 *
 * A, C, G and T make k-mers. N and the other letters for bases that are not known break them, and
 * are counted. Whatever else there is stops the walk.
 */
#ifndef KMER_KMER_H
#define KMER_KMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KMER_MOST = 1000, KMER_NUMBERS = 32, KMER_KEY_BYTES = KMER_MOST / 4 };

/* How sequences are seen. */
struct kmer_way {
    unsigned k;
    bool canonical; /* a k-mer and its reverse complement are one */
    bool numbers;   /* k <= 32 only: the number itself, not stirred, for `bitmap` */
    bool lenient;   /* lower case is upper case */
    uint64_t seed;
    uint64_t point, inverse;           /* k > 32: where the polynomial is taken */
    uint64_t forward[20], reverse[20]; /* and what a step adds: [4 * letter out + letter in] */
};

void kmer_way_set(struct kmer_way *w, unsigned k, bool canonical, uint64_t seed);

/* A walk over one sequence; begin with {.seq = ..., .n = ...}. */
struct kmer_walk {
    const char *seq;
    size_t n, at;
    size_t run; /* letters since the last break */
    uint64_t forward, reverse;
    uint64_t breaks; /* letters that broke k-mers */
    bool bad;        /* seq[at] is no letter of a sequence: the walk is over */
};

/* The next hashes, at most `room`; 0 at the end, or at a bad letter. */
size_t kmer_hashes(const struct kmer_way *w, struct kmer_walk *walk, uint64_t *hashes, size_t room);

/* Where the next k-mer begins, or NULL; and its letters, two bits each, as the key of exact kinds:
 * the smaller of both strands. Returns the key's length. A walk is gone by hashes or by places. */
const char *kmer_place(const struct kmer_way *w, struct kmer_walk *walk);
size_t kmer_key(const struct kmer_way *w, const char *place, uint8_t key[KMER_KEY_BYTES]);

#endif
