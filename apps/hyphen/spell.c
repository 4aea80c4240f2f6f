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
    size_t found = 0;
    if (find_exception(s, word, n, &e)) {
        found = place_exception(s, &e, word, n, places);
        s->breaks += found;
        return found;
    }
    const size_t all = hyphen_word(s->h, s->room, word, n, &breaks);
    for (size_t i = 0; i < all; i++)
        if (!breaks[i].text) places[found++] = breaks[i].at;
    s->breaks += found;
    return found;
}

static size_t put(char *to, const char *from, size_t n) {
    memcpy(to, from, n);
    return n;
}

size_t spell_out(struct speller *s, const char *word, size_t n, const char *mark, char *to) {
    const struct hyphen_break *breaks;
    const size_t nmark = strlen(mark);
    struct entry e;
    size_t length = 0, at = 0;
    if (find_exception(s, word, n, &e)) {
        size_t places[STORE_WORD];
        const size_t found = place_exception(s, &e, word, n, places);
        s->breaks += found;
        for (size_t i = 0; i < found; at = places[i++]) {
            length += put(to + length, word + at, places[i] - at);
            length += put(to + length, mark, nmark);
        }
        return length + put(to + length, word + at, n - at);
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
            length += put(to + length, word + at, b->start - at);
            length += put(to + length, b->text, left);
            length += put(to + length, mark, nmark);
            if (sign) length += put(to + length, sign + 1, b->bytes - left - 1);
            at = b->start + b->cut;
        } else {
            length += put(to + length, word + at, b->at - at);
            length += put(to + length, mark, nmark);
            at = b->at;
        }
        changed = b->text != NULL;
        s->breaks++;
    }
    return length + put(to + length, word + at, n - at);
}
