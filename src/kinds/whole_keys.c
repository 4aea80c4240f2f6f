/* whole_keys.c - the complete dictionaries beyond the question: records are made, moved, dropped,
 * merged, listed and verified, whichever way a hash finds its slot. */
#include "core/filter.h"

#include <math.h>

#include "cells/bits.h"
#include "core/life.h"
#include "core/memory.h"
#include "core/plan.h"
#include "kinds/whole_keys.h"
#include "sito/exact.h"

enum { KEY_GUESS = 16 }; /* bytes of a key, for plans */

/* ---- key -> value ---- */

int sito_exact_get(const sito_filter *f, const void *key, size_t len, uint64_t *value) {
    if (!f || !value) return SITO_EINVAL;
    if (!f->kind->slots) return SITO_EUNABLE;
    if (!f->hash.known) return SITO_EKEY;
    struct record r;
    uint64_t hash = sito_hash_key(f, key, len);
    if (f->kind->slots->find(f, hash, key, len, &r) == f->shape.ncells) return 0;
    *value = r.value;
    return 1;
}

int sito_exact_each(const sito_filter *f,
                    int (*each)(void *self, const void *key, size_t len, uint64_t count,
                                uint64_t value),
                    void *self) {
    if (!f || !each) return SITO_EINVAL;
    if (!f->kind->slots) return SITO_EUNABLE;
    for (uint64_t i = 0; i < f->shape.ncells; i++) {
        struct record r = record_at(f, slot_ref(f, i));
        int stop = r.at ? each(self, r.key, r.len, r.count, r.value) : 0;
        if (stop) return stop;
    }
    return 0;
}

/* ---- room ---- */

/* Slots for so many keys. */
static uint64_t planned_slots(const struct slot_rule *rule, uint64_t n) {
    return rounded_up((uint64_t)ceil((double)n / rule->load) + rule->slack, rule->step);
}

/* Every slot finds a place among the new ones, every record moves up to the last. `coming` is a
 * hash that will want a slot next, or NULL. In a forged image records may overlap, so that one's
 * count is another's length: they must not outgrow the room made for them, less `bytes`. */
static sito_rc moved_into(const sito_filter *f, struct segment *slots, struct segment *heap,
                          uint64_t bytes, const uint64_t *coming) {
    const struct slot_rule *rule = f->kind->slots;
    uint64_t nslots = slots->bytes / SLOT_BYTES, to;
    bool stays = rule->stays && nslots == f->shape.ncells;
    for (uint64_t i = 0; i < f->shape.ncells; i++) {
        if (!slot_ref(f, i)) continue;
        struct record r = record_at(f, slot_ref(f, i));
        if (!r.at || heap->room - bytes - heap->bytes < r.bytes) return SITO_EDAMAGED;
        uint64_t hash = slot_hash(f, i);
        to = stays ? i : rule->free_slot(slots->at, nslots, hash);
        if (to >= nslots) return SITO_EFULL;
        slot_write(slot_at(slots->at, to), hash, heap->bytes + 1);
        memcpy(heap->at + heap->bytes, r.at, (size_t)r.bytes);
        heap->bytes += r.bytes;
    }
    bool all_placed = !coming || rule->free_slot(slots->at, nslots, *coming) < nslots;
    return all_placed ? SITO_OK : SITO_EFULL;
}

/* A new table of slots, and a heap without dead records and with room for `bytes` more. Nothing is
 * changed before all of it is there. */
static sito_rc rebuilt(sito_filter *f, uint64_t nslots, uint64_t heap_room, uint64_t bytes,
                       const uint64_t *coming) {
    struct segment slots = {.bytes = product_of(nslots, SLOT_BYTES)}, heap = {.room = heap_room};
    slots.room = room_for(slots.bytes);
    slots.at = (uint8_t *)take(&f->mem, slots.room, true);
    heap.at = (uint8_t *)take(&f->mem, heap.room, true);
    sito_rc rc = slots.at && heap.at ? moved_into(f, &slots, &heap, bytes, coming) : SITO_ENOMEM;
    if (rc != SITO_OK) {
        give(&f->mem, slots.at, slots.room);
        give(&f->mem, heap.at, heap.room);
        return rc;
    }
    segment_free(f, &f->seg[0]);
    segment_free(f, &f->seg[1]);
    f->seg[0] = slots;
    f->seg[1] = heap;
    f->shape.ncells = nslots;
    f->extra[EXTRA_HEAP] = heap.bytes;
    f->extra[EXTRA_DEAD] = 0;
    image_let_go(f);
    return SITO_OK;
}

static bool slots_suffice(const sito_filter *f, uint64_t keys) {
    uint64_t need = sum_of(f->extra[EXTRA_DISTINCT], keys);
    return (double)need <= (double)f->shape.ncells * f->kind->slots->full;
}

