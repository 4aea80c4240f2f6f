/*
 * ribbon_planes.h - the sweep of ribbon_walk.h with AVX2, 32 equations at a time.
 *
 * Equations lie in planes: plane k has byte k of the coefficients of all of them, in the order in
 * which they came, and the tags' planes follow. So one row's bit in 64 equations is one mask; four
 * rows are settled from four masks, and then taken out of all planes without a guess. A settled
 * equation stays where it is, and takes no more part.
 */
#ifndef SITO_RIBBON_PLANES_H
#define SITO_RIBBON_PLANES_H

#include <immintrin.h>

#include "cpu/ribbon_walk.h"

#define RIBBON_AVX2 __attribute__((target("avx2,popcnt,bmi,bmi2")))
#define RIBBON_WIDE RIBBON_AVX2 RIBBON_INLINE

enum {
    PLANE_LANES = RIBBON_PAST,
    WINDOW_STEP = 16,  /* equations it moves on by */
    WINDOW_MOST = 128, /* equations looked at together */
    PLANE_ROOM = RIBBON_SWEEP_MAX + RIBBON_WIDTH + WINDOW_MOST + PLANE_LANES,
    PLANES_MAX = 16, /* eight of coefficients, as many of tags */
};

struct ribbon_planes {
    _Alignas(64) uint8_t at[PLANES_MAX][PLANE_ROOM];
    unsigned ntags;
    uint16_t met[RIBBON_BUCKET]; /* how many equations have come up to this row */
    uint16_t who[RIBBON_BUCKET]; /* which of them settles it */
};

/* ---- starts ---- */

/* Of 16 numbers, the last everywhere. */
RIBBON_WIDE __m256i last_everywhere(__m256i x) {
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(x, 0xff), _mm256_set1_epi16(0x0f0e));
}

/* The lower half's last number in the upper half, something else in the lower. */
RIBBON_WIDE __m256i lower_last(__m256i x, __m256i lower) {
    __m256i last =
        _mm256_shuffle_epi8(_mm256_permute4x64_epi64(x, 0x55), _mm256_set1_epi16(0x0f0e));
    return _mm256_blend_epi32(lower, last, 0xf0);
}

RIBBON_WIDE unsigned largest_of(__m256i x) {
    __m128i y = _mm_max_epu16(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return 0xffff & ~(unsigned)_mm_extract_epi16(_mm_minpos_epu16(~y), 0);
}

/* As ribbon_add_up_body(). */
RIBBON_WIDE unsigned ribbon_add_up_wide(uint16_t *count, uint16_t *met) {
    __m256i before = _mm256_setzero_si256(), most = before, none = before;
    for (unsigned row = 0; row < RIBBON_BUCKET; row += 16) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(count + row));
        __m256i sum = _mm256_add_epi16(x, _mm256_slli_si256(x, 2));
        sum = _mm256_add_epi16(sum, _mm256_slli_si256(sum, 4));
        sum = _mm256_add_epi16(sum, _mm256_slli_si256(sum, 8));
        sum = _mm256_add_epi16(sum, lower_last(sum, none));
        sum = _mm256_add_epi16(sum, before);
        _mm256_storeu_si256((__m256i *)(void *)(met + row), sum);
        _mm256_storeu_si256((__m256i *)(void *)(count + row), _mm256_sub_epi16(sum, x));
        most = _mm256_max_epu16(most, x);
        before = last_everywhere(sum);
    }
    return largest_of(most);
}

