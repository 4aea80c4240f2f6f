/*
 * test_linear.c - the linear filter: levels of every width on both scales, against a plain array.
 *
 * The model follows docs/format.md and nothing else: positions by the two formulas, cells read bit by bit.
 */
#define _GNU_SOURCE
#include "check.h"

#include <math.h>
#include <sito/linear.h>

#include "levels.h"

enum { SEED = 42, MOST = 16 };

static unsigned top_of(unsigned b) { return (1u << b) - 1; }

static sito_plan shaped(uint64_t ncells, unsigned k, unsigned b, const char *scale) {
    return (sito_plan){.kind = SITO_LINEAR,
                       .nkeys = 100,
                       .ncells = ncells,
                       .nhashes = k,
                       .cell_bits = b,
                       .scale = scale,
                       .seed = SEED};
}

static sito_filter *empty(sito_plan plan) {
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    return f;
}

static int put_no(sito_filter *f, uint64_t i, double c) {
    numbered key = key_no(i);
    return sito_linear_put(f, key.bytes, sizeof key.bytes, c);
}

static double get_no(const sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    return sito_linear_get(f, key.bytes, sizeof key.bytes);
}

static double mid_no(const sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    return sito_linear_get_mid(f, key.bytes, sizeof key.bytes);
}

static int level_no(const sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    return sito_linear_get_level(f, key.bytes, sizeof key.bytes);
}

static double confidence(uint64_t i) { return (double)(mixed(i) >> 11) * 0x1p-53; }

/* ---- fading ---- */

/* The levels of a key put with 1, fade by fade, up to the 0. */
static unsigned fades(unsigned b, const char *scale, unsigned *levels) {
    sito_filter *f = empty(shaped(100, 3, b, scale));
    assert_int_equal(put_no(f, 1, 1), 1);
    unsigned n = 0;
    while ((levels[n] = (unsigned)level_no(f, 1)) > 0) {
        assert_true(maybe_no(f, 1));
        assert_int_equal(sito_linear_fade(f, 9, 10), SITO_OK);
        assert_true(++n < 300);
    }
    assert_false(maybe_no(f, 1));
    assert_true(fact(f, "fill_bits") == 0 && fact(f, "fill_cells") == 0);
    sito_free(f);
    return n;
}

static void fading_takes_as_many_steps_as_known(void **state) {
    (void)state;
    const unsigned four[] = {15, 13, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    unsigned levels[300];
    assert_int_equal(fades(4, "linear", levels), 12);
    assert_memory_equal(levels, four, sizeof four);
    assert_int_equal(fades(5, "linear", levels), 18);
    assert_int_equal(fades(8, "linear", levels), 37);
    assert_int_equal(fades(4, "geometric", levels), 15);
    assert_int_equal(fades(5, "geometric", levels), 31);
    assert_int_equal(fades(8, "geometric", levels), 255);
    for (unsigned i = 0; i <= 255; i++) assert_int_equal(levels[i], 255 - i);
}

/* Whatever the factor: however small the loss, no cell stays full. */
static void after_a_fade_no_cell_is_all_ones(void **state) {
    (void)state;
    const uint32_t factors[][2] = {{9, 10}, {1, 2}, {65534, 65535}, {UINT32_MAX - 1, UINT32_MAX}};
    for (unsigned b = 1; b <= MOST; b++)
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
            sito_filter *f = empty(shaped(64, 4, b, "linear"));
            for (uint64_t key = 0; key < 100; key++) assert_true(put_no(f, key, 1) == 1);
            assert_true(fact(f, "fill_bits") == 1);
            assert_int_equal(sito_linear_fade(f, factors[i][0], factors[i][1]), SITO_OK);
            image im = image_of(f);
            size_t bytes;
            for (uint64_t cell = 0; cell < 64; cell++)
                PROMISE(level_in(cells_of(&im, &bytes), cell, b) < top_of(b), "%u bits", b);
            free(im.bytes);
            sito_free(f);
        }
}

