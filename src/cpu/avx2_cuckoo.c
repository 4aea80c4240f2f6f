/*
 * avx2_cuckoo.c - questions to a cuckoo filter, four keys in a word of 256 bits; and the ways out
 * of its buckets of four, four tags in a word.
 *
 * Questions as with a fuse filter: where their buckets are is worked out in words and kept in a
 * ring, and the lines are asked for; a ring's length later both buckets of each are compared with
 * its tag.
 */
#include "cpu/cpu.h"

#include "kinds/cuckoo.h"

#ifdef __x86_64__
#include "cpu/avx2_words.h"

#define AVX2_CUCKOO __attribute__((target("avx2")))
#define AVX2_CUCKOO_INLINE AVX2_CUCKOO static inline __attribute__((always_inline))

enum { CUCKOO_RING = 32 };

/* Of each key both buckets' first bytes, the bits there that are not theirs, and its tag in every
 * lane. */
struct cuckoo_ring {
    _Alignas(32) uint64_t at[2][CUCKOO_RING], shift[2][CUCKOO_RING], like[CUCKOO_RING];
};

/* The table, for four keys. */
struct cuckoo_fours {
    __m256i cells, buckets, group_bits, tags, ones, tops;
    __m256i odd_if_even; /* 1 if the number of buckets is even, as other_bucket() has it */
    uint64_t lanes;      /* a one in each: `ones`, for one key */
    unsigned last;       /* byte that a bucket may reach to */
};

AVX2_CUCKOO_INLINE struct cuckoo_fours cuckoo_in_fours(const struct nest *t) {
    uint64_t m = t->nslots >> t->shift, each = t->tags.group * t->tags.bits;
    return (struct cuckoo_fours){.cells = four_of((uintptr_t)t->tags.cells),
                                 .buckets = four_of(m),
                                 .odd_if_even = four_of(~m & 1),
                                 .group_bits = four_of(each),
                                 .tags = four_of(low_bits(t->tags.bits)),
                                 .ones = four_of(t->tags.ones),
                                 .tops = four_of(t->tags.ones << (t->tags.bits - 1)),
                                 .lanes = t->tags.ones,
                                 .last = (unsigned)((each + 6) / 8)};
}

/* other_bucket() */
AVX2_CUCKOO_INLINE __m256i four_others(const struct cuckoo_fours *t, __m256i bucket, __m256i tag) {
    __m256i h = four_short_times(tag, FINGER_STIR_ONE);
    h = four_times(_mm256_xor_si256(h, _mm256_srli_epi64(h, 32)), FINGER_STIR_TWO);
    h = _mm256_or_si256(four_ranges(h, t->buckets), t->odd_if_even);
    __m256i is_below = _mm256_cmpgt_epi64(bucket, h), other = _mm256_sub_epi64(h, bucket);
    return _mm256_add_epi64(other, _mm256_and_si256(is_below, t->buckets));
}

AVX2_CUCKOO_INLINE void cuckoo_place(struct cuckoo_ring *r, size_t s, const struct cuckoo_fours *t,
                                     __m256i bucket, int side) {
    __m256i bit = _mm256_mul_epu32(bucket, t->group_bits);
    four_to(&r->at[side][s], _mm256_add_epi64(t->cells, _mm256_srli_epi64(bit, 3)));
    four_to(&r->shift[side][s], _mm256_and_si256(bit, four_of(7)));
#pragma GCC unroll 4
    for (size_t i = s; i < s + 4; i++) {
        const uint8_t *at = (const uint8_t *)(uintptr_t)r->at[side][i];
        __builtin_prefetch(at);
        __builtin_prefetch(at + t->last);
    }
}

/* Keys s .. s + 3 of the ring: nesting_of(). */
AVX2_CUCKOO_INLINE void cuckoo_take(struct cuckoo_ring *r, size_t s, const struct cuckoo_fours *t,
                                    const uint64_t *hashes) {
    __m256i hash = four_at(hashes);
    __m256i tag = _mm256_srli_epi64(_mm256_mul_epu32(hash, t->tags), 32);
    tag = _mm256_add_epi64(tag, four_of(1));
    __m256i bucket = four_ranges(hash, t->buckets);
    cuckoo_place(r, s, t, bucket, 0);
    cuckoo_place(r, s, t, four_others(t, bucket, tag), 1);
    four_to(&r->like[s], four_short_times(tag, t->lanes));
}

AVX2_CUCKOO_INLINE long long cuckoo_word(const uint64_t *at) {
    return (long long)get64((const uint8_t *)(uintptr_t)*at);
}