/* As ribbon_most_open_body(). `far` is below all: it stands where there is no row before. */
RIBBON_WIDE int ribbon_most_open_wide(const uint16_t *met, int open, int from) {
    const __m256i far = _mm256_set1_epi16(-0x4000), one = _mm256_set1_epi16(1);
    __m256i idle = _mm256_setzero_si256(), most = idle, out = _mm256_set1_epi16((short)from);
    __m256i start =
        _mm256_sub_epi16(_mm256_set1_epi16((short)open),
                         _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    for (unsigned row = 0; row < RIBBON_BUCKET; row += 16) {
        __m256i come = _mm256_loadu_si256((const __m256i *)(const void *)(met + row));
        come = _mm256_subs_epu16(come, out);
        __m256i here = _mm256_add_epi16(start, come), lack = _mm256_sub_epi16(one, here), before;
        /* the largest lack up to each row; then before it */
        lack = _mm256_max_epi16(lack, _mm256_alignr_epi8(lack, far, 14));
        lack = _mm256_max_epi16(lack, _mm256_alignr_epi8(lack, far, 12));
        lack = _mm256_max_epi16(lack, _mm256_alignr_epi8(lack, far, 8));
        lack = _mm256_max_epi16(lack, lower_last(lack, far));
        lack = _mm256_max_epi16(lack, idle);
        before = _mm256_alignr_epi8(lack, _mm256_permute2x128_si256(idle, lack, 0x20), 14);
        here = _mm256_add_epi16(here, before);
        most = _mm256_max_epi16(most, here & _mm256_cmpgt_epi16(come, _mm256_setzero_si256()));
        idle = last_everywhere(lack);
        start = _mm256_sub_epi16(start, _mm256_set1_epi16(16));
    }
    return (int)largest_of(most);
}

/* ---- words <-> planes ---- */

/* In each half, eight vectors of eight pairs of bytes: across becomes down. */
RIBBON_WIDE void pairs_across(__m256i v[8]) {
    __m256i a[8], b[8];
#pragma GCC unroll 8
    for (int i = 0; i < 4; i++) {
        a[2 * i] = _mm256_unpacklo_epi16(v[2 * i], v[2 * i + 1]);
        a[2 * i + 1] = _mm256_unpackhi_epi16(v[2 * i], v[2 * i + 1]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            b[4 * i + 2 * k] = _mm256_unpacklo_epi32(a[4 * i + k], a[4 * i + 2 + k]);
            b[4 * i + 2 * k + 1] = _mm256_unpackhi_epi32(a[4 * i + k], a[4 * i + 2 + k]);
        }
#pragma GCC unroll 8
    for (int k = 0; k < 4; k++) {
        v[2 * k] = _mm256_unpacklo_epi64(b[k], b[4 + k]);
        v[2 * k + 1] = _mm256_unpackhi_epi64(b[k], b[4 + k]);
    }
}

RIBBON_WIDE __m256i paired(void) {
    return _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2, 10,
                            3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

RIBBON_WIDE __m256i unpaired(void) {
    return _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10,
                            12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
}

/* 32 words: the first bytes of all, their second bytes... */
RIBBON_WIDE void words_across(const uint64_t *words, __m256i v[8]) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        const __m128i *low = (const __m128i *)(const void *)(words + 2 * i), *high = low + 8;
        __m256i both = _mm256_castsi128_si256(_mm_loadu_si128(low));
        both = _mm256_inserti128_si256(both, _mm_loadu_si128(high), 1);
        v[i] = _mm256_shuffle_epi8(both, paired());
    }
    pairs_across(v);
}

/* 32 words to the n planes of their lower bytes. */
RIBBON_WIDE void words_to_planes(const uint64_t *words, uint8_t (*plane)[PLANE_ROOM], size_t at,
                                 unsigned n) {
    __m256i v[8];
    words_across(words, v);
#pragma GCC unroll 8
    for (unsigned k = 0; k < n; k++) _mm256_store_si256((__m256i *)(void *)(plane[k] + at), v[k]);
}

RIBBON_WIDE void planes_to_words(uint8_t (*plane)[PLANE_ROOM], size_t at, unsigned n,
                                 uint64_t *words) {
    __m256i v[8];
#pragma GCC unroll 8
    for (unsigned k = 0; k < 8; k++)
        v[k] = k < n ? _mm256_load_si256((const __m256i *)(const void *)(plane[k] + at))
                     : _mm256_setzero_si256();
    pairs_across(v);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        __m128i *low = (__m128i *)(void *)(words + 2 * i), *high = low + 8;
        __m256i both = _mm256_shuffle_epi8(v[i], unpaired());
        _mm_storeu_si128(low, _mm256_castsi256_si128(both));
        _mm_storeu_si128(high, _mm256_extracti128_si256(both, 1));
    }
}

/* ---- four rows ---- */

/* A bit for each equation of the window. */
struct window_set {
    uint64_t low, high;
};

/* A value by itself: stores into planes cannot change it, and it stays in registers. */
struct ribbon_window {
    unsigned base;          /* the first equation */
    struct window_set live; /* not yet settled; also those that have not come yet */
};

