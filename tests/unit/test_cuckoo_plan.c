/* test_cuckoo_plan.c - wishes for a cuckoo filter: kept to the letter, or refused at once. */
#include "check.h"

#include <math.h>

#include "cuckoo.h"

enum { SEED = 42 };

static bool same_plan(const sito_plan *a, const sito_plan *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static unsigned long long number(uint64_t n) { return n; }

/* ---- keys and rate determine the size ---- */

/* Without a wish for the bucket too: 24 forms, then three layouts. */
static bool wish_no(size_t i, sito_plan *wish) {
    static const char *const layouts[] = {"bucket", "sorted", "window"};
    if (i >= FORMS + 3) return false;
    if (i < FORMS) *wish = wish_for(form_no(i), SEED);
    else *wish = (sito_plan){.kind = SITO_CUCKOO, .layout = layouts[i - FORMS], .seed = SEED};
    return true;
}

#define WISH "%s of %u by %s"
#define OF_WISH(wish) (wish).layout, (wish).bucket, (wish).rule ? (wish).rule : "any"

static void the_promised_rate_is_at_most_the_asked_one(void **state) {
    (void)state;
    sito_plan wish;
    for (size_t i = 0; wish_no(i, &wish); i++)
        for (double n = 1; n < 1e12; n *= 3.7)
            for (double fpr = 0.999; fpr > 1e-7; fpr *= 0.37) {
                sito_plan plan = wish;
                plan.nkeys = (uint64_t)n;
                plan.fpr = fpr;
                sito_rc rc = sito_plan_solve(&plan);
                PROMISE(rc == SITO_OK, WISH ": %.0f keys at %g: %d", OF_WISH(wish), n, fpr, rc);
                PROMISE(plan.real_fpr <= fpr && plan.real_fpr > 0, WISH ": %.0f keys, %g, not %g",
                        OF_WISH(wish), n, plan.real_fpr, fpr);
                PROMISE(plan.nkeys == (uint64_t)n && plan.fpr == fpr, WISH ": the wish changed",
                        OF_WISH(wish));
                PROMISE(plan.ncells >= plan.nkeys, WISH ": fewer slots than keys", OF_WISH(wish));
                PROMISE(plan.tag_bits >= 4 && plan.tag_bits <= 32, WISH ": %u bits", OF_WISH(wish),
                        plan.tag_bits);
                bool sorted = is(wish.layout, "sorted");
                PROMISE(plan.bytes == (plan.ncells * (plan.tag_bits - sorted) + 7) / 8,
                        WISH ": %llu bytes", OF_WISH(wish), number(plan.bytes));
            }
}

static void sizes_grow_with_the_keys(void **state) {
    (void)state;
    sito_plan wish;
    const double rates[] = {0.9, 0.1, 0.01, 0.001, 1e-6};
    for (size_t i = 0; wish_no(i, &wish); i++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            uint64_t last = 0;
            for (double n = 1; n < 1e13; n = n < 600 ? n + 1 : n * 1.09) {
                sito_plan plan = wish;
                plan.nkeys = (uint64_t)n;
                plan.fpr = rates[r];
                assert_int_equal(sito_plan_solve(&plan), SITO_OK);
                PROMISE(plan.bytes >= last, WISH " at %g: %.0f keys, and a smaller filter",
                        OF_WISH(wish), rates[r], n);
                last = plan.bytes;
            }
        }
}

static void sizes_grow_as_the_rate_falls(void **state) {
    (void)state;
    sito_plan wish;
    for (size_t i = 0; wish_no(i, &wish); i++)
        for (uint64_t n = 1; n <= 100000000; n = n * 7 + 1) {
            uint64_t last = 0;
            for (double fpr = 0.99; fpr > 1e-8; fpr *= 0.93) {
                sito_plan plan = wish;
                plan.nkeys = n;
                plan.fpr = fpr;
                assert_int_equal(sito_plan_solve(&plan), SITO_OK);
                PROMISE(plan.bytes >= last, WISH ": %llu keys at %g, smaller than at a higher rate",
                        OF_WISH(wish), number(n), fpr);
                last = plan.bytes;
            }
        }
}

/* Others double at a power of two, and waste up to half. */
static void a_key_costs_the_same_in_every_number(void **state) {
    (void)state;
    const struct {
        const char *layout;
        double most;
    } layouts[] = {{"bucket", 13.5}, {"sorted", 12.35}, {NULL, 13.5}};
    for (size_t l = 0; l < 3; l++)
        for (uint64_t base = 1 << 17; base <= 1 << 26; base <<= 3) {
            double least = 1e9, most = 0;
            for (unsigned step = 0; step <= 64; step++) {
                sito_plan plan = {.kind = SITO_CUCKOO, .fpr = 0.001, .layout = layouts[l].layout};
                plan.nkeys = base + base / 64 * step;
                assert_int_equal(sito_plan_solve(&plan), SITO_OK);
                least = fmin(least, plan.bits_per_key);
                most = fmax(most, plan.bits_per_key);
            }
            PROMISE(most <= least * 1.01, "layout %zu from %llu keys on: %.3f to %.3f bits", l,
                    number(base), least, most);
            PROMISE(most <= layouts[l].most, "layout %zu: %.3f bits a key", l, most);
        }
    for (size_t l = 0; l < 3; l++) {
        sito_plan plan = {
            .kind = SITO_CUCKOO, .nkeys = 100000, .fpr = 0.001, .layout = layouts[l].layout};
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        PROMISE(plan.bits_per_key <= layouts[l].most, "layout %zu: %.3f bits a key at 1e5", l,
                plan.bits_per_key);
    }
}

/* ---- size given ---- */

static void bytes_alone_mean_one_percent_and_as_many_keys_as_fit(void **state) {
    (void)state;
    sito_plan wish;
    for (size_t i = 0; wish_no(i, &wish); i++)
        for (uint64_t bytes = 64; bytes < UINT64_C(1) << 44; bytes = bytes * 5 + 3)
            for (double fpr = 0; fpr < 0.06; fpr += 0.05) {
                sito_plan plan = wish, more = wish;
                plan.max_bytes = bytes;
                plan.fpr = fpr;
                sito_rc rc = sito_plan_solve(&plan);
                PROMISE(rc == SITO_OK, WISH ": %llu bytes: %d", OF_WISH(wish), number(bytes), rc);
                PROMISE(plan.bytes <= bytes && plan.nkeys > 0, WISH ": %llu of %llu bytes",
                        OF_WISH(wish), number(plan.bytes), number(bytes));
                PROMISE(plan.fpr == (fpr > 0 ? fpr : 0.01) && plan.real_fpr <= plan.fpr,
                        WISH ": rate %g", OF_WISH(wish), plan.fpr);
                more.nkeys = plan.nkeys + 1;
                more.fpr = plan.fpr;
                rc = sito_plan_solve(&more);
                PROMISE(rc == SITO_ELIMIT || more.bytes > bytes,
                        WISH ": %llu bytes hold more than %llu", OF_WISH(wish), number(bytes),
                        number(plan.nkeys));
            }
}

static void keys_and_bytes_determine_the_rate(void **state) {
    (void)state;
    sito_plan wish;
    for (size_t i = 0; wish_no(i, &wish); i++)
        for (uint64_t n = 20; n < 1000000000; n = n * 3 + 1)
            for (uint64_t bits = 64; bits <= 400; bits += 24) {
                sito_plan plan = wish;
                plan.nkeys = n;
                plan.max_bytes = n * bits / 64 + 40;
                sito_rc rc = sito_plan_solve(&plan);
                PROMISE(rc == SITO_OK || rc == SITO_ELIMIT, WISH ": %d", OF_WISH(wish), rc);
                if (rc != SITO_OK) continue;
                PROMISE(plan.bytes <= plan.max_bytes && plan.nkeys == n, WISH ": %llu bytes",
                        OF_WISH(wish), number(plan.bytes));
                for (unsigned b = 2; b <= 4 && !wish.bucket && is(wish.layout, "window"); b += 2) {
                    sito_plan fixed = wish;
                    fixed.nkeys = n;
                    fixed.max_bytes = plan.max_bytes;
                    fixed.bucket = b;
                    if (sito_plan_solve(&fixed) == SITO_OK)
                        PROMISE(plan.real_fpr <= fixed.real_fpr * (1 + 1e-9),
                                "%llu keys in %llu bytes: %g, but windows of %u have %g", number(n),
                                number(fixed.max_bytes), plan.real_fpr, b, fixed.real_fpr);
                }
            }
}

static void windows_of_the_better_size_are_chosen(void **state) {
    (void)state;
    for (uint64_t bytes = 64; bytes < UINT64_C(1) << 40; bytes = bytes * 3 + 1)
        for (double fpr = 0.3; fpr > 1e-7; fpr /= 3)
            for (unsigned b = 2; b <= 4; b += 2) {
                sito_plan any = {.kind = SITO_CUCKOO,
                                 .layout = "window",
                                 .max_bytes = bytes,
                                 .fpr = fpr},
                          fixed = any;
                fixed.bucket = b;
                if (sito_plan_solve(&fixed) != SITO_OK) continue;
                assert_int_equal(sito_plan_solve(&any), SITO_OK);
                PROMISE(any.nkeys >= fixed.nkeys,
                        "%llu bytes at %g: %llu keys, but windows of %u hold %llu", number(bytes),
                        fpr, number(any.nkeys), b, number(fixed.nkeys));
            }
}

/* ---- to the letter ---- */

static double fact_of(const sito_filter *f, const char *name) {
    double v = -1;
    assert_int_equal(sito_fact(f, name, &v), SITO_OK);
    return v;
}

static void wishes_are_kept_to_the_letter(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    for (unsigned bits = is(form.layout, "sorted") ? 5 : 4; bits <= 32; bits++)
        for (uint64_t slots = 16; slots < 3000; slots = slots * 3 + 8) {
            sito_plan wish = table_of(form, slots, bits, SEED);
            wish.max_moves = bits * 7;
            wish.nkeys = slots / 4;
            sito_plan plan = wish;
            assert_int_equal(sito_plan_solve(&plan), SITO_OK);
            PROMISE(plan.ncells == wish.ncells && plan.tag_bits == bits &&
                        plan.bucket == form.bucket && plan.max_moves == bits * 7 &&
                        plan.nkeys == slots / 4 && plan.seed == SEED && is(plan.rule, form.rule) &&
                        is(plan.layout, form.layout),
                    FORM ": %u bits in %llu slots", OF_FORM(form), bits, number(slots));
            sito_filter *f = new_filter(&plan);
            assert_true(fact_of(f, "slots") == (double)wish.ncells);
            assert_true(fact_of(f, "tag_bits") == bits);
            assert_true(fact_of(f, "bucket") == form.bucket);
            assert_true(fact_of(f, "max_moves") == bits * 7);
            assert_true(fact_of(f, "moves") == 0 && fact_of(f, "longest") == 0);
            assert_true(fact_of(f, "load") == 0);
            sito_free(f);
        }
}

static void the_defaults_are_a_path_in_buckets_of_four(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_CUCKOO, .nkeys = 1000};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_true(is(plan.layout, "bucket") && is(plan.rule, "path"));
    assert_true(plan.bucket == 4 && plan.max_moves == 500 && plan.fpr == 0.01);
    sito_plan sorted = {.kind = SITO_CUCKOO, .nkeys = 1000, .layout = "sorted"};
    assert_int_equal(sito_plan_solve(&sorted), SITO_OK);
    assert_int_equal(sorted.bucket, 4);
}

