/* scalable_ground.c - the small first layer: its sizes, and from one to the next. */
#include "kinds/scalable_ground.h"

#include "core/life.h"
#include "core/memory.h"
#include "kinds/cuckoo.h"

struct ground ground_of(const struct shape *s, unsigned step) {
    struct ground g = {.half = ground_slots(s, step) / (2 * WINDOW_SLOTS)};
    g.shift = 63 - (unsigned)__builtin_clzll(g.half);
    g.known = g.shift + width_of(s, 0, step);
    return g;
}

uint64_t ground_hash(const struct ground *g, const struct ground_place *p) {
    uint64_t share = UINT64_MAX / (2 * g->half), tags = ((uint64_t)1 << ground_bits(g)) - 1;
    uint64_t high = p->bucket * share + share / 2;
    uint64_t low = (((uint64_t)(p->tag - 1) << 32) + tags - 1) / tags;
    return (high >> 32 << 32) + low;
}

uint64_t known_hash(const struct ground *g, uint64_t slot, uint32_t tag) {
    uint64_t bucket = (slot - (tag & (WINDOW_SLOTS - 1))) / WINDOW_SLOTS;
    if (bucket & 1) bucket = other_bucket(bucket, tag, 2 * g->half);
    uint64_t least_one = (bucket / 2 << g->known) + ((uint64_t)(tag - 1) << g->shift);
    uint64_t hash = (least_one + g->half - 1) / g->half;
    for (int more = 0; more < 2; more++) /* tags lie a little closer than hashes do */
        hash += ground_find(g, hash << (64 - g->known)).tag < tag;
    return hash << (64 - g->known);
}

static bool ground_put(const struct ground *g, sito_filter *into, uint64_t hash) {
    struct ground_place place = ground_find(g, hash);
    return into->kind->add(into, ground_hash(g, &place)) >= 0;
}

static bool ground_fill(const struct ground *to, sito_filter *into, const struct ground *from,
                        const sito_filter *old) {
    struct nest t = nest_of(old);
    for (uint64_t slot = 0; slot < t.nslots; slot++) {
        uint32_t tag = tag_read(&t.tags, slot);
        if (!tag || slot < (tag & (WINDOW_SLOTS - 1))) continue;
        if (!ground_put(to, into, known_hash(from, slot, tag))) return false;
    }
    return into->nkeys == old->nkeys;
}

sito_rc ground_more(sito_filter *f, uint64_t hash) {
    unsigned step = (unsigned)f->extra[EXTRA_STEP];
    uint64_t bytes[SEGMENTS] = {0}, extra[3] = {f->extra[0], f->extra[1], step + 1}, all = 0;
    if (step >= ground_steps(&f->shape) || !scalable_sizes(&f->shape, extra, bytes))
        return SITO_EFULL;
    for (int i = 0; i < SEGMENTS; i++) all = sum_of(all, bytes[i]);
    if (f->limit_bytes && all > f->limit_bytes) return SITO_ELIMIT;
    struct segment larger = {.bytes = bytes[1], .room = room_for(bytes[1])};
    if (!(larger.at = (uint8_t *)take(&f->mem, larger.room, true))) return SITO_ENOMEM;
    struct ground from = ground_of(&f->shape, step), to = ground_of(&f->shape, step + 1);
    sito_filter old, into;
    layer_open(f, 0, &old);
    into = old;
    into.shape = layer_of_cells(&f->shape, ground_bits(&to), ground_slots(&f->shape, step + 1));
    into.seg[0] = larger;
    into.nkeys = 0;
    if (!ground_fill(&to, &into, &from, &old) || !ground_put(&to, &into, hash)) {
        give(&f->mem, larger.at, larger.room);
        return SITO_EFULL;
    }
    segment_free(f, &f->seg[1]);
    f->seg[1] = larger;
    f->extra[EXTRA_STEP] = step + 1;
    scalable_ready(f);
    layer_close(f, 0, &into);
    return SITO_OK;
}
