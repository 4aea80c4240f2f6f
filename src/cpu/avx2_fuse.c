/*
 * avx2_fuse.c - questions to a fuse filter, four keys in a word of 256 bits.
 *
 * Where their slots are is worked out in words and kept in a ring, and the lines are asked for; a
 * ring's length later the slots are read and summed up. That lets a key's three or four lines be all
 * that it costs.
 */
#include "cpu/cpu.h"

#include "kinds/fuse.h"

#ifdef __x86_64__
#include "cpu/avx2_words.h"

#define AVX2_FUSE __attribute__((target("avx2,bmi2")))
#define AVX2_FUSE_INLINE AVX2_FUSE static inline __attribute__((always_inline))

enum { FUSE_RING = 32 };

/* A place is the byte its word begins at, times 64, and the bit in there that its slot begins at. */
struct fuse_ring {
    _Alignas(32) uint64_t place[ARITY_MAX][FUSE_RING], mark[FUSE_RING];
    __m256i span, base[ARITY_MAX], pair; /* the table's spans, for four keys */
};

AVX2_FUSE_INLINE __m256i four_folded(__m256i x, int by) {
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, by));
}

/* fuse_stirred() */
AVX2_FUSE_INLINE __m256i four_stirred(__m256i x, uint64_t salt) {
    x = _mm256_xor_si256(x, four_of(salt * FUSE_SALT));
    x = four_times(four_folded(x, 32), FUSE_STIR_ONE);
    x = four_times(four_folded(x, 29), FUSE_STIR_TWO);
    return four_folded(x, 32);
}

AVX2_FUSE_INLINE __m256i four_tries(const uint8_t *tries, __m256i piece) {
    __m128i low = _mm256_castsi256_si128(piece), high = _mm256_extracti128_si256(piece, 1);
    return _mm256_setr_epi64x(tries[_mm_cvtsi128_si64(low)], tries[_mm_extract_epi64(low, 1)],
                              tries[_mm_cvtsi128_si64(high)], tries[_mm_extract_epi64(high, 1)]);
}

/* fuse_drawn(), before its last shift. */
AVX2_FUSE_INLINE __m256i four_drawn(__m256i stirred, __m256i attempt) {
    __m256i t = _mm256_mul_epu32(attempt, four_of(FUSE_TRY));
    return four_times(_mm256_xor_si256(stirred, t), FUSE_DRAW);
}

/* Where the slots that begin at these bits are read: as slot_bits_of() in kinds/fuse.c does. */
AVX2_FUSE_INLINE __m256i four_places(__m256i bit, unsigned bits) {
    const __m256i in_word = four_of(63);
    __m256i into = _mm256_and_si256(bit, in_word), word = _mm256_andnot_si256(in_word, bit);
    __m256i is_over = _mm256_cmpgt_epi64(into, four_of(64 - bits));
    __m256i place = _mm256_or_si256(_mm256_slli_epi64(word, 3), into);
    return _mm256_add_epi64(place, _mm256_and_si256(is_over, four_of(4 * 64 - 32)));
}

