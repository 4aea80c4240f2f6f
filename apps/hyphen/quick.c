/*
 * quick.c - words of at most 63 bytes in which nothing special happens, many at once.
 *
 *     words -> classes, one after the other with an edge between them -> values of all gaps -> bits
 *
 * Four walks through the classes go on at the same time, each in a quarter of them: one alone would
 * wait for memory at every step. What something special is met in, exact.c works out.
 */
#include <stdlib.h>
#include <string.h>

#include "room.h"
#include "utf8.h"
#include "window.h"

enum {
    NMANY = 256,                /* words at a time */
    LANES = 4,                  /* walks at a time */
    WORTH = 256,                /* classes that are worth it */
    PARTS = QUICK_WORD / 2 + 1, /* of a word, with two characters or more */
    /* Words, or parts of them, an edge behind each; and how far the walks may get behind that. */
    NCLASSES = NMANY * (QUICK_WORD + PARTS) + 1,
    BEHIND = 2 * (QUICK_WORD + 1) + WINDOW
};

/* A word or a part of one. */
struct item {
    uint32_t at, word; /* where it begins among the classes; whose it is */
    uint8_t from, n;   /* characters: where it begins in its word */
    bool begin, end;   /* it has the word's begin, end */
};

/* What else is to be known of a word. A bit a character, and of `inside` a bit a byte. */
struct about {
    uint64_t signs;  /* hyphens and apostrophes: edges that part it */
    uint64_t wide;   /* more than one byte, where that makes a difference */
    uint64_t inside; /* bytes that begin no character */
    unsigned n;      /* characters */
    bool fine;       /* not for exact.c */
};

struct quick {
    uint8_t classes[2][NCLASSES + BEHIND];
    uint8_t values[2][WINDOW + NCLASSES + BEHIND]; /* of a level each */
    struct item items[2][NMANY * PARTS];
    struct about about[NMANY];
    uint64_t bits[NMANY];
};

static inline uint64_t ones(unsigned n) { return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX; }

/* ---- word -> classes ---- */

/* Letters from a to z only, and where those part words, signs. */
static inline bool read_latin(const hyphen *h, const char *word, unsigned n, uint8_t *to,
                              struct about *a) {
    uint64_t letters = 0, signs = 0;
    for (unsigned i = 0; i < n; i += WINDOW) {
        uint32_t some;
        letters |= (uint64_t)latin_classes(word + i, to + i, &some) << i;
        signs |= (uint64_t)some << i;
    }
    signs &= h->head->implicit ? ones(n) : 0;
    *a = (struct about){.signs = signs, .n = n, .fine = true};
    return ((letters | signs) & ones(n)) == ones(n);
}

/* Any characters. */
static void read_any(const hyphen *h, const char *word, unsigned n, uint8_t *to, struct about *a) {
    const bool implicit = h->head->implicit;
    unsigned flags = 0, chars = 0;
    *a = (struct about){0};
    for (unsigned i = 0; i < n; chars++) {
        const uint8_t first = (uint8_t)word[i];
        unsigned class = h->small[first & 0x7f];
        if (first >= 0x80) {
            uint32_t c;
            const unsigned size = (unsigned)utf8_get(word + i, n - i, &c);
            if (!size) return;
            class = size == 2 ? h->small[c] : class_of(h, c);
            a->inside |= ones(size - 1) << (i + 1);
            a->wide |= (uint64_t)1 << chars;
            i += size - 1;
        }
        i++;
        if (implicit && class & UNUSUAL && (class & CLASS) > CLASS_EDGE) {
            a->signs |= (uint64_t)1 << chars;
            class = CLASS_EDGE;
        }
        flags |= class;
        to[chars] = (uint8_t)(class & CLASS);
    }
    if (!h->head->utf8) a->wide = 0;
    a->n = chars;
    a->fine = !(flags & FLAGS);
}

/* `word` can be read for as many bytes as one may have, and `to` written. */
static inline void read_word(const hyphen *h, const char *word, unsigned n, uint8_t *to,
                             struct about *a) {
    if (!h->head->latin || !read_latin(h, word, n, to, a)) read_any(h, word, n, to, a);
    to[a->n] = CLASS_EDGE;
}

