/*
 * exact_cuckoo.c - the complete dictionary by cuckoo hashing: whole keys, no error, and a question
 * looks at two cache lines at most.
 *
 * The slots of whole_keys.h in buckets of four. A key has two buckets and stands in one of them. A
 * new key goes into the emptier; where both are full, the shortest chain of keys is found that can
 * each move to their other bucket, the last one into a hole. Only slots move: records stay.
 *
 * No more than eight keys can have one hash. Those whose hashes crowd too few buckets in every
 * table up to half empty are refused too: whoever found such keys looked for them.
 */
#include "core/filter.h"

#include "cells/bits.h"
#include "core/life.h"
#include "kinds/whole_keys.h"
#include "place/range.h"
#include "place/spread.h"

enum { IN_BUCKET = 4 };

/* ---- hash -> buckets ---- */

/* The first slots of a key's two buckets. They differ, so there are two buckets at least. */
struct homes {
    uint64_t first, second;
};

static inline struct homes homes_of(uint64_t hash, uint64_t nslots) {
    uint64_t nbuckets = nslots / IN_BUCKET, a = range_of(hash, nbuckets),
             b = range_of(spread_next(hash), nbuckets - 1);
    return (struct homes){.first = a * IN_BUCKET, .second = (b + (b >= a)) * IN_BUCKET};
}

static uint64_t other_home(uint64_t hash, uint64_t nslots, uint64_t home) {
    struct homes h = homes_of(hash, nslots);
    return h.first == home ? h.second : h.first;
}

/* ---- bucket -> answer ---- */

static inline bool bucket_has(const uint8_t *bucket, uint64_t hash) {
    unsigned has = 0;
    for (unsigned s = 0; s < IN_BUCKET; s++) {
        const uint8_t *slot = bucket + s * SLOT_BYTES;
        has |= (unsigned)(hash_in(slot) == hash) & (unsigned)(ref_in(slot) != 0);
    }
    return has;
}

static inline bool exact_cuckoo_maybe(const sito_filter *f, uint64_t hash) {
    struct homes h = homes_of(hash, f->shape.ncells);
    return bucket_has(slot_of(f, h.first), hash) || bucket_has(slot_of(f, h.second), hash);
}

static void exact_cuckoo_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                                    uint8_t *answers) {
    enum { AHEAD = 16 };
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            struct homes soon = homes_of(hashes[i + AHEAD], f->shape.ncells);
            __builtin_prefetch(slot_of(f, soon.first));
            __builtin_prefetch(slot_of(f, soon.second));
        }
        answers[i] = exact_cuckoo_maybe(f, hashes[i]);
    }
}

static inline uint64_t exact_cuckoo_find(const sito_filter *f, uint64_t hash, const void *key,
                                         size_t len, struct record *r) {
    struct homes h = homes_of(hash, f->shape.ncells);
    __builtin_prefetch(slot_of(f, h.second));
    for (unsigned s = 0; s < 2 * IN_BUCKET; s++) {
        uint64_t i = s < IN_BUCKET ? h.first + s : h.second + s - IN_BUCKET;
        if (slot_hash(f, i) != hash) continue;
        *r = record_at(f, slot_ref(f, i));
        if (holds(r, key, len)) return i;
    }
    return f->shape.ncells;
}

static bool exact_cuckoo_maybe_key(const sito_filter *f, uint64_t hash, const void *key,
                                   size_t len) {
    struct record r;
    return exact_cuckoo_find(f, hash, key, len, &r) < f->shape.ncells;
}

static uint64_t exact_cuckoo_count_key(const sito_filter *f, uint64_t hash, const void *key,
                                       size_t len) {
    struct record r;
    return exact_cuckoo_find(f, hash, key, len, &r) < f->shape.ncells ? r.count : 0;
}

/* ---- slots come and go ---- */

static unsigned holes_in(const uint8_t *bucket) {
    unsigned holes = 0;
    for (unsigned s = 0; s < IN_BUCKET; s++) holes += !ref_in(bucket + s * SLOT_BYTES);
    return holes;
}

/* The first hole of a bucket that has one. */
static uint64_t hole_in(uint8_t *slots, uint64_t home) {
    while (ref_in(slot_at(slots, home))) home++;
    return home;
}

/* A bucket met on the search, and which slot of which other leads there. */
struct met {
    uint64_t home, slot;
    int from; /* -1: one of the new key's own */
};

/* Everybody on the way moves one on, the last first; returns the slot that gets free. */
static uint64_t pushed_along(uint8_t *slots, const struct met *met, int last, uint64_t slot,
                             uint64_t hole) {
    while (last >= 0) {
        memcpy(slot_at(slots, hole), slot_at(slots, slot), SLOT_BYTES);
        hole = slot;
        slot = met[last].slot;
        last = met[last].from;
    }
    slot_write(slot_at(slots, hole), 0, 0);
    return hole;
}

