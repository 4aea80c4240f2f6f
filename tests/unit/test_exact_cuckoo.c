/*
 * test_exact_cuckoo.c - the complete dictionary by cuckoo hashing: beside a plain array, full to the brim,
 * and among keys that were chosen to find no place.
 */
#include "check.h"

#include <sito/exact.h>

#include "memory.h"
#include "reseal.h"

enum { SEED = 42 };

static sito_filter *with_slots(uint64_t slots, const sito_memory *mem) {
    sito_plan plan = {.kind = SITO_EXACT_CUCKOO, .ncells = slots, .seed = SEED};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, mem, &f), SITO_OK);
    return f;
}

static void is_sound(const sito_filter *f) {
    const char *why = NULL;
    if (sito_check(f, &why) != SITO_OK) fail_msg("unsound: %s", why);
}

/* ---- beside a plain array ---- */

enum { UNIVERSE = 3000 };

struct plain {
    uint64_t count[UNIVERSE], value[UNIVERSE], nkeys, distinct;
};

static void agrees(const sito_filter *f, const struct plain *p, uint64_t i) {
    numbered key = key_no(i);
    uint64_t n = 99, v = 0;
    assert_int_equal(sito_count(f, key.bytes, 8, &n), SITO_OK);
    PROMISE(n == p->count[i], "key %llu: count %llu, not %llu", (unsigned long long)i,
            (unsigned long long)n, (unsigned long long)p->count[i]);
    PROMISE(maybe_no(f, i) == (n > 0), "key %llu", (unsigned long long)i);
    PROMISE(sito_maybe_hash(f, hash_no(f, i)) == (n > 0), "hash of %llu", (unsigned long long)i);
    PROMISE(sito_exact_get(f, key.bytes, 8, &v) == (n > 0) && v == p->value[i], "value of %llu",
            (unsigned long long)i);
}

static void agrees_in_all(const sito_filter *f, const struct plain *p) {
    is_sound(f);
    for (uint64_t i = 0; i < UNIVERSE; i++) agrees(f, p, i);
    assert_int_equal(nkeys_of(f), p->nkeys);
    assert_int_equal(fact(f, "distinct"), p->distinct);
}

static void add_one(sito_filter *f, struct plain *p, uint64_t i) {
    assert_int_equal(add_no(f, i), p->count[i] == 0);
    p->distinct += !p->count[i]++;
    p->nkeys++;
}

static void put_one(sito_filter *f, struct plain *p, uint64_t i, uint64_t value) {
    numbered key = key_no(i);
    bool is_new = p->count[i] == 0;
    assert_int_equal(sito_exact_put(f, key.bytes, 8, value), is_new);
    p->value[i] = value;
    p->count[i] += is_new, p->nkeys += is_new, p->distinct += is_new;
}

static void remove_one(sito_filter *f, struct plain *p, uint64_t i) {
    bool is_there = p->count[i] > 0;
    assert_int_equal(remove_no(f, i), is_there);
    if (!is_there) return;
    p->nkeys--;
    if (--p->count[i] == 0) p->value[i] = 0, p->distinct--;
}

static sito_filter *saved_and_opened(sito_filter *f) {
    image im = image_of(f);
    sito_filter *again = opened(&im, NULL);
    assert_true(still_is(again, &im));
    sito_free(f);
    return again;
}

/* Adds outweigh removes for a while, then removes adds: it grows, empties, and fills its holes. */
static void random_calls_agree_with_a_plain_array(void **state) {
    (void)state;
    enum { CALLS = 1000000, TIDE = 50000 };
    static struct plain p;
    sito_filter *f = with_slots(8, NULL);
    for (uint64_t call = 0; call < CALLS; call++) {
        uint64_t dice = mixed(call), i = (dice >> 32) % UNIVERSE, turn = dice % 100;
        bool flood = call / TIDE % 2 == 0;
        if (turn < (flood ? 50 : 25)) add_one(f, &p, i);
        else if (turn < 60) remove_one(f, &p, i);
        else if (turn < 75) put_one(f, &p, i, dice);
        else agrees(f, &p, i);
        if (call % 20011 == 0) f = saved_and_opened(f);
        if (call % 50021 == 0) agrees_in_all(f, &p);
    }
    agrees_in_all(f, &p);
    assert_true(fact(f, "slots") >= UNIVERSE / 2);
    sito_free(f);
}

/* ---- full ---- */

