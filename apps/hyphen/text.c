/* text.c - a stream of text, cut into tokens between blanks and (in HTML) tags; words are looked for
 * inside tokens. */
#define _GNU_SOURCE
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "letters.h"
#include "utf8.h"
#include "window.h"

struct element {
    char name[16];          /* in small letters, without prefix */
    struct speller *before; /* of the text around it */
    uint64_t names;         /* a small Bloom filter: its name and those of all around it */
    bool quiet;
    bool raw; /* only its own end tag is a tag inside it */
};

enum { SOFT_HYPHEN = 0xad, AT_A_TIME = 16384, LONGEST_ENTITY = 32, INSTRUCTION_REACH = 65536 };

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

static bool knows_letter(const struct text *t, uint32_t c) {
    return c < NSMALL ? t->letters[c / 64] >> (c % 64) & 1 : is_letter(c);
}

static void know_letters(struct text *t) {
    for (uint32_t c = 0; c < NSMALL; c++) t->letters[c / 64] |= (uint64_t)is_letter(c) << (c % 64);
}

inline bool text_leaves(const struct text *t, const char *word, size_t n, size_t nchars) {
    uint32_t first = 0;
    if (nchars < t->min_word) return true;
    if (!t->no_caps) return false;
    return utf8_get(word, n, &first) && small_letter(first) != first;
}

