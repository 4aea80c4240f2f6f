/*
 * test_fuse.c - what static filters of others failed at: sizes that could not be built, copies, hashes in
 * a row; and what is promised of space, memory and threads.
 *
 * SITO_LONG=1 in the environment builds every size up to 20,000 with 20 seeds, and random sizes up to 1e7.
 */
#include "check.h"

#include "backwards.h"
#include "memory.h"

enum { SEED = 42 };

static bool is_long(void) { return getenv("SITO_LONG") != NULL; }

static sito_plan plan_of(uint64_t nkeys, unsigned bits, unsigned arity) {
    sito_plan plan = {
        .kind = SITO_FUSE, .nkeys = nkeys, .tag_bits = bits, .arity = arity, .seed = SEED};
    sito_rc rc = sito_plan_solve(&plan);
    PROMISE(rc == SITO_OK, "%llu keys, %u bits, %u-wise: %d", (unsigned long long)nkeys, bits,
            arity, rc);
    return plan;
}

static uint64_t *random_hashes(uint64_t seed, size_t n) {
    uint64_t *hashes = malloc((n + 1) * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < n; i++) hashes[i] = mixed(mixed(seed) + i);
    return hashes;
}

/* Built, with every key found again. */
static sito_filter *built(const sito_plan *plan, const uint64_t *hashes, size_t n) {
    sito_filter *f = NULL;
    sito_rc rc = sito_build(plan, NULL, hashes, n, &f);
    PROMISE(rc == SITO_OK, "%zu hashes, %u-wise: %d", n, plan->arity, rc);
    enum { BATCH = 512 };
    uint8_t answers[BATCH];
    for (size_t i = 0; i < n; i += BATCH) {
        size_t batch = n - i < BATCH ? n - i : BATCH;
        sito_maybe_many(f, hashes + i, batch, answers);
        for (size_t j = 0; j < batch; j++)
            PROMISE(answers[j], "%u-wise: key %zu of %zu is lost", plan->arity, i + j, n);
    }
    return f;
}

static void build_one(size_t n, unsigned arity, uint64_t seed) {
    sito_plan plan = plan_of(n ? n : 1, 8, arity);
    uint64_t *hashes = random_hashes(seed, n);
    sito_filter *f = built(&plan, hashes, n);
    PROMISE(nkeys_of(f) == n, "%zu keys", n);
    PROMISE(n == 0 || fact(f, "tries") <= 128, "%zu keys, %u-wise: %.0f tries", n, arity,
            fact(f, "tries"));
    sito_free(f);
    free(hashes);
}

static void every_size_can_be_built(void **state) {
    (void)state;
    size_t seeds = is_long() ? 20 : 2;
    for (size_t n = 0; n <= 20000; n += is_long() || n < 300 ? 1 : 1 + mixed(n) % 200)
        for (unsigned arity = 3; arity <= 4; arity++)
            for (uint64_t seed = 0; seed < seeds; seed++) build_one(n, arity, n * 64 + seed);
}

/* A batch goes by fours, and by the widest words there are; a single key never does. */
static void batches_say(const sito_filter *f, const uint64_t *hashes, size_t n, size_t *yes) {
    uint8_t *answers = malloc(n + 1);
    assert_non_null(answers);
    sito_maybe_many(f, hashes, n, answers);
    for (size_t i = 0; i < n; i++) {
        PROMISE(answers[i] == sito_maybe_hash(f, hashes[i]), "%zu of %zu", i, n);
        *yes += answers[i];
    }
    free(answers);
}

static void batches_say_what_single_keys_say(void **state) {
    (void)state;
    enum { STRANGERS = 3003 };
    static const size_t sizes[] = {1, 3000, 700000}; /* the last has pieces */
    uint64_t *strangers = random_hashes(1, STRANGERS);
    size_t yes = 0;
    for (size_t s = 0; s < 3; s++)
        for (unsigned bits = 4; bits <= 32; bits += s == 2 ? 7 : 1)
            for (unsigned arity = 3; arity <= 4; arity++) {
                sito_plan plan = plan_of(sizes[s], bits, arity);
                uint64_t *hashes = random_hashes(2, sizes[s]);
                sito_filter *f = built(&plan, hashes, sizes[s]);
                for (size_t n = 0; n < 80; n++) batches_say(f, hashes, n < sizes[s] ? n : 1, &yes);
                size_t before = yes;
                batches_say(f, strangers, STRANGERS, &yes);
                PROMISE(bits > 6 || yes > before, "%u bits: no stranger is let in", bits);
                sito_free(f);
                free(hashes);
            }
    free(strangers);
    /* Two pieces and one key: one of them is empty, and lets nobody in. */
    sito_plan plan = plan_of(700000, 4, 4);
    uint64_t *hashes = random_hashes(3, STRANGERS);
    sito_filter *f = built(&plan, hashes, 1);
    batches_say(f, hashes, STRANGERS, &yes);
    sito_free(f);
    free(hashes);
}

