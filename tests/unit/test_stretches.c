/* test_stretches.c - the stretches of a block filter's table: every block lies in one, in order, and
 * halves are as many stretches each; also of a table that was folded since. And what one thread
 * alone can see of batches beside each other: counts, who waits, and memory. */
#define _DEFAULT_SOURCE /* mincore */
#include "kinds/block_share.c"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"

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
        PROMISE(is_whole || !has_halves(f) || (s >= n / 2) == (block >= half),
                "%llu blocks: %llu in %u of %u", (unsigned long long)nblocks,
                (unsigned long long)block, s, n);
    }
}

static void every_block_is_in_one(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1,
                                     2,
                                     255,
                                     256,
                                     257,
                                     1750,
                                     1751,
                                     4095,
                                     4096,
                                     8191,
                                     8192,
                                     8193,
                                     19728,
                                     65537,
                                     (1u << 25) - 1,
                                     VAST_BLOCKS - 1,
                                     VAST_BLOCKS,
                                     VAST_BLOCKS + 1,
                                     (UINT64_C(1) << 35) + 2,
                                     UINT64_C(1) << 36,
                                     (UINT64_C(1) << 36) + 2,
                                     (UINT64_C(1) << 40) + 6,
                                     UINT64_C(1) << 44};
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

/* ---- batches ---- */

enum { MANY_BLOCKS = 20000, MANY = 100000 };

/* Sparse and of sixteen bits: so each of distinct keys is new, whatever the order. */
static sito_plan sparse_plan(void) {
    return (sito_plan){.kind = SITO_BLOCK,
                       .nkeys = MANY,
                       .ncells = MANY_BLOCKS * BLOCK_BITS,
                       .nhashes = 16,
                       .seed = SEED};
}

static uint64_t *distinct_hashes(void) {
    uint64_t *hashes = malloc(MANY * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < MANY; i++) hashes[i] = mixed(i);
    return hashes;
}

static image serial_image(const uint64_t *hashes) {
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    for (size_t i = 0; i < MANY; i++) assert_int_equal(sito_add_hash(f, hashes[i]), 1);
    image cells = image_of(f);
    sito_free(f);
    return cells;
}

/* As if there were another. */
static void add_all_by_halves(sito_filter *f, const uint64_t *hashes) {
    f->stretch->batches = 2;
    for (size_t i = 0; i < MANY;) {
        size_t done = add_beside_another(f, hashes + i, MANY - i);
        assert_true(done > 0);
        i += done;
    }
    f->stretch->batches = 0;
}

static void every_way_counts_and_adds_the_same(void **state) {
    (void)state;
    uint64_t *hashes = distinct_hashes();
    image serial = serial_image(hashes);
    for (unsigned way = 0; way < 4; way++) {
        sito_plan plan = sparse_plan();
        sito_filter *f = filled(&plan, 0, 0);
        if (way == 0)
            assert_int_equal(add_alone(f, hashes, MANY), LONE_PIECE); /* 0 batches, not 1 */
        if (way == 0) add_in_sheaves(f, hashes + LONE_PIECE, MANY - LONE_PIECE);
        if (way == 1) add_in_sheaves(f, hashes, MANY);
        if (way == 2) add_all_by_halves(f, hashes);
        if (way == 3) assert_int_equal(sito_add_shared_many(f, hashes, MANY), SITO_OK);
        PROMISE(nkeys_of(f) == MANY, "way %u: %llu keys", way, (unsigned long long)nkeys_of(f));
        for (unsigned s = 0; s < f->nstretches; s++) assert_false(stretch_is_busy(f->stretch + s));
        image shared = image_of(f);
        PROMISE(same_image(&shared, &serial), "way %u: another table", way);
        free(shared.bytes);
        sito_free(f);
    }
    free(serial.bytes);
    free(hashes);
}