/* A copy may have more room than it may use. */
static bool heap_suffices(const sito_filter *f, uint64_t bytes) {
    uint64_t all = sum_of(f->seg[0].bytes, sum_of(f->seg[1].bytes, bytes));
    if (f->limit_bytes && all > f->limit_bytes) return false;
    return f->seg[1].room - f->seg[1].bytes >= bytes;
}

/* Half the slots are empty here: keys that find no place were chosen not to. A larger table would
 * only cost the memory they were chosen to cost. */
static uint64_t roomy(const sito_filter *f, uint64_t keys) {
    return rounded_up(2 * sum_of(f->extra[EXTRA_DISTINCT], keys) + 64, f->kind->slots->step);
}

/* Room for so many more keys, and records of so many bytes, in `at_least` so many slots. If a key
 * finds no place there, a larger table is tried, and at last a roomy one. */
static sito_rc enlarge(sito_filter *f, uint64_t keys, uint64_t bytes, uint64_t at_least,
                       const uint64_t *coming) {
    const struct slot_rule *rule = f->kind->slots;
    uint64_t need = sum_of(f->extra[EXTRA_DISTINCT], keys), nslots = f->shape.ncells;
    uint64_t used = f->seg[1].bytes, heap = used - least(f->extra[EXTRA_DEAD], used) + bytes;
    if (need > CELLS_MAX || bytes > CELLS_MAX) return SITO_ELIMIT;
    /* More than is needed, so that growing is rare. */
    uint64_t fewest = nslots, target = nslots, spare = heap / 2 + 256;
    if (!slots_suffice(f, keys) || at_least > nslots) {
        fewest = (uint64_t)((double)need / rule->full) + 8;
        fewest = rounded_up(at_least > fewest ? at_least : fewest, rule->step);
        target = nslots + nslots / rule->grows_by;
        if (target < planned_slots(rule, need)) target = planned_slots(rule, need);
    }
    uint64_t spare_slots = target > fewest ? target - fewest : 0;
    if (f->limit_bytes) {
        uint64_t least_bytes = sum_of(product_of(fewest, SLOT_BYTES), heap);
        if (least_bytes > f->limit_bytes) return SITO_ELIMIT;
        /* Near the limit half of what is left goes to the slots: to each time add just what is
         * needed would mean a rebuild for every key from there on. */
        uint64_t left = f->limit_bytes - least_bytes;
        spare_slots = least(spare_slots, left / 2 / SLOT_BYTES);
        spare = least(spare, left - spare_slots * SLOT_BYTES);
    }
    nslots = fewest + (spare_slots & ~(rule->step - 1));
    sito_rc rc = rebuilt(f, nslots, heap + spare, bytes, coming);
    if (rc != SITO_EFULL || nslots >= roomy(f, keys)) return rc;
    at_least = nslots == f->shape.ncells ? nslots + 1 : roomy(f, keys);
    return enlarge(f, keys, bytes, at_least, coming);
}

static sito_rc reserve(sito_filter *f, uint64_t keys, uint64_t bytes) {
    bool fits = slots_suffice(f, keys) && heap_suffices(f, bytes);
    return fits ? SITO_OK : enlarge(f, keys, bytes, 0, NULL);
}

/* A free slot for a new hash, and room for its record; or nothing is changed. */
static sito_rc slot_for(sito_filter *f, uint64_t hash, uint64_t bytes, uint64_t *slot) {
    const struct slot_rule *rule = f->kind->slots;
    uint64_t n = f->shape.ncells, at_least = 0;
    if (slots_suffice(f, 1) && heap_suffices(f, bytes)) {
        *slot = rule->free_slot(f->seg[0].at, n, hash);
        if (*slot < n) return SITO_OK;
        if (*slot == NOWHERE || n >= roomy(f, 1)) return SITO_EFULL;
        at_least = n + 1;
    }
    sito_rc rc = enlarge(f, 1, bytes, at_least, &hash);
    if (rc == SITO_OK) *slot = rule->free_slot(f->seg[0].at, f->shape.ncells, hash);
    return rc;
}

/* ---- key -> record ---- */

/* Append a record and return its reference. There is room. */
static uint64_t record_new(sito_filter *f, const void *key, size_t len, uint64_t count,
                           const uint64_t *value) {
    uint64_t place = f->seg[1].bytes, head = RECORD_HEAD + (value ? 8u : 0u);
    uint8_t *at = f->seg[1].at + place;
    put32(at, (uint32_t)count);
    put32(at + 4, (uint32_t)len | (value ? HAS_VALUE : 0));
    if (value) put64(at + RECORD_HEAD, *value);
    if (len) memcpy(at + head, key, len);
    f->seg[1].bytes += head + len;
    f->extra[EXTRA_HEAP] = f->seg[1].bytes;
    return place + 1;
}

