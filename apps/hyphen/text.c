/* text.c - a stream of text, cut into tokens between blanks and (in HTML) tags; words are looked for
 * inside tokens. */
#define _GNU_SOURCE
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "letters.h"
#include "utf8.h"

struct element {
    char name[16];
    struct speller *before; /* of the text around it */
    bool speaks;            /* it has a lang of its own */
    bool quiet;
};

enum { SOFT_HYPHEN = 0xad };

static void put_out(struct text *t, const char *bytes, size_t n) {
    char *to = n ? grow(&t->out, n, 1) : NULL;
    if (!n) return;
    if (to) memcpy(to, bytes, n);
    else t->failed = true;
}

static bool is_ascii_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/* ---- words ---- */

/* One character's size and code point; 0 for a byte that is none. */
static size_t look_at(const char *s, size_t n, uint32_t *c) {
    *c = 0;
    return n ? utf8_get(s, n, c) : 0;
}

static void put_word(struct text *t, const char *word, size_t n, size_t nchars) {
    uint32_t first = 0;
    utf8_get(word, n, &first);
    t->words++;
    if (!t->speller || nchars < t->min_word || (t->no_caps && small_letter(first) != first)) {
        put_out(t, word, n);
        return;
    }
    size_t few[64], *places = n <= 64 ? few : malloc(n * sizeof *places), at = 0;
    const size_t found = places ? spell(t->speller, word, n, places) : 0;
    for (size_t i = 0; i < found; at = places[i++]) {
        put_out(t, word + at, places[i] - at);
        put_out(t, t->mark, strlen(t->mark));
    }
    put_out(t, word + at, n - at);
    if (places != few) free(places);
}

/* Does this character stick to a word, so that the word is none for us? */
static bool sticks(uint32_t c, size_t size) {
    return size == 0 || (c >= '0' && c <= '9') || c == '_';
}

/* From the letter at s[i]: where does the word end? A joiner counts between two letters. */
static size_t word_end(const struct text *t, const char *s, size_t i, size_t n, size_t *nchars,
                       bool *soft) {
    uint32_t c, next;
    for (size_t size; i < n; i += size) {
        if (is_ascii_letter(s[i])) {
            size = 1, ++*nchars;
            continue;
        }
        size = look_at(s + i, n - i, &c);
        if (!size) break;
        if (c == SOFT_HYPHEN) {
            *soft = true;
        } else if (!is_letter(c)) {
            const size_t after = look_at(s + i + size, n - i - size, &next);
            /* A break may stand behind a joiner, from a first run. */
            if (!t->speller || !hyphen_joins(t->speller->h, c) || !after ||
                !(is_letter(next) || next == SOFT_HYPHEN))
                break;
        }
        ++*nchars;
    }
    return i;
}

static bool is_address(const char *s, size_t n) {
    size_t signs = 0;
    for (size_t i = 0; i < n; i++) signs += s[i] == ':' || s[i] == '@' || s[i] == '.';
    if (!signs) return false;
    if (memmem(s, n, "://", 3) || (n > 4 && !strncasecmp(s, "www.", 4))) return true;
    for (size_t i = 1; i + 1 < n; i++)
        if ((s[i] == '@' || s[i] == '.') && (s[i - 1] & 0x80 || is_letter((uint8_t)s[i - 1])) &&
            (s[i + 1] & 0x80 || is_letter((uint8_t)s[i + 1])))
            return true;
    return false;
}

