/*
 * cuckoo.c - the cuckoo filter (Fan et al.): every key a tag in one of two buckets.
 *
 * Any number of buckets, tags of any width, and a choice of how buckets lie (cells/tags.h) and of
 * who moves when both are full (cuckoo_rules.c). Equal tags in one bucket share their other bucket
 * too, so copies are interchangeable, and a remove takes nobody else's key.
 */
#include "kinds/cuckoo.h"

#include "build/distinct.h"
#include "core/life.h"
#include "cpu/cpu.h"

/* ---- hash -> place -> answer ---- */

static bool nest_maybe(const struct nest *t, const struct nesting *p) {
    return tag_there(&t->tags, p->start[0], p->tag) || tag_there(&t->tags, p->start[1], p->tag);
}

/* Where a group fits a word and need not be taken apart, as mostly, a question is some seventy
 * instructions without a branch: places first, then the words there, all lanes of both at once.
 * `narrow`: nest_is_narrow(). */
struct lookout {
    uint64_t bit[2], like;
};

static inline __attribute__((always_inline)) struct lookout look_out(const struct nest *t,
                                                                     uint64_t hash) {
    struct nesting p = nesting_of(t, hash);
    uint64_t each = t->tags.group * t->tags.bits, into = window_offset(t, p.tag) * t->tags.bits;
    return (struct lookout){{p.bucket[0] * each + into, p.bucket[1] * each + into},
                            p.tag * t->tags.ones};
}

static inline __attribute__((always_inline)) bool
is_in_sight(const struct nest *t, const struct lookout *l, bool narrow) {
    uint64_t zero = 0;
    for (int side = 0; side < 2; side++) {
        const uint8_t *at = t->tags.cells + l->bit[side] / 8;
        uint64_t word =
            narrow ? get64(at) >> l->bit[side] % 8 : bits_from(t->tags.cells, l->bit[side]);
        word ^= l->like;
        zero |=
            (word - t->tags.ones) & ~word; /* lanes above a zero one may be taken for zero too */
    }
    return zero & t->tags.ones << (t->tags.bits - 1);
}

static inline bool fits_a_word(const struct nest *t) {
    return !t->tags.sorted && t->tags.lanes == t->tags.group;
}

static bool cuckoo_maybe(const sito_filter *f, uint64_t hash) {
    struct nest t = nest_of(f);
    if (fits_a_word(&t)) {
        struct lookout l = look_out(&t, hash);
        return is_in_sight(&t, &l, false);
    }
    struct nesting p = nesting_of(&t, hash);
    return nest_maybe(&t, &p);
}

static uint64_t cuckoo_count(const sito_filter *f, uint64_t hash) {
    struct nest t = nest_of(f);
    struct nesting p = nesting_of(&t, hash);
    unsigned copies = tag_copies(&t.tags, p.start[0], p.tag);
    if (p.start[1] != p.start[0]) copies += tag_copies(&t.tags, p.start[1], p.tag);
    return copies;
}

/* Where there is room the rules differ in which bucket they like better. */
static unsigned preferred(enum cuckoo_rule rule, const struct nesting *p, unsigned room,
                          unsigned other_room) {
    if (rule == RULE_RANDOM) return room == 0;
    if (room != other_room) return other_room > room;
    return rule == RULE_PATH && p->bucket[0] % 2;
}

static int nest_add(sito_filter *f, const struct nest *t, const struct nesting *p) {
    struct glance one = tags_glance(&t->tags, p->start[0], p->tag);
    struct glance other = tags_glance(&t->tags, p->start[1], p->tag);
    if (one.room | other.room) {
        uint64_t start = p->start[preferred(t->rule, p, one.room, other.room)];
        tag_write(&t->tags, slot_holding(&t->tags, start, 0), p->tag);
    } else {
        sito_rc rc = cuckoo_relocate(f, t, p);
        if (rc != SITO_OK) return rc;
    }
    f->nkeys++;
    return !(one.there | other.there);
}

static int cuckoo_add(sito_filter *f, uint64_t hash) {
    struct nest t = nest_of(f);
    struct nesting p = nesting_of(&t, hash);
    return nest_add(f, &t, &p);
}

static int nest_remove(sito_filter *f, const struct nest *t, const struct nesting *p) {
    unsigned second = !tag_there(&t->tags, p->start[0], p->tag);
    if (second && !tag_there(&t->tags, p->start[1], p->tag)) return 0;
    tag_write(&t->tags, slot_holding(&t->tags, p->start[second], p->tag), 0);
    f->nkeys -= f->nkeys > 0;
    return 1;
}

static int cuckoo_remove(sito_filter *f, uint64_t hash) {
    struct nest t = nest_of(f);
    struct nesting p = nesting_of(&t, hash);
    return nest_remove(f, &t, &p);
}

/* ---- batches: everybody's two lines are under way before the first is looked at ---- */

enum { NESTINGS = 32 };

