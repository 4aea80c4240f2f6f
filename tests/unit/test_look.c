/* test_look.c - what a filter tells of itself, the notes it carries, and the memory it lives in. */
#include "check.h"

#include <math.h>

#include "memory.h"

enum { SEED = 42, KEYS = 2000 };

/* ---- look and facts ---- */

static void look_tells_what_was_planned_and_done(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, KEYS, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_filter *f = filled(&plan, 0, KEYS);
        sito_info info;
        memset(&info, 0xee, sizeof info);
        assert_int_equal(sito_look(f, &info), SITO_OK);
        image im = image_of(f);
        PROMISE(is(info.kind, kind), "%s says it is %s", kind, info.kind);
        PROMISE(info.can == sito_abilities(kind), "%s can %#x", kind, info.can);
        PROMISE(info.capacity == KEYS, "%s: capacity %llu", kind,
                (unsigned long long)info.capacity);
        PROMISE(info.nkeys <= KEYS && info.nkeys >= KEYS * 98 / 100, "%s: %llu keys", kind,
                (unsigned long long)info.nkeys);
        PROMISE(info.wanted_fpr == 0.01, "%s wanted %g", kind, info.wanted_fpr);
        PROMISE(info.real_fpr == plan.real_fpr, "%s promised %g", kind, info.real_fpr);
        PROMISE(info.image_bytes == im.len && sito_image_bytes(f) == im.len,
                "%s: %zu bytes written", kind, im.len);
        PROMISE(info.bytes > 0 && info.bytes < im.len, "%s: %llu bytes", kind,
                (unsigned long long)info.bytes);
        double bits = 8 * (double)info.bytes / (double)info.nkeys;
        PROMISE(fabs(info.bits_per_key - bits) < 1e-9 * bits, "%s: %g bits a key", kind,
                info.bits_per_key);
        PROMISE(info.fill > 0 && info.fill <= 1, "%s: fill %g", kind, info.fill);
        for (size_t i = 0; i < 24; i++)
            PROMISE(info.reserved[i] == 0, "%s: rubbish in reserved", kind);
        free(im.bytes);
        sito_free(f);
    }
}

/* At capacity the present rate is the promised one, but for the chance in this filter's hashes: 15 %. */
static void the_present_rate_reaches_the_promised_one(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *empty = filled(&plan, 0, 0), *half = filled(&plan, 0, KEYS / 2);
        sito_filter *full = filled(&plan, 0, (size_t)promised_after(plan));
        sito_info zero, some, all;
        assert_int_equal(sito_look(empty, &zero), SITO_OK);
        assert_int_equal(sito_look(half, &some), SITO_OK);
        assert_int_equal(sito_look(full, &all), SITO_OK);
        PROMISE(zero.nkeys == 0 && zero.present_fpr == 0, "%s: %g when empty", kind,
                zero.present_fpr);
        if (can(kind, SITO_CAN_ADD))
            PROMISE(zero.fill == 0, "%s: fill %g when empty", kind, zero.fill);
        if (!takes_hashes(kind)) {
            PROMISE(all.present_fpr == 0 && all.real_fpr == 0, "%s errs", kind);
        } else {
            PROMISE(some.present_fpr > 0 && some.present_fpr < all.present_fpr * 1.0001, "%s",
                    kind);
            PROMISE(fabs(all.present_fpr - all.real_fpr) < 0.15 * all.real_fpr,
                    "%s: %g now, %g promised", kind, all.present_fpr, all.real_fpr);
        }
        sito_free(empty);
        sito_free(half);
        sito_free(full);
    }
}

static void every_fact_that_is_named_answers(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = filled(&plan, 0, KEYS);
        size_t facts = 0;
        for (const char *name; (name = sito_fact_at(f, facts)) != NULL; facts++) {
            double v = NAN;
            PROMISE(sito_fact(f, name, &v) == SITO_OK, "%s does not know its %s", kind, name);
            PROMISE(isfinite(v), "%s: %s is %g", kind, name, v);
            for (size_t i = 0; i < facts; i++)
                PROMISE(!is(name, sito_fact_at(f, i)), "%s: %s twice", kind, name);
            PROMISE(facts < 1000, "%s: facts without end", kind);
        }
        double v = 77;
        PROMISE(sito_fact(f, "no such fact", &v) == SITO_EINVAL && v == 77, "%s", kind);
        PROMISE(sito_fact(f, "", &v) == SITO_EINVAL && v == 77, "%s", kind);
        PROMISE(sito_fact_at(f, SIZE_MAX) == NULL, "%s", kind);
        sito_free(f);
    }
}