static void who_waits_for_a_stretch_gets_it_soon(void **state) {
    (void)state;
    uint64_t *hashes = distinct_hashes();
    for (size_t i = 0; i < MANY; i++) hashes[i] >>= 1; /* all in the first half: none is put off */
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    struct stretch *second = half_of(f, 1).from;
    f->stretch->batches = 1;
    assert_int_equal(add_alone(f, hashes, MANY), MANY);
    for (unsigned half = 0; half < 2; half++) {
        half_of(f, half).from->awaited = 1;
        assert_int_equal(add_alone(f, hashes, MANY), LONE_PIECE);
        half_of(f, half).from->awaited = 0;
    }
    f->stretch->batches = 2;
    assert_int_equal(add_alone(f, hashes, MANY), LONE_PIECE);
    assert_int_equal(add_beside_another(f, hashes, MANY), HALF_PIECE); /* the other half is free */
    second->busy = 1;
    assert_int_equal(add_beside_another(f, hashes, MANY), MANY);
    f->stretch->awaited = 1;
    assert_int_equal(add_beside_another(f, hashes, MANY), HALF_PIECE);
    f->stretch->awaited = 0;
    second->awaited = 1; /* who holds that half will see to it */
    assert_int_equal(add_beside_another(f, hashes, MANY), MANY);
    f->stretch->batches = 3;
    assert_int_equal(add_beside_another(f, hashes, MANY), HALF_PIECE);
    f->stretch->batches = 0;
    sito_free(f);
    free(hashes);
}

/* All of a piece may be of the other half, where there is just room for it. */
static void as_many_are_put_off_as_there_is_room(void **state) {
    (void)state;
    sito_plan plan = {
        .kind = SITO_BLOCK, .ncells = 512 * 2 * PUT_OFF_MOST, .nhashes = 8, .seed = SEED};
    sito_filter *f = filled(&plan, 0, 0);
    struct put_off *p = much_put_off(f);
    uint64_t hashes[HALF_PIECE];
    assert_non_null(p);
    assert_int_equal(p->room, PUT_OFF_MOST);
    for (size_t i = 0; i < HALF_PIECE; i++) hashes[i] = mixed(i) | (uint64_t)1 << 63;
    p->n = p->room - HALF_PIECE;
    assert_int_equal(add_own(f, hashes, HALF_PIECE, 0, p), 0);
    assert_int_equal(p->n, p->room);
    assert_memory_equal(p->hash + p->room - HALF_PIECE, hashes, sizeof hashes);
    p->n = 0;
    spare_keep(f, &p->spare);
    sito_free(f);
}

/* Lets go of the second half as soon as the first has been filled and left. */
static void *leave_second(void *self) {
    sito_filter *f = self;
    while (!__atomic_load_n(&half_of(f, 0).from->added, __ATOMIC_RELAXED)) sched_yield();
    __atomic_store_n(&half_of(f, 1).from->busy, 0, __ATOMIC_RELEASE);
    return NULL;
}

/* Half a piece's room is not enough for a piece, all of which may be of the other half. */
static void no_piece_is_begun_without_room_for_all_of_it(void **state) {
    (void)state;
    enum { ROOM = HALF_PIECE, N = 2 * HALF_PIECE, GUARD = HALF_PIECE };
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    uint64_t *room = malloc((ROOM + SPLIT_SLACK + GUARD) * sizeof *room), hashes[N];
    struct put_off few = {.room = ROOM, .hash = room};
    pthread_t other;
    assert_non_null(room);
    memset(room, 0x5a, (ROOM + SPLIT_SLACK + GUARD) * sizeof *room);
    for (size_t i = 0; i < N; i++) { /* a third of the first piece, and all of the second */
        bool is_high = i >= HALF_PIECE || i % 3 == 0;
        hashes[i] = mixed(i) >> 1 | (uint64_t)is_high << 63;
    }
    f->stretch->batches = 2;
    half_of(f, 1).from->busy = 1;
    assert_int_equal(pthread_create(&other, NULL, leave_second, f), 0);
    assert_int_equal(add_by_halves(f, hashes, N, &few), N);
    pthread_join(other, NULL);
    f->stretch->batches = 0;
    for (size_t i = 0; i < N; i++) assert_true(sito_maybe_hash(f, hashes[i]));
    for (size_t i = 0; i < GUARD; i++)
        assert_int_equal(room[ROOM + SPLIT_SLACK + i], 0x5a5a5a5a5a5a5a5a);
    free(room);
    sito_free(f);
}

