/* test_build.c - filters made at once: a set of hashes, stored once each, from const input. */
#include "check.h"

#include "memory.h"
#include "watcher.h"

enum { SEED = 42 };

static uint64_t *hashes_of(const sito_plan *plan, uint64_t from, size_t n) {
    uint64_t *hashes = malloc((n + 1) * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < n; i++) {
        numbered key = key_no(from + i);
        hashes[i] = sito_hash_plan(plan, key.bytes, sizeof key.bytes);
    }
    return hashes;
}

static sito_filter *built(const sito_plan *plan, const uint64_t *hashes, size_t n) {
    sito_filter *f = NULL;
    sito_rc rc = sito_build(plan, NULL, hashes, n, &f);
    PROMISE(rc == SITO_OK && f, "%s: building %zu: %d", plan->kind, n, rc);
    return f;
}

static void a_build_needs_a_seed_or_a_key(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        sito_plan plan = plan_for(kind, 100, 0);
        sito_filter *f = NULL;
        uint64_t hash = 1;
        PROMISE(sito_build(&plan, NULL, &hash, 1, &f) == SITO_EINVAL && f == NULL, "%s", kind);
        sito_key key = {.id = 3, .bytes = "0123456789abcde"};
        plan.key = &key;
        PROMISE(sito_build(&plan, NULL, &hash, 1, &f) == SITO_OK, "%s with a key", kind);
        sito_free(f);
    }
}

static void a_build_has_every_key(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 31, 64, 100, 1000, 30000};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            size_t n = sizes[s];
            sito_plan plan = plan_for(kind, n ? n : 1, SEED);
            assert_int_equal(sito_plan_solve(&plan), SITO_OK);
            uint64_t *hashes = hashes_of(&plan, 0, n), *before = hashes_of(&plan, 0, n);
            sito_filter *f = built(&plan, hashes, n);
            PROMISE(memcmp(hashes, before, n * sizeof *hashes) == 0, "%s wrote into its input",
                    kind);
            for (size_t i = 0; i < n; i++) {
                PROMISE(sito_maybe_hash(f, hashes[i]), "%s forgot %zu of %zu", kind, i, n);
                PROMISE(maybe_no(f, i), "%s forgot key %zu of %zu", kind, i, n);
            }
            uint64_t wrong = 0;
            for (uint64_t i = 0; i < 10000; i++) wrong += maybe_no(f, 1000000 + i);
            PROMISE(wrong <= (n == 0 ? 0u : 300u), "%s of %zu: %llu of 10000", kind, n,
                    (unsigned long long)wrong);
            free(hashes);
            free(before);
            sito_free(f);
        }
    }
}

/* n = 0 with no array at all. */
static void nothing_can_be_built(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = built(&plan, NULL, 0);
        PROMISE(!maybe_no(f, 1) && nkeys_of(f) == 0, "%s", kind);
        sito_free(f);
    }
}

static void equal_hashes_are_stored_once(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        enum { N = 500 };
        sito_plan plan = plan_for(kind, N, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        uint64_t *once = hashes_of(&plan, 0, N), many[4 * N];
        for (size_t i = 0; i < 4 * N; i++) many[i] = once[(i * 7) % N];
        sito_filter *g = built(&plan, many, 4 * N);
        /* Bit kinds count what was certainly new: in another order a few more or fewer. */
        uint64_t counted = nkeys_of(g);
        PROMISE(counted <= N && counted >= N * 95 / 100, "%s: %llu keys", kind,
                (unsigned long long)counted);
        for (size_t i = 0; i < N; i++) PROMISE(sito_maybe_hash(g, once[i]), "%s forgot", kind);
        if (is_multiset(kind)) {
            PROMISE(counted == N, "%s: %llu keys", kind, (unsigned long long)counted);
            for (size_t i = 0; i < N; i++)
                PROMISE(sito_remove_hash(g, once[i]) == 1, "%s owes one", kind);
            for (size_t i = 0; i < N; i++)
                PROMISE(!sito_maybe_hash(g, once[i]), "%s owes two", kind);
        }
        free(once);
        sito_free(g);
    }
}

