/* test_build_threads.c - kinds of k places a key, built on several threads: the bytes of one thread, the memory
 * of the caller, and an end when asked for it. */
#define _GNU_SOURCE /* the default of a stack's size */
#include "check.h"

#include "memory.h"
#include "no_threads.h"
#include "watcher.h"

enum { SEED = 42, MANY = 160000 };

#ifdef __SANITIZE_THREAD__ /* ten times as slow, and races are what it looks for */
static const unsigned thread_counts[] = {3};
enum { CROWD_STEP = 5 }; /* the first of them and the last */
#else
static const unsigned thread_counts[] = {1, 2, 3, 7};
enum { CROWD_STEP = 1 };
#endif

#define EACH_COUNT(t)                                                                              \
    for (const unsigned *t = thread_counts;                                                        \
         t < thread_counts + sizeof thread_counts / sizeof *thread_counts; t++)

/* Tables in numbers of cells that no number of parts divides; in the smaller ones all is carried in several
 * rounds, and counters of two bits overflow. */
static const sito_plan shapes[] = {
    {.kind = SITO_BLOOM, .nkeys = MANY, .ncells = 3800003, .nhashes = 7},
    {.kind = SITO_BLOOM, .nkeys = MANY, .ncells = 70001, .nhashes = 7},
    {.kind = SITO_BLOOM, .nkeys = MANY, .ncells = 40000037, .nhashes = 8},
    {.kind = SITO_PARTED, .nkeys = MANY, .ncells = 3800003, .nhashes = 7},
    {.kind = SITO_PARTED, .nkeys = MANY, .ncells = 900001, .nhashes = 17},
    {.kind = SITO_COUNTING, .nkeys = MANY, .ncells = 3800003, .nhashes = 7},
    {.kind = SITO_COUNTING, .nkeys = MANY, .ncells = 900001, .nhashes = 8, .cell_bits = 3},
    {.kind = SITO_COUNTING, .nkeys = MANY, .ncells = 70001, .nhashes = 7, .cell_bits = 2},
    {.kind = SITO_COMPACT, .nkeys = MANY, .fpr = 0.01},
};

#define EACH_SHAPE(plan)                                                                           \
    for (const sito_plan *plan = shapes; plan < shapes + sizeof shapes / sizeof *shapes; plan++)

/* What hashes may be like: all differ; some come again, soon or late; there are few of them; they rise; they crowd
 * in one corner of the table, or do so after a while. */
enum crowd { SPREAD, COPIES, FEW, RISING, CORNER, CORNER_LATER, CROWDS };

static uint64_t hash_at(enum crowd crowd, size_t i) {
    switch (crowd) {
    case COPIES: return mixed(i % 9 == 8 ? i / 3 : i);
    case FEW: return mixed(i % 1000);
    case RISING: return i * (UINT64_MAX / MANY) + mixed(i) % (UINT64_MAX / MANY);
    case CORNER: return mixed(i) >> 12;
    case CORNER_LATER: return mixed(i) >> (i > MANY / 2 ? 20 : 0);
    default: return mixed(i);
    }
}

static uint64_t *hashes_like(enum crowd crowd, size_t n) {
    uint64_t *hashes = malloc(n * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < n; i++) hashes[i] = hash_at(crowd, i);
    return hashes;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* One by one; those of a multiset in rising order, each once. */
static sito_filter *added(const sito_plan *plan, const uint64_t *hashes, size_t n) {
    sito_filter *f = filled(plan, 0, 0);
    bool is_set = is_multiset(plan->kind) || is(plan->kind, SITO_COMPACT);
    uint64_t *in_turn = malloc(n * sizeof *in_turn);
    assert_non_null(in_turn);
    memcpy(in_turn, hashes, n * sizeof *in_turn);
    if (is_set) qsort(in_turn, n, sizeof *in_turn, by_value);
    for (size_t i = 0; i < n; i++)
        if (!is_set || i == 0 || in_turn[i] != in_turn[i - 1])
            assert_true(sito_add_hash(f, in_turn[i]) >= 0);
    free(in_turn);
    return f;
}

static void bytes_are_those_of_adding(const sito_plan *shape, enum crowd crowd, size_t n) {
    sito_plan plan = *shape;
    plan.seed = SEED;
    uint64_t *hashes = hashes_like(crowd, n);
    sito_filter *alone = added(&plan, hashes, n);
    image expected = image_of(alone);
    EACH_COUNT(t) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_filter *f = NULL;
        plan.threads = *t;
        assert_int_equal(sito_build(&plan, &mem, hashes, n, &f), SITO_OK);
        image got = image_of(f);
        PROMISE(nkeys_of(f) == nkeys_of(alone), "%s, %u threads, crowd %d: %llu keys", plan.kind,
                *t, (int)crowd, (unsigned long long)nkeys_of(f));
        PROMISE(same_image(&got, &expected), "%s, %u threads, crowd %d: other bytes", plan.kind, *t,
                (int)crowd);
        free(got.bytes);
        sito_free(f);
        PROMISE(!b.broken && b.live == 0, "%s: memory on another thread, or lost", plan.kind);
    }
    free(expected.bytes);
    free(hashes);
    sito_free(alone);
}