/* Two of ncells, nkeys and rate. */
static void slots_and_another_determine_the_third(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    for (uint64_t slots = 64; slots < UINT64_C(1) << 40; slots = slots / 8 * 24) {
        sito_plan by_rate = table_of(form, slots, 0, SEED), by_keys = by_rate, alone = by_rate;
        by_rate.nkeys = 0;
        by_rate.fpr = 0.0003;
        PROMISE(sito_plan_solve(&by_rate) == SITO_OK, FORM, OF_FORM(form));
        PROMISE(by_rate.real_fpr <= 0.0003 && by_rate.nkeys <= by_rate.ncells,
                FORM ": %llu keys at %g", OF_FORM(form), number(by_rate.nkeys), by_rate.real_fpr);
        PROMISE(form.bucket < 4 || slots < 300 || by_rate.nkeys * 3 >= 2 * by_rate.ncells,
                FORM ": only %llu keys in %llu slots", OF_FORM(form), number(by_rate.nkeys),
                number(by_rate.ncells));
        by_keys.nkeys = slots / 3;
        by_keys.tag_bits = 9;
        PROMISE(sito_plan_solve(&by_keys) == SITO_OK, FORM, OF_FORM(form));
        double about = (form.bucket * 2.0 / 3) / 511;
        PROMISE(by_keys.real_fpr > 0.8 * about && by_keys.real_fpr < 1.2 * about,
                FORM ": %g, not %g", OF_FORM(form), by_keys.real_fpr, about);
        alone.nkeys = 0;
        PROMISE(sito_plan_solve(&alone) == SITO_OK && alone.fpr == 0.01, FORM, OF_FORM(form));
    }
}

