/* test_threads.c - many threads at once: shared adds beside questions, and const calls beside each other. */
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "memory.h"

enum { SEED = 42, THREADS = 4, CROWD = 6, EACH = 20000, KEYS = THREADS * EACH, BATCH = 50 };

/* ---- shared adds ---- */

struct adder {
    sito_filter *f;
    const uint64_t *hashes;
    size_t from, n, batch; /* its own hashes, and how many of them it adds at a time */
    _Atomic size_t *ready; /* how far this thread's hashes are in */
    uint64_t certainly_new;
    int worst;
};

static void *add_share(void *self) {
    struct adder *a = self;
    for (size_t i = 0; i < a->n;) {
        size_t n = a->n - i < a->batch ? a->n - i : a->batch;
        int rc = a->batch > 1 ? sito_add_shared_many(a->f, a->hashes + a->from + i, n)
                              : sito_add_shared(a->f, a->hashes[a->from + i]);
        if (rc < a->worst) a->worst = rc;
        if (rc == 1) a->certainly_new++;
        i += n;
        atomic_store_explicit(a->ready, i, memory_order_release);
    }
    return NULL;
}

struct asker {
    const sito_filter *f;
    const uint64_t *hashes;
    _Atomic size_t *ready;
    _Atomic bool *over;
    size_t threads, each;
    uint64_t asked, denied;
};

/* Whatever a thread has finished adding must be found by another that knows it has, alone or in a batch. */
static void *ask(void *self) {
    struct asker *a = self;
    for (uint64_t step = 0; !atomic_load(a->over) || a->asked < 1000; step++) {
        size_t who = step % a->threads;
        size_t ready = atomic_load_explicit(&a->ready[who], memory_order_acquire);
        if (ready == 0) continue;
        const uint64_t *its = a->hashes + who * a->each;
        size_t n = ready < BATCH ? ready : BATCH;
        if (step % 5 == 4) {
            uint8_t answers[BATCH];
            sito_maybe_many(a->f, its + ready - n, n, answers);
            for (size_t i = 0; i < n; i++) a->denied += !answers[i];
        } else {
            a->denied += !sito_maybe_hash(a->f, its[step % 3 ? ready - 1 : mixed(step) % ready]);
        }
        a->asked++;
    }
    return NULL;
}

/* Keys in batches of that size, on that many threads; or the first thread's one by one. */
static void share(sito_plan plan, size_t threads, size_t batch, bool first_alone) {
    const char *kind = plan.kind;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    sito_filter *f = NULL, *alone = filled(&plan, 0, KEYS);
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    uint64_t *hashes = malloc(KEYS * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < KEYS; i++) hashes[i] = hash_no(f, i);

    _Atomic size_t ready[CROWD];
    _Atomic bool over = false;
    pthread_t adding[CROWD], asking;
    struct adder adders[CROWD];
    size_t each = KEYS / threads;
    struct asker asker = {
        .f = f, .hashes = hashes, .ready = ready, .over = &over, .threads = threads, .each = each};
    for (size_t i = 0; i < threads; i++) {
        atomic_init(&ready[i], 0);
        adders[i] = (struct adder){.f = f,
                                   .hashes = hashes,
                                   .from = i * each,
                                   .n = i + 1 < threads ? each : KEYS - i * each,
                                   .batch = first_alone && i == 0 ? 1 : batch,
                                   .ready = &ready[i]};
    }
    assert_int_equal(pthread_create(&asking, NULL, ask, &asker), 0);
    for (size_t i = 0; i < threads; i++)
        assert_int_equal(pthread_create(&adding[i], NULL, add_share, &adders[i]), 0);
    uint64_t certainly_new = 0;
    for (size_t i = 0; i < threads; i++) {
        pthread_join(adding[i], NULL);
        certainly_new += adders[i].certainly_new;
        PROMISE(adders[i].worst >= 0, "%s: %d", kind, adders[i].worst);
    }
    atomic_store(&over, true);
    pthread_join(asking, NULL);

    PROMISE(asker.asked >= 1000 && asker.denied == 0, "%s denied %llu of %llu", kind,
            (unsigned long long)asker.denied, (unsigned long long)asker.asked);
    for (size_t i = 0; i < KEYS; i++) PROMISE(maybe_no(f, i), "%s lost a shared add", kind);
    image shared = image_of(f), single = image_of(alone);
    PROMISE(same_cells(&shared, &single), "%s: other cells than one thread's", kind);
    if (batch == 1) PROMISE(nkeys_of(f) == certainly_new, "%s miscounts shared adds", kind);
    if (threads == 1) PROMISE(nkeys_of(f) == nkeys_of(alone), "%s miscounts batches", kind);
    free(shared.bytes);
    free(single.bytes);
    free(hashes);
    sito_free(f);
    sito_free(alone);
}

