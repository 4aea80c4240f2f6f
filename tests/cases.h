/*
 * cases.h - images that never change: fixed keys, fixed seeds, every kind, several sizes, keyed and not,
 * with a note and without. Their bytes are the format; the tests pin their hashes.
 */
#ifndef TESTS_CASES_H
#define TESTS_CASES_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "keys.h"

static const sito_key case_key = {.id = 0x1122334455667788u,
                                  .bytes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

static const struct image_case {
    const char *name;
    size_t planned, keys;
    bool keyed, note;
} image_cases[] = {
    {"empty", 10, 0, false, false},
    {"one", 1, 1, false, false},
    {"few", 20, 20, false, false},
    {"few-note", 20, 20, false, true},
    {"few-keyed", 20, 20, true, false},
    {"many", 3000, 3000, false, false},
    {"many-keyed-note", 3000, 3000, true, true},
    {"pieces", 200000, 200000, false, false},
};

enum { IMAGE_CASES = sizeof image_cases / sizeof *image_cases };

static inline image image_of_case(const char *kind, const struct image_case *c) {
    sito_plan plan = plan_for(kind, c->planned, c->keyed ? 0 : 42);
    if (c->keyed) plan.key = &case_key;
    sito_filter *f = filled(&plan, 0, c->keys);
    /* Kinds that can remove have been through it, so that what it leaves behind is pinned as well. */
    if (is_multiset(kind))
        for (uint64_t i = 0; i < c->keys / 10; i++)
            if (add_no(f, 1000000 + i) < 0 || remove_no(f, 1000000 + i) < 0)
                give_up("a planned key was refused");
    if (c->note && sito_set_note(f, "vectors ", "Sine ira et studio", 18) != SITO_OK)
        give_up("no note");
    image im = image_of(f);
    sito_free(f);
    return im;
}

static inline uint64_t digest_of(const image *im) { return XXH3_64bits(im->bytes, im->len); }

#endif
