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
static void fill(struct form form, sito_plan plan) {
    uint64_t hashes[BATCH];
    double fpr = plan.fpr;
    sito_rc rc = sito_plan_solve(&plan);
    PROMISE(rc == SITO_OK, FORM ": %llu keys at %g: %d", OF_FORM(form),
            (unsigned long long)plan.nkeys, fpr, rc);
    uint64_t n = plan.nkeys, seed = plan.seed;
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

static void fill_planned(struct form form, uint64_t n, double fpr, uint64_t seed) {
    sito_plan plan = wish_for(form, seed);
    plan.nkeys = n;
    plan.fpr = fpr;
    fill(form, plan);
}

static bool at_length(void) { return getenv("SITO_LONG") != NULL; }

/* Every number in every form that searches; the walks share them. */
static void small_plans_are_kept(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        bool all = at_length() || is(form.rule, "path");
        for (uint64_t seed = 1; seed <= (at_length() ? 40 : 1); seed++)
            for (uint64_t n = all ? 1 : form_at % 3; n <= EVERY; n += all ? 1 : 3)
                fill_planned(form, n, rates[(n + seed) % RATES], seed * EVERY + n);
    }
}

/* Chance is largest in the smallest tables: a refusal in a thousand fills would show, at length in a
 * hundred thousand. With the width of the tags given, the rate adds no slots. */
static void the_smallest_plans_are_kept_every_time(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    for (uint64_t seed = 1; seed <= (at_length() ? 3000 : 100); seed++)
        for (uint64_t n = 2 + seed % 3; n <= 130; n += 3) {
            sito_plan plan = wish_for(form, seed * 1000000 + n);
            plan.nkeys = n;
            plan.tag_bits = 8 + 4 * (unsigned)(seed % 5);
            fill(form, plan);
        }
}

/* These 128 were too many for a plan that knew of loads only. */
static void a_club_of_keys_finds_room(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        sito_plan plan = wish_for(form, 513000128);
        plan.nkeys = 128;
        plan.tag_bits = 20;
        fill(form, plan);
    }
}

static void large_plans_are_kept(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    for (uint64_t seed = 1; seed <= (at_length() ? 16 : 1); seed++) {
        unsigned at = (unsigned)(seed + form_at);
        uint64_t most = at_length() || form_at < 9 ? MOST : MOST / 5;
        for (uint64_t n = EVERY + 50 * at; n <= most; n *= 3)
            fill_planned(form, n, rates[at++ % RATES], seed);
        if (at_length() || form_at % 6 == 0) fill_planned(form, most, rates[at % RATES], seed);
    }
}

/* Given the slots, or the bytes, the plan says how many keys there will be room for. */
static void tables_take_the_keys_they_promise(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    for (uint64_t seed = 1; seed <= (at_length() ? 100 : 1); seed++)
        for (uint64_t slots = 16; slots < 50000; slots = slots * 3 / 2 / 8 * 8)
            for (size_t r = 0; r < RATES; r += 1 + slots % 5) {
                sito_plan by_slots = table_of(form, slots, 0, seed),
                          by_bytes = wish_for(form, seed);
                by_slots.nkeys = 0;
                by_bytes.max_bytes = slots;
                by_slots.fpr = by_bytes.fpr = rates[r];
                fill(form, by_slots);
                if (slots >= 128) fill(form, by_bytes);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_plans_are_kept),
        cmocka_unit_test(the_smallest_plans_are_kept_every_time),
        cmocka_unit_test(a_club_of_keys_finds_room),
        cmocka_unit_test(large_plans_are_kept),
        cmocka_unit_test(tables_take_the_keys_they_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
