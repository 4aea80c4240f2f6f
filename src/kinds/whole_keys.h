/*
 * whole_keys.h - what the complete dictionaries share: slots, and the records they lead to.
 *
 * Two segments. The slots are a hash table, 16 bytes each: the key's 64-bit hash, and where its
 * record is (0: empty slot). The heap holds the records one after the other: count, length, value
 * if there is one, bytes. A search looks into a record only where all 64 bits agree.
 *
 * The kinds differ in one thing, how a hash finds its slot. A question walks through the kind's own
 * file; what writes, here in whole_keys.c, asks the kind's `slot_rule`.
 *
 * An image may say anything, so a record's place and length are checked each time they are used.
 */
#ifndef SITO_WHOLE_KEYS_H
#define SITO_WHOLE_KEYS_H

#include "core/filter.h"

enum {
    SLOT_BYTES = 16,
    RECORD_HEAD = 8,
    EXTRA_HEAP = 0,     /* bytes of the heap in use */
    EXTRA_DEAD = 1,     /* of those, bytes of records that are no more */
    EXTRA_DISTINCT = 2, /* slots taken */
};

static const uint32_t HAS_VALUE = 0x80000000u, LENGTH_MAX = 0x7fffffffu;

/* ---- slots ---- */

static inline uint8_t *slot_at(uint8_t *slots, uint64_t i) { return slots + i * SLOT_BYTES; }
static inline uint64_t hash_in(const uint8_t *slot) { return get64(slot); }
static inline uint64_t ref_in(const uint8_t *slot) { return get64(slot + 8); }

static inline void slot_write(uint8_t *slot, uint64_t hash, uint64_t ref) {
    put64(slot, hash);
    put64(slot + 8, ref);
}

static inline uint8_t *slot_of(const sito_filter *f, uint64_t i) {
    return slot_at(f->seg[0].at, i);
}
static inline uint64_t slot_hash(const sito_filter *f, uint64_t i) {
    return hash_in(slot_of(f, i));
}
static inline uint64_t slot_ref(const sito_filter *f, uint64_t i) { return ref_in(slot_of(f, i)); }

/* ---- slot -> record ---- */

struct record {
    uint8_t *at; /* NULL: there is none */
    bool has_value;
    uint64_t count, value, bytes;
    const uint8_t *key;
    size_t len;
};

static inline struct record record_at(const sito_filter *f, uint64_t ref) {
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

static inline bool holds(const struct record *r, const void *key, size_t len) {
    return r->at && r->len == len && (len == 0 || memcmp(r->key, key, len) == 0);
}

/* ---- what a kind brings ---- */

/* No table of any size has a place for this hash. */
#define NOWHERE UINT64_MAX

/* How a hash finds its slot. The number of slots stands for "none". */
struct slot_rule {
    double load;       /* share of the slots taken by as many keys as planned */
    double full;       /* and the one before which the table grows */
    uint64_t slack;    /* slots a plan adds */
    uint64_t step;     /* slots come in multiples of it, a power of two */
    uint64_t grows_by; /* one slot more for so many */
    bool stays;        /* a key keeps its slot while the table keeps its size */

    /* The key's slot. */
    uint64_t (*find)(const sito_filter *f, uint64_t hash, const void *key, size_t len,
                     struct record *r);
    /* A free slot for a new hash; others may be moved out of its way. NOWHERE: never. */
    uint64_t (*free_slot)(uint8_t *slots, uint64_t nslots, uint64_t hash);
    /* The slot's key is gone. */
    void (*vacate)(sito_filter *f, uint64_t i);
    /* A sentence if a key stands where it would not be found. */
    const char *(*misplaced)(const sito_filter *f);
};

/* ---- what both do ---- */

int whole_add_key(sito_filter *f, uint64_t hash, const void *key, size_t len);
int whole_remove_key(sito_filter *f, uint64_t hash, const void *key, size_t len);
sito_rc whole_merge(sito_filter *into, const sito_filter *from);

sito_rc whole_solve(sito_plan *plan, const struct slot_rule *rule);
void whole_to_shape(const sito_plan *plan, struct shape *shape);
void whole_to_plan(const struct shape *shape, sito_plan *plan);
bool whole_sizes(const struct shape *shape, const uint64_t extra[3], uint64_t bytes[SEGMENTS]);
double whole_rate(const struct shape *shape, uint64_t nkeys);

void whole_look(const sito_filter *f, sito_info *info);
static const char *const whole_facts[] = {"slots",        "load",       "distinct",
                                          "record_bytes", "dead_bytes", NULL};
double whole_fact(const sito_filter *f, size_t i);
sito_rc whole_verify(const sito_filter *f, const char **why);

#endif
