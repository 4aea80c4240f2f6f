/* walk.c - from a word to its breaks. Most words are short, of usual letters, and meet nothing
 * special: they take one pass through the table. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "room.h"
#include "utf8.h"
#include "window.h"

enum { SHORT_WORD = WINDOW - 1 };

static inline uint32_t next_entry(const struct level *l, uint32_t entry, uint32_t class,
                                  bool scaled) {
    const size_t row = (entry & ~SPECIAL) >> l->opbits;
    return l->table[(scaled ? row : row * l->factor) + class];
}

/* ---- classes -> values ---- */

uint32_t walk_short(const struct level *l, const uint16_t *classes, size_t n, uint32_t *seen) {
    uint32_t entry = l->begin, all = entry;
    window v = window_at(l->windows[entry & l->opmask]);
    for (size_t i = 0; i <= n; i++) {
        entry = step(l, entry, i < n ? classes[i] & CLASS : CLASS_EDGE);
        all |= entry;
        v = window_step(v, l->windows[entry & l->opmask]);
    }
    *seen = all;
    return window_odd(v) >> (SHORT_WORD - n);
}

bool walk_long(const struct level *l, const uint16_t *classes, size_t n, uint8_t *odd) {
    uint32_t entry = l->begin, all = entry;
    window v = window_at(l->windows[entry & l->opmask]);
    for (size_t i = 0; i <= n; i++) {
        /* Gap 0 of the window lies 16 characters back; the edge is one of them. */
        if (i >= WINDOW) odd[i - WINDOW] = window_oldest(v) & 1;
        entry = step(l, entry, i < n ? classes[i] & CLASS : CLASS_EDGE);
        all |= entry;
        v = window_step(v, l->windows[entry & l->opmask]);
    }
    const uint32_t rest = window_odd(v);
    for (size_t i = n < SHORT_WORD ? SHORT_WORD - n : 0; i < SHORT_WORD; i++)
        odd[n - SHORT_WORD + i] = rest >> i & 1;
    return !(all & SPECIAL);
}

/* ---- the room ---- */

hyphen_room *hyphen_room_new(void) { return calloc(1, sizeof(hyphen_room)); }

static void free_arrays(struct hyphen_room *r) {
    free(r->classes), free(r->places), free(r->odd), free(r->alters), free(r->breaks);
}

void hyphen_room_free(hyphen_room *r) {
    if (!r) return;
    room_release(r, (struct mark){0});
    free_arrays(r);
    free(r);
}

/* `n` bytes are at least as many as characters. */
static bool make_room(struct hyphen_room *r, size_t n) {
    if (n < r->nchars_room) return true;
    const size_t room = n + n / 2 + 64;
    free_arrays(r);
    r->classes = malloc(room * sizeof *r->classes);
    r->places = malloc(room * sizeof *r->places);
    r->odd = malloc(room);
    r->alters = malloc(room * sizeof *r->alters);
    r->breaks = malloc(room * sizeof *r->breaks);
    const bool fine = r->classes && r->places && r->odd && r->alters && r->breaks;
    r->nchars_room = fine ? room : 0;
    if (!fine) {
        free_arrays(r);
        r->classes = NULL, r->places = NULL, r->odd = NULL, r->alters = NULL, r->breaks = NULL;
    }
    return fine;
}

struct mark room_mark(const struct hyphen_room *r) {
    return (struct mark){r->chunk, r->chunk ? r->chunk->used : 0};
}

void room_release(struct hyphen_room *r, struct mark to) {
    while (r->chunk != to.chunk) {
        struct chunk *before = r->chunk->before;
        free(r->chunk);
        r->chunk = before;
    }
    if (r->chunk) r->chunk->used = to.used;
}

void *room_take(struct hyphen_room *r, size_t bytes) {
    bytes = (bytes + 15) / 16 * 16;
    if (!r->chunk || r->chunk->bytes - r->chunk->used < bytes) {
        const size_t size = bytes > 65536 ? bytes : 65536;
        struct chunk *new = malloc(sizeof *new + size);
        if (!new) return r->failed = true, NULL;
        *new = (struct chunk){r->chunk, size, 0};
        r->chunk = new;
    }
    r->chunk->used += bytes;
    return r->chunk->room + r->chunk->used - bytes;
}

/* ---- values -> breaks ---- */

static size_t list_breaks(const hyphen *h, struct hyphen_room *r, size_t nchars) {
    const struct change *changes = (const void *)(h->base + h->head->changes);
    size_t n = 0;
    for (size_t i = 0; i + 1 < nchars; i++) {
        if (!r->odd[i]) continue;
        struct hyphen_break *to = &r->breaks[n++];
        *to = (struct hyphen_break){.at = r->places[i + 1]};
        if (!r->altered || !r->alters[i].change) continue;
        const struct change *change = &changes[r->alters[i].change - 1];
        const size_t start = i + 1 - r->alters[i].back, end = start + r->alters[i].cut;
        to->start = r->places[start];
        to->cut = r->places[end < nchars ? end : nchars] - to->start;
        to->text = h->base + h->head->text + change->text;
        to->bytes = change->bytes;
    }
    return n;
}

