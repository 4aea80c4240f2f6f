/* table.c - the catalogue: one row a kind. */
#include "core/filter.h"

static const struct kind *const catalogue[] = {
    &kind_exact,  &kind_exact_cuckoo, &kind_bitmap,   &kind_compact, &kind_bloom,
    &kind_parted, &kind_block,        &kind_counting, &kind_cuckoo,  &kind_scalable,
    &kind_aged,   &kind_linear,       &kind_fuse,     &kind_ribbon};

enum { KINDS = sizeof catalogue / sizeof *catalogue };

/* Who is asked first when no kind is named: the smallest that can what is needed. */
static const struct kind *const preference[] = {&kind_bloom,    &kind_cuckoo,   &kind_compact,
                                                &kind_counting, &kind_scalable, &kind_exact,
                                                &kind_bitmap};

const struct kind *kind_named(const char *name) {
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(catalogue[i]->name, name) == 0) return catalogue[i];
    return NULL;
}

const struct kind *kind_numbered(uint16_t id) {
    for (size_t i = 0; i < KINDS; i++)
        if (catalogue[i]->id == id) return catalogue[i];
    return NULL;
}

const struct kind *kind_preferred(size_t i) {
    return i < sizeof preference / sizeof *preference ? preference[i] : NULL;
}

unsigned sito_abilities(const char *kind) {
    const struct kind *row = kind ? kind_named(kind) : NULL;
    return row ? row->can : 0;
}

const char *sito_kind_at(size_t i) { return i < KINDS ? catalogue[i]->name : NULL; }

const char *sito_kind_what(const char *kind) {
    const struct kind *row = kind ? kind_named(kind) : NULL;
    return row ? row->what : NULL;
}
