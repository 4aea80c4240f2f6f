/*
 * test_counting.c - the counting filter: counters of every width against a plain array of counts.
 *
 * The model below follows docs/format.md and nothing else: positions by the two formulas, a counter that
 * stays at its largest value, bits read one by one.
 */
#define _GNU_SOURCE
#include "check.h"

#include <math.h>
#include <sito/counting.h>

#include "folder.h"

enum { SEED = 42, LEAST = 2, MOST = 16 };

static uint64_t largest(unsigned bits) { return (UINT64_C(1) << bits) - 1; }

static sito_plan shaped(uint64_t ncells, unsigned k, unsigned bits) {
    return (sito_plan){.kind = SITO_COUNTING,
                       .nkeys = 100,
                       .ncells = ncells,
                       .nhashes = k,
                       .cell_bits = bits,
                       .seed = SEED};
}

static sito_filter *empty(const sito_plan *plan) {
    sito_filter *f = NULL;
    assert_int_equal(sito_new(plan, NULL, &f), SITO_OK);
    return f;
}

static uint64_t count_no(const sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    uint64_t n = 77;
    assert_int_equal(sito_count(f, key.bytes, sizeof key.bytes, &n), SITO_OK);
    return n;
}

/* ---- a model of the cells ---- */

struct model {
    uint64_t m;
    unsigned k, bits;
    uint64_t cell[1200];
};

static uint64_t position(const struct model *t, uint64_t hash, unsigned i) {
    while (i--) hash = hash * UINT64_C(0xd1342543de82ef95) + UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)(((unsigned __int128)hash * t->m) >> 64);
}

static bool model_holds(const struct model *t, uint64_t hash) {
    for (unsigned i = 0; i < t->k; i++) {
        uint64_t at = position(t, hash, i), drawn = 0;
        for (unsigned j = 0; j < t->k; j++) drawn += position(t, hash, j) == at;
        if (t->cell[at] < largest(t->bits) && t->cell[at] < drawn) return false;
    }
    return true;
}

static void model_count(struct model *t, uint64_t hash, bool up) {
    for (unsigned i = 0; i < t->k; i++) {
        uint64_t *cell = &t->cell[position(t, hash, i)];
        if (*cell < largest(t->bits)) *cell += up ? 1 : UINT64_MAX;
    }
}

static uint64_t counter_in(const image *im, uint64_t i, unsigned bits) {
    size_t bytes;
    const uint8_t *cells = cells_of(im, &bytes);
    uint64_t v = 0;
    for (unsigned b = 0; b < bits; b++) {
        uint64_t bit = i * bits + b;
        v |= (uint64_t)(cells[bit / 8] >> bit % 8 & 1) << b;
    }
    return v;
}

/* All cells, and what the filter says of them. */
static void agree(const sito_filter *f, const struct model *t) {
    image im = image_of(f);
    uint64_t used = 0, full = 0;
    for (uint64_t i = 0; i < t->m; i++) {
        uint64_t v = counter_in(&im, i, t->bits);
        PROMISE(v == t->cell[i], "%u bits, cell %llu of %llu: %llu, not %llu", t->bits,
                (unsigned long long)i, (unsigned long long)t->m, (unsigned long long)v,
                (unsigned long long)t->cell[i]);
        used += v != 0;
        full += v == largest(t->bits);
    }
    sito_info info;
    assert_int_equal(sito_look(f, &info), SITO_OK);
    PROMISE(info.fill == (double)used / (double)t->m, "%u bits: fill %g", t->bits, info.fill);
    PROMISE(fact(f, "saturated") == (double)full, "%u bits: %g saturated, not %llu", t->bits,
            fact(f, "saturated"), (unsigned long long)full);
    PROMISE(sito_check(f, NULL) == SITO_OK, "%u bits: unsound", t->bits);
    free(im.bytes);
}

/* Tables of every width, of sizes that end in the middle of bytes and words, from a single cell on: keys are
 * added and removed by hash, those that are there and those that are not. */
