/*
 * exact.c - the rules of .dic files in full, as libhyphen has them: words are parted by the first
 * level again and again, the parts are broken by the second; breaks may change the spelling; and
 * TeX's patterns that are longer than a window. Seldom needed, so plain rather than quick.
 */
#include <string.h>

#include "room.h"
#include "utf8.h"

/* Parts of parts of parts: what is deeper is broken as it is. */
enum { DEEPEST = 500 };

struct work {
    const hyphen *h;
    struct hyphen_room *r;
    const struct change *changes;
    unsigned depth;
};

/* ---- one level ---- */

/* The state of a walk: gap i lies before character i. A change is kept by the gap it breaks
 * (`owner`), by the place where it begins (`gap_of`, gap + 1), and how much it cuts there. */
struct slate {
    uint8_t *value;
    uint32_t *owner, *gap_of, *cut;
    size_t n;
};

static void raise_value(struct slate *s, size_t gap, uint8_t value, uint32_t change, size_t start,
                        bool inside) {
    if (s->value[gap] >= value) return;
    s->value[gap] = value;
    if (!(value & 1) || !s->owner) return;
    s->owner[gap] = change;
    if (change && inside) s->gap_of[start] = (uint32_t)gap + 1;
}

/* A change was met: from now on it matters whose values win. */
static bool want_owners(struct work *w, struct slate *s) {
    if (s->owner) return true;
    const size_t bytes = (s->n + 3) * sizeof(uint32_t);
    uint32_t *rows = room_take(w->r, 3 * bytes);
    if (!rows) return false;
    memset(rows, 0, 3 * bytes);
    s->owner = rows, s->gap_of = rows + s->n + 3, s->cut = rows + 2 * (s->n + 3);
    return true;
}

/* `end` characters, edge included, were read when this pattern was found. */
static bool apply_special(struct work *w, const struct special *at, size_t end, struct slate *s) {
    const uint8_t *values = (const uint8_t *)w->h->base + w->h->head->values + at->values;
    /* Gap `end - 1` lies behind the character just read. */
    const size_t behind = end - 1;
    size_t start = 0;
    uint32_t change = 0, cut = 0, index = 0;
    bool placed = false;
    if (at->change != NONE) {
        if (!want_owners(w, s)) return false;
        change = at->change + 1;
        index = w->changes[at->change].start, cut = w->changes[at->change].cut;
        start = behind + 1 + index;
        placed = start >= at->nvalues && start - at->nvalues <= s->n;
        start -= at->nvalues;
        if (placed) s->cut[start] = cut;
    }
    for (size_t k = 0; k < at->nvalues; k++) {
        if (behind + 1 + k < at->nvalues) continue; /* before the word */
        const size_t gap = behind + 1 + k - at->nvalues;
        raise_value(s, gap, values[k], change, start, placed && k >= index && k <= index + cut);
    }
    return true;
}

static bool apply_said(struct work *w, const struct level *l, uint32_t op, size_t end,
                       struct slate *s) {
    for (uint32_t tries = 0; op >= l->nwindows; tries++) {
        const uint32_t number = op - l->nwindows;
        if (number >= l->nspecials || tries > l->nspecials) return true;
        if (!apply_special(w, &l->specials[number], end, s)) return false;
        op = l->specials[number].next;
        if (op == NONE) return true;
    }
    const uint8_t *window = l->windows[op];
    if (!op) return true; /* it says nothing */
    for (size_t k = 0; k < WINDOW; k++)
        if (window[k] && end + k >= WINDOW)
            raise_value(s, end + k - WINDOW, window[k], 0, 0, false);
    return true;
}

/* Where changes won: tell the character before the break. */
static void note_changes(struct slate *s, size_t n, struct alter *alters, bool *altered) {
    for (size_t i = 0; i < n; i++) {
        if (!s->gap_of[i]) continue;
        const size_t gap = s->gap_of[i] - 1;
        if (!s->owner[gap] || gap < 1 || gap > n || gap < i) continue;
        alters[gap - 1] = (struct alter){s->owner[gap], (uint32_t)(gap - i), s->cut[i]};
        *altered = true;
        i += s->cut[i] - 1;
    }
}

static bool walk_level(struct work *w, unsigned number, const uint16_t *classes, size_t n,
                       uint8_t *odd, struct alter *alters) {
    const struct level *l = &w->h->level[number];
    if (walk_long(l, classes, n, odd)) return odd[n - 1] = 0, true;
    const struct mark mark = room_mark(w->r);
    struct slate s = {.value = room_take(w->r, n + 3), .n = n};
    struct walk at = {0};
    bool fine = s.value != NULL;
    if (fine) memset(s.value, 0, n + 3);
    for (size_t i = 0; fine && i < n + 2; i++) {
        at = step(l, at, i && i <= n ? classes[i - 1] & CLASS : CLASS_EDGE);
        fine = apply_said(w, l, said(l, at), i + 1, &s);
    }
    if (fine) {
        for (size_t i = 0; i + 1 < n; i++) odd[i] = s.value[i + 1] & 1;
        odd[n - 1] = 0;
        if (s.owner) note_changes(&s, n, alters, &w->r->altered);
    }
    room_release(w->r, mark);
    return fine;
}

