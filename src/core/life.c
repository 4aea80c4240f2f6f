/* life.c - a filter is planned, made, filled, copied, merged, looked at and freed. */
#include "core/life.h"

#include <math.h>
#include <sys/mman.h>

#include "core/share.h"
#include "cells/bits.h"
#include "cells/slots.h"
#include "core/memory.h"
#include "core/rate.h"

/* ---- memory ---- */

uint64_t room_for(uint64_t bytes) { return rounded_up(sum_of(bytes, SLOTS_SLACK), CELLS_ALIGN); }

void segment_free(sito_filter *f, struct segment *s) {
    if (s->at && !inside_image(f, s)) give(&f->mem, s->at, s->room);
    *s = (struct segment){0};
}

void image_let_go(sito_filter *f) {
    for (int i = 0; i < SEGMENTS; i++)
        if (inside_image(f, &f->seg[i])) return;
    if (f->home == IMAGE_OWNED) give(&f->mem, f->image, f->image_bytes);
    if (f->home == IMAGE_MAPPED) munmap(f->image, (size_t)f->image_bytes);
    f->home = IMAGE_NONE;
    f->image = NULL;
    f->image_bytes = 0;
}

static uint64_t handle_room(unsigned nstretches) {
    return rounded_up(sizeof(sito_filter), 64) + nstretches * sizeof(struct stretch);
}

sito_filter *handle_new(const struct kind *kind, const struct shape *shape,
                        const sito_memory *mem) {
    sito_memory from = memory_or_default(mem);
    unsigned n = kind->stretches ? kind->stretches(shape) : 0;
    uint8_t *room = (uint8_t *)take(&from, handle_room(n), true);
    if (!room) return NULL;
    sito_filter *f = (sito_filter *)(void *)room;
    *f = (sito_filter){.kind = kind, .shape = *shape, .can = kind->can, .mem = from};
    f->nstretches = n;
    f->stretch = (struct stretch *)(void *)(room + rounded_up(sizeof *f, 64));
    return f;
}

void handle_ready(sito_filter *f) {
    if (f->kind->hash_shift) f->hash_shift = f->kind->hash_shift(&f->shape);
    bool is_plain = f->hash.id == HASH_XXH3 && !f->kind->maybe_key && !f->hash_shift;
    f->plain_len = is_plain ? PLAIN_LEN : 0;
    f->maybe = f->kind->maybe;
    if (f->kind->ready) f->kind->ready(f);
    if (f->kind->more && !f->read_only) f->can |= f->kind->more(&f->shape);
}

sito_rc segments_new(sito_filter *f) {
    uint64_t bytes[SEGMENTS] = {0};
    if (!f->kind->sizes(&f->shape, f->extra, bytes)) return SITO_EINVAL;
    handle_ready(f);
    for (int i = 0; i < SEGMENTS; i++) {
        if (!bytes[i]) continue;
        struct segment s = {.bytes = bytes[i], .room = room_for(bytes[i])};
        s.at = (uint8_t *)take(&f->mem, s.room, true);
        if (!s.at) return SITO_ENOMEM;
        f->seg[i] = s;
    }
    return SITO_OK;
}

void sito_free(sito_filter *f) {
    if (!f) return;
    for (int i = 0; i < SEGMENTS; i++) segment_free(f, &f->seg[i]);
    give(&f->mem, f->note, f->note_bytes);
    for (struct spare *s; (s = spare_take(f));) give(&f->mem, s, s->bytes);
    image_let_go(f);
    explicit_bzero(&f->hash, sizeof f->hash);
    sito_memory mem = f->mem;
    uint64_t room = handle_room(f->nstretches);
    give(&mem, f, room);
}

/* ---- new, built, copied ---- */

static sito_rc new_from_solved(const sito_plan *plan, const sito_memory *mem, sito_filter **out) {
    const struct kind *kind = kind_named(plan->kind);
    struct shape shape = {0};
    kind->to_shape(plan, &shape);
    sito_filter *f = handle_new(kind, &shape, mem);
    if (!f) return SITO_ENOMEM;
    f->hash = hasher_of(plan->key, plan->seed);
    f->capacity = plan->nkeys;
    f->wanted_fpr = plan->fpr;
    f->limit_bytes = plan->max_bytes;
    sito_rc rc = segments_new(f);
    if (rc != SITO_OK) sito_free(f);
    else *out = f;
    return rc;
}

sito_rc sito_new(const sito_plan *plan, const sito_memory *mem, sito_filter **out) {
    if (!plan || !out) return SITO_EINVAL;
    sito_plan p = *plan;
    sito_rc rc = sito_plan_solve(&p);
    if (rc == SITO_OK && !(sito_abilities(p.kind) & SITO_CAN_ADD)) rc = SITO_EUNABLE;
    return rc == SITO_OK ? new_from_solved(&p, mem, out) : rc;
}