static void a_table_takes_95_keys_for_100_slots(void **state) {
    (void)state;
    const uint64_t sizes[] = {400, 5000, 100000, 1 << 20};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t slots = sizes[s], n = slots / 20 * 19;
        sito_filter *f = with_slots(slots, NULL);
        for (uint64_t i = 0; i < n; i++) assert_int_equal(add_no(f, i), 1);
        assert_int_equal(fact(f, "slots"), slots);
        for (uint64_t i = 0; i < n; i++)
            assert_true(maybe_no(f, i) && sito_maybe_hash(f, hash_no(f, i)));
        for (uint64_t i = n; i < 2 * n; i++)
            assert_false(maybe_no(f, i) || sito_maybe_hash(f, hash_no(f, i)));
        is_sound(f);
        sito_free(f);
    }
}

static void planned_keys_find_their_place_without_growing(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 200000; n = n < 200 ? n + 1 : n * 3)
        for (uint64_t seed = 1; seed <= (n < 200 ? 50 : 3); seed++) {
            sito_plan plan = plan_for(SITO_EXACT_CUCKOO, n, seed);
            assert_int_equal(sito_plan_solve(&plan), SITO_OK);
            sito_filter *f = filled(&plan, seed * 1000000, n);
            PROMISE(fact(f, "slots") == plan.ncells, "%llu keys, seed %llu: it grew",
                    (unsigned long long)n, (unsigned long long)seed);
            sito_free(f);
        }
}

static void slots_come_in_buckets_of_four(void **state) {
    (void)state;
    for (uint64_t slots = 1; slots < 40; slots++) {
        sito_plan plan = {.kind = SITO_EXACT_CUCKOO, .ncells = slots, .seed = SEED};
        bool fine = slots >= 8 && slots % 4 == 0;
        assert_int_equal(sito_plan_solve(&plan), fine ? SITO_OK : SITO_EINVAL);
    }
}

/* ---- keys that were chosen ---- */

enum { TWINS = 12 };

typedef struct twin {
    uint8_t bytes[16];
} twin;

/*
 * Keys of 16 bytes with one and the same XXH3. Its two halves go in as a and b, each behind a mask, and
 * what counts is bytes_swapped(a) + b + fold(a * b). With small a and a * b below 2^64 that is
 * (a << 56) + b * (a + 1): any total that leaves a << 56 when divided by a + 1, for every a, will do.
 */
static twin twin_no(uint64_t total, uint64_t a) {
    twin key;
    write_le(key.bytes, 8, a ^ (UINT64_C(0x6782737bea4239b9) + SEED));
    write_le(key.bytes + 8, 8,
             ((total - (a << 56)) / (a + 1)) ^ (UINT64_C(0xaf56bc3b0996523a) - SEED));
    return key;
}

static void find_twins(twin keys[TWINS]) {
    static const uint64_t primes[TWINS] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
    uint64_t total = 0, all = 1;
    for (int i = 0; i < TWINS; all *= primes[i++]) /* one prime after the other */
        while (total % primes[i] != ((primes[i] - 1) << 56) % primes[i]) total += all;
    while (total < UINT64_C(1) << 62) total += all; /* more than any a << 56 */
    for (int i = 0; i < TWINS; i++) keys[i] = twin_no(total, primes[i] - 1);
}

static int add_twin(sito_filter *f, const twin *key) { return sito_add(f, key->bytes, 16); }

static void eight_keys_may_share_a_hash_and_the_ninth_is_refused(void **state) {
    (void)state;
    twin keys[TWINS];
    find_twins(keys);
    sito_filter *f = with_slots(400, NULL);
    for (int i = 1; i < TWINS; i++)
        assert_int_equal(sito_hash_key(f, keys[i].bytes, 16), sito_hash_key(f, keys[0].bytes, 16));
    for (uint64_t i = 0; i < 300; i++) assert_int_equal(add_no(f, i), 1);
    for (int i = 0; i < 8; i++)
        assert_int_equal(sito_exact_put(f, keys[i].bytes, 16, 100 + (uint64_t)i), 1);
    image was = image_of(f);
    for (int i = 8; i < TWINS; i++) {
        assert_int_equal(add_twin(f, &keys[i]), SITO_EFULL);
        assert_int_equal(sito_exact_put(f, keys[i].bytes, 16, 5), SITO_EFULL);
        assert_false(sito_maybe(f, keys[i].bytes, 16));
    }
    assert_true(still_is(f, &was));
    for (uint64_t i = 0; i < 8; i++) {
        uint64_t v = 0;
        assert_int_equal(sito_exact_get(f, keys[i].bytes, 16, &v), 1);
        assert_int_equal(v, 100 + i);
    }
    assert_int_equal(sito_remove(f, keys[3].bytes, 16), 1);
    assert_int_equal(add_twin(f, &keys[8]), 1);
    assert_false(sito_maybe(f, keys[3].bytes, 16));
    for (uint64_t i = 300; i < 2000; i++) assert_int_equal(add_no(f, i), 1); /* and it grows */
    for (uint64_t i = 0; i < 2000; i++) assert_true(maybe_no(f, i));
    for (int i = 0; i < 9; i++) assert_int_equal(sito_maybe(f, keys[i].bytes, 16), i != 3);
    is_sound(f);
    sito_free(f);
}