/* ---- least distances ---- */

static size_t chars_in(const char *text, size_t bytes) {
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++) n += (text[i] & 0xc0) != 0x80;
    return n;
}

static size_t weight(const uint16_t *classes, size_t from, size_t to) {
    size_t n = 0;
    for (size_t i = from; i < to; i++) n += classes[i] & LONG_LIGATURE ? 2 : 1;
    return n;
}

/* A change may bring letters with it: then those count. */
static bool change_is_near(struct work *w, const uint16_t *classes, size_t n, size_t gap,
                           const struct alter *a, unsigned least, bool right) {
    const struct change *change = &w->changes[a->change - 1];
    const char *text = w->h->base + w->h->head->text + change->text;
    const char *sign = memchr(text, '=', change->bytes);
    if (!sign) return false;
    const size_t left_bytes = (size_t)(sign - text), start = gap + 1 - a->back,
                 end = start + a->cut;
    if (right)
        return weight(classes, end < n ? end : n, n) +
                   chars_in(sign + 1, change->bytes - left_bytes - 1) <
               least;
    return weight(classes, 0, start) + chars_in(text, left_bytes) < least;
}

static void forbid(struct work *w, const uint16_t *classes, size_t n, size_t gap, uint8_t *odd,
                   struct alter *alters, unsigned least, bool right) {
    if (w->r->altered && alters[gap].change) {
        if (!change_is_near(w, classes, n, gap, &alters[gap], least, right)) return;
        alters[gap].change = 0;
    }
    odd[gap] = 0;
}

/* Digits at the ends do not count; ligatures of three letters count twice, on the left. */
static void keep_left(struct work *w, const uint16_t *classes, size_t n, uint8_t *odd,
                      struct alter *alters, unsigned least) {
    long count = classes[0] & LONG_LIGATURE ? 2 : 1;
    for (size_t i = 0; i < n && classes[i] & DIGIT; i++) count--;
    for (size_t gap = 0; count < (long)least && gap < n; count++) {
        forbid(w, classes, n, gap++, odd, alters, least, false);
        if (gap < n && classes[gap] & LONG_LIGATURE) count++;
    }
}

/* Under a .dic the gap behind a first character of one byte is out of reach. */
static void keep_right(struct work *w, const uint16_t *classes, size_t n, uint8_t *odd,
                       struct alter *alters, unsigned least) {
    const size_t last = w->h->head->dic && !(classes[0] & WIDE) ? 1 : 0;
    long count = 0;
    for (size_t i = n - 1; i > 0 && classes[i] & DIGIT; i--) count--;
    for (size_t gap = n; count < (long)least && gap-- > last; count++)
        forbid(w, classes, n, gap, odd, alters, least, true);
}

/* ---- parts ---- */

static bool break_part(struct work *w, const uint16_t *classes, size_t n, uint8_t *odd,
                       struct alter *alters, bool at_begin, bool at_end);

/* A part that ends before a change has the changed spelling: the classes of that. */
static const uint16_t *respell(struct work *w, const uint16_t *classes, size_t begin, size_t *n,
                               size_t gap, const struct alter *a) {
    const struct change *change = &w->changes[a->change - 1];
    const char *text = w->h->base + w->h->head->text + change->text;
    const char *sign = memchr(text, '=', change->bytes);
    const size_t bytes = sign ? (size_t)(sign - text) : 0, start = gap + 1 - a->back;
    if (!sign || start < begin) return classes;
    uint16_t *to = room_take(w->r, (start - begin + bytes + 1) * sizeof *to);
    if (!to) return NULL;
    memcpy(to, classes, (start - begin) * sizeof *to);
    *n = start - begin;
    for (size_t i = 0; i < bytes;) {
        uint32_t c = 0;
        const size_t size = utf8_get(text + i, bytes - i, &c);
        if (!size) break;
        to[(*n)++] = class_of(w->h, c) | (size > 1 && w->h->head->utf8 ? WIDE : 0);
        i += size;
    }
    return to;
}

