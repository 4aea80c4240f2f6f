/* test_linear_plan.c - plans of the linear filter: the least error for the bytes, and wishes kept or refused. */
#include "check.h"

#include <sito/linear.h>

enum { SEED = 42, MOST = 16 };

static void keys_and_bytes_choose_the_least_error(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_LINEAR, .nkeys = 70, .max_bytes = 512, .seed = SEED};
    sito_linear_odds best, other;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_true(plan.bytes <= 512);
    assert_int_equal(sito_linear_expect(&plan, &best), SITO_OK);
    PROMISE(best.squared_error_mid <= 6.5e-5, "b %u, k %u: %g", plan.cell_bits, plan.nhashes,
            best.squared_error_mid);
    /* The paper's own setting, k = 7 and b = 8 decoded at the floor. */
    sito_plan theirs = {.kind = SITO_LINEAR,
                        .nkeys = 70,
                        .ncells = 512,
                        .cell_bits = 8,
                        .nhashes = 7,
                        .seed = SEED};
    assert_int_equal(sito_linear_expect(&theirs, &other), SITO_OK);
    assert_true(other.squared_error > 2.2e-4 && other.squared_error < 2.4e-4);
    for (unsigned b = 1; b <= MOST; b++)
        for (unsigned k = 1; k <= 20; k++) {
            sito_plan wish = {.kind = SITO_LINEAR,
                              .nkeys = 70,
                              .max_bytes = 512,
                              .cell_bits = b,
                              .nhashes = k,
                              .seed = SEED};
            assert_int_equal(sito_linear_expect(&wish, &other), SITO_OK);
            PROMISE(other.squared_error_mid >= best.squared_error_mid / 1.0101,
                    "b %u, k %u: %g, not %g", b, k, other.squared_error_mid,
                    best.squared_error_mid);
        }
}

static void a_wish_is_kept_to_the_letter(void **state) {
    (void)state;
    for (unsigned b = 1; b <= MOST; b += 3) {
        sito_plan plan = {
            .kind = SITO_LINEAR, .nkeys = 500, .max_bytes = 4000, .cell_bits = b, .seed = SEED};
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        assert_true(plan.cell_bits == b && plan.ncells == 32000 / b && plan.bytes <= 4000);
        sito_plan narrow = {
            .kind = SITO_LINEAR, .nkeys = 500, .max_bytes = 4000, .nhashes = b, .seed = SEED};
        assert_int_equal(sito_plan_solve(&narrow), SITO_OK);
        assert_true(narrow.nhashes == b && narrow.bytes <= 4000);
    }
    sito_plan rated = {.kind = SITO_LINEAR, .nkeys = 500, .fpr = 0.001, .seed = SEED};
    assert_int_equal(sito_plan_solve(&rated), SITO_OK);
    assert_int_equal(rated.cell_bits, 8);
    assert_string_equal(rated.scale, "linear");
}

static void nonsense_is_refused(void **state) {
    (void)state;
    const sito_plan bad[] = {
        {.kind = SITO_LINEAR, .nkeys = 9, .cell_bits = 17},
        {.kind = SITO_LINEAR, .nkeys = 9, .nhashes = 65},
        {.kind = SITO_LINEAR, .nkeys = 9, .scale = "cubic"},
        {.kind = SITO_LINEAR, .nkeys = 9, .scale = "linear", .fade_p = 9, .fade_q = 10},
        {.kind = SITO_LINEAR, .nkeys = 9, .fade_p = 9, .fade_q = 10},
        {.kind = SITO_LINEAR, .nkeys = 9, .scale = "geometric", .fade_p = 9},
        {.kind = SITO_LINEAR, .nkeys = 9, .scale = "geometric", .fade_q = 9},
        {.kind = SITO_LINEAR, .nkeys = 9, .scale = "geometric", .fade_p = 9, .fade_q = 9},
        {.kind = SITO_LINEAR, .nkeys = 9, .scale = "geometric", .fade_p = 10, .fade_q = 9},
        {.kind = SITO_LINEAR, .nkeys = 9, .scale = "geometric", .fade_p = 1, .fade_q = 65536},
        {.kind = SITO_LINEAR, .ncells = 3, .nkeys = 9, .nhashes = 4},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sito_plan plan = bad[i];
        PROMISE(sito_plan_solve(&plan) == SITO_EINVAL, "wish %zu", i);
    }
    sito_plan fine = {
        .kind = SITO_LINEAR, .nkeys = 9, .scale = "geometric", .fade_p = 2, .fade_q = 131070};
    assert_int_equal(sito_plan_solve(&fine), SITO_OK);
    sito_linear_odds odds;
    sito_plan other = {.kind = SITO_BLOOM, .nkeys = 9};
    assert_int_equal(sito_linear_expect(&other, &odds), SITO_EUNABLE);
    assert_int_equal(sito_linear_expect(NULL, &odds), SITO_EINVAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_bytes_choose_the_least_error),
        cmocka_unit_test(a_wish_is_kept_to_the_letter),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
