/* hasher.c - a filter of one key that only hashes. The hash depends on seed and key alone, but for
 * bitmap's, which is its top bits; and while a filter is written, nobody else may touch it, not
 * even to hash. */
#include "hasher.h"

#include <string.h>

#include "store.h"
#include "talk.h"

unsigned hasher_bits(const sito_plan *plan) {
    unsigned bits = 0;
    if (!plan->kind || strcmp(plan->kind, SITO_BITMAP) || !plan->ncells) return 64;
    while (bits < 63 && (uint64_t)1 << bits < plan->ncells) bits++;
    return bits;
}

int hasher_new(const sito_plan *plan, struct hasher *h) {
    const sito_plan tiny = {.nkeys = 1, .kind = SITO_BLOOM, .seed = plan->seed, .key = plan->key};
    const sito_rc rc = sito_new(&tiny, NULL, &h->tiny);
    h->bits = hasher_bits(plan);
    return rc == SITO_OK ? DONE : refused(NULL, rc, NULL);
}

void hasher_work(void *self, struct batch *b) {
    const struct hasher *h = self;
    sito_hash_many(h->tiny, b->keys, b->lens, b->n, b->hashes);
    if (h->bits < 64) /* a bitmap */
        for (size_t i = 0; i < b->n; i++) b->hashes[i] = top_bits(b->hashes[i], h->bits);
}

void hasher_free(struct hasher *h) {
    sito_free(h->tiny);
    h->tiny = NULL;
}