static void every_status_has_a_sentence(void **state) {
    (void)state;
    for (sito_rc rc = -11; rc <= 0; rc++) {
        assert_non_null(sito_strerror(rc));
        assert_true(strlen(sito_strerror(rc)) > 3);
        for (sito_rc other = -11; other < rc; other++)
            assert_true(strcmp(sito_strerror(rc), sito_strerror(other)) != 0);
    }
    assert_non_null(sito_strerror(-12));
    assert_non_null(sito_strerror(1));
    assert_non_null(sito_strerror(INT32_MIN));
    assert_string_equal(sito_version(), SITO_VERSION);
}

static void freeing_nothing_is_allowed(void **state) {
    (void)state;
    sito_free(NULL);
}

/* ---- notes ---- */

static void a_note_is_kept_for_its_owner(void **state) {
    (void)state;
    static uint8_t text[SITO_NOTE_MAX + 1];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)mixed(i);
    static const size_t sizes[] = {
        1, 7, 8, 55, 56, 57, 63, 64, 65, 1000, SITO_NOTE_MAX - 1, SITO_NOTE_MAX};
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 50, SEED);
        sito_filter *f = filled(&plan, 0, 50);
        image bare = image_of(f);
        size_t n = 77;
        PROMISE(sito_note(f, "hyphen  ", &n) == NULL, "%s: a note nobody wrote", kind);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            PROMISE(sito_set_note(f, "hyphen  ", text, sizes[s]) == SITO_OK, "%s: %zu bytes", kind,
                    sizes[s]);
            image im = image_of(f);
            PROMISE(sito_image_bytes(f) == im.len, "%s: the note is not counted in", kind);
            sito_filter *g = opened(&im, NULL), *copy = NULL;
            assert_int_equal(sito_copy(g, NULL, &copy), SITO_OK);
            sito_filter *const all[] = {f, g, copy};
            for (size_t i = 0; i < 3; i++) {
                const void *note = sito_note(all[i], "hyphen  ", &n);
                PROMISE(note && n == sizes[s] && memcmp(note, text, n) == 0, "%s: note lost", kind);
                PROMISE(sito_note(all[i], "hyphenx ", &n) == NULL, "%s: read by another", kind);
                PROMISE(sito_set_note(all[i], "hyphenx ", "mine", 4) == SITO_EFULL,
                        "%s: overwritten", kind);
            }
            for (uint64_t i = 0; i < 50; i++)
                PROMISE(maybe_no(g, i), "%s forgot beside a note", kind);
            sito_free(g);
            sito_free(copy);
            free(im.bytes);
        }
        image was = image_of(f);
        sito_rc rc = sito_set_note(f, "hyphen  ", text, SITO_NOTE_MAX + 1);
        PROMISE(rc == SITO_EINVAL || rc == SITO_ELIMIT, "%s: a byte too much: %d", kind, rc);
        rc = sito_set_note(f, "hyphen  ", text, SIZE_MAX - 7);
        PROMISE(rc == SITO_EINVAL || rc == SITO_ELIMIT, "%s: far too much: %d", kind, rc);
        PROMISE(still_is(f, &was), "%s: a refused note changed a byte", kind);
        PROMISE(sito_set_note(f, "hyphenx ", NULL, 0) != SITO_OK ||
                    sito_note(f, "hyphen  ", &n) != NULL,
                "%s: another took the note away", kind);
        assert_int_equal(sito_set_note(f, "hyphen  ", NULL, 0), SITO_OK);
        PROMISE(sito_note(f, "hyphen  ", &n) == NULL, "%s: the note stays", kind);
        PROMISE(still_is(f, &bare), "%s: the note left something", kind);
        assert_int_equal(sito_set_note(f, "hyphenx ", "mine", 4), SITO_OK);
        sito_free(f);
    }
}

static void nothing_has_no_note_and_no_image(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, 50, SEED);
    sito_filter *f = filled(&plan, 0, 50);
    size_t n;
    assert_int_equal(sito_set_note(f, "hyphen  ", "mine", 4), SITO_OK);
    assert_null(sito_note(f, NULL, &n));
    assert_null(sito_note(NULL, "hyphen  ", &n));
    assert_int_equal(sito_image_bytes(NULL), 0);
    sito_free(f);
}

/* ---- memory ---- */