enum { ROWS_AT_ONCE = 4 };

RIBBON_WIDE struct window_set both_of(struct window_set a, struct window_set b) {
    return (struct window_set){a.low & b.low, a.high & b.high};
}

RIBBON_WIDE struct window_set either_of(struct window_set a, struct window_set b) {
    return (struct window_set){a.low ^ b.low, a.high ^ b.high};
}

RIBBON_WIDE struct window_set first_of_window(unsigned n) {
    return (struct window_set){_bzhi_u64(UINT64_MAX, n),
                               n > 64 ? _bzhi_u64(UINT64_MAX, n - 64) : 0};
}

/* Which of the equations have this bit of their byte. */
RIBBON_WIDE struct window_set having(const __m256i *bytes, int lanes, unsigned bit) {
    __m128i by = _mm_cvtsi32_si128((int)(7 - bit));
    uint64_t mask[4] = {0};
#pragma GCC unroll 4
    for (int v = 0; v < lanes; v++)
        mask[v] = (uint32_t)_mm256_movemask_epi8(_mm256_sll_epi16(bytes[v], by));
    return (struct window_set){mask[0] | mask[1] << 32, mask[2] | mask[3] << 32};
}

/* The oldest alone. */
RIBBON_WIDE struct window_set oldest_of(struct window_set s, int lanes) {
    return (struct window_set){_blsi_u64(s.low), lanes > 2 && !s.low ? _blsi_u64(s.high) : 0};
}

/* Its place; behind all if there is none. */
RIBBON_WIDE unsigned place_of(struct window_set one, int lanes) {
    if (lanes > 2 && !one.low) return (unsigned)(64 + _tzcnt_u64(one.high));
    return (unsigned)_tzcnt_u64(one.low);
}

/* What is found is as likely as not: a compiler's branch would be a wrong guess every other time. */
RIBBON_WIDE uint64_t if_found(uint64_t found, uint64_t yes, uint64_t no) {
    __asm__("testq %1, %1\n\tcmovneq %2, %0" : "+r"(no) : "r"(found), "r"(yes) : "cc");
    return no;
}

/* The sum of both if `has` has `one`, else the first. */
RIBBON_WIDE struct window_set plus_if(struct window_set s, struct window_set by,
                                      struct window_set has, struct window_set one, int lanes) {
    uint64_t found = (has.low & one.low) | (lanes > 2 ? has.high & one.high : 0);
    struct window_set sum = either_of(s, by);
    s.low = if_found(found, sum.low, s.low);
    if (lanes > 2) s.high = if_found(found, sum.high, s.high);
    return s;
}

/* Of each equation, a byte: twice what it was, and one more if it is in the set. */
RIBBON_WIDE void append_set(struct window_set s, int lanes, __m256i *to) {
    const __m256i eighth = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202,
                                              0x0303030303030303),
                  last = _mm256_add_epi8(eighth, _mm256_set1_epi8(4)),
                  bit = _mm256_set1_epi64x((long long)0x8040201008040201),
                  one = _mm256_set1_epi8(1);
    __m256i word[2] = {_mm256_set1_epi64x((long long)s.low), _mm256_set1_epi64x((long long)s.high)};
#pragma GCC unroll 4
    for (int v = 0; v < lanes; v++) {
        __m256i x = _mm256_shuffle_epi8(word[v / 2], v % 2 ? last : eighth);
        to[v] = _mm256_add_epi8(_mm256_add_epi8(to[v], to[v]), _mm256_min_epu8(x & bit, one));
    }
}

/* Of one plane of all equations: what each takes of the four, which are one bit each of `with`. So
 * there are 16 sums of them, and every equation looks its own up. */
RIBBON_WIDE void take_out(uint8_t *plane, const unsigned at[ROWS_AT_ONCE], const __m256i *with,
                          int lanes) {
    const __m256i bit0 = _mm256_set1_epi16((short)0xff00),
                  bit1 = _mm256_set1_epi32((int)0xffff0000),
                  bit2 = _mm256_set1_epi64x((long long)0xffffffff00000000),
                  bit3 = _mm256_setr_epi64x(0, -1, 0, -1);
    __m256i sums = (_mm256_set1_epi8((char)plane[at[0]]) & bit0) ^
                   (_mm256_set1_epi8((char)plane[at[1]]) & bit1) ^
                   (_mm256_set1_epi8((char)plane[at[2]]) & bit2) ^
                   (_mm256_set1_epi8((char)plane[at[3]]) & bit3);
#pragma GCC unroll 4
    for (int v = 0; v < lanes; v++) {
        __m256i *to = (__m256i *)(void *)(plane + v * PLANE_LANES);
        _mm256_storeu_si256(to, _mm256_loadu_si256(to) ^ _mm256_shuffle_epi8(sums, with[v]));
    }
}