/* The word of n bytes at s[at] is to be broken, if it may. */
static inline void found_word(struct text *t, const char *s, size_t at, size_t n, size_t nchars) {
    t->words++;
    if (at + n > UINT32_MAX || text_leaves(t, s + at, n, nchars)) return;
    struct hyphen_span *to = grow(&t->found, 1, sizeof *to);
    if (to) *to = (struct hyphen_span){(uint32_t)at, (uint32_t)n};
    else t->failed = true;
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
        } else if (!knows_letter(t, c)) {
            const size_t after = look_at(s + i + size, n - i - size, &next);
            /* A break may stand behind a joiner, from a first run. */
            if (!t->speller || !hyphen_joins(t->speller->h, c) || !after ||
                !(knows_letter(t, next) || next == SOFT_HYPHEN))
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

/* What stands between two blanks, from s[i] to s[n]: which words are in it? */
static void look_through(struct text *t, const char *s, size_t i, size_t n) {
    const bool leave = is_address(s + i, n - i);
    bool stuck = false;
    while (i < n) {
        uint32_t c;
        size_t size = look_at(s + i, n - i, &c), nchars = 0;
        bool soft = false;
        if (!size || !knows_letter(t, c)) {
            if (!size) t->broken++;
            stuck = sticks(c, size);
            i += size ? size : 1;
            continue;
        }
        const size_t end = word_end(t, s, i, n, &nchars, &soft);
        size = end < n ? look_at(s + end, n - end, &c) : 1;
        if (!leave && !soft && !stuck && !(end < n && sticks(c, size)))
            found_word(t, s, i, end - i, nchars);
        stuck = false;
        i = end;
    }
}

/* ---- from words to what is put out ---- */

/* Few bytes mostly; 16 more may be read and written. */
static inline char *copy_run(char *to, const char *from, size_t n) {
    memcpy(to, from, 16);
    if (n > 16) memcpy(to + 16, from + 16, n - 16);
    return to + n;
}

/* A word that is not among many: it may be long, an exception, or one that can change its spelling.
 * Returns how much was put out of the text from `done` on. */
static size_t put_alone(struct text *t, const char *s, size_t done, struct hyphen_span word) {
    size_t few[64], *places = word.n <= 64 ? few : malloc(word.n * sizeof *places);
    const size_t n = places ? spell(t->speller, s + word.at, word.n, places) : 0;
    if (!places) t->failed = true;
    for (size_t i = 0; i < n; i++) {
        put_out(t, s + done, word.at + places[i] - done);
        put_out(t, t->mark, strlen(t->mark));
        done = word.at + places[i];
    }
    if (places != few) free(places);
    return done;
}

/* Words from number `from` to `to`, which were all answered. */
static size_t put_many(struct text *t, const char *s, size_t done, size_t from, size_t to) {
    const struct hyphen_span *words = t->found.items;
    const uint64_t *bits = t->bits.items;
    const size_t nmark = strlen(t->mark);
    char mark[16] = "";
    memcpy(mark, t->mark, nmark < 16 ? nmark : 16);
    /* As if there were a break before every byte. */
    const size_t room = (words[to - 1].at + words[to - 1].n - done) * (nmark + 1) + 32;
    char *const out = grow(&t->out, room, 1), *at = out;
    if (!out) return t->failed = true, done;
    for (size_t i = from; i < to; i++)
        for (uint64_t rest = bits[i]; rest; rest &= rest - 1) {
            const size_t in = (size_t)__builtin_ctzll(rest), next = words[i].at + in;
            if (is_before_mark(s + next, words[i].n - in)) continue;
            at = copy_run(at, s + done, next - done);
            done = next;
            memcpy(at, mark, 16);
            if (nmark > 16) memcpy(at + 16, t->mark + 16, nmark - 16);
            at += nmark;
            t->speller->breaks++;
        }
    t->out.n -= room - (size_t)(at - out);
    return done;
}

/* All that was found in s, which has n bytes; what is no word goes along. */
static void put_found(struct text *t, const char *s, size_t n) {
    const size_t nwords = t->found.n;
    size_t done = 0;
    t->bits.n = 0;
    uint64_t *bits = nwords ? grow(&t->bits, nwords, sizeof *bits) : NULL;
    if (nwords && !bits) t->failed = true;
    else if (nwords && t->speller->exceptions) memset(bits, 0xff, nwords * sizeof *bits);
    else if (nwords &&
             !hyphen_many(t->speller->h, t->speller->room, s, t->found.items, nwords, bits))
        t->failed = true;
    for (size_t i = 0, end; i < nwords && !t->failed; i = end) {
        end = i;
        while (end < nwords && bits[end] != HYPHEN_ASK) end++;
        if (end > i) done = put_many(t, s, done, i, end);
        else done = put_alone(t, s, done, ((struct hyphen_span *)t->found.items)[end++]);
    }
    put_out(t, s + done, n - done);
    t->found.n = 0;
}

static void put_stripped(struct text *t, const char *s, size_t n) {
    for (size_t i = 0; i < n;) {
        uint32_t c;
        const size_t size = look_at(s + i, n - i, &c);
        if (!size) t->broken++;
        if (c != SOFT_HYPHEN) put_out(t, s + i, size ? size : 1);
        i += size ? size : 1;
    }
}

/* ---- text without tags ---- */

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

/* Entities may stand in what is between two blanks. */
static void look_through_html(struct text *t, const char *s, size_t i, size_t end) {
    bool strange = false;
    size_t begin = i;
    for (; i < end; i++) {
        if (s[i] != '&') continue;
        const size_t reach = end - i < LONGEST_ENTITY ? end - i : LONGEST_ENTITY;
        const char *semicolon = memchr(s + i, ';', reach);
        const size_t length = semicolon ? (size_t)(semicolon + 1 - (s + i)) : 0;
        if (!length || !parts_words(s + i, length)) {
            strange = true;
            continue;
        }
        if (!strange) look_through(t, s, begin, i);
        begin = i + length, i = begin - 1, strange = false;
    }
    if (!strange) look_through(t, s, begin, end);
}

static bool is_point(char c) { return c == ',' || c == '.' || c == ';' || c == '!' || c == '?'; }

/* Most of what stands between two blanks is a word of letters of one or two bytes, perhaps with a sign
 * inside or behind it. Returns its end, or 0: it has to be looked through. */
static size_t plain_word(struct text *t, const char *s, size_t i, size_t n, const bool joins[2]) {
    size_t end = i, wide = 0;
    for (;;) {
        const size_t begin = end;
        for (unsigned more = WINDOW; more == WINDOW && end < n; end += more)
            more = letters_at(s + end);
        if (end >= n) break;
        const uint8_t first = (uint8_t)s[end];
        if (first >= 0xc2 && first < 0xe0 && (s[end + 1] & 0xc0) == 0x80 && end + 1 < n) {
            if (!knows_letter(t, (first & 0x1fu) << 6 | (s[end + 1] & 0x3f))) return 0;
            end += 2, wide++;
            continue;
        }
        if (end == begin && !wide) return 0;
        if (s[end] != '\'' && s[end] != '-') break;
        if (!joins[s[end] == '-'] || !is_ascii_letter(s[end + 1])) return 0;
        end++;
    }
    if (end > n) end = n;
    const char sign = end < n ? s[end] : ' ';
    if (!is_blank(sign)) {
        if (!is_point(sign)) return 0;
        if (end + 1 < n && !is_blank(s[end + 1])) return 0;
    }
    if (end == i) return 0;
    found_word(t, s, i, end - i, end - i - wide);
    return end + !is_blank(sign);
}

/* The words among the next 64 bytes as long as they are of plain letters, perhaps with a sign inside
 * or behind them. Returns where it stopped: behind all, where one begins that may go on, or where one
 * has to be looked at: then *strange. */
static size_t plain_words(struct text *t, const char *s, size_t i, size_t n, const bool joins[2],
                          bool *strange) {
    const struct sorts sorts = sorts_of(s + i);
    const uint64_t end = n - i < 64 ? ~(uint64_t)0 << (n - i) : 0, blanks = sorts.blanks | end,
                   joined = sorts.letters << 1 & sorts.letters >> 1,
                   signs = (joins[0] ? sorts.signs[0] : 0) | (joins[1] ? sorts.signs[1] : 0),
                   others = ~(sorts.letters | (signs & joined) | blanks);
    uint64_t rest = ~(uint64_t)0; /* from where we are */
    for (;;) {
        if (!(~blanks & rest)) return n - i < 64 ? n : i + 64;
        const unsigned from = (unsigned)__builtin_ctzll(~blanks & rest);
        rest = ~(uint64_t)0 << from;
        if (!(blanks & rest)) return *strange = from == 0, i + from;
        unsigned to = (unsigned)__builtin_ctzll(blanks & rest);
        const uint64_t other = others & rest & ~(~(uint64_t)0 << to);
        rest = ~(uint64_t)0 << to;
        if (other) {
            to--;
            if (other != (uint64_t)1 << to || to == from || !is_point(s[i + to]))
                return *strange = true, i + from;
        }
        found_word(t, s, i + from, to - from, to - from);
    }
}

/* Text without tags; `n` bytes, of which the last word ends there, and some more can be read. */
static void put_text(struct text *t, const char *s, size_t n) {
    if (t->quiet || (!t->speller && !t->strip)) {
        put_out(t, s, n);
        return;
    }
    if (t->strip) {
        put_stripped(t, s, n);
        return;
    }
    const bool joins[2] = {hyphen_joins(t->speller->h, '\''), hyphen_joins(t->speller->h, '-')};
    for (size_t i = 0; i < n;) {
        if (i >= AT_A_TIME) {
            put_found(t, s, i);
            s += i, n -= i, i = 0;
        }
        bool strange = false;
        i = plain_words(t, s, i, n, joins, &strange);
        if (!strange) continue;
        size_t end = plain_word(t, s, i, n, joins);
        if (!end) {
            end = i;
            while (end < n && !is_blank(s[end])) end++;
            if (t->html) look_through_html(t, s, i, end);
            else look_through(t, s, i, end);
        }
        i = end;
    }
    put_found(t, s, n);
}

/* ---- tags ---- */

static bool one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (!strcmp(name, *names)) return true;
    return false;
}

