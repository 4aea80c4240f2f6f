/* test_laws.c - the laws of adding, removing, counting, batches and builds, for every kind that has them. */
#include "check.h"

enum { SEED = 42, KEYS = 2000 };

/* ---- false is a proof ---- */

static void never_forgets_a_key(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = filled(&plan, 0, KEYS);
        for (uint64_t i = 0; i < KEYS; i++) {
            PROMISE(maybe_no(f, i), "%s forgot key %llu", kind, (unsigned long long)i);
            PROMISE(sito_maybe_hash(f, hash_no(f, i)), "%s forgot the hash of %llu", kind,
                    (unsigned long long)i);
        }
        sito_free(f);
    }
}

static void an_empty_filter_denies_everything(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = filled(&plan, 0, 0);
        uint64_t yes = 0;
        for (uint64_t i = 0; i < 1000; i++) yes += maybe_no(f, i);
        PROMISE(yes == 0, "%s: %llu of 1000 in an empty filter", kind, (unsigned long long)yes);
        sito_free(f);
    }
}

/* Of nothing, in batches of nothing: the sanitizers look on. */
static void empty_batches_need_no_room(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind)
    for (size_t keys = 0; keys <= KEYS; keys += KEYS) {
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = filled(&plan, 0, keys);
        size_t done = 1;
        sito_hash_many(f, NULL, NULL, 0, NULL);
        sito_maybe_many(f, NULL, 0, NULL);
        sito_rc rc = sito_add_many(f, NULL, 0, NULL, &done);
        PROMISE(rc == SITO_OK ? done == 0 : rc == SITO_EUNABLE, "%s: added %zu", kind, done);
        rc = sito_remove_many(f, NULL, 0, NULL, NULL);
        PROMISE(rc == SITO_OK || rc == SITO_EUNABLE, "%s: removed none: %d", kind, rc);
        rc = sito_add_shared_many(f, NULL, 0);
        PROMISE(rc == (can(kind, SITO_CAN_SHARE) ? SITO_OK : SITO_EUNABLE), "%s: %d", kind, rc);
        sito_free(f);
    }
}

static void keys_of_any_length_are_kept(void **state) {
    (void)state;
    uint8_t text[1024];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)mixed(i);
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_ADD)) continue;
        sito_plan plan = plan_for(kind, sizeof text, SEED);
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        for (size_t len = 0; len < sizeof text; len++)
            PROMISE(sito_add(f, text, len) >= 0, "%s", kind);
        for (size_t len = 0; len < sizeof text; len++)
            PROMISE(sito_maybe(f, text, len), "%s forgot the first %zu bytes", kind, len);
        PROMISE(sito_maybe(f, NULL, 0), "%s: the empty key has two addresses", kind);
        sito_free(f);
    }
}

static void the_first_key_is_certainly_new(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_ADD)) continue;
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        PROMISE(add_no(f, 1) == 1, "%s", kind);
        PROMISE(add_no(f, 1) == 0, "%s", kind);
        sito_free(f);
    }
}

/* ---- multisets: an add that answered is owed one remove ---- */

static void every_add_is_owed_one_remove(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!is_multiset(kind)) continue;
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        for (uint64_t i = 0; i < 300; i++)
            for (uint64_t copy = 0; copy <= i % 3; copy++) PROMISE(add_no(f, i) >= 0, "%s", kind);
        for (uint64_t i = 0; i < 300; i++)
            for (uint64_t copy = 0; copy <= i % 3; copy++) {
                PROMISE(maybe_no(f, i), "%s denies a key with a copy left", kind);
                PROMISE(remove_no(f, i) == 1, "%s owes a remove", kind);
            }
        for (uint64_t i = 0; i < 300; i++) {
            PROMISE(!maybe_no(f, i), "%s: a key of no copies", kind);
            PROMISE(remove_no(f, i) == 0, "%s: removed what was not there", kind);
        }
        PROMISE(nkeys_of(f) == 0, "%s", kind);
        PROMISE(sito_check(f, NULL) == SITO_OK, "%s is not sound after removes", kind);
        sito_free(f);
    }
}

/* What is added and taken out again leaves nothing behind, however often: the table is crowded, so that keys
 * go out of their way, and whatever marks that way must be taken back too. */