/* ---- classes -> values ---- */

struct lane {
    struct walk at;
    window v;
    const uint8_t *class;
    uint8_t *value; /* of the gap that leaves the window */
};

static inline void lane_step(const struct level *l, struct lane *to, size_t i) {
    to->at = step(l, to->at, to->class[i]);
    to->v = window_step(to->v, l->windows[said(to->at)]);
    to->value[i] = window_oldest(to->v);
}

static inline struct lane lane_at(const struct level *l, const uint8_t *classes, uint8_t *values,
                                  size_t at) {
    return (struct lane){{0}, window_at(l->windows[0]), classes + at, values + 1 + at};
}

/* The value of the gap behind classes[i], which begin and end with an edge, to values[WINDOW + i].
 * A lane begins at an edge and goes on behind where the next began, until all that it has to say is
 * said; there both say the same, and what the next said too early is written again. */
static void find_values(const struct level *level, const uint8_t *classes, size_t n,
                        uint8_t *values) {
    const struct level l = *level;
    if (n < WORTH) {
        struct lane a = lane_at(&l, classes, values, 0);
        for (size_t i = 0; i < n + WINDOW; i++) lane_step(&l, &a, i);
        return;
    }
    size_t begin[LANES + 1] = {0}, most = 0;
    for (size_t i = 1; i <= LANES; i++) {
        begin[i] = i < LANES ? n * i / LANES : n;
        while (i < LANES && classes[begin[i]] != CLASS_EDGE) begin[i]++;
        most = begin[i] - begin[i - 1] > most ? begin[i] - begin[i - 1] : most;
    }
    struct lane a = lane_at(&l, classes, values, 0), b = lane_at(&l, classes, values, begin[1]),
                c = lane_at(&l, classes, values, begin[2]),
                d = lane_at(&l, classes, values, begin[3]);
    for (size_t i = 0; i < most + WINDOW; i++) {
        lane_step(&l, &a, i);
        lane_step(&l, &b, i);
        lane_step(&l, &c, i);
        lane_step(&l, &d, i);
    }
}

/* Bit i: a break behind character i of the n. False if something special happens. */
static inline bool odd_values(const uint8_t *values, const struct item *item, uint64_t *odd) {
    const uint8_t *from = values + WINDOW + item->at;
    uint64_t special = 0, bits = 0;
    for (unsigned i = 0; i <= item->n; i += WINDOW) {
        const window v = window_at(from + i);
        bits |= (uint64_t)window_odd(v) << i;
        special |= (uint64_t)window_special(v) << i;
    }
    *odd = bits & ones(item->n - 1u);
    return !(special & ones(item->n + 1u));
}

/* One word, its classes between edges: without a detour over memory if it is short. */
static inline bool walk_word(const struct level *l, const uint8_t *classes, unsigned n,
                             uint64_t *odd) {
    if (n >= WINDOW) {
        uint8_t values[2 * WINDOW + QUICK_WORD + 2 + WINDOW];
        find_values(l, classes, n + 2, values);
        return odd_values(values, &(struct item){.at = 1, .n = (uint8_t)n}, odd);
    }
    struct walk at = {0};
    window v = window_at(l->windows[0]);
    for (unsigned i = 0; i < n + 2; i++) {
        at = step(l, at, classes[i]);
        v = window_step(v, l->windows[said(at)]);
    }
    *odd = window_odd(v) >> (WINDOW - 1 - n) & ones(n - 1);
    return !(window_special(v) >> (WINDOW - 1 - n));
}

/* ---- values -> breaks ---- */

/* Breaks behind characters `left` to n - `right`; libhyphen's right distance does not reach a first
 * character of one byte. */
static inline uint64_t far_enough(unsigned n, unsigned left, unsigned right, bool first) {
    const uint64_t from_right = n > right ? ones(n - right) : 0;
    return left > n ? 0 : (from_right | first) & ~ones(left ? left - 1 : 0);
}

static inline uint64_t gaps_of_word(const hyphen *h, const struct about *a) {
    return far_enough(a->n, h->left, h->right, h->head->dic && !(a->wide & 1));
}