static void what_cannot_agree_is_refused(void **state) {
    (void)state;
    sito_plan tight = {.kind = SITO_CUCKOO, .nkeys = 1000, .ncells = 996};
    assert_int_equal(sito_plan_solve(&tight), SITO_ELIMIT);
    sito_plan narrow = {
        .kind = SITO_CUCKOO, .nkeys = 900, .ncells = 1000, .tag_bits = 8, .fpr = 0.001};
    assert_int_equal(sito_plan_solve(&narrow), SITO_ELIMIT);
    sito_plan small = {.kind = SITO_CUCKOO, .nkeys = 1000, .fpr = 0.001, .max_bytes = 1000};
    assert_int_equal(sito_plan_solve(&small), SITO_ELIMIT);
    sito_plan wide = {.kind = SITO_CUCKOO, .nkeys = 1000, .ncells = 1200, .fpr = 1e-10};
    assert_int_equal(sito_plan_solve(&wide), SITO_ELIMIT);
}

/* ---- nonsense ---- */

static void refused(sito_plan wish, sito_rc expected, int line) {
    sito_plan plan = wish;
    sito_filter *f = NULL;
    sito_rc rc = sito_plan_solve(&plan);
    PROMISE(rc == expected, "line %d: %d", line, rc);
    PROMISE(same_plan(&plan, &wish), "line %d: a refused plan changed", line);
    PROMISE(sito_new(&wish, NULL, &f) == rc && !f, "line %d: made all the same", line);
}