static void nest_ahead(const struct nest *t, const uint64_t *hashes, size_t n, struct nesting *p) {
    unsigned last = (t->tags.group * (t->tags.bits - t->tags.sorted) + 6) / 8;
    for (size_t j = 0; j < n; j++) {
        p[j] = nesting_of(t, hashes[j]);
        for (int side = 0; side < 2; side++) {
            const uint8_t *at = tags_at(&t->tags, p[j].start[side]);
            __builtin_prefetch(at);
            __builtin_prefetch(at + last);
        }
    }
}

/* Lines are asked for LINES_AHEAD keys before they are looked at, so that memory never rests.
 * `window` says which layout, so that the way of the other is dropped. */
enum { LINES_AHEAD = 64 };

static inline __attribute__((always_inline)) struct lookout look_out_ahead(const struct nest *t,
                                                                           uint64_t hash) {
    struct lookout l = look_out(t, hash);
    for (int side = 0; side < 2; side++) {
        const uint8_t *at = t->tags.cells + l.bit[side] / 8;
        __builtin_prefetch(at);
        __builtin_prefetch(at + (t->tags.group * t->tags.bits + 6) / 8);
    }
    return l;
}

static inline __attribute__((always_inline)) void words_maybe_many(const struct nest *nest,
                                                                   const uint64_t *hashes, size_t n,
                                                                   uint8_t *answers, bool window,
                                                                   bool narrow) {
    struct nest t = *nest;
    struct lookout ahead[LINES_AHEAD];
    t.layout = window ? LAYOUT_WINDOW : LAYOUT_BUCKET;
    size_t first = (size_t)least(n, LINES_AHEAD);
    for (size_t i = 0; i < first; i++) ahead[i] = look_out_ahead(&t, hashes[i]);
    for (size_t i = 0; i < n - first; i++) {
        struct lookout *l = &ahead[i % LINES_AHEAD];
        answers[i] = is_in_sight(&t, l, narrow);
        *l = look_out_ahead(&t, hashes[i + LINES_AHEAD]);
    }
    for (size_t i = n - first; i < n; i++)
        answers[i] = is_in_sight(&t, &ahead[i % LINES_AHEAD], narrow);
}

static void cuckoo_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                              uint8_t *answers) {
    struct nest t = nest_of(f);
    bool narrow = nest_is_narrow(&t);
    const struct cuckoo_kernel *wide = cpu_chosen()->in_cuckoo;
    if (wide && narrow) {
        size_t done = wide->maybe_many(&t, hashes, n, answers);
        hashes += done, answers += done, n -= done;
    }
    if (!fits_a_word(&t)) {
        struct nesting p[NESTINGS];
        for (size_t done = 0; done < n; done += NESTINGS) {
            size_t group = (size_t)least(NESTINGS, n - done);
            nest_ahead(&t, hashes + done, group, p);
            for (size_t j = 0; j < group; j++) answers[done + j] = nest_maybe(&t, &p[j]);
        }
    } else if (t.layout == LAYOUT_WINDOW) {
        words_maybe_many(&t, hashes, n, answers, true, false);
    } else if (narrow) {
        words_maybe_many(&t, hashes, n, answers, false, true);
    } else {
        words_maybe_many(&t, hashes, n, answers, false, false);
    }
}

static inline __attribute__((always_inline)) sito_rc nest_many(sito_filter *f, bool adds,
                                                               const uint64_t *hashes, size_t n,
                                                               int8_t *answers, size_t *done) {
    struct nest t = nest_of(f);
    struct nesting p[NESTINGS];
    for (*done = 0; *done < n;) {
        size_t group = (size_t)least(NESTINGS, n - *done);
        nest_ahead(&t, hashes + *done, group, p);
        for (size_t j = 0; j < group && adds; j++) cuckoo_foresee(&t, &p[j]);
        for (size_t j = 0; j < group; j++, ++*done) {
            int answer = adds ? nest_add(f, &t, &p[j]) : nest_remove(f, &t, &p[j]);
            if (answers) answers[*done] = (int8_t)answer;
            if (answer < 0) return answer;
        }
    }
    return SITO_OK;
}

static sito_rc cuckoo_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                               size_t *done) {
    return nest_many(f, true, hashes, n, answers, done);
}

static sito_rc cuckoo_remove_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                                  size_t *done) {
    return nest_many(f, false, hashes, n, answers, done);
}

/* A set, in the order it came. */
static sito_rc cuckoo_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes,
                            size_t n) {
    struct distinct d = {0};
    sito_rc rc = distinct_in_order(hashes, n, plan, &f->mem, &d);
    if (rc != SITO_OK) return rc;
    rc = build_by_adding(f, plan, d.hashes, d.n);
    distinct_free(&d, &f->mem);
    return rc;
}

/* ---- looking ---- */