static void counters_of_every_width_count(void **state) {
    (void)state;
    const uint64_t sizes[] = {1, 2, 3, 5, 31, 33, 64, 65, 127, 1001};
    for (unsigned bits = LEAST; bits <= MOST; bits++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct model t = {.m = sizes[s], .k = sizes[s] < 3 ? 1 : 3, .bits = bits};
            sito_plan plan = shaped(t.m, t.k, bits);
            sito_filter *f = empty(&plan);
            for (uint64_t step = 0; step < 600; step++) {
                uint64_t dice = mixed(step), hash = mixed(dice % 150);
                bool held = model_holds(&t, hash);
                if (dice >> 40 & 1) {
                    assert_true(sito_add_hash(f, hash) >= 0);
                    model_count(&t, hash, true);
                } else {
                    PROMISE(sito_remove_hash(f, hash) == held, "%u bits, %llu cells", bits,
                            (unsigned long long)t.m);
                    if (held) model_count(&t, hash, false);
                }
                if (step % 100 == 99) agree(f, &t);
            }
            sito_free(f);
        }
}

/* ---- saturated for good ---- */

/* All keys share the one cell: it is counted past its largest value, then down by all but one. */
static void a_saturated_counter_is_never_counted_down(void **state) {
    (void)state;
    for (unsigned bits = LEAST; bits <= MOST; bits++) {
        sito_plan plan = shaped(1, 1, bits);
        sito_filter *f = empty(&plan);
        uint64_t keys = largest(bits) + 2;
        for (uint64_t i = 0; i < keys; i++) {
            PROMISE(count_no(f, 0) >= i, "%u bits: a count below the truth", bits);
            PROMISE(add_no(f, i) == (i == 0), "%u bits, key %llu", bits, (unsigned long long)i);
        }
        PROMISE(count_no(f, 0) == UINT64_MAX, "%u bits: a count nobody can know", bits);
        for (uint64_t i = 1; i < keys; i++)
            PROMISE(remove_no(f, i) == 1, "%u bits owe a remove", bits);
        PROMISE(maybe_no(f, 0), "%u bits: a key is lost", bits);
        PROMISE(nkeys_of(f) == 1, "%u bits miscount", bits);
        PROMISE(fact(f, "saturated") == 1, "%u bits: counted down", bits);
        sito_free(f);
    }
}

/* Three keys in a handful of 2-bit counters, where others wrapped around and lost one. */
static void three_keys_in_two_bits_are_not_lost(void **state) {
    (void)state;
    unsigned saturated = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        sito_plan plan = shaped(4 + seed % 4, 4, 2);
        plan.seed = seed;
        sito_filter *f = filled(&plan, 0, 3);
        saturated += fact(f, "saturated") > 0;
        for (uint64_t out = 0; out < 3; out++) {
            for (uint64_t in = out; in < 3; in++)
                PROMISE(maybe_no(f, in), "seed %llu: key %llu is lost", (unsigned long long)seed,
                        (unsigned long long)in);
            PROMISE(remove_no(f, out) == 1, "seed %llu owes a remove", (unsigned long long)seed);
        }
        sito_free(f);
    }
    assert_true(saturated > 250);
}

static void a_saturated_key_can_be_removed_without_end(void **state) {
    (void)state;
    sito_plan plan = shaped(1000, 5, 2);
    sito_filter *f = empty(&plan);
    for (unsigned i = 0; i < 3; i++) assert_true(add_no(f, 7) >= 0);
    image was = image_of(f);
    for (unsigned i = 0; i < 10; i++) assert_int_equal(remove_no(f, 7), 1);
    assert_true(maybe_no(f, 7));
    assert_int_equal(nkeys_of(f), 0);
    image now = image_of(f);
    assert_true(same_cells(&was, &now));
    free(was.bytes);
    free(now.bytes);
    sito_free(f);
}

