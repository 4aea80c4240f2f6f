/*
 * Ribbon: every set can be built, every key is found, and the space is what was promised.
 *
 * SITO_LONG=1 in the environment takes every number of keys to 20,000 with 20 seeds each, and random
 * numbers to 10^7.
 */
#include "check.h"

#include <math.h>

#include "memory.h"

enum { SEED = 42, MOST = 20000 };

static bool at_length(void) { return getenv("SITO_LONG") != NULL; }

static sito_filter *built_of(const uint64_t *hashes, size_t n, uint64_t nkeys, double fpr,
                             unsigned threads) {
    sito_plan plan = {
        .kind = SITO_RIBBON, .nkeys = nkeys, .fpr = fpr, .seed = SEED, .threads = threads};
    sito_filter *f = NULL;
    sito_rc rc = sito_build(&plan, NULL, hashes, n, &f);
    PROMISE(rc == SITO_OK, "%zu hashes for %llu keys at %g: %d", n, (unsigned long long)nkeys, fpr,
            rc);
    return f;
}

static void all_are_found(const sito_filter *f, const uint64_t *hashes, size_t n) {
    uint8_t *answers = malloc(n + 1);
    assert_non_null(answers);
    sito_maybe_many(f, hashes, n, answers);
    for (size_t i = 0; i < n; i++) PROMISE(answers[i] == 1, "hash %zu of %zu is lost", i, n);
    for (size_t i = 0; i < n; i += n / 1000 + 1)
        PROMISE(sito_maybe_hash(f, hashes[i]), "hash %zu of %zu is lost when asked alone", i, n);
    free(answers);
}

static uint64_t *random_hashes(size_t n, uint64_t from) {
    uint64_t *hashes = malloc((n + 1) * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < n; i++) hashes[i] = mixed(from + i);
    return hashes;
}

static void no_number_of_keys_fails(void **state) {
    (void)state;
    unsigned seeds = at_length() ? 20 : 1;
    for (size_t n = 0; n <= MOST; n += at_length() || n < 300 ? 1 : 1 + n / 97)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            uint64_t *hashes = random_hashes(n, seed << 32 | n << 8);
            sito_filter *f = built_of(hashes, n, n ? n : 1, n % 3 ? 0.01 : 0.0625, 1);
            all_are_found(f, hashes, n);
            assert_int_equal(nkeys_of(f), n);
            sito_free(f);
            free(hashes);
        }
}

/* Where one more key makes another layer, or another bucket. */
static void edges_of_the_layers_hold(void **state) {
    (void)state;
    static const size_t edges[] = {1024, 1025, 1106, 1107, 13800, 14745, 14746, 150000, 199999};
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (uint64_t seed = 0; seed < (edges[e] < 20000 ? 40u : 4u); seed++) {
            uint64_t *hashes = random_hashes(edges[e], seed << 40);
            sito_filter *f = built_of(hashes, edges[e], edges[e], 0.003, 1);
            all_are_found(f, hashes, edges[e]);
            sito_free(f);
            free(hashes);
        }
}

static void large_sets_of_any_size_are_built(void **state) {
    (void)state;
    unsigned sets = at_length() ? 20 : 2;
    for (uint64_t i = 0; i < sets; i++) {
        size_t most = at_length() ? 10000000 : 400000, n = (size_t)(mixed(i) % most);
        uint64_t *hashes = random_hashes(n, i << 40);
        sito_filter *f = built_of(hashes, n, n, 0.02, 2);
        all_are_found(f, hashes, n);
        sito_free(f);
        free(hashes);
    }
}

static void repeats_are_one_key(void **state) {
    (void)state;
    enum { N = 60000 };
    static const size_t distinct[] = {1, 2, 10, 600, 30000, 59999, N};
    for (size_t d = 0; d < sizeof distinct / sizeof *distinct; d++)
        for (int planned = 0; planned < 2; planned++) {
            uint64_t *hashes = random_hashes(N, 7);
            for (size_t i = 0; i < N; i++) hashes[i] = mixed(i % distinct[d]);
            sito_filter *f = built_of(hashes, N, planned ? N : distinct[d], 0.01, 1);
            all_are_found(f, hashes, N);
            assert_int_equal(nkeys_of(f), distinct[d]);
            sito_free(f);
            free(hashes);
        }
}

