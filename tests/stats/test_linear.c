/*
 * test_linear.c - the closed form of a linear filter's error, held against filters that were filled.
 *
 * A point's standard error comes from the spread between filters. Seeds are fixed; of all points at most two
 * may lie beyond three standard errors and none beyond four and a half.
 */
#include "check.h"

#include <math.h>
#include <sito/linear.h>

enum { SEED = 11, KEYS_MAX = 200 };

struct tally {
    double sum, squares;
};

static unsigned beyond_three;

static void count_in(struct tally *t, double x) { t->sum += x, t->squares += x * x; }

static void agrees(const sito_plan *p, const char *what, const struct tally *t, double filters,
                   double wanted) {
    double mean = t->sum / filters, spread = t->squares / filters - mean * mean;
    double se = sqrt(fmax(spread, 0) / (filters - 1)), off = fabs(mean - wanted);
    PROMISE(off <= 4.5 * se + 1e-12, "%s, %s, b %u, k %u, %llu cells, %llu keys: %g, not %g +- %g",
            what, p->scale, p->cell_bits, p->nhashes, (unsigned long long)p->ncells,
            (unsigned long long)p->nkeys, mean, wanted, se);
    beyond_three += off > 3 * se + 1e-12;
}

static double confidence(uint64_t i) { return (double)(mixed(i) >> 11) * 0x1p-53; }

static void try_point(sito_plan plan, unsigned filters) {
    struct tally low = {0}, mid = {0}, over = {0}, bias = {0};
    sito_linear_odds odds;
    sito_filter *f = NULL;
    plan.kind = SITO_LINEAR, plan.seed = SEED;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_int_equal(sito_linear_expect(&plan, &odds), SITO_OK);
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    uint64_t n = plan.nkeys;
    assert_true(n <= KEYS_MAX);
    for (uint64_t at = 0; at < filters * n; at += n) {
        double sums[4] = {0};
        assert_int_equal(sito_clear(f), SITO_OK);
        for (uint64_t i = at; i < at + n; i++) {
            numbered key = key_no(i);
            assert_true(sito_linear_put(f, key.bytes, 8, confidence(i)) >= 0);
        }
        for (uint64_t i = at; i < at + n; i++) {
            numbered key = key_no(i);
            double c = confidence(i), got = sito_linear_get(f, key.bytes, 8);
            double middle = sito_linear_get_mid(f, key.bytes, 8);
            sums[0] += (got - c) * (got - c), sums[1] += (middle - c) * (middle - c);
            sums[2] += got > c, sums[3] += got - c;
        }
        count_in(&low, sums[0] / (double)n);
        count_in(&mid, sums[1] / (double)n);
        count_in(&over, sums[2] / (double)n);
        count_in(&bias, sums[3] / (double)n);
    }
    agrees(&plan, "squared error", &low, filters, odds.squared_error);
    agrees(&plan, "in the middle", &mid, filters, odds.squared_error_mid);
    agrees(&plan, "over-estimates", &over, filters, odds.overestimate);
    agrees(&plan, "bias", &bias, filters, odds.bias);
    sito_free(f);
}

static void errors_are_as_large_as_the_closed_form_says(void **state) {
    (void)state;
    const sito_plan points[] = {
        {.nkeys = 70, .ncells = 512, .cell_bits = 8, .nhashes = 7},
        {.nkeys = 70, .ncells = 682, .cell_bits = 6, .nhashes = 10},
        {.nkeys = 70, .ncells = 256, .cell_bits = 16, .nhashes = 7},
        {.nkeys = 2, .ncells = 2, .cell_bits = 4, .nhashes = 2},
        {.nkeys = 10, .ncells = 20, .cell_bits = 3, .nhashes = 3},
        {.nkeys = 5, .ncells = 4, .cell_bits = 5, .nhashes = 4},
        {.nkeys = 30, .ncells = 60, .cell_bits = 1, .nhashes = 2},
        {.nkeys = 50, .ncells = 50, .cell_bits = 2, .nhashes = 1},
        {.nkeys = 40, .ncells = 300, .cell_bits = 11, .nhashes = 16},
        {.nkeys = 100, .ncells = 400, .cell_bits = 12, .nhashes = 5},
        {.nkeys = 20, .ncells = 300, .cell_bits = 8, .nhashes = 24},
        {.nkeys = 70, .ncells = 512, .cell_bits = 8, .nhashes = 7, .scale = "geometric"},
        {.nkeys = 40, .ncells = 60, .cell_bits = 5, .nhashes = 3, .scale = "geometric"},
        {.nkeys = 40,
         .ncells = 60,
         .cell_bits = 3,
         .nhashes = 2,
         .scale = "geometric",
         .fade_p = 1,
         .fade_q = 2},
        {.nkeys = 40,
         .ncells = 90,
         .cell_bits = 14,
         .nhashes = 3,
         .scale = "geometric",
         .fade_p = 999,
         .fade_q = 1000},
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) try_point(points[i], 8000);
    PROMISE(beyond_three <= 2, "%u points beyond three standard errors", beyond_three);
}

/* Beyond 24 hash functions cells are taken as independent: no longer exact, but near. */
static void many_hash_functions_are_forecast_nearly(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_LINEAR,
                      .nkeys = 40,
                      .ncells = 1200,
                      .cell_bits = 8,
                      .nhashes = 24,
                      .seed = SEED};
    sito_linear_odds exact, near;
    assert_int_equal(sito_linear_expect(&plan, &exact), SITO_OK);
    plan.nhashes = 25;
    assert_int_equal(sito_linear_expect(&plan, &near), SITO_OK);
    assert_true(fabs(near.overestimate / exact.overestimate - 1) < 0.2);
    plan.nhashes = 23;
    sito_linear_odds before;
    assert_int_equal(sito_linear_expect(&plan, &before), SITO_OK);
    double step = exact.overestimate / before.overestimate;
    PROMISE(fabs(near.overestimate / exact.overestimate - step) < 0.1, "a jump: %g, then %g", step,
            near.overestimate / exact.overestimate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_as_large_as_the_closed_form_says),
        cmocka_unit_test(many_hash_functions_are_forecast_nearly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