/* ---- removing what is not there ---- */

static void a_key_that_is_denied_is_not_removed(void **state) {
    (void)state;
    for (unsigned bits = LEAST; bits <= MOST; bits++) {
        sito_plan plan = {
            .kind = SITO_COUNTING, .nkeys = 200, .fpr = 0.2, .cell_bits = bits, .seed = SEED};
        sito_filter *f = filled(&plan, 0, 200);
        unsigned denied = 0;
        for (uint64_t i = 1000; i < 1200; i++) {
            if (maybe_no(f, i)) continue;
            image was = image_of(f);
            PROMISE(remove_no(f, i) == 0, "%u bits: removed what was denied", bits);
            PROMISE(still_is(f, &was), "%u bits: a refused remove changed a byte", bits);
            denied++;
        }
        assert_true(denied > 100);
        sito_free(f);
    }
}

/* ---- positions that coincide ---- */

static void a_cell_drawn_twice_is_counted_twice(void **state) {
    (void)state;
    sito_plan plan = shaped(3, 3, 5);
    unsigned coincided = 0;
    for (uint64_t i = 0; i < 100; i++) {
        sito_filter *f = empty(&plan);
        struct model t = {.m = 3, .k = 3, .bits = 5};
        uint64_t hash = hash_no(f, i);
        for (uint64_t copies = 1; copies <= 9; copies++) {
            assert_int_equal(add_no(f, i), copies == 1);
            model_count(&t, hash, true);
            assert_int_equal(count_no(f, i), copies);
        }
        agree(f, &t);
        for (uint64_t copies = 9; copies-- > 0;) {
            assert_int_equal(remove_no(f, i), 1);
            assert_int_equal(count_no(f, i), copies);
        }
        assert_false(maybe_no(f, i));
        assert_int_equal(remove_no(f, i), 0);
        coincided += position(&t, hash, 0) == position(&t, hash, 1);
        sito_free(f);
    }
    assert_true(coincided > 10);
}

/* One key has drawn both cells once. Another, who would draw the same cell twice, looks as if it were inside;
 * but that cell has only one to give. */
static void a_key_that_needs_two_of_a_cell_is_not_removed_from_one(void **state) {
    (void)state;
    struct model t = {.m = 2, .k = 2, .bits = 4};
    sito_plan plan = shaped(t.m, t.k, t.bits);
    sito_filter *f = empty(&plan);
    uint64_t spread = 0;
    while (position(&t, mixed(spread), 0) == position(&t, mixed(spread), 1)) spread++;
    assert_int_equal(sito_add_hash(f, mixed(spread)), 1);
    unsigned tried = 0;
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t hash = mixed(1000 + i);
        if (position(&t, hash, 0) != position(&t, hash, 1)) continue;
        image was = image_of(f);
        int8_t answer = 9;
        assert_true(sito_maybe_hash(f, hash));
        assert_int_equal(sito_remove_hash(f, hash), 0);
        assert_int_equal(sito_remove_many(f, &hash, 1, &answer, NULL), SITO_OK);
        assert_int_equal(answer, 0);
        assert_true(still_is(f, &was));
        tried++;
    }
    assert_true(tried > 50);
    assert_int_equal(sito_remove_hash(f, mixed(spread)), 1);
    sito_free(f);
}

/* ---- batches ---- */