/* The last letter of a part, if it takes one byte, is never broken off. */
static inline uint64_t gaps_but_last(unsigned n, uint64_t wide) {
    const unsigned last = wide >> (n - 1) & 1 ? 1 : 2;
    return n > last ? ones(n - last) : 0;
}

static uint64_t gaps_of_part(const hyphen *h, unsigned n, uint64_t wide, bool begin, bool end) {
    return gaps_but_last(n, wide) &
           far_enough(n, begin ? 0 : h->head->cleft, end ? 0 : h->head->cright, !(wide & 1));
}

/* No breaks beside a sign, and it parts a word. */
static uint64_t gaps_between_signs(const hyphen *h, const struct about *a) {
    uint64_t gaps = 0;
    for (unsigned from = 0, to; from < a->n; from = to + 1) {
        const uint64_t rest = a->signs >> from;
        to = rest ? from + (unsigned)__builtin_ctzll(rest) : a->n;
        if (to > from + 1)
            gaps |= gaps_of_part(h, to - from, a->wide >> from, from == 0, to == a->n) << from;
    }
    return gaps & ~(a->signs | a->signs >> 1);
}

/* From breaks behind characters to breaks before bytes. */
static inline uint64_t before_bytes(uint64_t behind, uint64_t inside) {
    uint64_t before = behind << 1;
    for (; inside; inside &= inside - 1) {
        const uint64_t below = (inside & -inside) - 1;
        before = (before & below) | (before & ~below) << 1;
    }
    return before;
}

/* ---- compounds ---- */

/* The parts of an item, behind those that are there. */
static void part(const struct item *item, uint64_t breaks, const uint8_t *classes, uint8_t *to,
                 size_t *n, struct item *parts, size_t *nparts) {
    for (unsigned from = 0, end; from < item->n; from = end) {
        const uint64_t rest = breaks >> from;
        end = rest ? from + (unsigned)__builtin_ctzll(rest) + 1 : item->n;
        const unsigned length = end - from;
        if (length < 2) continue;
        parts[(*nparts)++] =
            (struct item){(uint32_t)*n,    item->word,           (uint8_t)(item->from + from),
                          (uint8_t)length, item->begin && !from, item->end && end == item->n};
        memcpy(to + *n, classes + item->at + from, length);
        *n += length;
        to[(*n)++] = CLASS_EDGE;
    }
}

/* Words of two levels: those that the first breaks are parted, and their parts looked at in the same
 * way, until it breaks none; then the second level is asked. */
static void break_compounds(const hyphen *h, struct quick *q, size_t nitems, size_t n) {
    for (unsigned round = 0; nitems; round++) {
        const unsigned here = round & 1, there = !here;
        size_t nparts = 0, length = 1;
        uint8_t *classes = q->classes[here];
        memset(classes + n, CLASS_EDGE, BEHIND);
        find_values(&h->level[0], classes, n, q->values[0]);
        find_values(&h->level[1], classes, n, q->values[1]);
        q->classes[there][0] = CLASS_EDGE;
        for (size_t i = 0; i < nitems; i++) {
            const struct item *item = &q->items[here][i];
            struct about *a = &q->about[item->word];
            const uint64_t wide = a->wide >> item->from;
            uint64_t odd, gaps = ones(item->n - 1u);
            a->fine &= odd_values(q->values[0], item, &odd);
            if (odd) {
                part(item, odd, classes, q->classes[there], &length, q->items[there], &nparts);
                if (round) gaps = gaps_but_last(item->n, wide);
            } else {
                a->fine &= odd_values(q->values[1], item, &odd);
                if (round) gaps = gaps_of_part(h, item->n, wide, item->begin, item->end);
            }
            q->bits[item->word] |= (odd & gaps) << item->from;
        }
        nitems = nparts, n = length;
    }
}