static void numbers_in_a_row_are_as_good_as_any(void **state) {
    (void)state;
    enum { N = 50000 };
    static const uint64_t strides[] = {1, 2, 3, 64, 128, 65536, 1ull << 32, 1ull << 48, ~0ull / N};
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        uint64_t *hashes = random_hashes(N, 0);
        for (uint64_t i = 0; i < N; i++) hashes[i] = i * strides[s];
        sito_filter *f = built_of(hashes, N, N, 0.01, 1);
        all_are_found(f, hashes, N);
        uint64_t strangers = 0, yes = 0;
        for (uint64_t i = 0; i < 100000; i++, strangers++)
            yes += sito_maybe_hash(f, (N + i) * strides[s] + (strides[s] > 1));
        PROMISE(1000 * yes < 13 * strangers, "stride %llu: %llu of %llu strangers",
                (unsigned long long)strides[s], (unsigned long long)yes,
                (unsigned long long)strangers);
        sito_free(f);
        free(hashes);
    }
}

static void more_keys_than_planned_are_refused(void **state) {
    (void)state;
    uint64_t *hashes = random_hashes(50000, 1);
    static const uint64_t planned[] = {1, 100, 1000, 2000, 20000};
    for (size_t p = 0; p < sizeof planned / sizeof *planned; p++) {
        sito_plan plan = {.kind = SITO_RIBBON, .nkeys = planned[p], .fpr = 0.01, .seed = SEED};
        sito_filter *f = NULL;
        assert_int_equal(sito_build(&plan, NULL, hashes, 50000, &f), SITO_EFULL);
        assert_null(f);
    }
    free(hashes);
}

/* At a million keys and more: 0.03 bits above the limit at powers of two, 0.12 between. */
static void space_is_near_the_limit(void **state) {
    (void)state;
    for (double n = 1e6; n < 2e9; n *= 1.7)
        for (double bits = 3; bits <= 20; bits += 0.125) {
            sito_plan plan = {
                .kind = SITO_RIBBON, .nkeys = (uint64_t)n, .fpr = exp2(-bits), .seed = SEED};
            assert_int_equal(sito_plan_solve(&plan), SITO_OK);
            double above = plan.bits_per_key - bits;
            PROMISE(above <= (bits == floor(bits) ? 0.03 : 0.12), "%.0f keys at 2^-%g: %g above", n,
                    bits, above);
        }
    static const struct {
        uint64_t n;
        double most;
    } small[] = {{100, 1.3}, {1000, 1.1}, {10000, 1.03}, {100000, 1.006}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        sito_plan plan = {.kind = SITO_RIBBON, .nkeys = small[i].n, .fpr = 0x1p-10, .seed = SEED};
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        PROMISE(plan.bits_per_key <= 10 * small[i].most, "%llu keys: %g bits",
                (unsigned long long)small[i].n, plan.bits_per_key);
    }
}

static sito_plan solved(uint64_t nkeys, double fpr) {
    sito_plan plan = {.kind = SITO_RIBBON, .nkeys = nkeys, .fpr = fpr, .seed = SEED};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    PROMISE(plan.real_fpr <= fpr, "%llu keys at %g: %g", (unsigned long long)nkeys, fpr,
            plan.real_fpr);
    return plan;
}

/* With a key more there may be a bucket more, which is cheaper than rows of the last layer. */
static void one_more_key_is_never_smaller(void **state) {
    (void)state;
    static const double rates[] = {0.49, 0.3, 0.26, 0.1, 0.01, 0.004, 1e-5};
    static const uint64_t from[] = {1, 175000, 2383000};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
            uint64_t last = 0;
            for (uint64_t n = from[i]; n < from[i] + MOST; n++) {
                uint64_t bytes = solved(n, rates[r]).bytes;
                PROMISE(bytes >= last, "at %g %llu keys need %llu bytes, one less %llu", rates[r],
                        (unsigned long long)n, (unsigned long long)bytes, (unsigned long long)last);
                last = bytes;
            }
        }
}

/* Where some rows are deeper they are pieces of their own: at times it is less if all are. */
static void a_better_rate_is_never_smaller(void **state) {
    (void)state;
    static const uint64_t numbers[] = {1, 500, 1000, 1100, 2000, 5000, 9300, 50000, 1000000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t last = 0;
        for (double fpr = 0.6; fpr > 1e-4; fpr *= 0.9995) {
            uint64_t bytes = solved(numbers[i], fpr).bytes;
            PROMISE(bytes >= last, "%llu keys at %g: %llu bytes, and %llu at more",
                    (unsigned long long)numbers[i], fpr, (unsigned long long)bytes,
                    (unsigned long long)last);
            last = bytes;
        }
    }
}