/* Few cells, so that the keys of a batch are in each other's way, and some keys in it more than once. */
static void batches_are_as_single_calls_one_after_another(void **state) {
    (void)state;
    enum { N = 300 };
    for (unsigned bits = LEAST; bits <= MOST; bits++) {
        sito_plan plan = shaped(301, 5, bits);
        sito_filter *one = empty(&plan), *many = empty(&plan);
        uint64_t hashes[N];
        int8_t answers[N];
        for (size_t i = 0; i < N; i++) hashes[i] = mixed(mixed(i) % 200);
        for (unsigned round = 0; round < 6; round++) {
            size_t n = (size_t)N - round * 41, done = 99;
            bool adds = round < 2 || round == 4;
            sito_rc rc = adds ? sito_add_many(many, hashes + round, n, answers, &done)
                              : sito_remove_many(many, hashes + round, n, answers, &done);
            assert_int_equal(rc, SITO_OK);
            assert_int_equal(done, n);
            for (size_t i = 0; i < n; i++) {
                uint64_t hash = hashes[round + i];
                int answer = adds ? sito_add_hash(one, hash) : sito_remove_hash(one, hash);
                PROMISE(answer == answers[i], "%u bits, round %u, key %zu", bits, round, i);
            }
            image was = image_of(one);
            PROMISE(still_is(many, &was), "%u bits, round %u: other bytes", bits, round);
            uint8_t maybe[N];
            sito_maybe_many(many, hashes, N, maybe);
            for (size_t i = 0; i < N; i++)
                PROMISE(maybe[i] == sito_maybe_hash(one, hashes[i]), "%u bits, key %zu", bits, i);
        }
        sito_free(one);
        sito_free(many);
    }
}

/* ---- beside an exact dictionary ---- */

/* A million adds, removes of what is there, and questions, saved and opened again on the way. */
static void no_key_is_ever_denied(void **state) {
    (void)state;
    enum { UNIVERSE = 30000, STEPS = 1000000, KEPT = STEPS / 8 };
    const unsigned widths[] = {2, 3, 4, 5, 8, 13, 16};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        unsigned bits = widths[w];
        sito_plan plan = {
            .kind = SITO_COUNTING, .nkeys = UNIVERSE, .cell_bits = bits, .seed = SEED};
        sito_plan truly = {.kind = SITO_EXACT, .nkeys = UNIVERSE, .seed = SEED};
        sito_filter *f = empty(&plan), *exact = empty(&truly);
        for (uint64_t step = 0; step < STEPS; step++) {
            uint64_t dice = mixed(step * 16 + bits), i = dice % UNIVERSE;
            unsigned what = dice >> 40 & 7;
            if (what < 3) {
                int added = add_no(f, i);
                PROMISE(added >= 0, "%u bits: an add failed: %d", bits, added);
                PROMISE(add_no(exact, i) >= added, "%u bits: a known key is certainly new", bits);
            } else if (what < 6) {
                int gone = remove_no(exact, i);
                if (gone) PROMISE(remove_no(f, i) == 1, "%u bits owe a remove", bits);
            } else {
                PROMISE(!maybe_no(exact, i) || maybe_no(f, i), "%u bits: a key is denied", bits);
                PROMISE(count_no(f, i) >= count_no(exact, i), "%u bits: a count too low", bits);
            }
            if (step % KEPT == KEPT - 1) {
                assert_int_equal(sito_save(f, path), SITO_OK);
                sito_free(f);
                assert_int_equal(sito_open(path, NULL, &f, NULL), SITO_OK);
            }
        }
        for (uint64_t i = 0; i < UNIVERSE; i++) {
            PROMISE(!maybe_no(exact, i) || maybe_no(f, i), "%u bits: a key is denied", bits);
            PROMISE(count_no(f, i) >= count_no(exact, i), "%u bits: a count too low", bits);
        }
        PROMISE(nkeys_of(f) == nkeys_of(exact), "%u bits miscount", bits);
        /* Both happen: narrow counters fill up, wide ones stay exact sums. */
        PROMISE(bits > 3 || fact(f, "saturated") > 0, "%u bits: none is saturated", bits);
        PROMISE(bits < 8 || fact(f, "saturated") == 0, "%u bits: some are saturated", bits);
        sito_free(f);
        sito_free(exact);
    }
}

/* ---- merging ---- */

/* Some keys are in one of them, some in both, some more than once. Every second time the first comes out of
 * its image, where the sums follow the cells without a gap. */
