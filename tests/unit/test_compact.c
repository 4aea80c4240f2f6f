/* test_compact.c - the table of marks where it is full over thousands of buckets. */
#include "check.h"

enum { BUCKETS = 1 << 13, HOME = 64 - 13, SLOTS_EACH = 8, RUN = 3000, MARK = 77 };

static uint64_t hash_of(uint64_t home, uint64_t mark) { return home << HOME | mark; }

/* All of these buckets, of those that are free in them. */
static void fill(sito_filter *f, uint64_t from, uint64_t to, unsigned taken) {
    for (uint64_t home = from; home < to; home++, taken = 0)
        for (uint64_t i = taken; i < SLOTS_EACH; i++)
            assert_int_equal(sito_add_hash(f, hash_of(home, 1000 + i)), 1);
}

/* Two keys with one mark, each displaced by a long run: the second's remove takes the first's mark,
 * as it is the nearer, and the mark that is left lies two runs from the first's home. */
static void a_key_is_found_however_far_its_mark_was_left(void **state) {
    (void)state;
    sito_plan plan = {
        .kind = SITO_COMPACT, .ncells = BUCKETS * SLOTS_EACH, .tag_bits = 16, .seed = 42};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    const uint64_t first = hash_of(0, MARK), second = hash_of(RUN, MARK);
    fill(f, 0, RUN, 0);
    assert_int_equal(sito_add_hash(f, first), 1);
    fill(f, RUN, 2 * RUN, 1);
    assert_true(sito_add_hash(f, second) >= 0);
    assert_int_equal(sito_remove_hash(f, second), 1);
    assert_true(sito_maybe_hash(f, first));
    assert_int_equal(sito_remove_hash(f, first), 1);
    assert_false(sito_maybe_hash(f, first));
    assert_int_equal(nkeys_of(f), 2 * RUN * SLOTS_EACH - 1);
    sito_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_found_however_far_its_mark_was_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