static void a_fade_that_cannot_be_is_refused(void **state) {
    (void)state;
    sito_filter *f = empty(shaped(100, 3, 5, "linear"));
    assert_int_equal(put_no(f, 1, 0.8), 1);
    image was = image_of(f);
    assert_int_equal(sito_linear_fade(f, 1, 0), SITO_EINVAL);
    assert_int_equal(sito_linear_fade(f, 0, 0), SITO_EINVAL);
    assert_int_equal(sito_linear_fade(f, 11, 10), SITO_EINVAL);
    assert_int_equal(sito_linear_fade(NULL, 9, 10), SITO_EINVAL);
    assert_int_equal(sito_linear_fade(f, 10, 10), SITO_OK); /* by nothing */
    assert_true(still_is(f, &was));
    assert_int_equal(sito_linear_fade(f, 0, 7), SITO_OK);
    assert_int_equal(level_no(f, 1), 0);
    sito_free(f);

    sito_plan plan = shaped(100, 3, 5, "geometric");
    plan.fade_p = 4, plan.fade_q = 6;
    f = empty(plan);
    assert_true(fact(f, "fade_p") == 2 && fact(f, "fade_q") == 3);
    assert_int_equal(put_no(f, 1, 1), 1);
    was = image_of(f);
    assert_int_equal(sito_linear_fade(f, 9, 10), SITO_EINVAL);
    assert_int_equal(sito_linear_fade(f, 3, 3), SITO_EINVAL);
    assert_int_equal(sito_linear_fade(f, 0, 3), SITO_EINVAL);
    assert_true(still_is(f, &was));
    assert_int_equal(sito_linear_fade(f, 2, 3), SITO_OK);
    assert_int_equal(sito_linear_fade(f, 2000000000, 3000000000u), SITO_OK);
    assert_int_equal(level_no(f, 1), 29);
    assert_true(fabs(get_no(f, 1) - 4.0 / 9) < 1e-15);
    sito_free(f);
}

/* ---- confidences and levels ---- */

static void confidences_outside_0_to_1_are_refused(void **state) {
    (void)state;
    const double bad[] = {NAN, -NAN, INFINITY, -INFINITY, -1, -1e-300, 1.0000000000000002,
                          2,   1e300};
    const char *const scales[] = {"linear", "geometric"};
    for (unsigned s = 0; s < 2; s++) {
        sito_filter *f = empty(shaped(100, 3, 8, scales[s]));
        put_no(f, 1, 0.7);
        image was = image_of(f);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            assert_int_equal(put_no(f, 2, bad[i]), SITO_EINVAL);
            assert_int_equal(sito_linear_put_hash(f, 2, bad[i]), SITO_EINVAL);
        }
        assert_int_equal(sito_linear_put_level(f, "k", 1, 256), SITO_EINVAL);
        assert_int_equal(sito_linear_put_level(f, "k", 1, UINT32_MAX), SITO_EINVAL);
        assert_int_equal(put_no(f, 2, 0), 0);
        assert_int_equal(put_no(f, 2, -0.0), 0);
        assert_int_equal(put_no(f, 2, 5e-324), 0);
        assert_int_equal(sito_linear_put_level(f, "k", 1, 0), 0);
        assert_true(still_is(f, &was));
        sito_free(f);
    }
}

/* Alone in a filter. */
static double read_back(sito_filter *f, double c, double *mid) {
    assert_int_equal(sito_clear(f), SITO_OK);
    int stored = put_no(f, 7, c);
    assert_true(stored == 0 || stored == 1);
    assert_true((level_no(f, 7) > 0) == stored);
    *mid = mid_no(f, 7);
    return get_no(f, 7);
}

static void a_confidence_is_read_back_within_its_level(void **state) {
    (void)state;
    for (unsigned b = 1; b <= MOST; b++) {
        sito_filter *f = empty(shaped(50, 3, b, "linear"));
        double mid, L = top_of(b), below = 0;
        for (uint64_t i = 0; i < 1000; i++) {
            double c = confidence(i + 1000 * b), got = read_back(f, c, &mid);
            PROMISE(level_no(f, 7) == (int)floor(c * L), "%u bits: %g at level %d", b, c,
                    level_no(f, 7));
            PROMISE(got <= c && c < got + 1 / L, "%u bits: %g is read as %g", b, c, got);
            below += got == 0;
            PROMISE(got == 0 ? mid == 0 : fabs(mid - got - 0.5 / L) < 1e-15, "%u bits: %g", b, mid);
        }
        /* At b = 4 these are the 6.7 % that are denied. */
        PROMISE(fabs(below / 1000 - 1 / L) < 4 * sqrt(1 / L * (1 - 1 / L) / 1000) + 1e-9,
                "%u bits: %g of 1000 come to level 0", b, below);
        assert_true(read_back(f, 1, &mid) == 1 && mid == 1);
        sito_free(f);
    }
}

