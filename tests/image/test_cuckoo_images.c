/*
 * test_cuckoo_images.c - images of every cuckoo form, damaged by somebody who knows the format.
 *
 * The sums are made right again after each change. What the cells or the counters then say wrongly is refused
 * with a reason; what is let in is harmless to every call.
 */
#define _GNU_SOURCE
#include "check.h"

#include "cells/tags.h"
#include "cuckoo.h"
#include "exercise.h"
#include "folder.h"
#include "reseal.h"

enum { SEED = 42, KEYS = 11, AT_NKEYS = 48, AT_NCELLS = 80, AT_PARAMS = 88, AT_EXTRA = 96 };

/* Few moves, or the search for room would be most of the test. */
static sito_plan small_plan(struct form form) {
    sito_plan plan = table_of(form, 24, 13, SEED);
    plan.max_moves = 3;
    return plan;
}

static image sample(struct form form) {
    sito_plan plan = small_plan(form);
    sito_filter *f = filled(&plan, 0, KEYS - 6 * (form.bucket == 1));
    image im = image_of(f);
    sito_free(f);
    return im;
}

static struct tags tags_of(struct form form, const image *im) {
    size_t bytes;
    return tags_in((uint8_t *)(uintptr_t)cells_of(im, &bytes), 13, form.bucket,
                   is(form.layout, "sorted"));
}

/* Whole, as a view and as a copy of a view, it is either refused or harmless. */
static bool is_accepted(struct form form, image *im, const char *what, uint64_t at) {
    bool accepted = false;
    reseal(im->bytes, im->len);
    const char *wrong = exercise_image(im->bytes, im->len, NULL, &accepted);
    PROMISE(!wrong, FORM ", %s %llu: %s", OF_FORM(form), what, (unsigned long long)at, wrong);
    return accepted;
}

static void is_refused(struct form form, image *im, const char *what, uint64_t at) {
    PROMISE(!is_accepted(form, im, what, at), FORM ", %s %llu: accepted", OF_FORM(form), what,
            (unsigned long long)at);
}

/* ---- all of it ---- */

/* Every bit of the cells; of the rest, the forms share the bits. */
static void every_resealed_flip_is_harmless(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        image im = sample(form), hostile = sample(form);
        size_t accepted = 0, bytes, cells = (size_t)(cells_of(&im, &bytes) - im.bytes);
        for (size_t bit = 0; bit < 8 * im.len; bit++) {
            bool in_cells = bit / 8 >= cells && bit / 8 < cells + bytes;
            if (!in_cells && bit % FORMS != form_at) continue;
            hostile.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            accepted += is_accepted(form, &hostile, "bit", bit);
            memcpy(hostile.bytes, im.bytes, im.len);
        }
        /* A flip that leaves a tag a tag is a sound image of other keys. */
        PROMISE(accepted > 20, FORM ": only %zu flips were tested", OF_FORM(form), accepted);
        free(im.bytes);
        free(hostile.bytes);
    }
}

static void rubbish_in_the_cells_is_harmless(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        image im = sample(form), hostile = sample(form);
        size_t bytes, at = (size_t)(cells_of(&im, &bytes) - im.bytes);
        bytes = (size_t)tags_bytes(read_le(im.bytes + AT_NCELLS, 8), 13, is(form.layout, "sorted"));
        for (uint64_t round = 0; round < 60; round++) {
            for (uint64_t i = 0; i < (round % 3 ? bytes : 2); i++)
                hostile.bytes[at + mixed(round * 999 + i) % bytes] =
                    round % 4 == 0 ? 0xff : (uint8_t)mixed(round * 999 + i + 500);
            (void)is_accepted(form, &hostile, "round", round);
            /* With the number of keys made right, so that only the cells can be wrong. */
            struct tags t = tags_of(form, &hostile);
            uint64_t taken = 0;
            for (uint64_t slot = 0; slot < read_le(im.bytes + AT_NCELLS, 8); slot++)
                taken += tag_read(&t, slot) != 0;
            write_le(hostile.bytes + AT_NKEYS, 8, taken);
            (void)is_accepted(form, &hostile, "counted round", round);
            memcpy(hostile.bytes, im.bytes, im.len);
        }
        free(im.bytes);
        free(hostile.bytes);
    }
}

/* ---- the header ---- */

