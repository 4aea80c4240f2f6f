/*
 * avx2_levels.c - tables of levels, 32 bytes at a time.
 *
 * Bytes (b = 8) and pairs of bytes (b = 16) lie as the machine wants them. Other cells are taken as
 * words of lanes, four words to a vector: two shuffles bring the packed bytes there and back. For
 * fading the lanes of a word are spread to whole bytes or pairs of them, multiplied, and gathered.
 */
#include "cpu/cpu.h"

#include "cpu/level_walk.h"

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2_LEVELS __attribute__((target("avx2")))
#define AVX2_IN_LINE AVX2_LEVELS inline __attribute__((always_inline))

typedef uint64_t words_4 __attribute__((vector_size(32))); /* whose shifts bring zeros */

AVX2_IN_LINE static __m256i load32(const uint8_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

AVX2_IN_LINE static void store32(uint8_t *p, __m256i v) {
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

/* ---- packed cells -> words of lanes -> packed cells ---- */

/*
 * A half, 16 bytes of a vector, takes two words of lanes from WORD_BITS(b) / 4 packed bytes. A word may
 * end in the middle of a byte; its neighbour then begins there. Four shuffles for each b: where the
 * bytes of the two words come from, where the first word's and the second's go, and which bytes of a
 * half are not its own.
 */
#define WORD_LANES(b) ((b) == 1 || (b) == 2 || (b) == 4 ? 64 / (b) : (b) <= 8 ? 8 : 4)
#define WORD_BITS(b) (WORD_LANES(b) * (b))
#define SHUFFLE_IN(j, b) ((uint8_t)((j) < 8 ? (j) : (j)-8 + WORD_BITS(b) / 8))
#define SHUFFLE_FIRST(j, b) ((uint8_t)((j) < (WORD_BITS(b) + 7) / 8 ? (j) : 128))
#define SHUFFLE_SECOND(j, b) ((uint8_t)((j) < WORD_BITS(b) / 8 ? 128 : 8 + (j)-WORD_BITS(b) / 8))
#define SHUFFLE_OLD(j, b) ((uint8_t)((j) < WORD_BITS(b) / 4 ? 0 : 255))
#define SIXTEEN(M, b)                                                                              \
    {                                                                                              \
        M(0, b), M(1, b), M(2, b), M(3, b), M(4, b), M(5, b), M(6, b), M(7, b), M(8, b), M(9, b),  \
            M(10, b), M(11, b), M(12, b), M(13, b), M(14, b), M(15, b)                             \
    }
#define SHUFFLES(b)                                                                                \
    {                                                                                              \
        SIXTEEN(SHUFFLE_IN, b), SIXTEEN(SHUFFLE_FIRST, b), SIXTEEN(SHUFFLE_SECOND, b),             \
            SIXTEEN(SHUFFLE_OLD, b)                                                                \
    }

static const uint8_t level_shuffles[16][4][16] = {
    SHUFFLES(1),  SHUFFLES(2),  SHUFFLES(3),  SHUFFLES(4),  SHUFFLES(5),  SHUFFLES(6),
    SHUFFLES(7),  SHUFFLES(8),  SHUFFLES(9),  SHUFFLES(10), SHUFFLES(11), SHUFFLES(12),
    SHUFFLES(13), SHUFFLES(14), SHUFFLES(15), SHUFFLES(16)};

struct words {
    uint64_t half, count; /* packed bytes of a half; cells in a vector */
    __m256i in, first, second, old, down, all;
};

AVX2_IN_LINE static __m256i both_halves(const uint8_t *p) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)p));
}

AVX2_IN_LINE static struct words words_of(unsigned b) {
    const uint8_t(*shuffle)[16] = level_shuffles[b - 1];
    unsigned bits = WORD_BITS(b);
    return (struct words){.half = bits / 4,
                          .count = 4 * WORD_LANES(b),
                          .in = both_halves(shuffle[0]),
                          .first = both_halves(shuffle[1]),
                          .second = both_halves(shuffle[2]),
                          .old = both_halves(shuffle[3]),
                          .down = _mm256_setr_epi64x(0, bits % 8, 0, bits % 8),
                          .all = _mm256_set1_epi64x((long long)low_bits(bits))};
}

/* 32 bytes are read, of which 2 * half count. */
AVX2_IN_LINE static __m256i take_halves(const struct words *w, const uint8_t *p) {
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(p + w->half));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* With bits of the neighbours above, if the cells fill no whole word. */
AVX2_IN_LINE static __m256i words_open(const struct words *w, __m256i halves) {
    return _mm256_srlv_epi64(_mm256_shuffle_epi8(halves, w->in), w->down);
}