static void a_merge_is_the_filter_of_all_copies(void **state) {
    (void)state;
    for (unsigned bits = LEAST; bits <= MOST; bits++)
        for (uint64_t m = 61; m <= 61 + 67; m++) {
            struct model t = {.m = m, .k = 3, .bits = bits};
            sito_plan plan = shaped(m, t.k, bits);
            sito_filter *a = empty(&plan), *b = empty(&plan);
            for (uint64_t i = 0; i < 60; i++) {
                uint64_t hash = mixed(mixed(i) % 40);
                sito_filter *to = i % 2 ? a : b;
                unsigned copies = i % 7 ? 1 : (unsigned)largest(bits < 6 ? bits : 6) / 2;
                for (unsigned c = 0; c < copies; c++) {
                    assert_true(sito_add_hash(to, hash) >= 0);
                    model_count(&t, hash, true);
                }
            }
            image apart = image_of(a), unchanged = image_of(b);
            if (m % 2) {
                sito_free(a);
                a = opened(&apart, NULL);
            }
            uint64_t sum = nkeys_of(a) + nkeys_of(b);
            assert_int_equal(sito_merge(a, b), SITO_OK);
            agree(a, &t);
            assert_int_equal(nkeys_of(a), sum);
            PROMISE(still_is(b, &unchanged), "%u bits: the other filter changed", bits);
            free(apart.bytes);
            sito_free(a);
            sito_free(b);
        }
}

static void another_width_is_another_shape(void **state) {
    (void)state;
    sito_plan narrow = shaped(100, 3, 4), wide = shaped(100, 3, 5);
    sito_filter *a = filled(&narrow, 0, 10), *b = filled(&wide, 0, 10);
    assert_int_equal(sito_merge(a, b), SITO_ESHAPE);
    sito_free(a);
    sito_free(b);
}

/* ---- plans ---- */

static void as_many_cells_as_bloom_has_bits(void **state) {
    (void)state;
    for (unsigned bits = LEAST; bits <= MOST; bits++)
        for (uint64_t n = 1; n <= 1000000; n *= 100)
            for (double fpr = 0.3; fpr > 1e-5; fpr /= 9) {
                sito_plan bloom = {.kind = SITO_BLOOM, .nkeys = n, .fpr = fpr, .seed = SEED};
                sito_plan counting = bloom;
                counting.kind = SITO_COUNTING;
                counting.cell_bits = bits;
                assert_int_equal(sito_plan_solve(&bloom), SITO_OK);
                assert_int_equal(sito_plan_solve(&counting), SITO_OK);
                assert_int_equal(counting.ncells, bloom.ncells);
                assert_int_equal(counting.nhashes, bloom.nhashes);
                assert_true(counting.real_fpr == bloom.real_fpr);
                assert_int_equal(counting.bytes, (bloom.ncells * bits + 7) / 8);
            }
}

static void four_bits_if_none_are_asked_for(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_COUNTING, .nkeys = 1000, .seed = SEED};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_int_equal(plan.cell_bits, 4);
    const unsigned wrong[] = {1, 17, 18, 32, 64, 1u << 16, (1u << 16) + 4, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        plan =
            (sito_plan){.kind = SITO_COUNTING, .nkeys = 1000, .cell_bits = wrong[i], .seed = SEED};
        assert_int_equal(sito_plan_solve(&plan), SITO_EINVAL);
    }
}

