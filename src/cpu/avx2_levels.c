/*
 * avx2_levels.c - tables of levels, 32 bytes at a time.
 *
 * Bytes (b = 8) and pairs of bytes (b = 16) lie as the machine wants them. Other cells are taken as
 * words of lanes, four words to a vector: two shuffles bring the packed bytes there and back. For
 * fading the lanes of a word are spread to whole bytes or pairs of them, multiplied, and gathered.
 */
#include "cpu/cpu.h"

#ifdef __x86_64__
#include <immintrin.h>

#include "cpu/level_walk.h"

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

/* A half, 16 bytes of a vector, takes two words of lanes from `half` packed bytes. A word may end in
 * the middle of a byte; its neighbour then begins there, `down` bits up. */
struct words {
    uint64_t half, count; /* packed bytes of a half; cells in a vector */
    __m256i in, out_first, out_second, old, down, all;
};

AVX2_IN_LINE static struct words words_of(unsigned b, unsigned lanes) {
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i none = _mm256_set1_epi8(-128);
    unsigned bits = lanes * b;
    int second = (int)bits / 8, first = (int)(bits + 7) / 8, half = (int)bits / 4;
    struct words w = {.half = bits / 4, .count = 4 * lanes};
    __m256i upper = _mm256_cmpgt_epi8(byte, _mm256_set1_epi8(7));
    w.in = _mm256_add_epi8(byte, _mm256_and_si256(upper, _mm256_set1_epi8((char)(second - 8))));
    __m256i past = _mm256_cmpgt_epi8(byte, _mm256_set1_epi8((char)(first - 1)));
    w.out_first = _mm256_or_si256(byte, _mm256_and_si256(past, none));
    __m256i before = _mm256_cmpgt_epi8(_mm256_set1_epi8((char)second), byte);
    w.out_second = _mm256_add_epi8(byte, _mm256_set1_epi8((char)(8 - second)));
    w.out_second = _mm256_or_si256(w.out_second, _mm256_and_si256(before, none));
    w.old = _mm256_cmpgt_epi8(byte, _mm256_set1_epi8((char)(half - 1)));
    w.down = _mm256_setr_epi64x(0, bits % 8, 0, bits % 8);
    w.all = _mm256_set1_epi64x((long long)low_bits(bits));
    return w;
}

/* 32 bytes are read, of which 2 * half count. */
AVX2_IN_LINE static __m256i take_halves(const struct words *w, const uint8_t *p) {
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(p + w->half));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

AVX2_IN_LINE static __m256i words_in(const struct words *w, __m256i halves) {
    __m256i v = _mm256_shuffle_epi8(halves, w->in);
    return _mm256_and_si256(_mm256_srlv_epi64(v, w->down), w->all);
}

/* What lies behind a half is written as it was; the upper half, written second, has it anew. */
AVX2_IN_LINE static void words_out(const struct words *w, uint8_t *p, __m256i v, __m256i was) {
    v = _mm256_sllv_epi64(v, w->down);
    v = _mm256_or_si256(_mm256_shuffle_epi8(v, w->out_first),
                        _mm256_shuffle_epi8(v, w->out_second));
    v = _mm256_blendv_epi8(v, was, w->old);
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(v));
    _mm_storeu_si128((__m128i *)(void *)(p + w->half), _mm256_extracti128_si256(v, 1));
}

/* How many vectors lie inside the table with all the bytes they read; eight past its end may be. */
AVX2_IN_LINE static uint64_t vectors_in(const struct words *w, uint64_t n, unsigned b) {
    uint64_t bytes = (n * b + 7) / 8 + SLOTS_SLACK, vectors = n >> __builtin_ctzll(w->count);
    while (vectors && (2 * vectors - 1) * w->half + 16 > bytes) vectors--;
    return vectors;
}

/* What is left behind the last vector goes through a small table of its own, where there is room to
 * read more than counts. */
struct tail {
    uint8_t cells[128];
    uint64_t vectors, bytes;
    uint8_t *at, keep; /* bits of the last byte that are not ours */
};

AVX2_IN_LINE static void tail_take(struct tail *t, const struct words *w, uint8_t *cells,
                                   uint64_t n, unsigned b, uint64_t vectors) {
    uint64_t bits = n * b;
    t->at = cells + vectors * 2 * w->half;
    t->bytes = (bits + 7) / 8 - vectors * 2 * w->half;
    t->vectors = 0;
    for (uint64_t done = 0; done < t->bytes; done += 2 * w->half) t->vectors++;
    t->keep = bits % 8 ? (uint8_t)(0xff << bits % 8) : 0;
    memset(t->cells, 0, sizeof t->cells);
    memcpy(t->cells, t->at, (size_t)t->bytes);
}

AVX2_IN_LINE static void tail_give(const struct tail *t) {
    uint8_t last = t->at[t->bytes - 1];
    memcpy(t->at, t->cells, (size_t)t->bytes);
    t->at[t->bytes - 1] = (uint8_t)((t->cells[t->bytes - 1] & ~t->keep) | (last & t->keep));
}

/* ---- lower, merge ---- */

