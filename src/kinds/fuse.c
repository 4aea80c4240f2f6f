/*
 * fuse.c - binary fuse filter (Graf and Lemire 2022): made whole of a set that is known beforehand,
 * smaller than a Bloom filter can be.
 *
 * A key has a slot in each of three or four neighbouring segments, and is inside if these slots sum
 * up (by xor) to its mark. So a stranger is let in with 2^-bits, whatever was built, and a slot more
 * or less a key is all that space can be lost by. How such a table comes to be is told in
 * build/pieces.c and build/peel.c. Above their marks the slots may hold values: fuse_values.c.
 */
#include "kinds/fuse_ask.h"

#include <math.h>

#include "cells/bits.h"
#include "core/plan.h"
#include "core/rate.h"
#include "cpu/cpu.h"

enum { MARK_BITS_MIN = 4, SLOT_BITS_MAX = 32, SLOTS_MIN = 8, FUSE_AHEAD = 8 };

/* ---- slots -> pieces -> segments ---- */

static uint64_t piece_slots_max(unsigned arity) {
    return arity == 3 ? PIECE_SLOTS_MAX : PIECE_SLOTS_MAX / 3;
}

/* Slots of a segment where a piece has so many segments; pairs need whole groups. */
static uint32_t segment_length(uint64_t slots, uint64_t nsegments, bool is_paired) {
    uint64_t length = slots / nsegments;
    return (uint32_t)(is_paired ? length - length % PAIR_GROUP : length);
}

/* Few segments lose at either end, where keys have no neighbours; short ones lose to chance. The
 * best number grows with the third root; beside it lies one that leaves few slots over. */
static void divide_piece(struct fuse_table *t, unsigned arity) {
    uint64_t slots = t->piece_slots, reach = fuse_reach(arity, t->is_paired);
    uint64_t root = 1, cube = slots * (t->is_paired ? 2 : arity == 3 ? 6 : 11);
    while ((root + 1) * (root + 1) * (root + 1) <= cube) root++;
    uint64_t best = 1, least_over = UINT64_MAX;
    for (uint64_t s = root - root / 8; s <= root + root / 8 && s + reach <= slots; s++) {
        uint64_t over = slots - (s + reach) * segment_length(slots, s + reach, t->is_paired);
        if (over < least_over) best = s, least_over = over;
    }
    t->starts = (uint32_t)best;
    t->length = segment_length(slots, best + reach, t->is_paired);
    t->spans = fuse_spans_of(t->length, t->is_paired);
}

static uint64_t npieces_of(uint64_t nslots, unsigned arity) {
    uint64_t most = piece_slots_max(arity);
    return nslots / most + (nslots % most != 0);
}

struct fuse_table fuse_table_of(uint64_t nslots, unsigned arity) {
    struct fuse_table t = {.npieces = npieces_of(nslots, arity)};
    t.piece_slots = nslots / t.npieces;
    if (t.npieces > 1) t.piece_slots -= t.piece_slots % PIECE_SLOTS_STEP;
    t.is_paired = arity == 4 && t.piece_slots >= PAIRED_SLOTS_MIN;
    divide_piece(&t, arity);
    return t;
}

/* Worked out once a filter. */
static void fuse_ready(sito_filter *f) {
    struct fuse_table t = fuse_table_of(f->shape.ncells, f->shape.param[PARAM_ARITY]);
    f->derived[0] = t.npieces;
    f->derived[1] = t.piece_slots;
    f->derived[2] = t.starts;
    f->derived[3] = t.length | (uint64_t)t.is_paired << 32;
}

/* ---- hash -> slots -> answer ---- */

FUSE_INLINE bool fuse_fits(const struct fuse_eye *e, const struct fused *k, const unsigned arity) {
    return !k->is_empty & ((fuse_sum(e, k, arity) & e->mask) == 0);
}

FUSE_INLINE bool fuse_ask(const sito_filter *f, uint64_t hash, const unsigned arity) {
    struct fuse_eye e = fuse_eye_of(f);
    struct fused k;
    fuse_find(&e, hash, &k);
    return fuse_fits(&e, &k, arity);
}

static bool fuse_maybe(const sito_filter *f, uint64_t hash) {
    return f->shape.param[PARAM_ARITY] == 3 ? fuse_ask(f, hash, 3) : fuse_ask(f, hash, 4);
}