/* Settles four rows, the first a multiple of four, as if one after the other. In the end there is a
 * mask for each of the four equations that settle them: which others take it, as it is now. */
RIBBON_WIDE struct ribbon_window settle_rows(struct ribbon_planes *p, struct ribbon_window w,
                                             unsigned row, int lanes) {
    const uint8_t *here = p->at[row % RIBBON_WIDTH / 8] + w.base;
    __m256i bytes[4], with[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(),
                                 _mm256_setzero_si256(), _mm256_setzero_si256()};
    struct window_set s[ROWS_AT_ONCE], has[ROWS_AT_ONCE], one[ROWS_AT_ONCE];
    unsigned at[ROWS_AT_ONCE];
    bool none = false;
#pragma GCC unroll 4
    for (int v = 0; v < lanes; v++)
        bytes[v] = _mm256_loadu_si256((const __m256i *)(const void *)(here + v * PLANE_LANES));
#pragma GCC unroll 4
    for (unsigned r = 0; r < ROWS_AT_ONCE; r++)
        s[r] = both_of(having(bytes, lanes, row % 8 + r),
                       both_of(w.live, first_of_window(p->met[row + r] - w.base)));
#pragma GCC unroll 4
    for (unsigned r = 0; r < ROWS_AT_ONCE; r++) {
        one[r] = oldest_of(s[r], lanes);
#pragma GCC unroll 4
        for (unsigned q = r + 1; q < ROWS_AT_ONCE; q++)
            s[q] = plus_if(s[q], s[r], s[q], one[r], lanes);
        at[r] = place_of(one[r], lanes);
        none |= lanes > 2 ? !(s[r].low | s[r].high) : !s[r].low;
        p->who[row + r] = (uint16_t)(w.base + at[r]);
        has[r] = s[r];
        s[r] = either_of(s[r], one[r]);
        w.live.low &= ~one[r].low, w.live.high &= ~one[r].high;
    }
    if (__builtin_expect(none, 0))
        for (unsigned r = 0; r < ROWS_AT_ONCE; r++)
            if (!(has[r].low | has[r].high)) p->who[row + r] = PLANE_ROOM;
#pragma GCC unroll 4
    for (unsigned r = ROWS_AT_ONCE; r-- > 0;) {
#pragma GCC unroll 4
        for (unsigned q = 0; q < r; q++) s[q] = plus_if(s[q], s[r], has[q], one[r], lanes);
        append_set(s[r], lanes, with);
    }
    uint8_t *plane = p->at[0] + w.base;
#pragma GCC unroll 8
    for (unsigned k = 0; k < 8; k++, plane += PLANE_ROOM) take_out(plane, at, with, lanes);
    for (unsigned k = p->ntags; k > 0; k--, plane += PLANE_ROOM) take_out(plane, at, with, lanes);
    return w;
}

/* ---- the sweep ---- */

struct ribbon_words {
    _Alignas(64) uint64_t coef[PLANE_ROOM + 8], tag[PLANE_ROOM + 8];
};

/* Equations open from before lie just below place 64, the keys from there on. */
RIBBON_WIDE void fill_planes(struct ribbon_planes *p, const struct ribbon_open *o,
                             struct ribbon_keys k) {
    _Alignas(32) uint64_t coef[2 * RIBBON_WIDTH], tag[2 * RIBBON_WIDTH];
    unsigned before = RIBBON_WIDTH - o->n, ntags = (k.bits + 7) / 8, n = k.n - k.from;
#pragma GCC unroll 8
    for (size_t i = 0; i < RIBBON_WIDTH; i += 4) {
        _mm256_storeu_si256((__m256i *)(void *)(coef + before + i),
                            _mm256_loadu_si256((const __m256i *)(const void *)(o->coef + i)));
        _mm256_storeu_si256((__m256i *)(void *)(tag + before + i),
                            _mm256_loadu_si256((const __m256i *)(const void *)(o->tag + i)));
    }
    p->ntags = ntags;
    for (size_t i = before / PLANE_LANES * PLANE_LANES; i < RIBBON_WIDTH; i += PLANE_LANES) {
        words_to_planes(coef + i, p->at, i, 8);
        words_to_planes(tag + i, p->at + 8, i, ntags);
    }
    for (size_t i = 0; i < n; i += PLANE_LANES) {
        words_to_planes(k.coef + k.from + i, p->at, RIBBON_WIDTH + i, 8);
        words_to_planes(k.tag + k.from + i, p->at + 8, RIBBON_WIDTH + i, ntags);
    }
}

