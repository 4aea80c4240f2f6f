/* cuckoo.h - the table of a cuckoo filter and a key's place in it: what the kind's three
 * files share. */
#ifndef SITO_CUCKOO_INSIDE_H
#define SITO_CUCKOO_INSIDE_H

#include "cells/tags.h"
#include "core/filter.h"
#include "place/finger.h"

enum cuckoo_layout { LAYOUT_BUCKET, LAYOUT_SORTED, LAYOUT_WINDOW };
enum cuckoo_rule { RULE_RANDOM, RULE_EMPTIER, RULE_PATH };

enum {
    PARAM_TAG = 0,
    PARAM_GROUP = 1,
    PARAM_FORM = 2, /* layout, and the rule in the high byte */
    PARAM_MOVES = 3,
    EXTRA_MOVES = 0,   /* stored tags moved so far */
    EXTRA_LONGEST = 1, /* the longest chain of them */
    EXTRA_KICKS = 2,   /* the state that the next kick is drawn from */
    GROUP_MAX = 8,
};

struct nest {
    struct tags tags;
    uint64_t nslots;
    unsigned shift; /* slots a group: 2^shift */
    enum cuckoo_layout layout;
    enum cuckoo_rule rule;
};

struct nesting {
    uint32_t tag;
    uint64_t bucket[2], start[2]; /* its two buckets, and their first slots */
};

static inline struct nest nest_of(const sito_filter *f) {
    const uint16_t *param = f->shape.param;
    enum cuckoo_layout layout = (enum cuckoo_layout)(param[PARAM_FORM] & 255);
    return (struct nest){.tags = tags_in(f->seg[0].at, param[PARAM_TAG], param[PARAM_GROUP],
                                         layout == LAYOUT_SORTED),
                         .nslots = f->shape.ncells,
                         .shift = (unsigned)__builtin_ctz(param[PARAM_GROUP]),
                         .layout = layout,
                         .rule = (enum cuckoo_rule)(param[PARAM_FORM] >> 8)};
}

/* Windows overlap: a tag's low bits say how far into its bucket its window begins, so the window is
 * known wherever in it the tag is met. */
static inline uint64_t window_offset(const struct nest *t, uint32_t tag) {
    return t->layout == LAYOUT_WINDOW ? tag & (t->tags.group - 1) : 0;
}

/* How many buckets this tag has to choose from. */
static inline uint64_t buckets_for(const struct nest *t, uint32_t tag) {
    return (t->nslots - window_offset(t, tag)) >> t->shift;
}

static inline uint64_t first_slot(const struct nest *t, uint64_t bucket, uint32_t tag) {
    return (bucket << t->shift) + window_offset(t, tag);
}

static inline uint64_t bucket_around(const struct nest *t, uint64_t slot, uint32_t tag) {
    return (slot - window_offset(t, tag)) >> t->shift;
}

static inline struct nesting nesting_of(const struct nest *t, uint64_t hash) {
    struct nesting p = {.tag = tag_of(hash, t->tags.bits)};
    uint64_t m = buckets_for(t, p.tag);
    p.bucket[0] = range_of(hash, m);
    p.bucket[1] = other_bucket(p.bucket[0], p.tag, m);
    p.start[0] = first_slot(t, p.bucket[0], p.tag);
    p.start[1] = first_slot(t, p.bucket[1], p.tag);
    return p;
}

/* A bucket fits the word that begins with the byte it begins in. Buckets begin at multiples of their
 * width, so of the highest power of two in it: all but that many bits of a byte may lie before. */
static inline bool nest_is_narrow(const struct nest *t) {
    unsigned each = t->tags.group * t->tags.bits, step = each & -each;
    return t->layout == LAYOUT_BUCKET && each + (step < 8 ? 8 - step : 0) <= 64;
}

/* How to make room by one move or two. */
struct aside {
    unsigned moves;  /* 0: there is none to be made */
    unsigned way;    /* which tag of the two buckets goes, those of the first before the second's */
    uint64_t bucket; /* where it goes */
    unsigned next_way; /* which tag of that bucket goes on, if there are two moves */
    uint64_t next;     /* where it goes */
};

/* A way is the better, the emptier its end; then, if that is even; then, the sooner it is met. */
enum { MERIT_BITS = 4, WAYS_MOST = 1 << MERIT_BITS };

_Static_assert(WAYS_MOST == 2 * GROUP_MAX, "a way for each tag of two buckets");

static inline unsigned way_of_merit(unsigned merit) { return WAYS_MOST - 1 - merit % WAYS_MOST; }

/* cuckoo_plan.c: what the catalogue asks of a shape. */
sito_rc cuckoo_solve(sito_plan *plan);
void cuckoo_to_shape(const sito_plan *plan, struct shape *shape);
void cuckoo_to_plan(const struct shape *shape, sito_plan *plan);
bool cuckoo_sizes(const struct shape *shape, const uint64_t extra[3], uint64_t bytes[SEGMENTS]);
double cuckoo_rate(const struct shape *shape, uint64_t nkeys);

/* cuckoo_rules.c: ask for the lines that making room for this tag may need. */
void cuckoo_foresee(const struct nest *t, const struct nesting *p);

/* Both buckets are full: make room by the filter's rule and put the tag there. SITO_EFULL, and no
 * byte changed, if there is none to be made. */
sito_rc cuckoo_relocate(sito_filter *f, const struct nest *t, const struct nesting *p);

#endif