static void removing_undoes_adding(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!is_multiset(kind) || can(kind, SITO_CAN_GROW)) continue;
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = filled(&plan, 0, KEYS / 4);
        sito_info before, after;
        assert_int_equal(sito_look(f, &before), SITO_OK);
        for (unsigned round = 0; round < 300; round++) {
            for (uint64_t i = KEYS / 4; i < KEYS; i++)
                PROMISE(add_no(f, i) >= 0, "%s, %u", kind, round);
            for (uint64_t i = KEYS; i-- > KEYS / 4;)
                PROMISE(remove_no(f, i) == 1, "%s, %u", kind, round);
        }
        assert_int_equal(sito_look(f, &after), SITO_OK);
        PROMISE(after.fill == before.fill && after.nkeys == before.nkeys, "%s keeps something",
                kind);
        PROMISE(after.present_fpr <= before.present_fpr * 1.001,
                "%s errs more than before: %g, then %g", kind, before.present_fpr,
                after.present_fpr);
        PROMISE(sito_check(f, NULL) == SITO_OK, "%s is not sound after removes", kind);
        for (uint64_t i = 0; i < KEYS / 4; i++) PROMISE(maybe_no(f, i), "%s forgot", kind);
        sito_free(f);
    }
}

/* Adds, removes of what is there, and questions in a fixed random order, beside a plain array of counts. */
static void agrees_with_a_plain_count_of_copies(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!is_multiset(kind)) continue;
        enum { UNIVERSE = 300, STEPS = 20000 };
        uint64_t copies[UNIVERSE] = {0}, total = 0;
        sito_plan plan = plan_for(kind, 3 * UNIVERSE, SEED);
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        for (uint64_t step = 0; step < STEPS; step++) {
            uint64_t dice = mixed(step), i = dice % UNIVERSE;
            if ((dice >> 40) % 2 && copies[i] < 3) {
                int added = add_no(f, i);
                PROMISE(added >= 0, "%s refused a planned key: %d", kind, added);
                if (added == 1) PROMISE(copies[i] == 0, "%s: a known key is certainly new", kind);
                copies[i]++, total++;
            } else if (copies[i] > 0) {
                PROMISE(remove_no(f, i) == 1, "%s owes a remove", kind);
                copies[i]--, total--;
            }
            PROMISE(copies[i] == 0 || maybe_no(f, i), "%s forgot a key", kind);
            if (step % 100 == 0) PROMISE(nkeys_of(f) == total, "%s miscounts", kind);
            if (step % 100 == 0) PROMISE(sito_check(f, NULL) == SITO_OK, "%s is unsound", kind);
        }
        for (uint64_t i = 0; i < UNIVERSE; i++) {
            numbered key = key_no(i);
            uint64_t n = 0;
            PROMISE(copies[i] == 0 || maybe_no(f, i), "%s forgot a key", kind);
            if (!can(kind, SITO_CAN_COUNT)) continue;
            assert_int_equal(sito_count(f, key.bytes, 8, &n), SITO_OK);
            PROMISE(n >= copies[i], "%s counts %llu of %llu", kind, (unsigned long long)n,
                    (unsigned long long)copies[i]);
            if (!takes_hashes(kind)) PROMISE(n == copies[i], "%s is not exact", kind);
        }
        sito_free(f);
    }
}

/* One key, over and over: at some point there may be no room for a copy, but none that answered is lost
 * and the filter does not grow without bounds. */
static void a_key_added_often_is_neither_swallowed_nor_explodes(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!is_multiset(kind)) continue;
        sito_plan plan = plan_for(kind, 500, SEED);
        sito_filter *f = filled(&plan, 1, 100);
        uint64_t stored = 0, removed = 0;
        for (unsigned i = 0; i < 100000; i++) {
            image was = {0};
            if (i < 1000) was = image_of(f);
            int added = add_no(f, 0);
            if (added >= 0) free(was.bytes);
            else {
                PROMISE(added == SITO_EFULL, "%s: %d", kind, added);
                if (was.bytes) PROMISE(still_is(f, &was), "%s: a refused add changed a byte", kind);
                break;
            }
            stored++;
        }
        PROMISE(sito_image_bytes(f) < 1 << 22, "%s exploded", kind);
        PROMISE(nkeys_of(f) == 100 + stored, "%s miscounts", kind);
        while (removed < stored && remove_no(f, 0) == 1) removed++;
        PROMISE(removed == stored || maybe_no(f, 0), "%s swallowed an add", kind);
        for (uint64_t i = 1; i <= 100; i++) PROMISE(maybe_no(f, i), "%s lost another key", kind);
        sito_free(f);
    }
}

/* ---- counting ---- */

