/*
 * test_rates.c - every kind errs as often as it promised, measured.
 *
 * For each kind, number of keys and rate the mean over several seeds must lie within 5 % and five standard
 * errors of plan.real_fpr; the error is taken from the spread between filters where there are several, so
 * it holds the luck of a filter as well as that of its questions. Keys and seeds are fixed: none flickers.
 *
 * SITO_LONG=1 in the environment adds 10^7 and 10^8 keys and a table beyond 2^33 bits.
 */
#include "check.h"

#include <math.h>

enum { BATCH = 4096 };

static double square(double x) { return x * x; }

/* A stranger's hash is as good as any number that looks random; a bitmap's is cut to its bits. */
static uint64_t stranger(const sito_filter *f, const char *kind, uint64_t i) {
    return is(kind, SITO_BITMAP) ? hash_no(f, (UINT64_C(1) << 40) + i) : mixed(i);
}

static uint64_t wrong_answers(const sito_filter *f, const char *kind, uint64_t from,
                              uint64_t strangers) {
    uint64_t hashes[BATCH], wrong = 0;
    uint8_t answers[BATCH];
    for (uint64_t done = 0; done < strangers;) {
        size_t n = strangers - done < BATCH ? (size_t)(strangers - done) : BATCH;
        for (size_t i = 0; i < n; i++) hashes[i] = stranger(f, kind, from + done + i);
        sito_maybe_many(f, hashes, n, answers);
        for (size_t i = 0; i < n; i++) wrong += answers[i];
        done += n;
    }
    return wrong;
}

/* The keys `from` to `n`, less one. */
static void forgets_none(const sito_filter *f, const char *kind, uint64_t from, uint64_t n) {
    uint64_t hashes[BATCH];
    uint8_t answers[BATCH];
    for (uint64_t done = from; done < n;) {
        size_t some = n - done < BATCH ? (size_t)(n - done) : BATCH;
        for (size_t i = 0; i < some; i++) hashes[i] = hash_no(f, done + i);
        sito_maybe_many(f, hashes, some, answers);
        for (size_t i = 0; i < some; i++)
            PROMISE(answers[i] == 1, "%s forgot key %llu of %llu", kind,
                    (unsigned long long)(done + i), (unsigned long long)n);
        done += some;
    }
}

/* All keys by batches; in the static kinds by building. */
static sito_filter *full(const sito_plan *plan, uint64_t n) {
    if (!can(plan->kind, SITO_CAN_ADD)) return filled(plan, 0, (size_t)n);
    uint64_t hashes[BATCH];
    sito_filter *f = NULL;
    assert_int_equal(sito_new(plan, NULL, &f), SITO_OK);
    for (uint64_t done = 0; done < n;) {
        size_t some = n - done < BATCH ? (size_t)(n - done) : BATCH;
        for (size_t i = 0; i < some; i++) hashes[i] = hash_no(f, done + i);
        sito_rc rc = sito_add_many(f, hashes, some, NULL, NULL);
        PROMISE(rc == SITO_OK, "%s refused a planned key: %d", plan->kind, rc);
        done += some;
    }
    return f;
}

/* `seeds` filters of n keys, and `strangers` questions in all. */
static void measure(const char *kind, uint64_t n, double fpr, unsigned seeds, uint64_t strangers) {
    double sum = 0, squares = 0, promised = 0, present = 0;
    uint64_t each = strangers / seeds;
    sito_plan shape = plan_for(kind, n, 1);
    shape.fpr = fpr;
    shape.max_bytes = UINT64_C(1) << (n > 1000000 ? 32 : 26);
    sito_rc rc = sito_plan_solve(&shape);
    if (rc == SITO_ELIMIT && is(kind, SITO_BITMAP)) return; /* too large for one hash function */
    PROMISE(rc == SITO_OK, "%s: %llu keys at %g: %d", kind, (unsigned long long)n, fpr, rc);
    uint64_t all = promised_after(shape);
    for (unsigned s = 0; s < seeds; s++) {
        sito_plan plan = shape;
        plan.seed = mixed(s + 1);
        sito_filter *f = full(&plan, all);
        forgets_none(f, kind, all - n, all);
        double rate = (double)wrong_answers(f, kind, s * each, each) / (double)each;
        sum += rate;
        squares += square(rate);
        promised = plan.real_fpr;
        sito_info info;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        present += info.present_fpr;
        sito_free(f);
    }
    double mean = sum / seeds, error = sqrt(promised * (1 - promised) / (double)(each * seeds));
    if (seeds > 1) {
        double spread = sqrt(fmax(0, squares / seeds - square(mean)) / (seeds - 1));
        if (spread > error) error = spread;
    }
    double slack = 0.05 * promised + 5 * error;
    if (getenv("SITO_LONG"))
        print_message("%s, %llu keys at %g: promised %.4g, measured %.4g\n", kind,
                      (unsigned long long)n, fpr, promised, mean);
    PROMISE(promised <= fpr, "%s promised %g for %g", kind, promised, fpr);
    PROMISE(fabs(mean - promised) <= slack,
            "%s, %llu keys at %g: measured %.4g, promised %.4g +- %.2g", kind,
            (unsigned long long)n, fpr, mean, promised, slack);
    present /= seeds;
    PROMISE(fabs(mean - present) <= 0.05 * present + 5 * error,
            "%s, %llu keys at %g: measured %.4g, look says %.4g", kind, (unsigned long long)n, fpr,
            mean, present);
}