sito_rc new_to_build(sito_plan *plan, const sito_memory *mem, size_t n, sito_filter **out) {
    if (!plan->seed && !plan->key) return SITO_EINVAL;
    if (!plan->nkeys && !plan->ncells && !plan->max_bytes) plan->nkeys = n ? n : 1;
    sito_rc rc = sito_plan_solve(plan);
    if (rc != SITO_OK) return rc;
    if (!(sito_abilities(plan->kind) & SITO_CAN_BUILD)) return SITO_EUNABLE;
    return new_from_solved(plan, mem, out);
}

sito_rc sito_build(const sito_plan *plan, const sito_memory *mem, const uint64_t *hashes, size_t n,
                   sito_filter **out) {
    if (!plan || !out || (!hashes && n)) return SITO_EINVAL;
    sito_plan p = *plan;
    sito_filter *f;
    sito_rc rc = new_to_build(&p, mem, n, &f);
    if (rc != SITO_OK) return rc;
    rc = f->kind->build(f, &p, hashes, n);
    if (rc != SITO_OK) sito_free(f);
    else *out = f;
    return rc;
}

sito_rc build_by_adding(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n) {
    enum { PIECE = 1 << 12 }; /* in a table nearly full a key may take some microseconds */
    for (size_t at = 0; at < n;) {
        size_t piece = (size_t)least(PIECE, n - at), done;
        sito_rc rc = sito_add_many(f, hashes + at, piece, NULL, &done);
        if (rc != SITO_OK) return rc;
        at += piece;
        if (plan->watch && plan->watch(plan->watch_self, at, n)) return SITO_ECANCEL;
    }
    return SITO_OK;
}

sito_rc sito_copy(const sito_filter *f, const sito_memory *mem, sito_filter **out) {
    if (!f || !out) return SITO_EINVAL;
    sito_rc rc = f->read_only ? sito_check(f, NULL)
                              : SITO_OK; /* a copy can be written: trust nothing unseen */
    if (rc != SITO_OK) return rc;
    sito_filter *g = handle_new(f->kind, &f->shape, mem);
    if (!g) return SITO_ENOMEM;
    const sito_filter own = *g;
    *g = *f;
    g->mem = own.mem;
    g->nstretches = own.nstretches;
    g->stretch = own.stretch;
    memset(g->spare, 0, sizeof g->spare);
    g->nkeys = keys_of(f);
    g->read_only = f->flags_write; /* a feature we cannot keep up is no better known in a copy */
    g->can = g->read_only ? f->can : f->kind->can;
    g->home = IMAGE_NONE;
    g->image = NULL;
    g->image_bytes = 0;
    g->note = NULL;
    g->note_bytes = 0;
    memset(g->seg, 0, sizeof g->seg);
    rc = segments_new(g);
    for (int i = 0; i < SEGMENTS && rc == SITO_OK; i++)
        if (f->seg[i].bytes) memcpy(g->seg[i].at, f->seg[i].at, (size_t)f->seg[i].bytes);
    if (rc == SITO_OK && f->note_bytes) {
        g->note = (uint8_t *)take(&g->mem, f->note_bytes, false);
        if (g->note) memcpy(g->note, f->note, g->note_bytes = f->note_bytes);
        else rc = SITO_ENOMEM;
    }
    if (rc != SITO_OK) sito_free(g);
    else *out = g;
    return rc;
}

/* ---- whole filters ---- */

bool same_shape(const sito_filter *a, const sito_filter *b) {
    return a->kind == b->kind && a->shape.ncells == b->shape.ncells &&
           memcmp(a->shape.param, b->shape.param, sizeof a->shape.param) == 0 &&
           a->hash.id == b->hash.id && a->hash.seed == b->hash.seed &&
           a->hash.check == b->hash.check;
}

sito_rc sito_merge(sito_filter *into, const sito_filter *from) {
    if (!into || !from) return SITO_EINVAL;
    if (!(into->can & SITO_CAN_MERGE)) return SITO_EUNABLE;
    /* A kind that grows has no fixed shape; only its hash must agree. */
    bool alike = into->kind->can & SITO_CAN_GROW
                     ? into->kind == from->kind && into->hash.id == from->hash.id &&
                           into->hash.seed == from->hash.seed &&
                           into->hash.check == from->hash.check
                     : same_shape(into, from);
    if (!alike) return SITO_ESHAPE;
    sito_rc rc = from->read_only ? sito_check(from, NULL) : SITO_OK; /* as for a copy */
    return rc == SITO_OK ? into->kind->merge(into, from) : rc;
}

sito_rc sito_fold(sito_filter *f, unsigned halvings) {
    if (!f) return SITO_EINVAL;
    if (!f->kind->fold || f->read_only) return SITO_EUNABLE;
    if (halvings > 63) return SITO_EINVAL;
    return halvings ? f->kind->fold(f, halvings) : SITO_OK;
}

/* A large table of the default memory folds in place, and what is left over, if it is much, goes
 * back: no page is new, and no memory can be missing. */
static bool folds_in_place(const sito_filter *f) {
    return !inside_image(f, &f->seg[0]) && can_give_rest(&f->mem, f->seg[0].room);
}