static void nkeys_is_what_the_answers_said(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_ADD)) continue;
        sito_plan plan = plan_for(kind, 2 * KEYS, SEED); /* plans are for distinct keys */
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        uint64_t expected = 0;
        for (uint64_t i = 0; i < KEYS; i++) {
            int added = add_no(f, i % (3 * KEYS / 4)); /* a quarter of them twice */
            assert_true(added >= 0);
            expected += is_multiset(kind) || added == 1;
        }
        PROMISE(nkeys_of(f) == expected, "%s", kind);
        sito_free(f);
    }
}

static void bit_kinds_go_on_past_their_plan(void **state) {
    (void)state;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_COUNTING, SITO_BITMAP, SITO_BLOCK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        sito_plan plan = plan_for(kinds[k], 100, SEED);
        sito_filter *f = filled(&plan, 0, 100);
        sito_info before, after;
        assert_int_equal(sito_look(f, &before), SITO_OK);
        for (uint64_t i = 0; i < 1000; i++) PROMISE(add_no(f, i) >= 0, "%s", kinds[k]);
        for (uint64_t i = 0; i < 1000; i++) PROMISE(maybe_no(f, i), "%s", kinds[k]);
        assert_int_equal(sito_look(f, &after), SITO_OK);
        PROMISE(after.present_fpr > 3 * before.present_fpr, "%s does not tell: %g, then %g",
                kinds[k], before.present_fpr, after.present_fpr);
        PROMISE(after.real_fpr == before.real_fpr, "%s: the plan's promise changed", kinds[k]);
        sito_free(f);
    }
}

static void growing_kinds_go_on_past_their_plan(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_GROW)) continue;
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = filled(&plan, 0, 10);
        for (uint64_t i = 10; i < 20000; i++) PROMISE(add_no(f, i) >= 0, "%s", kind);
        uint64_t wrong = 0;
        for (uint64_t i = 0; i < 20000; i++) PROMISE(maybe_no(f, i), "%s forgot", kind);
        for (uint64_t i = 20000; i < 40000; i++) wrong += maybe_no(f, i);
        PROMISE(wrong <= (takes_hashes(kind) ? 300u : 0u), "%s: %llu of 20000", kind,
                (unsigned long long)wrong);
        sito_free(f);
    }
}

/* ---- batches ---- */

static uint64_t *hashes_of(const sito_plan *plan, uint64_t from, size_t n) {
    uint64_t *hashes = malloc((n + 1) * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < n; i++) {
        numbered key = key_no(from + i);
        hashes[i] = sito_hash_plan(plan, key.bytes, sizeof key.bytes);
    }
    return hashes;
}

static void batches_answer_as_single_calls_do(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        enum { N = 1003 }; /* no multiple of any batch */
        sito_plan plan = plan_for(kind, KEYS, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_filter *f = filled(&plan, 0, KEYS);
        uint64_t *hashes = hashes_of(&plan, KEYS - N / 2, N);
        uint8_t answers[N];
        for (size_t n = 0; n <= N; n = n < 70 ? n + 1 : 2 * n + 15) {
            memset(answers, 7, sizeof answers);
            sito_maybe_many(f, hashes, n, answers);
            for (size_t i = 0; i < n; i++)
                PROMISE(answers[i] == sito_maybe_hash(f, hashes[i]), "%s: answer %zu of %zu", kind,
                        i, n);
            if (n < N) PROMISE(answers[n] == 7, "%s wrote past %zu answers", kind, n);
        }
        numbered keys[N];
        const void *at[N];
        size_t lens[N];
        uint64_t got[N];
        for (size_t i = 0; i < N; i++) {
            keys[i] = key_no(KEYS - N / 2 + i);
            at[i] = keys[i].bytes;
            lens[i] = 8;
        }
        sito_hash_many(f, at, lens, N, got);
        PROMISE(memcmp(got, hashes, sizeof got) == 0, "%s: hash_many, hash_plan differ", kind);
        PROMISE(got[3] == hash_no(f, KEYS - N / 2 + 3), "%s: hash_many, hash_key differ", kind);
        free(hashes);
        sito_free(f);
    }
}

/* A filter much too small: whichever call refuses first, both ways must stop at the same key with the same
 * answers, and leave the same bytes. */
