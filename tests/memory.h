/*
 * memory.h - a sito_memory that keeps books: what was taken, what came back, and by which thread. On
 * request it has none left, from the n-th call on or at the n-th call only.
 *
 * Blocks are filled with rubbish unless they are asked for zeroed, so that nobody relies on luck.
 */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sito/status.h>

typedef struct books {
    size_t calls;      /* of take */
    size_t live;       /* blocks out now */
    size_t live_bytes; /* and their sizes */
    size_t most_bytes; /* the most that were out at a time */
    size_t fail_at;    /* this call fails; 0: none does */
    bool for_ever;     /* and every later one */
    bool broken;       /* a size, an alignment or a thread was wrong */
    pthread_t owner;
} books;

static inline void *book_take(void *self, size_t bytes, size_t align, bool zeroed) {
    books *b = self;
    b->calls++;
    if (bytes == 0 || align == 0 || (align & (align - 1)) != 0 || align > 64 ||
        !pthread_equal(b->owner, pthread_self()))
        b->broken = true;
    if (b->fail_at != 0 && (b->calls == b->fail_at || (b->for_ever && b->calls > b->fail_at)))
        return NULL;
    /* The size stands in front of the block, a cache line ahead so that any alignment holds. */
    if (bytes > SIZE_MAX - 192) return NULL;
    unsigned char *raw = aligned_alloc(64, (bytes + 64 + 63) / 64 * 64);
    if (!raw) return NULL;
    memcpy(raw, &bytes, sizeof bytes);
    memset(raw + 64, zeroed ? 0 : 0xa5, bytes);
    b->live++;
    b->live_bytes += bytes;
    if (b->live_bytes > b->most_bytes) b->most_bytes = b->live_bytes;
    return raw + 64;
}

static inline void book_give(void *self, void *block, size_t bytes) {
    books *b = self;
    size_t taken;
    if (!block) return;
    if (!pthread_equal(b->owner, pthread_self())) b->broken = true;
    memcpy(&taken, (unsigned char *)block - 64, sizeof taken);
    if (taken != bytes) b->broken = true;
    b->live--;
    b->live_bytes -= taken;
    memset(block, 0x5a, taken);
    free((unsigned char *)block - 64);
}

static inline sito_memory memory_with(books *b) {
    *b = (books){.owner = pthread_self()};
    return (sito_memory){.take = book_take, .give = book_give, .self = b};
}

#endif