static const char *const left_alone[] = {"code", "pre",    "script",   "style",    "kbd",  "samp",
                                         "var",  "tt",     "textarea", "title",    "head", "svg",
                                         "math", "object", "select",   "noscript", NULL};
static const char *const never_closed[] = {"area",  "base",   "br",    "col",  "embed",
                                           "hr",    "img",    "input", "link", "meta",
                                           "param", "source", "track", "wbr",  NULL};
/* Their end tags may be left out: one ends where its sibling begins ... */
static const char *const siblings[][3] = {{"p"},        {"li"}, {"dt", "dd"},
                                          {"td", "th"}, {"tr"}, {"option"}};
/* ... but not from inside one of these, which has children of its own. */
static const char *const apart[] = {
    "address", "article", "aside", "blockquote", "body",  "button",   "caption", "center",
    "details", "dialog",  "dir",   "div",        "dl",    "fieldset", "figure",  "footer",
    "form",    "header",  "main",  "marquee",    "menu",  "nav",      "ol",      "optgroup",
    "section", "table",   "tbody", "template",   "tfoot", "thead",    "ul",      NULL};
static const char *const in_head[] = {"title",    "style",    "script", "noscript",
                                      "template", "noframes", "object", NULL};
/* Elements that may stand open inside a sibling; and inside one that is closed: browsers nest half
 * as deep, and who writes end tags without a begin would have us look through all of them each
 * time. */
