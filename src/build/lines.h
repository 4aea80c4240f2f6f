/* lines.h - hashes on their way, a whole cache line at a time and past the caches: they are read much
 * later, and a line that is all written need not be fetched first. */
#ifndef SITO_LINES_H
#define SITO_LINES_H

#include "core/base.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

enum { HASH_LINE = 8 }; /* hashes */

/* Both begin at a line. Other threads may read it after lines_settle(). */
static inline void line_out(uint64_t *to, const uint64_t *from) {
#ifdef __x86_64__
    for (int i = 0; i < HASH_LINE; i += 2)
        _mm_stream_si128((__m128i *)(void *)(to + i),
                         _mm_load_si128((const __m128i *)(const void *)(from + i)));
#else
    memcpy(to, from, HASH_LINE * sizeof *to);
#endif
}

static inline void lines_settle(void) {
#ifdef __x86_64__
    _mm_sfence();
#endif
}

#endif
