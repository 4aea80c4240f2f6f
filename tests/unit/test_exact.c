/* test_exact.c - the complete dictionaries: no error, whole keys, a value with each; no writing by hash. */
#include "check.h"

#include <sito/exact.h>

#include "memory.h"

enum { SEED = 42, KEYS = 2000 };

static void exact_filters_refuse_writes_by_hash(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100), *built = NULL;
        image was = image_of(f);
        uint64_t inside = hash_no(f, 5), outside = hash_no(f, 500);
        size_t done = 99;
        assert_int_equal(sito_add_hash(f, outside), SITO_EUNABLE);
        assert_int_equal(sito_remove_hash(f, inside), SITO_EUNABLE);
        assert_int_equal(sito_add_many(f, &outside, 1, NULL, &done), SITO_EUNABLE);
        assert_int_equal(done, 0);
        assert_int_equal(sito_remove_many(f, &inside, 1, NULL, NULL), SITO_EUNABLE);
        assert_int_equal(sito_build(&plan, NULL, &inside, 1, &built), SITO_EUNABLE);
        assert_null(built);
        assert_true(sito_maybe_hash(f, inside));
        assert_false(sito_maybe_hash(f, outside));
        assert_true(still_is(f, &was));
        sito_free(f);
    }
}

static void exact_filters_never_err(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = filled(&plan, 0, KEYS);
        for (uint64_t i = KEYS; i < 100 * KEYS; i++) assert_false(maybe_no(f, i));
        sito_free(f);
    }
}

static void an_exact_filter_keeps_a_value_with_each_key(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = NULL;
        uint64_t v = 99;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        assert_int_equal(sito_exact_put(f, "heron", 5, 7), 1);
        assert_int_equal(sito_exact_put(f, "heron", 5, 8), 0);
        assert_int_equal(sito_exact_get(f, "heron", 5, &v), 1);
        assert_int_equal(v, 8);
        assert_int_equal(sito_add(f, "stork", 5), 1);
        assert_int_equal(sito_exact_get(f, "stork", 5, &v), 1);
        assert_int_equal(v, 0);
        v = 99;
        assert_int_equal(sito_exact_get(f, "crane", 5, &v), 0);
        assert_int_equal(v, 99);
        assert_int_equal(nkeys_of(f), 2);
        assert_int_equal(sito_remove(f, "heron", 5), 1);
        assert_int_equal(sito_exact_get(f, "heron", 5, &v), 0);
        sito_free(f);
    }
}

struct tally {
    uint64_t keys, copies, values;
    uint8_t seen[500];
};

static int count_each(void *self, const void *key, size_t len, uint64_t count, uint64_t value) {
    struct tally *t = self;
    if (len != 8) return 1;
    uint64_t i = read_le(key, 8);
    if (i >= 500 || t->seen[i]++ || value != 3 * i) return 2;
    t->keys++, t->copies += count, t->values += value;
    return 0;
}

static int stop_at_once(void *self, const void *key, size_t len, uint64_t count, uint64_t value) {
    (void)key, (void)len, (void)count, (void)value;
    ++*(int *)self;
    return 5;
}

/* In both: its own value stays, and only a key without one takes the other's. */
static void merging_keeps_the_values(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *a = NULL, *b = NULL;
        uint64_t v = 99, n = 99;
        assert_int_equal(sito_new(&plan, NULL, &a), SITO_OK);
        assert_int_equal(sito_new(&plan, NULL, &b), SITO_OK);
        assert_int_equal(sito_exact_put(a, "own", 3, 1), 1);
        assert_int_equal(sito_add(a, "bare", 4), 1);
        assert_int_equal(sito_exact_put(b, "own", 3, 2), 1);
        assert_int_equal(sito_exact_put(b, "bare", 4, 3), 1);
        assert_int_equal(sito_exact_put(b, "fresh", 5, 4), 1);
        assert_int_equal(sito_merge(a, b), SITO_OK);
        assert_int_equal(sito_exact_get(a, "own", 3, &v), 1);
        assert_int_equal(v, 1);
        assert_int_equal(sito_exact_get(a, "bare", 4, &v), 1);
        assert_int_equal(v, 3);
        assert_int_equal(sito_exact_get(a, "fresh", 5, &v), 1);
        assert_int_equal(v, 4);
        assert_int_equal(sito_count(a, "bare", 4, &n), SITO_OK);
        assert_int_equal(n, 2);
        assert_int_equal(sito_check(a, NULL), SITO_OK);
        sito_free(a);
        sito_free(b);
    }
}

