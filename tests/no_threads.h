/* no_threads.h - a while in which no thread can be started. Begin with `struct no_threads was;` and
 * no_threads_begin(&was), end with no_threads_end(&was). */
#ifndef TESTS_NO_THREADS_H
#define TESTS_NO_THREADS_H

#ifdef __GLIBC__
#include "check.h"
#include <pthread.h>

struct no_threads {
    pthread_attr_t usual;
};

static inline void *nothing(void *self) { return self; }

/* None has room for a stack that is larger than all addresses. */
static inline void no_threads_begin(struct no_threads *was) {
    pthread_attr_t vast;
    pthread_t thread;
    assert_int_equal(pthread_getattr_default_np(&was->usual), 0);
    assert_int_equal(pthread_getattr_default_np(&vast), 0);
    assert_int_equal(pthread_attr_setstacksize(&vast, (size_t)1 << 60), 0);
    assert_int_equal(pthread_setattr_default_np(&vast), 0);
    assert_int_not_equal(pthread_create(&thread, NULL, nothing, NULL), 0);
    pthread_attr_destroy(&vast);
}

static inline void no_threads_end(struct no_threads *was) {
    assert_int_equal(pthread_setattr_default_np(&was->usual), 0);
    pthread_attr_destroy(&was->usual);
}
#endif

#endif
