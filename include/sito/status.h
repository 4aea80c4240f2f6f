/*
 * sito/status.h - what every call shares: how it ended, and where memory comes from.
 *
 * A call that can fail returns a sito_rc: SITO_OK, or one of the negative numbers below, whose
 * values never change. Calls that answer a question (sito_add, sito_remove) return 1 or 0 for the
 * answer and the same negative numbers for a failure. Nothing here prints, exits or sets errno;
 * with SITO_EIO the failing system call's errno is left for the caller to read.
 */
#ifndef SITO_STATUS_H
#define SITO_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SITO_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

typedef int sito_rc;

enum {
    SITO_OK = 0,
    SITO_ENOMEM = -1,   /* no memory to be had */
    SITO_EINVAL = -2,   /* an argument is outside its documented range */
    SITO_EFULL = -3,    /* no room for this key, or for another copy of it */
    SITO_EUNABLE = -4,  /* this filter cannot do that: see sito_abilities() and sito_info.can */
    SITO_EIO = -5,      /* reading or writing failed: see errno */
    SITO_EDAMAGED = -6, /* not a whole, sound image */
    SITO_EVERSION = -7, /* a newer format, or a feature that this library does not know */
    SITO_ESHAPE = -8,   /* the two filters differ in kind, shape, hash or seed */
    SITO_EKEY = -9,     /* the key is missing, or is another one */
    SITO_ELIMIT = -10,  /* beyond what was allowed, or beyond what 64-bit hashes can promise */
    SITO_ECANCEL = -11  /* the caller's watch asked to stop */
};

/* One sentence for each of the above, never NULL. */
const char *sito_strerror(sito_rc rc);

/* The version of the library that is running, as SITO_VERSION is that of this header. */
const char *sito_version(void);

/*
 * Memory from elsewhere: Redis, PostgreSQL, an arena. NULL in its place means the C library's.
 * `take` returns NULL when there is none and never longjmps; `align` is a power of two, at most 64.
 * `give` gets the size back. Both are called on the thread that called sito, never on another.
 */
typedef struct sito_memory {
    void *(*take)(void *self, size_t bytes, size_t align, bool zeroed);
    void (*give)(void *self, void *block, size_t bytes);
    void *self;
} sito_memory;

#ifdef __cplusplus
}
#endif
#endif