/* Keys s .. s + 3 of the ring. A mark that no sum can be: the piece is empty, and lets nobody in. */
AVX2_FUSE_INLINE void ring_take(struct fuse_ring *r, size_t s, const struct fuse_eye *e,
                                const uint64_t *hashes, const unsigned arity) {
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)hashes);
    x = four_stirred(x, e->salt);
    __m256i piece = four_ranges(x, four_of(e->t.npieces)), attempt = four_tries(e->tries, piece);
    __m256i wide = four_drawn(x, attempt), drawn = _mm256_srli_epi64(wide, 64 - DRAWN_BITS);
    __m256i first = _mm256_mul_epu32(_mm256_srli_epi64(wide, 32), four_of(e->t.starts));
    __m256i bit = _mm256_add_epi64(
        _mm256_mul_epu32(piece, four_of(e->piece_bytes * 8)),
        _mm256_mul_epu32(_mm256_srli_epi64(first, 32), four_of(e->t.length * e->bits)));
    __m256i share = _mm256_mulhi_epu16(four_folded(four_times(drawn, FUSE_SHARE), 32), r->span);
    __m256i empty = _mm256_cmpeq_epi64(attempt, _mm256_setzero_si256());
    __m256i mark = _mm256_or_si256(_mm256_and_si256(drawn, four_of(e->mask)), empty);
    _mm256_store_si256((__m256i *)(void *)&r->mark[s], mark);
    __m256i before = _mm256_setzero_si256();
    for (unsigned j = 0; j < arity; j++) {
        __m256i slot = _mm256_and_si256(_mm256_srli_epi64(share, (int)(16 * j)), four_of(0xffff));
        slot = _mm256_add_epi64(slot, r->base[j]);
        if (j == 1) slot = _mm256_xor_si256(slot, _mm256_and_si256(before, r->pair));
        before = slot;
        __m256i at = _mm256_add_epi64(bit, _mm256_mul_epu32(slot, four_of(e->bits)));
        _mm256_store_si256((__m256i *)(void *)&r->place[j][s], four_places(at, e->bits));
    }
    for (size_t i = s; i < s + 4; i++)
        for (unsigned j = 0; j < arity; j++) __builtin_prefetch(e->cells + (r->place[j][i] >> 6));
}

AVX2_FUSE_INLINE void ring_begin(struct fuse_ring *r, const struct fuse_spans *s) {
    r->span = four_of(s->spans);
    r->pair = four_of(s->pair);
    for (unsigned j = 0; j < ARITY_MAX; j++) r->base[j] = four_of(s->base[j]);
}

AVX2_FUSE_INLINE uint64_t ring_slot(const struct fuse_ring *r, size_t s, const uint8_t *cells,
                                    unsigned j) {
    uint64_t place = r->place[j][s];
    return get64(cells + (place >> 6)) >> (place & 63);
}

AVX2_FUSE_INLINE bool ring_ask(const struct fuse_ring *r, size_t s, const struct fuse_eye *e,
                               const unsigned arity) {
    uint64_t sum =
        ring_slot(r, s, e->cells, 0) ^ ring_slot(r, s, e->cells, 1) ^ ring_slot(r, s, e->cells, 2);
    if (arity == 4) sum ^= ring_slot(r, s, e->cells, 3);
    return (sum & e->mask) == r->mark[s];
}

AVX2_FUSE_INLINE size_t ring_ask_all(const struct fuse_eye *given, const uint64_t *hashes, size_t n,
                                     uint8_t *answers, const unsigned arity) {
    const struct fuse_eye e = *given;
    struct fuse_ring r;
    size_t taken = 0, by_fours = n & ~(size_t)3;
    if (e.t.npieces > UINT32_MAX) return 0;
    ring_begin(&r, &e.t.spans);
    for (; taken < FUSE_RING && taken < by_fours; taken += 4)
        ring_take(&r, taken, &e, hashes + taken, arity);
    for (size_t i = 0; i < by_fours; i += 4) {
        size_t s = i % FUSE_RING;
        __builtin_prefetch(hashes + taken + HASHES_AHEAD);
        for (size_t k = 0; k < 4; k++) answers[i + k] = ring_ask(&r, s + k, &e, arity);
        if (taken < by_fours) ring_take(&r, s, &e, hashes + taken, arity), taken += 4;
    }
    return by_fours;
}

AVX2_FUSE static size_t fours_in_fuse(const struct fuse_eye *e, const uint64_t *hashes, size_t n,
                                      uint8_t *answers) {
    return e->arity == 3 ? ring_ask_all(e, hashes, n, answers, 3)
                         : ring_ask_all(e, hashes, n, answers, 4);
}

/* Shifts by a bit number of their own came with these words, but a machine may hide them. */
size_t avx2_in_fuse(const struct fuse_eye *e, const uint64_t *hashes, size_t n, uint8_t *answers) {
    return __builtin_cpu_supports("bmi2") ? fours_in_fuse(e, hashes, n, answers) : 0;
}
#endif
