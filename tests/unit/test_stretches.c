/* test_stretches.c - the stretches of a block filter's table: every block lies in one, in order, and
 * it is known where each begins; also of a table that was folded since. And what one thread alone
 * can see of batches beside each other: parts, counts, who waits, and memory. */
#define _DEFAULT_SOURCE /* mincore */
#include <sched.h>

/* How often others were let run. */
static unsigned nyields;

static int counted_yield(void) {
    __atomic_fetch_add(&nyields, 1, __ATOMIC_RELAXED);
    return sched_yield();
}

#define sched_yield counted_yield
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
    uint64_t nblocks = nblocks_of(&f->shape);
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
    }
    for (unsigned s = 1; s < n && !is_whole; s++) {
        uint64_t first = range_begin(s, f->derived[0]), border = range_begin(first, nblocks);
        PROMISE(stretch_at(f, first) == s && stretch_at(f, first - 1) == s - 1,
                "%llu blocks: stretch %u does not begin with %llu", (unsigned long long)nblocks, s,
                (unsigned long long)first);
        PROMISE(range_of(border, nblocks) == first && range_of(border - 1, nblocks) == first - 1,
                "%llu blocks: hashes of %u do not begin with %llx", (unsigned long long)nblocks, s,
                (unsigned long long)border);
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
                                     UINT32_MAX - 1,
                                     UINT32_MAX,
                                     (uint64_t)UINT32_MAX + 1,
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

/* As if there were others. */
static void add_all_by_parts(sito_filter *f, const uint64_t *hashes, unsigned nparts) {
    f->stretch->batches = nparts;
    for (size_t i = 0; i < MANY;) {
        size_t done = add_by_parts(f, hashes + i, MANY - i, nparts);
        assert_true(done > 0);
        i += done;
    }
    f->stretch->batches = 0;
}

static void nobody_holds_anything(const sito_filter *f) {
    for (unsigned s = 0; s < f->nstretches; s++) assert_false(stretch_is_busy(f->stretch + s));
    assert_int_equal(batches_of(f), 0);
}

static void every_way_counts_and_adds_the_same(void **state) {
    (void)state;
    uint64_t *hashes = distinct_hashes();
    image serial = serial_image(hashes);
    for (unsigned nparts = 0; nparts <= PARTS_MOST; nparts = nparts ? 2 * nparts : 1) {
        sito_plan plan = sparse_plan();
        sito_filter *f = filled(&plan, 0, 0);
        if (nparts == 0) {
            assert_int_equal(add_alone(f, hashes, MANY), LOOK_AFTER); /* 0 batches, not 1 */
            add_few(f, hashes + LOOK_AFTER, MANY - LOOK_AFTER);
        } else if (nparts == 1) {
            assert_int_equal(sito_add_shared_many(f, NULL, 0), SITO_OK);
            assert_int_equal(sito_add_shared_many(f, hashes, MANY), SITO_OK);
        } else {
            add_all_by_parts(f, hashes, nparts);
        }
        PROMISE(nkeys_of(f) == MANY, "%u parts: %llu keys", nparts,
                (unsigned long long)nkeys_of(f));
        nobody_holds_anything(f);
        image shared = image_of(f);
        PROMISE(same_image(&shared, &serial), "%u parts: another table", nparts);
        free(shared.bytes);
        sito_free(f);
    }
    free(serial.bytes);
    free(hashes);
}

static int rising(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The first that goes to a stretch, or the last that goes to the one before. */
static uint64_t hash_at_a_border(const sito_filter *f, uint64_t dice) {
    uint64_t block = range_begin(1 + dice % (f->nstretches - 1), f->derived[0]);
    return range_begin(block, nblocks_of(&f->shape)) - (dice >> 63);
}

/* Each in the part where its block lies, none lost, and nothing written past the room; whether all
 * are of one part or of any, or next to where one begins. */
static void keys_are_sorted_by_parts(void **state) {
    (void)state;
    enum { ROOM = 600, GUARD = 16 };
    static const uint64_t tables[] = {257, 4096, MANY_BLOCKS, MANY_BLOCKS + 1, 100003};
    uint64_t hashes[ROOM], room[2][ROOM + GUARD];
    size_t begin[PARTS_MOST + 1];
    for (unsigned round = 0; round < 2000; round++) {
        sito_filter f = {.shape.ncells = tables[round % 5] * BLOCK_BITS};
        unsigned nparts = 2u << round / 5 % 5, narrow = round / 25 % 2 ? 0 : round % 64;
        size_t n = round < 50 ? round : round < 100 ? ROOM : mixed(round) % ROOM;
        f.nstretches = block_stretches(&f.shape);
        block_ready(&f);
        memset(room, 0x5a, sizeof room);
        for (size_t i = 0; i < n; i++)
            hashes[i] = round % 4 == 3 ? hash_at_a_border(&f, mixed(round + i))
                                       : mixed(round) ^ mixed(i) >> narrow;
        const uint64_t *sorted = sort_by_parts(&f, hashes, n, nparts, room[0], room[1], begin);
        assert_true(begin[0] == 0 && begin[nparts] == n);
        for (unsigned p = 0; p < nparts; p++)
            for (size_t i = begin[p]; i < begin[p + 1]; i++) {
                unsigned s = stretch_at(&f, range_of(sorted[i], nblocks_of(&f.shape)));
                PROMISE(s / (f.nstretches / nparts) == p, "round %u: stretch %u in part %u", round,
                        s, p);
            }
        for (unsigned r = 0; r < 2; r++)
            for (size_t i = n; i < ROOM + GUARD; i++)
                assert_int_equal(room[r][i], 0x5a5a5a5a5a5a5a5a);
        uint64_t *again = (uint64_t *)(uintptr_t)sorted;
        qsort(again, n, sizeof *again, rising);
        qsort(hashes, n, sizeof *hashes, rising);
        assert_memory_equal(again, hashes, n * sizeof *hashes);
    }
}

static void there_are_parts_for_all_batches(void **state) {
    (void)state;
    static const unsigned wanted[][2] = {{1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {9, 16}, {33, 32}};
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        f->stretch->batches = wanted[i][0];
        assert_int_equal(parts_for(f), wanted[i][1]);
        for (unsigned half = 0; half < 2; half++) { /* who waits for one stretch waits for little */
            part_of(f, half, 2).from->awaited = 1;
            assert_int_equal(parts_for(f), PARTS_MOST);
            part_of(f, half, 2).from->awaited = 0;
        }
    }
    f->stretch->batches = 0;
    sito_free(f);
}

static void who_waits_for_a_stretch_gets_it_soon(void **state) {
    (void)state;
    uint64_t *hashes = distinct_hashes();
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    f->stretch->batches = 1;
    assert_int_equal(add_alone(f, hashes, MANY), MANY);
    for (unsigned half = 0; half < 2; half++) {
        part_of(f, half, 2).from->awaited = 1;
        assert_int_equal(add_alone(f, hashes, MANY), LOOK_AFTER);
        part_of(f, half, 2).from->awaited = 0;
    }
    f->stretch->batches = 2;
    assert_int_equal(add_alone(f, hashes, MANY), LOOK_AFTER);
    f->stretch->batches = 0;
    sito_free(f);
    free(hashes);
}

/* Somebody waits all the time, so parts are left again and again before their end. */
static void a_part_that_is_left_is_taken_up_again(void **state) {
    (void)state;
    uint64_t *hashes = distinct_hashes();
    image serial = serial_image(hashes);
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    f->stretch->awaited = 1;
    nyields = 0;
    add_all_by_parts(f, hashes, 2);
    f->stretch->awaited = 0;
    assert_true(nyields >= MANY / LOOK_AFTER - 4); /* but for the last time of each part, twice */
    assert_int_equal(nkeys_of(f), MANY);
    nobody_holds_anything(f);
    image shared = image_of(f);
    assert_true(same_image(&shared, &serial));
    free(shared.bytes);
    free(serial.bytes);
    free(hashes);
    sito_free(f);
}

/* ---- whichever is free ---- */

static void the_part_that_is_free_is_taken(void **state) {
    (void)state;
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    for (unsigned nparts = 2; nparts <= PARTS_MOST; nparts *= 2)
        for (unsigned wanted = 0; wanted < nparts; wanted++) {
            for (unsigned p = 0; p < nparts; p++)
                part_of(f, p, nparts).from->busy = p % 3 == wanted % 3 && p != wanted;
            uint64_t left = (uint64_t)1 << wanted;
            for (unsigned p = wanted % 3; p < nparts; p += 3) left |= (uint64_t)1 << p;
            assert_int_equal(part_take(f, left, nparts), wanted);
            struct run r = part_of(f, wanted, nparts);
            assert_int_equal(r.to - r.from, f->nstretches / nparts);
            for (struct stretch *s = r.from; s < r.to; s++) assert_true(stretch_is_busy(s));
            if (wanted + 1 < nparts) assert_false(stretch_is_busy(r.to));
            run_leave(r, 0);
            for (unsigned p = 0; p < nparts; p++) part_of(f, p, nparts).from->busy = 0;
            nobody_holds_anything(f);
        }
    sito_free(f);
}

struct holder {
    sito_filter *f;
    unsigned part;
};

/* Lets go of a part as soon as the other has been filled and left. */
static void *leave_later(void *self) {
    const struct holder *h = self;
    const struct stretch *other = part_of(h->f, !h->part, 2).from;
    while (!__atomic_load_n(&other->added, __ATOMIC_RELAXED)) sched_yield();
    run_leave(part_of(h->f, h->part, 2), 0);
    return NULL;
}

static void a_part_that_another_holds_is_waited_for(void **state) {
    (void)state;
    uint64_t *hashes = distinct_hashes();
    for (unsigned part = 0; part < 2; part++) {
        sito_plan plan = sparse_plan();
        sito_filter *f = filled(&plan, 0, 0);
        struct holder h = {f, part};
        pthread_t other;
        run_take(part_of(f, part, 2));
        assert_int_equal(pthread_create(&other, NULL, leave_later, &h), 0);
        add_all_by_parts(f, hashes, 2);
        pthread_join(other, NULL);
        assert_int_equal(nkeys_of(f), MANY);
        nobody_holds_anything(f);
        sito_free(f);
    }
    free(hashes);
}

/* Holds the last stretch of a part, and looks whether a batch that came to it waits. */
static void *leave_the_last(void *self) {
    const struct holder *h = self;
    struct run r = part_of(h->f, h->part, 2);
    while (!stretch_is_busy(r.from)) sched_yield();
    usleep(5000); /* in which far more than all keys are added */
    bool waited = stretch_is_busy(r.from) && !__atomic_load_n(&r.from->added, __ATOMIC_RELAXED);
    stretch_leave(r.to - 1, 0);
    return waited ? self : NULL;
}

static void a_part_is_taken_up_to_its_last_stretch(void **state) {
    (void)state;
    uint64_t *hashes = distinct_hashes();
    for (unsigned part = 0; part < 2; part++) {
        sito_plan plan = sparse_plan();
        sito_filter *f = filled(&plan, 0, 0);
        struct holder h = {f, part};
        pthread_t other;
        void *waited = NULL;
        assert_true(stretch_try(part_of(f, part, 2).to - 1));
        assert_int_equal(pthread_create(&other, NULL, leave_the_last, &h), 0);
        add_all_by_parts(f, hashes, 2);
        pthread_join(other, &waited);
        assert_non_null(waited);
        assert_int_equal(nkeys_of(f), MANY);
        nobody_holds_anything(f);
        sito_free(f);
    }
    free(hashes);
}

struct single {
    sito_filter *f;
    uint64_t hash;
};

static void *add_single(void *self) {
    const struct single *one = self;
    return sito_add_shared(one->f, one->hash) == 1 ? self : NULL;
}

static void who_waits_long_says_so_and_then_no_more(void **state) {
    (void)state;
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0);
    for (unsigned half = 0; half < 2; half++) {
        struct run r = part_of(f, half, 2);
        uint64_t last = range_begin((uint64_t)(r.to - 1 - f->stretch), f->derived[0]);
        struct single one = {f, range_begin(last, nblocks_of(&f->shape))};
        pthread_t other;
        void *is_new = NULL;
        assert_true(stretch_try(r.to - 1));
        assert_int_equal(pthread_create(&other, NULL, add_single, &one), 0);
        for (unsigned ms = 0; ms < 10000 && !half_is_awaited(r.from); ms++) usleep(1000);
        bool told = half_is_awaited(r.from),
             other_half = half_is_awaited(part_of(f, !half, 2).from);
        stretch_leave(r.to - 1, 0);
        pthread_join(other, &is_new);
        assert_true(told && !other_half && is_new);
        assert_false(is_awaited(f));
        nobody_holds_anything(f);
    }
    sito_free(f);
}

/* ---- memory of batches ---- */

static void keys_are_sorted_in_memory_of_their_own(void **state) {
    (void)state;
    books b;
    const sito_memory elsewhere = memory_with(&b);
    uint64_t *hashes = distinct_hashes();
    sito_plan plan = sparse_plan();
    sito_filter *f = filled(&plan, 0, 0), *g = NULL, *h = NULL;
    assert_int_equal(sito_copy(f, &elsewhere, &g), SITO_OK);
    assert_int_equal(add_by_parts(f, hashes, SORTED_FEW, 2), SORTED_FEW);
    assert_true(!f->spare[0]); /* the stack has room for so many */
    assert_int_equal(add_by_parts(f, hashes, MANY, 2), SORTED_MOST);
    assert_int_equal(add_by_parts(f, hashes, MANY, 4), SORTED_MOST / 2);
    assert_true(f->spare[0] && !f->spare[1]); /* kept, and used again */
    struct sorted *kept = much_room(f), *more = much_room(f), *third = much_room(f);
    assert_true(kept && more && third && !f->spare[0] && !f->spare[1]);
    spare_keep(f, &kept->spare);
    spare_keep(f, &more->spare);
    spare_keep(f, &third->spare); /* no more than two are kept */
    assert_true(f->spare[0] && f->spare[1]);
    assert_int_equal(sito_copy(f, NULL, &h), SITO_OK);
    assert_true(!h->spare[0] && !h->spare[1]);
    sito_free(f);
    sito_free(h);
    books before = b;
    assert_int_equal(add_by_parts(g, hashes, MANY, 2), SORTED_FEW);
    assert_int_equal(add_by_parts(g, hashes, MANY, 4), SORTED_FEW / 2);
    assert_true(b.calls == before.calls && b.live == before.live);
    sito_free(g);
    assert_true(!b.live && !b.broken);
    free(hashes);
}

static void a_small_filter_keeps_little_memory(void **state) {
    (void)state;
    static const struct {
        uint64_t nblocks;
        size_t room; /* 0: none of its own */
    } wanted[] = {{2048, 0}, {2049, 4 * 2049}, {16384, SORTED_MOST}, {100000, SORTED_MOST}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        sito_plan plan = {.kind = SITO_BLOCK,
                          .ncells = wanted[i].nblocks * BLOCK_BITS,
                          .nhashes = 8,
                          .seed = SEED};
        sito_filter *f = filled(&plan, 0, 0);
        struct sorted *s = much_room(f);
        assert_int_equal(s ? s->room : 0, wanted[i].room);
        if (s) spare_keep(f, &s->spare);
        sito_free(f);
    }
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

/* The least that stays mapped is a mebibyte; what the table does not need of it is given back, unless
 * that is less than it needs. */
static void a_folded_table_keeps_fewer_pages_than_it_uses(void **state) {
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
        PROMISE(here * page <= 2 * bytes + LARGEST_PAGE, "%zu bytes: %zu pages", bytes, here);
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
        cmocka_unit_test(keys_are_sorted_by_parts),
        cmocka_unit_test(there_are_parts_for_all_batches),
        cmocka_unit_test(who_waits_for_a_stretch_gets_it_soon),
        cmocka_unit_test(a_part_that_is_left_is_taken_up_again),
        cmocka_unit_test(the_part_that_is_free_is_taken),
        cmocka_unit_test(a_part_that_another_holds_is_waited_for),
        cmocka_unit_test(a_part_is_taken_up_to_its_last_stretch),
        cmocka_unit_test(who_waits_long_says_so_and_then_no_more),
        cmocka_unit_test(keys_are_sorted_in_memory_of_their_own),
        cmocka_unit_test(a_small_filter_keeps_little_memory),
        cmocka_unit_test(a_folded_table_keeps_fewer_pages_than_it_uses),
        cmocka_unit_test(a_large_filter_from_a_file_folds_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