static void shared_adds_lose_nothing(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_SHARE)) continue;
        sito_plan plan = plan_for(kind, KEYS, SEED);
        share(plan, THREADS, 1, false);
        share(plan, THREADS, 37, false);
        share(plan, 1, 37, false);
        if (!is(kind, SITO_BLOCK)) continue;
        plan.fpr = 0.0001; /* the other walk, of sixteen bits */
        share(plan, THREADS, 1, false);
        share(plan, THREADS, 37, false);
    }
}

/* A batch of a block filter holds all of its table, or beside others a part of it: a small one in a
 * crowd, and beside keys that come alone. Parts of an odd number of blocks are not of one size; few
 * blocks have none. */
static void large_shared_batches_lose_nothing(void **state) {
    (void)state;
    static const uint64_t nblocks[] = {255, 1750, 1751};
    for (size_t i = 0; i < sizeof nblocks / sizeof *nblocks; i++)
        for (unsigned k = 8; k <= 16; k += 8) {
            sito_plan plan = {.kind = SITO_BLOCK,
                              .nkeys = KEYS,
                              .ncells = 512 * nblocks[i],
                              .nhashes = k,
                              .seed = SEED};
            for (size_t threads = 1; threads <= THREADS; threads++) {
                share(plan, threads, 500, false);
                share(plan, threads, EACH, false);
                share(plan, threads, EACH, true);
                share(plan, threads, KEYS, false); /* so much that one half gets far ahead */
            }
        }
}

/* Few batches of bloom and parted shut all gates of the table, more than four go through them; so do
 * small ones, and keys that come alone. A table of one gate, of two, and of many. */
static void batches_that_shut_gates_lose_nothing(void **state) {
    (void)state;
    static const char *const kinds[] = {SITO_BLOOM, SITO_PARTED};
    static const uint64_t bytes[] = {7000, 14000, 700000};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
            sito_plan plan = {.kind = kinds[k],
                              .nkeys = KEYS,
                              .ncells = 8 * bytes[i],
                              .nhashes = i < 2 ? 1 : 7,
                              .seed = SEED};
            share(plan, 1, EACH, false);
            share(plan, 2, 500, true);
            share(plan, THREADS, EACH, true);
            share(plan, CROWD, EACH, true);
        }
}

struct batcher {
    sito_filter *f;
    const uint64_t *hashes;
    _Atomic bool *over;
};

static void *add_on_and_on(void *self) {
    const struct batcher *b = self;
    while (!atomic_load(b->over)) sito_add_shared_many(b->f, b->hashes, EACH);
    return NULL;
}

/* Two batches hold a half each and write to the first block of the second half all the time; keys
 * that come alone go there too. */