static void large_sizes_can_be_built(void **state) {
    (void)state;
    size_t most = is_long() ? 10000000 : 300000;
    for (uint64_t i = 0; i < (is_long() ? 60 : 6); i++)
        for (unsigned arity = 3; arity <= 4; arity++)
            build_one(20000 + mixed(i) % (most - 20000), arity, i);
}

/* The same cells as without copies, in whatever order they come. */
static void copies_are_welcome(void **state) {
    (void)state;
    enum { N = 20000 };
    static const unsigned percents[] = {0, 1, 10, 50, 90, 99, 100};
    for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
        for (unsigned arity = 3; arity <= 4; arity++) {
            size_t distinct = N - (size_t)N * percents[p] / 100;
            if (!distinct) distinct = 1;
            sito_plan plan = plan_of(distinct, 8, arity);
            uint64_t *once = random_hashes(p, distinct), *hashes = random_hashes(p, N);
            for (size_t i = 0; i < N; i++)
                hashes[N - 1 - i] = once[i < distinct ? i : mixed(i) % distinct];
            sito_filter *f = built(&plan, hashes, N), *g = built(&plan, once, distinct);
            PROMISE(nkeys_of(f) == distinct, "%u %%: %llu keys", percents[p],
                    (unsigned long long)nkeys_of(f));
            image a = image_of(f), b = image_of(g);
            PROMISE(same_image(&a, &b), "%u %% copies: other bytes", percents[p]);
            free(a.bytes);
            free(b.bytes);
            free(once);
            free(hashes);
            sito_free(f);
            sito_free(g);
        }
    }
}

/* In some pieces only, whose keys are sorted by segment. */
static void copies_in_pieces_are_welcome(void **state) {
    (void)state;
    enum { N = 2500000, COPIES = 100000 };
    for (unsigned arity = 3; arity <= 4; arity++) {
        sito_plan plan = plan_of(N, 9, arity);
        uint64_t *hashes = random_hashes(4, N + COPIES);
        for (size_t i = 0; i < COPIES; i++)
            hashes[N + i] = hashes[i % 3 ? i % 7 : mixed(i) % (N / 100)];
        sito_filter *once = built(&plan, hashes, N), *f = built(&plan, hashes, N + COPIES);
        image was = image_of(once), now = image_of(f);
        PROMISE(same_image(&was, &now), "%u-wise: other bytes", arity);
        free(was.bytes);
        free(now.bytes);
        free(hashes);
        sito_free(once);
        sito_free(f);
    }
}

/* More copies of one hash than a slot could count. */
static void one_hash_many_times_beside_others(void **state) {
    (void)state;
    enum { N = 5000, COPIES = 5000 };
    static uint64_t hashes[N + COPIES];
    for (size_t copies = 1000; copies <= COPIES; copies = copies * 21 / 20) {
        sito_plan plan = plan_of(N, 8, 4);
        for (size_t i = 0; i < N; i++) hashes[i] = mixed(i);
        for (size_t i = 0; i < copies; i++) hashes[N + i] = mixed(7);
        sito_filter *f = built(&plan, hashes, N + copies);
        PROMISE(nkeys_of(f) == N, "%zu copies", copies);
        sito_free(f);
    }
}