/* As ribbon_leave(). */
RIBBON_WIDE bool leave_window(struct ribbon_window w, const struct ribbon_words *words,
                              unsigned end, struct ribbon_open *o) {
    struct window_set left = both_of(w.live, first_of_window(end - w.base));
    uint64_t half[2] = {left.low, left.high}, wrong = 0;
    unsigned n = 0;
    for (unsigned h = 0; h < 2; h++)
        for (uint64_t m = half[h]; m; m &= m - 1) {
            size_t i = w.base + 64 * h + _tzcnt_u64(m);
            if (!words->coef[i]) {
                wrong |= words->tag[i];
                continue;
            }
            if (n == RIBBON_WIDTH) return false;
            o->coef[n] = words->coef[i];
            o->tag[n++] = words->tag[i];
        }
    o->n = n;
    return !wrong;
}

/* As ribbon_sweep_body(). */
RIBBON_WIDE bool ribbon_sweep_planes(struct ribbon_open *o, struct ribbon_rows rows, uint64_t at,
                                     unsigned nrows, struct ribbon_keys k) {
    struct ribbon_planes p;
    struct ribbon_window w;
    struct ribbon_words words;
    unsigned n = k.n - k.from, ntags = (k.bits + 7) / 8, end = 0;
    if (n > RIBBON_SWEEP_MAX) return false;
    fill_planes(&p, o, k);
    for (unsigned row = 0; row < nrows; row += 16) {
        __m256i met = _mm256_loadu_si256((const __m256i *)(const void *)(k.met + row));
        met = _mm256_subs_epu16(met, _mm256_set1_epi16((short)k.from));
        met = _mm256_add_epi16(met, _mm256_set1_epi16(RIBBON_WIDTH));
        _mm256_storeu_si256((__m256i *)(void *)(p.met + row), met);
    }
    w.base = (RIBBON_WIDTH - o->n) / WINDOW_STEP * WINDOW_STEP;
    w.live = (struct window_set){UINT64_MAX << (RIBBON_WIDTH - o->n - w.base), UINT64_MAX};
    unsigned first = w.base;
    for (unsigned row = 0; row < nrows; row += ROWS_AT_ONCE) {
        end = p.met[row + ROWS_AT_ONCE - 1];
        if (end - w.base <= 64) w = settle_rows(&p, w, row, 2);
        else if (end - w.base <= 96) w = settle_rows(&p, w, row, 3);
        else if (end - w.base <= WINDOW_MOST) w = settle_rows(&p, w, row, 4);
        else return ribbon_sweep_body(o, rows, at, nrows, k);
        if (end - w.base >= WINDOW_STEP && !_bzhi_u64(w.live.low, WINDOW_STEP)) {
            w.live.low = w.live.low >> WINDOW_STEP | w.live.high << (64 - WINDOW_STEP);
            w.live.high = w.live.high >> WINDOW_STEP | UINT64_MAX << (64 - WINDOW_STEP);
            w.base += WINDOW_STEP;
        }
    }
    for (size_t i = first / PLANE_LANES * PLANE_LANES; i < end; i += PLANE_LANES) {
        planes_to_words(p.at, i, 8, words.coef + i);
        planes_to_words(p.at + 8, i, ntags, words.tag + i);
    }
    words.coef[PLANE_ROOM] = words.tag[PLANE_ROOM] = 0;
    for (unsigned row = 0; row < nrows; row++) {
        rows.coef[at + row] = words.coef[p.who[row]];
        rows.tag[at + row] = words.tag[p.who[row]];
    }
    return leave_window(w, &words, end, o);
}

#endif