static void one_hash_a_million_times_is_one_key(void **state) {
    (void)state;
    enum { N = 1000000 };
    uint64_t *hashes = malloc(N * sizeof *hashes);
    assert_non_null(hashes);
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        for (size_t i = 0; i < N; i++) hashes[i] = is(kind, SITO_BITMAP) ? 5 : UINT64_MAX / 3;
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = built(&plan, hashes, N);
        PROMISE(nkeys_of(f) == 1 && sito_maybe_hash(f, hashes[0]), "%s", kind);
        sito_free(f);
    }
    free(hashes);
}

/* The bit kinds keep no order: built or added, in any order and by any number of threads, the cells agree. */
static void a_build_equals_adding_one_by_one(void **state) {
    (void)state;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_BITMAP, SITO_COUNTING, SITO_BLOCK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        enum { N = 20000 };
        sito_plan plan = plan_for(kinds[k], N, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        uint64_t *hashes = hashes_of(&plan, 0, N);
        sito_filter *f = built(&plan, hashes, N), *g = filled(&plan, 0, N);
        image a = image_of(f), b = image_of(g);
        PROMISE(same_cells(&a, &b), "%s", kinds[k]);
        uint64_t counted = nkeys_of(f);
        PROMISE(counted <= N && counted >= N * 95 / 100, "%s: %llu keys", kinds[k],
                (unsigned long long)counted);
        free(a.bytes);
        free(b.bytes);
        free(hashes);
        sito_free(f);
        sito_free(g);
    }
}

static void threads_change_nothing_but_the_time(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        enum { N = 200000 };
        sito_plan plan = plan_for(kind, N, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        uint64_t *hashes = hashes_of(&plan, 0, N);
        sito_filter *alone = built(&plan, hashes, N);
        image was = image_of(alone);
        static const unsigned counts[] = {1, 2, 3, 8};
        for (size_t t = 0; t < sizeof counts / sizeof *counts; t++) {
            books b;
            sito_memory mem = memory_with(&b);
            sito_filter *f = NULL;
            plan.threads = counts[t];
            assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_OK);
            image now = image_of(f);
            PROMISE(same_image(&now, &was), "%s with %u threads: other bytes", kind, counts[t]);
            free(now.bytes);
            sito_free(f);
            PROMISE(!b.broken && b.live == 0, "%s: memory on another thread, or lost", kind);
        }
        free(was.bytes);
        free(hashes);
        sito_free(alone);
    }
}

static void sequential_strided_and_sorted_hashes_are_kept(void **state) {
    (void)state;
    enum { N = 3000 };
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        sito_plan plan = plan_for(kind, N, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        for (unsigned shape = 0; shape < 5; shape++) {
            uint64_t hashes[N];
            for (uint64_t i = 0; i < N; i++) {
                uint64_t v = shape == 0   ? i
                             : shape == 1 ? i << 52
                             : shape == 2 ? UINT64_MAX - i
                             : shape == 3 ? i * (UINT64_MAX / N)
                                          : i << 32;
                hashes[i] = is(kind, SITO_BITMAP) ? v % plan.ncells : v;
            }
            sito_filter *f = NULL;
            sito_rc rc = sito_build(&plan, NULL, hashes, N, &f);
            /* Hashes that are no hashes may be more than a table can take; they are never lost. */
            PROMISE(rc == SITO_OK || rc == SITO_EFULL, "%s, shape %u: %d", kind, shape, rc);
            if (rc == SITO_OK)
                for (size_t i = 0; i < N; i++)
                    PROMISE(sito_maybe_hash(f, hashes[i]), "%s, shape %u", kind, shape);
            sito_free(f);
        }
    }
}