static void a_key_alone_is_not_lost_where_halves_meet(void **state) {
    (void)state;
    enum { ROUNDS = 20, ALONE = 60, BLOCKS = 4096 };
    const uint64_t middle = UINT64_C(1) << 63, block = UINT64_C(1) << 52;
    uint64_t *hashes = malloc(EACH * sizeof *hashes), dice = SEED;
    assert_non_null(hashes);
    for (unsigned round = 0; round < ROUNDS; round++) {
        sito_plan plan = {
            .kind = SITO_BLOCK, .nkeys = EACH, .ncells = 512 * BLOCKS, .nhashes = 8, .seed = SEED};
        sito_filter *f = NULL;
        _Atomic bool over = false;
        pthread_t adding[2];
        uint64_t often = middle + mixed(++dice) % block, alone[ALONE];
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        for (size_t i = 0; i < EACH; i++) hashes[i] = i % 2 ? often : mixed(++dice) >> 1;
        struct batcher b = {f, hashes, &over};
        for (int t = 0; t < 2; t++)
            assert_int_equal(pthread_create(&adding[t], NULL, add_on_and_on, &b), 0);
        for (size_t i = 0; i < ALONE; i++) {
            alone[i] = middle + mixed(++dice) % block;
            sito_add_shared(f, alone[i]);
            for (volatile unsigned wait = 0; wait < 5000; wait++) continue;
        }
        atomic_store(&over, true);
        for (int t = 0; t < 2; t++) pthread_join(adding[t], NULL);
        for (size_t i = 0; i < ALONE; i++)
            PROMISE(sito_maybe_hash(f, alone[i]), "round %u lost key %zu", round, i);
        sito_free(f);
    }
    free(hashes);
}

/* A batch writes to a byte of a bloom filter all the time, plainly; keys that come alone go to the
 * same byte, each through the gate it lies at: the first of the table, the last, or one between. */
static void a_key_alone_is_not_lost_beside_a_batch(void **state) {
    (void)state;
    enum { ROUNDS = 40, PLACES = 5, BYTES = 1 << 16, BITS = 8 };
    const uint64_t bit = UINT64_C(1) << 45; /* of 2^19, one position a key */
    static const uint64_t bytes[PLACES] = {0, BYTES / 2 - 1, BYTES / 2, BYTES / 3, BYTES - 1};
    uint64_t *hashes = malloc(EACH * sizeof *hashes);
    assert_non_null(hashes);
    for (unsigned round = 0; round < ROUNDS * PLACES; round++) {
        sito_plan plan = {
            .kind = SITO_BLOOM, .nkeys = EACH, .ncells = BYTES * BITS, .nhashes = 1, .seed = SEED};
        sito_filter *f = NULL;
        _Atomic bool over = false;
        pthread_t adding;
        uint64_t first = bytes[round % PLACES] * BITS * bit;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        for (size_t i = 0; i < EACH; i++) hashes[i] = first + mixed(i) % bit;
        struct batcher b = {f, hashes, &over};
        assert_int_equal(pthread_create(&adding, NULL, add_on_and_on, &b), 0);
        while (!sito_maybe_hash(f, first)) sched_yield();
        for (unsigned i = 1; i < BITS; i++) {
            sito_add_shared(f, first + i * bit);
            for (volatile unsigned wait = 0; wait < 5000; wait++) continue;
        }
        atomic_store(&over, true);
        pthread_join(adding, NULL);
        for (unsigned i = 1; i < BITS; i++)
            PROMISE(sito_maybe_hash(f, first + i * bit), "round %u lost key %u", round, i);
        sito_free(f);
    }
    free(hashes);
}

/* ---- builds ---- */

/* Large enough to be built in parts, in numbers of blocks that no number of parts divides; the
 * second time with the hashes all in one part. */
static void a_threaded_build_is_that_of_one(void **state) {
    (void)state;
    enum { N = 1000000, BLOCKS = 140001 };
#ifdef __SANITIZE_THREAD__ /* slow */
    const unsigned threads[] = {3, 64};
#else
    const unsigned threads[] = {1, 2, 3, 7, 64};
#endif
    uint64_t *hashes = malloc(N * sizeof *hashes);
    assert_non_null(hashes);
    for (unsigned k = 8; k <= 16; k += 8) {
        for (size_t i = 0; i < N; i++)
            hashes[i] = mixed(i % 9 == 8 ? i / 3 : i) >> (k == 16 ? 12 : 0);
        sito_plan plan = {
            .kind = SITO_BLOCK, .nkeys = N, .ncells = 512 * BLOCKS, .nhashes = k, .seed = SEED};
        sito_filter *one_by_one = filled(&plan, 0, 0);
        for (size_t i = 0; i < N; i++) assert_true(sito_add_hash(one_by_one, hashes[i]) >= 0);
        image expected = image_of(one_by_one);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            sito_filter *f = NULL;
            plan.threads = threads[t];
            assert_int_equal(sito_build(&plan, NULL, hashes, N, &f), SITO_OK);
            image got = image_of(f);
            PROMISE(same_cells(&got, &expected), "%u threads: other cells", threads[t]);
            PROMISE(nkeys_of(f) == nkeys_of(one_by_one), "%u threads: %llu keys, not %llu",
                    threads[t], (unsigned long long)nkeys_of(f),
                    (unsigned long long)nkeys_of(one_by_one));
            PROMISE(same_image(&got, &expected), "%u threads: another image", threads[t]);
            free(got.bytes);
            sito_free(f);
        }
        free(expected.bytes);
        sito_free(one_by_one);
    }
    free(hashes);
}

