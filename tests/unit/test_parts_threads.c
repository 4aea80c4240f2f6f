/* test_parts_threads.c - builds in parts whose rounds are short: several of them, and eight of an eighth; a
 * table as by adding one by one, whatever memory is refused. */
#define PARTS_ROUND ((uint64_t)1 << 14)
#include "build/parts.c"

#include "check.h"
#include "memory.h"
#include "watcher.h"

enum { SEED = 42, BLOCKS = 140001, FIVE_ROUNDS = 70001, EIGHTHS = 300007 };

static uint64_t *some_hashes(size_t n) {
    uint64_t *hashes = malloc(n * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < n; i++) hashes[i] = mixed(i % 9 == 8 ? i / 3 : i);
    return hashes;
}

static sito_plan plan_of(size_t n, unsigned threads) {
    return (sito_plan){.kind = SITO_BLOCK,
                       .nkeys = n,
                       .ncells = 512 * BLOCKS,
                       .nhashes = 8,
                       .seed = SEED,
                       .threads = threads};
}

static image one_by_one(const uint64_t *hashes, size_t n) {
    sito_plan plan = plan_of(n, 1);
    sito_filter *f = filled(&plan, 0, 0);
    for (size_t i = 0; i < n; i++) assert_true(sito_add_hash(f, hashes[i]) >= 0);
    image cells = image_of(f);
    sito_free(f);
    return cells;
}

static void all_rounds_are_carried(void **state) {
    (void)state;
    assert_true((uint64_t)BLOCKS * 64 > NEAR_BYTES); /* else there are no parts */
    static const size_t sizes[] = {FIVE_ROUNDS, EIGHTHS};
    static const unsigned threads[] = {1, 2, 3, 7, 16};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t *hashes = some_hashes(sizes[s]);
        image expected = one_by_one(hashes, sizes[s]);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            sito_plan plan = plan_of(sizes[s], threads[t]);
            sito_filter *f = NULL;
            assert_int_equal(sito_build(&plan, NULL, hashes, sizes[s], &f), SITO_OK);
            image got = image_of(f);
            PROMISE(same_cells(&got, &expected), "%zu keys, %u threads: other cells", sizes[s],
                    threads[t]);
            free(got.bytes);
            sito_free(f);
        }
        free(expected.bytes);
        free(hashes);
    }
}

/* Without room for an eighth a short round will do, and without room for that none. */
static void short_memory_takes_shorter_rounds(void **state) {
    (void)state;
    uint64_t *hashes = some_hashes(EIGHTHS);
    image expected = one_by_one(hashes, EIGHTHS);
    size_t least_bytes = SIZE_MAX, most_bytes = 0;
    bool had_all = false;
    for (size_t at = 1; !had_all; at++) {
        books b;
        sito_memory mem = memory_with(&b);
        b.fail_at = at;
        sito_plan plan = plan_of(EIGHTHS, 3);
        sito_filter *f = NULL;
        sito_rc rc = sito_build(&plan, &mem, hashes, EIGHTHS, &f);
        had_all = b.calls < at;
        b.fail_at = 0;
        PROMISE(rc == SITO_OK || (rc == SITO_ENOMEM && !f && !had_all), "request %zu: %d", at, rc);
        if (f) {
            image got = image_of(f);
            PROMISE(same_cells(&got, &expected), "other cells without request %zu", at);
            free(got.bytes);
            if (b.most_bytes < least_bytes) least_bytes = b.most_bytes;
            if (b.most_bytes > most_bytes) most_bytes = b.most_bytes;
        }
        sito_free(f);
        PROMISE(b.live == 0 && !b.broken, "request %zu keeps some", at);
    }
    PROMISE(least_bytes < most_bytes, "no build took less than %zu bytes", most_bytes);
    free(expected.bytes);
    free(hashes);
}

/* From round to round the watch never goes back, and ends a build wherever it says so. */
static void a_watch_sees_rounds_go_by(void **state) {
    (void)state;
    uint64_t *hashes = some_hashes(EIGHTHS);
    struct watcher w = {.owner = pthread_self()};
    sito_plan plan = plan_of(EIGHTHS, 3);
    sito_filter *f = NULL;
    plan.watch = watch, plan.watch_self = &w;
    assert_int_equal(sito_build(&plan, NULL, hashes, EIGHTHS, &f), SITO_OK);
    sito_free(f);
    unsigned calls = w.calls;
    PROMISE(calls > 8 && !w.backwards, "%u calls", calls);
    for (unsigned stop = 1; stop <= calls; stop += 1 + calls / 9) {
        books b;
        sito_memory mem = memory_with(&b);
        w = (struct watcher){.owner = pthread_self(), .stop_at = stop};
        f = NULL;
        sito_rc rc = sito_build(&plan, &mem, hashes, EIGHTHS, &f);
        PROMISE(w.calls <= stop && !w.backwards, "goes on after call %u", stop);
        PROMISE(w.calls == stop ? rc == SITO_ECANCEL && !f : rc == SITO_OK, "stopped at %u: %d",
                stop, rc);
        sito_free(f);
        PROMISE(b.live == 0 && !b.broken, "stopped at %u", stop);
    }
    free(hashes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rounds_are_carried),
        cmocka_unit_test(short_memory_takes_shorter_rounds),
        cmocka_unit_test(a_watch_sees_rounds_go_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