/* The next halves are read before these are written: a load that meets half a store would wait. */
AVX2_LEVELS static void lower_words(uint8_t *p, uint64_t vectors, const struct words *form,
                                    const struct lanes *l) {
    const struct words copy = *form, *w = &copy; /* in registers: cells may be anywhere */
    const words_4 low = {l->low, l->low, l->low, l->low};
    const words_4 high = {l->high, l->high, l->high, l->high};
    const unsigned b = l->bits;
    __m256i next = vectors ? take_halves(w, p) : w->all;
    for (uint64_t i = 0; i < vectors; i++, p += 2 * w->half) {
        __m256i was = next;
        words_4 v = (words_4)words_in(w, was);
        if (i + 1 < vectors) next = take_halves(w, p + 2 * w->half);
        words_out(w, p, (__m256i)LANES_LOWERED(v, low, high, b), was);
    }
}

AVX2_LEVELS static void lower_packed(uint8_t *cells, uint64_t n, unsigned b) {
    const struct lanes l = lanes_of(b);
    const struct words w = words_of(b, l.count);
    uint64_t vectors = vectors_in(&w, n, b);
    struct tail t;
    lower_words(cells, vectors, &w, &l);
    if (vectors * w.count == n) return;
    tail_take(&t, &w, cells, n, b, vectors);
    lower_words(t.cells, t.vectors, &w, &l);
    tail_give(&t);
}

AVX2_LEVELS static void merge_words(uint8_t *p, const uint8_t *from, uint64_t vectors,
                                    const struct words *form, const struct lanes *l) {
    const struct words copy = *form, *w = &copy;
    const unsigned b = l->bits;
    const words_4 high = {l->high, l->high, l->high, l->high};
    __m256i next = vectors ? take_halves(w, p) : w->all;
    for (uint64_t i = 0; i < vectors; i++, p += 2 * w->half, from += 2 * w->half) {
        __m256i was = next;
        words_4 x = (words_4)words_in(w, was), y = (words_4)words_in(w, take_halves(w, from));
        if (i + 1 < vectors) next = take_halves(w, p + 2 * w->half);
        words_4 at_least = LANES_NOT_BELOW(x, y, high);
        words_out(w, p, (__m256i)LANES_CHOSEN(x, y, at_least, b), was);
    }
}

AVX2_LEVELS static void merge_packed(uint8_t *into, const uint8_t *from, uint64_t n, unsigned b) {
    const struct lanes l = lanes_of(b);
    const struct words w = words_of(b, l.count);
    uint64_t vectors = vectors_in(&w, n, b);
    struct tail t;
    merge_words(into, from, vectors, &w, &l);
    if (vectors * w.count == n) return;
    uint8_t theirs[sizeof t.cells] = {0};
    tail_take(&t, &w, into, n, b, vectors);
    memcpy(theirs, from + vectors * 2 * w.half, (size_t)t.bytes);
    merge_words(t.cells, theirs, t.vectors, &w, &l);
    tail_give(&t);
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

AVX2_LEVELS static void fade_words(uint8_t *p, uint64_t vectors, const struct words *form,
                                   unsigned b, const struct pair_factor *factor, bool is_short) {
    const struct words copy = *form, *w = &copy;
    const struct pair_factor own = *factor, *f = &own;
    const bool narrow = b < 8; /* lanes become bytes, else pairs of bytes */
    const unsigned lanes = narrow ? 8 : 4;
    const struct spread_step halves = step_of(lanes / 2 * b, 32),
                             quarters = step_of(lanes / 4 * b, 16), eighths = step_of(b, 8);
    __m256i next = vectors ? take_halves(w, p) : w->all;
    for (uint64_t i = 0; i < vectors; i++, p += 2 * w->half) {
        __m256i was = next;
        words_4 v = (words_4)words_in(w, was);
        if (i + 1 < vectors) next = take_halves(w, p + 2 * w->half);
        v = spread_by(spread_by(v, &halves), &quarters);
        if (narrow) {
            v = spread_by(v, &eighths);
            v = gather_by((words_4)bytes_faded((__m256i)v, f, is_short), &eighths);
        } else {
            v = (words_4)pairs_faded((__m256i)v, f, is_short);
        }
        v = gather_by(gather_by(v, &quarters), &halves);
        words_out(w, p, (__m256i)v, was);
    }
}

AVX2_LEVELS static uint64_t fade_packed(uint8_t *cells, uint64_t n, unsigned b,
                                        const struct pair_factor *f, bool is_short) {
    const struct words w = words_of(b, b < 8 ? 8 : 4);
    uint64_t vectors = vectors_in(&w, n, b);
    struct tail t;
    fade_words(cells, vectors, &w, b, f, is_short);
    if (vectors * w.count == n) return n;
    tail_take(&t, &w, cells, n, b, vectors);
    fade_words(t.cells, t.vectors, &w, b, f, is_short);
    tail_give(&t);
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
    } else if (factor_fits(p, q, 16, low_bits(b), &m)) {
        struct pair_factor f = {_mm256_set1_epi16((short)m.times), _mm256_setzero_si256()};
        done = fade_cells(cells, n, b, &f, true);
    } else if (factor_fits(p, q, 32, low_bits(b), &m)) {
        struct pair_factor f = {_mm256_set1_epi16((short)(m.times >> 16)),
                                _mm256_set1_epi16((short)m.times)};
        done = fade_cells(cells, n, b, &f, false);
    }
    if (done < n) levels_fade(cells, done, n, b, p, q);
}

const struct level_kernel levels_avx2 = {avx2_fade, avx2_lower, avx2_merge};
#endif
