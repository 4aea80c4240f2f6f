/* test_rates_exact.c - stated rates are exact for the construction, not the textbook's approximation. */
#include "check.h"

#include <math.h>

enum { SEED = 42 };

/* A filter that always says yes is refused: its rate is 1. */
static double promised(const char *kind, uint64_t m, uint64_t n, unsigned k) {
    sito_plan plan = {.kind = kind, .nkeys = n, .ncells = m, .nhashes = k, .seed = SEED};
    sito_rc rc = sito_plan_solve(&plan);
    PROMISE(rc == SITO_OK || rc == SITO_ELIMIT, "%s m=%llu n=%llu k=%u: %d", kind,
            (unsigned long long)m, (unsigned long long)n, k, rc);
    return rc == SITO_OK ? plan.real_fpr : 1;
}

/* A stranger's 64-bit hash may be one of n: plans count that in. */
static double with_hashes(double rate, uint64_t n) {
    return rate + (1 - rate) * ldexp((double)n, -64);
}

/* The rate of one table by following the number of set bits through all n k draws, one at a time. */
static double by_counting(uint64_t m, uint64_t n, unsigned k) {
    double *p = calloc((size_t)m + 2, sizeof *p), rate = 0;
    assert_non_null(p);
    p[0] = 1;
    for (uint64_t draw = 1; draw <= n * k; draw++)
        for (uint64_t j = draw < m ? draw : m; j <= m; j--) {
            double stays = p[j] * (double)j / (double)m;
            p[j] = stays + (j > 0 ? p[j - 1] * (double)(m - j + 1) / (double)m : 0);
        }
    for (uint64_t j = 0; j <= m; j++) rate += p[j] * pow((double)j / (double)m, k);
    free(p);
    return with_hashes(rate, n);
}

static void near(double got, double truth, double slack, const char *what) {
    if (!(fabs(got - truth) <= slack * truth)) fail_msg("%s: %.12g, not %.12g", what, got, truth);
}

/* ---- known values ---- */

static void four_bits_two_keys_two_places(void **state) {
    (void)state;
    near(by_counting(4, 2, 2), 505.0 / 1024, 1e-12, "the test's own arithmetic");
    near(promised(SITO_BLOOM, 4, 2, 2), 505.0 / 1024, 1e-9, "one table");
    near(promised(SITO_PARTED, 4, 2, 2), 9.0 / 16, 1e-9, "two tables");
}

/* The lecture: the exact rates exceed the classical formula by 15 % and 35 % here. */
static void the_textbook_is_wrong_for_small_tables(void **state) {
    (void)state;
    double textbook = pow(1 - exp(-1.0), 8);
    near(promised(SITO_BLOOM, 64, 8, 8), by_counting(64, 8, 8), 1e-9, "one table");
    near(promised(SITO_PARTED, 64, 8, 8), pow(1 - pow(7.0 / 8, 8), 8), 1e-9, "eight tables");
    near(promised(SITO_BLOOM, 64, 8, 8) / textbook, 1.15, 0.01, "one table against the textbook");
    near(promised(SITO_PARTED, 64, 8, 8) / textbook, 1.35, 0.01,
         "eight tables against the textbook");
}

/* The lecture: "at most 2^-k" is false for m = 1010, n = 100, k = 7. */
static void half_full_is_not_two_to_the_minus_k(void **state) {
    (void)state;
    double rate = promised(SITO_BLOOM, 1010, 100, 7);
    assert_true(rate > 1.0 / 128);
    assert_true(rate >= .007875 && rate < .007885);
}

/* The lecture: 100 Mb with one place, 9.6 Mb with one table of seven places, for a million keys at 1 %. */
static void a_million_keys_at_one_percent(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_BLOOM, .nkeys = 1000000, .fpr = 0.01, .seed = SEED};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    double megabits = 8e-6 * (double)plan.bytes;
    assert_true(megabits > 9.58 && megabits < 9.60);
    assert_int_equal(plan.nhashes, 7);
    sito_plan one = {.kind = SITO_BLOOM, .nkeys = 1000000, .fpr = 0.01, .nhashes = 1, .seed = SEED};
    assert_int_equal(sito_plan_solve(&one), SITO_OK);
    megabits = 8e-6 * (double)one.bytes;
    assert_true(megabits > 99.4 && megabits < 100);
    near(promised(SITO_PARTED, 14000000, 1000000, 7), .0015, 0.03, "seven tables of 2n bits");
}

/* Claims of the papers: m = 10 n and k = 7 give less than 1 %; with one place at most n / m. */
static void ten_bits_a_key_are_enough_for_one_percent(void **state) {
    (void)state;
    for (uint64_t n = 10; n <= 10000000; n *= 10) {
        assert_true(promised(SITO_BLOOM, 10 * n, n, 7) < (n == 10 ? 0.0117 : 0.01));
        assert_true(promised(SITO_BLOOM, 20 * n, n, 1) <= 0.05);
    }
}