enum { SIBLING_REACH = 32, END_REACH = 1024 };

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

/* Three bits of 64 for a name. */
static uint64_t bits_of(const char *name) {
    uint64_t h = 0;
    for (; *name; name++) h = (h ^ (uint8_t)*name) * 0x9e3779b97f4a7c15;
    return 1ull << (h >> 58) | 1ull << (h >> 52 & 63) | 1ull << (h >> 46 & 63);
}

static void open_element(struct text *t, const char *name, bool prefixed, const char *tag,
                         size_t n) {
    char lang[64];
    struct element *e = grow(&t->open, 1, sizeof *e);
    if (!e) {
        t->failed = true;
        return;
    }
    memset(e, 0, sizeof *e);
    strcpy(e->name, name);
    e->before = t->speller;
    e->names = bits_of(name) | (t->open.n > 1 ? e[-1].names : 0);
    e->quiet = one_of(name, left_alone);
    e->raw = !prefixed && (!strcmp(name, "script") || !strcmp(name, "style"));
    t->quiet += e->quiet;
    if (lang_of(tag, n, lang, sizeof lang))
        t->speller = t->speller_for ? t->speller_for(t->self, lang) : NULL;
}

/* All but the n outermost elements end here. */
static void close_to(struct text *t, size_t n) {
    const struct element *all = t->open.items;
    while (t->open.n > n) {
        const struct element *e = &all[--t->open.n];
        t->speller = e->before;
        t->quiet -= e->quiet;
    }
}

/* An end tag closes its element and all inside that were left open; one without a begin nothing. */
static void close_element(struct text *t, const char *name) {
    const struct element *all = t->open.items;
    const uint64_t bits = bits_of(name);
    const size_t end = t->open.n > END_REACH ? t->open.n - END_REACH : 0;
    size_t n = t->open.n;
    while (n > end && (all[n - 1].names & bits) == bits && strcmp(all[n - 1].name, name)) n--;
    if (n > end && !strcmp(all[n - 1].name, name)) close_to(t, n - 1);
}

static void close_sibling(struct text *t, const char *name) {
    const struct element *all = t->open.items;
    const char *const *sort = NULL;
    for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++)
        if (one_of(name, siblings[i])) sort = siblings[i];
    for (size_t n = t->open.n; sort && n && t->open.n - n < SIBLING_REACH; n--) {
        const struct element *e = &all[n - 1];
        if (one_of(e->name, sort)) {
            close_to(t, n - 1);
            return;
        }
        if (e->quiet || one_of(e->name, apart)) return;
    }
}

/* A head may have no end tag: it ends where the body begins, or something else that is not for it. */
static void close_head(struct text *t, const char *name) {
    const struct element *all = t->open.items;
    const bool inside = t->open.n && !strcmp(all[t->open.n - 1].name, "head");
    if (!strcmp(name, "body") || (inside && !one_of(name, in_head))) close_element(t, "head");
}

