/* check.h - cmocka in the order it wants, and keys.h. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "keys.h"

/* A test's promise about one kind, or one case: says which when it is broken. */
#define PROMISE(holds, ...)                                                                        \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            print_error("broken promise: " __VA_ARGS__);                                           \
            print_error("\n");                                                                     \
            fail_msg("%s", #holds);                                                                \
        }                                                                                          \
    } while (0)

/* What sito_look() says of the number of keys. */
static inline uint64_t nkeys_of(const sito_filter *f) {
    sito_info info;
    assert_int_equal(sito_look(f, &info), SITO_OK);
    return info.nkeys;
}

/* A fact that the filter has. */
static inline double fact(const sito_filter *f, const char *name) {
    double v = -1;
    assert_int_equal(sito_fact(f, name, &v), SITO_OK);
    return v;
}

/* Every call ends: else this program does, after so many seconds of work. Waiting for others does not count. */
static inline void end_within(rlim_t seconds) {
    const struct rlimit limit = {seconds, seconds};
    assert_int_equal(setrlimit(RLIMIT_CPU, &limit), 0);
}

static inline sito_filter *opened(const image *im, const sito_how *how) {
    sito_filter *f = NULL;
    const char *why = NULL;
    sito_rc rc = sito_from_image(im->bytes, im->len, how, &f, &why);
    if (rc != SITO_OK) fail_msg("a sound image was refused: %d, %s", rc, why ? why : "no reason");
    return f;
}

#endif