static void put_off_keys_have_memory_of_their_own(void **state) {
    (void)state;
    books b;
    const sito_memory elsewhere = memory_with(&b);
    uint64_t *hashes = distinct_hashes();
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0), *g = NULL, *h = NULL;
    assert_int_equal(sito_copy(f, &elsewhere, &g), SITO_OK);
    add_all_by_halves(f, hashes);
    assert_true(f->spare[0] && !f->spare[1]); /* kept, and used again */
    struct put_off *kept = much_put_off(f), *more = much_put_off(f), *third = much_put_off(f);
    assert_true(kept && more && third && !f->spare[0] && !f->spare[1]);
    assert_int_equal(kept->room, 2 * MANY_BLOCKS); /* a quarter of the table */
    spare_keep(f, &kept->spare);
    spare_keep(f, &more->spare);
    spare_keep(f, &third->spare); /* no more than two are kept */
    assert_true(f->spare[0] && f->spare[1]);
    assert_int_equal(sito_copy(f, NULL, &h), SITO_OK);
    assert_true(!h->spare[0] && !h->spare[1]);
    sito_free(f);
    sito_free(h);
    books before = b;
    add_all_by_halves(g, hashes);
    assert_true(b.calls == before.calls && b.live == before.live);
    sito_free(g);
    assert_true(!b.live && !b.broken);
    free(hashes);
}

/* ---- memory of a folded table ---- */

static size_t pages_here(const uint8_t *at, size_t bytes, size_t page) {
    unsigned char here[4096];
    size_t n = 0;
    assert_true(bytes / page <= sizeof here);
    assert_int_equal(mincore((void *)(uintptr_t)at, bytes, here), 0);
    for (size_t i = 0; i < bytes / page; i++) n += here[i] & 1;
    return n;
}

/* The least that stays mapped is a mebibyte; what the table does not need of it is given back. */
static void a_folded_table_keeps_no_page_it_has_no_use_for(void **state) {
    (void)state;
    enum { BLOCKS = 24576, LEFT = 1 << 20, LARGEST_PAGE = 1 << 16 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    sito_plan plan = {.kind = SITO_BLOCK,
                      .nkeys = 1000,
                      .ncells = BLOCKS * BLOCK_BITS,
                      .nhashes = 8,
                      .seed = SEED};
    sito_filter *f = filled(&plan, 0, 0);
    memset(f->seg[0].at, 0x11, (size_t)f->seg[0].bytes);
    for (size_t bytes = BLOCKS / 2 * BLOCK_BYTES; bytes >= LARGEST_PAGE; bytes /= 2) {
        assert_int_equal(sito_fold(f, 1), SITO_OK);
        assert_int_equal(f->seg[0].bytes, bytes);
        size_t here = pages_here(f->seg[0].at, LEFT, page);
        PROMISE(here * page <= bytes + 2 * LARGEST_PAGE, "%zu bytes: %zu pages", bytes, here);
    }
    sito_free(f);
}

/* Its table lies in the image, which is given back whole. */
static void a_large_filter_from_a_file_folds_too(void **state) {
    (void)state;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_BLOCK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        sito_plan plan = {
            .kind = kinds[k], .nkeys = 20000, .ncells = 3 << 23, .nhashes = 8, .seed = SEED};
        sito_filter *f = filled(&plan, 0, 20000);
        image whole = image_of(f);
        sito_filter *g = opened(&whole, NULL);
        assert_true(inside_image(g, &g->seg[0]));
        for (unsigned fold = 0; fold < 4; fold++) {
            assert_int_equal(sito_fold(f, 1), SITO_OK);
            assert_int_equal(sito_fold(g, 1), SITO_OK);
            assert_false(g->image);
            image one = image_of(f), other = image_of(g);
            PROMISE(same_image(&one, &other), "%s, fold %u", kinds[k], fold + 1);
            free(one.bytes);
            free(other.bytes);
        }
        free(whole.bytes);
        sito_free(f);
        sito_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_in_one),
        cmocka_unit_test(a_folded_table_has_its_own),
        cmocka_unit_test(every_way_counts_and_adds_the_same),
        cmocka_unit_test(who_waits_for_a_stretch_gets_it_soon),
        cmocka_unit_test(as_many_are_put_off_as_there_is_room),
        cmocka_unit_test(no_piece_is_begun_without_room_for_all_of_it),
        cmocka_unit_test(put_off_keys_have_memory_of_their_own),
        cmocka_unit_test(a_folded_table_keeps_no_page_it_has_no_use_for),
        cmocka_unit_test(a_large_filter_from_a_file_folds_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