static void hashes_in_a_row_are_as_good_as_any(void **state) {
    (void)state;
    enum { N = 30000 };
    uint64_t *hashes = random_hashes(0, N);
    for (unsigned arity = 3; arity <= 4; arity++) {
        for (unsigned shift = 0; shift < 50; shift++) {
            sito_plan plan = plan_of(N, 8, arity);
            for (uint64_t i = 0; i < N; i++)
                hashes[i] = shift < 49 ? i << shift : UINT64_MAX / N * i;
            sito_filter *f = built(&plan, hashes, N);
            PROMISE(fact(f, "tries") <= 4, "every 2^%u-th: %.0f tries", shift, fact(f, "tries"));
            uint64_t wrong = 0;
            for (uint64_t i = N; i < 11 * N; i++)
                wrong += sito_maybe_hash(f, shift < 49 ? i << shift : UINT64_MAX / N * i + 1);
            /* 10 N / 256 expected, give or take 34; a wide shift asks keys again. */
            PROMISE(shift > 45 || (wrong > 900 && wrong < 1450), "every 2^%u-th: %llu strangers",
                    shift, (unsigned long long)wrong);
            sito_free(f);
        }
    }
    free(hashes);
}

/* ---- chosen hashes ---- */

/* All in the first quarter: its pieces have no room for them, and another salt is taken. */
static void hashes_chosen_for_one_piece_are_spread(void **state) {
    (void)state;
    enum { N = 2500000 };
    sito_plan plan = plan_of(N, 8, 4);
    uint64_t *hashes = random_hashes(5, N);
    for (size_t i = 0; i < N; i++) hashes[i] = unstirred(hashes[i] >> 2);
    assert_true(fuse_stirred(hashes[7], 0) >> 62 == 0);
    sito_filter *f = built(&plan, hashes, N);
    PROMISE(fact(f, "tries") > TRIES_MAX && fact(f, "pieces") >= 3, "%.0f tries, %.0f pieces",
            fact(f, "tries"), fact(f, "pieces"));
    assert_int_equal(nkeys_of(f), N);
    sito_free(f);
    free(hashes);
}

/* Thousands that draw the same 32 high bits at first, whatever the salt: another try scatters them. */
static void a_crowd_at_one_place_can_be_built(void **state) {
    (void)state;
    enum { EACH = 8000, SALTS = 4 };
    uint64_t *hashes = random_hashes(1, EACH * SALTS);
    for (size_t i = 0; i < EACH * SALTS; i++) {
        uint64_t salt = i / EACH, bits = mixed(salt) << 32 | (uint32_t)hashes[i];
        hashes[i] = unstirred(bits * inverse(FUSE_DRAW) ^ FUSE_TRY) ^ salt * FUSE_SALT;
        assert_true(fuse_drawn(fuse_stirred(hashes[i], salt), 1) == bits >> (64 - DRAWN_BITS));
    }
    sito_plan plan = plan_of(EACH * SALTS, 8, 4);
    sito_filter *f = built(&plan, hashes, EACH * SALTS);
    sito_free(f);
    free(hashes);
}

/* Thousands of a segment that at first want the same place in the table of those met, beside a copy:
 * another try scatters them. */
static void a_crowd_in_pieces_can_be_built(void **state) {
    (void)state;
    enum { N = 2500000, CROWD = 8000 };
    sito_plan plan = plan_of(N, 8, 4);
    struct fuse_table t = fuse_table_of(plan.ncells, 4);
    uint64_t *hashes = random_hashes(6, N + 1), back = inverse(FUSE_SHARE);
    for (uint64_t x = 0, i = 0; i < CROWD; x++) {
        uint64_t drawn = (x << 32 | x) * back;
        if (drawn >> DRAWN_BITS || fuse_start(&t, drawn) != 7) continue;
        assert_true((uint32_t)fuse_shares(drawn) == 0);
        uint64_t stirred = (drawn << (64 - DRAWN_BITS)) * inverse(FUSE_DRAW) ^ FUSE_TRY;
        if (range_of(stirred, t.npieces) == 0) hashes[i++] = unstirred(stirred);
    }
    hashes[N] = hashes[0];
    sito_filter *f = built(&plan, hashes, N + 1);
    PROMISE(t.npieces >= 3 && fact(f, "tries") > 1 && fact(f, "tries") <= TRIES_MAX,
            "%.0f pieces, %.0f tries", fact(f, "pieces"), fact(f, "tries"));
    assert_int_equal(nkeys_of(f), N);
    sito_free(f);
    free(hashes);
}

/* ---- pieces and threads ---- */