/* The room is used to the last cell that fits, and one byte less is too little for as many keys. */
static void a_size_in_bytes_is_kept_and_used(void **state) {
    (void)state;
    for (unsigned bits = LEAST; bits <= MOST; bits++) {
        sito_plan sized = {
            .kind = SITO_COUNTING, .max_bytes = 4001, .fpr = 0.01, .cell_bits = bits, .seed = SEED};
        assert_int_equal(sito_plan_solve(&sized), SITO_OK);
        assert_int_equal(sized.ncells, 8 * 4001 / bits);
        assert_true(sized.bytes <= 4001 && sized.real_fpr <= 0.01);
        sito_plan tight = {.kind = SITO_COUNTING,
                           .nkeys = sized.nkeys,
                           .fpr = 0.01,
                           .cell_bits = bits,
                           .max_bytes = sized.bytes,
                           .seed = SEED};
        assert_int_equal(sito_plan_solve(&tight), SITO_OK);
        assert_true(tight.bytes <= sized.bytes);
        tight = (sito_plan){.kind = SITO_COUNTING,
                            .nkeys = sized.nkeys,
                            .fpr = 0.01,
                            .cell_bits = bits,
                            .max_bytes = sized.bytes * 98 / 100,
                            .seed = SEED};
        assert_int_equal(sito_plan_solve(&tight), SITO_ELIMIT);
    }
    sito_plan tiny = {.kind = SITO_COUNTING, .max_bytes = 1, .cell_bits = 16, .seed = SEED};
    assert_int_equal(sito_plan_solve(&tiny), SITO_ELIMIT);
}

/* ---- overflow ---- */

static void overflows(double mean, unsigned bits, double *tail, double *bound) {
    sito_plan plan = shaped(1000000, 1, bits);
    plan.nkeys = (uint64_t)llround(mean * 1e6);
    assert_int_equal(sito_counting_overflow(&plan, tail, bound), SITO_OK);
}

/* 1 less the first 2^bits terms, or the terms from there on; in long double, term by term. */
static double plain_tail(double mean, unsigned bits) {
    long double term = expl(-(long double)mean), below = 0, above = 0;
    for (unsigned i = 0; i < 3000; i++) {
        *(i < 1u << bits ? &below : &above) += term;
        term *= (long double)mean / (i + 1);
    }
    return (double)(above < 0.5L ? above : 1 - below);
}

static void near(double got, double truth, double slack, const char *what) {
    if (!(fabs(got - truth) <= slack * truth)) fail_msg("%s: %.12g, not %.12g", what, got, truth);
}

static void the_overflow_is_the_poisson_tail(void **state) {
    (void)state;
    double tail, bound;
    overflows(0.693147, 4, &tail, &bound); /* the best k: half of the cells are in use */
    near(tail, 7.07e-17, 0.002, "four bits");
    near(bound, 1.37e-15, 0.002, "four bits, the bound");
    for (unsigned bits = LEAST; bits <= 9; bits++)
        for (double mean = 0.001; mean < 700; mean *= 1.7) {
            mean = (double)llround(mean * 1e6) / 1e6;
            overflows(mean, bits, &tail, &bound);
            double truth = plain_tail(mean, bits);
            if (truth > 1e-300) near(tail, truth, 1e-9, "the tail");
            PROMISE(tail <= bound && bound <= 1, "%u bits, mean %g: %g > %g", bits, mean, tail,
                    bound);
        }
    /* The mean itself: one half, and a third of 1/sqrt(2 pi mean). */
    overflows(65536, 16, &tail, &bound);
    near(tail, 0.5 + 1 / (3 * sqrt(2 * acos(-1) * 65536)), 1e-6, "sixteen bits at the mean");
    overflows(65000, 16, &tail, &bound); /* 2.1 deviations */
    near(tail, 0.0181, 0.02, "sixteen bits below the mean");
    overflows(1e6, 16, &tail, &bound);
    assert_true(tail == 1 && bound == 1);
    overflows(1, 16, &tail, &bound);
    assert_true(tail == 0 && bound == 0);
}

