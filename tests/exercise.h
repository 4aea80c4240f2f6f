/*
 * exercise.h - every call on a filter that came from bytes one cannot trust.
 *
 * Answers NULL if all went well, else a sentence on what did not. It is for filters whose cells may be
 * nonsense with sums made right: they may answer anything, but every call ends, memory stays safe, what
 * is added is found, and what is written can be opened again.
 */
#ifndef TESTS_EXERCISE_H
#define TESTS_EXERCISE_H

#include <sito/exact.h>
#include <sito/fuse.h>
#include <sito/linear.h>

#include "keys.h"

enum { EXERCISE_KEYS = 40, EXERCISE_FROM = 1000000 };

static inline int exercise_each(void *self, const void *key, size_t len, uint64_t count,
                                uint64_t value) {
    uint64_t *sum = self;
    for (size_t i = 0; i < len; i++) *sum += ((const uint8_t *)key)[i];
    *sum += count + value;
    return 0;
}

static inline const char *exercise_reading(const sito_filter *f) {
    sito_info info;
    const char *why = NULL;
    uint64_t hashes[EXERCISE_KEYS], n, sum = 0;
    uint8_t answers[EXERCISE_KEYS];
    uint32_t values[EXERCISE_KEYS], value;
    size_t note;
    double v;
    if (sito_look(f, &info) != SITO_OK) return "sito_look failed";
    if (!(info.fill >= 0 && info.fill <= 1)) return "fill is not a share";
    if (!(info.real_fpr >= 0 && info.real_fpr <= 1)) return "real_fpr is not a rate";
    if (!(info.present_fpr >= 0 && info.present_fpr <= 1)) return "present_fpr is not a rate";
    (void)sito_check(f, &why);
    for (uint64_t i = 0; i < EXERCISE_KEYS; i++) {
        numbered key = key_no(i);
        (void)maybe_no(f, i);
        (void)sito_count(f, key.bytes, 8, &n);
        (void)sito_exact_get(f, key.bytes, 8, &n);
        v = sito_linear_get(f, key.bytes, 8) - sito_linear_get_mid(f, key.bytes, 8);
        if (v > 0) return "a level's middle is below its foot";
        hashes[i] = i % 2 ? hash_no(f, i) : mixed(i);
    }
    sito_maybe_many(f, hashes, EXERCISE_KEYS, answers);
    for (size_t i = 0; i < EXERCISE_KEYS; i++)
        if (answers[i] != sito_maybe_hash(f, hashes[i])) return "a batch answers otherwise";
    if (sito_fuse_get_many(f, hashes, EXERCISE_KEYS, values, answers) == SITO_OK)
        for (size_t i = 0; i < EXERCISE_KEYS; i++)
            if (sito_fuse_get_hash(f, hashes[i], &value) != answers[i] ||
                values[i] != (answers[i] ? value : 0))
                return "a batch has other values";
    (void)sito_exact_each(f, exercise_each, &sum);
    for (size_t i = 0; sito_fact_at(f, i); i++)
        if (sito_fact(f, sito_fact_at(f, i), &v) != SITO_OK)
            return "a fact that is named does not answer";
    (void)sito_note(f, "testtest", &note);
    return NULL;
}

static inline const char *exercise_writing(sito_filter *f) {
    int added[EXERCISE_KEYS];
    sito_filter *copy = NULL;
    const char *wrong = NULL;
    sito_info info;
    if (sito_look(f, &info) != SITO_OK) return "sito_look failed";
    if (sito_copy(f, NULL, &copy) != SITO_OK) return "sito_copy failed";
    for (uint64_t i = 0; i < EXERCISE_KEYS; i++) added[i] = add_no(f, EXERCISE_FROM + i);
    /* An aged filter forgets by design. */
    if (!is(info.kind, "aged"))
        for (uint64_t i = 0; i < EXERCISE_KEYS; i++)
            if (added[i] >= 0 && !maybe_no(f, EXERCISE_FROM + i))
                wrong = "an added key is not found";
    uint64_t hash = mixed(5);
    int by_hash = sito_add_hash(f, hash);
    if (by_hash >= 0 && !sito_maybe_hash(f, hash)) wrong = "an added hash is not found";
    (void)sito_add_shared(f, mixed(6));
    (void)sito_merge(f, copy);
    for (uint64_t i = 0; i < EXERCISE_KEYS; i++) (void)remove_no(f, i);
    (void)sito_remove_hash(f, hash);
    (void)sito_exact_put(f, "heron", 5, 1);
    (void)sito_linear_put(f, "heron", 5, 0.5);
    (void)sito_linear_fade(f, 9, 10);
    (void)sito_set_note(f, "testtest", "note", 4);
    (void)sito_merge(copy, f);
    (void)sito_fold(copy, 1);
    if (!wrong) wrong = exercise_reading(copy);
    (void)sito_clear(copy);
    sito_free(copy);
    return wrong;
}

/* Its own image must be taken back, and be the same. */
static inline const char *exercise_rewriting(const sito_filter *f, const sito_how *how) {
    const char *wrong = NULL, *why = NULL;
    sito_filter *again = NULL;
    image im = image_of(f);
    if (im.len != sito_image_bytes(f)) wrong = "the image has another size than announced";
    if (!wrong && sito_from_image(im.bytes, im.len, how, &again, &why) != SITO_OK)
        wrong = why ? why : "refused without a reason";
    if (again && !still_is(again, &im)) wrong = "the image of the image differs";
    else if (!again) free(im.bytes);
    sito_free(again);
    return wrong;
}

/* Bytes as an image, by copy and by view. `accepted`, if not NULL, says whether any way took them. */
static inline const char *exercise_image(const uint8_t *bytes, size_t len, const sito_how *how,
                                         bool *accepted) {
    const char *wrong = NULL, *why = NULL;
    sito_filter *f = NULL, *view = NULL;
    sito_rc rc = sito_from_image(bytes, len, how, &f, &why);
    if (accepted) *accepted = rc == SITO_OK;
    if (rc != SITO_OK && (rc > 0 || !why || f)) return "refused without a reason";
    if (rc == SITO_OK) {
        wrong = exercise_reading(f);
        if (!wrong) wrong = exercise_rewriting(f, how);
        if (!wrong) wrong = exercise_writing(f);
        if (!wrong) wrong = exercise_reading(f);
        if (!wrong) wrong = exercise_rewriting(f, how);
        sito_free(f);
        f = NULL;
    }
    if (wrong) return wrong;
    why = NULL;
    rc = sito_view(bytes, len, how, &view, &why);
    if (rc != SITO_OK && (rc > 0 || !why || view)) return "a view refused without a reason";
    if (rc == SITO_OK) {
        wrong = exercise_reading(view);
        if (!wrong && add_no(view, 1) >= 0) wrong = "a view was written to";
        /* A view's cells are not verified; its copy may be written to all the same. */
        if (!wrong && sito_copy(view, NULL, &f) == SITO_OK) {
            wrong = exercise_writing(f);
            if (!wrong) wrong = exercise_reading(f);
            sito_free(f);
        }
        sito_free(view);
    }
    return wrong;
}

#endif