/* The tops of lanes that are like the tag; of one above such a one perhaps too. */
AVX2_CUCKOO_INLINE __m256i cuckoo_like(const struct cuckoo_ring *r, size_t s,
                                       const struct cuckoo_fours *t, int side) {
    const uint64_t *at = &r->at[side][s];
    __m256i word = _mm256_setr_epi64x(cuckoo_word(at), cuckoo_word(at + 1), cuckoo_word(at + 2),
                                      cuckoo_word(at + 3));
    word = _mm256_srlv_epi64(word, four_at(&r->shift[side][s]));
    word = _mm256_xor_si256(word, four_at(&r->like[s]));
    return _mm256_andnot_si256(word, _mm256_sub_epi64(word, t->ones));
}

/* Byte j is 1 if key j is there. */
AVX2_CUCKOO_INLINE uint32_t cuckoo_ask(const struct cuckoo_ring *r, size_t s,
                                       const struct cuckoo_fours *t) {
    __m256i like = _mm256_or_si256(cuckoo_like(r, s, t, 0), cuckoo_like(r, s, t, 1));
    like = _mm256_and_si256(like, t->tops);
    __m256i none = _mm256_cmpeq_epi64(like, _mm256_setzero_si256());
    uint32_t some = 15u ^ (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(none));
    return some * 0x00204081u & 0x01010101u; /* bit j to bit 8 j */
}

static bool avx2_takes(const struct nest *t) { return t->nslots >> t->shift <= UINT32_MAX; }

AVX2_CUCKOO static size_t avx2_in_cuckoo(const struct nest *given, const uint64_t *hashes, size_t n,
                                         uint8_t *answers) {
    struct cuckoo_ring r;
    if (!avx2_takes(given)) return 0;
    struct cuckoo_fours t = cuckoo_in_fours(given);
    size_t taken = 0, by_fours = n & ~(size_t)3;
    for (; taken < CUCKOO_RING && taken < by_fours; taken += 4)
        cuckoo_take(&r, taken, &t, hashes + taken);
    for (size_t i = 0; i < by_fours; i += 4) {
        size_t s = i % CUCKOO_RING;
        __builtin_prefetch(hashes + taken + HASHES_AHEAD);
        uint32_t four = cuckoo_ask(&r, s, &t);
        memcpy(answers + i, &four, sizeof four);
        if (taken < by_fours) cuckoo_take(&r, s, &t, hashes + taken), taken += 4;
    }
    return by_fours;
}

/* ---- making room ---- */

/* Of the tags in some buckets: the other buckets they could go to, and what is read there. */
struct ways_out {
    _Alignas(32) uint64_t bucket[8], at[8], shift[8];
};

AVX2_CUCKOO_INLINE void ways_of(struct ways_out *w, size_t s, const struct nest *t,
                                const struct cuckoo_fours *fours, uint64_t bucket) {
    uint64_t bit = bucket * t->tags.group * t->tags.bits, b = t->tags.bits;
    __m256i word = four_of(get64(t->tags.cells + bit / 8) >> bit % 8);
    __m256i down = _mm256_setr_epi64x(0, (long long)b, (long long)(2 * b), (long long)(3 * b));
    __m256i tag = _mm256_and_si256(_mm256_srlv_epi64(word, down), fours->tags);
    __m256i other = four_others(fours, four_of(bucket), tag);
    __m256i first = _mm256_mul_epu32(other, fours->group_bits);
    four_to(&w->bucket[s], other);
    four_to(&w->at[s], _mm256_add_epi64(fours->cells, _mm256_srli_epi64(first, 3)));
    four_to(&w->shift[s], _mm256_and_si256(first, four_of(7)));
}

