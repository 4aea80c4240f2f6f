/*
 * test_aged.c - a window that slides: what is in it is found, what left it fades out.
 *
 * SITO_LONG=1 in the environment runs a hundred million adds through a window of a million.
 */
#include "check.h"

#include <math.h>

#include <sito/aged.h>

enum { SEED = 42 };

static sito_filter *window_of(uint64_t window, double fpr) {
    sito_plan plan = {.kind = SITO_AGED, .window = window, .fpr = fpr, .seed = SEED};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    return f;
}

static double promised(const sito_filter *f) {
    sito_info info;
    assert_int_equal(sito_look(f, &info), SITO_OK);
    return info.real_fpr;
}

/* ---- inside the window ---- */

/* Every window up to 70, after every add. */
static void the_last_keys_are_found(void **state) {
    (void)state;
    for (uint64_t window = 1; window <= 70; window++) {
        sito_filter *f = window_of(window, 0.01);
        for (uint64_t i = 0; i < 5 * window + 100; i++) {
            assert_true(add_no(f, i) >= 0);
            for (uint64_t back = 0; back < window && back <= i; back++)
                PROMISE(maybe_no(f, i - back), "window %llu, key %llu: %llu back is lost",
                        (unsigned long long)window, (unsigned long long)i,
                        (unsigned long long)back);
        }
        sito_free(f);
    }
}

/* The oldest that must be found, after every add; all of the window, now and then. */
static void many_adds_lose_no_key(uint64_t window, uint64_t adds, uint64_t every) {
    sito_filter *f = window_of(window, 0.001);
    uint64_t *hashes = malloc(window * sizeof *hashes);
    uint8_t *answers = malloc(window);
    assert_true(hashes && answers);
    for (uint64_t i = 0; i < adds; i++) {
        hashes[i % window] = mixed(i);
        assert_true(sito_add_hash(f, mixed(i)) >= 0);
        if (i + 1 >= window)
            PROMISE(sito_maybe_hash(f, mixed(i + 1 - window)), "the oldest of add %llu",
                    (unsigned long long)i);
        if (i + 1 < window || i % every) continue;
        sito_maybe_many(f, hashes, window, answers);
        for (uint64_t j = 0; j < window; j++)
            PROMISE(answers[j] == 1, "add %llu, place %llu", (unsigned long long)i,
                    (unsigned long long)j);
    }
    free(hashes);
    free(answers);
    sito_free(f);
}

static void a_million_adds_lose_no_key(void **state) {
    (void)state;
    many_adds_lose_no_key(10000, 1000000, 4999);
}

static void a_hundred_million_adds_lose_no_key(void **state) {
    (void)state;
    many_adds_lose_no_key(1000000, 100000000, 99991);
}

/* A key that is added again is as young as any. */
static void a_known_key_is_young_again(void **state) {
    (void)state;
    enum { WINDOW = 500 };
    sito_filter *f = window_of(WINDOW, 0.01);
    for (uint64_t i = 0; i < 10 * WINDOW; i++) {
        if (i % (WINDOW - 1) == 0) {
            int added = add_no(f, 1000000);
            PROMISE(i == 0 ? added == 1 : added == 0, "answer %d at %llu", added,
                    (unsigned long long)i);
        }
        assert_true(add_no(f, i) >= 0);
        assert_true(maybe_no(f, 1000000));
    }
    sito_free(f);
}

/* ---- behind it ---- */

/* Keys that left the window, by age: those of twice the window and more are let in as seldom as strangers.
 * 5 standard errors. */
static void a_key_of_twice_the_window_is_a_stranger(void **state) {
    (void)state;
    enum { WINDOW = 20000, ADDS = 200000 };
    static const double rates[] = {0.1, 0.01, 0.001};
    for (size_t r = 0; r < 3; r++) {
        sito_filter *f = window_of(WINDOW, rates[r]);
        uint64_t old = 0, strangers = 0, asked = 0;
        for (uint64_t i = 0; i < ADDS; i++) assert_true(sito_add_hash(f, mixed(i)) >= 0);
        for (uint64_t i = 0; i < ADDS - 2 * WINDOW; i++, asked++) {
            old += sito_maybe_hash(f, mixed(i));
            strangers += sito_maybe_hash(f, mixed(ADDS + i));
        }
        double mean = promised(f) * (double)asked;
        PROMISE((double)old < mean + 5 * sqrt(mean), "%llu old keys of %g", (unsigned long long)old,
                mean);
        PROMISE(fabs((double)old - (double)strangers) < 5 * sqrt(2 * mean), "%llu and %llu",
                (unsigned long long)old, (unsigned long long)strangers);
        sito_free(f);
    }
}