/* Growing takes two blocks: were the last third of the room taken key by key, there would be as
 * many steps as keys. */
static void a_limit_is_reached_in_few_steps(void **state) {
    (void)state;
    enum { LIMIT = 1 << 20, STEPS = 60 };
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        books b;
        sito_memory mem = memory_with(&b);
        sito_plan plan = {.nkeys = 100, .max_bytes = LIMIT, .seed = SEED, .kind = kind};
        sito_filter *f = NULL;
        sito_info info;
        int rc = 1;
        assert_int_equal(sito_new(&plan, &mem, &f), SITO_OK);
        for (uint64_t i = 0; rc == 1; i++) rc = add_no(f, i);
        assert_int_equal(rc, SITO_ELIMIT);
        assert_int_equal(sito_look(f, &info), SITO_OK);
        assert_true(info.bytes <= LIMIT && info.bytes > LIMIT * 0.99);
        assert_true(b.calls < 2 * STEPS);
        sito_free(f);
        assert_int_equal(b.live, 0);
    }
}

/* Through copies and merges too, which have room to spare. */
static void a_limit_is_kept_for_ever(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        for (uint64_t limit = 400; limit < 3000; limit += 37) {
            sito_plan plan = {.nkeys = 2, .max_bytes = limit, .seed = SEED, .kind = kind}, like;
            sito_filter *f = NULL, *other = NULL;
            sito_info info;
            uint64_t n = 0;
            assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
            while (add_no(f, n) == 1) n++;
            for (uint64_t i = 0; i < 50; i++) {
                assert_int_equal(sito_copy(f, NULL, &other), SITO_OK);
                sito_free(f);
                f = other;
                assert_int_equal(sito_plan_like(f, &like), SITO_OK);
                assert_int_equal(sito_new(&like, NULL, &other), SITO_OK);
                assert_int_equal(add_no(other, i % n), 1);
                assert_int_equal(remove_no(f, i % n), 1);
                assert_int_equal(sito_merge(f, other), SITO_OK);
                sito_free(other);
                assert_int_equal(sito_look(f, &info), SITO_OK);
                PROMISE(info.bytes <= limit && info.nkeys == n, "%s: %llu keys in %llu of %llu",
                        kind, (unsigned long long)info.nkeys, (unsigned long long)info.bytes,
                        (unsigned long long)limit);
            }
            sito_free(f);
        }
    }
}

static void each_visits_every_key_once(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, 10, SEED); /* so that it grows under way */
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        for (uint64_t i = 0; i < 500; i++) {
            numbered key = key_no(i);
            assert_int_equal(sito_exact_put(f, key.bytes, 8, 3 * i), 1);
            if (i % 2) assert_int_equal(add_no(f, i), 0);
        }
        struct tally t = {0};
        assert_int_equal(sito_exact_each(f, count_each, &t), 0);
        assert_int_equal(t.keys, 500);
        assert_int_equal(t.copies, 750);
        assert_int_equal(nkeys_of(f), 750);
        int calls = 0;
        assert_int_equal(sito_exact_each(f, stop_at_once, &calls), 5);
        assert_int_equal(calls, 1);
        sito_free(f);
    }
}

static void exact_calls_are_unable_on_other_kinds(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = filled(&plan, 0, 10);
        image was = image_of(f);
        uint64_t v = 0;
        int calls = 0;
        PROMISE(sito_exact_put(f, "heron", 5, 7) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_exact_get(f, "heron", 5, &v) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_exact_each(f, stop_at_once, &calls) == SITO_EUNABLE && calls == 0, "%s", kind);
        PROMISE(still_is(f, &was), "%s", kind);
        sito_free(f);
    }
}

static void removing_a_stranger_from_an_exact_filter_changes_nothing(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100);
        image was = image_of(f);
        for (uint64_t i = 100; i < 10000; i++) assert_int_equal(remove_no(f, i), 0);
        assert_true(still_is(f, &was));
        sito_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_filters_refuse_writes_by_hash),
        cmocka_unit_test(exact_filters_never_err),
        cmocka_unit_test(an_exact_filter_keeps_a_value_with_each_key),
        cmocka_unit_test(merging_keeps_the_values),
        cmocka_unit_test(a_limit_is_reached_in_few_steps),
        cmocka_unit_test(a_limit_is_kept_for_ever),
        cmocka_unit_test(each_visits_every_key_once),
        cmocka_unit_test(exact_calls_are_unable_on_other_kinds),
        cmocka_unit_test(removing_a_stranger_from_an_exact_filter_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