static void values_beyond_a_bitmap_cannot_be_built(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_BITMAP, .ncells = 1024, .seed = SEED};
    const uint64_t values[] = {0, 1023, 1024};
    sito_filter *f = NULL;
    assert_int_equal(sito_build(&plan, NULL, values, 3, &f), SITO_EINVAL);
    assert_null(f);
    assert_int_equal(sito_build(&plan, NULL, values, 2, &f), SITO_OK);
    assert_int_equal(nkeys_of(f), 2);
    sito_free(f);
}

/* Four million keys take far longer than the 10 ms after which a watch is called. */
static void a_watched_build_can_be_stopped(void **state) {
    (void)state;
    enum { N = 4000000 };
    uint64_t *hashes = malloc(N * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < N; i++) hashes[i] = mixed(i);
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        books b;
        sito_memory mem = memory_with(&b);
        struct watcher w = {.stop_at = 1, .owner = pthread_self()};
        sito_plan plan = {.kind = SITO_BLOOM,
                          .nkeys = N,
                          .seed = SEED,
                          .threads = threads,
                          .watch = watch,
                          .watch_self = &w};
        sito_filter *f = NULL;
        assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_ECANCEL);
        assert_null(f);
        assert_int_equal(w.calls, 1);
        assert_int_equal(b.live, 0);
        w = (struct watcher){.owner = pthread_self()};
        assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_OK);
        assert_true(w.calls >= 1);
        assert_false(w.backwards);
        sito_free(f);
        assert_false(b.broken);
    }
    free(hashes);
}

static void a_watch_never_hears_of_less_and_of_all_at_last(void **state) {
    (void)state;
    enum { N = 300000 };
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_BUILD)) continue;
        sito_plan plan = plan_for(kind, N, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        uint64_t *hashes = hashes_of(&plan, 0, N);
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            struct watcher w = {.owner = pthread_self()};
            plan.threads = threads, plan.watch = watch, plan.watch_self = &w;
            sito_free(built(&plan, hashes, N));
            PROMISE(!w.backwards && w.last == N, "%s, %u threads: %llu of %d at last", kind,
                    threads, (unsigned long long)w.last, N);
        }
        free(hashes);
    }
}

struct strides {
    struct watcher w;
    uint64_t longest;
};

static int see_stride(void *self, uint64_t done, uint64_t total) {
    struct strides *s = self;
    if (done > s->w.last + s->longest) s->longest = done - s->w.last;
    return watch(&s->w, done, total);
}

/* The last keys of a cuckoo filter take microseconds each: few of them make the 10 ms. */
static void a_watch_hears_of_every_few_thousand_slow_keys(void **state) {
    (void)state;
    enum { N = 50000 };
    struct strides s = {.w = {.owner = pthread_self()}};
    sito_plan plan = plan_for(SITO_CUCKOO, N, SEED);
    plan.watch = see_stride, plan.watch_self = &s;
    uint64_t *hashes = hashes_of(&plan, 0, N);
    sito_free(built(&plan, hashes, N));
    assert_int_equal(s.w.last, N);
    assert_in_range(s.longest, 1, 4096);
    free(hashes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_build_needs_a_seed_or_a_key),
        cmocka_unit_test(a_build_has_every_key),
        cmocka_unit_test(nothing_can_be_built),
        cmocka_unit_test(equal_hashes_are_stored_once),
        cmocka_unit_test(one_hash_a_million_times_is_one_key),
        cmocka_unit_test(a_build_equals_adding_one_by_one),
        cmocka_unit_test(threads_change_nothing_but_the_time),
        cmocka_unit_test(sequential_strided_and_sorted_hashes_are_kept),
        cmocka_unit_test(values_beyond_a_bitmap_cannot_be_built),
        cmocka_unit_test(a_watched_build_can_be_stopped),
        cmocka_unit_test(a_watch_never_hears_of_less_and_of_all_at_last),
        cmocka_unit_test(a_watch_hears_of_every_few_thousand_slow_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
