/* test_merge.c - whole filters: merged, folded, copied, cleared; and those that may only be read. */
#include "check.h"

#include <unistd.h>

#include "memory.h"

enum { SEED = 42, KEYS = 1000 };

/* ---- merge ---- */

static void merging_gives_the_filter_of_the_union(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_MERGE)) continue;
        sito_plan plan = plan_for(kind, 2 * KEYS, SEED);
        sito_filter *a = filled(&plan, 0, KEYS), *b = filled(&plan, KEYS, KEYS);
        sito_filter *both = filled(&plan, 0, 2 * KEYS);
        uint64_t sum = nkeys_of(a) + nkeys_of(b);
        image unchanged = image_of(b);
        assert_int_equal(sito_merge(a, b), SITO_OK);
        PROMISE(still_is(b, &unchanged), "%s: the other filter changed", kind);
        for (uint64_t i = 0; i < 2 * KEYS; i++)
            PROMISE(maybe_no(a, i), "%s forgot in merging", kind);
        image merged = image_of(a), whole = image_of(both);
        /* An exact table lies in the order its keys came. */
        if (takes_hashes(kind)) PROMISE(same_cells(&merged, &whole), "%s: not bit for bit", kind);
        uint64_t expected = is(kind, SITO_BITMAP) ? nkeys_of(both) : sum;
        PROMISE(nkeys_of(a) == expected, "%s: %llu keys, not %llu", kind,
                (unsigned long long)nkeys_of(a), (unsigned long long)expected);
        free(merged.bytes);
        free(whole.bytes);
        sito_free(a);
        sito_free(b);
        sito_free(both);
    }
}

static void merging_exact_filters_adds_their_counts(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (takes_hashes(kind)) continue;
        sito_plan plan = plan_for(kind, 10, SEED); /* grows while merging */
        sito_filter *a = filled(&plan, 0, 300), *b = filled(&plan, 200, 300);
        for (uint64_t i = 250; i < 300; i++) assert_int_equal(add_no(b, i), 0);
        assert_int_equal(sito_merge(a, b), SITO_OK);
        for (uint64_t i = 0; i < 600; i++) {
            numbered key = key_no(i);
            uint64_t n = 99,
                     truth = (i < 300 ? 1u : 0u) + (i >= 200 && i < 500) + (i >= 250 && i < 300);
            assert_int_equal(sito_count(a, key.bytes, 8, &n), SITO_OK);
            assert_int_equal(n, truth);
        }
        assert_int_equal(nkeys_of(a), 650);
        sito_free(a);
        sito_free(b);
    }
}

static void a_filter_may_be_merged_with_itself(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_MERGE)) continue;
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100);
        uint64_t before = nkeys_of(f);
        PROMISE(sito_merge(f, f) == SITO_OK, "%s", kind);
        for (uint64_t i = 0; i < 100; i++) PROMISE(maybe_no(f, i), "%s forgot", kind);
        PROMISE(nkeys_of(f) == (is(kind, SITO_BITMAP) ? before : 2 * before), "%s miscounts", kind);
        sito_free(f);
    }
}

/* Every way to be another filter. */
static void filters_of_another_shape_are_not_merged(void **state) {
    (void)state;
    static const sito_key secret = {.id = 1, .bytes = "fifteen letters"};
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_MERGE)) continue;
        sito_plan plan = plan_for(kind, 500, SEED), other[5];
        for (size_t i = 0; i < 5; i++) other[i] = plan;
        other[0].seed = SEED + 1;
        other[1].key = &secret;
        other[2].kind = is(kind, SITO_BLOOM) ? SITO_PARTED : SITO_BLOOM;
        other[3].nkeys = 50000;
        other[4].fpr = 0.00001;
        sito_filter *f = filled(&plan, 0, 500);
        for (size_t i = 0; i < 5; i++) {
            /* exact filters have no shape but their hash: they grow */
            if (i >= 3 && can(kind, SITO_CAN_GROW)) continue;
            sito_filter *g = filled(&other[i], 0, 10);
            image was = image_of(f), too = image_of(g);
            PROMISE(sito_merge(f, g) == SITO_ESHAPE, "%s, difference %zu", kind, i);
            PROMISE(still_is(f, &was) && still_is(g, &too), "%s: a refused merge changed a byte",
                    kind);
            sito_free(g);
        }
        sito_free(f);
    }
}

static void another_number_of_positions_is_another_shape(void **state) {
    (void)state;
    sito_plan a = {.kind = SITO_BLOOM, .nkeys = 100, .ncells = 1200, .nhashes = 3, .seed = SEED},
              b = a;
    b.nhashes = 4;
    sito_filter *f = filled(&a, 0, 10), *g = filled(&b, 0, 10);
    assert_int_equal(sito_merge(f, g), SITO_ESHAPE);
    sito_free(f);
    sito_free(g);
}