/* In the n-th generation after the window about 1 in 2^n: the header says so. */
static void keys_fade_out_by_halves(void **state) {
    (void)state;
    enum { WINDOW = 44000 };
    sito_filter *f = window_of(WINDOW, 0.001);
    uint64_t each = (uint64_t)fact(f, "each"), l = (uint64_t)fact(f, "generations");
    uint64_t all = each * (2 * l + 40);
    for (uint64_t i = 0; i < all; i++) assert_true(sito_add_hash(f, mixed(i)) >= 0);
    for (uint64_t n = 1; n <= 4; n++) {
        uint64_t found = 0, from = all - each * (l + 1 + n);
        for (uint64_t i = from; i < from + each; i++) found += sito_maybe_hash(f, mixed(i));
        double share = (double)found / (double)each, half = ldexp(1, -(int)n);
        PROMISE(share > 0.7 * half && share < 1.3 * half, "generation %llu behind: %g",
                (unsigned long long)n, share);
    }
    sito_free(f);
}

/* The promise is for the end of a generation in a ring that is full; it is never passed. */
static void the_rate_is_kept_at_every_moment(void **state) {
    (void)state;
    enum { WINDOW = 3000 };
    sito_filter *f = window_of(WINDOW, 0.01);
    for (uint64_t i = 0; i < 5 * WINDOW; i++) {
        assert_true(add_no(f, i) >= 0);
        if (i % 37) continue;
        sito_info info;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        PROMISE(info.present_fpr < 1.15 * info.real_fpr, "%g after %llu", info.present_fpr,
                (unsigned long long)i);
        assert_true(info.real_fpr <= 0.01);
    }
    sito_free(f);
}

/* ---- by time ---- */

static sito_filter *clock_of(uint64_t nkeys, unsigned generations) {
    sito_plan plan = {
        .kind = SITO_AGED, .nkeys = nkeys, .fpr = 0.01, .seed = SEED, .max_layers = generations};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    return f;
}

static void a_day_of_24_hours_is_remembered(void **state) {
    (void)state;
    sito_filter *f = clock_of(24000, 24);
    assert_true(fact(f, "generations") == 24 && fact(f, "window") == 0);
    for (uint64_t hour = 0; hour < 100; hour++) {
        for (uint64_t i = 0; i < 1000; i++) assert_true(add_no(f, 1000 * hour + i) >= 0);
        for (uint64_t i = hour < 24 ? 0 : 1000 * (hour - 24); i < 1000 * (hour + 1); i++)
            PROMISE(maybe_no(f, i), "hour %llu forgot %llu", (unsigned long long)hour,
                    (unsigned long long)i);
        assert_int_equal(sito_aged_advance(f, 1), SITO_OK);
    }
    sito_free(f);
}

/* Adds do not advance by themselves: ten times as many keys as planned are all remembered. */
static void too_many_keys_are_remembered_too(void **state) {
    (void)state;
    sito_filter *f = clock_of(1000, 10);
    for (uint64_t i = 0; i < 10000; i++) assert_true(add_no(f, i) >= 0);
    for (uint64_t i = 0; i < 10000; i++) assert_true(maybe_no(f, i));
    sito_info info;
    assert_int_equal(sito_look(f, &info), SITO_OK);
    assert_true(info.present_fpr > info.real_fpr);
    sito_free(f);
}

static void everything_is_forgotten_in_the_end(void **state) {
    (void)state;
    for (unsigned steps = 1; steps < 4; steps++) {
        sito_filter *f = clock_of(1000, 10);
        unsigned slices = (unsigned)fact(f, "slices");
        for (uint64_t i = 0; i < 100; i++) assert_true(add_no(f, i) >= 0);
        for (unsigned gone = 0; gone < slices; gone += steps)
            assert_int_equal(sito_aged_advance(f, steps), SITO_OK);
        for (uint64_t i = 0; i < 100; i++) assert_false(maybe_no(f, i));
        sito_info info;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        assert_true(info.fill == 0 && info.present_fpr < 1e-15);
        sito_free(f);
    }
}

