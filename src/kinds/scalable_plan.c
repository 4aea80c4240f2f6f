/*
 * scalable_plan.c - from a wish to the shapes of all layers there may ever be.
 *
 * With each layer the filter is for `expansion` times as many keys as before. A stranger may be let
 * in by any of them, so each has a share of the rate. An image's header must tell the size of every
 * layer, so layers follow from the first by integer arithmetic alone; whether they keep the promise
 * is computed here, exactly, before the first is made.
 */
#include "kinds/scalable.h"

#include <math.h>

#include "cells/bits.h"
#include "core/plan.h"
#include "core/rate.h"
#include "kinds/cuckoo.h"
#include "kinds/scalable_ground.h"

enum {
    FIRST_LEAST = 64, /* keys of the first layer */
    FIRST_GUESS = 1000,
    NEST_TAG_LEAST = 12,       /* narrower ones crowd */
    CELLS_A_HALVING = 373,     /* bloom: 1 / ln 2 bits a key, in 256ths, and a little more */
    BLOCK_SHARE_A_HALVING = 8, /* block: a share of one in so many */
    GROUND_KEYS = 100000,      /* so many are laid out anew within a few milliseconds */
    GROUND_TAG_MOST = 32,
    GROUND_STEPS_MAX = 48,
};

/* ---- layer -> shape ---- */

/* The most that keeps the space below 2.7 times a bloom filter's: fewer layers answer sooner. */
static uint64_t layer_keys_by_default(uint64_t keys, unsigned i) {
    uint64_t before = 0;
    for (; i; i--) {
        uint64_t more = product_of(keys, 21);
        if (more == UINT64_MAX) return more;
        before = keys, keys = more / 10;
    }
    return keys - before;
}

/* The first layer's, after so many steps of a half each. */
static uint64_t ground_keys(const struct shape *s, unsigned step) {
    uint64_t keys = s->ncells;
    while (step--) keys = sum_of(keys, keys / 2);
    return keys;
}

uint64_t layer_keys(const struct shape *s, unsigned i, unsigned step) {
    if (!i) return ground_keys(s, step);
    uint64_t expansion = s->param[PARAM_GROWTH] & 255, keys = ground_keys(s, ground_steps(s));
    if (!expansion) return layer_keys_by_default(keys, i);
    if (expansion == 1) return keys;
    keys = product_of(keys, expansion - 1);
    while (--i) keys = product_of(keys, expansion);
    return keys;
}

/* Layers that keep copies have some room for those that come late. */
uint64_t layer_room(const struct shape *s, unsigned i, unsigned step) {
    uint64_t keys = layer_keys(s, i, step);
    return has_copies(s) ? sum_of(keys, keys / 32) : keys;
}

static uint64_t whole_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

/* Windows of two fill to 94 %, buckets of four to 97, where there are few keys a little less: see
 * cuckoo_plan.c. An odd number of slots: so windows of either offset are as many, and even. */
static uint64_t nest_slots(const struct shape *s, uint64_t keys) {
    uint64_t root = whole_root(keys);
    if (has_copies(s)) return rounded_up(sum_of(keys, keys / 32 + 2 * root + 32), 2 * BUCKET_SLOTS);
    uint64_t slots = sum_of(keys, keys / 16 + keys / 512 + 3 * root + 32);
    return sum_of(rounded_up(slots, 2 * WINDOW_SLOTS), WINDOW_SLOTS - 1);
}

/* Never just below a power of two, where tags of one bit less make a larger table smaller; nor just
 * above, where neighbours' tags would be the same. */
uint64_t ground_slots(const struct shape *s, unsigned step) {
    uint64_t half = nest_slots(s, ground_keys(s, step)) / (2 * WINDOW_SLOTS);
    uint64_t power = (uint64_t)1 << (63 - __builtin_clzll(half));
    if (12 * half > 11 * 2 * power) power *= 2;
    if (half < power + power / 512 + 4) half = power + power / 512 + 4;
    return 2 * WINDOW_SLOTS * half + WINDOW_SLOTS - 1;
}

static unsigned ground_shift(const struct shape *s, unsigned step) {
    return 63 - (unsigned)__builtin_clzll(ground_slots(s, step) / (2 * WINDOW_SLOTS));
}