static void impossible_geometry_is_refused(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        bool windows = is(form.layout, "window"), sorted = is(form.layout, "sorted");
        image im = sample(form), hostile = sample(form);
        const struct {
            size_t at;
            unsigned bytes;
            uint64_t value;
        } fields[] = {
            {AT_PARAMS, 2, 0},
            {AT_PARAMS, 2, 3},
            {AT_PARAMS, 2, 33},
            {AT_PARAMS, 2, 65535},
            {AT_PARAMS + 2, 2, 0},
            {AT_PARAMS + 2, 2, 3},
            {AT_PARAMS + 2, 2, 16},
            {AT_PARAMS + 2, 2, 65535},
            {AT_PARAMS + 4, 2, 3},
            {AT_PARAMS + 4, 2, 0x300},
            {AT_PARAMS + 4, 2, 0xffff},
            {AT_PARAMS + 6, 2, 0},
            {AT_NCELLS, 8, 0},
            {AT_NCELLS, 8, 1},
            {AT_NCELLS, 8, UINT64_MAX},
            {AT_NCELLS, 8, 1ull << 63},
            {AT_NCELLS, 8, 1ull << 51},
            {AT_NCELLS, 8, windows ? 3 : 25},
            {AT_NKEYS, 8, 0},
            {AT_NKEYS, 8, KEYS + 1},
            {AT_NKEYS, 8, UINT64_MAX},
            {AT_EXTRA, 8, 0}, /* fewer moves than the longest chain has */
            {AT_EXTRA + 8, 8, 4},
            {AT_EXTRA + 8, 8, UINT64_MAX},
            {AT_EXTRA + 16, 8, 1}, /* a state of kicks where there are none */
            {AT_PARAMS + 2, 2, 8}, /* sorted buckets of eight */
            {AT_PARAMS, 2, 4},     /* and tags of four bits */
        };
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            bool kicks = fields[i].at == AT_EXTRA + 16 && !is(form.rule, "path");
            bool odd = fields[i].at == AT_NCELLS && fields[i].value == 25 && form.bucket == 1;
            if (kicks || odd || (i + 2 >= sizeof fields / sizeof *fields && !sorted)) continue;
            if (fields[i].at == AT_EXTRA) write_le(hostile.bytes + AT_EXTRA + 8, 8, 1);
            write_le(hostile.bytes + fields[i].at, fields[i].bytes, fields[i].value);
            is_refused(form, &hostile, "field", i);
            memcpy(hostile.bytes, im.bytes, im.len);
        }
        free(im.bytes);
        free(hostile.bytes);
    }
}

/* What counters may say, they may say: any state of kicks, any number of moves. */
static void counters_at_their_ends_are_harmless(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        const uint64_t states[] = {1, UINT64_C(1) << 63, UINT64_MAX, 0x123456789abcdef};
        for (size_t s = 0; s < 4; s++) {
            image im = sample(form);
            write_le(im.bytes + AT_EXTRA, 8, UINT64_MAX);
            write_le(im.bytes + AT_EXTRA + 8, 8, 3);
            if (!is(form.rule, "path")) write_le(im.bytes + AT_EXTRA + 16, 8, states[s]);
            PROMISE(is_accepted(form, &im, "state", s), FORM ": refused", OF_FORM(form));
            free(im.bytes);
        }
        for (unsigned moves = 1; moves < 65536; moves = moves * 5 + 510) {
            image im = sample(form);
            write_le(im.bytes + AT_PARAMS + 6, 2, moves > 65535 ? 65535 : moves);
            memset(im.bytes + AT_EXTRA, 0, 24);
            PROMISE(is_accepted(form, &im, "limit", moves), FORM ": refused", OF_FORM(form));
            free(im.bytes);
        }
    }
}

/* ---- the cells ---- */

static void bits_past_the_last_slot_are_refused(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        image im = sample(form);
        size_t padded, cells = (size_t)(cells_of(&im, &padded) - im.bytes);
        size_t end =
            (size_t)(read_le(im.bytes + AT_NCELLS, 8) * (is(form.layout, "sorted") ? 12 : 13));
        for (size_t bit = 8 * cells + end; bit < 8 * (cells + padded); bit++) {
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            is_refused(form, &im, "bit", bit);
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        PROMISE(is_accepted(form, &im, "end", end), FORM ": the sample itself", OF_FORM(form));
        free(im.bytes);
    }
}

/* Codes that number no rising sequence. */
static void sorted_codes_of_nobody_are_refused(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        if (!is(form.layout, "sorted")) continue;
        for (unsigned code = CODES; code < 1 << CODE_BITS; code += code % 16 == 0 ? 1 : 5)
            for (uint64_t start = 0; start < 24; start += 20) {
                image im = sample(form);
                struct tags t = tags_of(form, &im);
                uint32_t four[4];
                bits_write(t.cells, sorted_bit(&t, start) + 4 * 9, CODE_BITS, code);
                uint64_t taken = 0;
                for (uint64_t at = 0; at < 24; at += 4) {
                    sorted_read(&t, at, four);
                    for (unsigned i = 0; i < 4; i++) taken += four[i] != 0;
                }
                write_le(im.bytes + AT_NKEYS, 8, taken);
                is_refused(form, &im, "code", code);
                free(im.bytes);
            }
    }
}

