/*
 * ribbon_back.h - rows become their bits with AVX2, from the last to the first, 64 at a time.
 *
 * A row's bits are a byte, for each eight columns. Rows are settled with coefficients of the 63
 * rows behind them; those of eight rows are a byte, and what it names adds up to one of 16 sums of
 * the first four and one of 16 of the others: both are looked up, for 32 rows at once. Eight rows
 * that hang on each other are solved by the inverse of that, which hangs on no bits.
 */
#ifndef SITO_RIBBON_BACK_H
#define SITO_RIBBON_BACK_H

#include "cpu/ribbon_planes.h"

enum { EIGHTS = RIBBON_WIDTH / 8, GROUPS_MAX = (RIBBON_TAG_MAX + 1 + 7) / 8 };

/* All sums of the first four of eight bytes, and of the last four: in both halves. */
struct eight_rows {
    __m256i low, high;
};

/* 64 rows' coefficients: byte k of the first 32 and of the others. */
struct ribbon_block {
    __m256i coef[EIGHTS][2];
    __m256i inverse[2]; /* of the coefficients that eight rows have in each other */
};

/* The eight bytes lie at the beginning of both halves. */
RIBBON_WIDE struct eight_rows sums_of(__m256i eight) {
    const __m256i bit0 = _mm256_set1_epi16((short)0x0080), bit1 = _mm256_set1_epi32(0x01018080),
                  bit2 = _mm256_set1_epi64x(0x0202020280808080),
                  bit3 = _mm256_setr_epi64x((long long)0x8080808080808080, 0x0303030303030303,
                                            (long long)0x8080808080808080, 0x0303030303030303),
                  four = _mm256_set1_epi8(4);
    return (struct eight_rows){
        _mm256_shuffle_epi8(eight, bit0) ^ _mm256_shuffle_epi8(eight, bit1) ^
            _mm256_shuffle_epi8(eight, bit2) ^ _mm256_shuffle_epi8(eight, bit3),
        _mm256_shuffle_epi8(eight, bit0 | four) ^ _mm256_shuffle_epi8(eight, bit1 | four) ^
            _mm256_shuffle_epi8(eight, bit2 | four) ^ _mm256_shuffle_epi8(eight, bit3 | four)};
}

RIBBON_WIDE __m256i sums_named(struct eight_rows rows, __m256i names) {
    const __m256i low = _mm256_set1_epi8(15);
    return _mm256_shuffle_epi8(rows.low, names & low) ^
           _mm256_shuffle_epi8(rows.high, _mm256_srli_epi16(names, 4) & low);
}

/* One eight of four, everywhere. */
RIBBON_WIDE __m256i eight_of(__m256i four, unsigned k) {
    return _mm256_permutevar8x32_epi32(
        four, _mm256_set1_epi64x((long long)((uint64_t)(2 * k + 1) << 32 | 2 * k)));
}

/* Of byte k of 32 rows, what names rows behind these 64: all in later eights than the k-th, in the
 * k-th what lies before the row itself. */
RIBBON_WIDE __m256i names_behind(__m256i coef, unsigned k, unsigned half) {
    static const uint64_t mask[2 * EIGHTS - 1] = {
        0, 0, 0, 0, 0, 0, 0, 0x7f3f1f0f07030100, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull};
    return coef &
           _mm256_loadu_si256((const __m256i *)(const void *)(mask + EIGHTS - 1 + 4 * half - k));
}

/* And what names rows of the k-th eight itself, of those before it. */
RIBBON_WIDE __m256i names_here(__m256i coef, unsigned k, unsigned half) {
    static const uint64_t mask[2 * EIGHTS - 1] = {~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull};
    return coef &
           _mm256_loadu_si256((const __m256i *)(const void *)(mask + EIGHTS - 1 + 4 * half - k));
}

