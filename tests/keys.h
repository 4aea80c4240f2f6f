/*
 * keys.h - what tests and plain programs share: keys by number, filters of any kind, images as bytes.
 *
 * Keys are eight bytes, little-endian, so every machine tests the same ones. Whatever goes wrong here is
 * the test's own trouble, not a promise under test: it ends the program.
 */
#ifndef TESTS_KEYS_H
#define TESTS_KEYS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sito/sito.h>

static inline void give_up(const char *what) {
    fprintf(stderr, "test trouble: %s\n", what);
    abort();
}

/* ---- numbers ---- */

/* SplitMix64's last step: a fixed number that looks random for every i. */
static inline uint64_t mixed(uint64_t i) {
    i += 0x9e3779b97f4a7c15u;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
    return i ^ (i >> 31);
}

static inline uint64_t read_le(const uint8_t *at, unsigned bytes) {
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)at[i] << (8 * i);
    return v;
}

static inline void write_le(uint8_t *at, unsigned bytes, uint64_t v) {
    for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(v >> (8 * i));
}

/* ---- key number i ---- */

typedef struct numbered {
    uint8_t bytes[8];
} numbered;

static inline numbered key_no(uint64_t i) {
    numbered key;
    write_le(key.bytes, 8, i);
    return key;
}

static inline int add_no(sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    return sito_add(f, key.bytes, sizeof key.bytes);
}

static inline int remove_no(sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    return sito_remove(f, key.bytes, sizeof key.bytes);
}

static inline bool maybe_no(const sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    return sito_maybe(f, key.bytes, sizeof key.bytes);
}

static inline uint64_t hash_no(const sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    return sito_hash_key(f, key.bytes, sizeof key.bytes);
}

/* ---- kinds ---- */

#define EACH_KIND(kind)                                                                            \
    for (size_t kind##_at = 0; ((kind) = sito_kind_at(kind##_at)) != NULL; kind##_at++)

static inline bool is(const char *kind, const char *name) { return strcmp(kind, name) == 0; }

static inline bool can(const char *kind, unsigned what) {
    return (sito_abilities(kind) & what) == what;
}

/* The exact kinds keep whole keys: they answer by hash, but are not written by hash. */
static inline bool takes_hashes(const char *kind) { return strncmp(kind, SITO_EXACT, 5) != 0; }

/* Kinds whose adds are each owed a remove. */
static inline bool is_multiset(const char *kind) {
    return can(kind, SITO_CAN_REMOVE) && !is(kind, SITO_BITMAP);
}

/* A plan that every kind can meet: so many keys, one error in a hundred. */
static inline sito_plan plan_for(const char *kind, uint64_t nkeys, uint64_t seed) {
    sito_plan plan = {.nkeys = nkeys, .fpr = 0.01, .seed = seed, .kind = kind};
    if (is(kind, "aged")) plan.window = nkeys;
    return plan;
}

/* The keys from..from+n-1 in a filter of this plan, by adding or, in the static kinds, by building. */
static inline sito_filter *filled(const sito_plan *plan, uint64_t from, size_t n) {
    sito_filter *f = NULL;
    if (can(plan->kind, SITO_CAN_ADD)) {
        if (sito_new(plan, NULL, &f) != SITO_OK) give_up("sito_new refused the tests' plan");
        for (size_t i = 0; i < n; i++)
            if (add_no(f, from + i) < 0) give_up("sito_add refused a planned key");
        return f;
    }
    uint64_t *hashes = malloc((n + 1) * sizeof *hashes);
    if (!hashes) give_up("no memory");
    for (size_t i = 0; i < n; i++) {
        numbered key = key_no(from + i);
        hashes[i] = sito_hash_plan(plan, key.bytes, sizeof key.bytes);
    }
    if (sito_build(plan, NULL, hashes, n, &f) != SITO_OK)
        give_up("sito_build refused the tests' plan");
    free(hashes);
    return f;
}

/* How many keys a filter of this plan has had when it errs as often as promised: as many as planned. A
 * window must have been through all of its slices, to the end of a generation. */
static inline uint64_t promised_after(sito_plan plan) {
    if (!is(plan.kind, "aged")) return plan.nkeys;
    sito_filter *f = NULL;
    double each = 0, slices = 0;
    if (sito_new(&plan, NULL, &f) != SITO_OK || sito_fact(f, "each", &each) != SITO_OK ||
        sito_fact(f, "slices", &slices) != SITO_OK)
        give_up("a window does not tell its size");
    sito_free(f);
    return (uint64_t)(each * slices);
}

/* ---- images ---- */

typedef struct image {
    uint8_t *bytes;
    size_t len, room;
} image;

static inline sito_rc keep_bytes(void *self, const void *bytes, size_t n) {
    image *to = self;
    if (n > to->room - to->len) {
        size_t room = 2 * (to->len + n) + 64;
        uint8_t *larger = realloc(to->bytes, room);
        if (!larger) give_up("no memory");
        to->bytes = larger;
        to->room = room;
    }
    if (n > 0) memcpy(to->bytes + to->len, bytes, n);
    to->len += n;
    return SITO_OK;
}

static inline image image_of(const sito_filter *f) {
    image made = {0};
    if (sito_write(f, keep_bytes, &made) != SITO_OK) give_up("sito_write failed");
    return made;
}

static inline bool same_image(const image *a, const image *b) {
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

/* Where the cells lie: behind the header of 128 bytes and the note, at a multiple of 64. */
static inline const uint8_t *cells_of(const image *im, size_t *bytes) {
    *bytes = (size_t)read_le(im->bytes + 72, 8);
    return im->bytes + 128 + (read_le(im->bytes + 28, 4) + 63) / 64 * 64;
}

static inline bool same_cells(const image *a, const image *b) {
    size_t alen, blen;
    const uint8_t *acells = cells_of(a, &alen), *bcells = cells_of(b, &blen);
    return alen == blen && memcmp(acells, bcells, alen) == 0;
}

/* Does this filter still have the image it had? Frees the old one. */
static inline bool still_is(const sito_filter *f, image *was) {
    image now = image_of(f);
    bool same = same_image(&now, was);
    free(now.bytes);
    free(was->bytes);
    return same;
}

#endif