/* ---- unable, and read-only ---- */

static void unable_calls_change_nothing(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100), *twin = filled(&plan, 50, 100), *none = NULL;
        image was = image_of(f);
        numbered key = key_no(3);
        uint64_t hash = hash_no(f, 3), n = 77;
        size_t done = 77;
        if (!can(kind, SITO_CAN_ADD)) {
            PROMISE(add_no(f, 3) == SITO_EUNABLE && sito_add_hash(f, hash) == SITO_EUNABLE,
                    "%s adds", kind);
            PROMISE(sito_add_many(f, &hash, 1, NULL, &done) == SITO_EUNABLE && done == 0, "%s adds",
                    kind);
            PROMISE(sito_new(&plan, NULL, &none) == SITO_EUNABLE && !none, "%s is new", kind);
        }
        if (!can(kind, SITO_CAN_REMOVE)) {
            PROMISE(remove_no(f, 3) == SITO_EUNABLE, "%s removes", kind);
            PROMISE(sito_remove_hash(f, hash) == SITO_EUNABLE, "%s removes", kind);
            PROMISE(sito_remove_many(f, &hash, 1, NULL, &done) == SITO_EUNABLE && done == 0,
                    "%s removes", kind);
        }
        if (!can(kind, SITO_CAN_COUNT))
            PROMISE(sito_count(f, key.bytes, 8, &n) == SITO_EUNABLE && n == 77, "%s counts", kind);
        if (!can(kind, SITO_CAN_SHARE)) {
            PROMISE(sito_add_shared(f, hash) == SITO_EUNABLE, "%s shares", kind);
            PROMISE(sito_add_shared_many(f, &hash, 1) == SITO_EUNABLE, "%s shares", kind);
        }
        if (!can(kind, SITO_CAN_MERGE))
            PROMISE(sito_merge(f, twin) == SITO_EUNABLE, "%s merges", kind);
        if (!can(kind, SITO_CAN_BUILD))
            PROMISE(sito_build(&plan, NULL, &hash, 1, &none) == SITO_EUNABLE && !none, "%s builds",
                    kind);
        bool folds = is(kind, SITO_BLOOM) || is(kind, SITO_PARTED) || is(kind, SITO_BLOCK);
        if (!folds) PROMISE(sito_fold(f, 1) == SITO_EUNABLE, "%s folds", kind);
        PROMISE(still_is(f, &was), "%s: an unable call changed a byte", kind);
        sito_free(f);
        sito_free(twin);
    }
}

static void a_viewed_filter_is_read_only(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_MAP)) continue;
        sito_plan plan = plan_for(kind, 200, SEED);
        sito_filter *f = filled(&plan, 0, 200), *view = NULL;
        image im = image_of(f), was = image_of(f);
        assert_int_equal(sito_view(im.bytes, im.len, NULL, &view, NULL), SITO_OK);
        uint64_t hash = hash_no(view, 500);
        sito_info info;
        PROMISE(add_no(view, 500) == SITO_EUNABLE, "%s", kind);
        PROMISE(remove_no(view, 3) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_add_hash(view, hash) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_remove_hash(view, hash) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_add_many(view, &hash, 1, NULL, NULL) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_remove_many(view, &hash, 1, NULL, NULL) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_add_shared(view, hash) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_add_shared_many(view, &hash, 1) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_merge(view, f) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_fold(view, 1) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_clear(view) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_set_note(view, "testtest", "x", 1) == SITO_EUNABLE, "%s", kind);
        assert_int_equal(sito_look(view, &info), SITO_OK);
        PROMISE((info.can & (SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_GROW | SITO_CAN_SHARE)) == 0,
                "%s says a view can %#x", kind, info.can);
        PROMISE(same_image(&im, &was), "%s wrote into borrowed bytes", kind);
        for (uint64_t i = 0; i < 200; i++) PROMISE(maybe_no(view, i), "%s forgot", kind);
        PROMISE(sito_check(view, NULL) == SITO_OK, "%s", kind);

        sito_filter *own = NULL;
        assert_int_equal(sito_copy(view, NULL, &own), SITO_OK);
        if (can(kind, SITO_CAN_MERGE))
            PROMISE(sito_merge(own, view) == SITO_OK, "%s: from a view", kind);
        if (can(kind, SITO_CAN_ADD))
            PROMISE(add_no(own, 3) == 0, "%s: a copy of a view is not ours", kind);
        PROMISE(still_is(view, &was), "%s: the view changed", kind);
        sito_free(own);
        sito_free(view);
        sito_free(f);
        free(im.bytes);
    }
}

/* ---- copy and clear ---- */

