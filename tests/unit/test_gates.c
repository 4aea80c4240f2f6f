/* test_gates.c - shared adds to bloom and parted: who goes through a gate, who shuts all of them, and
 * that none is left shut. Many threads at once are test_threads.c's. */
#define _DEFAULT_SOURCE /* usleep */
#include "kinds/share_bits.h"

#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { SEED = 42, MANY = 50000 };

static const char *const bit_kinds[] = {SITO_BLOOM, SITO_PARTED};

/* Sparse, and with bits enough: so each of distinct keys is new, whatever the order. */
static sito_filter *sparse(unsigned k) {
    sito_plan plan = {
        .kind = bit_kinds[k], .nkeys = MANY, .ncells = 64 * MANY, .nhashes = 20, .seed = SEED};
    return filled(&plan, 0, 0);
}

static struct bits_walk walk_in(const sito_filter *f, unsigned k) {
    return walk_of(&f->shape, bit_kinds[k] == bit_kinds[1], 1);
}

static void no_gate_is_shut(const sito_filter *f) {
    for (unsigned s = 0; s < f->nstretches; s++) assert_false(stretch_is_busy(f->stretch + s));
}

static void a_table_has_as_many_gates_as_it_is_worth(void **state) {
    (void)state;
    unsigned before = 1;
    for (uint64_t bytes = 8; bytes < (uint64_t)1 << 40; bytes += 8 + bytes / 3) {
        struct shape shape = {.ncells = 8 * bytes};
        unsigned n = bits_gates(&shape);
        assert_true(n >= before && n <= GATES_MOST && (n & (n - 1)) == 0);
        assert_true(n == 1 || n * sizeof(struct stretch) <= bytes / 64);
        before = n;
    }
    assert_int_equal(before, GATES_MOST);
}

static void through_a_gate_or_behind_all_it_is_the_same(void **state) {
    (void)state;
    uint64_t hashes[MANY];
    for (size_t i = 0; i < MANY; i++) hashes[i] = mixed(i);
    for (unsigned k = 0; k < 2; k++) {
        sito_filter *alone = sparse(k);
        for (size_t i = 0; i < MANY; i++) assert_int_equal(sito_add_hash(alone, hashes[i]), 1);
        image wanted = image_of(alone);
        sito_free(alone);
        for (unsigned way = 0; way < 6; way++) {
            sito_filter *f = sparse(k);
            if (way == 0) {
                f->stretch->batches = 1;
                assert_int_equal(add_behind_gates(f, walk_in(f, k), hashes, MANY), MANY);
            } else if (way == 1) {
                for (size_t i = 0; i < MANY; i++)
                    assert_int_equal(sito_add_shared(f, hashes[i]), 1);
                for (size_t i = 0; i < MANY; i++)
                    assert_int_equal(sito_add_shared(f, hashes[i]), 0);
            } else { /* alone, in turn, in a crowd, beside one who waits */
                unsigned others = way == 3 ? 1 : way == 4 ? IN_TURN : 0;
                f->stretch->batches = others;
                f->stretch->awaited = way == 5;
                assert_int_equal(sito_add_shared_many(f, hashes, MANY), SITO_OK);
                assert_int_equal(f->stretch->batches, others);
            }
            f->stretch->batches = f->stretch->awaited = 0;
            no_gate_is_shut(f);
            PROMISE(nkeys_of(f) == MANY, "%s, way %u: %llu keys", bit_kinds[k], way,
                    (unsigned long long)nkeys_of(f));
            image shared = image_of(f);
            PROMISE(same_image(&shared, &wanted), "%s, way %u: another table", bit_kinds[k], way);
            free(shared.bytes);
            sito_free(f);
        }
        free(wanted.bytes);
    }
}

static void whoever_comes_is_let_in_soon(void **state) {
    (void)state;
    uint64_t hashes[MANY];
    for (size_t i = 0; i < MANY; i++) hashes[i] = mixed(i);
    sito_filter *f = sparse(0);
    struct bits_walk w = walk_in(f, 0);
    for (unsigned half = 0; half < 2; half++) {
        f->stretch->batches = 1;
        part_of(f, half, 2).from->awaited = 1;
        assert_int_equal(add_behind_gates(f, w, hashes, MANY), GATE_LOOK);
        part_of(f, half, 2).from->awaited = 0;
        f->stretch->batches = 2;
        assert_int_equal(add_behind_gates(f, w, hashes, MANY), GATE_LOOK);
    }
    f->stretch->batches = 0;
    sito_free(f);
}

