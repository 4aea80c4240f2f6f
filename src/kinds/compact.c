/*
 * compact.c - hash compaction (Wolper and Leroy): of every key an l-bit mark, in a hash table.
 *
 * Buckets of eight slots; a key that finds its bucket full goes on to the next, and every bucket it
 * passed counts it. So a bucket is a byte for that count and l bytes for eight marks, a search ends
 * at a bucket that nobody passed, and a mark can be taken out without tombstones. Equal marks are
 * interchangeable: taking out the first one met, and uncounting the buckets passed up to there,
 * leaves a right place for every other key.
 *
 * The bucket comes from the high bits of the hash, the mark from the low ones: were it computed
 * from the mark, as in the thesis, a stranger would err with 1-(1-2^-l)^n instead of some thirteen
 * marks' worth.
 */
#include "core/filter.h"

#include <math.h>

#include "build/distinct.h"
#include "cells/slots.h"
#include "core/plan.h"
#include "core/rate.h"
#include "place/range.h"

enum {
    SLOTS = 8,
    PARAM_MARK = 0,
    MARK_MIN = 8,
    MARK_MAX = 64,
    REACH = 4096, /* buckets that a new key goes from home at most; full runs end long before */
};

/* Fuller tables need fewer slots but longer walks, and more bits a mark to make up for the marks
 * met on them. Space is least near 0.8, where a walk meets 13. Up to LOAD_MAX is allowed when both
 * keys and slots are given. */
static const double LOAD = 0.8, LOAD_MAX = 0.9;

struct marks {
    uint8_t *cells;
    uint64_t nbuckets;
    unsigned bits;
};

static struct marks marks_of(const sito_filter *f) {
    uint64_t nbuckets = f->shape.ncells / SLOTS;
    return (struct marks){
        .cells = f->seg[0].at, .nbuckets = nbuckets, .bits = f->shape.param[PARAM_MARK]};
}

/* ---- hash -> place, mark ---- */

/* 0 means an empty slot. */
static uint64_t mark_of(uint64_t hash, unsigned bits) {
    uint64_t mark = hash & low_bits(bits);
    return mark ? mark : 1;
}

static uint8_t *bucket_at(const struct marks *t, uint64_t i) {
    return t->cells + i * (t->bits + 1);
}

static uint64_t bucket_after(const struct marks *t, uint64_t i) {
    return i + 1 < t->nbuckets ? i + 1 : 0;
}

static unsigned passed(const uint8_t *bucket) { return bucket[0]; }

/* The first slot that holds this mark, or SLOTS. Mark 0 finds a free one. */
static unsigned slot_with(const uint8_t *bucket, unsigned bits, uint64_t mark) {
    unsigned s = 0;
    while (s < SLOTS && slot_get(bucket + 1, s, bits) != mark) s++;
    return s;
}

/* ---- place -> answer ---- */

/* A search goes as far as buckets were passed, once around at most: where equal marks were taken
 * for each other, what is left may be further from home than any key has gone. */
static bool compact_maybe(const sito_filter *f, uint64_t hash) {
    struct marks t = marks_of(f);
    uint64_t mark = mark_of(hash, t.bits), i = range_of(hash, t.nbuckets);
    for (uint64_t step = 0; step < t.nbuckets; step++, i = bucket_after(&t, i)) {
        const uint8_t *bucket = bucket_at(&t, i);
        if (slot_with(bucket, t.bits, mark) < SLOTS) return true;
        if (!passed(bucket)) return false;
    }
    return false;
}

static void compact_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                               uint8_t *answers) {
    enum { AHEAD = 16 };
    struct marks t = marks_of(f);
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            const uint8_t *soon = bucket_at(&t, range_of(hashes[i + AHEAD], t.nbuckets));
            __builtin_prefetch(soon);
            __builtin_prefetch(soon + t.bits);
        }
        answers[i] = compact_maybe(f, hashes[i]);
    }
}

static uint64_t compact_count(const sito_filter *f, uint64_t hash) {
    struct marks t = marks_of(f);
    uint64_t mark = mark_of(hash, t.bits), i = range_of(hash, t.nbuckets), copies = 0;
    for (uint64_t step = 0; step < t.nbuckets; step++, i = bucket_after(&t, i)) {
        const uint8_t *bucket = bucket_at(&t, i);
        for (unsigned s = 0; s < SLOTS; s++) copies += slot_get(bucket + 1, s, t.bits) == mark;
        if (!passed(bucket)) break;
    }
    return copies;
}

static int compact_add(sito_filter *f, uint64_t hash) {
    struct marks t = marks_of(f);
    uint64_t home = range_of(hash, t.nbuckets), i = home, reach = least(REACH, t.nbuckets);
    unsigned steps = 0, slot;
    while ((slot = slot_with(bucket_at(&t, i), t.bits, 0)) == SLOTS) {
        if (++steps == reach || passed(bucket_at(&t, i)) == UINT8_MAX) return SITO_EFULL;
        i = bucket_after(&t, i);
    }
    int is_new = !compact_maybe(f, hash);
    for (uint64_t j = home; j != i; j = bucket_after(&t, j)) bucket_at(&t, j)[0]++;
    slot_put(bucket_at(&t, i) + 1, slot, t.bits, mark_of(hash, t.bits));
    f->nkeys++;
    return is_new;
}

