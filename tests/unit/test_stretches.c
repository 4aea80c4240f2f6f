/* test_stretches.c - the stretches of a block filter's table: every block lies in one, in order, and
 * halves are as many stretches each; also of a table that was folded since. */
#include "kinds/block_share.c"

#include "check.h"

enum { SEED = 42 };

/* The blocks next to those where stretches should begin, and some anywhere. */
static uint64_t block_to_look_at(const sito_filter *f, uint64_t nblocks, unsigned i) {
    uint64_t begin = (uint64_t)((unsigned __int128)nblocks * (i / 4) / f->nstretches);
    uint64_t block = i % 4 == 3 ? mixed(i) % nblocks : begin + i % 4 - 1;
    return block < nblocks ? block : nblocks - 1;
}

static void stretches_are_sound(const sito_filter *f) {
    uint64_t nblocks = nblocks_of(&f->shape), half = nblocks / 2;
    unsigned n = f->nstretches;
    bool is_whole = nblocks < FEW_BLOCKS;
    PROMISE(n && (n & (n - 1)) == 0, "%u stretches", n);
    PROMISE(stretch_at(f, 0) == 0, "%llu blocks: where is the first", (unsigned long long)nblocks);
    PROMISE(stretch_at(f, nblocks - 1) == (is_whole ? 0 : n - 1),
            "%llu blocks: the last in %u of %u", (unsigned long long)nblocks,
            stretch_at(f, nblocks - 1), n);
    for (unsigned i = 0; i < 4 * n; i++) {
        uint64_t block = block_to_look_at(f, nblocks, i);
        unsigned s = stretch_at(f, block), next = stretch_at(f, least(block + 1, nblocks - 1));
        PROMISE(s < n && next - s <= 1, "%llu blocks: %llu in %u, the next in %u",
                (unsigned long long)nblocks, (unsigned long long)block, s, next);
        PROMISE(is_whole || nblocks % 2 || (s >= n / 2) == (block >= half),
                "%llu blocks: %llu in %u of %u", (unsigned long long)nblocks,
                (unsigned long long)block, s, n);
    }
}

static void every_block_is_in_one(void **state) {
    (void)state;
    static const uint64_t sizes[] = {
        1,    2,    255,  256,  257,   1750,  1751,           4095,
        4096, 8191, 8192, 8193, 19728, 65537, (1u << 25) - 1, (UINT64_C(1) << 35) + 2};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sito_filter f = {.shape.ncells = sizes[i] * BLOCK_BITS};
        f.nstretches = block_stretches(&f.shape);
        PROMISE(f.nstretches * 64 <= 64 + sizes[i] * BLOCK_BYTES / 8,
                "%u stretches for %llu blocks", f.nstretches, (unsigned long long)sizes[i]);
        block_ready(&f);
        stretches_are_sound(&f);
    }
}

static void a_folded_table_has_its_own(void **state) {
    (void)state;
    enum { BLOCKS = 3 << 13, HASHES = 5000 };
    sito_plan plan = {.kind = SITO_BLOCK,
                      .nkeys = HASHES,
                      .ncells = BLOCKS * BLOCK_BITS,
                      .nhashes = 8,
                      .seed = SEED};
    sito_filter *f = filled(&plan, 0, 0);
    uint64_t hashes[HASHES];
    for (size_t i = 0; i < HASHES; i++) hashes[i] = mixed(i);
    assert_int_equal(f->nstretches, STRETCHES_MOST);
    for (unsigned fold = 0; fold <= 13; fold++) {
        if (fold) assert_int_equal(sito_fold(f, 1), SITO_OK);
        assert_int_equal(nblocks_of(&f->shape), BLOCKS >> fold);
        stretches_are_sound(f);
        assert_int_equal(sito_add_shared_many(f, hashes, HASHES), SITO_OK);
        for (size_t i = 0; i < HASHES; i++) assert_int_equal(sito_add_shared(f, hashes[i]), 0);
    }
    sito_filter *g = NULL;
    assert_int_equal(sito_copy(f, NULL, &g), SITO_OK);
    assert_int_equal(g->nstretches, 1); /* as many as its size is worth */
    assert_int_equal(sito_add_shared(g, hashes[0]), 0);
    sito_free(g);
    sito_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_in_one),
        cmocka_unit_test(a_folded_table_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