/* A key that was removed is not left lying in the file. */
static void record_drop(sito_filter *f, const struct record *r) {
    memset(r->at, 0, (size_t)r->bytes);
    f->extra[EXTRA_DEAD] += r->bytes;
}

/* The key is there. A record without a value has no room for one: a new one takes its place. */
static sito_rc value_put(sito_filter *f, uint64_t hash, const void *key, size_t len,
                         uint64_t value) {
    struct record r = {0};
    uint64_t i = f->kind->slots->find(f, hash, key, len, &r);
    if (r.has_value) {
        put64(r.at + RECORD_HEAD, value);
        return SITO_OK;
    }
    sito_rc rc = reserve(f, 0, RECORD_HEAD + 8 + len);
    if (rc != SITO_OK) return rc;
    i = f->kind->slots->find(f, hash, key, len, &r); /* it may have moved */
    slot_write(slot_of(f, i), hash, record_new(f, key, len, r.count, &value));
    record_drop(f, &r);
    return SITO_OK;
}

/* `count` more copies; a new key takes `value` with it. */
static int copies_put(sito_filter *f, uint64_t hash, const void *key, size_t len, uint64_t count,
                      const uint64_t *value) {
    struct record r;
    uint64_t i;
    if (len > LENGTH_MAX) return SITO_ELIMIT;
    if (f->kind->slots->find(f, hash, key, len, &r) < f->shape.ncells) {
        if (r.count + count > UINT32_MAX) return SITO_EFULL;
        put32(r.at, (uint32_t)(r.count + count));
        f->nkeys += count;
        return 0;
    }
    sito_rc rc = slot_for(f, hash, RECORD_HEAD + 8 + len, &i);
    if (rc != SITO_OK) return rc;
    slot_write(slot_of(f, i), hash, record_new(f, key, len, count, value));
    f->extra[EXTRA_DISTINCT]++;
    f->nkeys += count;
    return 1;
}

int whole_add_key(sito_filter *f, uint64_t hash, const void *key, size_t len) {
    return copies_put(f, hash, key, len, 1, NULL);
}

int sito_exact_put(sito_filter *f, const void *key, size_t len, uint64_t value) {
    if (!f) return SITO_EINVAL;
    if (!f->kind->slots || !(f->can & SITO_CAN_ADD)) return SITO_EUNABLE;
    if (!f->hash.known) return SITO_EKEY;
    uint64_t hash = sito_hash_key(f, key, len);
    return f->kind->maybe_key(f, hash, key, len) ? value_put(f, hash, key, len, value)
                                                 : copies_put(f, hash, key, len, 1, &value);
}

int whole_remove_key(sito_filter *f, uint64_t hash, const void *key, size_t len) {
    struct record r;
    uint64_t i = f->kind->slots->find(f, hash, key, len, &r);
    if (i == f->shape.ncells) return 0;
    f->nkeys -= f->nkeys > 0;
    if (r.count > 1) {
        put32(r.at, (uint32_t)r.count - 1);
        return 1;
    }
    record_drop(f, &r);
    f->kind->slots->vacate(f, i);
    f->extra[EXTRA_DISTINCT]--;
    return 1;
}

/* All memory is reserved and all counts are checked first: where a free slot is always to be had, a
 * merge happens whole or not at all. */
sito_rc whole_merge(sito_filter *into, const sito_filter *from) {
    const struct slot_rule *rule = into->kind->slots;
    uint64_t keys = 0, bytes = 0;
    struct record mine;
    for (uint64_t i = 0; i < from->shape.ncells; i++) {
        struct record r = record_at(from, slot_ref(from, i));
        if (!r.at) continue;
        bool is_new =
            rule->find(into, slot_hash(from, i), r.key, r.len, &mine) == into->shape.ncells;
        if (!is_new && mine.count + r.count > UINT32_MAX) return SITO_EFULL;
        keys += is_new;
        if (is_new || (r.has_value && !mine.has_value)) bytes += r.bytes + 8;
    }
    sito_rc rc = reserve(into, keys, bytes);
    for (uint64_t i = 0; i < from->shape.ncells && rc >= 0; i++) {
        struct record r = record_at(from, slot_ref(from, i));
        uint64_t hash = slot_hash(from, i);
        if (!r.at) continue;
        rc = copies_put(into, hash, r.key, r.len, r.count, r.has_value ? &r.value : NULL);
        bool was_known = rc == 0;
        if (was_known && r.has_value &&
            rule->find(into, hash, r.key, r.len, &mine) < into->shape.ncells && !mine.has_value)
            rc = value_put(into, hash, r.key, r.len, r.value);
    }
    return rc < 0 ? rc : SITO_OK;
}

/* ---- wish -> shape ---- */