/* merit_of() in kinds/cuckoo_rules.c. A lane is wide enough for the sum of four. */
AVX2_CUCKOO_INLINE __m256i merits_of(const struct ways_out *w, size_t s, const struct nest *t,
                                     const struct cuckoo_fours *fours) {
    const __m128i b = _mm_cvtsi32_si128((int)t->tags.bits);
    const __m128i b2 = _mm_cvtsi32_si128((int)(2 * t->tags.bits));
    const __m128i top = _mm_cvtsi32_si128((int)(t->tags.bits - 1));
    const __m256i first =
        _mm256_setr_epi64x(WAYS_MOST - 1, WAYS_MOST - 2, WAYS_MOST - 3, WAYS_MOST - 4);
    const uint64_t *at = &w->at[s];
    __m256i word = _mm256_setr_epi64x(cuckoo_word(at), cuckoo_word(at + 1), cuckoo_word(at + 2),
                                      cuckoo_word(at + 3));
    word = _mm256_srlv_epi64(word, four_at(&w->shift[s]));
    __m256i rest = _mm256_sub_epi64(fours->tops, fours->ones); /* zero_lanes() */
    __m256i sum = _mm256_add_epi64(_mm256_and_si256(word, rest), rest);
    __m256i free = _mm256_andnot_si256(_mm256_or_si256(sum, word), fours->tops);
    free = _mm256_srl_epi64(free, top);
    free = _mm256_add_epi64(free, _mm256_srl_epi64(free, b));
    free = _mm256_and_si256(_mm256_add_epi64(free, _mm256_srl_epi64(free, b2)), four_of(7));
    __m256i is_odd = _mm256_and_si256(four_at(&w->bucket[s]), four_of(1));
    __m256i merit = _mm256_sub_epi64(_mm256_add_epi64(free, free), is_odd);
    merit = _mm256_slli_epi64(_mm256_add_epi64(merit, four_of(1)), MERIT_BITS);
    merit = _mm256_add_epi64(merit, _mm256_sub_epi64(first, four_of(s)));
    return _mm256_and_si256(merit, _mm256_cmpgt_epi64(free, _mm256_setzero_si256()));
}

AVX2_CUCKOO_INLINE unsigned best_merit(__m256i merits) {
    __m128i two =
        _mm_max_epi32(_mm256_castsi256_si128(merits), _mm256_extracti128_si256(merits, 1));
    return (unsigned)_mm_cvtsi128_si32(_mm_max_epi32(two, _mm_unpackhi_epi64(two, two)));
}

AVX2_CUCKOO_INLINE void ask_ways(const struct ways_out *w) {
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++) __builtin_prefetch((const void *)(uintptr_t)w->at[i]);
}

/* No bucket at the end of a first way has room: the first of them with a way on is taken, and of
 * its ways the best. Two at a time, and the lines for two pairs more are under way. */
AVX2_CUCKOO_INLINE void aside_by_two(const struct ways_out *first, const struct nest *t,
                                     const struct cuckoo_fours *fours, struct aside *a) {
    enum { PAIRS = 4, ASKED = 2 };
    struct ways_out w[PAIRS];
    for (size_t i = 0; i < PAIRS + ASKED; i++) {
        if (i < PAIRS) {
            ways_of(&w[i], 0, t, fours, first->bucket[2 * i]);
            ways_of(&w[i], 4, t, fours, first->bucket[2 * i + 1]);
            ask_ways(&w[i]);
        }
        if (i < ASKED) continue;
        const struct ways_out *pair = &w[i - ASKED];
        unsigned merit = best_merit(merits_of(pair, 0, t, fours)), half = 0;
        if (!merit) merit = best_merit(merits_of(pair, 4, t, fours)), half = 1;
        if (!merit) continue;
        unsigned way = 2 * (unsigned)(i - ASKED) + half, next_way = way_of_merit(merit);
        *a = (struct aside){2, way, first->bucket[way], next_way % 4, pair->bucket[next_way % 8]};
        return;
    }
}

AVX2_CUCKOO static bool avx2_aside(const struct nest *t, const struct nesting *p, unsigned limit,
                                   struct aside *a) {
    struct ways_out w;
    if (!avx2_takes(t)) return false;
    struct cuckoo_fours fours = cuckoo_in_fours(t);
    ways_of(&w, 0, t, &fours, p->bucket[0]);
    ways_of(&w, 4, t, &fours, p->bucket[1]);
    __m256i merits = _mm256_max_epi32(merits_of(&w, 0, t, &fours), merits_of(&w, 4, t, &fours));
    unsigned merit = best_merit(merits), way = way_of_merit(merit);
    *a = (struct aside){.moves = merit != 0, .way = way, .bucket = w.bucket[way % 8]};
    if (!merit && limit > 1) aside_by_two(&w, t, &fours, a);
    return true;
}

AVX2_CUCKOO static bool avx2_foresee(const struct nest *t, const struct nesting *p) {
    struct ways_out w;
    if (!avx2_takes(t)) return false;
    struct cuckoo_fours fours = cuckoo_in_fours(t);
    ways_of(&w, 0, t, &fours, p->bucket[0]);
    ways_of(&w, 4, t, &fours, p->bucket[1]);
    ask_ways(&w);
    return true;
}

const struct cuckoo_kernel cuckoo_avx2 = {avx2_in_cuckoo, avx2_aside, avx2_foresee};
#endif