static int compact_remove(sito_filter *f, uint64_t hash) {
    struct marks t = marks_of(f);
    uint64_t mark = mark_of(hash, t.bits), home = range_of(hash, t.nbuckets), i = home;
    uint64_t steps = 0;
    unsigned slot;
    while ((slot = slot_with(bucket_at(&t, i), t.bits, mark)) == SLOTS) {
        if (++steps == t.nbuckets || !passed(bucket_at(&t, i))) return 0;
        i = bucket_after(&t, i);
    }
    for (uint64_t j = home; j != i; j = bucket_after(&t, j)) bucket_at(&t, j)[0]--;
    slot_put(bucket_at(&t, i) + 1, slot, t.bits, 0);
    f->nkeys -= f->nkeys > 0;
    return 1;
}

/* ---- wish -> shape ---- */

/*
 * Which marks does a stranger meet? The keys that pass a bucket's end are a queue with eight served
 * at each step: q' = max(0, q + a - 8), a Poisson with mean 8 * load, whatever the order of
 * insertion. A stranger reads on while q' > 0. hit[q] is the chance that one of the marks met from
 * there on is his, each being his with chance p.
 */
enum { QUEUE = 128, ARRIVALS = 32 };

static double error_at(double load, double p) {
    double arrive[ARRIVALS], queue[QUEUE] = {1}, next[QUEUE], hit[QUEUE] = {0}, here[SLOTS + 1];
    double mean = load * SLOTS, term = exp(-mean), moved = 1, error = 0;
    int states = load > 0.85 ? QUEUE : QUEUE / 2; /* longer queues have a chance below 1e-11 */
    for (int a = 0; a < ARRIVALS; a++, term *= mean / a) arrive[a] = term;
    for (int s = 0; s <= SLOTS; s++) here[s] = -expm1(s * log1p(-p));
    for (int round = 0; round < 1000 && moved > 1e-6; round++) { /* to the steady state */
        moved = 0;
        memset(next, 0, sizeof next);
        for (int q = 0; q < states; q++) {
            double one = 0;
            for (int a = 0; a < ARRIVALS; a++) {
                int left = q + a - SLOTS, to = left < 0 ? 0 : left < states ? left : states - 1;
                next[to] += queue[q] * arrive[a];
                double met = here[left < 0 ? q + a : SLOTS];
                one += arrive[a] * (met + (1 - met) * (left > 0 ? hit[to] : 0));
            }
            moved += queue[q] * fabs(one - hit[q]) / p;
            hit[q] = one;
        }
        for (int q = 0; q < states; q++) moved += fabs(queue[q] - next[q]), queue[q] = next[q];
    }
    for (int q = 0; q < states; q++) error += queue[q] * hit[q];
    return error;
}

static double error_with(double load, uint64_t n, unsigned bits) {
    double p = ldexp(1, -(int)bits) * (1 + ldexp(2, -(int)bits)); /* mark 1 stands for 0 too */
    return with_hash_rate(error_at(fmin(load, LOAD_MAX), p), n);
}

static double compact_error(uint64_t slots, uint64_t n, unsigned bits) {
    return n ? error_with((double)n / (double)slots, n, bits) : 0;
}

static uint64_t table_bytes(uint64_t slots, unsigned bits) {
    return product_of(slots / SLOTS, bits + 1);
}

static uint64_t slots_for(uint64_t n) {
    if (n >= CELLS_MAX) return UINT64_MAX;
    return rounded_up((uint64_t)ceil((double)n / LOAD), SLOTS);
}

/* The narrowest mark that meets the rate in a table at least as full as planned, so that more keys
 * never need fewer bytes; 0 if none does. */
static unsigned mark_for(double load, uint64_t n, double fpr) {
    unsigned low = MARK_MIN, high = MARK_MAX + 1;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (error_with(fmax(load, LOAD), n, mid) <= fpr) high = mid;
        else low = mid + 1;
    }
    return low > MARK_MAX ? 0 : low;
}

/* So many bytes at this rate: wider marks leave fewer slots, and fewer keys may do with narrower
 * ones. */
static sito_rc slots_for_bytes(sito_plan *p) {
    unsigned bits = p->tag_bits, before = 0;
    for (uint64_t n = 0; bits != before || !p->ncells;) {
        before = bits;
        if (!p->tag_bits) bits = mark_for(LOAD, n, p->fpr);
        if (!bits || bits < before) break;
        p->ncells = least(p->max_bytes, CELLS_MAX) / (bits + 1) * SLOTS;
        if (!p->ncells) break;
        n = (uint64_t)((double)p->ncells * LOAD);
        if (p->fpr > 0 && hash_rate(n) > p->fpr) return SITO_ELIMIT;
    }
    p->tag_bits = bits;
    return bits && p->ncells ? SITO_OK : SITO_ELIMIT;
}