static bool break_inside(struct work *w, const uint16_t *classes, size_t begin, size_t end,
                         uint8_t *odd, struct alter *alters, bool at_begin, bool at_end) {
    const struct mark mark = room_mark(w->r);
    size_t n = end - begin + 1;
    const size_t before = n;
    const uint16_t *part = classes + begin;
    const bool changed = w->r->altered && alters[end].change;
    if (changed) part = respell(w, part, begin, &n, end, &alters[end]);
    uint8_t *odd2 = part ? room_take(w->r, n + 1) : NULL;
    struct alter *alters2 = odd2 ? room_take(w->r, (n + 1) * sizeof *alters2) : NULL;
    bool fine = alters2 != NULL && n > 0;
    if (fine) {
        memset(alters2, 0, (n + 1) * sizeof *alters2);
        fine = break_part(w, part, n, odd2, alters2, at_begin, at_end);
    }
    /* The last letter of a part, if it takes one byte, is never broken off. */
    const size_t last = classes[end] & WIDE ? 1 : 2;
    for (size_t i = 0; fine && i + last < before; i++) {
        odd[begin + i] = i < n ? odd2[i] : 0;
        if (i < n && alters2[i].change) alters[begin + i] = alters2[i];
    }
    room_release(w->r, mark);
    return fine;
}

/* Parts are taken out of a copy, in which digits are mere edges and count like letters. */
static uint16_t *copy_for_parts(struct work *w, const uint16_t *classes, size_t n) {
    uint16_t *copy = room_take(w->r, n * sizeof *copy);
    for (size_t i = 0; copy && i < n; i++) copy[i] = classes[i] & (uint16_t)~DIGIT;
    return copy;
}

static size_t bytes_of(const hyphen *h, uint16_t class) {
    const uint32_t *alphabet = (const void *)(h->base + h->head->alphabet);
    if (!(class & WIDE)) return 1;
    return alphabet[class & CLASS] < 0x800 ? 2 : 3; /* or 4 */
}

/* The parts of a word that the first level breaks. Those of one or two bytes are passed over. Work on
 * others leaves traces: a digit that follows is one again, and where the spelling changed, so are all
 * from there on. */
static bool break_parts(struct work *w, const uint16_t *classes, size_t n, uint8_t *odd,
                        struct alter *alters, bool at_begin, bool at_end) {
    const struct mark mark = room_mark(w->r);
    uint16_t *copy = copy_for_parts(w, classes, n);
    const uint16_t *from = copy;
    bool fine = copy != NULL;
    for (size_t i = 0, begin = 0; fine && i < n; i++) {
        const bool breaks = odd[i];
        if (!breaks && i + 1 < n) continue;
        size_t bytes = 0;
        for (size_t k = begin; k <= i; k++) bytes += bytes_of(w->h, classes[k]);
        if (bytes > 2 && i > begin)
            fine = break_inside(w, from, begin, i, odd, alters, begin == 0 && at_begin,
                                !breaks && at_end);
        if (bytes > 2 && w->r->altered && alters[i].change) from = classes;
        else if (bytes > 2 && i + 1 < n) copy[i + 1] = classes[i + 1];
        begin = i + 1;
    }
    room_release(w->r, mark);
    return fine;
}

static bool break_part(struct work *w, const uint16_t *classes, size_t n, uint8_t *odd,
                       struct alter *alters, bool at_begin, bool at_end) {
    const struct image_head *head = w->h->head;
    if (!walk_level(w, 0, classes, n, odd, alters)) return false;
    if (head->nlevels < 2) return true;
    if (w->depth < DEEPEST && memchr(odd, 1, n)) {
        w->depth++;
        const bool fine = break_parts(w, classes, n, odd, alters, at_begin, at_end);
        w->depth--;
        return fine;
    }
    if (!walk_level(w, 1, classes, n, odd, alters)) return false;
    if (!at_begin) keep_left(w, classes, n, odd, alters, head->cleft);
    if (!at_end) keep_right(w, classes, n, odd, alters, head->cright);
    return true;
}

/* ---- the whole word ---- */

/* No break before or behind these. */
static void spare_nohyphen(const hyphen *h, const uint16_t *classes, size_t n, uint8_t *odd) {
    const uint16_t *items = (const void *)(h->base + h->head->nohyphen);
    for (size_t at = 0; at < h->head->nnohyphen; at++) {
        size_t length = 0;
        while (at + length < h->head->nnohyphen && items[at + length]) length++;
        for (size_t i = 0; length && i + length <= n; i++) {
            size_t same = 0;
            while (same < length && (classes[i + same] & CLASS) == items[at + same]) same++;
            if (same < length) continue;
            odd[i + length - 1] = 0;
            if (i) odd[i - 1] = 0;
        }
        at += length;
    }
}

void break_exactly(const hyphen *h, struct hyphen_room *r, size_t n) {
    struct work w = {h, r, (const void *)(h->base + h->head->changes), 0};
    memset(r->alters, 0, n * sizeof *r->alters);
    if (!break_part(&w, r->classes, n, r->odd, r->alters, true, true)) {
        r->failed = true;
        return;
    }
    keep_left(&w, r->classes, n, r->odd, r->alters, h->left);
    keep_right(&w, r->classes, n, r->odd, r->alters, h->right);
    spare_nohyphen(h, r->classes, n, r->odd);
}