AVX2_IN_LINE static __m256i words_in(const struct words *w, __m256i halves) {
    return _mm256_and_si256(words_open(w, halves), w->all);
}

AVX2_IN_LINE static __m256i words_packed(const struct words *w, __m256i v) {
    v = _mm256_sllv_epi64(v, w->down);
    return _mm256_or_si256(_mm256_shuffle_epi8(v, w->first), _mm256_shuffle_epi8(v, w->second));
}

/* What lies behind a half is written as it was; the upper half, written second, has it anew. */
AVX2_IN_LINE static void words_out(const struct words *w, uint8_t *p, __m256i v, __m256i was) {
    v = _mm256_blendv_epi8(words_packed(w, v), was, w->old);
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(v));
    _mm_storeu_si128((__m128i *)(void *)(p + w->half), _mm256_extracti128_si256(v, 1));
}

/* A table is so many vectors, and `rest` bytes of one more. Behind the table SLOTS_SLACK bytes are
 * there: a half that begins inside it may be read and written. */
struct extent {
    uint64_t vectors, rest;
};

AVX2_IN_LINE static struct extent extent_of(const struct words *w, uint64_t n, unsigned b) {
    uint64_t vectors = n >> __builtin_ctzll(w->count);
    return (struct extent){vectors, (n * b + 7) / 8 - vectors * 2 * w->half};
}

/* The halves from p on, with `left` vectors to come before the rest; what is not there is zero. */
AVX2_IN_LINE static __m256i take_next(const struct words *w, const uint8_t *p, uint64_t left,
                                      uint64_t rest) {
    if (left || rest > w->half) return take_halves(w, p);
    if (!rest) return _mm256_setzero_si256();
    return _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)p));
}

/* Of the last vector only `rest` bytes are ours: a mask of them. Of the others nothing is taken, for a
 * cell that begins in our last byte must stay 0, and nothing is written. */
AVX2_IN_LINE static __m256i rest_mask(const struct words *w, uint64_t rest) {
    const __m128i byte = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    uint64_t low = rest > w->half ? w->half : rest;
    __m256i ends = _mm256_set_m128i(_mm_set1_epi8((char)(rest - low)), _mm_set1_epi8((char)low));
    return _mm256_cmpgt_epi8(ends, _mm256_broadcastsi128_si256(byte));
}

AVX2_IN_LINE static void words_out_rest(const struct words *w, uint8_t *p, __m256i v, __m256i was,
                                        uint64_t rest) {
    v = _mm256_blendv_epi8(was, words_packed(w, v), rest_mask(w, rest));
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(v));
    if (rest > w->half)
        _mm_storeu_si128((__m128i *)(void *)(p + w->half), _mm256_extracti128_si256(v, 1));
}

/* ---- lower, merge ---- */

AVX2_LEVELS static void lower_packed(uint8_t *p, uint64_t n, unsigned b) {
    const struct lanes l = lanes_of(b);
    const struct words w = words_of(b);
    const struct extent e = extent_of(&w, n, b);
    const words_4 low = {l.low, l.low, l.low, l.low}, high = {l.high, l.high, l.high, l.high};
    __m256i next = take_next(&w, p, e.vectors, e.rest), was;
    words_4 v;
    for (uint64_t left = e.vectors; left--; p += 2 * w.half) {
        was = next;
        v = (words_4)words_in(&w, was);
        /* Before these are written: a load that meets half a store would wait. */
        next = take_next(&w, p + 2 * w.half, left, e.rest);
        words_out(&w, p, (__m256i)LANES_LOWERED(v, low, high, b), was);
    }
    if (!e.rest) return;
    v = (words_4)words_in(&w, _mm256_and_si256(next, rest_mask(&w, e.rest)));
    words_out_rest(&w, p, (__m256i)LANES_LOWERED(v, low, high, b), next, e.rest);
}

AVX2_IN_LINE static __m256i higher(words_4 x, words_4 y, words_4 high, unsigned b) {
    words_4 at_least = LANES_NOT_BELOW(x, y, high);
    return (__m256i)LANES_CHOSEN(x, y, at_least, b);
}

AVX2_LEVELS static void merge_packed(uint8_t *p, const uint8_t *from, uint64_t n, unsigned b) {
    const struct lanes l = lanes_of(b);
    const struct words w = words_of(b);
    const struct extent e = extent_of(&w, n, b);
    const words_4 high = {l.high, l.high, l.high, l.high};
    __m256i next = take_next(&w, p, e.vectors, e.rest), was;
    words_4 x, y;
    for (uint64_t left = e.vectors; left--; p += 2 * w.half, from += 2 * w.half) {
        was = next;
        x = (words_4)words_in(&w, was);
        y = (words_4)words_in(&w, take_halves(&w, from));
        next = take_next(&w, p + 2 * w.half, left, e.rest);
        words_out(&w, p, higher(x, y, high, b), was);
    }
    if (!e.rest) return;
    const __m256i ours = rest_mask(&w, e.rest);
    x = (words_4)words_in(&w, _mm256_and_si256(next, ours));
    y = (words_4)words_in(&w, _mm256_and_si256(take_next(&w, from, 0, e.rest), ours));
    words_out_rest(&w, p, higher(x, y, high, b), next, e.rest);
}