/* What goes behind the gates is counted by the first; what goes through them, by each. */
static void few_batches_shut_the_gates_and_many_do_not(void **state) {
    (void)state;
    uint64_t hashes[MANY];
    for (size_t i = 0; i < MANY; i++) hashes[i] = mixed(i);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned others = 0; others < IN_TURN + 4; others++) {
            bool waits = others > IN_TURN + 1;
            sito_filter *f = sparse(k);
            f->stretch->batches = waits ? 0 : others;
            part_of(f, others % 2, 2).from->awaited = waits;
            assert_int_equal(sito_add_shared_many(f, hashes, MANY), SITO_OK);
            bool are_shut = f->stretch->added == MANY;
            PROMISE(are_shut == (others < IN_TURN), "%s beside %u batches: %llu of %u behind gates",
                    bit_kinds[k], others, (unsigned long long)f->stretch->added, MANY);
            assert_int_equal(nkeys_of(f), MANY);
            sito_free(f);
        }
}

/* Longer than they were shut, but not for ever. */
static void gates_stay_open_for_a_while(void **state) {
    (void)state;
    uint64_t hashes[MANY];
    for (size_t i = 0; i < MANY; i++) hashes[i] = mixed(i);
    sito_filter *f = sparse(0);
    assert_true(GATES_OPEN >= 4 * GATE_LOOK && (int)GATES_OPEN < MANY);
    assert_int_equal(add_through_gates(f, walk_in(f, 0), hashes, MANY), GATES_OPEN);
    assert_int_equal(nkeys_of(f), GATES_OPEN);
    assert_true(sito_maybe_hash(f, hashes[GATES_OPEN - 1]));
    assert_false(sito_maybe_hash(f, hashes[GATES_OPEN]));
    sito_free(f);
}

struct comer {
    sito_filter *f;
    uint64_t hash;
    size_t n; /* 1: by itself */
};

static void *come(void *self) {
    const struct comer *c = self;
    uint64_t hashes[AT_ONCE];
    for (size_t i = 0; i < AT_ONCE; i++) hashes[i] = c->hash;
    if (c->n == 1) sito_add_shared(c->f, c->hash);
    else sito_add_shared_many(c->f, hashes, c->n);
    return NULL;
}

/* It waits; it is told of; and when the gates open it goes in. */
static void nobody_goes_through_a_gate_that_is_shut(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++)
        for (size_t n = 1; n <= AT_ONCE; n += AT_ONCE - 1)
            for (uint64_t hash = mixed(n) >> 1, half = 0; half < 2;
                 half++, hash |= (uint64_t)1 << 63) {
                sito_filter *f = sparse(k);
                struct run all = part_of(f, 0, 1);
                struct comer c = {f, hash, n};
                pthread_t thread;
                run_take(all);
                assert_int_equal(pthread_create(&thread, NULL, come, &c), 0);
                while (!is_awaited(f)) sched_yield();
                assert_true(half_is_awaited(part_of(f, (unsigned)half, 2).from));
                assert_false(sito_maybe_hash(f, hash));
                run_leave(all, 0);
                pthread_join(thread, NULL);
                assert_true(sito_maybe_hash(f, hash));
                assert_false(is_awaited(f));
                no_gate_is_shut(f);
                sito_free(f);
            }
}

static void *come_in_a_batch(void *self) {
    uint64_t hashes[MANY];
    for (size_t i = 0; i < MANY; i++) hashes[i] = mixed(i);
    sito_add_shared_many(self, hashes, MANY);
    return NULL;
}

/* Whichever it is: somebody may be on the way through it. */
static void a_batch_waits_for_every_gate(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned place = 0; place < 4; place++) {
            sito_filter *f = sparse(k);
            const unsigned last = f->nstretches - 1, gates[] = {0, 1, last / 2, last};
            const unsigned gate = gates[place];
            pthread_t thread;
            assert_true(stretch_try(f->stretch + gate));
            assert_int_equal(pthread_create(&thread, NULL, come_in_a_batch, f), 0);
            while (!batches_of(f) || !stretch_is_busy(f->stretch)) sched_yield();
            usleep(5000); /* in which many keys would be added */
            bool went_in = sito_maybe_hash(f, mixed(0));
            stretch_leave(f->stretch + gate, 0);
            pthread_join(thread, NULL);
            PROMISE(!went_in, "%s: gate %u is not waited for", bit_kinds[k], gate);
            assert_int_equal(nkeys_of(f), MANY);
            no_gate_is_shut(f);
            sito_free(f);
        }
}

struct shutter {
    sito_filter *f;
    bool queued, done;
};

static void *shut_and_open(void *self) {
    struct shutter *s = self;
    s->queued = gates_shut(s->f);
    run_leave(part_of(s->f, 0, 1), 0);
    __atomic_store_n(&s->done, true, __ATOMIC_RELEASE);
    return NULL;
}

