/*
 * exact.c - the complete dictionary: whole keys, no error.
 *
 * The slots of whole_keys.h as an open-addressing table: a search walks from the hash's place to
 * the first empty slot.
 */
#include "core/filter.h"

#include "kinds/whole_keys.h"
#include "place/range.h"

/* ---- hash -> slot ---- */

static uint64_t slot_after(const sito_filter *f, uint64_t i) {
    return i + 1 < f->shape.ncells ? i + 1 : 0;
}

static inline uint64_t exact_find(const sito_filter *f, uint64_t hash, const void *key, size_t len,
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

/* ---- slot -> answer ---- */

static bool exact_maybe(const sito_filter *f, uint64_t hash) {
    uint64_t i = range_of(hash, f->shape.ncells);
    for (uint64_t steps = 0; steps < f->shape.ncells && slot_ref(f, i);
         steps++, i = slot_after(f, i))
        if (slot_hash(f, i) == hash) return true;
    return false;
}

static bool exact_maybe_key(const sito_filter *f, uint64_t hash, const void *key, size_t len) {
    struct record r;
    return exact_find(f, hash, key, len, &r) < f->shape.ncells;
}

static uint64_t exact_count_key(const sito_filter *f, uint64_t hash, const void *key, size_t len) {
    struct record r;
    return exact_find(f, hash, key, len, &r) < f->shape.ncells ? r.count : 0;
}

/* ---- slots come and go ---- */

/* One slot at least is always empty. */
static uint64_t exact_free_slot(uint8_t *slots, uint64_t nslots, uint64_t hash) {
    uint64_t i = range_of(hash, nslots);
    while (ref_in(slot_at(slots, i))) i = i + 1 < nslots ? i + 1 : 0;
    return i;
}

/* Close the gap: every key that could stand nearer to its place moves up, so no tombstones are
 * needed. */
static void exact_vacate(sito_filter *f, uint64_t gap) {
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

/* Every key can be reached from its place: no empty slot lies between. */
static const char *exact_misplaced(const sito_filter *f) {
    uint64_t n = f->shape.ncells, run = 0;
    for (uint64_t i = n; i > 0 && slot_ref(f, i - 1); i--)
        run++; /* taken slots that end at slot 0, around the end */
    if (run == n) return "no slot is free";
    for (uint64_t i = 0; i < n; i++) {
        if (!slot_ref(f, i)) {
            run = 0;
            continue;
        }
        uint64_t home = range_of(slot_hash(f, i), n), away = i >= home ? i - home : i + n - home;
        if (away > run) return "a key cannot be reached from its place";
        run++;
    }
    return NULL;
}

static const struct slot_rule exact_slots = {
    .load = 0.8,
    .full = 0.8,
    .slack = 1,
    .step = 1,
    .grows_by = 2,
    .find = exact_find,
    .free_slot = exact_free_slot,
    .vacate = exact_vacate,
    .misplaced = exact_misplaced,
};

static sito_rc exact_solve(sito_plan *plan) { return whole_solve(plan, &exact_slots); }

const struct kind kind_exact = {
    .name = SITO_EXACT,
    .what = "the complete dictionary: whole keys in a hash table, no error",
    .id = 1,
    .can = SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_COUNT | SITO_CAN_GROW | SITO_CAN_MERGE |
           SITO_CAN_MAP,
    .solve = exact_solve,
    .to_shape = whole_to_shape,
    .to_plan = whole_to_plan,
    .sizes = whole_sizes,
    .rate = whole_rate,
    .slots = &exact_slots,
    .maybe = exact_maybe,
    .add_key = whole_add_key,
    .maybe_key = exact_maybe_key,
    .remove_key = whole_remove_key,
    .count_key = exact_count_key,
    .merge = whole_merge,
    .look = whole_look,
    .facts = whole_facts,
    .fact = whole_fact,
    .verify = whole_verify,
};
