/*
 * quick.c - words of at most 62 bytes in which nothing special happens, many at once.
 *
 *     words -> classes, one after the other with an edge between them -> values of all gaps -> bits
 *
 * Eight walks through the classes go on at the same time, each in an eighth of them: one alone would
 * wait for memory at every step. What something special is met in, exact.c works out.
 */
#include <stdlib.h>
#include <string.h>

#include "room.h"
#include "utf8.h"
#include "window.h"

enum {
    NMANY = 384,            /* words at a time */
    LANES = 8,              /* walks */
    WORTH = QUICK_WORD + 4, /* classes that are worth as many walks: more than a word has */
    PARTS = QUICK_WORD / 2, /* of a word, with two characters or more */
    /* Words, or parts of them, an edge behind each; and how much is copied or looked at behind. */
    NCLASSES = NMANY * (QUICK_WORD + PARTS) + 1,
    BEHIND = QUICK_WORD + WINDOW,
    /* An eighth of them, and on to the next edge; and how much is written behind. */
    LANE = NCLASSES / LANES + LANES + QUICK_WORD + 2 + WINDOW
};

/* A word or a part of one. */
struct item {
    uint32_t at, word; /* where it begins among the classes; whose it is */
    uint8_t from, n;   /* characters: where it begins in its word */
    bool begin, end;   /* it has the word's begin, end */
};

/* What is to be known of a word. A bit a character, and of `inside` a bit a byte. */
struct about {
    uint64_t signs;  /* hyphens and apostrophes: edges that part it */
    uint64_t wide;   /* more than one byte, where that makes a difference */
    uint64_t inside; /* bytes that begin no character */
    uint32_t at;     /* where it begins among the classes */
    unsigned n;      /* characters */
    bool fine;       /* not for exact.c */
};

/* Words or parts one after the other: they begin and end with an edge. */
struct run {
    size_t n, nitems;
    struct item items[NMANY * PARTS]; /* not of words that have no parts */
    uint8_t classes[NCLASSES + BEHIND];
    uint8_t values[WINDOW + NCLASSES + BEHIND];
};

/* What each walk goes through, and finds. As far from one walk to the next for all: so one place is
 * kept for eight, and processors have not many more registers. */
struct lanes {
    uint8_t classes[LANES][LANE], values[LANES][LANE];
    uint16_t recent[LANES][LANE];
};

struct quick {
    struct lanes lanes;
    struct run now, next, whole; /* compounds, their parts, and what is none */
    struct about about[NMANY];
    uint64_t bits[NMANY]; /* break behind characters */
    uint64_t gaps[QUICK_WORD + 1];
};

static inline uint64_t ones(unsigned n) { return ((uint64_t)1 << n) - 1; } /* n < 64 */

/* ---- word -> classes ---- */

/* The letters of two bytes, a bit of `others` each, and the classes behind each anew, as those move
 * up. One look a letter and none a byte: which bytes are letters, no processor foretells. */
static bool read_accents(const hyphen *h, const char *word, unsigned n, uint64_t others,
                         uint8_t *to, struct about *a) {
    unsigned chars = n;
    while (others) {
        const unsigned i = (unsigned)__builtin_ctzll(others), at = i - (n - chars);
        const uint8_t first = (uint8_t)word[i], second = (uint8_t)word[i + 1];
        if (first < 0xc2 || first >= 0xe0 || (second & 0xc0) != 0x80 || i + 1 == n) return false;
        const unsigned class = h->small[(first & 0x1fu) << 6 | (second & 0x3f)];
        if (class & FLAGS) return false;
        others &= ~((uint64_t)3 << i);
        a->inside |= (uint64_t)2 << i;
        a->wide |= (uint64_t)1 << at;
        chars--;
        to[at] = (uint8_t) class;
        const unsigned end = others ? (unsigned)__builtin_ctzll(others) : n;
        for (unsigned k = i + 2; k < end; k += WINDOW) {
            uint32_t signs;
            latin_classes(word + k, to + k - (n - chars), &signs);
        }
    }
    if (!h->head->utf8) a->wide = 0;
    a->n = chars;
    return true;
}

