/* parted.c - the Bloom filter in k tables of m/k bits, one position in each. Where k does not
 * divide m, the first tables have a bit more. */
#include "core/filter.h"

#include "build/places.h"
#include "core/life.h"
#include "core/plan.h"
#include "core/rate.h"
#include "kinds/share_bits.h"

static struct bits_walk parted_walk(const sito_filter *f) { return walk_of(&f->shape, true, 1); }

/* ---- wish -> shape ---- */

/* The tables are independent, so the rates multiply. */
static double k_tables_rate(uint64_t m, uint64_t n, unsigned k) {
    double rate = 1, small = touched((double)(m / k), (double)n);
    double large = m % k ? touched((double)(m / k + 1), (double)n) : 0;
    for (unsigned i = 0; i < k; i++) rate *= i < m % k ? large : small;
    return rate;
}

/* Tables of whole bytes, large ones of whole words: then they fold. */
static uint64_t parted_round(uint64_t m, unsigned k) {
    uint64_t each = m / k + (m % k != 0);
    return product_of(rounded_up(each, each < 4096 ? 8 : 64), k);
}

static sito_rc parted_solve(sito_plan *plan) {
    static const struct bit_kind kind = {
        .rate = k_tables_rate, .round = parted_round, .cell_bits = 1};
    return plan_bits(plan, &kind);
}

static double parted_rate(const struct shape *s, uint64_t nkeys) {
    return with_hash_rate(k_tables_rate(s->ncells, nkeys, s->param[PARAM_HASHES]), nkeys);
}

/* ---- hash -> place -> answer ---- */

static __attribute__((noinline)) bool parted_maybe_on(const sito_filter *f, unsigned i,
                                                      uint64_t x) {
    return walk_on(f->seg[0].at, parted_walk(f), i, x);
}

static bool parted_maybe(const sito_filter *f, uint64_t hash) {
    return walk_maybe(f, parted_walk(f), hash, parted_maybe_on);
}

static void parted_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                              uint8_t *answers) {
    walk_maybe_many(f->seg[0].at, parted_walk(f), hashes, n, answers);
}

static int parted_add(sito_filter *f, uint64_t hash) {
    int is_new = walk_add(f->seg[0].at, parted_walk(f), hash);
    f->nkeys += (unsigned)is_new;
    return is_new;
}

static sito_rc parted_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                               size_t *done) {
    f->nkeys += walk_add_many(f->seg[0].at, parted_walk(f), hashes, n, answers);
    *done = n;
    return SITO_OK;
}

static int parted_add_shared(sito_filter *f, uint64_t hash) {
    return bits_add_shared(f, parted_walk(f), hash);
}

static sito_rc parted_add_shared_many(sito_filter *f, const uint64_t *hashes, size_t n) {
    return bits_add_shared_many(f, parted_walk(f), hashes, n);
}

/* ---- whole filters ---- */

static sito_rc parted_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes,
                            size_t n) {
    return build_by_places(f, plan, hashes, n, parted_walk(f));
}

/* Every table must halve by itself; then all of them are one string of bits that does. */
static sito_rc parted_fold(sito_filter *f, unsigned halvings) {
    uint64_t k = f->shape.param[PARAM_HASHES];
    if (f->shape.ncells % k || (f->shape.ncells / k) % ((uint64_t)1 << halvings))
        return SITO_EINVAL;
    return fold_table(f, halvings, bits_fold);
}

static uint64_t ones_between(const uint8_t *cells, uint64_t from, uint64_t to) {
    uint64_t ones = 0;
    while (from < to && from % 8) ones += bit_at(cells, from++);
    while (from < to && to % 8) ones += bit_at(cells, --to);
    return ones + bits_ones(cells + from / 8, (to - from) / 8);
}

/* One draw from each table: the present rate is the product of their shares of set bits. */
static void parted_look(const sito_filter *f, sito_info *info) {
    struct bits_walk w = parted_walk(f);
    uint64_t ones = 0, from = 0;
    double rate = 1;
    for (unsigned i = 0; i < w.k; i++) {
        uint64_t size = w.size + (i < w.extra),
                 here = ones_between(f->seg[0].at, from, from + size);
        rate *= (double)here / (double)size;
        ones += here;
        from += size;
    }
    info->fill = (double)ones / (double)f->shape.ncells;
    info->present_fpr = with_hash_rate(rate, info->nkeys);
}

static const char *const parted_facts[] = {"cells", "hashes", "table_cells", NULL};

static double parted_fact(const sito_filter *f, size_t i) {
    struct bits_walk w = parted_walk(f);
    return i == 0 ? (double)f->shape.ncells : i == 1 ? w.k : (double)w.size;
}

const struct kind kind_parted = {
    .name = SITO_PARTED,
    .what = "the same in k tables of m/k bits, one position in each",
    .id = 5,
    .can = SITO_CAN_ADD | SITO_CAN_MERGE | SITO_CAN_SHARE | SITO_CAN_BUILD | SITO_CAN_MAP,
    .stretches = bits_gates,
    .solve = parted_solve,
    .to_shape = bit_table_to_shape,
    .to_plan = bit_table_to_plan,
    .sizes = bit_table_sizes,
    .rate = parted_rate,
    .add = parted_add,
    .maybe = parted_maybe,
    .maybe_many = parted_maybe_many,
    .add_many = parted_add_many,
    .add_shared = parted_add_shared,
    .add_shared_many = parted_add_shared_many,
    .build = parted_build,
    .merge = bit_table_merge,
    .fold = parted_fold,
    .look = parted_look,
    .facts = parted_facts,
    .fact = parted_fact,
    .verify = bit_table_verify,
};
