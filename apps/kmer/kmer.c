/* kmer.c - letters, numbers, polynomials. */
#define _GNU_SOURCE
#include "kmer.h"

#include <endian.h>
#include <string.h>

/* ---- letters ---- */

enum { NONE = 4, BREAK = 4, BAD = 5 };

#define BAD_16 BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD
#define X BAD
#define B BREAK
/* A 0, C 1, G 2, T 3, so that a letter and its complement add up to 3. U, and the letters that
 * stand for one of several bases, break. */
#define LETTERS                                                                                    \
    X, 0, B, 1, B, X, X, 2, B, X, X, B, X, B, B, X, X, X, B, B, 3, B, B, B, X, B, X, X, X, X, X, X
#define NO_LETTERS BAD_16, BAD_16

static const uint8_t strict_codes[256] = {NO_LETTERS, NO_LETTERS, LETTERS,    NO_LETTERS,
                                          NO_LETTERS, NO_LETTERS, NO_LETTERS, NO_LETTERS};
static const uint8_t lenient_codes[256] = {NO_LETTERS, NO_LETTERS, LETTERS,    LETTERS,
                                           NO_LETTERS, NO_LETTERS, NO_LETTERS, NO_LETTERS};
#undef X
#undef B

static const uint8_t *codes_of(const struct kmer_way *w) {
    return w->lenient ? lenient_codes : strict_codes;
}

static unsigned code_at(const uint8_t *codes, const char *p) { return codes[(uint8_t)*p]; }

/* ---- numbers ---- */

/* One to one, so different numbers stay different. */
static inline uint64_t stir(uint64_t x, uint64_t seed) {
    x ^= seed;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 29) * 0x9fb21c651e98df25u;
    return x ^ x >> 32;
}

static inline uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- the field of 2^61 - 1 ---- */

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

__extension__ typedef unsigned __int128 wide;

/* a < 2^62, b < 2^61: the sum of the halves is below 2^62, which is near enough while we go on. */
static inline uint64_t times(uint64_t a, uint64_t b) {
    const wide product = (wide)a * b;
    return ((uint64_t)product & prime) + (uint64_t)(product >> 61);
}

static inline uint64_t reduced(uint64_t a) {
    a = (a & prime) + (a >> 61);
    return a >= prime ? a - prime : a;
}

static uint64_t power(uint64_t a, uint64_t n) {
    uint64_t result = 1;
    for (; n; n >>= 1, a = reduced(times(a, a)))
        if (n & 1) result = reduced(times(result, a));
    return result;
}

static uint64_t negative(uint64_t a) { return reduced(prime - a); }

/* Forward, a step takes F to F * point + in - out * point^k. The reverse complement is read from
 * its other end: R to (R - out') / point + in' * point^(k - 1). Out is NONE until there are k. */
static void set_polynomial(struct kmer_way *w) {
    uint64_t value[4];
    for (uint64_t c = 0; c < 4; c++) value[c] = reduced(stir(c + 1, ~w->seed));
    w->point = reduced(stir(5, ~w->seed));
    if (w->point < 2) w->point = 2;
    w->inverse = power(w->point, prime - 2);
    const uint64_t last = power(w->point, w->k - 1);
    const uint64_t beyond = reduced(times(last, w->point));
    for (unsigned out = 0; out <= NONE; out++)
        for (unsigned in = 0; in < 4; in++) {
            uint64_t f = value[in], r = reduced(times(value[3 - in], last));
            if (out != NONE) {
                f = reduced(f + negative(reduced(times(value[out], beyond))));
                r = reduced(r + negative(reduced(times(value[3 - out], w->inverse))));
            }
            w->forward[4 * out + in] = f;
            w->reverse[4 * out + in] = r;
        }
}

void kmer_way_set(struct kmer_way *w, unsigned k, bool canonical, uint64_t seed) {
    *w = (struct kmer_way){.k = k, .canonical = canonical, .seed = seed};
    if (k > KMER_NUMBERS) set_polynomial(w);
}

/* ---- the walk ---- */