/* Whole bytes, or pairs of them: as many as fill vectors. */
AVX2_IN_LINE static uint64_t whole_bytes(uint64_t n, unsigned b) {
    return (b == 8 ? n : 2 * n) & ~(uint64_t)31;
}

AVX2_LEVELS static void avx2_lower(uint8_t *cells, uint64_t n, unsigned b) {
    if (b != 8 && b != 16) {
        lower_packed(cells, n, b);
        return;
    }
    const __m256i bytewise = _mm256_set1_epi8(b == 8), pairwise = _mm256_set1_epi16(b == 16);
    uint64_t bytes = whole_bytes(n, b), done = b == 8 ? bytes : bytes / 2;
#pragma GCC unroll 4
    for (uint64_t at = 0; at < bytes; at += 32) { /* one of the two takes nothing */
        __m256i v = _mm256_subs_epu8(load32(cells + at), bytewise);
        store32(cells + at, _mm256_subs_epu16(v, pairwise));
    }
    if (done < n) levels_lower(cells, done, n, b);
}

AVX2_LEVELS static void avx2_merge(uint8_t *into, const uint8_t *from, uint64_t n, unsigned b) {
    if (b != 8 && b != 16) {
        merge_packed(into, from, n, b);
        return;
    }
    uint64_t bytes = whole_bytes(n, b), done = b == 8 ? bytes : bytes / 2;
    if (b == 8) {
#pragma GCC unroll 4
        for (uint64_t at = 0; at < bytes; at += 32)
            store32(into + at, _mm256_max_epu8(load32(into + at), load32(from + at)));
    } else {
#pragma GCC unroll 4
        for (uint64_t at = 0; at < bytes; at += 32)
            store32(into + at, _mm256_max_epu16(load32(into + at), load32(from + at)));
    }
    if (done < n) levels_merge(into, from, done, n, b);
}

/* ---- fade ---- */

/* One halving of a word: its two parts, h bits each, lie side by side, or `apart` bits further apart
 * in halves of the word. */
struct spread_step {
    words_4 low, packed, spread; /* the lower part; the upper one, there and there */
    unsigned apart;
};

AVX2_IN_LINE static struct spread_step step_of(unsigned h, unsigned room) {
    uint64_t low = low_bits(h) * (room == 32 ? 1 : room == 16 ? 0x100000001u : 0x1000100010001u);
    uint64_t packed = low << h, spread = low << room;
    return (struct spread_step){{low, low, low, low},
                                {packed, packed, packed, packed},
                                {spread, spread, spread, spread},
                                room - h};
}

AVX2_IN_LINE static words_4 spread_by(words_4 v, const struct spread_step *s) {
    return (v & s->low) | (v << s->apart & s->spread);
}

AVX2_IN_LINE static words_4 gather_by(words_4 v, const struct spread_step *s) {
    return (v & s->low) | (v >> s->apart & s->packed);
}

/* A factor in 16 bits, or in twice 16: then the lower product's high half may carry. */
struct pair_factor {
    __m256i high, low;
};

AVX2_IN_LINE static __m256i pairs_faded(__m256i v, const struct pair_factor *f, bool is_short) {
    __m256i high = _mm256_mulhi_epu16(v, f->high);
    if (is_short) return high;
    __m256i middle = _mm256_mullo_epi16(v, f->high);
    __m256i sum = _mm256_add_epi16(middle, _mm256_mulhi_epu16(v, f->low));
    __m256i fits = _mm256_cmpeq_epi16(_mm256_max_epu16(sum, middle), sum); /* -1: no carry */
    return _mm256_add_epi16(_mm256_add_epi16(high, fits), _mm256_set1_epi16(1));
}

AVX2_IN_LINE static __m256i bytes_faded(__m256i v, const struct pair_factor *f, bool is_short) {
    __m256i even = _mm256_and_si256(v, _mm256_set1_epi16(255)), odd = _mm256_srli_epi16(v, 8);
    even = pairs_faded(even, f, is_short);
    odd = pairs_faded(odd, f, is_short);
    return _mm256_or_si256(even, _mm256_slli_epi16(odd, 8));
}