/* Each key asks for its lines some keys before it reads them. */
FUSE_INLINE void fuse_ask_many(const struct fuse_eye *given, const uint64_t *hashes, size_t n,
                               uint8_t *answers, const unsigned arity) {
    const struct fuse_eye e = *given;
    struct fused soon[FUSE_AHEAD];
    size_t first = (size_t)least(n, FUSE_AHEAD), i = 0;
    for (size_t j = 0; j < first; j++) {
        fuse_find(&e, hashes[j], &soon[j]);
        fuse_fetch(&e, &soon[j], arity);
    }
    for (; i + FUSE_AHEAD < n; i++) {
        struct fused *k = &soon[i % FUSE_AHEAD];
        answers[i] = fuse_fits(&e, k, arity);
        fuse_find(&e, hashes[i + FUSE_AHEAD], k);
        fuse_fetch(&e, k, arity);
    }
    for (; i < n; i++) answers[i] = fuse_fits(&e, &soon[i % FUSE_AHEAD], arity);
}

static void fuse_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                            uint8_t *answers) {
    const struct fuse_eye e = fuse_eye_of(f);
    const struct cpu_kernels *cpu = cpu_chosen();
    size_t done = cpu->in_fuse ? cpu->in_fuse(&e, hashes, n, answers) : 0;
    if (e.arity == 3) fuse_ask_many(&e, hashes + done, n - done, answers + done, 3);
    else fuse_ask_many(&e, hashes + done, n - done, answers + done, 4);
}

/* ---- wish -> shape ---- */

/* Slots for so many keys of one piece, found by trial: nearly every draw peels from ten thousand keys
 * on, one in some below. Between the rows in a straight line. */
struct measure_of_slots {
    uint64_t keys, slots;
};

static const struct measure_of_slots slots_of_four[] = {
    {0, 12},          {20, 46},         {100, 152},       {300, 408},
    {600, 774},       {1000, 1246},     {3000, 3690},     {10000, 11900},
    {30000, 34600},   {100000, 111500}, {120000, 133400}, {200000, 219600},
    {300000, 328200}, {500000, 541000}, {731000, 786000}, {0, 0},
};
static const struct measure_of_slots slots_of_three[] = {
    {0, 12},          {20, 46},           {100, 152},         {300, 424},     {600, 810},
    {1000, 1320},     {3000, 3930},       {10000, 12500},     {30000, 36300}, {100000, 117500},
    {300000, 344500}, {1000000, 1127000}, {2080000, 2340000}, {0, 0},
};

static const struct measure_of_slots *measures_for(unsigned arity) {
    return arity == 3 ? slots_of_three : slots_of_four;
}

static uint64_t slots_of_piece(uint64_t keys, unsigned arity) {
    const struct measure_of_slots *m = measures_for(arity);
    unsigned i = 1;
    while (m[i + 1].keys && keys > m[i].keys) i++;
    uint64_t over = keys - m[i - 1].keys, run = m[i].keys - m[i - 1].keys;
    return m[i - 1].slots + (over * (m[i].slots - m[i - 1].slots) + run - 1) / run;
}

struct fuse_question {
    uint64_t n;
    unsigned arity;
};

/* Chance gives some pieces more keys than others. */
static uint64_t slots_of_each(const struct fuse_question *q, uint64_t npieces) {
    uint64_t keys = q->n / npieces + (q->n % npieces != 0);
    if (npieces == 1) return slots_of_piece(keys, q->arity);
    keys += 2 * (uint64_t)sqrt((double)keys);
    return rounded_up(slots_of_piece(keys, q->arity), PIECE_SLOTS_STEP);
}

static bool pieces_suffice(const void *self, uint64_t npieces) {
    const struct fuse_question *q = (const struct fuse_question *)self;
    return slots_of_each(q, npieces) <= piece_slots_max(q->arity);
}

static uint64_t slots_for_keys(uint64_t n, unsigned arity) {
    struct fuse_question q = {.n = n, .arity = arity};
    uint64_t most = n / (piece_slots_max(arity) / 2) + 1;
    uint64_t npieces = least_enough(1, most, 0, pieces_suffice, &q);
    return product_of(npieces, slots_of_each(&q, npieces));
}

struct slots_question {
    uint64_t nslots;
    unsigned arity;
};

static bool keys_need_more(const void *self, uint64_t n) {
    const struct slots_question *q = (const struct slots_question *)self;
    return slots_for_keys(n, q->arity) > q->nslots;
}

static uint64_t keys_for_slots(uint64_t nslots, unsigned arity) {
    struct slots_question q = {nslots, arity};
    return least_enough(1, nslots, 0, keys_need_more, &q) - 1;
}

static uint64_t fuse_bytes(uint64_t nslots, unsigned arity, unsigned bits) {
    return sum_of(bits_bytes(product_of(nslots, bits)), npieces_of(nslots, arity));
}

/* Equal hashes count only where they are not lost beside the marks: a thousandth is. */
static double fuse_error(uint64_t n, unsigned bits) {
    double rate = bits ? ldexp(1, -(int)bits) : BELOW_ONE;
    return !n ? 0 : hash_rate(n) < rate * 0x1p-10 ? rate : with_hash_rate(rate, n);
}

