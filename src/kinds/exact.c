/*
 * exact.c - the complete dictionary: whole keys, no error.
 *
 * Two segments. The slots are an open-addressing table, 16 bytes each: the key's 64-bit hash, and
 * where its record is (0: empty slot). The heap holds the records one after the other: count,
 * length, value if there is one, bytes. A search walks the slots from the hash's place and looks
 * into a record only where all 64 bits agree.
 *
 * An image may say anything, so a record's place and length are checked each time they are used.
 */
#include "core/filter.h"

#include <math.h>

#include "cells/bits.h"
#include "core/life.h"
#include "core/memory.h"
#include "core/plan.h"
#include "core/rate.h"
#include "place/range.h"
#include "sito/exact.h"

enum {
    SLOT_BYTES = 16,
    RECORD_HEAD = 8,
    EXTRA_HEAP = 0,     /* bytes of the heap in use */
    EXTRA_DEAD = 1,     /* of those, bytes of records that are no more */
    EXTRA_DISTINCT = 2, /* slots taken */
    KEY_GUESS = 16,     /* bytes of a key, for plans */
};

static const uint32_t HAS_VALUE = 0x80000000u, LENGTH_MAX = 0x7fffffffu;
static const double FULL = 0.8; /* slots taken before the table grows */

/* ---- hash -> slot ---- */

static uint8_t *slot_of(const sito_filter *f, uint64_t i) { return f->seg[0].at + i * SLOT_BYTES; }
static uint64_t slot_hash(const sito_filter *f, uint64_t i) { return get64(slot_of(f, i)); }
static uint64_t slot_ref(const sito_filter *f, uint64_t i) { return get64(slot_of(f, i) + 8); }

static void slot_write(uint8_t *slot, uint64_t hash, uint64_t ref) {
    put64(slot, hash);
    put64(slot + 8, ref);
}

static uint64_t slot_after(const sito_filter *f, uint64_t i) {
    return i + 1 < f->shape.ncells ? i + 1 : 0;
}

/* ---- slot -> record ---- */

struct record {
    uint8_t *at; /* NULL: there is none */
    bool has_value;
    uint64_t count, value, bytes;
    const uint8_t *key;
    size_t len;
};

static struct record record_at(const sito_filter *f, uint64_t ref) {
    uint64_t heap = f->seg[1].bytes, place = ref - 1;
    struct record r = {0};
    if (ref == 0 || place > heap || heap - place < RECORD_HEAD) return r;
    uint8_t *at = f->seg[1].at + place;
    uint32_t size = get32(at + 4);
    bool has_value = size & HAS_VALUE;
    uint64_t head = RECORD_HEAD + (has_value ? 8 : 0), len = size & LENGTH_MAX;
    if (heap - place < head + len) return r;
    return (struct record){.at = at,
                           .has_value = has_value,
                           .count = get32(at),
                           .value = has_value ? get64(at + RECORD_HEAD) : 0,
                           .bytes = head + len,
                           .key = at + head,
                           .len = (size_t)len};
}

static bool holds(const struct record *r, const void *key, size_t len) {
    return r->at && r->len == len && (len == 0 || memcmp(r->key, key, len) == 0);
}

/* The key's slot, or the number of slots if it is not there. */
static uint64_t find(const sito_filter *f, uint64_t hash, const void *key, size_t len,
                     struct record *r) {
    uint64_t i = range_of(hash, f->shape.ncells);
    for (uint64_t steps = 0; steps < f->shape.ncells && slot_ref(f, i);
         steps++, i = slot_after(f, i)) {
        if (slot_hash(f, i) != hash) continue;
        *r = record_at(f, slot_ref(f, i));
        if (holds(r, key, len)) return i;
    }
    return f->shape.ncells;
}

/* ---- record -> answer ---- */

static bool exact_maybe(const sito_filter *f, uint64_t hash) {
    uint64_t i = range_of(hash, f->shape.ncells);
    for (uint64_t steps = 0; steps < f->shape.ncells && slot_ref(f, i);
         steps++, i = slot_after(f, i))
        if (slot_hash(f, i) == hash) return true;
    return false;
}