#define REFUSED(rc, ...)                                                                           \
    refused((sito_plan){.kind = SITO_CUCKOO, .seed = SEED, __VA_ARGS__}, rc, __LINE__)

static void nonsense_is_refused(void **state) {
    (void)state;
    const unsigned buckets[] = {3, 5, 6, 7, 9, 16, 1u << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof buckets / sizeof *buckets; i++) {
        REFUSED(SITO_EINVAL, .nkeys = 100, .bucket = buckets[i]);
        REFUSED(SITO_EINVAL, .nkeys = 100, .bucket = buckets[i], .layout = "window");
        REFUSED(SITO_EINVAL, .nkeys = 100, .bucket = buckets[i], .layout = "sorted");
    }
    REFUSED(SITO_EINVAL, .nkeys = 100, .bucket = 8, .layout = "sorted");
    REFUSED(SITO_EINVAL, .nkeys = 100, .bucket = 2, .layout = "sorted");
    REFUSED(SITO_EINVAL, .nkeys = 100, .bucket = 1, .layout = "sorted");
    REFUSED(SITO_EINVAL, .nkeys = 100, .bucket = 1, .layout = "window");
    const unsigned widths[] = {1, 2, 3, 33, 64, 1u << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        REFUSED(SITO_EINVAL, .nkeys = 100, .tag_bits = widths[i]);
        REFUSED(SITO_EINVAL, .nkeys = 100, .tag_bits = widths[i], .layout = "sorted");
        REFUSED(SITO_EINVAL, .nkeys = 100, .tag_bits = widths[i], .layout = "window");
        REFUSED(SITO_EINVAL, .ncells = 160, .tag_bits = widths[i]);
        REFUSED(SITO_EINVAL, .max_bytes = 160, .tag_bits = widths[i]);
    }
    REFUSED(SITO_EINVAL, .nkeys = 100, .tag_bits = 4, .layout = "sorted");
    REFUSED(SITO_EINVAL, .nkeys = 100, .max_moves = 65536);
    REFUSED(SITO_EINVAL, .nkeys = 100, .max_moves = 70000);
    REFUSED(SITO_EINVAL, .nkeys = 100, .max_moves = UINT32_MAX);
    const char *const names[] = {"", "paths", "Path", "path ", "bucket", "no such rule"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        REFUSED(SITO_EINVAL, .nkeys = 100, .rule = names[i]);
        if (i != 4) REFUSED(SITO_EINVAL, .nkeys = 100, .layout = names[i]);
    }
    REFUSED(SITO_EINVAL, .nkeys = 100, .layout = "random");
    const double rates[] = {NAN, 1, 1.5, -0.01, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        REFUSED(SITO_EINVAL, .nkeys = 100, .fpr = rates[i]);
    const uint64_t slots[] = {1, 2, 3, 5, 1001, 1002, 1003, (UINT64_C(1) << 40) + 1};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        REFUSED(SITO_EINVAL, .ncells = slots[i], .tag_bits = 12);
    REFUSED(SITO_EINVAL, .ncells = 7, .tag_bits = 12, .layout = "window", .bucket = 4);
    REFUSED(SITO_EINVAL, .ncells = 3, .tag_bits = 12, .layout = "window");
    REFUSED(SITO_EINVAL, .fpr = 0.01);
    REFUSED(SITO_EINVAL, .needs = 0);
}

static void too_large_is_refused(void **state) {
    (void)state;
    const uint64_t sizes[] = {UINT64_C(1) << 52, UINT64_C(1) << 62, UINT64_C(1) << 63,
                              UINT64_MAX - 63, UINT64_MAX};
    const char *const layouts[] = {"bucket", "sorted", "window"};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            REFUSED(SITO_ELIMIT, .nkeys = sizes[i], .layout = layouts[l]);
            REFUSED(SITO_ELIMIT, .nkeys = sizes[i], .max_bytes = 1000, .layout = layouts[l]);
            REFUSED(SITO_ELIMIT, .ncells = sizes[i] / 8 * 8, .tag_bits = 12, .layout = layouts[l]);
            REFUSED(SITO_ELIMIT, .nkeys = sizes[i], .ncells = 1000, .layout = layouts[l]);
            REFUSED(SITO_ELIMIT, .nkeys = sizes[i], .tag_bits = 32, .layout = layouts[l]);
        }
    const double rates[] = {1e-18, 1e-300, 4e-320};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            REFUSED(SITO_ELIMIT, .nkeys = 100, .fpr = rates[i], .layout = layouts[l]);
            REFUSED(SITO_ELIMIT, .ncells = 1600, .fpr = rates[i], .layout = layouts[l]);
        }
    for (uint64_t bytes = 1; bytes < 4; bytes++) {
        REFUSED(SITO_ELIMIT, .max_bytes = bytes);
        REFUSED(SITO_ELIMIT, .max_bytes = bytes, .nkeys = 1);
        REFUSED(SITO_ELIMIT, .max_bytes = bytes, .layout = "sorted", .fpr = 0.5);
        REFUSED(SITO_ELIMIT, .max_bytes = bytes, .layout = "window", .tag_bits = 4, .bucket = 4);
    }
}