/* Marks may be left out where there are values: then strangers are let in. */
static unsigned marks_min(const sito_plan *p) { return p->value_bits ? 0 : MARK_BITS_MIN; }

/* The fewest bits that meet the rate; more than a slot has: none do. */
static unsigned marks_for_rate(const sito_plan *p) {
    unsigned bits = marks_min(p);
    while (bits <= SLOT_BITS_MAX && fuse_error(p->nkeys ? p->nkeys : 1, bits) > p->fpr) bits++;
    return bits;
}

struct bytes_question {
    uint64_t bytes;
    unsigned arity, bits;
};

static bool slots_need_more(const void *self, uint64_t nslots) {
    const struct bytes_question *q = (const struct bytes_question *)self;
    return fuse_bytes(nslots, q->arity, q->bits) > q->bytes;
}

/* The most slots that fit into so many bytes. */
static uint64_t slots_for_room(uint64_t bytes, unsigned arity, unsigned bits) {
    struct bytes_question q = {least(bytes, CELLS_MAX), arity, bits};
    return least_enough(1, q.bytes * 8 / bits + 1, 0, slots_need_more, &q) - 1;
}

/* Keys and bytes: the widest marks that fit; more than a slot has: none do. */
static unsigned marks_for_bytes(const sito_plan *p) {
    unsigned bits = SLOT_BITS_MAX, least_bits = marks_min(p) + p->value_bits;
    while (bits >= least_bits && fuse_bytes(p->ncells, p->arity, bits) > p->max_bytes) bits--;
    return bits >= least_bits ? bits - p->value_bits : SLOT_BITS_MAX + 1;
}

static bool marks_make_sense(const sito_plan *p) {
    if (p->value_bits > SLOT_BITS_MAX || p->tag_bits > SLOT_BITS_MAX - p->value_bits) return false;
    return !p->tag_bits || p->tag_bits >= marks_min(p);
}

/* Without a rate values go unmarked, unless there are bytes to fill. `has_slots`: they were given. */
static bool marks_are_chosen(sito_plan *p, bool has_slots) {
    bool fills = p->nkeys && p->max_bytes && !has_slots;
    if (p->tag_bits) return true;
    if (!(p->fpr > 0) && fills) {
        p->tag_bits = marks_for_bytes(p);
    } else if (p->fpr > 0 || !p->value_bits) {
        if (!(p->fpr > 0)) p->fpr = 0.01;
        p->tag_bits = marks_for_rate(p);
    }
    return p->tag_bits + p->value_bits <= SLOT_BITS_MAX;
}

static sito_rc fuse_solve(sito_plan *p) {
    if (!marks_make_sense(p)) return SITO_EINVAL;
    if (p->arity && p->arity != 3 && p->arity != 4) return SITO_EINVAL;
    if (p->ncells && p->ncells < SLOTS_MIN) return SITO_EINVAL;
    if (p->ncells > 2 * CELLS_MAX || p->nkeys > 2 * CELLS_MAX || !hashes_suffice(p))
        return SITO_ELIMIT;
    bool has_slots = p->ncells;
    if (!p->arity) p->arity = 4;
    if (p->nkeys && !has_slots) p->ncells = slots_for_keys(p->nkeys, p->arity);
    if (!marks_are_chosen(p, has_slots)) return SITO_ELIMIT;
    unsigned bits = p->tag_bits + p->value_bits;
    if (!p->ncells) p->ncells = slots_for_room(p->max_bytes, p->arity, bits);
    if (p->ncells < SLOTS_MIN) return SITO_ELIMIT;
    uint64_t most = keys_for_slots(p->ncells, p->arity);
    if (!p->nkeys) p->nkeys = most;
    if (!p->nkeys || p->nkeys > most) return SITO_ELIMIT;
    p->bytes = fuse_bytes(p->ncells, p->arity, bits);
    p->real_fpr = fuse_error(p->nkeys, p->tag_bits);
    return p->bytes > CELLS_MAX ? SITO_ELIMIT : SITO_OK;
}

static void fuse_to_shape(const sito_plan *plan, struct shape *s) {
    *s = (struct shape){.ncells = plan->ncells};
    s->param[PARAM_MARK_BITS] = (uint16_t)plan->tag_bits;
    s->param[PARAM_ARITY] = (uint16_t)plan->arity;
    s->param[PARAM_VALUE_BITS] = (uint16_t)plan->value_bits;
}

static void fuse_to_plan(const struct shape *s, sito_plan *plan) {
    plan->tag_bits = s->param[PARAM_MARK_BITS];
    plan->arity = s->param[PARAM_ARITY];
    plan->value_bits = s->param[PARAM_VALUE_BITS];
}