static void a_merge_that_finds_no_place_changes_nothing(void **state) {
    (void)state;
    twin keys[TWINS];
    find_twins(keys);
    sito_filter *a = with_slots(400, NULL), *b = with_slots(400, NULL);
    for (uint64_t i = 0; i < 100; i++) assert_true(add_no(a, i) == 1 && add_no(b, 50 + i) == 1);
    for (int i = 0; i < 5; i++) assert_int_equal(add_twin(a, &keys[i]), 1);
    for (int i = 5; i < 9; i++) assert_int_equal(add_twin(b, &keys[i]), 1);
    image was = image_of(a);
    assert_int_equal(sito_merge(a, b), SITO_EFULL);
    assert_true(still_is(a, &was));
    assert_int_equal(sito_remove(b, keys[8].bytes, 16), 1);
    assert_int_equal(sito_merge(a, b), SITO_OK);
    for (int i = 0; i < 8; i++) assert_true(sito_maybe(a, keys[i].bytes, 16));
    for (uint64_t i = 0; i < 150; i++) assert_true(maybe_no(a, i));
    is_sound(a);
    sito_free(a);
    sito_free(b);
}

/* A key's two buckets in a table of so many. */
static void places(uint64_t hash, uint64_t nbuckets, uint64_t place[2]) {
    uint64_t next = hash * UINT64_C(0xd1342543de82ef95) + UINT64_C(0x9e3779b97f4a7c15);
    place[0] = (uint64_t)(((unsigned __int128)hash * nbuckets) >> 64);
    place[1] = (uint64_t)(((unsigned __int128)next * (nbuckets - 1)) >> 64);
    place[1] += place[1] >= place[0];
}

/* The next key from `from` on that has these two buckets among so many. */
static uint64_t crowding(const sito_filter *f, uint64_t from, uint64_t nbuckets, uint64_t first,
                         uint64_t second) {
    for (;; from++) {
        uint64_t place[2];
        places(hash_no(f, from), nbuckets, place);
        if (place[0] == first && place[1] == second) return from;
    }
}

/* In a table of 64 buckets they all have the same two; so in every smaller one the same few. */
static void keys_that_crowd_are_refused_and_cost_no_memory(void **state) {
    (void)state;
    enum { CROWD = 100 };
    uint64_t keys[CROWD], last = 1000000, stored = 0;
    int answers[CROWD];
    sito_filter *f = with_slots(8, NULL);
    for (int i = 0; i < CROWD; i++) {
        keys[i] = last = crowding(f, last + 1, 64, 20, 50);
        image was = image_of(f);
        answers[i] = add_no(f, last);
        assert_true(answers[i] == 1 || answers[i] == SITO_EFULL);
        stored += answers[i] == 1;
        if (answers[i] == 1) free(was.bytes);
        else assert_true(still_is(f, &was));
        assert_true(fact(f, "slots") <= 2 * (stored + 1) + 64);
        is_sound(f);
    }
    assert_true(stored >= 8 && stored < CROWD);
    for (uint64_t i = 0; i < 3000; i++) assert_int_equal(add_no(f, i), 1);
    for (int i = 0; i < CROWD; i++) assert_int_equal(maybe_no(f, keys[i]), answers[i] == 1);
    is_sound(f);
    sito_free(f);
}

