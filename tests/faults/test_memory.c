/*
 * test_memory.c - no memory at the n-th request, for every n, once and for ever.
 *
 * A whole life of a filter is run again and again, each time with the next request failing, until a run
 * gets through. Each failing call says SITO_ENOMEM, changes nothing and keeps nothing.
 */
#include "check.h"

#include <sito/exact.h>

#include "memory.h"

enum { SEED = 42, KEYS = 60, MORE = 200 };

static const sito_key secret = {.id = 7, .bytes = "fifteen letters"};

struct life {
    const char *kind;
    const sito_memory *mem;
    books *books;
    sito_filter *f, *g, *copy, *back;
    uint64_t hashes[KEYS];
};

/* Writing an image takes memory too; these pictures are the test's own and take it for granted. */
static image picture(struct life *l, const sito_filter *f) {
    books held = *l->books;
    l->books->fail_at = 0;
    image im = image_of(f);
    PROMISE(l->books->live == held.live, "%s: sito_write keeps memory", l->kind);
    l->books->fail_at = held.fail_at;
    l->books->calls = held.calls;
    return im;
}

static bool is_still(struct life *l, const sito_filter *f, image *was) {
    image now = picture(l, f);
    bool same = same_image(&now, was);
    free(now.bytes);
    free(was->bytes);
    return same;
}

static sito_rc nowhere(void *self, const void *bytes, size_t n) {
    (void)self, (void)bytes, (void)n;
    return SITO_OK;
}

static void bury(struct life *l) {
    sito_free(l->f);
    sito_free(l->g);
    sito_free(l->copy);
    sito_free(l->back);
}

/* A call on `f` that failed: for want of memory, and the filter has the image it had. */
static void left_alone(struct life *l, sito_filter *f, int rc, image *was, const char *what) {
    PROMISE(rc == SITO_ENOMEM, "%s: %s says %d", l->kind, what, rc);
    PROMISE(is_still(l, f, was), "%s: a failed %s changed the filter", l->kind, what);
}

static int add_all(struct life *l, sito_filter *f, uint64_t from, size_t n) {
    for (uint64_t i = from; i < from + n; i++) {
        image was = picture(l, f);
        int rc = add_no(f, i);
        if (rc < 0) {
            left_alone(l, f, rc, &was, "add");
            for (uint64_t j = from; j < i; j++) PROMISE(maybe_no(f, j), "%s forgot a key", l->kind);
            return rc;
        }
        free(was.bytes);
    }
    return 0;
}

/* `out` is looked at after the call: an argument would be read before. */
static int made(struct life *l, sito_rc rc, sito_filter *const *out, const char *what) {
    PROMISE(rc == SITO_OK || rc == SITO_ENOMEM, "%s: %s says %d", l->kind, what, rc);
    PROMISE((rc == SITO_OK) == (*out != NULL), "%s: %s and its filter disagree", l->kind, what);
    return rc;
}

/* 0, or the failure it met. */
static int live(struct life *l, const sito_plan *plan) {
    int rc;
    if (can(l->kind, SITO_CAN_ADD)) {
        rc = made(l, sito_new(plan, l->mem, &l->f), &l->f, "new");
        if (rc == SITO_OK) rc = add_all(l, l->f, 0, can(l->kind, SITO_CAN_GROW) ? MORE : KEYS);
        if (rc < 0) return rc;
    }
    if (can(l->kind, SITO_CAN_BUILD)) {
        rc = made(l, sito_build(plan, l->mem, l->hashes, KEYS, &l->g), &l->g, "build");
        if (rc < 0) return rc;
    }
    sito_filter *f = l->f ? l->f : l->g;
    image was = picture(l, f);
    rc = sito_set_note(f, "testtest", "a note of twenty-five byt", 25);
    if (rc < 0) return left_alone(l, f, rc, &was, "note"), rc;
    free(was.bytes);

    was = picture(l, f);
    rc = made(l, sito_copy(f, l->mem, &l->copy), &l->copy, "copy");
    PROMISE(is_still(l, f, &was), "%s: copying changed the filter", l->kind);
    if (rc < 0) return rc;
    was = picture(l, f);
    PROMISE(is_still(l, l->copy, &was), "%s: half a copy", l->kind);

    rc = sito_write(f, nowhere, NULL);
    PROMISE(rc == SITO_OK || rc == SITO_ENOMEM, "%s: write says %d", l->kind, rc);
    if (rc < 0) return rc;
    image im = picture(l, f);
    sito_how how = {.mem = l->mem, .key = plan->key};
    const char *why = NULL;
    rc = made(l, sito_from_image(im.bytes, im.len, &how, &l->back, &why), &l->back, "from_image");
    if (rc < 0) PROMISE(why != NULL, "%s: from_image gives no reason", l->kind);
    sito_filter *view = NULL;
    if (rc == SITO_OK && can(l->kind, SITO_CAN_MAP)) {
        rc = made(l, sito_view(im.bytes, im.len, &how, &view, &why), &view, "view");
        sito_free(view);
    }
    free(im.bytes);
    if (rc < 0) return rc;

    if (can(l->kind, SITO_CAN_ADD)) {
        rc = add_all(l, l->back, 500, can(l->kind, SITO_CAN_GROW) ? MORE : 5);
        if (rc < 0) return rc;
    }
    if (can(l->kind, SITO_CAN_MERGE)) {
        image before = picture(l, l->copy);
        rc = sito_merge(l->copy, l->back);
        if (rc < 0) return left_alone(l, l->copy, rc, &before, "merge"), rc;
        free(before.bytes);
    }
    if (!takes_hashes(l->kind)) {
        image before = picture(l, l->copy);
        rc = sito_exact_put(l->copy, "a key with a value", 18, 5);
        if (rc < 0) return left_alone(l, l->copy, rc, &before, "put"), rc;
        free(before.bytes);
        before = picture(l, l->copy);
        rc =
            sito_exact_put(l->copy, key_no(1).bytes, 8, 5); /* its record has no room for a value */
        if (rc < 0) return left_alone(l, l->copy, rc, &before, "put"), rc;
        free(before.bytes);
    }
    bool folds = is(l->kind, SITO_BLOOM) || is(l->kind, SITO_PARTED) || is(l->kind, SITO_BLOCK);
    if (folds) {
        image before = picture(l, l->copy);
        rc = sito_fold(l->copy, 1);
        if (rc < 0 && rc != SITO_EINVAL) return left_alone(l, l->copy, rc, &before, "fold"), rc;
        free(before.bytes);
    }
    was = picture(l, l->back);
    rc = sito_clear(l->back);
    if (rc < 0 && rc != SITO_EUNABLE) return left_alone(l, l->back, rc, &was, "clear"), rc;
    free(was.bytes);
    return 0;
}

