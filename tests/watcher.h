/* watcher.h - a watch of long work that may ask for its end, and sees to it that it is called in
 * order, on the thread that began. Begin with `struct watcher w = {.owner = pthread_self()};`. */
#ifndef TESTS_WATCHER_H
#define TESTS_WATCHER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct watcher {
    unsigned calls, stop_at; /* the call that says stop; 0: none */
    bool backwards;          /* less was done than before, on another thread, or after the stop */
    uint64_t last;
    pthread_t owner;
};

static inline int watch(void *self, uint64_t done, uint64_t total) {
    struct watcher *w = self;
    const bool is_over = w->stop_at && w->calls >= w->stop_at;
    if (is_over || done < w->last || done > total || !pthread_equal(w->owner, pthread_self()))
        w->backwards = true;
    w->last = done;
    return ++w->calls == w->stop_at;
}

#endif
