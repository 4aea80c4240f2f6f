/*
 * test_cuckoo_rates.c - cuckoo filters of every layout err as often as promised, in as few bits as promised.
 *
 * The mean over several seeds must lie within 5 % and five standard errors of plan.real_fpr; the error is the
 * larger of what the questions and what the filters' own luck make. Keys and seeds are fixed: none flickers.
 *
 * SITO_LONG=1 in the environment takes a table of more than 2^32 slots instead: 2 GiB.
 */
#include "check.h"

#include <math.h>

#include "cuckoo.h"

enum { BATCH = 4096 };

static const struct {
    const char *layout;
    unsigned bucket;
} layouts[] = {{"bucket", 4}, {"sorted", 4}, {"window", 0}, {"window", 4},
               {"window", 8}, {"bucket", 8}, {"bucket", 2}, {"bucket", 1}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static sito_plan plan_of(size_t layout) {
    return (sito_plan){.kind = SITO_CUCKOO,
                       .layout = layouts[layout].layout,
                       .bucket = layouts[layout].bucket,
                       .seed = 1};
}

/* So many strangers, from number `from` on. */
static uint64_t wrong_answers(const sito_filter *f, uint64_t from, uint64_t strangers) {
    uint64_t hashes[BATCH], wrong = 0;
    uint8_t answers[BATCH];
    for (uint64_t done = 0; done < strangers; done += BATCH) {
        size_t n = strangers - done < BATCH ? (size_t)(strangers - done) : BATCH;
        for (size_t i = 0; i < n; i++) hashes[i] = mixed(from + done + i);
        sito_maybe_many(f, hashes, n, answers);
        for (size_t i = 0; i < n; i++) wrong += answers[i];
    }
    return wrong;
}

static sito_filter *full(sito_plan plan, uint64_t seed, uint64_t n) {
    plan.seed = mixed(seed);
    sito_filter *f = new_filter(&plan);
    for (uint64_t i = 0; i < n; i++)
        PROMISE(add_no(f, i) >= 0, "%s of %u refused a planned key", plan.layout, plan.bucket);
    return f;
}

/* A solved plan, `seeds` filters, `strangers` questions in all. */
static void errs_as_promised(const sito_plan *plan, uint64_t n, unsigned seeds,
                             uint64_t strangers) {
    double sum = 0, squares = 0, present = 0;
    uint64_t each = strangers / seeds;
    sito_info info;
    for (unsigned s = 0; s < seeds; s++) {
        sito_filter *f = full(*plan, s, n);
        double rate = (double)wrong_answers(f, s * each, each) / (double)each;
        sum += rate, squares += rate * rate;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        present += info.present_fpr / seeds;
        sito_free(f);
    }
    double mean = sum / seeds, promised = plan->real_fpr;
    double error = sqrt(promised * (1 - promised) / (double)(each * seeds));
    error = fmax(error, sqrt(fmax(0, squares / seeds - mean * mean) / (seeds - 1)));
    PROMISE(fabs(mean - promised) <= 0.05 * promised + 5 * error,
            "%s of %u, %llu keys, %u bits in %llu slots: measured %.5g, promised %.5g",
            plan->layout, plan->bucket, (unsigned long long)n, plan->tag_bits,
            (unsigned long long)plan->ncells, mean, promised);
    PROMISE(n != plan->nkeys || fabs(present - promised) <= 1e-9 * promised,
            "%s of %u: look says %.5g, the plan %.5g", plan->layout, plan->bucket, present,
            promised);
}

static void every_layout_errs_as_often_as_promised(void **state) {
    (void)state;
    const double rates[] = {0.1, 0.03, 0.01, 0.003, 0.001, 0.0001};
    for (size_t l = 0; l < LAYOUTS; l++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            sito_plan plan = plan_of(l);
            plan.nkeys = 20000;
            plan.fpr = rates[r];
            assert_int_equal(sito_plan_solve(&plan), SITO_OK);
            PROMISE(plan.real_fpr <= rates[r], "%s promises %g for %g", plan.layout, plan.real_fpr,
                    rates[r]);
            errs_as_promised(&plan, plan.nkeys, 5, (uint64_t)fmax(400000, 3000 / rates[r]));
        }
}

/* Not every rate is met by a power of two: half the plans would be a factor of nearly two too good, if slots
 * were only as many as the keys need. The best table for a rate is never much better than asked. */
static void no_plan_is_much_better_than_asked(void **state) {
    (void)state;
    for (double fpr = 0.1; fpr > 1e-6; fpr *= 0.9) {
        sito_plan plan = {.kind = SITO_CUCKOO, .nkeys = 1000000, .fpr = fpr}, wider = plan;
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        wider.tag_bits = plan.tag_bits + 1;
        assert_int_equal(sito_plan_solve(&wider), SITO_OK);
        PROMISE(wider.bytes >= plan.bytes, "%g: a wider tag makes a smaller table", fpr);
        PROMISE(plan.real_fpr >= fpr / 2.1, "%g: promises %g", fpr, plan.real_fpr);
    }
}

/* An odd number of buckets, and tables so small that chance shows: the rate is exact there as well. */
static void small_and_odd_tables_err_as_promised(void **state) {
    (void)state;
    for (size_t l = 0; l < LAYOUTS; l++)
        for (uint64_t buckets = 2; buckets <= 7; buckets++) {
            sito_plan plan = plan_of(l);
            unsigned b = plan.bucket = plan.bucket ? plan.bucket : 2;
            uint64_t n = b == 1 ? 1 : b * buckets < 12 ? 2 : b * buckets / 6;
            plan.ncells = b * buckets + (is(plan.layout, "window") ? 1 : 0);
            plan.tag_bits = 6;
            plan.nkeys = n;
            assert_int_equal(sito_plan_solve(&plan), SITO_OK);
            errs_as_promised(&plan, n, 1000, 400000);
        }
}

/* Whichever way the keys came in: rules move tags, not the rate. */
static void no_rule_errs_more(void **state) {
    (void)state;
    const char *const rules[] = {"random", "emptier"};
    for (size_t r = 0; r < 2; r++) {
        sito_plan plan = {
            .kind = SITO_CUCKOO, .rule = rules[r], .nkeys = 20000, .fpr = 0.004, .seed = 1};
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        errs_as_promised(&plan, plan.nkeys, 5, 1000000);
    }
}

/* At a measured rate of one in a thousand, with insert and delete. */
static void a_key_costs_as_few_bits_as_promised(void **state) {
    (void)state;
    const uint64_t numbers[] = {100000, 131072, 163840, 196608, 262144};
    const struct {
        size_t layout;
        double most;
    } costs[] = {{0, 13.5}, {1, 12.35}};
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < 5; i++) {
            sito_plan plan = plan_of(costs[c].layout);
            plan.nkeys = numbers[i];
            plan.fpr = 0.001;
            assert_int_equal(sito_plan_solve(&plan), SITO_OK);
            sito_filter *f = full(plan, i, plan.nkeys);
            sito_info info;
            assert_int_equal(sito_look(f, &info), SITO_OK);
            const uint64_t strangers = 2000000;
            double rate = (double)wrong_answers(f, i * strangers, strangers) / (double)strangers;
            PROMISE(info.bits_per_key <= costs[c].most, "%s, %llu keys: %.3f bits a key",
                    plan.layout, (unsigned long long)plan.nkeys, info.bits_per_key);
            PROMISE(rate <= 0.001 + 5 * sqrt(0.001 / (double)strangers),
                    "%s, %llu keys: erred %.5f", plan.layout, (unsigned long long)plan.nkeys, rate);
            for (uint64_t k = 0; k < plan.nkeys; k++) assert_true(maybe_no(f, k));
            sito_free(f);
        }
}

