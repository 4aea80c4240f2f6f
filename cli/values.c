/* values.c - key<TAB>number, read to the letter. */
#define _GNU_SOURCE
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"

enum { VALUE_BITS_MAX = 32 };

static int bad_value(const struct batch *b, size_t i, const char *text, size_t n, const char *why) {
    char shown[VISIBLE_ROOM];
    complain("%s:%" PRIu64 ": `%s` %s; a line is a key, a tab and a number", b->name,
             b->first_line + i, visible(text, n, shown), why);
    return TROUBLE;
}

static int too_large(const struct batch *b, size_t i, const char *text, size_t n, unsigned bits) {
    char why[64];
    snprintf(why, sizeof why, "is more than %u bits hold", bits);
    return bad_value(b, i, text, n, why);
}

int read_value(const struct batch *b, size_t i, unsigned bits, size_t *length, uint32_t *value) {
    const char *line = b->keys[i], *tab = memrchr(line, '\t', b->lens[i]);
    if (!tab) return bad_value(b, i, line, b->lens[i], "has no value");
    *length = (size_t)(tab - line);
    const char *text = tab + 1;
    const size_t n = b->lens[i] - *length - 1;
    const unsigned most = bits ? bits : VALUE_BITS_MAX;
    uint64_t sum = 0;
    if (!n) return bad_value(b, i, text, n, "is no number");
    for (size_t d = 0; d < n; d++) {
        if (text[d] < '0' || text[d] > '9') return bad_value(b, i, text, n, "is no number");
        sum = sum * 10 + (uint64_t)(text[d] - '0');
        if (sum >> most) return too_large(b, i, text, n, most);
    }
    *value = (uint32_t)sum;
    return DONE;
}

/* ---- a key with two ---- */

struct place {
    uint64_t hash;
    size_t at;
};

static int by_hash(const void *a, const void *b) {
    const struct place *p = a, *q = b;
    if (p->hash != q->hash) return p->hash < q->hash ? -1 : 1;
    return p->at < q->at ? -1 : p->at > q->at;
}

bool values_clash(const uint64_t *hashes, const uint32_t *values, size_t n, size_t found[2]) {
    struct place *all = calloc(n ? n : 1, sizeof *all);
    found[1] = n;
    if (!all) return false;
    for (size_t i = 0; i < n; i++) all[i] = (struct place){hashes[i], i};
    qsort(all, n, sizeof *all, by_hash);
    for (size_t i = 1; i < n; i++) {
        const struct place *a = &all[i - 1], *b = &all[i];
        if (a->hash != b->hash || values[a->at] == values[b->at] || b->at >= found[1]) continue;
        found[0] = a->at, found[1] = b->at;
    }
    free(all);
    return found[1] < n;
}

unsigned bits_of_value(uint32_t most) {
    unsigned bits = 1;
    while ((uint64_t)most >> bits) bits++;
    return bits;
}