/* The first layer's tags shrink as it grows, down to the others' width. */
unsigned width_of(const struct shape *s, unsigned i, unsigned step) {
    unsigned width = s->param[PARAM_WIDTH], kind = s->param[PARAM_LAYER];
    if (!i && has_ground(s))
        return width + ground_shift(s, ground_steps(s)) - ground_shift(s, step);
    return width + (kind == 9 ? 0 : halvings_of(i));
}

struct shape layer_of_cells(const struct shape *s, unsigned width, uint64_t ncells) {
    struct shape layer = {.ncells = ncells, .param = {(uint16_t)width}};
    if (!has_tags(s)) return layer;
    layer.param[PARAM_GROUP] = has_copies(s) ? BUCKET_SLOTS : WINDOW_SLOTS;
    layer.param[PARAM_FORM] = (has_copies(s) ? LAYOUT_BUCKET : LAYOUT_WINDOW) | RULE_PATH << 8;
    layer.param[PARAM_MOVES] = 500;
    return layer;
}

static struct shape layer_shape(const struct shape *s, unsigned i, unsigned step) {
    uint64_t keys = layer_room(s, i, step), density = s->param[PARAM_DENSITY], h = halvings_of(i);
    uint64_t cells;
    if (!i && has_ground(s)) cells = ground_slots(s, step);
    else if (has_tags(s)) cells = nest_slots(s, keys);
    else if (layer_kind(s) == &kind_bloom)
        cells = rounded_up(product_of(keys, density + h * CELLS_A_HALVING) / 256 + 1, 64);
    else
        cells = rounded_up(
            product_of(keys, density + density * h / BLOCK_SHARE_A_HALVING) / 256 + 1, 512);
    return layer_of_cells(s, width_of(s, i, step), keys == UINT64_MAX ? UINT64_MAX : cells);
}

/* 0 if there can be no such layer. */
static uint64_t layer_bytes(const struct shape *s, unsigned i, unsigned step) {
    uint64_t none[3] = {0}, bytes[SEGMENTS] = {0};
    struct shape layer = layer_shape(s, i, step);
    return layer_kind(s)->sizes(&layer, none, bytes) ? bytes[0] : 0;
}

/* Can the first layer grow so often? */
static bool ground_can_be(const struct shape *s) {
    return s->param[PARAM_STEPS] <= GROUND_STEPS_MAX && s->ncells <= GROUND_KEYS &&
           ground_keys(s, ground_steps(s)) <= GROUND_KEYS && width_of(s, 0, 0) <= GROUND_TAG_MOST;
}

bool scalable_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    unsigned expansion = s->param[PARAM_GROWTH] & 255, most = layers_most(s);
    if (!layer_kind(s) || !s->ncells || s->ncells > CELLS_MAX || expansion > EXPANSION_MAX ||
        !most || most > LAYERS_MAX || extra[EXTRA_MORE] >= most ||
        (extra[EXTRA_PERMANENT] && !has_copies(s)) ||
        (!has_ground(s) && !s->param[PARAM_DENSITY] != has_tags(s)) ||
        (has_tags(s) && s->param[PARAM_WIDTH] < NEST_TAG_LEAST) ||
        (has_ground(s) && !ground_can_be(s)) || extra[EXTRA_STEP] > ground_steps(s))
        return false;
    unsigned layers = (unsigned)extra[EXTRA_MORE] + 1;
    bytes[0] = layers * RECORD_BYTES;
    bytes[1] = 0;
    for (unsigned i = 0; i < layers; i++)
        if (!(bytes[i + 1] = layer_bytes(s, i, (unsigned)extra[EXTRA_STEP]))) return false;
    return true;
}

/* ---- how often is a stranger let in? ---- */

/* A first layer that is laid out anew errs where a key has the same known bits. */
double ground_rate(const struct shape *s, uint64_t nkeys) {
    struct ground g = ground_of(s, 0);
    return with_hash_rate(-expm1((double)nkeys * log1p(-ldexp(1, -(int)g.known))), nkeys);
}

/* By layer i with so many keys. */
static double layer_rate(const struct shape *s, unsigned i, unsigned step, uint64_t nkeys) {
    struct shape layer = layer_shape(s, i, step);
    if (!i && has_ground(s)) return ground_rate(s, nkeys);
    return layer_kind(s)->rate(&layer, nkeys);
}

