/* spell.c - one word: first its exception, if it is one, then the patterns. */
#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "text.h"
#include "utf8.h"

/* Breaks of an exception, put into the word as it is written; the least distances hold here too. */
static size_t place_exception(const struct speller *s, const struct entry *e, const char *word,
                              size_t n, size_t *places) {
    size_t nchars = 0, at = 0, seen = 0, found = 0, total = 0;
    for (size_t i = 0; i < n; i++) total += (word[i] & 0xc0) != 0x80;
    for (size_t i = 0; i < e->bytes; nchars++) {
        uint32_t c;
        if (e->text[i] == '-') {
            const bool far = seen >= hyphen_left(s->h) && total - seen >= hyphen_right(s->h);
            if (far && at && at < n && (!found || places[found - 1] != at)) places[found++] = at;
            i++;
            continue;
        }
        const size_t size = utf8_get(e->text + i, e->bytes - i, &c);
        const size_t step = at < n ? utf8_get(word + at, n - at, &c) : 0;
        if (!size || !step) break;
        i += size, at += step, seen++;
    }
    return found;
}

static bool find_exception(struct speller *s, const char *word, size_t n, struct entry *e) {
    char small[2 * STORE_WORD];
    if (!s->exceptions || n > STORE_WORD) return false;
    const size_t length = fold_word(word, n, small);
    return length && exceptions_find(s->exceptions, small, length, e);
}

size_t spell(struct speller *s, const char *word, size_t n, size_t *places) {
    const struct hyphen_break *breaks;
    struct entry e;
    size_t all = 0, found = 0;
    if (find_exception(s, word, n, &e)) {
        all = place_exception(s, &e, word, n, places);
    } else {
        const size_t any = hyphen_word(s->h, s->room, word, n, &breaks);
        for (size_t i = 0; i < any; i++)
            if (!breaks[i].text) places[all++] = breaks[i].at;
    }
    for (size_t i = 0; i < all; i++)
        if (!is_before_mark(word + places[i], n - places[i])) places[found++] = places[i];
    s->breaks += found;
    return found;
}

struct spelt {
    struct growing *to; /* char */
    bool failed;        /* no memory */
};

static void put(struct spelt *out, const char *from, size_t n) {
    char *to = n ? grow(out->to, n, 1) : NULL;
    if (to) memcpy(to, from, n);
    else if (n) out->failed = true;
}

/* Two strings with the mark between. */
static void put_break(struct spelt *out, const char *left, size_t nleft, const char *mark,
                      const char *right, size_t nright) {
    put(out, left, nleft);
    put(out, mark, strlen(mark));
    put(out, right, nright);
}

bool spell_out(struct speller *s, const char *word, size_t n, const char *mark,
               struct growing *to) {
    struct spelt out = {to, false};
    const struct hyphen_break *breaks;
    struct entry e;
    size_t at = 0;
    if (find_exception(s, word, n, &e)) {
        size_t places[STORE_WORD];
        const size_t found = place_exception(s, &e, word, n, places);
        s->breaks += found;
        for (size_t i = 0; i < found; at = places[i++])
            put_break(&out, word + at, places[i] - at, mark, NULL, 0);
        put(&out, word + at, n - at);
        return !out.failed;
    }
    const size_t all = hyphen_word(s->h, s->room, word, n, &breaks);
    bool changed = false;
    for (size_t i = 0; i < all; i++) {
        const struct hyphen_break *b = &breaks[i];
        /* A change takes the letters around it: no second break among them. */
        if ((b->text ? b->start : b->at) < at || (changed && !b->text && b->at == at)) continue;
        if (b->text) {
            const char *sign = memchr(b->text, '=', b->bytes);
            const size_t left = sign ? (size_t)(sign - b->text) : b->bytes;
            put(&out, word + at, b->start - at);
            put_break(&out, b->text, left, mark, b->text + left + (sign != NULL),
                      b->bytes - left - (sign != NULL));
            at = b->start + b->cut;
        } else {
            put_break(&out, word + at, b->at - at, mark, NULL, 0);
            at = b->at;
        }
        changed = b->text != NULL;
        s->breaks++;
    }
    put(&out, word + at, n - at);
    return !out.failed;
}