static void pieces_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    const size_t n = is_long() ? 17000000 : 5000000; /* more than 2^24 */
    uint64_t *hashes = random_hashes(1, n);
    for (unsigned arity = 3; arity <= 4; arity++) {
        sito_plan plan = plan_of(n, 5, arity);
        sito_filter *alone = built(&plan, hashes, n);
        PROMISE(fact(alone, "pieces") >= 3, "%.0f pieces", fact(alone, "pieces"));
        image was = image_of(alone);
        static const unsigned counts[] = {2, 3, 8};
        for (size_t t = 0; t < sizeof counts / sizeof *counts; t++) {
            books b;
            sito_memory mem = memory_with(&b);
            sito_filter *f = NULL;
            plan.threads = counts[t];
            assert_int_equal(sito_build(&plan, &mem, hashes, n, &f), SITO_OK);
            image now = image_of(f);
            PROMISE(same_image(&was, &now), "%u threads: other bytes", counts[t]);
            free(now.bytes);
            sito_free(f);
            assert_true(!b.broken && b.live == 0);
        }
        free(was.bytes);
        sito_free(alone);
    }
    free(hashes);
}

/* One hash comes again and again: its piece is overfull, and only one thread has room for that. */
static void copies_do_not_fill_the_room_of_each_thread(void **state) {
    (void)state;
    enum { N = 5000000, THREADS = 4, EACH = 35 << 20 };
    uint64_t *hashes = random_hashes(2, N);
    for (size_t i = 0; i < N; i++)
        if (i % 8) hashes[i] = hashes[0];
    sito_plan plan = plan_of(N, 5, 4);
    image was = {0};
    size_t alone = 0;
    for (unsigned threads = 1; threads <= THREADS; threads += THREADS - 1) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_filter *f = NULL;
        plan.threads = threads;
        assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_OK);
        assert_true(fact(f, "pieces") >= THREADS);
        assert_int_equal(nkeys_of(f), N / 8);
        image now = image_of(f);
        if (threads == 1) was = now, alone = b.most_bytes;
        PROMISE(same_image(&was, &now), "%u threads: other bytes", threads);
        PROMISE(b.most_bytes <= alone + (threads - 1) * (size_t)EACH, "%zu bytes, %zu on one",
                b.most_bytes, alone);
        if (threads > 1) free(now.bytes);
        for (size_t i = 0; i < N; i++) PROMISE(sito_maybe_hash(f, hashes[i]), "key %zu is lost", i);
        sito_free(f);
        assert_true(!b.broken && b.live == 0);
    }
    free(was.bytes);
    free(hashes);
}

static void a_build_works_with_16_bytes_a_key(void **state) {
    (void)state;
    static const size_t sizes[] = {100000, 1000000, 1100000, 1300000, 2500000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (unsigned arity = 3; arity <= 4; arity++) {
            books b;
            sito_memory mem = memory_with(&b);
            sito_plan plan = plan_of(sizes[s], 8, arity);
            uint64_t *hashes = random_hashes(s, sizes[s]);
            sito_filter *f = NULL;
            assert_int_equal(sito_build(&plan, &mem, hashes, sizes[s], &f), SITO_OK);
            double each = (double)(b.most_bytes - b.live_bytes) / (double)sizes[s];
            PROMISE(each <= 16, "%zu keys, %u-wise: %.2f bytes each", sizes[s], arity, each);
            sito_free(f);
            free(hashes);
        }
    }
}

static int stop_at_once(void *self, uint64_t done, uint64_t total) {
    unsigned *calls = self;
    ++*calls;
    return done > total ? -1 : 1;
}

static void a_build_can_be_called_off(void **state) {
    (void)state;
    enum { N = 2500000 };
    uint64_t *hashes = random_hashes(1, N);
    for (unsigned threads = 1; threads <= 3; threads++) {
        books b;
        unsigned calls = 0;
        sito_memory mem = memory_with(&b);
        sito_plan plan = plan_of(N, 8, 4);
        plan.threads = threads, plan.watch = stop_at_once, plan.watch_self = &calls;
        sito_filter *f = NULL;
        assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_ECANCEL);
        assert_true(f == NULL && calls == 1 && b.live == 0);
    }
    free(hashes);
}

/* ---- plans ---- */

