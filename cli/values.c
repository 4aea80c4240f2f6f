/* values.c - key<TAB>number, read to the letter. */
#define _GNU_SOURCE
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "talk.h"

enum { VALUE_BITS_MAX = 32, SHOWN = 20 /* characters of what is no value */ };

static int bad_value(const struct batch *b, size_t i, const char *text, size_t n, const char *why) {
    complain("%s:%" PRIu64 ": `%.*s` %s; a line is a key, a tab and a number", b->name,
             b->first_line + i, (int)(n < SHOWN ? n : SHOWN), text, why);
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

unsigned bits_of_value(uint32_t most) {
    unsigned bits = 1;
    while ((uint64_t)most >> bits) bits++;
    return bits;
}