static void a_batch_stops_where_single_adds_would(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_ADD) || !takes_hashes(kind)) continue;
        enum { N = 700 };
        sito_plan plan = plan_for(kind, 60, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        uint64_t *hashes = hashes_of(&plan, 0, N);
        if (is(kind, SITO_BITMAP)) hashes[500] = UINT64_MAX; /* no such bit */
        sito_filter *one = NULL, *many = NULL;
        assert_int_equal(sito_new(&plan, NULL, &one), SITO_OK);
        assert_int_equal(sito_new(&plan, NULL, &many), SITO_OK);
        int8_t answers[N], singles[N];
        size_t stop = 0, done = SIZE_MAX;
        int rc = 0;
        for (; stop < N && rc >= 0; stop += rc >= 0) {
            rc = sito_add_hash(one, hashes[stop]);
            if (rc >= 0) singles[stop] = (int8_t)rc;
        }
        sito_rc refused = sito_add_many(many, hashes, N, answers, &done);
        PROMISE(done == stop, "%s: %zu in, not %zu", kind, done, stop);
        PROMISE(refused == (rc < 0 ? rc : SITO_OK), "%s: %d, not %d", kind, refused, rc);
        PROMISE(memcmp(answers, singles, done) == 0, "%s: other answers", kind);
        for (size_t i = is(kind, "aged") ? done - 60 : 0; i < done; i++)
            PROMISE(sito_maybe_hash(many, hashes[i]), "%s: not in", kind);
        image was = image_of(one);
        PROMISE(still_is(many, &was), "%s: other bytes", kind);
        bool must_refuse = is(kind, SITO_BITMAP) || is(kind, SITO_COMPACT) || is(kind, "cuckoo");
        if (must_refuse)
            PROMISE(rc < 0 && stop >= (is(kind, SITO_BITMAP) ? 500 : 60), "%s never refused", kind);

        sito_rc again = sito_add_many(many, hashes, 3, NULL, NULL);
        PROMISE(again <= 0, "%s: answers and done may be NULL", kind);
        free(hashes);
        sito_free(one);
        sito_free(many);
    }
}

static void a_refused_add_changes_no_byte(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_ADD) || can(kind, SITO_CAN_GROW) || is(kind, "aged")) continue;
        sito_plan plan = plan_for(kind, 50, SEED);
        sito_filter *f = filled(&plan, 0, 50);
        unsigned refused = 0;
        for (uint64_t i = 50; i < 1000; i++) {
            image was = image_of(f);
            int added = add_no(f, i);
            if (added >= 0) free(was.bytes);
            else PROMISE(still_is(f, &was), "%s: answer %d", kind, added);
            refused += added < 0;
        }
        for (uint64_t i = 0; i < 50; i++)
            PROMISE(maybe_no(f, i), "%s: 100 refusals lost a key", kind);
        if (is(kind, SITO_COMPACT) || is(kind, "cuckoo"))
            PROMISE(refused > 800, "%s: %u", kind, refused);
        sito_free(f);
    }
}

static void a_batch_of_removes_answers_as_single_ones_do(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_REMOVE) || !takes_hashes(kind)) continue;
        enum { N = 400 };
        sito_plan plan = plan_for(kind, N, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_filter *one = filled(&plan, 0, N / 2), *many = filled(&plan, 0, N / 2);
        uint64_t *hashes = hashes_of(&plan, 0, N);
        int8_t answers[N];
        size_t done = 0;
        assert_int_equal(sito_remove_many(many, hashes, N, answers, &done), SITO_OK);
        assert_int_equal(done, N);
        for (size_t i = 0; i < N; i++) {
            int gone = sito_remove_hash(one, hashes[i]);
            PROMISE(gone == answers[i], "%s: remove %zu: %d, not %d", kind, i, answers[i], gone);
            /* In a bitmap two keys may share a bit, and the second finds it cleared. */
            if (is_multiset(kind)) PROMISE(i >= N / 2 || gone == 1, "%s owes a remove", kind);
        }
        image was = image_of(one);
        PROMISE(still_is(many, &was), "%s: other bytes", kind);
        if (is(kind, SITO_BITMAP)) {
            hashes[2] = UINT64_MAX;
            assert_int_equal(sito_remove_many(many, hashes, N, answers, &done), SITO_EINVAL);
            assert_int_equal(done, 2);
        }
        free(hashes);
        sito_free(one);
        sito_free(many);
    }
}

/* ---- bitmap ---- */

static sito_filter *bitmap_of(unsigned u) {
    sito_plan plan = {.kind = SITO_BITMAP, .nkeys = 1, .ncells = UINT64_C(1) << u, .seed = SEED};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    return f;
}

