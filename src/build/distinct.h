/* distinct.h - the distinct hashes of a list, in rising order: what every build of a set begins
 * with. */
#ifndef SITO_DISTINCT_H
#define SITO_DISTINCT_H

#include "core/filter.h"

struct distinct {
    uint64_t *hashes;
    size_t n;
    uint64_t room; /* bytes behind `hashes` */
};

/* Copies, sorts and dedupes, on plan->threads threads; 16 bytes a hash while it works, from `mem`. The
 * plan's watch is called now and then. */
sito_rc distinct_of(const uint64_t *hashes, size_t n, const sito_plan *plan, const sito_memory *mem,
                    struct distinct *out);
/* The same in rising order of their low halves: any run of them is spread over the whole table. */
sito_rc distinct_scattered(const uint64_t *hashes, size_t n, const sito_plan *plan,
                           const sito_memory *mem, struct distinct *out);
/* The same in the order in which they came, each where it came first; 24 bytes a hash meanwhile. */
sito_rc distinct_in_order(const uint64_t *hashes, size_t n, const sito_plan *plan,
                          const sito_memory *mem, struct distinct *out);
void distinct_free(struct distinct *d, const sito_memory *mem);

/* A kind's build by adding its distinct hashes: in rising order, so a table is filled from one end
 * to the other. */
sito_rc build_distinct(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n);

#endif