/* The slots, and a byte a piece: which try it was. */
static bool fuse_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    unsigned bits = fuse_slot_bits(s), arity = s->param[PARAM_ARITY];
    if (!s->param[PARAM_VALUE_BITS] && bits < MARK_BITS_MIN) return false;
    if (bits > SLOT_BITS_MAX || (arity != 3 && arity != 4) || s->param[3] ||
        extra[EXTRA_SALT] >= SALTS_MAX || extra[1] || extra[2] || s->ncells < SLOTS_MIN ||
        s->ncells > 2 * CELLS_MAX)
        return false;
    bytes[0] = bits_bytes(s->ncells * bits);
    bytes[1] = npieces_of(s->ncells, arity);
    return bytes[0] <= CELLS_MAX;
}

static double fuse_rate(const struct shape *s, uint64_t nkeys) {
    return fuse_error(nkeys, s->param[PARAM_MARK_BITS]);
}

/* ---- looking ---- */

static uint64_t pieces_with_keys(const sito_filter *f) {
    uint64_t with = 0;
    for (uint64_t p = 0; p < f->seg[1].bytes; p++) with += f->seg[1].at[p] != 0;
    return with;
}

static void fuse_look(const sito_filter *f, sito_info *info) {
    double share = (double)pieces_with_keys(f) / (double)f->seg[1].bytes;
    info->fill = fmin(1, (double)f->nkeys / (double)f->shape.ncells);
    info->present_fpr =
        share * fuse_error(f->nkeys ? f->nkeys : 1, f->shape.param[PARAM_MARK_BITS]);
}

static const char *const fuse_facts[] = {"slots", "tag_bits", "arity",      "pieces", "segments",
                                         "tries", "load",     "value_bits", NULL};

static double fuse_fact(const sito_filter *f, size_t i) {
    struct fuse_table t = fuse_table_in(f);
    unsigned arity = f->shape.param[PARAM_ARITY], tries = 0;
    for (uint64_t p = 0; p < t.npieces; p++)
        if (f->seg[1].at[p] > tries) tries = f->seg[1].at[p];
    const double facts[] = {(double)f->shape.ncells,
                            f->shape.param[PARAM_MARK_BITS],
                            arity,
                            (double)t.npieces,
                            (double)(t.npieces * (t.starts + fuse_reach(arity, t.is_paired))),
                            (double)(f->extra[EXTRA_SALT] * TRIES_MAX + tries),
                            (double)f->nkeys / (double)f->shape.ncells,
                            f->shape.param[PARAM_VALUE_BITS]};
    return facts[i];
}

static bool is_clear(const sito_filter *f, uint64_t from, uint64_t to) {
    unsigned bits = fuse_slot_bits(&f->shape);
    for (uint64_t s = from; s < to; s++)
        if (slot_get(f->seg[0].at, s, bits)) return false;
    return true;
}

static sito_rc fuse_verify(const sito_filter *f, const char **why) {
    struct fuse_table t = fuse_table_in(f);
    uint64_t reach = fuse_reach(f->shape.param[PARAM_ARITY], t.is_paired);
    uint64_t used = (t.starts + reach) * t.length;
    uint64_t nbits = f->shape.ncells * fuse_slot_bits(&f->shape);
    if (nbits % 8 && f->seg[0].at[nbits / 8] >> nbits % 8)
        return refuse(SITO_EDAMAGED, "bits behind the last slot are not zero", why);
    for (uint64_t p = 0; p <= t.npieces; p++) {
        uint64_t first = p * t.piece_slots,
                 end = p < t.npieces ? first + t.piece_slots : f->shape.ncells;
        bool is_empty = p == t.npieces || !f->seg[1].at[p];
        if (!is_clear(f, is_empty ? first : first + used, end))
            return refuse(SITO_EDAMAGED, "slots that no key has are not zero", why);
    }
    if (!f->nkeys != !pieces_with_keys(f))
        return refuse(SITO_EDAMAGED, "the number of keys does not fit the pieces", why);
    return SITO_OK;
}

const struct kind kind_fuse = {
    .name = SITO_FUSE,
    .what = "static, binary fuse: made whole, small and fast",
    .id = 10,
    .can = SITO_CAN_BUILD | SITO_CAN_MAP,
    .solve = fuse_solve,
    .to_shape = fuse_to_shape,
    .to_plan = fuse_to_plan,
    .sizes = fuse_sizes,
    .rate = fuse_rate,
    .ready = fuse_ready,
    .maybe = fuse_maybe,
    .maybe_many = fuse_maybe_many,
    .build = fuse_build,
    .look = fuse_look,
    .facts = fuse_facts,
    .fact = fuse_fact,
    .verify = fuse_verify,
};