static sito_rc compact_solve(sito_plan *p) {
    if (p->tag_bits && (p->tag_bits < MARK_MIN || p->tag_bits > MARK_MAX)) return SITO_EINVAL;
    if (p->ncells % SLOTS) return SITO_EINVAL;
    if (p->ncells > CELLS_MAX || p->nkeys > CELLS_MAX || !hashes_suffice(p)) return SITO_ELIMIT;
    if (p->nkeys && !p->ncells) {
        p->ncells = slots_for(p->nkeys);
        if (!p->tag_bits && p->max_bytes &&
            !(p->fpr > 0)) { /* keys and bytes: the widest mark that fits */
            uint64_t fits = p->max_bytes / (p->ncells / SLOTS);
            if (fits < MARK_MIN + 1) return SITO_ELIMIT;
            p->tag_bits = fits > MARK_MAX ? MARK_MAX : (unsigned)fits - 1;
        }
    }
    uint64_t narrowest = table_bytes(p->ncells ? p->ncells : SLOTS, MARK_MIN);
    if (p->max_bytes && p->max_bytes < narrowest) return SITO_ELIMIT;
    if (!(p->fpr > 0) && !p->tag_bits) p->fpr = 0.01;
    if (!p->ncells) { /* bytes and rate, or bytes and mark */
        sito_rc rc = slots_for_bytes(p);
        if (rc != SITO_OK) return rc;
    }
    if (!p->nkeys) p->nkeys = (uint64_t)((double)p->ncells * LOAD);
    bool fits = p->nkeys <= p->ncells &&
                (p->ncells == SLOTS || (double)p->nkeys <= (double)p->ncells * LOAD_MAX);
    if (!fits || !hashes_suffice(p)) return SITO_ELIMIT;
    if (!p->tag_bits)
        p->tag_bits = mark_for((double)p->nkeys / (double)p->ncells, p->nkeys, p->fpr);
    if (!p->tag_bits) return SITO_ELIMIT;
    p->bytes = table_bytes(p->ncells, p->tag_bits);
    p->real_fpr = compact_error(p->ncells, p->nkeys, p->tag_bits);
    return p->bytes > CELLS_MAX ? SITO_ELIMIT : SITO_OK;
}

static void compact_to_shape(const sito_plan *plan, struct shape *s) {
    *s = (struct shape){.ncells = plan->ncells, .param = {(uint16_t)plan->tag_bits}};
}

static void compact_to_plan(const struct shape *s, sito_plan *plan) {
    plan->tag_bits = s->param[PARAM_MARK];
}

static bool compact_sizes(const struct shape *s, const uint64_t extra[3],
                          uint64_t bytes[SEGMENTS]) {
    unsigned bits = s->param[PARAM_MARK];
    bytes[0] = table_bytes(s->ncells, bits);
    bytes[1] = 0;
    return bits >= MARK_MIN && bits <= MARK_MAX && s->ncells && s->ncells % SLOTS == 0 &&
           bytes[0] <= CELLS_MAX && !s->param[1] && !s->param[2] && !s->param[3] && !extra[0] &&
           !extra[1] && !extra[2];
}

static double compact_rate(const struct shape *s, uint64_t nkeys) {
    return compact_error(s->ncells, nkeys, s->param[PARAM_MARK]);
}

/* ---- looking ---- */

static uint64_t compact_taken(const sito_filter *f) {
    struct marks t = marks_of(f);
    uint64_t taken = 0;
    for (uint64_t i = 0; i < t.nbuckets; i++)
        for (unsigned s = 0; s < SLOTS; s++)
            taken += slot_get(bucket_at(&t, i) + 1, s, t.bits) != 0;
    return taken;
}

static void compact_look(const sito_filter *f, sito_info *info) {
    uint64_t taken = compact_taken(f);
    info->fill = (double)taken / (double)f->shape.ncells;
    info->present_fpr = compact_error(f->shape.ncells, taken, f->shape.param[PARAM_MARK]);
}

static const char *const compact_facts[] = {"slots", "tag_bits", "load", NULL};

static double compact_fact(const sito_filter *f, size_t i) {
    if (i == 0) return (double)f->shape.ncells;
    if (i == 1) return f->shape.param[PARAM_MARK];
    return (double)f->nkeys / (double)f->shape.ncells;
}

static sito_rc compact_verify(const sito_filter *f, const char **why) {
    if (f->nkeys != compact_taken(f))
        return refuse(SITO_EDAMAGED, "the number of keys is not the number of marks", why);
    return SITO_OK;
}

const struct kind kind_compact = {
    .name = SITO_COMPACT,
    .what = "hash compaction: every key an l-bit mark in a hash table",
    .id = 3,
    .can = SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_COUNT | SITO_CAN_BUILD | SITO_CAN_MAP,
    .solve = compact_solve,
    .to_shape = compact_to_shape,
    .to_plan = compact_to_plan,
    .sizes = compact_sizes,
    .rate = compact_rate,
    .add = compact_add,
    .maybe = compact_maybe,
    .remove = compact_remove,
    .count = compact_count,
    .maybe_many = compact_maybe_many,
    .build = build_distinct,
    .look = compact_look,
    .facts = compact_facts,
    .fact = compact_fact,
    .verify = compact_verify,
};