static void space_is_what_was_promised(void **state) {
    (void)state;
    static const struct {
        uint64_t nkeys;
        double four, three;
    } rows[] = {{100, 1.6, 1.6},          {1000, 1.25, 1.35},      {1000000, 1.09, 1.13},
                {1500000, 1.09, 1.13},    {2400000, 1.09, 1.13},   {10000000, 1.08, 1.13},
                {12345678, 1.08, 1.13},   {100000000, 1.08, 1.13}, {1000000000, 1.08, 1.13},
                {30000000000, 1.08, 1.13}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (unsigned bits = 4; bits <= 32; bits++) {
            sito_plan four = plan_of(rows[r].nkeys, bits, 0),
                      three = plan_of(rows[r].nkeys, bits, 3);
            assert_int_equal(four.arity, 4);
            PROMISE(four.bits_per_key <= rows[r].four * bits, "%llu keys, 4-wise: %.4f",
                    (unsigned long long)rows[r].nkeys, four.bits_per_key / bits);
            PROMISE(three.bits_per_key <= rows[r].three * bits, "%llu keys, 3-wise: %.4f",
                    (unsigned long long)rows[r].nkeys, three.bits_per_key / bits);
        }
    }
}

static void more_keys_never_need_less(void **state) {
    (void)state;
    for (unsigned arity = 3; arity <= 4; arity++) {
        uint64_t before = 0;
        for (uint64_t n = 1; n < 100000000; n += 1 + n / 300) {
            sito_plan plan = plan_of(n, 8, arity);
            PROMISE(plan.bytes >= before, "%llu keys need less", (unsigned long long)n);
            before = plan.bytes;
            sito_plan back = {.kind = SITO_FUSE, .ncells = plan.ncells, .arity = arity, .seed = 1};
            assert_int_equal(sito_plan_solve(&back), SITO_OK);
            PROMISE(back.nkeys >= n, "%llu keys in their own slots: %llu", (unsigned long long)n,
                    (unsigned long long)back.nkeys);
        }
    }
}

/* The rate is a power of two, and the next better one where a wish lies between. */
static void marks_are_as_wide_as_the_rate_needs(void **state) {
    (void)state;
    for (unsigned bits = 4; bits <= 32; bits++) {
        double rate = 1.0 / (double)((uint64_t)1 << bits);
        sito_plan at = {.kind = SITO_FUSE, .nkeys = 1000000, .fpr = rate, .seed = 1}, above = at;
        above.fpr = rate * 1.9;
        assert_int_equal(sito_plan_solve(&at), SITO_OK);
        assert_int_equal(sito_plan_solve(&above), SITO_OK);
        PROMISE(at.tag_bits == bits && above.tag_bits == bits, "%u bits: %u and %u", bits,
                at.tag_bits, above.tag_bits);
        PROMISE(at.real_fpr == rate, "%u bits: %g", bits, at.real_fpr);
    }
    sito_plan beyond = {.kind = SITO_FUSE, .nkeys = 1000, .fpr = 0x1p-33, .seed = 1};
    assert_int_equal(sito_plan_solve(&beyond), SITO_ELIMIT);
}

static void strangers_are_met_with_two_to_the_minus_bits(void **state) {
    (void)state;
    enum { N = 50000, ASKED = 4000000 };
    uint64_t *hashes = random_hashes(9, N);
    for (unsigned bits = 4; bits <= 14; bits++) {
        sito_plan plan = plan_of(N, bits, bits % 2 ? 3 : 4);
        sito_filter *f = built(&plan, hashes, N);
        double wrong = 0, expected = (double)ASKED / (double)(1 << bits);
        for (uint64_t i = 0; i < ASKED; i++) wrong += sito_maybe_hash(f, mixed(mixed(10) + i));
        double off = wrong - expected; /* five standard errors */
        PROMISE(off * off <= 25 * expected, "%u bits: %.0f, not %.0f", bits, wrong, expected);
        sito_free(f);
    }
    free(hashes);
}

static void wishes_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const struct {
        unsigned bits, arity;
        uint64_t nkeys, ncells;
        sito_rc rc;
    } rows[] = {{3, 0, 100, 0, SITO_EINVAL},       {33, 0, 100, 0, SITO_EINVAL},
                {8, 2, 100, 0, SITO_EINVAL},       {8, 5, 100, 0, SITO_EINVAL},
                {8, 4, 0, 7, SITO_EINVAL},         {8, 4, 100, 100, SITO_ELIMIT},
                {8, 4, 1000, 1240, SITO_ELIMIT},   {8, 4, UINT64_MAX, 0, SITO_ELIMIT},
                {8, 4, 0, UINT64_MAX, SITO_ELIMIT}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        sito_plan plan = {.kind = SITO_FUSE,
                          .tag_bits = rows[r].bits,
                          .arity = rows[r].arity,
                          .nkeys = rows[r].nkeys,
                          .ncells = rows[r].ncells};
        PROMISE(sito_plan_solve(&plan) == rows[r].rc, "row %zu", r);
    }
}