/* It says that it waits, queues, is let in when the gate opens, and leaves the turn to the next. */
static void who_waits_long_queues(void **state) {
    (void)state;
    sito_filter *f = sparse(0);
    struct shutter s = {f, false, false};
    struct stretch *first = f->stretch;
    pthread_t thread;
    for (unsigned round = 1; round <= 3; round++) {
        assert_true(stretch_try(first));
        assert_int_equal(pthread_create(&thread, NULL, shut_and_open, &s), 0);
        while (!somebody_queues(first)) sched_yield();
        assert_true(__atomic_load_n(&first->shutting, __ATOMIC_RELAXED));
        stretch_leave(first, 0);
        pthread_join(thread, NULL);
        assert_true(s.queued && !first->shutting);
        assert_int_equal(first->turn, round);
        assert_int_equal(first->turns, round);
        no_gate_is_shut(f);
    }
    sito_free(f);
}

/* Though the gate is open: it is for those who have waited. */
static void nobody_passes_the_queue(void **state) {
    (void)state;
    sito_filter *f = sparse(0);
    struct shutter s = {f, false, false};
    struct stretch *first = f->stretch;
    pthread_t thread;
    first->turns = 1; /* somebody's turn has come */
    assert_int_equal(pthread_create(&thread, NULL, shut_and_open, &s), 0);
    while (__atomic_load_n(&first->turns, __ATOMIC_RELAXED) != 2) sched_yield();
    usleep(5000);
    assert_false(__atomic_load_n(&s.done, __ATOMIC_ACQUIRE));
    assert_false(stretch_is_busy(first));
    __atomic_store_n(&first->turn, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    assert_true(s.queued);
    assert_int_equal(first->turn, 2);
    sito_free(f);
}

static void *open_to_the_queue(void *self) {
    struct stretch *first = ((sito_filter *)self)->stretch;
    while (!somebody_queues(first)) sched_yield();
    stretch_leave(first, 0);
    return NULL;
}

/* Else it would have to queue again for every few keys; but not while one by one is waited for. */
static void who_queued_stays_for_a_turn(void **state) {
    (void)state;
    uint64_t hashes[MANY];
    for (size_t i = 0; i < MANY; i++) hashes[i] = mixed(i);
    for (unsigned awaited = 0; awaited < 2; awaited++) {
        sito_filter *f = sparse(0);
        pthread_t thread;
        f->stretch->batches = 2;
        f->stretch->awaited = (uint8_t)awaited;
        assert_true(stretch_try(f->stretch));
        assert_int_equal(pthread_create(&thread, NULL, open_to_the_queue, f), 0);
        size_t n = add_behind_gates(f, walk_in(f, 0), hashes, MANY);
        pthread_join(thread, NULL);
        assert_int_equal(n, awaited ? GATE_LOOK : GATE_TURN);
        assert_int_equal(nkeys_of(f), n);
        no_gate_is_shut(f);
        f->stretch->batches = 0;
        sito_free(f);
    }
}

/* Alone with its gate, a small table can be shared as well. */
static void a_small_table_is_shared_too(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        sito_plan plan = {.kind = bit_kinds[k], .nkeys = 1000, .fpr = 0.01, .seed = SEED};
        sito_filter *f = filled(&plan, 0, 0);
        uint64_t hashes[1000];
        for (size_t i = 0; i < 1000; i++) hashes[i] = mixed(i);
        assert_int_equal(f->nstretches, 1);
        assert_int_equal(sito_add_shared_many(f, NULL, 0), SITO_OK);
        assert_int_equal(nkeys_of(f), 0);
        assert_int_equal(sito_add_shared_many(f, hashes, 900), SITO_OK);
        for (size_t i = 900; i < 1000; i++) assert_true(sito_add_shared(f, hashes[i]) >= 0);
        for (size_t i = 0; i < 1000; i++) assert_true(sito_maybe_hash(f, hashes[i]));
        no_gate_is_shut(f);
        sito_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_has_as_many_gates_as_it_is_worth),
        cmocka_unit_test(through_a_gate_or_behind_all_it_is_the_same),
        cmocka_unit_test(whoever_comes_is_let_in_soon),
        cmocka_unit_test(few_batches_shut_the_gates_and_many_do_not),
        cmocka_unit_test(gates_stay_open_for_a_while),
        cmocka_unit_test(nobody_goes_through_a_gate_that_is_shut),
        cmocka_unit_test(a_batch_waits_for_every_gate),
        cmocka_unit_test(who_waits_long_queues),
        cmocka_unit_test(nobody_passes_the_queue),
        cmocka_unit_test(who_queued_stays_for_a_turn),
        cmocka_unit_test(a_small_table_is_shared_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