/* A ground counts as the largest that ends with as many buckets, so that more keys never take less
 * room. */
static uint64_t ground_keys_most(const struct shape *s) {
    return least(GROUND_KEYS, (uint64_t)4 * WINDOW_SLOTS << ground_shift(s, ground_steps(s)));
}

/* By one layer or another, all of them full. */
static double rate_when_full(const struct shape *s) {
    double denied = 1;
    unsigned steps = ground_steps(s);
    for (unsigned i = 0; i < layers_most(s) && layer_bytes(s, i, steps); i++) {
        uint64_t keys = i || !has_ground(s) ? layer_room(s, i, steps) : ground_keys_most(s);
        denied *= 1 - layer_rate(s, i, steps, keys);
    }
    return 1 - denied;
}

/* With so many keys in the first ones. */
double scalable_rate(const struct shape *s, uint64_t nkeys) {
    double denied = 1;
    uint64_t left = nkeys;
    unsigned steps = ground_steps(s);
    for (unsigned i = 0; i < layers_most(s) && left && layer_bytes(s, i, steps); i++) {
        uint64_t here = least(left, layer_keys(s, i, steps));
        denied *= 1 - layer_rate(s, i, steps, here);
        left -= here;
    }
    return fmin(1 - denied, BELOW_ONE);
}

/* ---- wish -> shape ---- */

/* As many steps as there is room for, and tags for. */
static void set_ground(struct shape *s) {
    if (s->ncells > GROUND_KEYS) return;
    s->param[PARAM_LAYER] |= AS_GROUND;
    s->param[PARAM_STEPS] = 0;
    while (ground_keys(s, ground_steps(s) + 1u) <= GROUND_KEYS) s->param[PARAM_STEPS]++;
    while (s->param[PARAM_STEPS] && !ground_can_be(s)) s->param[PARAM_STEPS]--;
}

/* How often the first layer errs, full. A ground errs more often than a layer with tags as wide, and
 * may. */
static double first_rate(const struct shape *s) {
    if (has_ground(s)) return ground_rate(s, ground_keys_most(s)) / 2;
    return layer_rate(s, 0, 0, layer_room(s, 0, 0));
}

/* The first layer's cells, so that it errs at this rate. Whoever says how many layers there may be, or
 * how large they are, gets these and no others. */
static bool first_layer(struct shape *s, double rate, bool may_grow) {
    sito_plan p = {.nkeys = s->ncells, .fpr = rate, .seed = 1};
    if (has_tags(s)) {
        for (unsigned tag = NEST_TAG_LEAST; tag <= 32; tag++) {
            s->param[PARAM_WIDTH] = (uint16_t)tag;
            if (may_grow && is_nested(s)) set_ground(s);
            if (layer_bytes(s, 0, 0) && first_rate(s) <= rate) return true;
        }
        return false;
    }
    if (layer_kind(s)->solve(&p) != SITO_OK) return false;
    double density = ceil(256 * (double)p.ncells / (double)s->ncells);
    if (density > UINT16_MAX) return false;
    s->param[PARAM_WIDTH] = (uint16_t)p.nhashes;
    s->param[PARAM_DENSITY] = (uint16_t)density;
    return layer_bytes(s, 0, 0);
}

/* As many layers as asked for, or as tables and hashes allow; 0 if those asked for cannot be. */
static unsigned layers_possible(const struct shape *s, unsigned asked, double fpr) {
    uint64_t keys = 0;
    unsigned most = asked ? asked : LAYERS_MAX, i = 0;
    for (; i < most && layer_bytes(s, i, 0); i++) {
        keys = sum_of(keys, layer_room(s, i, ground_steps(s)));
        if (hash_rate(keys) > fpr / 64) break;
    }
    return asked && i < asked ? 0 : i;
}

static void set_growth(struct shape *s, unsigned expansion, unsigned most) {
    s->param[PARAM_GROWTH] = (uint16_t)(expansion | most << 8);
}

static const struct {
    const char *name;
    uint16_t param;
} layer_sorts[] = {
    {SITO_LAYER_TAGS, 7 + AS_SET}, {SITO_CUCKOO, 7}, {SITO_BLOOM, 4}, {SITO_BLOCK, 9}};