/* A letter that is no base: true if the walk goes on behind it. */
static bool pass(struct kmer_walk *walk, unsigned code) {
    walk->run = 0;
    walk->bad = code == BAD;
    walk->breaks += code == BREAK;
    return !walk->bad;
}

/* The other strand's number: complements, in turned order. */
static inline uint64_t turned(uint64_t x, uint64_t k) {
    const uint64_t pairs = 0x3333333333333333, nibbles = 0x0f0f0f0f0f0f0f0f;
    x = ~x;
    x = (x >> 2 & pairs) | (x & pairs) << 2;
    x = (x >> 4 & nibbles) | (x & nibbles) << 4;
    return __builtin_bswap64(x) >> (64 - 2 * k);
}

static const uint64_t each_byte = 0x0101010101010101;

/* Eight letters at once, if all of them are A, C, G or T: two bits each behind *number. Bits 1 and 2
 * of the letters are 0, 1, 3, 2, which tell them apart; the letters that belong to these bits must be
 * the ones that stand there. */
static inline bool eight_letters(const char *p, bool lenient, uint64_t *number) {
    uint64_t eight;
    memcpy(&eight, p, 8);
    eight = be64toh(eight); /* the first letter on top */
    if (lenient) eight &= 0xdf * each_byte;
    const uint64_t bits = eight >> 1 & 3 * each_byte, is_t = bits >> 1 & ~bits & each_byte;
    if (eight != 'A' * each_byte + 2 * bits + ('T' - 'E') * is_t) return false;
    uint64_t x = bits ^ (bits >> 1 & each_byte);
    x = (x | x >> 6) & 0x000f000f000f000f;
    x = (x | x >> 12) & 0x000000ff000000ff;
    *number = *number << 16 | ((x | x >> 24) & 0xffff);
    return true;
}

/* The fewer than eight before `stop`, with the letters before them that are known already. */
static inline bool last_letters(const char *p, const char *stop, const char *seq, bool lenient,
                                uint64_t *number) {
    const unsigned bits = 2 * (unsigned)(stop - p);
    uint64_t eight = 0;
    if (stop - seq < 8 || !eight_letters(stop - 8, lenient, &eight)) return false;
    *number = *number << bits | (eight & (((uint64_t)1 << bits) - 1));
    return true;
}

/* Go on until there are k letters in a row: walk->run is k then, and walk->forward their number. */
__attribute__((noinline)) static bool first_number(const struct kmer_way *w,
                                                   struct kmer_walk *walk) {
    const uint8_t *codes = codes_of(w);
    const char *p = walk->seq + walk->at, *end = walk->seq + walk->n;
    for (;;) {
        const bool enough = (size_t)(end - p) >= w->k;
        const char *stop = enough ? p + w->k : end;
        unsigned code = BREAK;
        uint64_t number = 0;
        while (stop - p >= 8 && eight_letters(p, w->lenient, &number)) p += 8;
        if (p < stop && stop - p < 8 && last_letters(p, stop, walk->seq, w->lenient, &number))
            p = stop;
        while (p < stop && (code = code_at(codes, p)) < BREAK) number = number << 2 | code, p++;
        if (p == stop || !pass(walk, code)) {
            walk->run = p == stop && enough ? w->k : 0;
            walk->forward = number;
            walk->at = (size_t)(p - walk->seq);
            return walk->run;
        }
        p++;
    }
}

/* walk->run is k when there is a k-mer to go on from, else 0: at a break nothing is kept. */
__attribute__((always_inline)) static inline size_t walk_numbers(const struct kmer_way *w,
                                                                 struct kmer_walk *walk,
                                                                 uint64_t *hashes, size_t room,
                                                                 bool canonical, bool numbers) {
    const uint8_t *codes = codes_of(w);
    const uint64_t k = w->k, seed = w->seed, mask = ~(uint64_t)0 >> (64 - 2 * k);
    const unsigned top = 2 * (w->k - 1);
    size_t n = 0;
    while (n < room) {
        if (walk->run == 0) {
            if (!first_number(w, walk)) break;
            walk->reverse = turned(walk->forward, k);
            const uint64_t number = canonical ? least(walk->forward, walk->reverse) : walk->forward;
            hashes[n++] = numbers ? number : stir(number, seed);
        }
        uint64_t f = walk->forward, r = walk->reverse, code = 0;
        const char *p = walk->seq + walk->at, *end = walk->seq + walk->n;
        if ((size_t)(end - p) > room - n) end = p + (room - n);
        for (; p < end; p++) { /* each further letter ends a k-mer */
            code = code_at(codes, p);
            if (code >= BREAK) break;
            f = (f << 2 | code) & mask;
            r = r >> 2 | (3 - code) << top;
            const uint64_t number = canonical ? least(f, r) : f;
            hashes[n++] = numbers ? number : stir(number, seed);
        }
        walk->forward = f;
        walk->reverse = r;
        walk->at = (size_t)(p - walk->seq);
        if (code < BREAK) break;
        walk->run = 0;
    }
    return n;
}

