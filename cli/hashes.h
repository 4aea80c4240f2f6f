/* hashes.h - a growing pile of hashes, and how many of them are distinct. */
#ifndef CLI_HASHES_H
#define CLI_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hashes {
    uint64_t *all;
    size_t n, room;
};

bool hashes_push(struct hashes *h, const uint64_t *more, size_t n); /* false: no memory */
void hashes_sort_distinct(struct hashes *h);                        /* each once, in place */
bool hashes_distinct(struct hashes *h); /* and in the order they came; false: no memory */
void hashes_free(struct hashes *h);

#endif
