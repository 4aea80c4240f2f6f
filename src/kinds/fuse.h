/*
 * fuse.h - where a key lies in a binary fuse filter, for those who ask and those who build.
 *
 *     hash -> stirred -> piece -> its try -> drawn -> a run of `arity` segments -> a slot in each
 *
 * A table is made of pieces, each a fuse filter of its own that peels in the cache; a piece is a row
 * of segments, and a key has one slot in each of `arity` neighbouring ones. Hashes may be anything
 * distinct, numbers in a row too, so they are stirred first; a piece that could not be peeled draws
 * all its slots anew under the next try's number. Every step can be undone, so two hashes never
 * become one key.
 */
#ifndef SITO_FUSE_KIND_H
#define SITO_FUSE_KIND_H

#include "core/filter.h"
#include "place/range.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    PARAM_MARK_BITS = 0, /* of the shape */
    PARAM_ARITY = 1,
    EXTRA_SALT = 0, /* of the filter */
    ARITY_MAX = 4,
    STARTS_MAX = 400,           /* segments of a piece that a key may begin in; all have fewer */
    PIECE_SLOTS_MAX = 18 << 17, /* of three slots a key; of four a quarter */
    PIECE_SLOTS_STEP = 64,      /* pieces begin at whole words, whatever the bits of a slot */
    TRIES_MAX = 255,            /* of a piece, beginning with 1: 0 means that it has no key */
    SALTS_MAX = 4,              /* of the table, beginning with 0 */
};

struct fuse_table {
    uint64_t npieces, piece_slots;
    uint32_t starts, length; /* of segments: where a key may begin, slots */
};

/* The shape says how many slots; all else follows. */
struct fuse_table fuse_table_of(uint64_t nslots, unsigned arity);

static inline uint64_t fuse_stirred(uint64_t hash, uint64_t salt) {
    uint64_t x = hash ^ salt * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 29) * 0x94d049bb133111ebu;
    return x ^ x >> 32;
}

/* The lowest bits of what is drawn are the key's mark, the highest name its first segment. */
static inline uint64_t fuse_drawn(uint64_t stirred, unsigned attempt) {
    uint64_t x = (stirred ^ attempt * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

/* With the arity known when it is compiled, and no loop left: a key's walk is a few instructions. */
#define FUSE_INLINE static inline __attribute__((always_inline))

FUSE_INLINE uint32_t fuse_start(const struct fuse_table *t, uint64_t drawn) {
    return (uint32_t)((drawn >> 32) * t->starts >> 32);
}

/* Four times 16 bits, each a share of a segment: which slot of it. That is fine enough. */
FUSE_INLINE uint64_t fuse_shares(uint64_t drawn) {
    uint64_t x = drawn * 0xd1342543de82ef95u;
    return x ^ x >> 32;
}

/* Slots inside the piece. */
FUSE_INLINE void fuse_slots(const struct fuse_table *t, uint64_t drawn, uint32_t slot[ARITY_MAX]) {
    uint32_t length = t->length, first = fuse_start(t, drawn) * length;
    uint64_t x = fuse_shares(drawn);
#if defined(__SSE2__)
    __m128i shares = _mm_cvtsi64_si128((long long)x);
    __m128i firsts =
        _mm_add_epi32(_mm_set1_epi32((int)first),
                      _mm_setr_epi32(0, (int)length, (int)(2 * length), (int)(3 * length)));
    shares = _mm_mulhi_epu16(shares, _mm_set1_epi16((short)length));
    shares = _mm_unpacklo_epi16(shares, _mm_setzero_si128());
    _mm_storeu_si128((__m128i *)(void *)slot, _mm_add_epi32(shares, firsts));
#else
    for (unsigned j = 0; j < ARITY_MAX; j++)
        slot[j] = first + j * length + (uint32_t)((x >> 16 * j & 0xffff) * length >> 16);
#endif
}

/* build/pieces.c: all of them, each once, on plan->threads threads. SITO_EFULL if the table has no room
 * for them. */
sito_rc fuse_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n);

#endif