/* Nine keys for two of four buckets: there are free slots, and no way to them. */
static void a_table_grows_where_there_is_no_way_or_stays_as_it_is(void **state) {
    (void)state;
    books b;
    sito_memory mem = memory_with(&b);
    sito_filter *f = with_slots(16, &mem);
    uint64_t last = 0, first = 0;
    for (int i = 0; i < 9; i++) {
        last = crowding(f, last + 1, 4, 1, 3);
        if (i == 0) first = last;
        if (i < 8) assert_int_equal(add_no(f, last), 1);
    }
    assert_int_equal(fact(f, "slots"), 16);
    for (size_t request = 1; request <= 2; request++) {
        image was = image_of(f);
        b.fail_at = b.calls + request;
        assert_int_equal(add_no(f, last), SITO_ENOMEM);
        b.fail_at = 0;
        assert_true(still_is(f, &was));
        assert_false(maybe_no(f, last));
    }
    assert_int_equal(add_no(f, last), 1);
    assert_true(fact(f, "slots") > 16 && fact(f, "slots") <= 2 * 9 + 64);
    assert_true(maybe_no(f, first) && maybe_no(f, last));
    is_sound(f);
    sito_free(f);
    assert_int_equal(b.live, 0);
}

/* ---- forged ---- */

/* Where the slots begin, and how many there are. */
static uint8_t *slots_of(image *im, uint64_t *n) {
    *n = read_le(im->bytes + 80, 8);
    return im->bytes + 128;
}

static void refused_because(image *im, const char *reason) {
    sito_filter *f = NULL;
    const char *why = NULL;
    reseal(im->bytes, im->len);
    assert_int_equal(sito_from_image(im->bytes, im->len, NULL, &f, &why), SITO_EDAMAGED);
    assert_string_equal(why, reason);
}

static void a_key_outside_its_buckets_is_refused(void **state) {
    (void)state;
    sito_filter *f = with_slots(40, NULL);
    assert_int_equal(add_no(f, 1), 1);
    image im = image_of(f);
    uint64_t n, place[2], from = 0, moved = 0;
    uint8_t *slots = slots_of(&im, &n), slot[16];
    places(hash_no(f, 1), n / 4, place);
    while (!read_le(slots + 16 * from + 8, 8)) from++;
    memcpy(slot, slots + 16 * from, 16);
    for (uint64_t to = 0; to < n; to++) {
        memset(slots + 16 * from, 0, 16);
        memcpy(slots + 16 * to, slot, 16);
        from = to;
        if (to / 4 == place[0] || to / 4 == place[1]) {
            reseal(im.bytes, im.len);
            sito_free(opened(&im, NULL));
            moved++;
        } else {
            refused_because(&im, "a key is in neither of its buckets");
        }
    }
    assert_int_equal(moved, 8);
    free(im.bytes);
    sito_free(f);
}

/* Two slots with one record, and books that balance. */
static void a_record_of_two_slots_is_refused(void **state) {
    (void)state;
    sito_filter *f = with_slots(40, NULL);
    assert_true(add_no(f, 1) == 1 && add_no(f, 2) == 1 && remove_no(f, 2) == 1);
    image im = image_of(f);
    uint64_t n, place[2];
    uint8_t *slots = slots_of(&im, &n), *slot = slots;
    places(hash_no(f, 1), n / 4, place);
    while (!read_le(slot + 8, 8)) slot += 16;
    uint64_t other = (uint64_t)(slot - slots) / 64 == place[0] ? place[1] : place[0];
    memcpy(slots + 64 * other, slot, 16);
    write_le(im.bytes + 48, 8, 2);  /* nkeys */
    write_le(im.bytes + 104, 8, 0); /* dead bytes */
    write_le(im.bytes + 112, 8, 2); /* distinct keys */
    refused_because(&im, "two records overlap");
    free(im.bytes);
    sito_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls_agree_with_a_plain_array),
        cmocka_unit_test(a_table_takes_95_keys_for_100_slots),
        cmocka_unit_test(planned_keys_find_their_place_without_growing),
        cmocka_unit_test(slots_come_in_buckets_of_four),
        cmocka_unit_test(eight_keys_may_share_a_hash_and_the_ninth_is_refused),
        cmocka_unit_test(a_merge_that_finds_no_place_changes_nothing),
        cmocka_unit_test(keys_that_crowd_are_refused_and_cost_no_memory),
        cmocka_unit_test(a_table_grows_where_there_is_no_way_or_stays_as_it_is),
        cmocka_unit_test(a_key_outside_its_buckets_is_refused),
        cmocka_unit_test(a_record_of_two_slots_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