static uint64_t planned_bytes(uint64_t slots, uint64_t n) {
    return sum_of(product_of(slots, SLOT_BYTES), product_of(n, RECORD_HEAD + KEY_GUESS));
}

struct size_question {
    const struct slot_rule *rule;
    uint64_t allowed;
};

static bool is_too_large(const void *self, uint64_t n) {
    const struct size_question *q = (const struct size_question *)self;
    return planned_bytes(planned_slots(q->rule, n), n) > q->allowed;
}

sito_rc whole_solve(sito_plan *p, const struct slot_rule *rule) {
    if (p->ncells > CELLS_MAX || p->nkeys > CELLS_MAX) return SITO_ELIMIT;
    if (!p->nkeys && !p->ncells && p->max_bytes) {
        struct size_question q = {.rule = rule, .allowed = least(p->max_bytes, CELLS_MAX)};
        uint64_t guess = q.allowed / (2 * SLOT_BYTES);
        p->nkeys = least_enough(2, CELLS_MAX, guess, is_too_large, &q) - 1;
    }
    if (!p->ncells) p->ncells = p->nkeys ? planned_slots(rule, p->nkeys) : 8;
    if (!p->nkeys) p->nkeys = (uint64_t)ceil((double)p->ncells * rule->load);
    p->bytes = planned_bytes(p->ncells, p->nkeys);
    p->real_fpr = 0;
    return p->bytes > CELLS_MAX ? SITO_ELIMIT : SITO_OK;
}

void whole_to_shape(const sito_plan *plan, struct shape *s) {
    *s = (struct shape){.ncells = plan->ncells};
}

void whole_to_plan(const struct shape *s, sito_plan *plan) { plan->ncells = s->ncells; }

bool whole_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    bytes[0] = product_of(s->ncells, SLOT_BYTES);
    bytes[1] = extra[EXTRA_HEAP];
    return s->ncells && bytes[0] <= CELLS_MAX && bytes[1] <= CELLS_MAX && !s->param[0] &&
           !s->param[1] && !s->param[2] && !s->param[3];
}

double whole_rate(const struct shape *s, uint64_t nkeys) {
    (void)s, (void)nkeys;
    return 0;
}

/* ---- looking ---- */

void whole_look(const sito_filter *f, sito_info *info) {
    uint64_t taken = 0;
    for (uint64_t i = 0; i < f->shape.ncells; i++) taken += slot_ref(f, i) != 0;
    info->fill = (double)taken / (double)f->shape.ncells;
    info->present_fpr = 0;
}

/* In the order of whole_facts. */
double whole_fact(const sito_filter *f, size_t i) {
    double slots = (double)f->shape.ncells, distinct = (double)f->extra[EXTRA_DISTINCT];
    double dead = (double)f->extra[EXTRA_DEAD];
    const double facts[] = {slots, distinct / slots, distinct, (double)f->seg[1].bytes - dead,
                            dead};
    return facts[i];
}

/* Every slot's record is whole, and the books balance. `seen` has a bit for every byte of the heap,
 * to find records that overlap. */
static const char *first_flaw(const sito_filter *f, uint8_t *seen) {
    uint64_t taken = 0, live = 0, copies = 0;
    for (uint64_t i = 0; i < f->shape.ncells; i++) {
        if (!slot_ref(f, i)) {
            if (slot_hash(f, i)) return "an empty slot has a hash";
            continue;
        }
        struct record r = record_at(f, slot_ref(f, i));
        if (!r.at || !r.count) return "a slot's record is not whole";
        if (f->hash.known && hash_bytes(&f->hash, r.key, r.len) != slot_hash(f, i))
            return "a key's hash is not its slot's";
        for (uint64_t at = slot_ref(f, i) - 1, end = at + r.bytes; at < end; at++)
            if (bit_set(seen, at)) return "two records overlap";
        taken++, live += r.bytes, copies += r.count;
    }
    for (uint64_t at = 0; at < f->seg[1].bytes; at++)
        if (f->seg[1].at[at] && !bit_at(seen, at)) return "a dead record is not zero";
    if (taken != f->extra[EXTRA_DISTINCT] || copies != f->nkeys)
        return "the number of keys is not that of the records";
    if (f->extra[EXTRA_DEAD] != f->seg[1].bytes - live)
        return "the heap is larger than its records";
    return f->kind->slots->misplaced(f);
}

sito_rc whole_verify(const sito_filter *f, const char **why) {
    uint64_t room = f->seg[1].bytes / 8 + 1; /* never nothing: a hook may call that a failure */
    uint8_t *seen = (uint8_t *)take(&f->mem, room, true);
    if (!seen) return refuse(SITO_ENOMEM, "out of memory", why);
    const char *flaw = first_flaw(f, seen);
    give(&f->mem, seen, room);
    return flaw ? refuse(SITO_EDAMAGED, flaw, why) : SITO_OK;
}