/* Slots for more keys than were planned for, chosen since they need less. */
static void slots_to_spare_lose_no_key(void **state) {
    (void)state;
    static const double rates[] = {0.49, 0.3, 0.26, 0.1, 0.03};
    unsigned spared = 0;
    for (size_t n = 500; n < 13000; n += 1 + n / 60)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            sito_plan plan = solved(n, rates[r]);
            assert_true(plan.ncells >= n);
            if (plan.ncells == n) continue;
            spared++;
            uint64_t *hashes = random_hashes(n, n << 8);
            sito_filter *f = built_of(hashes, n, n, rates[r], 1);
            all_are_found(f, hashes, n);
            assert_int_equal(nkeys_of(f), n);
            sito_free(f);
            free(hashes);
        }
    PROMISE(spared > 100, "only %u had slots to spare", spared);
}

/* A share of the rows is one bit deeper: the rate between is met, not the next power. */
static void rates_between_the_powers_are_met(void **state) {
    (void)state;
    enum { N = 200000, STRANGERS = 2000000 };
    uint64_t *hashes = random_hashes(N, 0);
    static const double rates[] = {0.3, 0.11, 0.01, 0.0009};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        sito_filter *f = built_of(hashes, N, N, rates[r], 1);
        sito_info info;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        PROMISE(info.real_fpr <= rates[r] && info.real_fpr > 0.999 * rates[r], "%g: %g promised",
                rates[r], info.real_fpr);
        double yes = 0, expected = info.real_fpr * STRANGERS;
        for (uint64_t i = 0; i < STRANGERS; i++) yes += sito_maybe_hash(f, mixed(N + i));
        PROMISE(fabs(yes - expected) < 5 * sqrt(expected) + 0.05 * expected, "%g: %g of %g",
                rates[r], yes, expected);
        sito_free(f);
    }
    free(hashes);
}

/* A share of 49 columns beside the most bits there are. */
static void the_best_rate_loses_no_key(void **state) {
    (void)state;
    enum { N = 10000 };
    uint64_t *hashes = random_hashes(N, 0);
    sito_filter *f = built_of(hashes, N, N, 0.75 * 0x1p-48, 1);
    for (size_t i = 0; i < N; i++) PROMISE(sito_maybe_hash(f, hashes[i]), "key %zu is lost", i);
    sito_free(f);
    free(hashes);
}

/* What a rate takes has that rate, or one a thousandth higher where sizes have a step. */
static void a_size_has_the_rate_that_takes_it(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 10000000; n += 1 + n / 7)
        for (double fpr = 0.9; fpr > 1e-9; fpr *= 0.77) {
            sito_plan by_rate = solved(n, fpr), by_size = {.kind = SITO_RIBBON, .nkeys = n};
            by_size.max_bytes = by_rate.bytes, by_size.seed = SEED;
            assert_int_equal(sito_plan_solve(&by_size), SITO_OK);
            PROMISE(by_size.bytes <= by_rate.bytes && by_size.real_fpr <= 1.001 * by_rate.real_fpr,
                    "%llu keys in %llu bytes: %g in place of %g", (unsigned long long)n,
                    (unsigned long long)by_rate.bytes, by_size.real_fpr, by_rate.real_fpr);
        }
}

/* Also where the hashes themselves err nearly as often, or more bits than there are would fit. */
static void no_size_is_too_large(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 10000000; n += 1 + n / 5)
        for (uint64_t bytes = 300 + n / 4; bytes < 400 + 20 * n; bytes += 1 + bytes / 9)
            for (unsigned by_cells = 0; by_cells < 2; by_cells++) {
                sito_plan plan = {.kind = SITO_RIBBON, .max_bytes = bytes, .seed = SEED}, again;
                *(by_cells ? &plan.ncells : &plan.nkeys) = n;
                PROMISE(sito_plan_solve(&plan) == SITO_OK && plan.bytes <= bytes,
                        "%llu keys do not go into %llu bytes", (unsigned long long)n,
                        (unsigned long long)bytes);
                again = plan;
                assert_int_equal(sito_plan_solve(&again), SITO_OK);
                assert_true(again.bytes == plan.bytes && again.ncells == plan.ncells &&
                            again.tag_bits == plan.tag_bits && again.real_fpr == plan.real_fpr);
            }
}

static void wishes_of_bits_are_taken_to_the_letter(void **state) {
    (void)state;
    for (unsigned bits = 1; bits <= 48; bits++) {
        sito_plan plan = {.kind = SITO_RIBBON, .nkeys = 5000, .tag_bits = bits, .seed = SEED};
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        assert_int_equal(plan.tag_bits, bits);
        PROMISE(plan.real_fpr <= ldexp(1, -(int)bits) * 1.5, "%u bits: %g", bits, plan.real_fpr);
    }
    sito_plan plan = {.kind = SITO_RIBBON, .nkeys = 5000, .tag_bits = 49, .seed = SEED};
    assert_int_equal(sito_plan_solve(&plan), SITO_EINVAL);
    for (unsigned bits = 1; bits <= 10; bits++) { /* all rows one deeper are of another plan */
        plan.tag_bits = bits, plan.fpr = ldexp(0.5, -(int)bits);
        assert_int_equal(sito_plan_solve(&plan), SITO_ELIMIT);
    }
    plan.tag_bits = 4, plan.fpr = 0.01;
    assert_int_equal(sito_plan_solve(&plan), SITO_ELIMIT);
}