static void a_threaded_build_is_that_of_one(void **state) {
    (void)state;
    EACH_SHAPE(plan)
    for (enum crowd crowd = SPREAD; crowd < CROWDS; crowd += CROWD_STEP) {
        if (is(plan->kind, SITO_COMPACT) && crowd >= CORNER) continue; /* it would not hold them */
        bytes_are_those_of_adding(plan, crowd, MANY);
    }
}

static void few_keys_are_as_good_as_many(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 31, 40000};
    EACH_SHAPE(plan)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        bytes_are_those_of_adding(plan, COPIES, sizes[i]);
}

/* More threads than parts, and than are ever started. */
static void too_many_threads_are_no_trouble(void **state) {
    (void)state;
    uint64_t *hashes = hashes_like(COPIES, MANY);
    EACH_SHAPE(shape) {
        sito_plan plan = *shape;
        plan.seed = SEED, plan.threads = 1000;
        sito_filter *f = NULL, *alone = added(&plan, hashes, MANY);
        assert_int_equal(sito_build(&plan, NULL, hashes, MANY, &f), SITO_OK);
        image expected = image_of(alone);
        PROMISE(still_is(f, &expected), "%s: other bytes", plan.kind);
        sito_free(f);
        sito_free(alone);
    }
    free(hashes);
}

/* ---- stopped ---- */

static void a_build_stops_at_any_call_of_its_watch(void **state) {
    (void)state;
    EACH_SHAPE(shape)
    for (enum crowd crowd = SPREAD; crowd < CROWDS; crowd += CORNER_LATER) {
        if (is(shape->kind, SITO_COMPACT) && crowd >= CORNER) continue;
        uint64_t *hashes = hashes_like(crowd, MANY);
        books b;
        sito_memory mem = memory_with(&b);
        struct watcher w = {.owner = pthread_self()};
        sito_filter *f = NULL;
        sito_plan plan = *shape;
        plan.seed = SEED, plan.threads = 3, plan.watch = watch, plan.watch_self = &w;
        assert_int_equal(sito_build(&plan, &mem, hashes, MANY, &f), SITO_OK);
        unsigned calls = w.calls;
        PROMISE(calls > 1 && !w.backwards, "%s: %u calls", plan.kind, calls);
        sito_free(f);
        /* Who sorts how much is chance: a few calls more or fewer. */
        for (unsigned stop = 1; stop <= calls; stop += 1 + calls / 5) {
            w = (struct watcher){.owner = pthread_self(), .stop_at = stop};
            f = NULL;
            sito_rc rc = sito_build(&plan, &mem, hashes, MANY, &f);
            PROMISE(w.calls <= stop && !w.backwards, "%s goes on", plan.kind);
            PROMISE(w.calls == stop ? rc == SITO_ECANCEL && !f : rc == SITO_OK && stop > 1,
                    "%s stopped at %u: %d", plan.kind, stop, rc);
            sito_free(f);
            PROMISE(b.live == 0 && !b.broken, "%s stopped at %u", plan.kind, stop);
        }
        free(hashes);
    }
}

/* ---- short of memory, or of threads ---- */

static void short_memory_is_told_or_done_without(void **state) {
    (void)state;
    uint64_t *hashes = hashes_like(SPREAD, MANY);
    EACH_SHAPE(shape) {
        sito_plan plan = *shape;
        plan.seed = SEED, plan.threads = 3;
        sito_filter *f = NULL;
        assert_int_equal(sito_build(&plan, NULL, hashes, MANY, &f), SITO_OK);
        image expected = image_of(f);
        sito_free(f);
        bool had_all = false;
        for (size_t at = 1; !had_all; at++) {
            books b;
            sito_memory mem = memory_with(&b);
            b.fail_at = at;
            f = NULL;
            sito_rc rc = sito_build(&plan, &mem, hashes, MANY, &f);
            had_all = b.calls < at;
            PROMISE(rc == SITO_OK || (!had_all && rc == SITO_ENOMEM && !f), "%s: %d", plan.kind,
                    rc);
            b.fail_at = 0;
            if (f) {
                image got = image_of(f);
                PROMISE(same_image(&got, &expected), "%s without request %zu", plan.kind, at);
                free(got.bytes);
            }
            sito_free(f);
            PROMISE(b.live == 0 && !b.broken, "%s without request %zu keeps some", plan.kind, at);
        }
        free(expected.bytes);
    }
    free(hashes);
}

#ifdef __GLIBC__
static void threads_that_do_not_start_are_made_up_for(void **state) {
    (void)state;
    struct no_threads was;
    no_threads_begin(&was);
    EACH_SHAPE(plan) bytes_are_those_of_adding(plan, COPIES, MANY);
    no_threads_end(&was);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_threaded_build_is_that_of_one),
        cmocka_unit_test(few_keys_are_as_good_as_many),
        cmocka_unit_test(too_many_threads_are_no_trouble),
        cmocka_unit_test(a_build_stops_at_any_call_of_its_watch),
        cmocka_unit_test(short_memory_is_told_or_done_without),
#ifdef __GLIBC__
        cmocka_unit_test(threads_that_do_not_start_are_made_up_for),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