static void geometric_levels_are_powers_of_the_factor(void **state) {
    (void)state;
    const uint32_t factors[][2] = {{9, 10}, {1, 2}, {1, 65535}, {65534, 65535}, {2, 3}};
    for (unsigned b = 1; b <= MOST; b++)
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
            sito_plan plan = shaped(50, 3, b, "geometric");
            plan.fade_p = factors[i][0], plan.fade_q = factors[i][1];
            sito_filter *f = empty(plan);
            double factor = (double)factors[i][0] / factors[i][1], mid;
            for (uint64_t j = 0; j < 200; j++) {
                double c = pow(confidence(j), 3), got = read_back(f, c, &mid);
                int v = level_no(f, 7);
                PROMISE(got <= c && (v == 0 ||
                                     fabs(got / pow(factor, top_of(b) - (unsigned)v) - 1) < 1e-11),
                        "%u bits: %g is read as %g", b, c, got);
                PROMISE(c < pow(factor, top_of(b) - (unsigned)v - 1) * (1 + 1e-11),
                        "%u bits: %g comes to level %d", b, c, v);
                PROMISE(v == 0 ? mid == 0 : fabs(mid / got * 2 - 1 - 1 / factor) < 1e-9 / factor,
                        "%u bits: %g", b, mid);
            }
            assert_true(read_back(f, 1, &mid) == 1 && mid == 1);
            sito_free(f);
        }
}

/* Far down a geometric scale there are levels that no double is small enough for. */
static void what_is_inside_is_never_read_as_0(void **state) {
    (void)state;
    numbered key = key_no(7);
    for (unsigned b = 8; b <= MOST; b++) {
        sito_plan plan = shaped(50, 3, b, "geometric");
        plan.fade_p = 1, plan.fade_q = 65535;
        sito_filter *f = empty(plan);
        assert_int_equal(sito_linear_put_level(f, key.bytes, sizeof key.bytes, 1), 1);
        assert_true(get_no(f, 7) > 0 && mid_no(f, 7) >= get_no(f, 7));
        assert_int_equal(put_no(f, 8, 0x1p-1074), 1);
        assert_true(get_no(f, 8) > 0 && get_no(f, 8) <= 0x1p-1074);
        assert_int_equal(put_no(f, 9, 0), 0);
        sito_free(f);
    }
}

/* What was read can be put again, and the neighbouring double below comes to the level below. */
static void every_level_comes_back_to_itself(void **state) {
    (void)state;
    const char *const scales[] = {"linear", "geometric"};
    for (unsigned s = 0; s < 2; s++)
        for (unsigned b = 1; b <= MOST; b++) {
            sito_filter *f = empty(shaped(3, 1, b, scales[s]));
            unsigned from = s && b > 12 ? top_of(b) - 4000 : 1; /* below, all is 0 in a double */
            for (unsigned v = from; v <= top_of(b); v++) {
                assert_int_equal(sito_clear(f), SITO_OK);
                assert_int_equal(sito_linear_put_level(f, "key", 3, v), 1);
                assert_int_equal(sito_linear_get_level(f, "key", 3), (int)v);
                double got = sito_linear_get(f, "key", 3), mid = sito_linear_get_mid(f, "key", 3);
                double again[] = {got, mid, nextafter(got, 0)};
                for (unsigned i = 0; i < 3; i++) {
                    assert_int_equal(sito_clear(f), SITO_OK);
                    sito_linear_put(f, "key", 3, again[i]);
                    PROMISE(sito_linear_get_level(f, "key", 3) == (int)v - (i == 2),
                            "%s, %u bits: %a, way %u, level %u, not %d", scales[s], b, again[i], i,
                            v, sito_linear_get_level(f, "key", 3));
                }
            }
            sito_free(f);
        }
}