/* Each thread has a place open in every part: few keys are not worth that of many threads. */
static void many_threads_for_few_keys_take_little_room(void **state) {
    (void)state;
    enum { N = 1 << 16, BLOCKS = 1 << 19 };
    size_t room[2];
    uint64_t *hashes = malloc(N * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < N; i++) hashes[i] = mixed(i);
    for (int many = 0; many < 2; many++) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_filter *f = NULL;
        sito_plan plan = {.kind = SITO_BLOCK, .nkeys = N, .ncells = 512 * BLOCKS, .seed = SEED};
        plan.threads = many ? 64 : 1;
        assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_OK);
        room[many] = b.most_bytes - b.live_bytes;
        sito_free(f);
    }
    assert_true(room[0] > 0);
    PROMISE(room[1] <= 2 * room[0], "%zu bytes, and %zu for one thread", room[1], room[0]);
    free(hashes);
}

/* ---- const calls ---- */

struct reader {
    const sito_filter *f;
    const image *expected;
    unsigned trouble;
};

static void *read_all(void *self) {
    struct reader *r = self;
    uint64_t hashes[200];
    uint8_t answers[200];
    for (unsigned round = 0; round < 20; round++) {
        sito_info info;
        sito_filter *copy = NULL;
        size_t n;
        for (uint64_t i = 0; i < 200; i++) {
            r->trouble += !maybe_no(r->f, i);
            hashes[i] = hash_no(r->f, i);
        }
        sito_maybe_many(r->f, hashes, 200, answers);
        for (size_t i = 0; i < 200; i++) r->trouble += answers[i] != 1;
        r->trouble += sito_look(r->f, &info) != SITO_OK;
        r->trouble += sito_check(r->f, NULL) != SITO_OK;
        r->trouble += sito_note(r->f, "testtest", &n) == NULL;
        r->trouble += sito_copy(r->f, NULL, &copy) != SITO_OK;
        sito_free(copy);
        image now = image_of(r->f);
        r->trouble += !same_image(&now, r->expected);
        free(now.bytes);
    }
    return NULL;
}

static void const_calls_run_beside_each_other(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 200, SEED);
        sito_filter *f = filled(&plan, 0, 200);
        assert_int_equal(sito_set_note(f, "testtest", "note", 4), SITO_OK);
        image was = image_of(f);
        pthread_t threads[8];
        struct reader readers[8];
        for (size_t i = 0; i < 8; i++) {
            readers[i] = (struct reader){.f = f, .expected = &was};
            assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
        }
        for (size_t i = 0; i < 8; i++) {
            pthread_join(threads[i], NULL);
            PROMISE(readers[i].trouble == 0, "%s: %u answers differ", kind, readers[i].trouble);
        }
        free(was.bytes);
        sito_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_adds_lose_nothing),
        cmocka_unit_test(large_shared_batches_lose_nothing),
        cmocka_unit_test(batches_that_shut_gates_lose_nothing),
        cmocka_unit_test(a_key_alone_is_not_lost_where_halves_meet),
        cmocka_unit_test(a_key_alone_is_not_lost_beside_a_batch),
        cmocka_unit_test(a_threaded_build_is_that_of_one),
        cmocka_unit_test(many_threads_for_few_keys_take_little_room),
        cmocka_unit_test(const_calls_run_beside_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
