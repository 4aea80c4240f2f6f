/* memory.h - where blocks come from: the caller's hooks, or the C library with huge pages for large
 * tables. */
#ifndef SITO_MEMORY_H
#define SITO_MEMORY_H

#include "core/base.h"
#include "sito/status.h"

sito_memory memory_or_default(const sito_memory *mem);

/* May memory be had from any thread? Whoever brings his own may have thought of one. */
bool takes_anywhere(const sito_memory *mem);

/* Of a large block from the default memory all but the first bytes may go back. Returns what the
 * block counts as from now on, for give() to be told: never less than `left`. */
bool can_give_rest(const sito_memory *mem, uint64_t bytes);
uint64_t give_rest(void *block, uint64_t bytes, uint64_t left);

static inline void *take(const sito_memory *mem, uint64_t bytes, bool zeroed) {
    if (bytes > SIZE_MAX / 2) return NULL;
    return mem->take(mem->self, (size_t)bytes, 64, zeroed);
}

static inline void give(const sito_memory *mem, void *block, uint64_t bytes) {
    if (block) mem->give(mem->self, block, (size_t)bytes);
}

#endif
