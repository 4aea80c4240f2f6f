/*
 * test_cuckoo_fills.c - a cuckoo filter takes all the keys it was planned for, whatever its form.
 *
 * Every number of keys up to 2,000 and a rising series up to a million, at rates that take all widths of
 * tags, with fixed seeds. SITO_LONG=1 in the environment takes more seeds.
 */
#include "check.h"

#include "cuckoo.h"

enum { EVERY = 2000, MOST = 1000000, BATCH = 4096 };

static const double rates[] = {0.9, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0001, 1e-6};
enum { RATES = sizeof rates / sizeof *rates };

/* Keys are numbers that look random: as good as hashes of distinct keys. */
static void fill(struct form form, uint64_t n, double fpr, uint64_t seed) {
    sito_plan plan = wish_for(form, seed);
    uint64_t hashes[BATCH];
    plan.nkeys = n;
    plan.fpr = fpr;
    sito_rc rc = sito_plan_solve(&plan);
    PROMISE(rc == SITO_OK, FORM ": %llu keys at %g: %d", OF_FORM(form), (unsigned long long)n, fpr,
            rc);
    sito_filter *f = new_filter(&plan);
    for (uint64_t at = 0; at < n;) {
        size_t some = n - at < BATCH ? (size_t)(n - at) : BATCH, done = 0;
        for (size_t i = 0; i < some; i++) hashes[i] = mixed(mixed(seed) + at + i);
        rc = sito_add_many(f, hashes, some, NULL, &done);
        PROMISE(rc == SITO_OK,
                FORM ": key %llu of %llu at %g, seed %llu, %u-bit tags in %llu slots: %d",
                OF_FORM(form), (unsigned long long)(at + done), (unsigned long long)n, fpr,
                (unsigned long long)seed, plan.tag_bits, (unsigned long long)plan.ncells, rc);
        at += some;
    }
    sito_free(f);
}

static void small_plans_are_kept(void **state) {
    (void)state;
    struct form form;
    uint64_t seeds = getenv("SITO_LONG") ? 40 : 1;
    EACH_FORM(form)
    for (uint64_t seed = 1; seed <= seeds; seed++)
        for (uint64_t n = 1; n <= EVERY; n++)
            fill(form, n, rates[(n + seed) % RATES], seed * EVERY + n);
}

static void large_plans_are_kept(void **state) {
    (void)state;
    struct form form;
    uint64_t seeds = getenv("SITO_LONG") ? 16 : 1;
    EACH_FORM(form)
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        unsigned at = (unsigned)(seed + form_at);
        for (uint64_t n = EVERY; n <= MOST; n += n / 3 + 1)
            fill(form, n, rates[at++ % RATES], seed);
        fill(form, MOST, rates[at % RATES], seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_plans_are_kept),
        cmocka_unit_test(large_plans_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