static void only_counting_plans_overflow(void **state) {
    (void)state;
    double tail = 77, bound = 77;
    sito_plan plan = {.kind = SITO_COUNTING, .nkeys = 1000}, was = plan;
    assert_int_equal(sito_counting_overflow(NULL, &tail, &bound), SITO_EINVAL);
    assert_int_equal(sito_counting_overflow(&plan, NULL, &bound), SITO_EINVAL);
    assert_int_equal(sito_counting_overflow(&plan, &tail, NULL), SITO_EINVAL);
    plan.kind = SITO_BLOOM;
    assert_int_equal(sito_counting_overflow(&plan, &tail, &bound), SITO_EUNABLE);
    plan.kind = NULL;
    assert_int_equal(sito_counting_overflow(&plan, &tail, &bound), SITO_EUNABLE);
    plan = was;
    plan.cell_bits = 17;
    assert_int_equal(sito_counting_overflow(&plan, &tail, &bound), SITO_EINVAL);
    assert_true(tail == 77 && bound == 77);
    /* An unsolved plan says what the solved one does. */
    assert_int_equal(sito_counting_overflow(&was, &tail, &bound), SITO_OK);
    double again, too;
    assert_int_equal(sito_plan_solve(&was), SITO_OK);
    assert_int_equal(sito_counting_overflow(&was, &again, &too), SITO_OK);
    assert_true(tail == again && bound == too && tail > 0);
}

/* With 2 bits a counter is saturated from 3 on, and has overflowed from 4 on; a wide twin of the same shape
 * knows which have. Five standard errors. */
static void counters_saturate_as_often_as_poisson_says(void **state) {
    (void)state;
    enum { N = 200000 };
    sito_plan narrow = {
        .kind = SITO_COUNTING, .nkeys = N, .fpr = 0.01, .cell_bits = 2, .seed = SEED};
    assert_int_equal(sito_plan_solve(&narrow), SITO_OK);
    sito_plan wide = narrow;
    wide.cell_bits = 16;
    sito_filter *f = filled(&narrow, 0, N), *twin = filled(&wide, 0, N);
    image im = image_of(twin);
    uint64_t cells = narrow.ncells, saturated = 0, overflowed = 0;
    for (uint64_t i = 0; i < cells; i++) {
        uint64_t v = counter_in(&im, i, 16);
        saturated += v >= 3;
        overflowed += v >= 4;
    }
    double mean = (double)N * narrow.nhashes / (double)cells, tail, bound;
    double three = 1 - exp(-mean) * (1 + mean + mean * mean / 2);
    assert_int_equal(sito_counting_overflow(&narrow, &tail, &bound), SITO_OK);
    assert_true(fact(f, "saturated") == (double)saturated);
    double share = (double)saturated / (double)cells, over = (double)overflowed / (double)cells;
    PROMISE(fabs(share - three) < 5 * sqrt(three / (double)cells), "saturated %g, expected %g",
            share, three);
    PROMISE(fabs(over - tail) < 5 * sqrt(tail / (double)cells), "overflowed %g, expected %g", over,
            tail);
    assert_true(overflowed > 1000);
    free(im.bytes);
    sito_free(f);
    sito_free(twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_of_every_width_count),
        cmocka_unit_test(a_saturated_counter_is_never_counted_down),
        cmocka_unit_test(three_keys_in_two_bits_are_not_lost),
        cmocka_unit_test(a_saturated_key_can_be_removed_without_end),
        cmocka_unit_test(a_key_that_is_denied_is_not_removed),
        cmocka_unit_test(a_cell_drawn_twice_is_counted_twice),
        cmocka_unit_test(a_key_that_needs_two_of_a_cell_is_not_removed_from_one),
        cmocka_unit_test(batches_are_as_single_calls_one_after_another),
        cmocka_unit_test(no_key_is_ever_denied),
        cmocka_unit_test(a_merge_is_the_filter_of_all_copies),
        cmocka_unit_test(another_width_is_another_shape),
        cmocka_unit_test(as_many_cells_as_bloom_has_bits),
        cmocka_unit_test(four_bits_if_none_are_asked_for),
        cmocka_unit_test(a_size_in_bytes_is_kept_and_used),
        cmocka_unit_test(the_overflow_is_the_poisson_tail),
        cmocka_unit_test(only_counting_plans_overflow),
        cmocka_unit_test(counters_saturate_as_often_as_poisson_says),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