/* What stands between two blanks. */
static void put_token(struct text *t, const char *s, size_t n) {
    const bool leave = is_address(s, n);
    bool stuck = false;
    for (size_t i = 0; i < n;) {
        uint32_t c;
        size_t size = look_at(s + i, n - i, &c), end, nchars = 0;
        bool soft = false;
        if (size && c == SOFT_HYPHEN && t->strip) {
            i += size;
            continue;
        }
        if (!size || !is_letter(c)) {
            if (!size) t->broken++;
            stuck = sticks(c, size);
            put_out(t, s + i, size ? size : 1);
            i += size ? size : 1;
            continue;
        }
        end = word_end(t, s, i, n, &nchars, &soft);
        size = end < n ? look_at(s + end, n - end, &c) : 1;
        if (t->strip) {
            for (size_t at = i; at < end; at += size) {
                size = look_at(s + at, end - at, &c);
                if (c != SOFT_HYPHEN) put_out(t, s + at, size);
            }
        } else if (leave || soft || stuck || (end < n && sticks(c, size))) {
            put_out(t, s + i, end - i);
        } else {
            put_word(t, s + i, end - i, nchars);
        }
        stuck = false;
        i = end;
    }
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Entities that are no letters part words; a word that touches another is left alone. */
static bool parts_words(const char *s, size_t n) {
    static const char *const known[] = {"&nbsp;",  "&#160;",  "&amp;",   "&lt;",     "&gt;",
                                        "&quot;",  "&mdash;", "&ndash;", "&hellip;", "&ldquo;",
                                        "&rdquo;", "&bdquo;", "&lsquo;", "&laquo;",  "&raquo;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (n == strlen(known[i]) && !memcmp(s, known[i], n)) return true;
    return false;
}

/* Text without tags; `n` bytes of whole tokens. */
static void put_text(struct text *t, const char *s, size_t n) {
    if (t->quiet || (!t->speller && !t->strip)) {
        put_out(t, s, n);
        return;
    }
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && is_blank(s[end])) end++;
        put_out(t, s + i, end - i);
        i = end;
        while (end < n && !is_blank(s[end])) end++;
        bool strange = false;
        size_t begin = i;
        for (size_t at = i; t->html && at < end && !t->strip; at++) {
            if (s[at] != '&') continue;
            const char *semicolon = memchr(s + at, ';', end - at);
            const size_t length = semicolon ? (size_t)(semicolon + 1 - (s + at)) : 0;
            if (!length || !parts_words(s + at, length)) {
                strange = true;
                continue;
            }
            if (strange) put_out(t, s + begin, at - begin);
            else put_token(t, s + begin, at - begin);
            put_out(t, s + at, length);
            begin = at + length, at = begin - 1, strange = false;
        }
        if (strange) put_out(t, s + begin, end - begin);
        else put_token(t, s + begin, end - begin);
        i = end;
    }
}

/* ---- tags ---- */

static bool one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (!strcasecmp(name, *names)) return true;
    return false;
}

static const char *const left_alone[] = {"code", "pre",    "script",   "style",    "kbd",  "samp",
                                         "var",  "tt",     "textarea", "title",    "head", "svg",
                                         "math", "object", "select",   "noscript", NULL};
static const char *const never_closed[] = {"area",  "base",   "br",    "col",  "embed",
                                           "hr",    "img",    "input", "link", "meta",
                                           "param", "source", "track", "wbr",  NULL};

/* The value of lang= or xml:lang= in a tag. */
static bool lang_of(const char *tag, size_t n, char *to, size_t room) {
    for (size_t i = 1; i + 5 < n; i++) {
        if (tag[i] == '"' || tag[i] == '\'') { /* over the values of other attributes */
            const char *close = memchr(tag + i + 1, tag[i], n - i - 1);
            if (!close) return false;
            i = (size_t)(close - tag);
            continue;
        }
        if (strncasecmp(tag + i, "lang", 4) || !(is_blank(tag[i - 1]) || tag[i - 1] == ':'))
            continue;
        size_t at = i + 4;
        while (at < n && is_blank(tag[at])) at++;
        if (at >= n || tag[at++] != '=') continue;
        while (at < n && is_blank(tag[at])) at++;
        const char quote = at < n && (tag[at] == '"' || tag[at] == '\'') ? tag[at++] : 0;
        size_t length = 0;
        while (at + length < n && (quote ? tag[at + length] != quote
                                         : !is_blank(tag[at + length]) && tag[at + length] != '>'))
            length++;
        if (length >= room) return false;
        memcpy(to, tag + at, length);
        to[length] = 0;
        return true;
    }
    return false;
}

static void open_element(struct text *t, const char *name, const char *tag, size_t n) {
    char lang[64];
    struct element *e = grow(&t->open, 1, sizeof *e);
    if (!e) {
        t->failed = true;
        return;
    }
    memset(e, 0, sizeof *e);
    strcpy(e->name, name);
    e->before = t->speller;
    e->quiet = one_of(name, left_alone);
    t->quiet += e->quiet;
    if (lang_of(tag, n, lang, sizeof lang))
        t->speller = t->speller_for ? t->speller_for(t->self, lang) : NULL;
}