static void every_failure_is_survived(const char *kind, bool keyed, bool for_ever) {
    size_t last = 0;
    for (size_t at = 1;; at++) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_plan plan = plan_for(kind, KEYS + 10, keyed ? 0 : SEED);
        if (keyed) plan.key = &secret;
        if (can(kind, SITO_CAN_GROW)) plan.nkeys = 10;
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        struct life l = {.kind = kind, .mem = &mem, .books = &b};
        for (uint64_t i = 0; i < KEYS; i++) {
            numbered key = key_no(i);
            l.hashes[i] = sito_hash_plan(&plan, key.bytes, 8);
        }
        b.fail_at = at;
        b.for_ever = for_ever;
        int rc = live(&l, &plan);
        bool failed = b.calls >= at;
        PROMISE(rc < 0 || !failed, "%s: request %zu failed, and nobody noticed", kind, at);
        bury(&l);
        PROMISE(b.live == 0 && b.live_bytes == 0, "%s, request %zu: %zu bytes lost", kind, at,
                b.live_bytes);
        PROMISE(!b.broken, "%s, request %zu: a size, an alignment or a thread is wrong", kind, at);
        last = at;
        if (!failed) break;
        assert_true(at < 2000);
    }
    /* new, copy, from_image: a filter and its cells each, at the least. */
    PROMISE(last > 5, "%s: only %zu requests were tried", kind, last);
}

static void memory_fails_once(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        every_failure_is_survived(kind, false, false);
        every_failure_is_survived(kind, true, false);
    }
}

static void memory_fails_for_ever(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        every_failure_is_survived(kind, false, true);
        every_failure_is_survived(kind, true, true);
    }
}

/* After the failure there is memory again, and the same filter goes on. */
static void a_filter_goes_on_after_a_failure(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_GROW)) continue;
        books b;
        sito_memory mem = memory_with(&b);
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = NULL;
        assert_int_equal(sito_new(&plan, &mem, &f), SITO_OK);
        size_t failures = 0;
        for (uint64_t i = 0; i < 2000; i++) {
            b.fail_at = b.calls + 1; /* the very next request */
            int rc = add_no(f, i);
            b.fail_at = 0;
            if (rc == SITO_ENOMEM) {
                failures++;
                PROMISE(!maybe_no(f, i) || takes_hashes(kind), "%s has what it refused", kind);
                rc = add_no(f, i);
            }
            PROMISE(rc >= 0, "%s: %d", kind, rc);
        }
        PROMISE(failures > 3, "%s: it never grew", kind);
        for (uint64_t i = 0; i < 2000; i++) PROMISE(maybe_no(f, i), "%s forgot", kind);
        uint64_t counted = nkeys_of(f), fewest = is_multiset(kind) ? 2000 : 1960; /* at 1 % */
        PROMISE(counted >= fewest && counted <= 2000, "%s: %llu keys", kind,
                (unsigned long long)counted);
        PROMISE(sito_check(f, NULL) == SITO_OK, "%s", kind);
        sito_free(f);
        assert_int_equal(b.live, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_fails_once),
        cmocka_unit_test(memory_fails_for_ever),
        cmocka_unit_test(a_filter_goes_on_after_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
