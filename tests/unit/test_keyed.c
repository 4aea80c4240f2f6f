/* test_keyed.c - filters under a secret: the wrong key is an error, never "absent". */
#include "check.h"

enum { KEYS = 300 };

static const sito_key secret = {.id = 7,
                                .bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
static const sito_key other_bytes = {
    .id = 7, .bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17}};
static const sito_key other_id = {.id = 8,
                                  .bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};

static sito_plan keyed_plan(const char *kind) {
    sito_plan plan = plan_for(kind, 2 * KEYS, 0);
    plan.key = &secret;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    return plan;
}

static void the_right_key_finds_every_key(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = keyed_plan(kind);
        sito_filter *f = filled(&plan, 0, KEYS);
        image im = image_of(f);
        sito_how how = {.key = &secret};
        sito_filter *g = opened(&im, &how);
        for (uint64_t i = 0; i < KEYS; i++) {
            PROMISE(maybe_no(f, i), "%s forgot", kind);
            PROMISE(maybe_no(g, i), "%s forgot in its image", kind);
            PROMISE(hash_no(f, i) == hash_no(g, i), "%s hashes differently", kind);
        }
        free(im.bytes);
        sito_free(f);
        sito_free(g);
    }
}

/* Both in RAM and in the image: nobody can read the secret there. */
static void the_secret_is_not_in_the_image(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = keyed_plan(kind);
        sito_filter *f = filled(&plan, 0, 3);
        image im = image_of(f);
        for (size_t at = 0; at + 16 <= im.len; at++)
            for (size_t half = 0; half < 16; half += 8)
                PROMISE(memcmp(im.bytes + at, secret.bytes + half, 8) != 0, "%s: the key at %zu",
                        kind, at);
        PROMISE(read_le(im.bytes + 32, 8) == 7, "%s: the key id is not named", kind);
        free(im.bytes);
        sito_free(f);
    }
}

static void a_wrong_key_is_an_error(void **state) {
    (void)state;
    const sito_key *const wrong[] = {NULL, &other_bytes, &other_id};
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = keyed_plan(kind);
        sito_filter *f = filled(&plan, 0, KEYS), *g = NULL;
        image im = image_of(f);
        for (size_t i = 0; i < 3; i++) {
            sito_how how = {.key = wrong[i]};
            const char *why = NULL;
            sito_rc rc = sito_from_image(im.bytes, im.len, &how, &g, &why);
            PROMISE(rc == SITO_EKEY && why && !g, "%s, wrong key %zu: %d", kind, i, rc);
            why = NULL;
            rc = sito_view(im.bytes, im.len, &how, &g, &why);
            PROMISE(rc == SITO_EKEY && why && !g, "%s, wrong key %zu: %d", kind, i, rc);
        }
        free(im.bytes);
        sito_free(f);
    }
}

static void a_key_for_an_open_filter_is_an_error(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, KEYS, 42);
    sito_filter *f = filled(&plan, 0, KEYS), *g = NULL;
    image im = image_of(f);
    sito_how how = {.key = &secret};
    const char *why = NULL;
    assert_int_equal(sito_from_image(im.bytes, im.len, &how, &g, &why), SITO_EKEY);
    assert_null(g);
    assert_non_null(why);
    free(im.bytes);
    sito_free(f);
}

static void without_the_key_no_key_is_denied(void **state) {
    (void)state;
    const sito_how nokey = {.flags = SITO_NOKEY};
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = keyed_plan(kind), like;
        sito_filter *f = filled(&plan, 0, KEYS);
        image im = image_of(f);
        sito_filter *g = opened(&im, &nokey);
        sito_info info;
        numbered key = key_no(1);
        uint64_t n = 77, before = KEYS;
        for (uint64_t i = 0; i < 10 * KEYS; i++)
            PROMISE(maybe_no(g, i), "%s denied without its key", kind);
        sito_maybe_many(g, NULL, 0, NULL); /* the sanitizers look on */
        PROMISE(add_no(g, 1) == (can(kind, SITO_CAN_ADD) ? SITO_EKEY : SITO_EUNABLE), "%s adds",
                kind);
        PROMISE(remove_no(g, 1) == (can(kind, SITO_CAN_REMOVE) ? SITO_EKEY : SITO_EUNABLE),
                "%s removes", kind);
        PROMISE(sito_count(g, key.bytes, 8, &n) ==
                    (can(kind, SITO_CAN_COUNT) ? SITO_EKEY : SITO_EUNABLE),
                "%s counts", kind);
        PROMISE(n == 77, "%s wrote a count", kind);
        PROMISE(hash_no(g, 1) == 0, "%s hashes", kind);
        PROMISE(sito_plan_like(g, &like) == SITO_EKEY, "%s plans", kind);
        PROMISE(sito_check(g, NULL) == SITO_OK, "%s", kind);
        assert_int_equal(sito_look(g, &info), SITO_OK);
        before = nkeys_of(f);
        PROMISE(info.nkeys == before, "%s: %llu keys", kind, (unsigned long long)info.nkeys);
        PROMISE(still_is(g, &im), "%s: another image without its key", kind);
        sito_free(f);
        sito_free(g);
    }
}

