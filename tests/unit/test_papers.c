/* test_papers.c - the worked figures of the papers, drawn with the library. */
#include "check.h"

enum { M = 16, K = 3 };

static sito_filter *figure(void) {
    sito_plan plan = {.kind = SITO_BLOOM, .nkeys = 2, .ncells = M, .nhashes = K, .seed = 42};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    return f;
}

static unsigned bits_of(const sito_filter *f) {
    image im = image_of(f);
    size_t bytes;
    const uint8_t *cells = cells_of(&im, &bytes);
    assert_true(bytes >= 2);
    unsigned bits = (unsigned)read_le(cells, 2);
    free(im.bytes);
    return bits;
}

/* The first key from `from` on that sets exactly these bits in a fresh filter of that shape. */
static uint64_t key_that_sets(unsigned wanted, uint64_t from) {
    sito_filter *f = figure();
    uint64_t i = from;
    for (; i < from + 100000; i++) {
        assert_int_equal(sito_clear(f), SITO_OK);
        assert_int_equal(add_no(f, i), 1);
        if (bits_of(f) == wanted) break;
    }
    assert_true(i < from + 100000);
    sito_free(f);
    return i;
}

static unsigned set(unsigned a, unsigned b, unsigned c) { return 1u << a | 1u << b | 1u << c; }

/* Thesis, figure 3.1: m = 16, k = 3; x and y set the bits 1, 4, 9, 13 and 15, and z, one of whose bits is
 * 0, is not in the set. Which bits are whose the text does not say; they share one. */
static void figure_3_1_denies_a_stranger(void **state) {
    (void)state;
    uint64_t x = key_that_sets(set(1, 4, 9), 0), y = key_that_sets(set(9, 13, 15), 0);
    uint64_t z = key_that_sets(set(4, 9, 10), 0);
    sito_filter *f = figure();
    assert_int_equal(add_no(f, x), 1);
    assert_int_equal(add_no(f, y), 1);
    assert_int_equal(bits_of(f), 1u << 1 | 1u << 4 | 1u << 9 | 1u << 13 | 1u << 15);
    assert_true(maybe_no(f, x));
    assert_true(maybe_no(f, y));
    assert_false(maybe_no(f, z));
    sito_free(f);
}

/* Figure 3.2: w, whose bits others set, is a false positive; adding it changes no bit and is not counted. */
static void figure_3_2_lets_a_false_positive_in(void **state) {
    (void)state;
    uint64_t x = key_that_sets(set(1, 4, 9), 0), y = key_that_sets(set(9, 13, 15), 0);
    uint64_t w = key_that_sets(set(1, 9, 15), 0);
    assert_true(w != x && w != y);
    sito_filter *f = figure();
    assert_int_equal(add_no(f, x), 1);
    assert_int_equal(add_no(f, y), 1);
    assert_true(maybe_no(f, w));
    image was = image_of(f);
    assert_int_equal(add_no(f, w), 0);
    assert_true(still_is(f, &was));
    sito_free(f);
}

/* The thesis's claim that a 0 bit is found if and only if the key is absent: only one direction holds. */
static void every_key_whose_bits_are_set_is_let_in(void **state) {
    (void)state;
    uint64_t x = key_that_sets(set(1, 4, 9), 0), y = key_that_sets(set(9, 13, 15), 0);
    sito_filter *f = figure(), *alone = figure();
    assert_int_equal(add_no(f, x), 1);
    assert_int_equal(add_no(f, y), 1);
    unsigned inside = bits_of(f), yes = 0, no = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        assert_int_equal(sito_clear(alone), SITO_OK);
        assert_int_equal(add_no(alone, i), 1);
        bool covered = (bits_of(alone) & ~inside) == 0;
        assert_int_equal(maybe_no(f, i), covered);
        yes += covered, no += !covered;
    }
    assert_true(yes > 20 && no > 1000);
    sito_free(f);
    sito_free(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3_1_denies_a_stranger),
        cmocka_unit_test(figure_3_2_lets_a_false_positive_in),
        cmocka_unit_test(every_key_whose_bits_are_set_is_let_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