/* Breaks after characters `left` to nchars - `right`; none are unusual, so libhyphen's and TeX's
 * rules are the same, but that libhyphen's right distance does not reach the first letter. */
static bool far_enough(const hyphen *h, size_t i, size_t nchars, bool wide) {
    const bool from_right = nchars - 1 - i >= h->right || (i == 0 && h->head->dic && !wide);
    return i + 1 >= h->left && from_right;
}

static size_t break_any(const hyphen *h, struct hyphen_room *r, const char *word, size_t n) {
    size_t nchars = 0;
    unsigned flags = 0;
    r->altered = r->failed = false;
    if (!make_room(r, n + 1)) return 0;
    for (size_t i = 0; i < n; nchars++) {
        uint32_t c;
        const size_t size = utf8_get(word + i, n - i, &c);
        if (!size) return 0;
        r->places[nchars] = i;
        r->classes[nchars] = class_of(h, c);
        flags |= r->classes[nchars];
        if (size > 1 && h->head->utf8) r->classes[nchars] |= WIDE;
        i += size;
    }
    r->places[nchars] = n;
    if (nchars < 2) return 0;
    const struct level *inner = &h->level[h->head->nlevels - 1];
    bool plain = !(flags & FLAGS);
    if (plain && h->head->nlevels > 1 && !h->head->implicit) {
        plain = walk_long(&h->level[0], r->classes, nchars, r->odd);
        for (size_t i = 0; plain && i + 1 < nchars; i++) plain = !r->odd[i];
    }
    if (plain) plain = walk_long(inner, r->classes, nchars, r->odd);
    if (plain) {
        const bool wide = r->classes[0] & WIDE;
        for (size_t i = 0; i + 1 < nchars; i++) r->odd[i] &= far_enough(h, i, nchars, wide);
    } else {
        break_exactly(h, r, nchars);
        if (r->failed) return 0;
    }
    return list_breaks(h, r, nchars);
}

/* ---- the short way: ASCII, at most 15 letters ---- */

static inline uint32_t walk_ascii(const hyphen *h, const struct level *l, const char *word,
                                  size_t n, uint32_t *seen, uint32_t *flags, bool scaled) {
    uint32_t entry = l->begin, all = entry, marks = 0;
    window v = window_at(l->windows[entry & l->opmask]);
    for (size_t i = 0; i < n; i++) {
        const uint32_t class = h->ascii[(uint8_t)word[i]];
        marks |= class;
        entry = next_entry(l, entry, class & CLASS, scaled);
        all |= entry;
        v = window_step(v, l->windows[entry & l->opmask]);
    }
    entry = next_entry(l, entry, CLASS_EDGE, scaled);
    v = window_step(v, l->windows[entry & l->opmask]);
    *seen = all | entry;
    *flags = marks & FLAGS;
    return window_odd(v) >> (SHORT_WORD - n);
}

static inline uint32_t walk_either(const hyphen *h, const struct level *l, const char *word,
                                   size_t n, uint32_t *seen, uint32_t *flags) {
    return l->factor == 1 ? walk_ascii(h, l, word, n, seen, flags, true)
                          : walk_ascii(h, l, word, n, seen, flags, false);
}

size_t hyphen_word(const hyphen *h, hyphen_room *r, const char *word, size_t n,
                   const struct hyphen_break **breaks) {
    uint32_t seen = 0, flags = 0, compound = 0;
    if (!r->nchars_room && !make_room(r, 64)) return 0;
    *breaks = r->breaks;
    if (n < 2) return 0;
    if (n <= SHORT_WORD) {
        const unsigned inner = h->head->nlevels - 1;
        const uint32_t gaps = (1u << (n - 1)) - 1;
        uint32_t odd = walk_either(h, &h->level[inner], word, n, &seen, &flags) & gaps;
        if (inner && !h->head->implicit) {
            uint32_t seen_outside;
            compound = walk_either(h, &h->level[0], word, n, &seen_outside, &flags) & gaps;
            seen |= seen_outside;
        }
        if (!(seen & SPECIAL) && !flags && !compound) {
            size_t found = 0;
            uint32_t keep = n > h->right ? (1u << (n - h->right)) - 1 : 0;
            if (h->head->dic) keep |= 1;
            keep &= h->left <= n ? ~((1u << (h->left - 1)) - 1) : 0;
            for (odd &= keep; odd; odd &= odd - 1)
                r->breaks[found++] = (struct hyphen_break){.at = (size_t)__builtin_ctz(odd) + 1};
            return found;
        }
    }
    const size_t found = break_any(h, r, word, n);
    *breaks = r->breaks;
    return found;
}