static void an_advance_of_any_length_ends(void **state) {
    (void)state;
    sito_filter *f = window_of(1000, 0.01);
    assert_int_equal(add_no(f, 1), 1);
    assert_int_equal(sito_aged_advance(f, 0), SITO_OK);
    assert_true(maybe_no(f, 1));
    assert_int_equal(sito_aged_advance(f, UINT32_MAX), SITO_OK);
    assert_false(maybe_no(f, 1));
    assert_int_equal(sito_check(f, NULL), SITO_OK);
    sito_free(f);
}

static void keys_alone_are_the_window(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_AGED, .nkeys = 5000, .fpr = 0.01, .seed = SEED};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_int_equal(plan.window, 5000);
    sito_filter *f = filled(&plan, 0, 5000);
    uint64_t let_in = 0;
    for (uint64_t i = 0; i < 5000; i++) assert_true(maybe_no(f, i));
    for (uint64_t i = 5000; i < 105000; i++) let_in += maybe_no(f, i);
    assert_true((double)let_in / 100000 <= 1.2 * plan.real_fpr);
    sito_free(f);
}

static void only_windows_advance(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100), *view = NULL;
        image im = image_of(f), was = image_of(f);
        sito_rc expected = is(kind, SITO_AGED) ? SITO_OK : SITO_EUNABLE;
        assert_int_equal(sito_view(im.bytes, im.len, NULL, &view, NULL), SITO_OK);
        PROMISE(sito_aged_advance(view, 1) == SITO_EUNABLE, "%s", kind);
        PROMISE(still_is(view, &was), "%s", kind);
        PROMISE(sito_aged_advance(f, 1) == expected, "%s", kind);
        sito_free(view);
        sito_free(f);
        free(im.bytes);
    }
    assert_int_equal(sito_aged_advance(NULL, 1), SITO_EINVAL);
}

/* ---- sizes ---- */

/* A plan of that size, for so many keys or at that rate; and it stays as it is when solved again. */
static sito_plan plan_of_size(uint64_t bytes, uint64_t nkeys, double fpr) {
    sito_plan plan = {
        .kind = SITO_AGED, .nkeys = nkeys, .fpr = fpr, .max_bytes = bytes, .seed = SEED};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_true(plan.bytes <= bytes);
    sito_plan again = plan;
    assert_int_equal(sito_plan_solve(&again), SITO_OK);
    PROMISE(!memcmp(&again, &plan, sizeof plan), "%llu bytes, another plan",
            (unsigned long long)bytes);
    return plan;
}

/* Whatever it is divided by. */
static void a_larger_ring_is_never_worse(void **state) {
    (void)state;
    double rate = 1;
    uint64_t nkeys = 0;
    for (uint64_t bytes = 310000; bytes < 325000; bytes += 97) {
        sito_plan plan = plan_of_size(bytes, 35883, 0);
        PROMISE(plan.real_fpr <= rate, "%llu bytes err %g, less %g", (unsigned long long)bytes,
                plan.real_fpr, rate);
        rate = plan.real_fpr;
    }
    assert_true(rate < 1e-9);
    for (uint64_t bytes = 770000; bytes < 780000; bytes += 397) {
        sito_plan plan = plan_of_size(bytes, 0, 1e-6);
        PROMISE(plan.nkeys >= nkeys, "%llu bytes for %llu keys, less for %llu",
                (unsigned long long)bytes, (unsigned long long)plan.nkeys,
                (unsigned long long)nkeys);
        nkeys = plan.nkeys;
    }
    assert_true(nkeys > 130000);
}

/* If a ring of that size keeps the rate for one key, it is found: few slices do for few keys. */
static void a_small_ring_is_a_ring(void **state) {
    (void)state;
    static const double rates[] = {0.01, 1e-6, 1e-12};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        unsigned rings = 0;
        for (uint64_t bytes = 16; bytes <= 1600; bytes += 8) {
            sito_plan one = plan_of_size(bytes, 1, 0);
            if (one.real_fpr > rates[r]) continue;
            sito_plan plan = plan_of_size(bytes, 0, rates[r]);
            assert_true(plan.nkeys >= 1 && plan.real_fpr <= rates[r]);
            rings++;
        }
        assert_true(rings > 180);
    }
}

