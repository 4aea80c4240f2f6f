/* lines.h - what is on its way goes by whole cache lines and past the caches: it is read much
 * later, and a line that is all written need not be fetched first. */
#ifndef SITO_LINES_H
#define SITO_LINES_H

#include "core/base.h"

/* Sanitizers do not see such stores, and would miss one that goes astray. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PAST_CACHES 1
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef PAST_CACHES
#endif
#endif
#endif

#ifdef PAST_CACHES
#include <emmintrin.h>
#endif

enum { LINE_BYTES = 64, HASH_LINE = 8 /* hashes */ };

/* Both begin at a line. Other threads may read it after lines_settle(). */
static inline void line_out(void *to, const void *from) {
#ifdef PAST_CACHES
    __m128i *into = (__m128i *)to;
    const __m128i *of = (const __m128i *)from;
#pragma GCC unroll 4
    for (int i = 0; i < LINE_BYTES / 16; i++) _mm_stream_si128(into + i, _mm_load_si128(of + i));
#else
    memcpy(to, from, LINE_BYTES);
#endif
}

static inline void lines_settle(void) {
#ifdef PAST_CACHES
    _mm_sfence();
#endif
}

#endif
