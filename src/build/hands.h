/* hands.h - a share of the work for each thread. */
#ifndef SITO_HANDS_H
#define SITO_HANDS_H

#include "core/base.h"

#include <pthread.h>

enum { HANDS_MAX = 64 };

/* A share for each of `n` hands, at most HANDS_MAX, that lie `stride` bytes apart: on all threads;
 * on this one where no other can be had. The first hand's is always on this one. */
static inline void share_among(void *hands, size_t stride, unsigned n, void *(*share)(void *self)) {
    pthread_t thread[HANDS_MAX];
    bool runs[HANDS_MAX] = {false};
    uint8_t *hand = (uint8_t *)hands;
    for (unsigned t = 1; t < n; t++)
        runs[t] = pthread_create(&thread[t], NULL, share, hand + t * stride) == 0;
    share(hand);
    for (unsigned t = 1; t < n; t++) {
        if (runs[t]) pthread_join(thread[t], NULL);
        else share(hand + t * stride);
    }
}

#endif