static bool exact_maybe_key(const sito_filter *f, uint64_t hash, const void *key, size_t len) {
    struct record r;
    return find(f, hash, key, len, &r) < f->shape.ncells;
}

static uint64_t exact_count_key(const sito_filter *f, uint64_t hash, const void *key, size_t len) {
    struct record r;
    return find(f, hash, key, len, &r) < f->shape.ncells ? r.count : 0;
}

int sito_exact_get(const sito_filter *f, const void *key, size_t len, uint64_t *value) {
    if (!f || !value) return SITO_EINVAL;
    if (f->kind != &kind_exact) return SITO_EUNABLE;
    if (!f->hash.known) return SITO_EKEY;
    struct record r;
    if (find(f, sito_hash_key(f, key, len), key, len, &r) == f->shape.ncells) return 0;
    *value = r.value;
    return 1;
}

int sito_exact_each(const sito_filter *f,
                    int (*each)(void *self, const void *key, size_t len, uint64_t count,
                                uint64_t value),
                    void *self) {
    if (!f || !each) return SITO_EINVAL;
    if (f->kind != &kind_exact) return SITO_EUNABLE;
    for (uint64_t i = 0; i < f->shape.ncells; i++) {
        struct record r = record_at(f, slot_ref(f, i));
        int stop = r.at ? each(self, r.key, r.len, r.count, r.value) : 0;
        if (stop) return stop;
    }
    return 0;
}

/* ---- room ---- */

/* A new table of slots, and a heap without dead records and with room for `bytes` more. All the
 * memory is there before anything is changed. In a forged image records may overlap, so that one's
 * count is another's length: if they outgrow the room made for them, nothing is changed either. */