/* ---- cells ---- */

struct model {
    uint64_t m;
    unsigned k, b;
    uint64_t cell[1200];
};

static uint64_t position(const struct model *t, uint64_t hash, unsigned i) {
    while (i--) hash = hash * UINT64_C(0xd1342543de82ef95) + UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)(((unsigned __int128)hash * t->m) >> 64);
}

static void model_put(struct model *t, uint64_t hash, uint64_t level) {
    for (unsigned i = 0; i < t->k; i++) {
        uint64_t *cell = &t->cell[position(t, hash, i)];
        if (*cell < level) *cell = level;
    }
}

static uint64_t model_get(const struct model *t, uint64_t hash) {
    uint64_t lowest = UINT64_MAX;
    for (unsigned i = 0; i < t->k; i++) {
        uint64_t v = t->cell[position(t, hash, i)];
        if (v < lowest) lowest = v;
    }
    return lowest;
}

static void agree(const sito_filter *f, const struct model *t) {
    image im = image_of(f);
    size_t bytes;
    const uint8_t *cells = cells_of(&im, &bytes);
    double used = 0, ones = 0;
    for (uint64_t i = 0; i < t->m; i++) {
        uint64_t v = level_in(cells, i, t->b);
        PROMISE(v == t->cell[i], "%u bits, cell %llu of %llu: %llu, not %llu", t->b,
                (unsigned long long)i, (unsigned long long)t->m, (unsigned long long)v,
                (unsigned long long)t->cell[i]);
        used += v != 0;
        ones += __builtin_popcountll(v);
    }
    sito_info info;
    assert_int_equal(sito_look(f, &info), SITO_OK);
    PROMISE(info.fill == used / (double)t->m && fact(f, "fill_cells") == info.fill,
            "%u bits: fill %g", t->b, info.fill);
    PROMISE(fact(f, "fill_bits") == ones / (double)(t->m * t->b), "%u bits", t->b);
    PROMISE(fabs(info.present_fpr - pow(info.fill, t->k)) < 1e-12, "%u bits", t->b);
    PROMISE(sito_check(f, NULL) == SITO_OK, "%u bits: unsound", t->b);
    free(im.bytes);
}

/* Tables of every width that end anywhere in a byte: puts, fades and merges. */
static void cells_of_every_width_hold_levels(void **state) {
    (void)state;
    const uint64_t sizes[] = {1, 2, 3, 31, 33, 64, 127, 200, 1001};
    for (unsigned b = 1; b <= MOST; b++)
        for (unsigned s = 0; s < 2 * sizeof sizes / sizeof *sizes; s++) {
            bool geometric = s % 2;
            struct model t = {.m = sizes[s / 2], .k = sizes[s / 2] < 3 ? 1 : 3, .b = b};
            sito_filter *f = empty(shaped(t.m, t.k, b, geometric ? "geometric" : "linear"));
            sito_filter *part = empty(shaped(t.m, t.k, b, geometric ? "geometric" : "linear"));
            for (uint64_t step = 0; step < 200; step++) {
                uint64_t dice = mixed(step), level = (dice >> 20) % (top_of(b) + 1u);
                uint64_t hash = hash_no(f, dice % 150);
                numbered key = key_no(dice % 150);
                bool elsewhere = dice >> 60 & 1;
                assert_int_equal(
                    sito_linear_put_level(elsewhere ? part : f, key.bytes, 8, (unsigned)level),
                    level > 0);
                model_put(&t, hash, level);
                if (elsewhere) {
                    assert_int_equal(sito_merge(f, part), SITO_OK);
                    assert_int_equal(sito_clear(part), SITO_OK);
                }
                PROMISE(level_no(f, dice % 150) == (int)model_get(&t, hash), "%u bits", b);
                PROMISE(maybe_no(f, dice % 150) == (model_get(&t, hash) > 0), "%u bits", b);
                if (step % 40 != 39) continue;
                assert_int_equal(sito_linear_fade(f, 9, 10), SITO_OK);
                for (uint64_t i = 0; i < t.m; i++)
                    t.cell[i] = geometric ? t.cell[i] - (t.cell[i] > 0) : t.cell[i] * 9 / 10;
                agree(f, &t);
            }
            sito_free(f);
            sito_free(part);
        }
}