/* 32-bit arithmetic anywhere would crowd all keys into a part of the table. */
static void tables_beyond_2_to_the_32_slots_are_used_whole(void **state) {
    (void)state;
    enum { N = 20000000 };
    sito_plan plan = plan_of(0);
    plan.ncells = (UINT64_C(1) << 32) + 8 * 12345;
    plan.tag_bits = 4;
    plan.nkeys = N;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    sito_filter *f = full(plan, 1, N);
    double wrong = (double)wrong_answers(f, 0, N), mean = plan.real_fpr * N;
    PROMISE(fabs(wrong - mean) < 5 * sqrt(mean) && mean > 10000, "%.0f wrong, promised %.0f", wrong,
            mean);
    for (uint64_t i = 0; i < N; i += 7) assert_true(maybe_no(f, i));
    sito_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_errs_as_often_as_promised),
        cmocka_unit_test(no_plan_is_much_better_than_asked),
        cmocka_unit_test(small_and_odd_tables_err_as_promised),
        cmocka_unit_test(no_rule_errs_more),
        cmocka_unit_test(a_key_costs_as_few_bits_as_promised),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(tables_beyond_2_to_the_32_slots_are_used_whole),
    };
    if (getenv("SITO_LONG")) return cmocka_run_group_tests(long_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