static void a_bitmap_is_a_set_of_values(void **state) {
    (void)state;
    sito_filter *f = bitmap_of(10);
    for (uint64_t v = 0; v < 1024; v += 3) assert_int_equal(sito_add_hash(f, v), 1);
    for (uint64_t v = 0; v < 1024; v += 3) assert_int_equal(sito_add_hash(f, v), 0);
    for (uint64_t v = 0; v < 1024; v++) assert_int_equal(sito_maybe_hash(f, v), v % 3 == 0);
    assert_int_equal(nkeys_of(f), 342);
    for (uint64_t v = 0; v < 1024; v += 3) {
        assert_int_equal(sito_remove_hash(f, v), 1);
        assert_int_equal(sito_remove_hash(f, v), 0);
        assert_false(sito_maybe_hash(f, v));
    }
    assert_int_equal(nkeys_of(f), 0);
    sito_free(f);
}

static void a_bitmap_has_no_bit_beyond_its_last(void **state) {
    (void)state;
    const uint64_t beyond[] = {1024, 1025, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
    sito_filter *f = bitmap_of(10);
    assert_int_equal(sito_add_hash(f, 1023), 1);
    image was = image_of(f);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        uint8_t answer = 9;
        assert_int_equal(sito_add_hash(f, beyond[i]), SITO_EINVAL);
        assert_int_equal(sito_remove_hash(f, beyond[i]), SITO_EINVAL);
        assert_false(sito_maybe_hash(f, beyond[i]));
        sito_maybe_many(f, &beyond[i], 1, &answer);
        assert_int_equal(answer, 0);
    }
    assert_true(still_is(f, &was));
    sito_free(f);
}

/* Its hash calls make no error, so nothing but the size need be given, however small. */
static void a_bitmap_may_be_of_any_size(void **state) {
    (void)state;
    for (unsigned u = 1; u < 20; u++) {
        sito_plan plan = {.kind = SITO_BITMAP, .ncells = UINT64_C(1) << u};
        sito_filter *f = NULL;
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_plan again = plan;
        assert_int_equal(sito_plan_solve(&again), SITO_OK);
        assert_memory_equal(&again, &plan, sizeof plan);
        assert_true(plan.nkeys > 0 && plan.real_fpr <= plan.fpr && (u < 7 || plan.fpr == 0.01));
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        assert_int_equal(sito_add_hash(f, plan.ncells - 1), 1);
        assert_false(sito_maybe_hash(f, plan.ncells - 2));
        sito_free(f);
    }
    sito_plan wanted = {.kind = SITO_BITMAP, .ncells = 64, .fpr = 0.01};
    assert_int_equal(sito_plan_solve(&wanted), SITO_ELIMIT);
}

static void a_bitmap_hashes_keys_to_the_top_bits(void **state) {
    (void)state;
    sito_plan bloom = {.kind = SITO_BLOOM, .nkeys = 10, .seed = SEED};
    for (unsigned u = 1; u <= 20; u++) {
        sito_filter *f = bitmap_of(u);
        for (uint64_t i = 0; i < 100; i++) {
            numbered key = key_no(i);
            uint64_t whole = sito_hash_plan(&bloom, key.bytes, 8);
            assert_int_equal(hash_no(f, i), whole >> (64 - u));
            assert_true(add_no(f, i) >= 0);
            assert_true(sito_maybe_hash(f, whole >> (64 - u)));
        }
        sito_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_forgets_a_key),
        cmocka_unit_test(an_empty_filter_denies_everything),
        cmocka_unit_test(empty_batches_need_no_room),
        cmocka_unit_test(keys_of_any_length_are_kept),
        cmocka_unit_test(the_first_key_is_certainly_new),
        cmocka_unit_test(every_add_is_owed_one_remove),
        cmocka_unit_test(removing_undoes_adding),
        cmocka_unit_test(agrees_with_a_plain_count_of_copies),
        cmocka_unit_test(a_key_added_often_is_neither_swallowed_nor_explodes),
        cmocka_unit_test(nkeys_is_what_the_answers_said),
        cmocka_unit_test(bit_kinds_go_on_past_their_plan),
        cmocka_unit_test(growing_kinds_go_on_past_their_plan),
        cmocka_unit_test(batches_answer_as_single_calls_do),
        cmocka_unit_test(a_batch_stops_where_single_adds_would),
        cmocka_unit_test(a_refused_add_changes_no_byte),
        cmocka_unit_test(a_batch_of_removes_answers_as_single_ones_do),
        cmocka_unit_test(a_bitmap_is_a_set_of_values),
        cmocka_unit_test(a_bitmap_has_no_bit_beyond_its_last),
        cmocka_unit_test(a_bitmap_may_be_of_any_size),
        cmocka_unit_test(a_bitmap_hashes_keys_to_the_top_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