static void a_copy_is_equal_and_on_its_own(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 400, SEED);
        sito_filter *f = filled(&plan, 0, 200), *copy = NULL;
        assert_int_equal(sito_set_note(f, "testtest", "keep me", 7), SITO_OK);
        image was = image_of(f);
        assert_int_equal(sito_copy(f, NULL, &copy), SITO_OK);
        image same = image_of(copy);
        PROMISE(same_image(&was, &same), "%s: the copy differs", kind);
        if (can(kind, SITO_CAN_ADD))
            for (uint64_t i = 200; i < 400; i++) assert_true(add_no(copy, i) >= 0);
        PROMISE(still_is(f, &was), "%s: writing to the copy changed the other", kind);
        sito_free(f);
        for (uint64_t i = 0; i < 200; i++) PROMISE(maybe_no(copy, i), "%s forgot", kind);
        free(same.bytes);
        sito_free(copy);
    }
}

static void a_cleared_filter_is_as_new(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_ADD)) continue;
        sito_plan plan = plan_for(kind, 400, SEED);
        sito_filter *f = filled(&plan, 0, 400), *fresh = filled(&plan, 0, 0);
        assert_int_equal(sito_set_note(f, "testtest", "keep me", 7), SITO_OK);
        assert_int_equal(sito_set_note(fresh, "testtest", "keep me", 7), SITO_OK);
        assert_int_equal(sito_clear(f), SITO_OK);
        PROMISE(nkeys_of(f) == 0, "%s", kind);
        for (uint64_t i = 0; i < 400; i++) PROMISE(!maybe_no(f, i), "%s remembers", kind);
        if (!can(kind, SITO_CAN_GROW)) {
            image was = image_of(fresh);
            PROMISE(still_is(f, &was), "%s: not as new", kind);
        }
        for (uint64_t i = 0; i < 400; i++)
            PROMISE(add_no(f, i) >= 0, "%s is of no further use", kind);
        for (uint64_t i = 0; i < 400; i++) PROMISE(maybe_no(f, i), "%s forgot", kind);
        sito_free(f);
        sito_free(fresh);
    }
}

/* ---- fold ---- */

static void a_folded_filter_is_the_smaller_filter(void **state) {
    (void)state;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_BLOCK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (unsigned halvings = 1; halvings <= 4; halvings++) {
            sito_plan large = {
                .kind = kinds[k], .nkeys = 100, .ncells = 24576, .nhashes = 8, .seed = SEED};
            sito_plan small = large;
            small.ncells >>= halvings;
            sito_filter *f = filled(&large, 0, 100), *g = filled(&small, 0, 100),
                        *slow = filled(&large, 0, 100);
            sito_info before, after;
            assert_int_equal(sito_look(f, &before), SITO_OK);
            PROMISE(sito_fold(f, halvings) == SITO_OK, "%s by %u", kinds[k], halvings);
            for (unsigned i = 0; i < halvings; i++) assert_int_equal(sito_fold(slow, 1), SITO_OK);
            for (uint64_t i = 0; i < 100; i++)
                PROMISE(maybe_no(f, i), "%s forgot in folding", kinds[k]);
            image folded = image_of(f), planned = image_of(g), steps = image_of(slow);
            PROMISE(same_cells(&folded, &planned), "%s by %u: not the smaller filter", kinds[k],
                    halvings);
            PROMISE(same_image(&folded, &steps), "%s: %u halvings are not as many folds", kinds[k],
                    halvings);
            assert_int_equal(sito_look(f, &after), SITO_OK);
            PROMISE(after.nkeys == before.nkeys, "%s: folding miscounts", kinds[k]);
            PROMISE(after.bytes == before.bytes >> halvings, "%s: %llu bytes", kinds[k],
                    (unsigned long long)after.bytes);
            PROMISE(after.present_fpr > before.present_fpr, "%s: no higher rate", kinds[k]);
            /* It is that filter to the rest of the world too. */
            PROMISE(sito_merge(f, g) == SITO_OK, "%s: cannot be merged with its like", kinds[k]);
            PROMISE(add_no(f, 5000) >= 0 && maybe_no(f, 5000), "%s: cannot be added to", kinds[k]);
            sito_filter *again = opened(&folded, NULL);
            sito_free(again);
            free(folded.bytes);
            free(planned.bytes);
            free(steps.bytes);
            sito_free(f);
            sito_free(g);
            sito_free(slow);
        }
    }
}

