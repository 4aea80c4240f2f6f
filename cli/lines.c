/* lines.c - finding separators. Keys are short, so calling memchr() for each would cost more than
 * hashing it. */
#include "lines.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>

/* Bit i: p[i] is a separator. */
static uint64_t separators(const char *p, char separator) {
    const __m128i wanted = _mm_set1_epi8(separator);
    uint64_t found = 0;
    for (int i = 0; i < 4; i++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)) << (16 * i);
    }
    return found;
}
#endif

size_t cut_keys(const char *bytes, size_t n, char separator, const void **keys, size_t *lens) {
    const char *from = bytes, *at = bytes, *end = bytes + n;
    size_t nkeys = 0;
#ifdef __SSE2__
    for (; end - at >= 64; at += 64)
        for (uint64_t found = separators(at, separator); found; found &= found - 1) {
            const char *stop = at + __builtin_ctzll(found);
            keys[nkeys] = from;
            lens[nkeys++] = (size_t)(stop - from);
            from = stop + 1;
        }
#endif
    while (from < end) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        if (!stop) stop = end;
        keys[nkeys] = from;
        lens[nkeys++] = (size_t)(stop - from);
        at = from = stop + 1;
    }
    return nkeys;
}

/* Summed in bytes first, in a shape that compilers turn into vector code. */
uint64_t count_separators(const char *bytes, size_t n, char separator) {
    enum { WIDTH = 32, ROUNDS = 255 };
    uint64_t total = 0;
    while (n >= WIDTH) {
        unsigned char sums[WIDTH] = {0};
        size_t rounds = n / WIDTH;
        if (rounds > ROUNDS) rounds = ROUNDS;
        for (size_t r = 0; r < rounds; r++, bytes += WIDTH)
            for (size_t i = 0; i < WIDTH; i++)
                sums[i] = (unsigned char)(sums[i] + (bytes[i] == separator));
        for (size_t i = 0; i < WIDTH; i++) total += sums[i];
        n -= rounds * WIDTH;
    }
    while (n--) total += *bytes++ == separator;
    return total;
}