/* The right four tags in an order that is not rising: only those of equal high bits can be so written. */
static void unsorted_buckets_are_refused(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        if (!is(form.layout, "sorted")) continue;
        for (unsigned first = 0; first < 3; first++) {
            sito_plan plan = small_plan(form);
            sito_filter *f = filled(&plan, 0, 0);
            image im = image_of(f);
            struct tags t = tags_of(form, &im);
            uint32_t four[4] = {0x1203, 0x1205, 0x1207,
                                0x1209}; /* 9 low bits differ, the nibble does not */
            sorted_write(&t, 8, four);
            write_le(im.bytes + AT_NKEYS, 8, 4);
            PROMISE(is_accepted(form, &im, "in order", first), FORM, OF_FORM(form));
            uint32_t tag = four[first];
            four[first] = four[first + 1], four[first + 1] = tag;
            sorted_write(&t, 8, four);
            is_refused(form, &im, "out of order at", first);
            free(im.bytes);
            sito_free(f);
        }
    }
}

/* A tag whose window would begin before the table, or end behind it. */
static void tags_outside_their_windows_are_refused(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        if (!is(form.layout, "window")) continue;
        unsigned b = form.bucket;
        for (unsigned extra = 0; extra < b; extra++) {
            sito_plan plan = small_plan(form);
            plan.ncells = 3 * b + extra;
            unsigned inside = 0, outside = 0;
            for (uint64_t slot = 0; slot < plan.ncells; slot++)
                for (uint32_t tag = 0x700; tag < 0x700 + b; tag++) {
                    sito_filter *f = filled(&plan, 0, 0);
                    image im = image_of(f);
                    struct tags t = tags_of(form, &im);
                    uint64_t into = tag % b, whole = (plan.ncells - into) / b * b;
                    tag_write(&t, slot, tag);
                    write_le(im.bytes + AT_NKEYS, 8, 1);
                    if (slot >= into && slot < into + whole) {
                        PROMISE(is_accepted(form, &im, "tag", tag), FORM ", slot %d", OF_FORM(form),
                                (int)slot);
                        inside++;
                    } else {
                        is_refused(form, &im, "tag", tag);
                        outside++;
                    }
                    free(im.bytes);
                    sito_free(f);
                }
            PROMISE(inside > 0 && outside > 0, FORM ": %u inside, %u outside", OF_FORM(form),
                    inside, outside);
        }
    }
}

/* ---- sound images ---- */

/* In memory, as a view, and mapped from a file. */
static void every_form_answers_the_same_from_anywhere(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        sito_plan plan = wish_for(form, SEED);
        plan.nkeys = 3000;
        plan.fpr = 0.05;
        sito_filter *f = filled(&plan, 0, 3000), *view = NULL, *mapped = NULL, *whole = NULL;
        sito_how map = {.flags = SITO_MAP};
        image im = image_of(f);
        enum { ASKED = 4000 };
        uint64_t hashes[ASKED];
        uint8_t answers[4][ASKED];
        assert_int_equal(sito_view(im.bytes, im.len, NULL, &view, NULL), SITO_OK);
        assert_int_equal(sito_save(f, path), SITO_OK);
        assert_int_equal(sito_open(path, &map, &mapped, NULL), SITO_OK);
        assert_int_equal(sito_open(path, NULL, &whole, NULL), SITO_OK);
        for (uint64_t i = 0; i < ASKED; i++) hashes[i] = hash_no(f, 2000 + i);
        const sito_filter *all[] = {f, view, mapped, whole};
        for (size_t i = 0; i < 4; i++) {
            sito_maybe_many(all[i], hashes, ASKED, answers[i]);
            PROMISE(memcmp(answers[0], answers[i], ASKED) == 0, FORM ": way %zu", OF_FORM(form), i);
            PROMISE(sito_check(all[i], NULL) == SITO_OK, FORM ": way %zu", OF_FORM(form), i);
        }
        for (uint64_t i = 0; i < 1000; i++) PROMISE(answers[2][i], FORM ": forgot", OF_FORM(form));
        assert_int_equal(add_no(mapped, 1), SITO_EUNABLE);
        assert_int_equal(remove_no(view, 1), SITO_EUNABLE);
        sito_free(f);
        sito_free(view);
        sito_free(mapped);
        sito_free(whole);
        free(im.bytes);
    }
}

int main(void) {
    end_within(200);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_resealed_flip_is_harmless),
        cmocka_unit_test(rubbish_in_the_cells_is_harmless),
        cmocka_unit_test(impossible_geometry_is_refused),
        cmocka_unit_test(counters_at_their_ends_are_harmless),
        cmocka_unit_test(bits_past_the_last_slot_are_refused),
        cmocka_unit_test(sorted_codes_of_nobody_are_refused),
        cmocka_unit_test(unsorted_buckets_are_refused),
        cmocka_unit_test(tags_outside_their_windows_are_refused),
        cmocka_unit_test(every_form_answers_the_same_from_anywhere),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
