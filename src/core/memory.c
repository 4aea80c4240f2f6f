/* memory.c - the default memory. Large blocks are mapped, zeroed by the kernel page by page as they
 * are first touched, and offered huge pages: random reads of a large table are mostly waits for
 * address translation. */
#include "core/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Blocks end at a multiple of the largest page that Linux is built with. */
enum { LARGE = 1 << 20, HUGE_PAGE = 2 << 20, PAGE_AT_MOST = 1 << 16 };

/* Where its last huge page is a small part of a table, the table gets all of it. */
static size_t whole_of(size_t bytes) {
    return (size_t)rounded_up(bytes, bytes >= 4 * HUGE_PAGE ? HUGE_PAGE : PAGE_AT_MOST);
}

/* Aligned to a huge page, so that the kernel can use one from the first byte on. */
static void *take_large(size_t bytes) {
    size_t whole = whole_of(bytes), span = whole + HUGE_PAGE;
    uint8_t *raw = mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return NULL;
    size_t skip = (size_t)(-(uintptr_t)raw % HUGE_PAGE);
    if (skip) munmap(raw, skip);
    munmap(raw + skip + whole, HUGE_PAGE - skip);
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGE) madvise(raw + skip, whole, MADV_HUGEPAGE);
#endif
    return raw + skip;
}

static void *default_take(void *self, size_t bytes, size_t align, bool zeroed) {
    (void)self;
    if (bytes >= LARGE) return take_large(bytes);
    void *block;
    if (posix_memalign(&block, align, bytes ? bytes : 1) != 0) return NULL;
    if (zeroed) memset(block, 0, bytes);
    return block;
}

static void default_give(void *self, void *block, size_t bytes) {
    (void)self;
    if (bytes >= LARGE) munmap(block, whole_of(bytes));
    else free(block);
}

sito_memory memory_or_default(const sito_memory *mem) {
    return mem ? *mem : (sito_memory){.take = default_take, .give = default_give, .self = NULL};
}

bool takes_anywhere(const sito_memory *mem) { return mem->take == default_take; }

bool can_give_rest(const sito_memory *mem, uint64_t bytes) {
    return takes_anywhere(mem) && bytes >= LARGE;
}

uint64_t give_rest(void *block, uint64_t bytes, uint64_t left) {
    uint8_t *at = (uint8_t *)block;
    uint64_t counts_as = left < LARGE ? LARGE : left; /* it stays mapped */
    size_t whole = whole_of((size_t)bytes), kept = whole_of((size_t)counts_as);
    size_t used = (size_t)least(kept, rounded_up(left, PAGE_AT_MOST));
    /* To give back a few pages takes longer than to fold; as many as are in use may stay. */
    if (whole - used < LARGE && whole - used <= used) return bytes;
    if (kept < whole && munmap(at + kept, whole - kept) != 0) return bytes;
    if (used < kept) madvise(at + used, kept - used, MADV_DONTNEED);
    return counts_as;
}