/* Every value of a grid in every two fields: refused at once, or solved for good. */
static void absurd_pairs_are_answered(void **state) {
    (void)state;
    static const uint64_t values[] = {0,          1,          2,          4,
                                      7,          8,          9,          32,
                                      65535,      65536,      UINT32_MAX, UINT64_C(1) << 32,
                                      1ull << 49, 1ull << 50, 1ull << 63, UINT64_MAX};
    enum { VALUES = sizeof values / sizeof *values, FIELDS = 6 };
    sito_plan wish;
    for (size_t i = 0; wish_no(i, &wish); i++)
        for (unsigned a = 0; a < FIELDS; a++)
            for (unsigned b = 0; b < a; b++)
                for (unsigned v = 0; v < VALUES * VALUES; v++) {
                    sito_plan plan = wish;
                    if (v % 3 == 0) plan.fpr = v % 2 ? 0.001 : 1e-9;
                    const unsigned fields[] = {a, b};
                    const uint64_t set[] = {values[v % VALUES], values[v / VALUES]};
                    for (unsigned k = 0; k < 2; k++) switch (fields[k]) {
                        case 0: plan.nkeys = set[k]; break;
                        case 1: plan.max_bytes = set[k]; break;
                        case 2: plan.ncells = set[k]; break;
                        case 3: plan.tag_bits = (unsigned)set[k]; break;
                        case 4: plan.max_moves = (unsigned)set[k]; break;
                        default: plan.bucket = (unsigned)set[k]; break;
                        }
                    sito_plan was = plan;
                    sito_rc rc = sito_plan_solve(&plan), again;
                    if (rc != SITO_OK) {
                        PROMISE((rc == SITO_EINVAL || rc == SITO_ELIMIT) && same_plan(&plan, &was),
                                WISH ", %u and %u, %u: %d", OF_WISH(wish), a, b, v, rc);
                        continue;
                    }
                    sito_plan twice = plan;
                    again = sito_plan_solve(&twice);
                    PROMISE(again == SITO_OK && same_plan(&plan, &twice),
                            WISH ", fields %u and %u, %u: solving twice differs", OF_WISH(wish), a,
                            b, v);
                    PROMISE(plan.real_fpr > 0 && plan.real_fpr < 1 && plan.nkeys <= plan.ncells &&
                                (!was.max_bytes || plan.bytes <= was.max_bytes),
                            WISH ", fields %u and %u, %u: %g", OF_WISH(wish), a, b, v,
                            plan.real_fpr);
                }
}

