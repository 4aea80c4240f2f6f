/*
 * fuse.h - where a key lies in a binary fuse filter, for those who ask and those who build.
 *
 *     hash -> stirred -> piece -> its try -> drawn -> a run of `arity` segments -> a slot in each
 *
 * A table is made of pieces, each a fuse filter of its own that peels in the cache; a piece is a row
 * of segments, and a key has one slot in each of `arity` neighbouring ones. Of four slots in a table
 * that outgrows the cache two are neighbours, so that a key costs three lines: the space is the same.
 * Hashes may be anything distinct, numbers in a row too, so they are stirred first; a piece that could
 * not be peeled draws all its slots anew under the next try's number. What is drawn has 58 bits, so
 * that a build has room for a count beside it.
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
    PARAM_VALUE_BITS = 2,
    EXTRA_SALT = 0, /* of the filter */
    ARITY_MAX = 4,
    STARTS_MAX = 400,           /* segments of a piece that a key may begin in; all have fewer */
    PIECE_SLOTS_MAX = 18 << 17, /* of three slots a key; of four a third */
    PAIRED_SLOTS_MIN = 1 << 17, /* pieces of four slots a key, from here on */
    PAIR_GROUP = 16,            /* neighbours are in the same of these */
    DRAWN_BITS = 58,
    PIECE_SLOTS_STEP = 64, /* pieces begin at whole words, whatever the bits of a slot */
    TRIES_MAX = 255,       /* of a piece, beginning with 1: 0 means that it has no key */
    SALTS_MAX = 4,         /* of the table, beginning with 0 */
};

/* A slot has its mark's bits, and above them those of a value. */
static inline unsigned fuse_slot_bits(const struct shape *s) {
    return (unsigned)s->param[PARAM_MARK_BITS] + s->param[PARAM_VALUE_BITS];
}

#define ONE_KEY ((uint64_t)1 << DRAWN_BITS) /* of such a count */

/* A key's slots from its first segment on: slot j is its share of a span, the j-th 16 bits, and a base
 * more; the second of a pair is that, xor the first. */
struct fuse_spans {
    uint64_t spans;
    uint32_t base[ARITY_MAX], pair;
};

static inline struct fuse_spans fuse_spans_of(uint32_t length, bool is_paired) {
    uint64_t each = 0x0001000100010001u * (uint64_t)length;
    if (!is_paired) return (struct fuse_spans){each, {0, length, 2 * length, 3 * length}, 0};
    each = (each & ~(uint64_t)0xffff0000u) | (PAIR_GROUP - 1) << 16;
    return (struct fuse_spans){each, {0, 1, length, 2 * length}, UINT32_MAX};
}

struct fuse_table {
    uint64_t npieces, piece_slots;
    uint32_t starts, length; /* of segments: where a key may begin, slots */
    bool is_paired;
    struct fuse_spans spans;
};

/* The shape says how many slots; all else follows. */
struct fuse_table fuse_table_of(uint64_t nslots, unsigned arity);

/* Segments behind the one that a key begins in. */
static inline uint32_t fuse_reach(unsigned arity, bool is_paired) {
    return is_paired ? arity - 2 : arity - 1;
}

/* Odd numbers: what is multiplied by one can be had back. */
#define FUSE_SALT 0x9e3779b97f4a7c15u
#define FUSE_STIR_ONE 0xbf58476d1ce4e5b9u
#define FUSE_STIR_TWO 0x94d049bb133111ebu
#define FUSE_TRY 0xd6e8feb9u
#define FUSE_DRAW 0x9e3779b97f4a7c15u
#define FUSE_SHARE 0xd1342543de82ef95u

static inline uint64_t fuse_stirred(uint64_t hash, uint64_t salt) {
    uint64_t x = hash ^ salt * FUSE_SALT;
    x = (x ^ x >> 32) * FUSE_STIR_ONE;
    x = (x ^ x >> 29) * FUSE_STIR_TWO;
    return x ^ x >> 32;
}

/* The lowest bits of what is drawn are the key's mark, the highest name its first segment. */
static inline uint64_t fuse_drawn(uint64_t stirred, unsigned attempt) {
    return (stirred ^ (uint64_t)attempt * FUSE_TRY) * FUSE_DRAW >> (64 - DRAWN_BITS);
}

/* With the arity known when it is compiled, and no loop left: a key's walk is a few instructions. */
#define FUSE_INLINE static inline __attribute__((always_inline))

FUSE_INLINE uint32_t fuse_start(const struct fuse_table *t, uint64_t drawn) {
    return (uint32_t)((drawn >> (DRAWN_BITS - 32)) * t->starts >> 32);
}

/* Four times 16 bits, each a share of a segment: which slot of it. That is fine enough. */
FUSE_INLINE uint64_t fuse_shares(uint64_t drawn) {
    uint64_t x = drawn * FUSE_SHARE;
    return x ^ x >> 32;
}

/* Slots inside the piece. */
FUSE_INLINE void fuse_slots(const struct fuse_table *t, uint64_t drawn, uint32_t slot[ARITY_MAX]) {
    const struct fuse_spans s = t->spans;
    uint32_t first = fuse_start(t, drawn) * t->length;
    uint64_t x = fuse_shares(drawn);
#if defined(__SSE2__)
    __m128i spans = _mm_cvtsi64_si128((long long)s.spans);
    __m128i v = _mm_mulhi_epu16(_mm_cvtsi64_si128((long long)x), spans);
    v = _mm_unpacklo_epi16(v, _mm_setzero_si128());
    v = _mm_add_epi32(v, _mm_setr_epi32(0, (int)s.base[1], (int)s.base[2], (int)s.base[3]));
    v = _mm_xor_si128(v, _mm_and_si128(_mm_slli_si128(v, 4), _mm_setr_epi32(0, (int)s.pair, 0, 0)));
    _mm_storeu_si128((__m128i *)(void *)slot, _mm_add_epi32(v, _mm_set1_epi32((int)first)));
#else
    for (unsigned j = 0; j < ARITY_MAX; j++)
        slot[j] =
            (uint32_t)((x >> 16 * j & 0xffff) * (s.spans >> 16 * j & 0xffff) >> 16) + s.base[j];
    slot[1] ^= slot[0] & s.pair;
    for (unsigned j = 0; j < ARITY_MAX; j++) slot[j] += first;
#endif
}

/* What all keys of a batch share. */
struct fuse_eye {
    struct fuse_table t;
    const uint8_t *cells, *tries;
    uint64_t salt, mask, piece_bytes;
    uint32_t bits;
    unsigned arity;
};

/* build/pieces.c: all of them, each once, on plan->threads threads. SITO_EFULL if the table has no room
 * for them. */
sito_rc fuse_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n);

/* The same with a value each, none wider than the shape says. SITO_EINVAL: a hash has two. */
sito_rc fuse_build_valued(sito_filter *f, const sito_plan *plan, const uint64_t *hashes,
                          const uint32_t *values, size_t n);

#endif