static void every_kind_errs_as_often_as_promised(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!takes_hashes(kind)) continue;
        for (uint64_t n = 1000; n <= 1000000; n *= 10)
            for (double fpr = 0.1; fpr > 0.00005; fpr /= 10)
                measure(kind, n, fpr, (unsigned)(1000000 / n), fpr > 0.005 ? 1000000 : 4000000);
    }
}

/* Where double hashing gives itself away: at one in a million others erred 150 times as often. */
static void one_in_a_million_is_kept(void **state) {
    (void)state;
    enum { N = 50000 };
    const uint64_t strangers = 60000000;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_BLOCK};
    for (size_t k = 0; k < 3; k++) {
        sito_plan plan = {.kind = kinds[k], .nkeys = N, .fpr = 1e-6, .seed = 42};
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_filter *f = full(&plan, N);
        forgets_none(f, kinds[k], 0, N);
        double wrong = (double)wrong_answers(f, kinds[k], 0, strangers),
               mean = plan.real_fpr * (double)strangers;
        PROMISE(fabs(wrong - mean) < 0.05 * mean + 5 * sqrt(mean), "%s: %.0f wrong, promised %.1f",
                kinds[k], wrong, mean);
        sito_free(f);
    }
}

/* ---- the long ones ---- */

static void large_filters_err_as_often_as_promised(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!takes_hashes(kind)) continue;
        for (uint64_t n = 10000000; n <= 100000000; n *= 10)
            for (double fpr = 0.1; fpr > 0.00005; fpr /= 10)
                measure(kind, n, fpr, 1, fpr > 0.005 ? 1000000 : 20000000);
    }
}

/* 32-bit arithmetic anywhere would crowd all keys into a part of the table. With one position a key few keys
 * show it; a block has eight, and errs too seldom before it is well filled. */
static void tables_beyond_2_to_the_33_bits_are_used_whole(void **state) {
    (void)state;
    const uint64_t cells = (UINT64_C(1) << 33) + 512 * 12345, strangers = 10000000;
    const struct {
        const char *kind;
        uint64_t keys;
        unsigned nhashes, cell_bits;
    } tables[] = {{SITO_BLOOM, 10000000, 1, 0},
                  {SITO_PARTED, 10000000, 1, 0},
                  {SITO_COUNTING, 10000000, 1, 3},
                  {SITO_BLOCK, 600000000, 8, 0}};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        const char *kind = tables[t].kind;
        sito_plan plan = {.kind = kind,
                          .nkeys = tables[t].keys,
                          .ncells = cells,
                          .nhashes = tables[t].nhashes,
                          .cell_bits = tables[t].cell_bits,
                          .seed = 42};
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_filter *f = full(&plan, plan.nkeys);
        forgets_none(f, kind, 0, plan.nkeys);
        double wrong = (double)wrong_answers(f, kind, 0, strangers),
               mean = plan.real_fpr * (double)strangers;
        PROMISE(fabs(wrong - mean) < 5 * sqrt(mean), "%s: %.0f wrong, promised %.0f", kind, wrong,
                mean);
        assert_true(mean > 10000);
        sito_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_errs_as_often_as_promised),
        cmocka_unit_test(one_in_a_million_is_kept),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(large_filters_err_as_often_as_promised),
        cmocka_unit_test(tables_beyond_2_to_the_33_bits_are_used_whole),
    };
    if (getenv("SITO_LONG")) return cmocka_run_group_tests(long_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