/* ---- the grid ---- */

static void one_table_errs_exactly_so_in_a_grid(void **state) {
    (void)state;
    const uint64_t ms[] = {1, 2, 3, 5, 8, 16, 31, 64, 100, 256, 500, 1024};
    const uint64_t ns[] = {1, 2, 3, 7, 20, 60, 150};
    const unsigned ks[] = {1, 2, 3, 4, 7, 10, 16};
    for (size_t a = 0; a < sizeof ms / sizeof *ms; a++)
        for (size_t b = 0; b < sizeof ns / sizeof *ns; b++)
            for (size_t c = 0; c < sizeof ks / sizeof *ks; c++) {
                if (ks[c] > ms[a]) continue;
                double rate = promised(SITO_BLOOM, ms[a], ns[b], ks[c]),
                       truth = by_counting(ms[a], ns[b], ks[c]);
                PROMISE(fabs(rate - truth) <= 1e-6 * truth, "m=%llu n=%llu k=%u: %.12g, not %.12g",
                        (unsigned long long)ms[a], (unsigned long long)ns[b], ks[c], rate, truth);
            }
}

static void larger_tables_err_exactly_so_too(void **state) {
    (void)state;
    const struct {
        uint64_t m, n;
        unsigned k;
        double slack;
    } at[] = {{2048, 200, 7, 1e-6},  {4096, 400, 7, 1e-6}, {4096, 30, 20, 1e-6},
              {4096, 1000, 3, 1e-6}, {4095, 77, 16, 1e-6}, {10000, 1000, 7, 1e-3},
              {20000, 2000, 7, 1e-3}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        near(promised(SITO_BLOOM, at[i].m, at[i].n, at[i].k),
             by_counting(at[i].m, at[i].n, at[i].k), at[i].slack, "one table");
}

static void k_tables_err_exactly_so_in_a_grid(void **state) {
    (void)state;
    for (uint64_t table = 1; table <= 4096; table *= 2)
        for (uint64_t n = 1; n <= 10000; n *= 7)
            for (unsigned k = 1; k <= 16; k += 3) {
                double truth = pow(-expm1((double)n * log1p(-1 / (double)table)), k);
                if (table == 1) truth = 1;
                truth = with_hashes(truth, n);
                near(promised(SITO_PARTED, table * k, n, k), truth, 1e-9, "k tables");
            }
}

static void a_bitmap_errs_as_one_hash_function_does(void **state) {
    (void)state;
    for (unsigned u = 4; u <= 30; u += 2)
        for (uint64_t n = 1; n <= 100000; n *= 10) {
            double truth = -expm1((double)n * log1p(-ldexp(1, -(int)u)));
            near(promised(SITO_BITMAP, UINT64_C(1) << u, n, 0), truth, 1e-9, "bitmap");
        }
}

/* ---- measured ---- */

/* Over many seeds a filter of four bits errs as the arithmetic says: mean within five standard errors. */
static void four_bits_err_so_when_measured(void **state) {
    (void)state;
    enum { SEEDS = 20000, STRANGERS = 50 };
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED};
    const double truth[] = {505.0 / 1024, 9.0 / 16};
    for (size_t k = 0; k < 2; k++) {
        double sum = 0, squares = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            sito_plan plan = {
                .kind = kinds[k], .nkeys = 2, .ncells = 4, .nhashes = 2, .seed = mixed(seed)};
            sito_filter *f = filled(&plan, 0, 2);
            unsigned wrong = 0;
            for (uint64_t i = 2; i < 2 + STRANGERS; i++) wrong += maybe_no(f, i);
            double rate = (double)wrong / STRANGERS;
            sum += rate;
            squares += rate * rate;
            sito_free(f);
        }
        double mean = sum / SEEDS, error = sqrt((squares / SEEDS - mean * mean) / SEEDS);
        PROMISE(fabs(mean - truth[k]) < 5 * error, "%s: %.5f, not %.5f +- %.5f", kinds[k], mean,
                truth[k], 5 * error);
        assert_true(error < 0.005);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bits_two_keys_two_places),
        cmocka_unit_test(the_textbook_is_wrong_for_small_tables),
        cmocka_unit_test(half_full_is_not_two_to_the_minus_k),
        cmocka_unit_test(a_million_keys_at_one_percent),
        cmocka_unit_test(ten_bits_a_key_are_enough_for_one_percent),
        cmocka_unit_test(one_table_errs_exactly_so_in_a_grid),
        cmocka_unit_test(larger_tables_err_exactly_so_too),
        cmocka_unit_test(k_tables_err_exactly_so_in_a_grid),
        cmocka_unit_test(a_bitmap_errs_as_one_hash_function_does),
        cmocka_unit_test(four_bits_err_so_when_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