/* As many slots at once as a word has lanes, or a sorted group has; the last few one by one. */
static uint64_t nest_taken(const struct nest *nest) {
    struct tags t = nest->tags;
    uint64_t slot = 0, taken = 0, step = t.sorted ? SORTED_GROUP : t.lanes;
    for (; !t.sorted && slot + step <= nest->nslots; slot += step)
        taken += step - tops_count(&t, equal_lanes(&t, slot * t.bits, 0));
    for (; t.sorted && slot < nest->nslots; slot += step)
        taken += step - sorted_copies(&t, slot, 0);
    for (; slot < nest->nslots; slot++) taken += tag_read(&t, slot) != 0;
    return taken;
}

static void cuckoo_look(const sito_filter *f, sito_info *info) {
    struct nest t = nest_of(f);
    uint64_t taken = nest_taken(&t);
    info->fill = (double)taken / (double)t.nslots;
    info->present_fpr = cuckoo_rate(&f->shape, taken);
}

static const char *const cuckoo_facts[] = {"slots", "tag_bits", "bucket",    "load",
                                           "moves", "longest",  "max_moves", NULL};

static double cuckoo_fact(const sito_filter *f, size_t i) {
    const double facts[] = {
        (double)f->shape.ncells,       f->shape.param[PARAM_TAG],
        f->shape.param[PARAM_GROUP],   (double)f->nkeys / (double)f->shape.ncells,
        (double)f->extra[EXTRA_MOVES], (double)f->extra[EXTRA_LONGEST],
        f->shape.param[PARAM_MOVES]};
    return facts[i];
}

/* Which neighbours in a rising sequence are equal: bits 0, 1 and 2. */
static void find_ties(uint8_t ties[CODES]) {
    uint32_t nibble[4];
    for (unsigned code = 0; code < CODES; code++) {
        nibbles_of(code, nibble);
        ties[code] = 0;
        for (unsigned i = 0; i < 3; i++)
            ties[code] = (uint8_t)(ties[code] | (nibble[i] == nibble[i + 1]) << i);
    }
}

/* High parts rise, whatever their code; where two of them are equal, the low ones must not fall. */
static bool all_in_order(const struct nest *t) {
    uint8_t ties[CODES];
    const unsigned lane = t->tags.lane;
    find_ties(ties);
    for (uint64_t start = 0; start < t->nslots; start += SORTED_GROUP) {
        unsigned code = sorted_code(&t->tags, start), falls = 0;
        uint64_t bit = sorted_bit(&t->tags, start), low[4];
        for (unsigned i = 0; i < 4; i++)
            low[i] = bits_from(t->tags.cells, bit + i * lane) & low_bits(lane);
        for (unsigned i = 0; i < 3; i++) falls |= (unsigned)(low[i] > low[i + 1]) << i;
        if (code >= CODES || (falls & ties[code])) return false;
    }
    return true;
}

/* A tag lies in a window that is all inside the table: only near its ends it might not. */
static bool have_windows(const struct nest *t) {
    for (uint64_t slot = 0; slot < t->nslots; slot++) {
        if (slot == t->tags.group) slot = t->nslots - t->tags.group;
        uint32_t tag = tag_read(&t->tags, slot);
        if (tag &&
            (slot < window_offset(t, tag) || bucket_around(t, slot, tag) >= buckets_for(t, tag)))
            return false;
    }
    return true;
}

static sito_rc cuckoo_verify(const sito_filter *f, const char **why) {
    struct nest t = nest_of(f);
    uint64_t end = t.nslots * (t.tags.bits - t.tags.sorted);
    if (t.tags.sorted && !all_in_order(&t))
        return refuse(SITO_EDAMAGED, "a bucket is not in order", why);
    if (t.layout == LAYOUT_WINDOW && !have_windows(&t))
        return refuse(SITO_EDAMAGED, "a tag is outside its windows", why);
    if (end % 8 && t.tags.cells[end / 8] >> end % 8)
        return refuse(SITO_EDAMAGED, "bits past the last slot are set", why);
    if (nest_taken(&t) != f->nkeys)
        return refuse(SITO_EDAMAGED, "the number of keys is not the number of tags", why);
    return SITO_OK;
}

const struct kind kind_cuckoo = {
    .name = SITO_CUCKOO,
    .what = "cuckoo filter: every key a tag in one of two buckets; forgets, too",
    .id = 7,
    .can = SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_COUNT | SITO_CAN_BUILD | SITO_CAN_MAP,
    .solve = cuckoo_solve,
    .to_shape = cuckoo_to_shape,
    .to_plan = cuckoo_to_plan,
    .sizes = cuckoo_sizes,
    .rate = cuckoo_rate,
    .add = cuckoo_add,
    .maybe = cuckoo_maybe,
    .remove = cuckoo_remove,
    .count = cuckoo_count,
    .maybe_many = cuckoo_maybe_many,
    .add_many = cuckoo_add_many,
    .remove_many = cuckoo_remove_many,
    .build = cuckoo_build,
    .look = cuckoo_look,
    .facts = cuckoo_facts,
    .fact = cuckoo_fact,
    .verify = cuckoo_verify,
};
