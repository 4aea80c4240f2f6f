/* hyphens.h - patterns written in a test, compiled; and numbers drawn. */
#ifndef SITO_TESTS_HYPHENS_H
#define SITO_TESTS_HYPHENS_H

#include "check.h"

#include <string.h>

#include "hyphen/hyphen.h"
#include "hyphen/patterns.h"

static inline hyphen *made_as(const char *text, bool sparse) {
    char why[WHY_ROOM];
    struct patterns p;
    if (!patterns_parse(&p, "patterns", text, strlen(text), why)) fail_msg("%s", why);
    p.sparse = sparse;
    hyphen *h = hyphen_compile(&p, why);
    if (!h) fail_msg("%s", why);
    patterns_free(&p);
    return h;
}

static inline hyphen *made(const char *text) { return made_as(text, false); }

static inline uint64_t draw(uint64_t *seed, uint64_t below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

#endif