/* These return how many cells are done. */
AVX2_IN_LINE static uint64_t fade_whole(uint8_t *cells, uint64_t n, unsigned b,
                                        const struct pair_factor *f, bool is_short) {
    uint64_t bytes = whole_bytes(n, b);
    if (b == 8) {
#pragma GCC unroll 2
        for (uint64_t at = 0; at < bytes; at += 32)
            store32(cells + at, bytes_faded(load32(cells + at), f, is_short));
        return bytes;
    }
#pragma GCC unroll 2
    for (uint64_t at = 0; at < bytes; at += 32)
        store32(cells + at, pairs_faded(load32(cells + at), f, is_short));
    return bytes / 2;
}

struct packed_fade {
    struct spread_step halves, quarters, eighths;
    struct pair_factor factor;
    bool narrow, is_short; /* narrow: lanes become bytes, else pairs of bytes */
};

AVX2_IN_LINE static __m256i words_faded(words_4 v, const struct packed_fade *f) {
    v = spread_by(spread_by(v, &f->halves), &f->quarters);
    if (f->narrow) {
        v = spread_by(v, &f->eighths);
        v = (words_4)bytes_faded((__m256i)v, &f->factor, f->is_short);
        v = gather_by(v, &f->eighths);
    } else {
        v = (words_4)pairs_faded((__m256i)v, &f->factor, f->is_short);
    }
    return (__m256i)gather_by(gather_by(v, &f->quarters), &f->halves);
}

AVX2_LEVELS static uint64_t fade_packed(uint8_t *p, uint64_t n, unsigned b,
                                        const struct pair_factor *factor, bool is_short) {
    const unsigned lanes = WORD_LANES(b);
    const struct words w = words_of(b);
    const struct extent e = extent_of(&w, n, b);
    const struct packed_fade f = {step_of(lanes / 2 * b, 32),
                                  step_of(lanes / 4 * b, 16),
                                  step_of(b, 8),
                                  *factor,
                                  b < 8,
                                  is_short};
    __m256i next = take_next(&w, p, e.vectors, e.rest), was;
    for (uint64_t left = e.vectors; left--; p += 2 * w.half) {
        was = next;
        next = take_next(&w, p + 2 * w.half, left, e.rest);
        words_out(&w, p, words_faded((words_4)words_open(&w, was), &f), was);
    }
    if (!e.rest) return n;
    was = _mm256_and_si256(next, rest_mask(&w, e.rest));
    words_out_rest(&w, p, words_faded((words_4)words_open(&w, was), &f), next, e.rest);
    return n;
}

AVX2_IN_LINE static uint64_t fade_cells(uint8_t *cells, uint64_t n, unsigned b,
                                        const struct pair_factor *f, bool is_short) {
    return b == 8 || b == 16 ? fade_whole(cells, n, b, f, is_short)
                             : fade_packed(cells, n, b, f, is_short);
}

/* Cells of 1, 2 or 4 bits: half a byte holds whole ones, and sixteen answers say it all. */
AVX2_LEVELS static uint64_t fade_half_bytes(uint8_t *cells, uint64_t n, unsigned b, uint32_t p,
                                            uint32_t q) {
    const __m256i low = _mm256_set1_epi8(15);
    uint64_t bytes = n * b / 8 / 32 * 32;
    const struct level_factor f = factor_of_any(p, q);
    uint8_t answer[16] = {0};
    for (unsigned i = 0; i < 16; i++)
        for (unsigned at = 0; at < 4; at += b)
            answer[i] |= (uint8_t)(((i >> at & low_bits(b)) * f.times >> f.shift) << at);
    const __m256i table =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)answer));
    for (uint64_t at = 0; at < bytes; at += 32) {
        __m256i v = load32(cells + at), up = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
        v = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
        up = _mm256_slli_epi16(_mm256_shuffle_epi8(table, up), 4);
        store32(cells + at, _mm256_or_si256(v, up));
    }
    return bytes * 8 / b;
}

AVX2_LEVELS static void avx2_fade(uint8_t *cells, uint64_t n, unsigned b, uint32_t p, uint32_t q) {
    struct level_factor m;
    uint64_t done = 0;
    if (b == 1 || b == 2 || b == 4) {
        done = fade_half_bytes(cells, n, b, p, q);
    } else if (factor_of_few(p, q, low_bits(b), &m)) {
        bool is_short = m.shift == 16;
        uint64_t high = is_short ? m.times : m.times >> 16;
        struct pair_factor f = {_mm256_set1_epi16((short)high), _mm256_set1_epi16((short)m.times)};
        done = is_short ? fade_cells(cells, n, b, &f, true) : fade_cells(cells, n, b, &f, false);
    }
    if (done < n) levels_fade(cells, done, n, b, p, q);
}

const struct level_kernel levels_avx2 = {avx2_fade, avx2_lower, avx2_merge};
#endif
