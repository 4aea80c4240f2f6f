/* ribbon_last.h - the last layer, and what the others share with it. */
#ifndef SITO_RIBBON_LAST_H
#define SITO_RIBBON_LAST_H

#include "build/hands.h"
#include "kinds/ribbon.h"

/* Memory taken for a while, given back together. */
struct lent {
    const sito_memory *mem;
    void *block[8 + 4 * HANDS_MAX];
    uint64_t bytes[8 + 4 * HANDS_MAX];
    unsigned n;
    bool is_short;
};

void *lend(struct lent *l, uint64_t bytes);
void give_last(struct lent *l);
void give_all(struct lent *l);

/* In rising order and without repeats; for the few lists that no counting sort suits. */
size_t sort_distinct(uint64_t *list, size_t n);

/* The keys that are left, distinct. */
struct ribbon_rest {
    uint64_t *keys;
    size_t n, room; /* more than `room`: not all are here */
};

/* SITO_EFULL: not with any try. */
sito_rc build_last(sito_filter *f, const struct ribbon_layer *last, const struct ribbon_rest *rest);

#endif