static void facts_tell_of_layers_and_bumped_keys(void **state) {
    (void)state;
    enum { N = 300000 };
    uint64_t *hashes = random_hashes(N, 0);
    sito_filter *f = built_of(hashes, N, N, 0.01, 1);
    double layers, bumped, width, bits;
    assert_int_equal(sito_fact(f, "layers", &layers), SITO_OK);
    assert_int_equal(sito_fact(f, "bumped", &bumped), SITO_OK);
    assert_int_equal(sito_fact(f, "width", &width), SITO_OK);
    assert_int_equal(sito_fact(f, "tag_bits", &bits), SITO_OK);
    assert_true(layers == 4 && width == 64 && bits == 6);
    PROMISE(bumped > 0.06 * N && bumped < 0.09 * N, "%g bumped", bumped);
    sito_free(f);
    free(hashes);
}

static void it_only_builds(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_RIBBON, .nkeys = 10, .seed = SEED};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_EUNABLE);
    uint64_t hash = mixed(1);
    f = built_of(&hash, 1, 10, 0.01, 1);
    assert_int_equal(sito_add_hash(f, mixed(2)), SITO_EUNABLE);
    assert_int_equal(sito_remove_hash(f, hash), SITO_EUNABLE);
    sito_free(f);
}

/* Deep and flat rows, several pieces and layers: the same bytes on any number of threads. */
/* Many copies of few keys take no more room than as many keys do. */
static void copies_need_no_more_memory(void **state) {
    (void)state;
    enum { N = 500000 };
    static const uint64_t keys[] = {1, 30, 1500, 2500, 20000};
    uint64_t *hashes = random_hashes(N, 0);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        for (size_t i = 0; i < N; i++) hashes[i] = mixed(i % keys[k]);
        books b;
        sito_memory mem = memory_with(&b);
        sito_plan plan = {.kind = SITO_RIBBON, .nkeys = keys[k], .fpr = 0.01, .seed = SEED};
        sito_filter *f = NULL;
        assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_OK);
        PROMISE(b.most_bytes < 18 * N + (17u << 20), "%llu keys: %zu bytes",
                (unsigned long long)keys[k], b.most_bytes);
        sito_free(f);
    }
    free(hashes);
}

static void threads_make_the_same_bytes(void **state) {
    (void)state;
    const size_t n = at_length() ? 17000000 : 2500000; /* more than 2^24 */
    uint64_t *hashes = random_hashes(n, 0);
    sito_filter *one = built_of(hashes, n, n, 0.17, 1);
    image was = image_of(one);
    sito_free(one);
    for (unsigned threads = 2; threads <= 5; threads += 3) {
        sito_filter *f = built_of(hashes, n, n, 0.17, threads);
        image now = image_of(f);
        PROMISE(same_image(&now, &was), "%u threads", threads);
        free(now.bytes);
        sito_free(f);
    }
    free(was.bytes);
    free(hashes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_of_keys_fails),
        cmocka_unit_test(edges_of_the_layers_hold),
        cmocka_unit_test(large_sets_of_any_size_are_built),
        cmocka_unit_test(repeats_are_one_key),
        cmocka_unit_test(numbers_in_a_row_are_as_good_as_any),
        cmocka_unit_test(more_keys_than_planned_are_refused),
        cmocka_unit_test(space_is_near_the_limit),
        cmocka_unit_test(one_more_key_is_never_smaller),
        cmocka_unit_test(a_better_rate_is_never_smaller),
        cmocka_unit_test(slots_to_spare_lose_no_key),
        cmocka_unit_test(rates_between_the_powers_are_met),
        cmocka_unit_test(the_best_rate_loses_no_key),
        cmocka_unit_test(a_size_has_the_rate_that_takes_it),
        cmocka_unit_test(no_size_is_too_large),
        cmocka_unit_test(wishes_of_bits_are_taken_to_the_letter),
        cmocka_unit_test(facts_tell_of_layers_and_bumped_keys),
        cmocka_unit_test(it_only_builds),
        cmocka_unit_test(copies_need_no_more_memory),
        cmocka_unit_test(threads_make_the_same_bytes),
    };
    end_within(at_length() ? 3600 : 300);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