static void an_estimate_is_never_below_its_level(void **state) {
    (void)state;
    for (unsigned b = 1; b <= MOST; b++) {
        sito_filter *f = empty(shaped(200, 4, b, "linear")); /* crowded */
        for (uint64_t i = 0; i < 200; i++) assert_true(put_no(f, i, confidence(i)) >= 0);
        unsigned above = 0;
        for (uint64_t i = 0; i < 200; i++) {
            int level = (int)floor(confidence(i) * top_of(b));
            PROMISE(level_no(f, i) >= level, "%u bits: key %llu", b, (unsigned long long)i);
            above += level_no(f, i) > level;
        }
        assert_true(b == 1 || above > 20);
        sito_free(f);
    }
}

/* Same positions, so bit for bit. */
static void with_confidence_1_it_is_a_bloom_filter(void **state) {
    (void)state;
    for (unsigned b = 1; b <= MOST; b++) {
        sito_plan plan = shaped(1001, 5, b, "linear"), plain = plan;
        plain.kind = SITO_BLOOM, plain.cell_bits = 0, plain.scale = NULL;
        sito_filter *f = filled(&plan, 0, 100), *bloom = filled(&plain, 0, 100);
        unsigned yes = 0;
        for (uint64_t i = 0; i < 5000; i++) {
            PROMISE(maybe_no(f, i) == maybe_no(bloom, i), "%u bits", b);
            PROMISE(get_no(f, i) == (maybe_no(bloom, i) ? 1 : 0), "%u bits", b);
            yes += maybe_no(f, i);
        }
        assert_true(yes > 100 && yes < 500);
        sito_info info, plains;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        assert_int_equal(sito_look(bloom, &plains), SITO_OK);
        PROMISE(info.nkeys == plains.nkeys && info.fill == plains.fill &&
                    info.real_fpr == plains.real_fpr,
                "%u bits", b);
        sito_free(f);
        sito_free(bloom);
    }
}

static void a_merge_is_the_filter_of_all_puts(void **state) {
    (void)state;
    const char *const scales[] = {"linear", "geometric"};
    for (unsigned s = 0; s < 2; s++)
        for (unsigned b = 1; b <= MOST; b++) {
            sito_filter *x = empty(shaped(333, 4, b, scales[s])),
                        *y = empty(shaped(333, 4, b, scales[s])),
                        *both = empty(shaped(333, 4, b, scales[s]));
            for (uint64_t i = 0; i < 90; i++) {
                assert_true(put_no(i % 2 ? x : y, i / 3, confidence(i)) >= 0);
                assert_true(put_no(both, i / 3, confidence(i)) >= 0);
            }
            assert_int_equal(sito_merge(x, y), SITO_OK);
            image got = image_of(x), wanted = image_of(both);
            PROMISE(same_cells(&got, &wanted), "%s, %u bits", scales[s], b);
            free(got.bytes);
            free(wanted.bytes);
            sito_free(x);
            sito_free(y);
            sito_free(both);
        }
    sito_plan third = shaped(100, 3, 8, "geometric"), half = third;
    third.fade_p = 1, third.fade_q = 3;
    half.fade_p = 1, half.fade_q = 2;
    sito_filter *a = empty(third), *b = empty(half), *c = empty(shaped(100, 3, 8, "linear"));
    assert_int_equal(sito_merge(a, b), SITO_ESHAPE);
    assert_int_equal(sito_merge(a, c), SITO_ESHAPE);
    sito_free(a);
    sito_free(b);
    sito_free(c);
}

/* ---- the paper's figures ---- */

enum { FIGURE_CELLS = 18, FIGURE_HASHES = 4 };