static void filters_are_merged_without_the_key(void **state) {
    (void)state;
    const sito_how nokey = {.flags = SITO_NOKEY}, how = {.key = &secret};
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_MERGE)) continue;
        sito_plan plan = keyed_plan(kind);
        sito_filter *a = filled(&plan, 0, KEYS), *b = filled(&plan, KEYS, KEYS);
        image ia = image_of(a), ib = image_of(b);
        sito_filter *sealed = opened(&ia, &nokey), *more = opened(&ib, &nokey);
        PROMISE(sito_merge(sealed, more) == SITO_OK, "%s", kind);
        image merged = image_of(sealed);
        sito_filter *both = opened(&merged, &how);
        for (uint64_t i = 0; i < 2 * KEYS; i++) PROMISE(maybe_no(both, i), "%s forgot", kind);

        plan.key = &other_bytes; /* the same name, another secret: the check tag tells */
        sito_filter *foreign = filled(&plan, 0, KEYS);
        PROMISE(sito_merge(sealed, foreign) == SITO_ESHAPE, "%s merges under another key", kind);
        PROMISE(sito_merge(a, foreign) == SITO_ESHAPE, "%s merges under another key", kind);
        sito_filter *all[] = {a, b, sealed, more, both, foreign};
        for (size_t i = 0; i < 6; i++) sito_free(all[i]);
        free(ia.bytes);
        free(ib.bytes);
        free(merged.bytes);
    }
}

static void the_plan_of_a_keyed_filter_has_its_key(void **state) {
    (void)state;
    sito_plan plan = keyed_plan(SITO_BLOOM), like;
    sito_filter *f = filled(&plan, 0, KEYS), *g = NULL;
    assert_int_equal(sito_plan_like(f, &like), SITO_OK);
    assert_non_null(like.key);
    assert_memory_equal(like.key->bytes, secret.bytes, 16);
    assert_int_equal(like.key->id, 7);
    assert_int_equal(sito_new(&like, NULL, &g), SITO_OK);
    assert_int_equal(sito_merge(g, f), SITO_OK);
    sito_free(f); /* g must have its own copy of the key */
    for (uint64_t i = 0; i < KEYS; i++) assert_true(maybe_no(g, i));
    sito_free(g);
}

/* A key is copied: the caller may wipe his. */
static void the_callers_key_may_go(void **state) {
    (void)state;
    sito_key mine = secret;
    sito_plan plan = {.nkeys = KEYS, .kind = SITO_BLOOM, .key = &mine};
    sito_filter *f = filled(&plan, 0, KEYS);
    memset(&mine, 0, sizeof mine);
    for (uint64_t i = 0; i < KEYS; i++) assert_true(maybe_no(f, i));
    sito_free(f);
}

static _Alignas(64) uint8_t pool[1 << 20];
static size_t pool_used;

static void *pool_take(void *self, size_t bytes, size_t align, bool zeroed) {
    (void)self, (void)zeroed;
    size_t at = (pool_used + align - 1) / align * align;
    if (bytes > sizeof pool - at) return NULL;
    pool_used = at + bytes;
    return pool + at;
}

static void pool_give(void *self, void *block, size_t bytes) {
    (void)self, (void)block, (void)bytes;
}

/* Memory that stays readable after it is given back shows what was left in it. */
static void the_key_is_wiped_when_the_filter_is_freed(void **state) {
    (void)state;
    const sito_memory mem = {.take = pool_take, .give = pool_give};
    sito_plan plan = {.nkeys = KEYS, .kind = SITO_BLOOM, .key = &secret};
    sito_filter *f = NULL, *copy = NULL, *back = NULL;
    assert_int_equal(sito_new(&plan, &mem, &f), SITO_OK);
    assert_int_equal(sito_copy(f, &mem, &copy), SITO_OK);
    image im = image_of(f);
    sito_how how = {.key = &secret, .mem = &mem};
    assert_int_equal(sito_from_image(im.bytes, im.len, &how, &back, NULL), SITO_OK);
    sito_free(f);
    sito_free(copy);
    sito_free(back);
    assert_true(pool_used > 300);
    for (size_t at = 0; at + 8 <= pool_used; at++) {
        assert_true(memcmp(pool + at, secret.bytes, 8) != 0);
        assert_true(memcmp(pool + at, secret.bytes + 8, 8) != 0);
    }
    free(im.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_key_finds_every_key),
        cmocka_unit_test(the_secret_is_not_in_the_image),
        cmocka_unit_test(a_wrong_key_is_an_error),
        cmocka_unit_test(a_key_for_an_open_filter_is_an_error),
        cmocka_unit_test(without_the_key_no_key_is_denied),
        cmocka_unit_test(filters_are_merged_without_the_key),
        cmocka_unit_test(the_plan_of_a_keyed_filter_has_its_key),
        cmocka_unit_test(the_callers_key_may_go),
        cmocka_unit_test(the_key_is_wiped_when_the_filter_is_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