/* <? ends at ?> if that comes in time and before another <? does, else as a tag: then 1 is returned.
 * 0: not known yet. */
static size_t instruction_length(const char *s, size_t n, bool last) {
    const size_t reach = n < INSTRUCTION_REACH ? n : INSTRUCTION_REACH;
    for (size_t i = 1; i + 1 < reach; i++) {
        const char *mark = memchr(s + i, '?', reach - 1 - i);
        if (!mark) break;
        i = (size_t)(mark - s);
        if (s[i + 1] == '>') return i + 2;
        if (i > 1 && s[i - 1] == '<') return 1;
    }
    return last || n >= INSTRUCTION_REACH;
}

/* How long is what begins with < at s? 0: its end has not come yet; `last`: nothing more will. */
static size_t tag_length(const struct text *t, const char *s, size_t n, bool last) {
    const struct element *inner =
        t->open.n ? (struct element *)t->open.items + t->open.n - 1 : NULL;
    const char *end;
    if (n < 2) return 0;
    if (!s[1] || (!strchr("/!?", s[1]) && !is_ascii_letter(s[1]))) return 1; /* a < b */
    if (inner && inner->raw) {
        const size_t length = strlen(inner->name), there = n - 2 < length ? n - 2 : length;
        if (s[1] != '/' || strncasecmp(s + 2, inner->name, there)) return 1;
        if (n < length + 3) return 0;
        const char behind = s[length + 2]; /* </scripts ends no script */
        if (!is_blank(behind) && behind != '/' && behind != '>') return 1;
    }
    if (n >= 4 && !memcmp(s, "<!--", 4)) /* <!--> is a whole one */
        return (end = memmem(s + 2, n - 2, "-->", 3)) ? (size_t)(end + 3 - s) : 0;
    if (n >= 9 && !memcmp(s, "<![CDATA[", 9))
        return (end = memmem(s, n, "]]>", 3)) ? (size_t)(end + 3 - s) : 0;
    if (s[1] == '?') {
        const size_t length = instruction_length(s, n, last);
        if (length != 1) return length;
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
    bool prefixed = false;
    put_out(t, s, n);
    if (n < 3 || s[1] == '!' || s[1] == '?') return;
    for (size_t i = 1 + closes; i < n && length < sizeof name - 1; i++) {
        if (s[i] == ':') { /* m:math in XHTML is math */
            length = 0, prefixed = true;
            continue;
        }
        if (is_blank(s[i]) || s[i] == '/' || s[i] == '>') break;
        name[length++] = s[i] >= 'A' && s[i] <= 'Z' ? s[i] | 0x20 : s[i];
    }
    name[length] = 0;
    if (!length || one_of(name, never_closed)) return;
    if (closes) {
        close_element(t, name);
    } else if (s[n - 2] != '/') {
        if (!prefixed) { /* in XML every element has its end */
            close_sibling(t, name);
            close_head(t, name);
        }
        open_element(t, name, prefixed, s, n);
    }
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
        size_t length = tag_length(t, tag, n - done, last);
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
    /* More than there is, for those who look ahead. */
    char *to = grow(&t->held, n + HYPHEN_BEHIND, 1);
    if (!to) {
        t->failed = true;
        return;
    }
    if (!t->letters['a' / 64]) know_letters(t);
    if (n) memcpy(to, bytes, n);
    memset(to + n, 0, HYPHEN_BEHIND);
    t->held.n -= HYPHEN_BEHIND;
    const size_t done = t->held.n ? work_off(t, t->held.items, t->held.n, last) : 0;
    if (done) memmove(t->held.items, (char *)t->held.items + done, t->held.n - done);
    t->held.n -= done;
}

void text_free(struct text *t) {
    free(t->out.items), free(t->held.items), free(t->open.items);
    free(t->found.items), free(t->bits.items);
    memset(t, 0, sizeof *t);
}
