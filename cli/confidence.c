/* confidence.c - key<TAB>c, read to the letter. */
#define _GNU_SOURCE
#include "confidence.h"

#include <inttypes.h>
#include <string.h>

#include "numbers.h"
#include "talk.h"

bool has_confidences(const char *kind) { return !strcmp(kind, SITO_LINEAR); }

static int bad_confidence(const struct batch *b, size_t i, const char *text, size_t n,
                          const char *why) {
    char shown[VISIBLE_ROOM];
    complain("%s:%" PRIu64 ": `%s` %s; a line is a key, a tab and a number from 0 to 1, or a key "
             "alone",
             b->name, b->first_line + i, visible(text, n, shown), why);
    return TROUBLE;
}

int read_confidence(const struct batch *b, size_t i, size_t *length, double *c) {
    const char *line = b->keys[i], *tab = memrchr(line, '\t', b->lens[i]), *why;
    char text[NUMBER_ROOM];
    *length = tab ? (size_t)(tab - line) : b->lens[i];
    *c = 1;
    if (!tab) return DONE;
    const size_t digits = b->lens[i] - *length - 1;
    const size_t n = digits < sizeof text ? digits : sizeof text - 1;
    memcpy(text, tab + 1, n);
    text[n] = 0;
    if (digits != strlen(text)) why = "is no confidence";
    else if (parse_share(text, c, &why)) return DONE;
    return bad_confidence(b, i, tab + 1, digits, why);
}

void tell_unsure(const char *path, uint64_t unsure) {
    char keys[NUMBER_ROOM];
    if (unsure)
        remark("%s: %s keys were too uncertain to be stored; more --cell-bits would tell them "
               "from none",
               path, human_count(unsure, keys));
}