/* Breadth first, so that as few as possible move, and nobody twice. */
static uint64_t way_out(uint8_t *slots, uint64_t nslots, struct homes h) {
    enum {
        SEARCHED = 256, /* buckets: enough for a load of 0.96 up to 2^27 slots */
        SEEN = 4096,    /* bits; two buckets may share one, and the later is then left out */
    };
    struct met met[SEARCHED];
    uint8_t seen[SEEN / 8] = {0};
    int n = 0;
    met[n++] = (struct met){.home = h.first, .from = -1};
    met[n++] = (struct met){.home = h.second, .from = -1};
    for (int at = 0; at < n; at++) bit_set(seen, met[at].home / IN_BUCKET % SEEN);
    for (int at = 0; at < n; at++)
        for (uint64_t slot = met[at].home; slot < met[at].home + IN_BUCKET; slot++) {
            uint64_t next = other_home(hash_in(slot_at(slots, slot)), nslots, met[at].home);
            if (holes_in(slot_at(slots, next)))
                return pushed_along(slots, met, at, slot, hole_in(slots, next));
            if (n < SEARCHED && !bit_set(seen, next / IN_BUCKET % SEEN))
                met[n++] = (struct met){.home = next, .slot = slot, .from = at};
        }
    return nslots;
}

static bool all_have(const uint8_t *bucket, uint64_t hash) {
    unsigned same = 0;
    for (unsigned s = 0; s < IN_BUCKET; s++) same += hash_in(bucket + s * SLOT_BYTES) == hash;
    return same == IN_BUCKET;
}

static uint64_t exact_cuckoo_free_slot(uint8_t *slots, uint64_t nslots, uint64_t hash) {
    struct homes h = homes_of(hash, nslots);
    uint8_t *first = slot_at(slots, h.first), *second = slot_at(slots, h.second);
    unsigned here = holes_in(first), there = holes_in(second);
    if (here + there) return hole_in(slots, there > here ? h.second : h.first);
    return all_have(first, hash) && all_have(second, hash) ? NOWHERE : way_out(slots, nslots, h);
}

static void exact_cuckoo_vacate(sito_filter *f, uint64_t i) { slot_write(slot_of(f, i), 0, 0); }

/* A new key may find no place, even in a larger table: a merge is tried on a copy, so that it
 * happens whole or not at all. */
static sito_rc exact_cuckoo_merge(sito_filter *into, const sito_filter *from) {
    sito_filter *both = NULL;
    sito_rc rc = sito_copy(into, &into->mem, &both);
    if (rc == SITO_OK) rc = whole_merge(both, from);
    if (rc == SITO_OK) {
        for (int i = 0; i < SEGMENTS; i++) {
            segment_free(into, &into->seg[i]);
            into->seg[i] = both->seg[i];
            both->seg[i] = (struct segment){0};
        }
        into->shape = both->shape;
        into->nkeys = both->nkeys;
        memcpy(into->extra, both->extra, sizeof into->extra);
        image_let_go(into);
    }
    sito_free(both);
    return rc;
}

static const char *exact_cuckoo_misplaced(const sito_filter *f) {
    for (uint64_t i = 0; i < f->shape.ncells; i++) {
        struct homes h = homes_of(slot_hash(f, i), f->shape.ncells);
        uint64_t home = i - i % IN_BUCKET;
        if (slot_ref(f, i) && home != h.first && home != h.second)
            return "a key is in neither of its buckets";
    }
    return NULL;
}

/* ---- wish -> shape ---- */

/* Few buckets are soon crowded by chance: with 16 slots more no planned key was refused in 30
 * million fills of small tables. */
static const struct slot_rule exact_cuckoo_slots = {
    .load = 0.9,
    .full = 0.96,
    .slack = 16,
    .step = IN_BUCKET,
    .grows_by = 4,
    .stays = true,
    .find = exact_cuckoo_find,
    .free_slot = exact_cuckoo_free_slot,
    .vacate = exact_cuckoo_vacate,
    .misplaced = exact_cuckoo_misplaced,
};

static bool has_buckets(uint64_t nslots) {
    return nslots >= 2 * IN_BUCKET && nslots % IN_BUCKET == 0;
}

static sito_rc exact_cuckoo_solve(sito_plan *plan) {
    if (plan->ncells && !has_buckets(plan->ncells)) return SITO_EINVAL;
    return whole_solve(plan, &exact_cuckoo_slots);
}

static bool exact_cuckoo_sizes(const struct shape *s, const uint64_t extra[3],
                               uint64_t bytes[SEGMENTS]) {
    return whole_sizes(s, extra, bytes) && has_buckets(s->ncells);
}

const struct kind kind_exact_cuckoo = {
    .name = SITO_EXACT_CUCKOO,
    .what = "the complete dictionary by cuckoo hashing: two buckets of four a key, no error",
    .id = 8,
    .can = SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_COUNT | SITO_CAN_GROW | SITO_CAN_MERGE |
           SITO_CAN_MAP,
    .solve = exact_cuckoo_solve,
    .to_shape = whole_to_shape,
    .to_plan = whole_to_plan,
    .sizes = exact_cuckoo_sizes,
    .rate = whole_rate,
    .slots = &exact_cuckoo_slots,
    .maybe = exact_cuckoo_maybe,
    .maybe_many = exact_cuckoo_maybe_many,
    .add_key = whole_add_key,
    .maybe_key = exact_cuckoo_maybe_key,
    .remove_key = whole_remove_key,
    .count_key = exact_cuckoo_count_key,
    .merge = exact_cuckoo_merge,
    .look = whole_look,
    .facts = whole_facts,
    .fact = whole_fact,
    .verify = whole_verify,
};