static void break_items(const hyphen *h, struct quick *q, size_t nitems, size_t n) {
    const unsigned inner = h->head->nlevels - 1;
    if (inner && !h->head->implicit) {
        break_compounds(h, q, nitems, n);
        return;
    }
    memset(q->classes[0] + n, CLASS_EDGE, BEHIND);
    find_values(&h->level[inner], q->classes[0], n, q->values[inner]);
    for (size_t i = 0; i < nitems; i++) {
        const struct item *item = &q->items[0][i];
        q->about[item->word].fine &= odd_values(q->values[inner], item, &q->bits[item->word]);
    }
}

static inline uint64_t finish(const hyphen *h, const struct about *a, uint64_t bits) {
    bits &= gaps_of_word(h, a);
    if (a->signs) bits &= gaps_between_signs(h, a);
    return before_bytes(bits, a->inside);
}

/* ---- all of it ---- */

static bool make_quick(struct hyphen_room *r) {
    if (!r->quick) r->quick = malloc(sizeof *r->quick);
    return r->quick != NULL;
}

static void break_some(const hyphen *h, struct quick *q, const char *text,
                       const struct hyphen_span *words, size_t nwords, uint64_t *breaks) {
    size_t n = 1, nitems = 0;
    q->classes[0][0] = CLASS_EDGE;
    for (size_t i = 0; i < nwords; i++) {
        struct about *a = &q->about[i];
        q->bits[i] = 0;
        if (words[i].n > QUICK_WORD) {
            *a = (struct about){0};
            continue;
        }
        read_word(h, text + words[i].at, words[i].n, q->classes[0] + n, a);
        if (!a->fine || a->n < 2) continue;
        q->items[0][nitems++] =
            (struct item){(uint32_t)n, (uint32_t)i, 0, (uint8_t)a->n, true, true};
        n += a->n + 1;
    }
    if (nitems) break_items(h, q, nitems, n);
    for (size_t i = 0; i < nwords; i++)
        breaks[i] = q->about[i].fine ? finish(h, &q->about[i], q->bits[i]) : HYPHEN_ASK;
}

bool hyphen_many(const hyphen *h, hyphen_room *r, const char *text, const struct hyphen_span *words,
                 size_t nwords, uint64_t *breaks) {
    if (!make_quick(r)) return false;
    if (!h->head->quick) memset(breaks, 0xff, nwords * sizeof *breaks);
    for (size_t i = 0; h->head->quick && i < nwords; i += NMANY)
        break_some(h, r->quick, text, words + i, nwords - i < NMANY ? nwords - i : NMANY,
                   breaks + i);
    return true;
}

/* So that more can be read than there is. */
static inline void copy_word(char to[QUICK_WORD + 1 + WINDOW], const char *word, size_t n) {
    if (n >= 16) {
        memcpy(to, word, n);
    } else if (n >= 8) {
        memcpy(to, word, 8), memcpy(to + n - 8, word + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, word, 4), memcpy(to + n - 4, word + n - 4, 4);
    } else {
        to[0] = word[0], to[1] = word[1], to[n - 1] = word[n - 1];
    }
}

uint64_t quick_word(const hyphen *h, struct hyphen_room *r, const char *word, size_t n) {
    const unsigned inner = h->head->nlevels - 1;
    uint8_t classes[1 + QUICK_WORD + 1 + BEHIND];
    char copy[QUICK_WORD + 1 + WINDOW] = {0};
    struct about a;
    uint64_t odd, compound = 0;
    copy_word(copy, word, n);
    classes[0] = CLASS_EDGE;
    read_word(h, copy, (unsigned)n, classes + 1, &a);
    if (!a.fine) return HYPHEN_ASK;
    if (a.n < 2) return 0;
    if (a.n >= WINDOW) memset(classes + 1 + a.n, CLASS_EDGE, BEHIND);
    if (inner && !h->head->implicit && !walk_word(&h->level[0], classes, a.n, &compound))
        return HYPHEN_ASK;
    if (compound) {
        const struct hyphen_span whole = {0, (uint32_t)n};
        if (!make_quick(r)) return HYPHEN_ASK;
        break_some(h, r->quick, copy, &whole, 1, &odd);
        return odd;
    }
    return walk_word(&h->level[inner], classes, a.n, &odd) ? finish(h, &a, odd) : HYPHEN_ASK;
}