enum { LAYER_SORTS = sizeof layer_sorts / sizeof *layer_sorts };

/* Which of them; LAYER_SORTS: no such. */
static size_t layer_sort(const char *name) {
    size_t i = 0;
    while (name && i < LAYER_SORTS && strcmp(layer_sorts[i].name, name) != 0) i++;
    return i;
}

/* The shape for so many keys at first, at this rate however many there will be. */
static bool layers_for(const sito_plan *p, uint64_t nkeys, double fpr, struct shape *s) {
    bool may_grow = !p->expansion && !p->max_layers;
    double rate = fpr / 16;
    *s = (struct shape){.ncells = nkeys < FIRST_LEAST ? FIRST_LEAST : nkeys,
                        .param = {layer_sorts[layer_sort(p->layer)].param}};
    if (s->ncells > CELLS_MAX) return false;
    for (int tries = 0; tries < 16; tries++) {
        set_growth(s, p->expansion, LAYERS_MAX);
        if (!first_layer(s, rate, may_grow)) return false;
        unsigned most = layers_possible(s, p->max_layers, fpr);
        if (!most) return false;
        set_growth(s, p->expansion, most);
        double all = rate_when_full(s);
        if (all <= fpr) return true;
        rate = fmin(rate, first_rate(s)) * fpr / all * 0.99;
    }
    return false;
}

struct layers_question {
    const sito_plan *plan;
    uint64_t bytes;
};

static bool keys_are_too_many_for(const void *self, uint64_t n) {
    const struct layers_question *q = (const struct layers_question *)self;
    struct shape s;
    return !layers_for(q->plan, n, q->plan->fpr, &s) ||
           RECORD_BYTES + layer_bytes(&s, 0, 0) > q->bytes;
}

/* The lowest rate whose first layer fits. */
static double rate_that_fits(const sito_plan *p) {
    double fits = 0;
    struct shape s;
    for (double fpr = 0.5; fpr > 1e-9; fpr /= 2) {
        if (!layers_for(p, p->nkeys, fpr, &s)) break;
        if (RECORD_BYTES + layer_bytes(&s, 0, 0) > p->max_bytes) break;
        fits = fpr;
    }
    return fits;
}

sito_rc scalable_solve(sito_plan *p) {
    struct shape s;
    if (p->ncells || p->expansion > EXPANSION_MAX || p->max_layers > LAYERS_MAX) return SITO_EINVAL;
    if (layer_sort(p->layer) == LAYER_SORTS) return SITO_EINVAL;
    if (!p->nkeys && !p->max_bytes) p->nkeys = FIRST_GUESS;
    if (!(p->fpr > 0) && p->nkeys && p->max_bytes && !((p->fpr = rate_that_fits(p)) > 0))
        return SITO_ELIMIT;
    if (!(p->fpr > 0)) p->fpr = 0.01;
    if (!p->nkeys) {
        struct layers_question q = {p, least(p->max_bytes, CELLS_MAX)};
        p->nkeys = least_enough(1, CELLS_MAX, q.bytes / 3, keys_are_too_many_for, &q) - 1;
        if (!p->nkeys) return SITO_ELIMIT;
    }
    if (!layers_for(p, p->nkeys, p->fpr, &s)) return SITO_ELIMIT;
    p->layer = layer_sorts[layer_sort(p->layer)].name;
    p->expansion = s.param[PARAM_GROWTH] & 255;
    p->bytes = RECORD_BYTES + layer_bytes(&s, 0, 0);
    p->real_fpr = scalable_rate(&s, p->nkeys);
    return SITO_OK;
}

void scalable_to_shape(const sito_plan *plan, struct shape *s) {
    layers_for(plan, plan->nkeys, plan->fpr, s);
}

void scalable_to_plan(const struct shape *s, sito_plan *plan) {
    plan->ncells = 0;
    plan->nkeys = s->ncells;
    for (size_t i = 0; i < LAYER_SORTS; i++)
        if (layer_sorts[i].param == (s->param[PARAM_LAYER] & ~AS_GROUND))
            plan->layer = layer_sorts[i].name;
    plan->expansion = s->param[PARAM_GROWTH] & 255;
    plan->max_layers = has_ground(s) ? 0 : layers_most(s); /* whoever says so gets no ground */
}
