/* bloom.c - Bloom's filter of 1970: one table of m bits, k positions a key. */
#include "core/filter.h"

#include <math.h>

#include "build/places.h"
#include "core/life.h"
#include "core/plan.h"
#include "core/rate.h"
#include "kinds/share_bits.h"

static struct bits_walk bloom_walk(const sito_filter *f) { return walk_of(&f->shape, false, 1); }

/* ---- wish -> shape ---- */

static uint64_t bloom_round(uint64_t m, unsigned k) {
    (void)k;
    return rounded_up(m, 64);
}

static sito_rc bloom_solve(sito_plan *plan) {
    static const struct bit_kind kind = {
        .rate = one_table_rate, .round = bloom_round, .cell_bits = 1};
    return plan_bits(plan, &kind);
}

static double bloom_rate(const struct shape *s, uint64_t nkeys) {
    return with_hash_rate(one_table_rate(s->ncells, nkeys, s->param[PARAM_HASHES]), nkeys);
}

/* ---- hash -> place -> answer ---- */

static __attribute__((noinline)) bool bloom_maybe_on(const sito_filter *f, unsigned i, uint64_t x) {
    return walk_on(f->seg[0].at, bloom_walk(f), i, x);
}

static bool bloom_maybe(const sito_filter *f, uint64_t hash) {
    return walk_maybe(f, bloom_walk(f), hash, bloom_maybe_on);
}

static void bloom_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                             uint8_t *answers) {
    walk_maybe_many(f->seg[0].at, bloom_walk(f), hashes, n, answers);
}

static int bloom_add(sito_filter *f, uint64_t hash) {
    int is_new = walk_add(f->seg[0].at, bloom_walk(f), hash);
    f->nkeys += (unsigned)is_new;
    return is_new;
}

static sito_rc bloom_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                              size_t *done) {
    f->nkeys += walk_add_many(f->seg[0].at, bloom_walk(f), hashes, n, answers);
    *done = n;
    return SITO_OK;
}

static int bloom_add_shared(sito_filter *f, uint64_t hash) {
    return bits_add_shared(f, bloom_walk(f), hash);
}

static sito_rc bloom_add_shared_many(sito_filter *f, const uint64_t *hashes, size_t n) {
    return bits_add_shared_many(f, bloom_walk(f), hashes, n);
}

/* ---- whole filters ---- */

static sito_rc bloom_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes,
                           size_t n) {
    return build_by_places(f, plan, hashes, n, bloom_walk(f));
}

static sito_rc bloom_fold(sito_filter *f, unsigned halvings) {
    if (f->shape.ncells % ((uint64_t)1 << halvings)) return SITO_EINVAL;
    return fold_table(f, halvings, bits_fold);
}

/* Given the bits that are set, a stranger's k draws are independent: the rate is just fill^k. A
 * view may have bits set past the last one. */
static void bloom_look(const sito_filter *f, sito_info *info) {
    double ones = (double)bits_ones(f->seg[0].at, f->seg[0].bytes);
    info->fill = fmin(ones / (double)f->shape.ncells, 1);
    info->present_fpr = with_hash_rate(pow(info->fill, f->shape.param[PARAM_HASHES]), info->nkeys);
}

static const char *const bloom_facts[] = {"cells", "hashes", NULL};

static double bloom_fact(const sito_filter *f, size_t i) {
    return i == 0 ? (double)f->shape.ncells : f->shape.param[PARAM_HASHES];
}

const struct kind kind_bloom = {
    .name = SITO_BLOOM,
    .what = "Bloom's filter: one table of bits, k positions a key",
    .id = 4,
    .can = SITO_CAN_ADD | SITO_CAN_MERGE | SITO_CAN_SHARE | SITO_CAN_BUILD | SITO_CAN_MAP,
    .stretches = bits_gates,
    .solve = bloom_solve,
    .to_shape = bit_table_to_shape,
    .to_plan = bit_table_to_plan,
    .sizes = bit_table_sizes,
    .rate = bloom_rate,
    .add = bloom_add,
    .maybe = bloom_maybe,
    .maybe_many = bloom_maybe_many,
    .add_many = bloom_add_many,
    .add_shared = bloom_add_shared,
    .add_shared_many = bloom_add_shared_many,
    .build = bloom_build,
    .merge = bit_table_merge,
    .fold = bloom_fold,
    .look = bloom_look,
    .facts = bloom_facts,
    .fact = bloom_fact,
    .verify = bit_table_verify,
};
