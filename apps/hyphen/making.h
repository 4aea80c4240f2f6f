/* making.h - what compile.c and slots.c share while an automaton is made. */
#ifndef HYPHEN_MAKING_H
#define HYPHEN_MAKING_H

#include "image.h"

struct making {
    const struct patterns *p;
    struct growing image; /* char */
    uint16_t *pages;
    struct growing blocks; /* uint16_t[PAGE] */
    struct growing values; /* uint8_t: of what is special */
    struct growing slots[MAX_LEVELS];
    size_t slot_bytes[MAX_LEVELS];
    uint32_t nclasses;
    bool failed;
    const char *limit; /* why it cannot be */
};

/* grow(), or m->failed. */
void *make_more(struct making *m, struct growing *g, size_t n, size_t size);

/* Append a section, at a multiple of 64; returns where it begins. */
uint64_t make_section(struct making *m, const void *bytes, size_t n);

static inline struct image_head *head_of(struct making *m) { return m->image.items; }

static inline uint16_t class_now(const struct making *m, uint32_t c) {
    return ((uint16_t *)m->blocks.items)[(size_t)m->pages[c / PAGE] * PAGE + c % PAGE];
}

/* All sections of a level but its slots, which come last; and its part of the head. */
void make_level(struct making *m, unsigned number);

#endif