/* Of four eights: from the last row to the first, each takes the inverse of those that it names. */
RIBBON_WIDE __m256i inverse_of(const struct ribbon_block *b, unsigned half) {
    const __m256i after = _mm256_set1_epi64x(0x0080c0e0f0f8fcfe),
                  second = _mm256_setr_epi64x(0, 0x0808080808080808, 0, 0x0808080808080808);
    __m256i inverse = _mm256_set1_epi64x((long long)0x8040201008040201), own;
    own = _mm256_blend_epi32(b->coef[4 * half][half], b->coef[4 * half + 1][half], 0x0c);
    own = _mm256_blend_epi32(own, b->coef[4 * half + 2][half], 0x30);
    own = _mm256_blend_epi32(own, b->coef[4 * half + 3][half], 0xc0) & after;
#pragma GCC unroll 8
    for (unsigned row = 7; row > 0; row--) {
        __m256i bit = _mm256_set1_epi8((char)(1 << row));
        __m256i its = _mm256_shuffle_epi8(inverse, _mm256_set1_epi8((char)row) | second);
        inverse ^= _mm256_cmpeq_epi8(own & bit, bit) & its;
    }
    return inverse;
}

RIBBON_WIDE void load_block(struct ribbon_block *b, const uint64_t *coefs) {
#pragma GCC unroll 2
    for (unsigned half = 0; half < 2; half++) {
        __m256i v[8];
        words_across(coefs + half * 32, v);
#pragma GCC unroll 8
        for (unsigned k = 0; k < EIGHTS; k++) b->coef[k][half] = v[k];
        b->inverse[half] = inverse_of(b, half);
    }
}

/* From tags to bits. `rows`: those behind these 64; then these. */
RIBBON_WIDE void solve_block(const struct ribbon_block *b, struct eight_rows *rows,
                             __m256i bits[2]) {
    uint64_t solved[EIGHTS];
#pragma GCC unroll 8
    for (unsigned k = 0; k < EIGHTS; k++) {
        if (k < 4) bits[0] ^= sums_named(rows[k], names_behind(b->coef[k][0], k, 0));
        bits[1] ^= sums_named(rows[k], names_behind(b->coef[k][1], k, 1));
    }
#pragma GCC unroll 8
    for (unsigned k = EIGHTS; k-- > 0;) {
        __m256i eight =
            sums_named(sums_of(eight_of(bits[k / 4], k % 4)), eight_of(b->inverse[k / 4], k % 4));
        rows[k] = sums_of(eight);
        _mm_storel_epi64((__m128i *)(void *)(solved + k), _mm256_castsi256_si128(eight));
        if (k > 4) bits[1] ^= sums_named(rows[k], names_here(b->coef[k][1], k, 1));
        if (k > 0) bits[0] ^= sums_named(rows[k], names_here(b->coef[k][0], k, 0));
    }
    bits[0] = _mm256_loadu_si256((const __m256i *)(const void *)solved);
    bits[1] = _mm256_loadu_si256((const __m256i *)(const void *)(solved + 4));
}

/* One word a column for each 32 rows. */
RIBBON_WIDE void write_columns(__m256i bits, unsigned n, uint8_t *out) {
    bits = _mm256_sll_epi16(bits, _mm_cvtsi32_si128((int)(8 - n)));
    for (unsigned c = n; c-- > 0; bits = _mm256_add_epi8(bits, bits))
        put32(out + 4 * c, (uint32_t)_mm256_movemask_epi8(bits));
}

/* As ribbon_solve_body(). */
RIBBON_WIDE void ribbon_solve_wide(struct ribbon_rows from, uint64_t nrows, unsigned nbits,
                                   uint8_t *out) {
    struct eight_rows rows[GROUPS_MAX][EIGHTS];
    struct ribbon_block b;
    memset(rows, 0, sizeof rows);
    for (uint64_t block = nrows / RIBBON_WIDTH; block-- > 0;) {
        const uint64_t *tags = from.tag + block * RIBBON_WIDTH;
        uint8_t *lower = out + 2 * block * nbits * 4, *upper = lower + nbits * 4;
        __m256i low[8], high[8];
        load_block(&b, from.coef + block * RIBBON_WIDTH);
        words_across(tags, low);
        words_across(tags + 32, high);
        for (unsigned g = 0; 8 * g < nbits; g++) {
            unsigned columns = nbits - 8 * g < 8 ? nbits - 8 * g : 8;
            __m256i bits[2] = {low[g], high[g]};
            solve_block(&b, rows[g], bits);
            write_columns(bits[0], columns, lower + 32 * g);
            write_columns(bits[1], columns, upper + 32 * g);
        }
    }
}

#endif
