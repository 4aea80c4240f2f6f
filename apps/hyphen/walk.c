/* walk.c - from a word to its breaks. Most words are short, of usual letters, and meet nothing
 * special: those quick.c knows. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "room.h"
#include "utf8.h"
#include "window.h"

/* ---- classes -> values ---- */

bool walk_long(const struct level *l, const uint16_t *classes, size_t n, uint8_t *odd) {
    struct walk at = step(l, (struct walk){0}, CLASS_EDGE);
    window v = window_at(l->windows[said(l, at)]);
    bool special = said(l, at) >= l->nwindows;
    for (size_t i = 0; i <= n; i++) {
        /* Gap 0 of the window lies 16 characters back; the edge is one of them. */
        if (i >= WINDOW) odd[i - WINDOW] = window_oldest(v) & 1;
        at = step(l, at, i < n ? classes[i] & CLASS : CLASS_EDGE);
        special |= said(l, at) >= l->nwindows;
        v = window_step(v, l->windows[said(l, at)]);
    }
    const uint32_t rest = window_odd(v);
    for (size_t i = n < WINDOW ? WINDOW - 1 - n : 0; i < WINDOW - 1; i++)
        odd[n - (WINDOW - 1) + i] = rest >> i & 1;
    return !special;
}

/* ---- the room ---- */

hyphen_room *hyphen_room_new(void) { return calloc(1, sizeof(hyphen_room)); }

static void free_arrays(struct hyphen_room *r) {
    free(r->classes), free(r->places), free(r->odd), free(r->alters), free(r->breaks);
}

void hyphen_room_free(hyphen_room *r) {
    if (!r) return;
    room_release(r, (struct mark){0});
    free(r->chunk);
    free_arrays(r);
    free(r->quick);
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
    /* The first chunk stays for the next word. */
    while (r->chunk != to.chunk && r->chunk->before) {
        struct chunk *before = r->chunk->before;
        free(r->chunk);
        r->chunk = before;
    }
    if (r->chunk) r->chunk->used = r->chunk == to.chunk ? to.used : 0;
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

/* `strange`: quick.c gave up, so something special is in it. */
static size_t break_any(const hyphen *h, struct hyphen_room *r, const char *word, size_t n,
                        bool strange) {
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
    bool plain = !strange && !(flags & FLAGS);
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

size_t hyphen_word(const hyphen *h, hyphen_room *r, const char *word, size_t n,
                   const struct hyphen_break **breaks) {
    if (!r->nchars_room && !make_room(r, QUICK_WORD + 1)) return 0;
    *breaks = r->breaks;
    if (n < 2) return 0;
    uint64_t bits = HYPHEN_ASK;
    const bool quick = n <= QUICK_WORD && h->head->quick;
    if (quick) bits = quick_word(h, r, word, n);
    if (bits == HYPHEN_ASK) {
        const size_t found = break_any(h, r, word, n, quick);
        *breaks = r->breaks;
        return found;
    }
    size_t found = 0;
    for (; bits; bits &= bits - 1)
        r->breaks[found++] = (struct hyphen_break){.at = (size_t)__builtin_ctzll(bits)};
    return found;
}
