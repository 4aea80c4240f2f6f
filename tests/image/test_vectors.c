/*
 * test_vectors.c - the format does not change unnoticed: hashes of whole images, pinned.
 *
 * `test_vectors --print` prints the table below as it is now. Replace a line only when the format was
 * meant to change, together with docs/format.md; an image of a released format never changes.
 */
#include "check.h"

#include "cases.h"

static const struct {
    const char *kind, *name;
    uint64_t len, digest;
} pinned[] = {
#include "vectors.inc"
};

enum { PINNED = sizeof pinned / sizeof *pinned };

static void print_table(void) {
    const char *kind;
    EACH_KIND(kind) {
        for (size_t i = 0; i < IMAGE_CASES; i++) {
            image im = image_of_case(kind, &image_cases[i]);
            printf("{\"%s\", \"%s\", %zu, UINT64_C(0x%016llx)},\n", kind, image_cases[i].name,
                   im.len, (unsigned long long)digest_of(&im));
            free(im.bytes);
        }
    }
}

static void images_are_the_same_as_ever(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (size_t i = 0; i < IMAGE_CASES; i++) {
            const char *name = image_cases[i].name;
            image im = image_of_case(kind, &image_cases[i]);
            size_t at = 0;
            while (at < PINNED && !(is(pinned[at].kind, kind) && is(pinned[at].name, name))) at++;
            PROMISE(at < PINNED, "%s, %s: not pinned; see test_vectors --print", kind, name);
            PROMISE(pinned[at].len == im.len, "%s, %s: %zu bytes, not %llu", kind, name, im.len,
                    (unsigned long long)pinned[at].len);
            PROMISE(pinned[at].digest == digest_of(&im), "%s, %s: other bytes", kind, name);
            free(im.bytes);
        }
    }
}

static void no_pinned_kind_is_gone(void **state) {
    (void)state;
    assert_true(PINNED > 0);
    for (size_t i = 0; i < PINNED; i++)
        PROMISE(sito_abilities(pinned[i].kind) != 0, "%s is not in the catalogue any more",
                pinned[i].kind);
}

/* The header's fields stand where docs/format.md puts them. */
static void the_header_is_as_described(void **state) {
    (void)state;
    sito_plan plan = {
        .kind = SITO_BLOOM, .nkeys = 100, .fpr = 0.01, .seed = UINT64_C(0x0123456789abcdef)};
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    sito_filter *f = filled(&plan, 0, 50);
    assert_int_equal(sito_set_note(f, "vectors ", "note", 4), SITO_OK);
    image im = image_of(f);
    double wanted;
    uint64_t bits = read_le(im.bytes + 64, 8);
    memcpy(&wanted, &bits, sizeof wanted);
    assert_memory_equal(im.bytes, "SITO\r\n\x1a\n", 8);
    assert_int_equal(read_le(im.bytes + 8, 2), 1);
    assert_int_equal(read_le(im.bytes + 10, 2), 0);
    for (size_t at = 12; at < 24; at++) assert_int_equal(im.bytes[at], 0);
    assert_int_equal(read_le(im.bytes + 26, 2), 1);
    assert_int_equal(read_le(im.bytes + 28, 4), 12);
    assert_int_equal(read_le(im.bytes + 32, 8), UINT64_C(0x0123456789abcdef));
    assert_int_equal(read_le(im.bytes + 40, 8), 0);
    assert_int_equal(read_le(im.bytes + 48, 8), nkeys_of(f));
    assert_int_equal(read_le(im.bytes + 56, 8), 100);
    assert_true(wanted == 0.01);
    assert_int_equal(read_le(im.bytes + 80, 8), plan.ncells);
    assert_memory_equal(im.bytes + 128, "vectors note", 12);
    for (size_t at = 140; at < 192; at++) assert_int_equal(im.bytes[at], 0);
    size_t bytes;
    assert_true(cells_of(&im, &bytes) == im.bytes + 192);
    uint64_t padded = (bytes + 63) / 64 * 64;
    assert_int_equal(im.len, 192 + padded + 16);
    assert_int_equal(read_le(im.bytes + 192 + padded, 8),
                     XXH3_64bits(im.bytes + 192, (size_t)padded));
    assert_int_equal(read_le(im.bytes + 200 + padded, 8), XXH3_64bits(im.bytes + 192 + padded, 8));
    free(im.bytes);
    sito_free(f);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--print") == 0) {
        print_table();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_the_same_as_ever),
        cmocka_unit_test(no_pinned_kind_is_gone),
        cmocka_unit_test(the_header_is_as_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