/* Else the first halving goes into the larger scratch, the others in place; then only the small
 * table is kept. All of it is written. */
static sito_rc fold_away(sito_filter *f, unsigned halvings, struct segment *s, halve_table *halve) {
    uint64_t nbits = f->shape.ncells, scratch_room = room_for(bits_bytes(nbits / 2));
    uint8_t *scratch = (uint8_t *)take(&f->mem, scratch_room, false);
    s->at = halvings > 1 ? (uint8_t *)take(&f->mem, s->room, false) : scratch;
    if (!scratch || !s->at) {
        give(&f->mem, scratch, scratch_room);
        if (s->at != scratch) give(&f->mem, s->at, s->room);
        return SITO_ENOMEM;
    }
    const uint8_t *from = f->seg[0].at;
    for (unsigned i = 0; i < halvings; i++, nbits /= 2, from = scratch) halve(scratch, from, nbits);
    if (s->at != scratch) {
        memcpy(s->at, scratch, (size_t)s->bytes);
        give(&f->mem, scratch, scratch_room);
    }
    segment_free(f, &f->seg[0]);
    return SITO_OK;
}

static void fold_in_place(sito_filter *f, unsigned halvings, struct segment *s,
                          halve_table *halve) {
    uint64_t nbits = f->shape.ncells;
    s->at = f->seg[0].at;
    for (unsigned i = 0; i < halvings; i++, nbits /= 2) halve(s->at, s->at, nbits);
    s->room = give_rest(s->at, f->seg[0].room, s->room);
}

sito_rc fold_table(sito_filter *f, unsigned halvings, halve_table *halve) {
    struct shape smaller = f->shape;
    uint64_t bytes[SEGMENTS] = {0};
    smaller.ncells >>= halvings;
    if (!f->kind->sizes(&smaller, f->extra, bytes)) return SITO_EINVAL;
    struct segment s = {.bytes = bytes[0], .room = room_for(bytes[0])};
    if (folds_in_place(f)) {
        fold_in_place(f, halvings, &s, halve);
    } else {
        sito_rc rc = fold_away(f, halvings, &s, halve);
        if (rc != SITO_OK) return rc;
    }
    memset(s.at + s.bytes, 0, (size_t)(room_for(s.bytes) - s.bytes)); /* as behind every table */
    f->seg[0] = s;
    f->shape = smaller;
    if (f->kind->ready) f->kind->ready(f);
    image_let_go(f);
    return SITO_OK;
}

sito_rc sito_clear(sito_filter *f) {
    if (!f) return SITO_EINVAL;
    if (f->read_only || !(f->kind->can & SITO_CAN_ADD)) return SITO_EUNABLE;
    for (int i = 0; i < SEGMENTS; i++)
        if (f->seg[i].at) memset(f->seg[i].at, 0, (size_t)f->seg[i].bytes);
    memset(f->extra, 0, sizeof f->extra);
    uint64_t bytes[SEGMENTS] = {0};
    f->kind->sizes(&f->shape, f->extra, bytes);
    for (int i = 0; i < SEGMENTS; i++) f->seg[i].bytes = bytes[i];
    if (f->kind->ready) f->kind->ready(f);
    stretches_settle(f);
    f->nkeys = 0;
    return SITO_OK;
}

sito_rc sito_look(const sito_filter *f, sito_info *out) {
    if (!f || !out) return SITO_EINVAL;
    sito_info info = {.kind = f->kind->name, .can = f->can, .capacity = f->capacity};
    info.nkeys = keys_of(f);
    info.wanted_fpr = f->wanted_fpr;
    for (int i = 0; i < SEGMENTS; i++) info.bytes += f->seg[i].bytes;
    info.image_bytes = sito_image_bytes(f);
    info.bits_per_key = info.nkeys ? 8.0 * (double)info.bytes / (double)info.nkeys : 0;
    info.real_fpr = fmin(f->kind->rate(&f->shape, f->capacity), BELOW_ONE);
    f->kind->look(f, &info);
    *out = info;
    return SITO_OK;
}

const char *sito_fact_at(const sito_filter *f, size_t i) {
    for (size_t at = 0; f && f->kind->facts[at]; at++)
        if (at == i) return f->kind->facts[at];
    return NULL;
}

const char *sito_word(const sito_filter *f, const char *name) {
    if (!f || !name) return NULL;
    sito_plan plan = {0};
    f->kind->to_plan(&f->shape, &plan);
    const struct {
        const char *name, *word;
    } words[] = {
        {"rule", plan.rule}, {"layout", plan.layout}, {"scale", plan.scale}, {"layer", plan.layer}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0) return words[i].word;
    return NULL;
}

sito_rc sito_fact(const sito_filter *f, const char *name, double *out) {
    if (!f || !name || !out) return SITO_EINVAL;
    for (size_t i = 0; f->kind->facts[i]; i++)
        if (strcmp(f->kind->facts[i], name) == 0) {
            *out = f->kind->fact(f, i);
            return SITO_OK;
        }
    return SITO_EINVAL;
}