static size_t walk_polynomials(const struct kmer_way *w, struct kmer_walk *walk, uint64_t *hashes,
                               size_t room) {
    const uint8_t *codes = codes_of(w);
    uint64_t f = walk->forward, r = walk->reverse;
    size_t at = walk->at, run = walk->run, n = 0;
    while (at < walk->n && n < room) {
        const unsigned in = code_at(codes, walk->seq + at);
        if (in >= BREAK) {
            if (!pass(walk, in)) break;
            run = 0;
            at++;
            continue;
        }
        if (run == 0) f = r = 0;
        const unsigned out = run < w->k ? NONE : code_at(codes, walk->seq + at - w->k);
        /* A product is below 2^62, a step below 2^61: folded once, the next product may follow. */
        f = times(f, w->point) + w->forward[4 * out + in];
        f = (f & prime) + (f >> 61);
        r = times(r, w->inverse) + w->reverse[4 * out + in];
        r = (r & prime) + (r >> 61);
        at++;
        if (++run < w->k) continue;
        const uint64_t number = w->canonical ? least(reduced(f), reduced(r)) : reduced(f);
        hashes[n++] = stir(number, w->seed);
    }
    walk->forward = f;
    walk->reverse = r;
    walk->run = run;
    walk->at = at;
    return n;
}

size_t kmer_hashes(const struct kmer_way *w, struct kmer_walk *walk, uint64_t *hashes,
                   size_t room) {
    if (walk->bad) return 0;
    if (w->k > KMER_NUMBERS) return walk_polynomials(w, walk, hashes, room);
    if (w->numbers) return walk_numbers(w, walk, hashes, room, w->canonical, true);
    if (w->canonical) return walk_numbers(w, walk, hashes, room, true, false);
    return walk_numbers(w, walk, hashes, room, false, false);
}

const char *kmer_place(const struct kmer_way *w, struct kmer_walk *walk) {
    const uint8_t *codes = codes_of(w);
    if (walk->bad) return NULL;
    while (walk->at < walk->n) {
        const unsigned code = code_at(codes, walk->seq + walk->at);
        if (code >= BREAK) {
            if (!pass(walk, code)) return NULL;
            walk->at++;
            continue;
        }
        walk->at++;
        if (++walk->run >= w->k) return walk->seq + walk->at - w->k;
    }
    return NULL;
}

/* ---- keys ---- */

/* Is the k-mer, read from its end in complements, the smaller one? */
static bool reverse_is_less(const uint8_t *codes, const char *place, size_t k) {
    for (size_t i = 0; i < k; i++) {
        const unsigned here = code_at(codes, place + i),
                       there = 3 - code_at(codes, place + k - 1 - i);
        if (here != there) return there < here;
    }
    return false;
}

size_t kmer_key(const struct kmer_way *w, const char *place, uint8_t key[KMER_KEY_BYTES]) {
    const uint8_t *codes = codes_of(w);
    const size_t k = w->k, bytes = (k + 3) / 4;
    const bool turned = w->canonical && reverse_is_less(codes, place, k);
    memset(key, 0, bytes);
    for (size_t i = 0; i < k; i++) {
        const unsigned code =
            turned ? 3 - code_at(codes, place + k - 1 - i) : code_at(codes, place + i);
        key[i / 4] = (uint8_t)(key[i / 4] | code << 2 * (i % 4));
    }
    return bytes;
}