/* ---- like another ---- */

static void a_plan_like_a_filter_makes_its_like(void **state) {
    (void)state;
    sito_plan wish;
    for (size_t i = 0; wish_no(i, &wish); i++)
        for (unsigned how = 0; how < 5; how++) {
            sito_plan plan = wish, like;
            if (how == 0) plan.nkeys = 777;
            if (how == 1) plan.nkeys = 5, plan.fpr = 1e-5, plan.max_moves = 3;
            if (how == 2) plan.max_bytes = 5000;
            if (how == 3) plan.ncells = 1600, plan.tag_bits = 11;
            if (how == 4) plan.nkeys = 3000, plan.max_bytes = 9000;
            if (wish.bucket == 1 && how == 4) plan.max_bytes = 90000;
            sito_filter *f = new_filter(&plan), *twin = NULL;
            image empty = image_of(f);
            for (uint64_t k = 0; k < 20; k++) (void)add_no(f, k);
            PROMISE(sito_plan_like(f, &like) == SITO_OK, WISH ", %u: no plan like it",
                    OF_WISH(wish), how);
            sito_plan again = like;
            PROMISE(sito_plan_solve(&again) == SITO_OK && same_plan(&like, &again), WISH ", %u",
                    OF_WISH(wish), how);
            assert_int_equal(sito_new(&like, NULL, &twin), SITO_OK);
            PROMISE(still_is(twin, &empty), WISH ", %u: another filter", OF_WISH(wish), how);
            sito_free(twin);
            sito_free(f);
        }
}

int main(void) {
    end_within(200);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_promised_rate_is_at_most_the_asked_one),
        cmocka_unit_test(sizes_grow_with_the_keys),
        cmocka_unit_test(sizes_grow_as_the_rate_falls),
        cmocka_unit_test(a_key_costs_the_same_in_every_number),
        cmocka_unit_test(bytes_alone_mean_one_percent_and_as_many_keys_as_fit),
        cmocka_unit_test(keys_and_bytes_determine_the_rate),
        cmocka_unit_test(windows_of_the_better_size_are_chosen),
        cmocka_unit_test(wishes_are_kept_to_the_letter),
        cmocka_unit_test(the_defaults_are_a_path_in_buckets_of_four),
        cmocka_unit_test(slots_and_another_determine_the_third),
        cmocka_unit_test(what_cannot_agree_is_refused),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(too_large_is_refused),
        cmocka_unit_test(absurd_pairs_are_answered),
        cmocka_unit_test(a_plan_like_a_filter_makes_its_like),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