/* A key whose positions are these. */
static uint64_t key_at(const unsigned *places) {
    sito_filter *f = empty(shaped(FIGURE_CELLS, FIGURE_HASHES, 5, "linear"));
    const struct model t = {.m = FIGURE_CELLS, .k = FIGURE_HASHES, .b = 5};
    unsigned wanted = 0;
    for (unsigned i = 0; i < FIGURE_HASHES; i++) wanted |= 1u << places[i];
    for (uint64_t key = 0; key < 1000000; key++) {
        unsigned set = 0;
        for (unsigned i = 0; i < FIGURE_HASHES; i++) set |= 1u << position(&t, hash_no(f, key), i);
        if (set != wanted) continue;
        sito_free(f);
        return key;
    }
    fail_msg("no key has these positions");
    return 0;
}

/* a and e stand where the figures have them; of b, c and d the text does not say, so they stand where they
 * leave cells 11 and 14 alone. */
static void figure_keys(uint64_t key[5]) {
    const unsigned places[5][4] = {
        {1, 4, 11, 17}, {2, 5, 9, 12}, {3, 5, 8, 16}, {2, 6, 10, 13}, {0, 7, 14, 17}};
    for (unsigned i = 0; i < 5; i++) key[i] = key_at(places[i]);
}

/* Figure 1: with 1 for all, a plain filter; a and e overlap in cell 17, and both are found. */
static void figure_1_is_a_plain_filter(void **state) {
    (void)state;
    uint64_t key[5];
    figure_keys(key);
    sito_filter *f = empty(shaped(FIGURE_CELLS, FIGURE_HASHES, 1, "linear"));
    for (unsigned i = 1; i < 4; i++) assert_int_equal(add_no(f, key[i]), 1);
    assert_false(maybe_no(f, key[0]));
    assert_false(maybe_no(f, key[4]));
    assert_int_equal(add_no(f, key[0]), 1);
    assert_int_equal(add_no(f, key[4]), 1);
    for (unsigned i = 0; i < 5; i++) assert_true(maybe_no(f, key[i]) && get_no(f, key[i]) == 1);
    image im = image_of(f);
    size_t bytes;
    const uint8_t *cells = cells_of(&im, &bytes);
    const unsigned set[] = {0, 1, 4, 7, 11, 14, 17};
    for (unsigned i = 0; i < sizeof set / sizeof *set; i++)
        assert_int_equal(level_in(cells, set[i], 1), 1);
    assert_int_equal(level_in(cells, 15, 1), 0);
    free(im.bytes);
    sito_free(f);
}

/* Figure 2: a with 1, e with 0.5. In cell 17 the higher counts, and neither answer is hurt. Figure 3: cells
 * 11 to 14 in memory, five bits each; a's is all ones, e's 0.5 is 01111. */
static void figures_2_and_3_carry_confidences(void **state) {
    (void)state;
    uint64_t key[5];
    const double c[5] = {1, 0.8, 0.3, 0.6, 0.5};
    figure_keys(key);
    sito_filter *f = empty(shaped(FIGURE_CELLS, FIGURE_HASHES, 5, "linear"));
    for (unsigned i = 1; i <= 5; i++) assert_int_equal(put_no(f, key[i % 5], c[i % 5]), 1);
    assert_true(get_no(f, key[0]) == 1);
    assert_true(get_no(f, key[4]) == 15.0 / 31 && mid_no(f, key[4]) == 0.5);
    for (unsigned i = 0; i < 5; i++) {
        double got = get_no(f, key[i]);
        assert_true(got <= c[i] && c[i] - got < 1.0 / 31);
    }
    image im = image_of(f);
    size_t bytes;
    const uint8_t *cells = cells_of(&im, &bytes);
    assert_int_equal(level_in(cells, 17, 5), 31);
    const unsigned levels[] = {31, 24, 18, 15};
    for (unsigned i = 0; i < 4; i++) assert_int_equal(level_in(cells, 11 + i, 5), levels[i]);
    /* Bits 55 to 74, from the lowest of byte 6 on: 11111 00011 01001 11110, each cell's lowest first. */
    assert_int_equal(read_le(cells + 6, 4) >> 7 & 0xfffff, 31 | 24 << 5 | 18 << 10 | 15 << 15);
    free(im.bytes);
    sito_free(f);
}

/* ---- elsewhere ---- */