static sito_rc exact_rebuild(sito_filter *f, uint64_t nslots, uint64_t heap_room, uint64_t bytes) {
    struct segment slots = {.bytes = product_of(nslots, SLOT_BYTES)}, heap = {.room = heap_room};
    slots.room = room_for(slots.bytes);
    slots.at = (uint8_t *)take(&f->mem, slots.room, true);
    heap.at = (uint8_t *)take(&f->mem, heap.room, true);
    sito_rc rc = slots.at && heap.at ? SITO_OK : SITO_ENOMEM;
    for (uint64_t i = 0; i < f->shape.ncells && rc == SITO_OK; i++) {
        if (!slot_ref(f, i)) continue;
        struct record r = record_at(f, slot_ref(f, i));
        if (!r.at || heap.room - bytes - heap.bytes < r.bytes) {
            rc = SITO_EDAMAGED;
            break;
        }
        uint64_t hash = slot_hash(f, i), to = range_of(hash, nslots);
        while (get64(slots.at + to * SLOT_BYTES + 8)) to = to + 1 < nslots ? to + 1 : 0;
        slot_write(slots.at + to * SLOT_BYTES, hash, heap.bytes + 1);
        memcpy(heap.at + heap.bytes, r.at, (size_t)r.bytes);
        heap.bytes += r.bytes;
    }
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

/* Make sure that so many more keys, and records of so many bytes, fit. */
static sito_rc exact_reserve(sito_filter *f, uint64_t keys, uint64_t bytes) {
    uint64_t need = sum_of(f->extra[EXTRA_DISTINCT], keys), nslots = f->shape.ncells;
    uint64_t used = f->seg[1].bytes, heap = used - least(f->extra[EXTRA_DEAD], used) + bytes;
    bool slots_fit = (double)need <= (double)nslots * FULL,
         heap_fits = f->seg[1].room - used >= bytes;
    if (slots_fit && heap_fits) return SITO_OK;
    if (need > CELLS_MAX || bytes > CELLS_MAX) return SITO_ELIMIT;
    /* Half as much again, so that growing is rare. */
    uint64_t fewest = slots_fit ? nslots : (uint64_t)((double)need / FULL) + 8;
    uint64_t spare_slots =
        slots_fit || fewest > nslots + nslots / 2 ? 0 : nslots + nslots / 2 - fewest;
    uint64_t spare = heap / 2 + 256;
    if (f->limit_bytes) {
        uint64_t least_bytes = sum_of(product_of(fewest, SLOT_BYTES), heap);
        if (least_bytes > f->limit_bytes) return SITO_ELIMIT;
        /* Near the limit half of what is left goes to the slots: to each time add just what is
         * needed would mean a rebuild for every key from there on. */
        uint64_t left = f->limit_bytes - least_bytes;
        if (!slots_fit) spare_slots = least(spare_slots, left / 2 / SLOT_BYTES);
        spare = least(spare, left - spare_slots * SLOT_BYTES);
    }
    return exact_rebuild(f, fewest + spare_slots, heap + spare, bytes);
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

static void insert(sito_filter *f, uint64_t hash, uint64_t ref) {
    uint64_t i = range_of(hash, f->shape.ncells);
    while (slot_ref(f, i)) i = slot_after(f, i);
    slot_write(slot_of(f, i), hash, ref);
    f->extra[EXTRA_DISTINCT]++;
}

/* The key is there. A record without a value has no room for one: a new one takes its place. */
static sito_rc value_put(sito_filter *f, uint64_t hash, const void *key, size_t len,
                         uint64_t value) {
    struct record r = {0};
    uint64_t i = find(f, hash, key, len, &r);
    if (r.has_value) {
        put64(r.at + RECORD_HEAD, value);
        return SITO_OK;
    }
    sito_rc rc = exact_reserve(f, 0, RECORD_HEAD + 8 + len);
    if (rc != SITO_OK) return rc;
    i = find(f, hash, key, len, &r); /* it may have moved */
    slot_write(slot_of(f, i), hash, record_new(f, key, len, r.count, &value));
    record_drop(f, &r);
    return SITO_OK;
}

/* `count` more copies; a new key takes `value` with it. */
static int exact_put(sito_filter *f, uint64_t hash, const void *key, size_t len, uint64_t count,
                     const uint64_t *value) {
    struct record r;
    if (len > LENGTH_MAX) return SITO_ELIMIT;
    if (find(f, hash, key, len, &r) < f->shape.ncells) {
        if (r.count + count > UINT32_MAX) return SITO_EFULL;
        put32(r.at, (uint32_t)(r.count + count));
        f->nkeys += count;
        return 0;
    }
    sito_rc rc = exact_reserve(f, 1, RECORD_HEAD + 8 + len);
    if (rc != SITO_OK) return rc;
    insert(f, hash, record_new(f, key, len, count, value));
    f->nkeys += count;
    return 1;
}

static int exact_add_key(sito_filter *f, uint64_t hash, const void *key, size_t len) {
    return exact_put(f, hash, key, len, 1, NULL);
}

int sito_exact_put(sito_filter *f, const void *key, size_t len, uint64_t value) {
    if (!f) return SITO_EINVAL;
    if (f->kind != &kind_exact || !(f->can & SITO_CAN_ADD)) return SITO_EUNABLE;
    if (!f->hash.known) return SITO_EKEY;
    uint64_t hash = sito_hash_key(f, key, len);
    return exact_maybe_key(f, hash, key, len) ? value_put(f, hash, key, len, value)
                                              : exact_put(f, hash, key, len, 1, &value);
}

/* Close the gap: every key that could stand nearer to its place moves up, so no tombstones are
 * needed. */
static void close_gap(sito_filter *f, uint64_t gap) {
    uint64_t n = f->shape.ncells, i = gap;
    for (uint64_t steps = 1; steps < n; steps++) {
        i = slot_after(f, i);
        if (!slot_ref(f, i)) break;
        uint64_t home = range_of(slot_hash(f, i), n);
        uint64_t from_home = i >= home ? i - home : i + n - home,
                 from_gap = i >= gap ? i - gap : i + n - gap;
        if (from_home < from_gap) continue;
        slot_write(slot_of(f, gap), slot_hash(f, i), slot_ref(f, i));
        gap = i;
    }
    slot_write(slot_of(f, gap), 0, 0);
}

static int exact_remove_key(sito_filter *f, uint64_t hash, const void *key, size_t len) {
    struct record r;
    uint64_t i = find(f, hash, key, len, &r);
    if (i == f->shape.ncells) return 0;
    f->nkeys -= f->nkeys > 0;
    if (r.count > 1) {
        put32(r.at, (uint32_t)r.count - 1);
        return 1;
    }
    record_drop(f, &r);
    close_gap(f, i);
    f->extra[EXTRA_DISTINCT]--;
    return 1;
}

/* All memory is reserved and all counts are checked first: a merge happens whole or not at all. */
static sito_rc exact_merge(sito_filter *into, const sito_filter *from) {
    uint64_t keys = 0, bytes = 0;
    struct record mine;
    for (uint64_t i = 0; i < from->shape.ncells; i++) {
        struct record r = record_at(from, slot_ref(from, i));
        if (!r.at) continue;
        bool is_new = find(into, slot_hash(from, i), r.key, r.len, &mine) == into->shape.ncells;
        if (!is_new && mine.count + r.count > UINT32_MAX) return SITO_EFULL;
        keys += is_new;
        if (is_new || (r.has_value && !mine.has_value)) bytes += r.bytes + 8;
    }
    sito_rc rc = exact_reserve(into, keys, bytes);
    for (uint64_t i = 0; i < from->shape.ncells && rc >= 0; i++) {
        struct record r = record_at(from, slot_ref(from, i));
        uint64_t hash = slot_hash(from, i);
        if (!r.at) continue;
        rc = exact_put(into, hash, r.key, r.len, r.count, r.has_value ? &r.value : NULL);
        bool was_known = rc == 0;
        if (was_known && r.has_value &&
            find(into, hash, r.key, r.len, &mine) < into->shape.ncells && !mine.has_value)
            rc = value_put(into, hash, r.key, r.len, r.value);
    }
    return rc < 0 ? rc : SITO_OK;
}

/* ---- wish -> shape ---- */

static uint64_t planned_slots(uint64_t n) { return (uint64_t)ceil((double)n / FULL) + 1; }

static uint64_t planned_bytes(uint64_t slots, uint64_t n) {
    return sum_of(product_of(slots, SLOT_BYTES), product_of(n, RECORD_HEAD + KEY_GUESS));
}

static sito_rc exact_solve(sito_plan *p) {
    if (p->ncells > CELLS_MAX || p->nkeys > CELLS_MAX) return SITO_ELIMIT;
    if (!p->nkeys && !p->ncells && p->max_bytes) {
        uint64_t each = (uint64_t)(SLOT_BYTES / FULL) + RECORD_HEAD + KEY_GUESS, n = 1;
        uint64_t allowed = least(p->max_bytes, CELLS_MAX);
        if (allowed > each + 2 * SLOT_BYTES) n = (allowed - 2 * SLOT_BYTES) / each;
        while (planned_bytes(planned_slots(n + 1), n + 1) <= allowed) n++;
        p->nkeys = n;
    }
    if (!p->ncells) p->ncells = p->nkeys ? planned_slots(p->nkeys) : 8;
    if (!p->nkeys) p->nkeys = (uint64_t)ceil((double)p->ncells * FULL);
    p->bytes = planned_bytes(p->ncells, p->nkeys);
    p->real_fpr = 0;
    return p->bytes > CELLS_MAX ? SITO_ELIMIT : SITO_OK;
}

static void exact_to_shape(const sito_plan *plan, struct shape *s) {
    *s = (struct shape){.ncells = plan->ncells};
}

static void exact_to_plan(const struct shape *s, sito_plan *plan) { plan->ncells = s->ncells; }

static bool exact_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    bytes[0] = product_of(s->ncells, SLOT_BYTES);
    bytes[1] = extra[EXTRA_HEAP];
    return s->ncells && bytes[0] <= CELLS_MAX && bytes[1] <= CELLS_MAX && !s->param[0] &&
           !s->param[1] && !s->param[2] && !s->param[3];
}

static double exact_rate(const struct shape *s, uint64_t nkeys) {
    (void)s, (void)nkeys;
    return 0;
}

/* ---- looking ---- */

static void exact_look(const sito_filter *f, sito_info *info) {
    uint64_t taken = 0;
    for (uint64_t i = 0; i < f->shape.ncells; i++) taken += slot_ref(f, i) != 0;
    info->fill = (double)taken / (double)f->shape.ncells;
    info->present_fpr = 0;
}

static const char *const exact_facts[] = {"slots",        "load",       "distinct",
                                          "record_bytes", "dead_bytes", NULL};

static double exact_fact(const sito_filter *f, size_t i) {
    double slots = (double)f->shape.ncells, distinct = (double)f->extra[EXTRA_DISTINCT];
    double dead = (double)f->extra[EXTRA_DEAD];
    const double facts[] = {slots, distinct / slots, distinct, (double)f->seg[1].bytes - dead,
                            dead};
    return facts[i];
}

/* Every slot's record is whole, and every key can be reached from its place: no empty slot lies
 * between. `seen` has a bit for every byte of the heap, to find records that overlap. */
static const char *first_flaw(const sito_filter *f, uint8_t *seen) {
    uint64_t n = f->shape.ncells, taken = 0, live = 0, copies = 0, run = 0;
    for (uint64_t i = n; i > 0 && slot_ref(f, i - 1); i--)
        run++; /* taken slots that end at slot 0, around the end */
    for (uint64_t i = 0; i < n; i++) {
        if (!slot_ref(f, i)) {
            if (slot_hash(f, i)) return "an empty slot has a hash";
            run = 0;
            continue;
        }
        struct record r = record_at(f, slot_ref(f, i));
        if (!r.at || !r.count) return "a slot's record is not whole";
        uint64_t home = range_of(slot_hash(f, i), n), away = i >= home ? i - home : i + n - home;
        if (away > run) return "a key cannot be reached from its place";
        if (f->hash.known && hash_bytes(&f->hash, r.key, r.len) != slot_hash(f, i))
            return "a key's hash is not its slot's";
        for (uint64_t at = slot_ref(f, i) - 1, end = at + r.bytes; at < end; at++)
            if (bit_set(seen, at)) return "two records overlap";
        taken++, live += r.bytes, copies += r.count, run++;
    }
    for (uint64_t at = 0; at < f->seg[1].bytes; at++)
        if (f->seg[1].at[at] && !bit_at(seen, at)) return "a dead record is not zero";
    if (taken != f->extra[EXTRA_DISTINCT] || copies != f->nkeys)
        return "the number of keys is not that of the records";
    if (f->extra[EXTRA_DEAD] != f->seg[1].bytes - live)
        return "the heap is larger than its records";
    return taken < n ? NULL : "no slot is free";
}

static sito_rc exact_verify(const sito_filter *f, const char **why) {
    uint64_t room = bits_bytes(f->seg[1].bytes);
    uint8_t *seen = (uint8_t *)take(&f->mem, room, true);
    if (!seen) return refuse(SITO_ENOMEM, "out of memory", why);
    const char *flaw = first_flaw(f, seen);
    give(&f->mem, seen, room);
    return flaw ? refuse(SITO_EDAMAGED, flaw, why) : SITO_OK;
}

const struct kind kind_exact = {
    .name = SITO_EXACT,
    .what = "the complete dictionary: whole keys in a hash table, no error",
    .id = 1,
    .can = SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_COUNT | SITO_CAN_GROW | SITO_CAN_MERGE |
           SITO_CAN_MAP,
    .solve = exact_solve,
    .to_shape = exact_to_shape,
    .to_plan = exact_to_plan,
    .sizes = exact_sizes,
    .rate = exact_rate,
    .maybe = exact_maybe,
    .add_key = exact_add_key,
    .maybe_key = exact_maybe_key,
    .remove_key = exact_remove_key,
    .count_key = exact_count_key,
    .merge = exact_merge,
    .look = exact_look,
    .facts = exact_facts,
    .fact = exact_fact,
    .verify = exact_verify,
};