static void bytes_and_keys_give_the_widest_marks(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_FUSE, .nkeys = 1000000, .max_bytes = 2000000, .seed = 1};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_true(plan.tag_bits == 14 && plan.bytes <= 2000000);
    sito_plan room = {.kind = SITO_FUSE, .fpr = 0.01, .max_bytes = 1000000, .seed = 1};
    assert_int_equal(sito_plan_solve(&room), SITO_OK);
    assert_true(room.bytes <= 1000000 && room.bytes > 999000 && room.nkeys > 1050000);
}

/* ---- what it cannot ---- */

static void too_many_keys_are_refused(void **state) {
    (void)state;
    static const size_t sizes[] = {10, 1000, 100000, 2500000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        sito_plan plan = plan_of(sizes[s], 8, 4);
        size_t n = sizes[s] * 5 / 4;
        uint64_t *hashes = random_hashes(s, n);
        sito_filter *f = NULL;
        sito_rc rc = sito_build(&plan, NULL, hashes, n, &f);
        PROMISE(rc == SITO_EFULL && !f, "%zu keys for %zu: %d", n, sizes[s], rc);
        free(hashes);
    }
}

static void only_builds_fill_it(void **state) {
    (void)state;
    sito_plan plan = plan_of(100, 8, 4);
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_EUNABLE);
    uint64_t hash = 1;
    f = built(&plan, &hash, 1);
    image was = image_of(f);
    assert_int_equal(add_no(f, 1), SITO_EUNABLE);
    assert_int_equal(sito_add_hash(f, 2), SITO_EUNABLE);
    assert_int_equal(sito_remove_hash(f, 1), SITO_EUNABLE);
    assert_int_equal(sito_merge(f, f), SITO_EUNABLE);
    assert_int_equal(sito_clear(f), SITO_EUNABLE);
    assert_true(still_is(f, &was));
    sito_free(f);
}

static void a_filter_without_keys_says_no(void **state) {
    (void)state;
    sito_plan plan = plan_of(3000000, 4, 4);
    uint64_t hash = 5;
    sito_filter *none = built(&plan, NULL, 0), *one = built(&plan, &hash, 1);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        assert_false(sito_maybe_hash(none, mixed(i)));
        wrong += sito_maybe_hash(one, mixed(i));
    }
    /* All pieces but one have no key, and let nobody in. */
    double pieces = fact(one, "pieces");
    assert_true(pieces >= 3 && wrong > 0 && (double)wrong < 1.5 * 10000 / 16 / pieces);
    sito_free(none);
    sito_free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_can_be_built),
        cmocka_unit_test(batches_say_what_single_keys_say),
        cmocka_unit_test(large_sizes_can_be_built),
        cmocka_unit_test(copies_are_welcome),
        cmocka_unit_test(copies_in_pieces_are_welcome),
        cmocka_unit_test(one_hash_many_times_beside_others),
        cmocka_unit_test(hashes_in_a_row_are_as_good_as_any),
        cmocka_unit_test(hashes_chosen_for_one_piece_are_spread),
        cmocka_unit_test(pieces_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(copies_do_not_fill_the_room_of_each_thread),
        cmocka_unit_test(a_build_works_with_16_bytes_a_key),
        cmocka_unit_test(a_crowd_at_one_place_can_be_built),
        cmocka_unit_test(a_crowd_in_pieces_can_be_built),
        cmocka_unit_test(a_build_can_be_called_off),
        cmocka_unit_test(space_is_what_was_promised),
        cmocka_unit_test(more_keys_never_need_less),
        cmocka_unit_test(marks_are_as_wide_as_the_rate_needs),
        cmocka_unit_test(strangers_are_met_with_two_to_the_minus_bits),
        cmocka_unit_test(wishes_that_make_no_sense_are_refused),
        cmocka_unit_test(bytes_and_keys_give_the_widest_marks),
        cmocka_unit_test(too_many_keys_are_refused),
        cmocka_unit_test(only_builds_fill_it),
        cmocka_unit_test(a_filter_without_keys_says_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