static void other_kinds_have_no_confidences(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (is(kind, SITO_LINEAR)) continue;
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = filled(&plan, 0, 10);
        image was = image_of(f);
        PROMISE(put_no(f, 1, 0.5) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_linear_put_level(f, "k", 1, 1) == SITO_EUNABLE, "%s", kind);
        PROMISE(level_no(f, 1) == SITO_EUNABLE, "%s", kind);
        PROMISE(isnan(get_no(f, 1)) && isnan(mid_no(f, 1)), "%s", kind);
        PROMISE(sito_linear_fade(f, 9, 10) == SITO_EUNABLE, "%s", kind);
        PROMISE(still_is(f, &was), "%s", kind);
        sito_free(f);
    }
    assert_true(isnan(get_no(NULL, 1)) && isnan(mid_no(NULL, 1)));
    assert_int_equal(put_no(NULL, 1, 1), SITO_EINVAL);
    assert_int_equal(level_no(NULL, 1), SITO_EINVAL);
}

static void images_keep_scale_and_levels(void **state) {
    (void)state;
    const sito_key secret = {.id = 3, .bytes = {1, 2, 3}};
    sito_plan plan = shaped(300, 4, 6, "geometric");
    plan.seed = 0, plan.key = &secret, plan.fade_p = 7, plan.fade_q = 8;
    sito_filter *f = empty(plan), *view = NULL, *blind = NULL;
    for (uint64_t i = 0; i < 40; i++) assert_true(put_no(f, i, 0.3 + 0.7 * confidence(i)) == 1);
    image im = image_of(f);
    const sito_how how = {.key = &secret}, without = {.flags = SITO_NOKEY};
    const char *why;
    sito_filter *copy = opened(&im, &how);
    assert_int_equal(sito_view(im.bytes, im.len, &how, &view, &why), SITO_OK);
    assert_int_equal(sito_from_image(im.bytes, im.len, &without, &blind, &why), SITO_OK);
    assert_string_equal(sito_word(copy, "scale"), "geometric");
    for (uint64_t i = 0; i < 40; i++)
        assert_true(get_no(view, i) == get_no(f, i) && mid_no(copy, i) == mid_no(f, i));
    assert_int_equal(put_no(view, 1, 1), SITO_EUNABLE);
    assert_int_equal(sito_linear_fade(view, 7, 8), SITO_EUNABLE);
    assert_int_equal(put_no(blind, 1, 1), SITO_EKEY);
    assert_int_equal(level_no(blind, 1), SITO_EKEY);
    assert_true(isnan(get_no(blind, 1)));
    /* Fading asks for no key. */
    assert_int_equal(sito_linear_fade(blind, 7, 8), SITO_OK);
    assert_int_equal(sito_linear_fade(copy, 7, 8), SITO_OK);
    image a = image_of(blind), b = image_of(copy);
    assert_true(same_cells(&a, &b) && !same_cells(&a, &im));
    free(a.bytes);
    free(b.bytes);
    free(im.bytes);
    sito_free(f);
    sito_free(copy);
    sito_free(blind);
    sito_free(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fading_takes_as_many_steps_as_known),
        cmocka_unit_test(after_a_fade_no_cell_is_all_ones),
        cmocka_unit_test(a_fade_that_cannot_be_is_refused),
        cmocka_unit_test(confidences_outside_0_to_1_are_refused),
        cmocka_unit_test(a_confidence_is_read_back_within_its_level),
        cmocka_unit_test(geometric_levels_are_powers_of_the_factor),
        cmocka_unit_test(what_is_inside_is_never_read_as_0),
        cmocka_unit_test(every_level_comes_back_to_itself),
        cmocka_unit_test(cells_of_every_width_hold_levels),
        cmocka_unit_test(an_estimate_is_never_below_its_level),
        cmocka_unit_test(with_confidence_1_it_is_a_bloom_filter),
        cmocka_unit_test(a_merge_is_the_filter_of_all_puts),
        cmocka_unit_test(figure_1_is_a_plain_filter),
        cmocka_unit_test(figures_2_and_3_carry_confidences),
        cmocka_unit_test(other_kinds_have_no_confidences),
        cmocka_unit_test(images_keep_scale_and_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