/* An end tag closes its element and all inside that were left open; one without a begin nothing. */
static void close_element(struct text *t, const char *name) {
    const struct element *all = t->open.items;
    size_t n = t->open.n;
    while (n && strcasecmp(all[n - 1].name, name)) n--;
    if (!n) return;
    while (t->open.n >= n) {
        const struct element *e = &all[--t->open.n];
        t->speller = e->before;
        t->quiet -= e->quiet;
    }
}

/* How long is what begins with < at s? 0: its end has not come yet; `last`: nothing more will. */
static size_t tag_length(const struct text *t, const char *s, size_t n) {
    const struct element *inner =
        t->open.n ? (struct element *)t->open.items + t->open.n - 1 : NULL;
    const char *end;
    if (n >= 4 && !memcmp(s, "<!--", 4))
        return (end = memmem(s + 4, n - 4, "-->", 3)) ? (size_t)(end + 3 - s) : 0;
    if (n >= 9 && !memcmp(s, "<![CDATA[", 9))
        return (end = memmem(s, n, "]]>", 3)) ? (size_t)(end + 3 - s) : 0;
    if (n < 2) return 0;
    if (!s[1] || (!strchr("/!?", s[1]) && !is_ascii_letter(s[1]))) return 1; /* a < b */
    if (inner && (!strcasecmp(inner->name, "script") || !strcasecmp(inner->name, "style"))) {
        const size_t length = strlen(inner->name);
        if (n < length + 2) return 0;
        if (s[1] != '/' || strncasecmp(s + 2, inner->name, length)) return 1;
    }
    for (size_t i = 1; i < n; i++) {
        if (s[i] == '>') return i + 1;
        if (s[i] == '"' || s[i] == '\'') {
            if (s[i - 1] != '=' && !is_blank(s[i - 1])) continue;
            end = memchr(s + i + 1, s[i], n - i - 1);
            if (!end) return 0;
            i = (size_t)(end - s);
        }
    }
    return 0;
}

static void put_tag(struct text *t, const char *s, size_t n) {
    char name[16] = "";
    const bool closes = n > 1 && s[1] == '/';
    size_t length = 0;
    put_out(t, s, n);
    if (n < 3 || s[1] == '!' || s[1] == '?') return;
    for (size_t i = 1 + closes; i < n && length < sizeof name - 1; i++) {
        if (s[i] == ':') { /* m:math in XHTML is math */
            length = 0;
            continue;
        }
        if (!is_ascii_letter(s[i]) && !(s[i] >= '0' && s[i] <= '9')) break;
        name[length++] = s[i];
    }
    name[length] = 0;
    if (closes) close_element(t, name);
    else if (length && s[n - 2] != '/' && !one_of(name, never_closed)) open_element(t, name, s, n);
}

/* ---- the stream ---- */

/* As much of `s` as can be decided; returns how many bytes were done. */
static size_t work_off(struct text *t, const char *s, size_t n, bool last) {
    size_t done = 0;
    while (done < n && !t->failed) {
        const char *tag = t->html ? memchr(s + done, '<', n - done) : NULL;
        size_t end = tag ? (size_t)(tag - s) : n;
        if (!tag && !last) { /* a word may go on: keep what follows the last blank */
            while (end > done && !is_blank(s[end - 1])) end--;
            if (end == done) return done;
        }
        put_text(t, s + done, end - done);
        done = end;
        if (!tag) continue;
        size_t length = tag_length(t, tag, n - done);
        if (!length && !last) return done;
        if (!length) {
            t->unclosed++;
            length = n - done;
            put_out(t, tag, length);
        } else if (length == 1) {
            put_out(t, tag, 1);
        } else {
            put_tag(t, tag, length);
        }
        done += length;
    }
    return done;
}

void text_feed(struct text *t, const char *bytes, size_t n) {
    const bool last = n == 0;
    char *to = n ? grow(&t->held, n, 1) : NULL;
    if (n && !to) {
        t->failed = true;
        return;
    }
    if (n) memcpy(to, bytes, n);
    const size_t done = t->held.n ? work_off(t, t->held.items, t->held.n, last) : 0;
    if (done) memmove(t->held.items, (char *)t->held.items + done, t->held.n - done);
    t->held.n -= done;
}

void text_free(struct text *t) {
    free(t->out.items), free(t->held.items), free(t->open.items);
    memset(t, 0, sizeof *t);
}