/* Letters from a to z, those of two bytes, and where those part words, signs. */
static inline bool read_latin(const hyphen *h, const char *word, unsigned n, uint8_t *to,
                              struct about *a) {
    uint32_t some;
    uint64_t letters = latin_classes(word, to, &some), signs = some;
    for (unsigned i = WINDOW; i < n; i += WINDOW) {
        letters |= (uint64_t)latin_classes(word + i, to + i, &some) << i;
        signs |= (uint64_t)some << i;
    }
    signs &= h->head->implicit ? ones(n) : 0;
    a->signs = signs, a->wide = a->inside = 0, a->n = n, a->fine = true;
    const uint64_t others = ~(letters | signs) & ones(n);
    return !others || (!signs && read_accents(h, word, n, others, to, a));
}

/* Any characters. */
static void read_any(const hyphen *h, const char *word, unsigned n, uint8_t *to, struct about *a) {
    const bool implicit = h->head->implicit;
    unsigned flags = 0, chars = 0;
    a->signs = a->wide = a->inside = 0, a->fine = false, a->n = 0;
    for (unsigned i = 0; i < n; chars++) {
        const uint8_t first = (uint8_t)word[i], second = (uint8_t)word[i + 1];
        unsigned class = h->small[first & 0x7f];
        if (first >= 0x80) {
            uint32_t c = (first & 0x1fu) << 6 | (second & 0x3f);
            unsigned size = 2;
            if (first < 0xc2 || first >= 0xe0 || (second & 0xc0) != 0x80 || i + 1 == n)
                size = (unsigned)utf8_get(word + i, n - i, &c);
            if (!size) return;
            class = size == 2 ? h->small[c] : class_of(h, c);
            a->inside |= ones(size - 1) << (i + 1);
            a->wide |= (uint64_t)1 << chars;
            i += size - 1;
        }
        i++;
        if (class & FLAGS) {
            if (implicit && class & UNUSUAL && (class & CLASS) > CLASS_EDGE) {
                a->signs |= (uint64_t)1 << chars;
                class = CLASS_EDGE;
            }
            flags |= class;
        }
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
    uint64_t slot;
    window v;
};

/* Only the oldest value is final. To put four is quicker, and the next steps put the rest again. */
static inline __attribute__((always_inline)) void lane_step(const struct level *l, struct lanes *w,
                                                            struct lane *to, unsigned k, size_t i,
                                                            bool full) {
    to->slot = slot_from(l, to->slot, full ? 0 : w->recent[k][i], w->classes[k][i], full);
    to->v = window_step(to->v, (const uint8_t *)l->windows +
                                   (size_t)said_twice(to->slot, full) * (WINDOW / 2));
    window_put_four(to->v, w->values[k] + i + 1);
}

static inline __attribute__((always_inline)) void walk_one(const struct level *l, struct lanes *w,
                                                           size_t n, bool full) {
    struct lane a = {0, window_at(l->windows[0])};
    for (size_t i = 0; i < n; i++) lane_step(l, w, &a, 0, i, full);
    window_put(a.v, w->values[0] + n);
}

/* By name: of an array, compilers keep half in memory. */
static inline __attribute__((always_inline)) void walk_all(const struct level *l, struct lanes *w,
                                                           size_t n, bool full) {
    const struct lane begin = {0, window_at(l->windows[0])};
    struct lane a = begin, b = begin, c = begin, d = begin;
    struct lane e = begin, f = begin, g = begin, h = begin;
    for (size_t i = 0; i < n; i++) {
        lane_step(l, w, &a, 0, i, full), lane_step(l, w, &b, 1, i, full);
        lane_step(l, w, &c, 2, i, full), lane_step(l, w, &d, 3, i, full);
        lane_step(l, w, &e, 4, i, full), lane_step(l, w, &f, 5, i, full);
        lane_step(l, w, &g, 6, i, full), lane_step(l, w, &h, 7, i, full);
    }
    window_put(a.v, w->values[0] + n), window_put(b.v, w->values[1] + n);
    window_put(c.v, w->values[2] + n), window_put(d.v, w->values[3] + n);
    window_put(e.v, w->values[4] + n), window_put(f.v, w->values[5] + n);
    window_put(g.v, w->values[6] + n), window_put(h.v, w->values[7] + n);
}

static void find_recent(const struct level *l, const uint8_t *classes, size_t n, uint16_t *recent) {
    const uint16_t mask = (uint16_t)l->recent;
    recent[0] = 0, recent[1] = classes[0] & mask;
    for (size_t i = 2; i < n; i += 8) recent_of(classes + i - 2, recent + i, l->shift, mask);
}

/* Where each lane begins, and the last one ends: at edges. The most classes that one has. */
static size_t cut_lanes(const struct run *r, size_t nlanes, size_t cuts[LANES + 1]) {
    size_t most = 0;
    for (size_t k = 0; k <= nlanes; k++) {
        size_t at = k < nlanes ? r->n / nlanes * k : r->n - 1;
        while (r->classes[at] != CLASS_EDGE) at++;
        cuts[k] = at;
        if (k && at - cuts[k - 1] + 1 > most) most = at - cuts[k - 1] + 1;
    }
    return most;
}

/* The value of the gap behind classes[i], which begin and end with an edge, to values[WINDOW + i].
 * The edge between two lanes is in both: what was said of it is known to the first. */
static void find_values(const struct level *level, struct run *r, struct lanes *w) {
    const struct level l = *level;
    const size_t nlanes = r->n < WORTH ? 1 : LANES;
    size_t cuts[LANES + 1];
    const size_t most = cut_lanes(r, nlanes, cuts);
    for (size_t k = 0; k < nlanes; k++) {
        const size_t n = cuts[k + 1] - cuts[k] + 1;
        memcpy(w->classes[k], r->classes + cuts[k], n);
        memset(w->classes[k] + n, CLASS_EDGE, most - n);
        if (!l.full) find_recent(&l, w->classes[k], most, w->recent[k]);
    }
    if (nlanes == 1 && l.full) walk_one(&l, w, most, true);
    else if (nlanes == 1) walk_one(&l, w, most, false);
    else if (l.full) walk_all(&l, w, most, true);
    else walk_all(&l, w, most, false);
    for (size_t k = 0; k < nlanes; k++)
        memcpy(r->values + WINDOW + cuts[k] + 1, w->values[k] + WINDOW + 1, cuts[k + 1] - cuts[k]);
}

/* Bit i: a break behind character i of the n that begin with classes[at]; and nothing said of that
 * gap, if somebody wants to know. False if something special happens. */
static inline bool odd_values(const uint8_t *values, size_t at, unsigned n, uint64_t *odd,
                              uint64_t *none) {
    window v = window_at(values + WINDOW + at);
    uint64_t special = window_special(v), bits = window_odd(v), zeros = none ? window_zero(v) : 0;
    for (unsigned i = WINDOW; i <= n; i += WINDOW) {
        v = window_at(values + WINDOW + at + i);
        bits |= (uint64_t)window_odd(v) << i;
        special |= (uint64_t)window_special(v) << i;
        if (none) zeros |= (uint64_t)window_zero(v) << i;
    }
    if (none) *none = zeros;
    *odd = bits & ones(n - 1);
    return !(special & ones(n + 1));
}

/* The same of one short word, its classes between edges: no detour over memory. */
static inline bool walk_short(const struct level *l, const uint8_t *classes, unsigned n,
                              uint64_t *odd) {
    struct walk at = {0};
    window v = window_at(l->windows[0]);
    for (unsigned i = 0; i < n + 2; i++) {
        at = step(l, at, classes[i]);
        v = window_step(v, l->windows[said(l, at)]);
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

static inline uint64_t gaps_of_word(const hyphen *h, unsigned n) {
    return far_enough(n, h->left, h->right, h->head->dic);
}

/* The last letter of a part, if it takes one byte, is never broken off. */
static inline uint64_t gaps_but_last(unsigned n, uint64_t wide) {
    const unsigned last = wide >> (n - 1) & 1 ? 1 : 2;
    return n > last ? ones(n - last) : 0;
}

static inline uint64_t gaps_of_part(const hyphen *h, unsigned n, uint64_t wide, bool begin,
                                    bool end) {
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

static inline uint64_t finish(const hyphen *h, const struct about *a, uint64_t gaps, uint64_t odd) {
    if (a->wide & 1 && a->n <= h->right) gaps = 0; /* here the distance does reach it */
    odd &= gaps;
    if (a->signs) odd &= gaps_between_signs(h, a);
    return before_bytes(odd, a->inside);
}

/* ---- compounds ---- */

static void run_begin(struct run *r) { r->classes[0] = CLASS_EDGE, r->n = 1, r->nitems = 0; }

/* The rest of what it answers is to be set, field by field: a whole item, made elsewhere and copied
 * at once, would be waited for. */
static inline struct item *run_add(struct run *r, const uint8_t *classes, unsigned n) {
    struct item *to = &r->items[r->nitems++];
    to->at = (uint32_t)r->n, to->n = (uint8_t)n;
    memcpy(r->classes + r->n, classes, WINDOW); /* a few more do no harm */
    for (unsigned i = WINDOW; i < n; i += WINDOW)
        memcpy(r->classes + r->n + i, classes + i, WINDOW);
    r->n += n;
    r->classes[r->n++] = CLASS_EDGE;
    return to;
}

static inline void run_add_whole(struct run *r, const struct item *item, const uint8_t *classes) {
    struct item *to = run_add(r, classes, item->n);
    to->word = item->word, to->from = item->from;
    to->begin = item->begin, to->end = item->end;
}

/* The first part, walked alone, would meet what was met in it before, without what lies behind it;
 * and its edge says nothing. So if nothing was said of its gaps, it has no breaks. */
static inline bool first_is_whole(const hyphen *h, uint64_t breaks, uint64_t none) {
    const uint64_t inside = (breaks & -breaks) - 1;
    return h->head->unended && !(inside & ~none);
}

static void run_add_parts(struct run *first, struct run *rest, const struct item *item,
                          uint64_t breaks, const uint8_t *classes) {
    for (unsigned from = 0, end; from < item->n; from = end) {
        const uint64_t behind = breaks >> from;
        end = behind ? from + (unsigned)__builtin_ctzll(behind) + 1 : item->n;
        if (end - from < 2) continue;
        struct item *to = run_add(from ? rest : first, classes + from, end - from);
        to->word = item->word, to->from = (uint8_t)(item->from + from);
        to->begin = item->begin && !from, to->end = item->end && end == item->n;
    }
}

/* The first level parts words, and their parts, until it breaks none; then the second is asked. */
static void break_compounds(const hyphen *h, struct quick *q) {
    run_begin(&q->whole);
    for (bool parts = false; q->now.nitems; parts = true) {
        run_begin(&q->next);
        find_values(&h->level[0], &q->now, &q->lanes);
        for (size_t i = 0; i < q->now.nitems; i++) {
            const struct item *item = &q->now.items[i];
            const uint8_t *classes = q->now.classes + item->at;
            struct about *a = &q->about[item->word];
            uint64_t odd, none;
            a->fine &= odd_values(q->now.values, item->at, item->n, &odd, &none);
            if (!odd) {
                run_add_whole(&q->whole, item, classes);
                continue;
            }
            run_add_parts(first_is_whole(h, odd, none) ? &q->whole : &q->next, &q->next, item, odd,
                          classes);
            if (parts) odd &= gaps_but_last(item->n, a->wide >> item->from);
            q->bits[item->word] |= odd << item->from;
        }
        q->now.n = q->next.n, q->now.nitems = q->next.nitems;
        memcpy(q->now.classes, q->next.classes, q->next.n);
        memcpy(q->now.items, q->next.items, q->next.nitems * sizeof *q->next.items);
    }
    find_values(&h->level[1], &q->whole, &q->lanes);
    for (size_t i = 0; i < q->whole.nitems; i++) {
        const struct item *item = &q->whole.items[i];
        struct about *a = &q->about[item->word];
        uint64_t odd;
        a->fine &= odd_values(q->whole.values, item->at, item->n, &odd, NULL);
        if (!item->begin || !item->end)
            odd &= gaps_of_part(h, item->n, a->wide >> item->from, item->begin, item->end);
        q->bits[item->word] |= odd << item->from;
    }
}

/* ---- all of it ---- */

static bool make_quick(struct hyphen_room *r) {
    if (!r->quick) r->quick = malloc(sizeof *r->quick);
    return r->quick != NULL;
}

static bool has_compounds(const hyphen *h) { return h->head->nlevels > 1 && !h->head->implicit; }

static void break_some(const hyphen *h, struct quick *q, const char *text,
                       const struct hyphen_span *words, size_t nwords, uint64_t *breaks) {
    const bool compounds = has_compounds(h);
    uint8_t *const classes = q->now.classes;
    size_t n = 1;
    run_begin(&q->now);
    for (size_t i = 0; i < nwords; i++) {
        struct about *a = &q->about[i];
        a->at = (uint32_t)n, a->n = 0, a->fine = false;
        if (words[i].n > QUICK_WORD) continue;
        read_word(h, text + words[i].at, words[i].n, classes + n, a);
        if (compounds && a->fine && a->n > 1)
            q->now.items[q->now.nitems++] =
                (struct item){(uint32_t)n, (uint32_t)i, 0, (uint8_t)a->n, true, true};
        n += a->n + 1;
    }
    q->now.n = n;
    if (compounds) {
        memset(q->bits, 0, nwords * sizeof *q->bits);
        break_compounds(h, q);
    } else {
        find_values(&h->level[h->head->nlevels - 1], &q->now, &q->lanes);
    }
    for (size_t i = 0; i < nwords; i++) {
        const struct about *a = &q->about[i];
        uint64_t odd = q->bits[i];
        bool fine = a->fine;
        if (!compounds && a->n > 1) fine &= odd_values(q->now.values, a->at, a->n, &odd, NULL);
        breaks[i] = !fine ? HYPHEN_ASK : a->n < 2 ? 0 : finish(h, a, q->gaps[a->n], odd);
    }
}

static void find_gaps(const hyphen *h, struct quick *q) {
    for (unsigned i = 0; i <= QUICK_WORD; i++) q->gaps[i] = gaps_of_word(h, i);
}

bool hyphen_many(const hyphen *h, hyphen_room *r, const char *text, const struct hyphen_span *words,
                 size_t nwords, uint64_t *breaks) {
    if (!make_quick(r)) return false;
    if (!h->head->quick) memset(breaks, 0xff, nwords * sizeof *breaks);
    else find_gaps(h, r->quick);
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
    uint8_t classes[1 + QUICK_WORD + 1 + WINDOW];
    char copy[QUICK_WORD + 1 + WINDOW] = {0};
    struct about a = {0};
    uint64_t odd, compound = 0;
    copy_word(copy, word, n);
    classes[0] = CLASS_EDGE;
    read_word(h, copy, (unsigned)n, classes + 1, &a);
    if (!a.fine) return HYPHEN_ASK;
    if (a.n < 2) return 0;
    if (has_compounds(h) && a.n < WINDOW && !walk_short(&h->level[0], classes, a.n, &compound))
        return HYPHEN_ASK;
    if (a.n >= WINDOW || compound) {
        const struct hyphen_span whole = {0, (uint32_t)n};
        if (!make_quick(r)) return HYPHEN_ASK;
        r->quick->gaps[a.n] = gaps_of_word(h, a.n);
        break_some(h, r->quick, copy, &whole, 1, &odd);
        return odd;
    }
    if (!walk_short(&h->level[h->head->nlevels - 1], classes, a.n, &odd)) return HYPHEN_ASK;
    return finish(h, &a, gaps_of_word(h, a.n), odd);
}