/* Cells to the letter: slices of whole words, and nearly the window that as many bytes have. */
static void given_cells_are_divided(void **state) {
    (void)state;
    static const uint64_t words[] = {16, 100, 128, 938, 1000, 1024, 1155, 4096, 1000000};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        sito_plan plan = {.kind = SITO_AGED, .ncells = 64 * words[i], .fpr = 0.01, .seed = SEED};
        const sito_plan bytes = plan_of_size(8 * words[i], 0, 0.01);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        assert_true(plan.ncells == 64 * words[i] && plan.real_fpr <= 0.01);
        PROMISE((double)plan.window > 0.8 * (double)bytes.window, "%llu words: %llu keys, not %llu",
                (unsigned long long)words[i], (unsigned long long)plan.window,
                (unsigned long long)bytes.window);
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        sito_free(f);
    }
    static const sito_plan few[] = {
        {.ncells = 4288, .fpr = 0.01, .window = 10}, /* 67 slices, of which 10 are no generations */
        {.ncells = 5056, .fpr = 0.1, .window = 100}, /* 79: only with many hashes */
        {.ncells = 5056, .fpr = 0.01},
        {.ncells = 13760, .fpr = 1e-5, .nhashes = 9},
        {.ncells = 64 * 30, .fpr = 0.01, .max_layers = 5},
    };
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        sito_plan plan = few[i];
        plan.kind = SITO_AGED, plan.seed = SEED;
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        assert_true(plan.ncells == few[i].ncells && plan.real_fpr <= few[i].fpr);
        assert_int_equal(plan.ncells % ((plan.nhashes + plan.max_layers) * 64), 0);
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        uint64_t window = plan.window ? plan.window : plan.nkeys;
        for (uint64_t n = 0; n < 3 * window; n++) {
            assert_true(add_no(f, n) >= 0);
            for (uint64_t back = 0; back < window && back <= n; back++)
                PROMISE(maybe_no(f, n - back), "%zu: %llu back is lost", i,
                        (unsigned long long)back);
        }
        sito_free(f);
    }
    sito_plan odd = {.kind = SITO_AGED, .ncells = 1000, .fpr = 0.01};
    assert_int_equal(sito_plan_solve(&odd), SITO_EINVAL);
    odd = (sito_plan){.kind = SITO_AGED, .ncells = 64 * 1009, .fpr = 0.01};
    assert_int_equal(sito_plan_solve(&odd), SITO_EINVAL);
}

/* ---- images ---- */

/* Saved and opened at any moment, it goes on as if nothing had happened. */
static void a_window_slides_on_after_it_was_saved(void **state) {
    (void)state;
    sito_filter *f = window_of(300, 0.01), *g = window_of(300, 0.01);
    for (uint64_t i = 0; i < 2000; i++) {
        assert_int_equal(add_no(f, i), add_no(g, i));
        if (i % 7) continue;
        image im = image_of(g);
        sito_free(g);
        g = opened(&im, NULL);
        free(im.bytes);
    }
    image was = image_of(f);
    assert_true(still_is(g, &was));
    sito_free(f);
    sito_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_keys_are_found),
        cmocka_unit_test(a_million_adds_lose_no_key),
        cmocka_unit_test(a_known_key_is_young_again),
        cmocka_unit_test(a_key_of_twice_the_window_is_a_stranger),
        cmocka_unit_test(keys_fade_out_by_halves),
        cmocka_unit_test(the_rate_is_kept_at_every_moment),
        cmocka_unit_test(a_day_of_24_hours_is_remembered),
        cmocka_unit_test(too_many_keys_are_remembered_too),
        cmocka_unit_test(everything_is_forgotten_in_the_end),
        cmocka_unit_test(an_advance_of_any_length_ends),
        cmocka_unit_test(keys_alone_are_the_window),
        cmocka_unit_test(only_windows_advance),
        cmocka_unit_test(a_larger_ring_is_never_worse),
        cmocka_unit_test(a_small_ring_is_a_ring),
        cmocka_unit_test(given_cells_are_divided),
        cmocka_unit_test(a_window_slides_on_after_it_was_saved),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(a_hundred_million_adds_lose_no_key),
    };
    if (getenv("SITO_LONG")) return cmocka_run_group_tests(long_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