/* However small a table was folded, its like can be had and merged, or the fold is refused. */
static void a_folded_filter_has_its_like(void **state) {
    (void)state;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_BLOCK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        sito_plan plan = {.kind = kinds[k],
                          .nkeys = 300,
                          .ncells = 4096,
                          .nhashes = 8,
                          .seed = SEED},
                  like;
        sito_filter *f = filled(&plan, 0, 300), *twin = NULL;
        unsigned folds = 0;
        for (; sito_fold(f, 1) == SITO_OK; folds++) {
            PROMISE(sito_plan_like(f, &like) == SITO_OK, "%s after %u folds: no plan", kinds[k],
                    folds + 1);
            PROMISE(sito_new(&like, NULL, &twin) == SITO_OK, "%s: no filter like it", kinds[k]);
            PROMISE(sito_merge(twin, f) == SITO_OK, "%s: cannot be merged", kinds[k]);
            for (uint64_t i = 0; i < 300; i++) PROMISE(maybe_no(twin, i), "%s forgot", kinds[k]);
            sito_free(twin);
        }
        PROMISE(folds >= 2, "%s was folded %u times", kinds[k], folds);
        sito_free(f);
    }
}

static uint64_t resident_bytes(void) {
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    if (fscanf(f, "%*u %llu", &pages) != 1) pages = 0;
    fclose(f);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Tables that have pages of their own fold in place. From 24 MiB, where pages may be huge ones, to
 * less than a page; beside a table in somebody else's memory, which cannot. */
static void a_large_table_folds_as_a_small_one_and_gives_memory_back(void **state) {
    (void)state;
    enum { MANY = 20000, LARGEST = 3 << 26, TELLS = 4 << 20 };
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_BLOCK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned halvings = 1; halvings <= 3; halvings++) {
            sito_plan plan = {
                .kind = kinds[k], .nkeys = MANY, .ncells = LARGEST, .nhashes = 8, .seed = SEED};
            sito_filter *f = filled(&plan, 0, MANY), *g = NULL;
            sito_info before, after;
            books b;
            const sito_memory elsewhere = memory_with(&b);
            assert_int_equal(sito_copy(f, &elsewhere, &g), SITO_OK);
            assert_int_equal(sito_look(f, &before), SITO_OK);
            for (; before.bytes >= 4096; before = after) {
                uint64_t resident = resident_bytes();
                assert_int_equal(sito_fold(f, halvings), SITO_OK);
                uint64_t now = resident_bytes(), given = resident > now ? resident - now : 0;
                assert_int_equal(sito_fold(g, halvings), SITO_OK);
                assert_int_equal(sito_look(f, &after), SITO_OK);
                PROMISE(after.bytes == before.bytes >> halvings, "%s: %llu bytes", kinds[k],
                        (unsigned long long)after.bytes);
                /* What is resident is known roughly, and some pages nobody wrote. */
                PROMISE(!resident || before.bytes < TELLS ||
                            2 * given >= before.bytes - after.bytes,
                        "%s: of %llu bytes %lld came back", kinds[k],
                        (unsigned long long)before.bytes, (long long)given);
                image one = image_of(f), other = image_of(g);
                PROMISE(same_image(&one, &other), "%s: to %llu bytes by %u", kinds[k],
                        (unsigned long long)after.bytes, halvings);
                free(one.bytes);
                free(other.bytes);
            }
            assert_int_equal(sito_clear(f), SITO_OK);
            assert_true(add_no(f, 1) == 1 && maybe_no(f, 1));
            sito_free(f);
            sito_free(g);
            assert_true(!b.live && !b.broken);
        }
}

static void what_does_not_divide_is_not_folded(void **state) {
    (void)state;
    const unsigned halvings[] = {4, 5, 31, 32, 63, 64, UINT32_MAX};
    sito_plan plan = {
        .kind = SITO_BLOOM, .nkeys = 100, .ncells = 8 * 125, .nhashes = 3, .seed = SEED};
    sito_filter *f = filled(&plan, 0, 100);
    image was = image_of(f);
    for (size_t i = 0; i < sizeof halvings / sizeof *halvings; i++)
        assert_int_equal(sito_fold(f, halvings[i]), SITO_EINVAL);
    assert_true(still_is(f, &was));
    assert_int_equal(sito_fold(f, 3), SITO_OK);
    sito_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merging_gives_the_filter_of_the_union),
        cmocka_unit_test(merging_exact_filters_adds_their_counts),
        cmocka_unit_test(a_filter_may_be_merged_with_itself),
        cmocka_unit_test(filters_of_another_shape_are_not_merged),
        cmocka_unit_test(another_number_of_positions_is_another_shape),
        cmocka_unit_test(unable_calls_change_nothing),
        cmocka_unit_test(a_viewed_filter_is_read_only),
        cmocka_unit_test(a_copy_is_equal_and_on_its_own),
        cmocka_unit_test(a_cleared_filter_is_as_new),
        cmocka_unit_test(a_folded_filter_is_the_smaller_filter),
        cmocka_unit_test(a_folded_filter_has_its_like),
        cmocka_unit_test(a_large_table_folds_as_a_small_one_and_gives_memory_back),
        cmocka_unit_test(what_does_not_divide_is_not_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
