/* scalable.h - how the layers of a scalable filter follow from its shape: what its files share. */
#ifndef SITO_SCALABLE_INSIDE_H
#define SITO_SCALABLE_INSIDE_H

#include "core/filter.h"

enum {
    PARAM_LAYER = 0,   /* the id of the layers' kind; AS_SET: cuckoo tables that hold a key once */
    PARAM_WIDTH = 1,   /* bits a key, or bits a tag, in the first layers */
    PARAM_DENSITY = 2, /* cells a key there, in 256ths; cuckoo: 0 */
    PARAM_STEPS = 2,   /* AS_GROUND: how often the first layer may be laid out anew */
    PARAM_GROWTH = 3,  /* expansion (0: 21/10), and the most layers in the high byte */
    AS_SET = 256,
    AS_GROUND = 512,     /* the first layer is laid out anew, larger, as long as it is small */
    EXTRA_MORE = 0,      /* layers beside the first */
    EXTRA_PERMANENT = 1, /* tags that a remove could not take */
    EXTRA_STEP = 2,      /* how often the first layer was laid out anew */
    EXPANSION_MAX = 16,
    WINDOW_SLOTS = 2, /* tables of a set: overlapping windows of so many */
    BUCKET_SLOTS = 4, /* others: buckets */
    RECORD_BYTES = 32,
};

/* Segment 0 is the directory: for each layer its keys and its kind's three counters. Layer i is
 * segment i + 1. */
static inline unsigned layers_of(const sito_filter *f) {
    return (unsigned)f->extra[EXTRA_MORE] + 1;
}

static inline unsigned layers_most(const struct shape *s) { return s->param[PARAM_GROWTH] >> 8; }

/* How often the rate of layer i is the first one's halved: the first twelve have the same, then
 * every fourth has half of it. All together are below 16 times the first, and small layers cost no
 * more than large ones. */
static inline unsigned halvings_of(unsigned i) { return i < 12 ? 0 : (i - 8) / 4; }

static inline const struct kind *layer_kind(const struct shape *s) {
    switch (s->param[PARAM_LAYER]) {
    case 4: return &kind_bloom;
    case 9: return &kind_block;
    case 7:
    case 7 + AS_SET:
    case 7 + AS_SET + AS_GROUND: return &kind_cuckoo;
    default: return NULL;
    }
}

static inline bool has_tags(const struct shape *s) { return (s->param[PARAM_LAYER] & 255) == 7; }

/* Are copies of a key kept, to be removed one by one? */
static inline bool has_copies(const struct shape *s) { return s->param[PARAM_LAYER] == 7; }

/* Does it hold a key once, in overlapping windows of tags? */
static inline bool is_nested(const struct shape *s) { return s->param[PARAM_LAYER] & AS_SET; }

static inline bool has_ground(const struct shape *s) { return s->param[PARAM_LAYER] & AS_GROUND; }

static inline unsigned ground_steps(const struct shape *s) {
    return has_ground(s) ? s->param[PARAM_STEPS] : 0;
}

/* scalable_plan.c; `step`: how often the first layer was laid out anew */
uint64_t ground_slots(const struct shape *s, unsigned step); /* of the first layer, AS_GROUND */
unsigned width_of(const struct shape *s, unsigned i, unsigned step);
uint64_t layer_keys(const struct shape *s, unsigned i, unsigned step); /* it is for so many */
uint64_t layer_room(const struct shape *s, unsigned i, unsigned step); /* with copies of them */
struct shape layer_of_cells(const struct shape *s, unsigned width, uint64_t ncells);
double ground_rate(const struct shape *s, uint64_t nkeys);
sito_rc scalable_solve(sito_plan *plan);
void scalable_to_shape(const sito_plan *plan, struct shape *shape);
void scalable_to_plan(const struct shape *shape, sito_plan *plan);
bool scalable_sizes(const struct shape *shape, const uint64_t extra[3], uint64_t bytes[SEGMENTS]);
double scalable_rate(const struct shape *shape, uint64_t nkeys);

/* scalable.c: a layer as its own kind sees it, and back */
void layer_open(const sito_filter *f, unsigned i, sito_filter *layer);
void layer_close(sito_filter *f, unsigned i, const sito_filter *layer);
void scalable_ready(sito_filter *f);

#endif