static void all_memory_comes_from_the_hooks_and_returns(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_plan plan = plan_for(kind, KEYS, SEED);
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_filter *f = NULL, *copy = NULL, *back = NULL, *made = NULL;
        if (can(kind, SITO_CAN_ADD)) {
            assert_int_equal(sito_new(&plan, &mem, &f), SITO_OK);
            for (uint64_t i = 0; i < KEYS; i++) assert_true(add_no(f, i) >= 0);
            if (can(kind, SITO_CAN_GROW))
                for (uint64_t i = 0; i < 5 * KEYS; i++) assert_true(add_no(f, i) >= 0);
        }
        if (can(kind, SITO_CAN_BUILD)) {
            uint64_t *hashes = malloc(KEYS * sizeof *hashes);
            assert_non_null(hashes);
            for (uint64_t i = 0; i < KEYS; i++) {
                numbered key = key_no(i);
                hashes[i] = sito_hash_plan(&plan, key.bytes, 8);
            }
            assert_int_equal(sito_build(&plan, &mem, hashes, KEYS, &made), SITO_OK);
            free(hashes);
        }
        sito_filter *any = f ? f : made;
        assert_int_equal(sito_set_note(any, "testtest", "a note", 6), SITO_OK);
        assert_int_equal(sito_copy(any, &mem, &copy), SITO_OK);
        image im = image_of(any);
        sito_how how = {.mem = &mem};
        assert_int_equal(sito_from_image(im.bytes, im.len, &how, &back, NULL), SITO_OK);
        sito_info info;
        assert_int_equal(sito_look(back, &info), SITO_OK);
        PROMISE(b.live_bytes >= 3 * info.bytes, "%s lives elsewhere", kind);
        if (can(kind, SITO_CAN_MERGE)) assert_int_equal(sito_merge(copy, back), SITO_OK);
        sito_rc cleared = sito_clear(copy);
        assert_int_equal(cleared, can(kind, SITO_CAN_ADD) ? SITO_OK : SITO_EUNABLE);
        for (uint64_t i = 0; i < KEYS; i++)
            PROMISE(maybe_no(back, i), "%s forgot in rubbish memory", kind);
        free(im.bytes);
        sito_free(f);
        sito_free(made);
        sito_free(copy);
        sito_free(back);
        PROMISE(b.live == 0 && b.live_bytes == 0, "%s: %zu blocks, %zu bytes kept", kind, b.live,
                b.live_bytes);
        PROMISE(!b.broken, "%s: a size, alignment or thread is wrong", kind);
    }
}

/* A hook may answer NULL to a wish for nothing, as malloc() may. */
static void empty_filters_take_no_block_of_no_bytes(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = NULL, *copy = NULL, *back = NULL;
        if (can(kind, SITO_CAN_ADD)) assert_int_equal(sito_new(&plan, &mem, &f), SITO_OK);
        else assert_int_equal(sito_build(&plan, &mem, NULL, 0, &f), SITO_OK);
        assert_int_equal(sito_check(f, NULL), SITO_OK);
        assert_int_equal(sito_copy(f, &mem, &copy), SITO_OK);
        if (can(kind, SITO_CAN_MERGE)) assert_int_equal(sito_merge(copy, f), SITO_OK);
        image im = image_of(f);
        sito_how how = {.mem = &mem};
        assert_int_equal(sito_from_image(im.bytes, im.len, &how, &back, NULL), SITO_OK);
        free(im.bytes);
        sito_free(f);
        sito_free(copy);
        sito_free(back);
        PROMISE(!b.broken, "%s: a size, alignment or thread is wrong", kind);
    }
}

/* Below 1 as in its plan, though every stranger may be let in. */
static void a_filter_that_always_errs_tells_the_planned_rate(void **state) {
    (void)state;
    static const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_LINEAR};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        sito_plan plan = {
            .kind = kinds[k], .nkeys = 912, .ncells = 13, .nhashes = 1, .fpr = 0.9999999999999999};
        plan.seed = 42;
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        sito_filter *f = filled(&plan, 0, 0);
        sito_info info;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        PROMISE(info.real_fpr == plan.real_fpr && info.real_fpr < 1, "%s: %.17g, planned %.17g",
                kinds[k], info.real_fpr, plan.real_fpr);
        sito_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_tells_what_was_planned_and_done),
        cmocka_unit_test(the_present_rate_reaches_the_promised_one),
        cmocka_unit_test(every_fact_that_is_named_answers),
        cmocka_unit_test(every_status_has_a_sentence),
        cmocka_unit_test(freeing_nothing_is_allowed),
        cmocka_unit_test(a_note_is_kept_for_its_owner),
        cmocka_unit_test(nothing_has_no_note_and_no_image),
        cmocka_unit_test(all_memory_comes_from_the_hooks_and_returns),
        cmocka_unit_test(empty_filters_take_no_block_of_no_bytes),
        cmocka_unit_test(a_filter_that_always_errs_tells_the_planned_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
