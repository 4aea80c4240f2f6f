/* test_fuse_values.c - a fuse filter as a map: a key of the set gets its own value, always. */
#define _GNU_SOURCE
#include "check.h"

#include <math.h>

#include "backwards.h"
#include "maps.h"
#include "memory.h"

/* ---- every key has its value ---- */

static void build_one(size_t n, unsigned value_bits, unsigned tag_bits, unsigned arity) {
    sito_plan plan = plan_of(n ? n : 1, value_bits, tag_bits, arity);
    struct set s = set_of(n + value_bits, n, value_bits);
    sito_filter *f = built(&plan, s);
    has_all(f, s);
    assert_int_equal(nkeys_of(f), n);
    assert_true(fact(f, "value_bits") == value_bits && fact(f, "tag_bits") == tag_bits);
    sito_free(f);
    set_free(s);
}

static void every_key_has_its_value(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 100, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned arity = 3; arity <= 4; arity++)
            for (unsigned bits = 1; bits <= SLOT_BITS; bits++) {
                build_one(sizes[i], bits, 0, arity);
                if (bits < SLOT_BITS) build_one(sizes[i], bits, 1, arity);
                if (bits < SLOT_BITS) build_one(sizes[i], bits, SLOT_BITS - bits, arity);
            }
}

static void every_key_of_many_has_its_value(void **state) {
    (void)state;
    for (unsigned arity = 3; arity <= 4; arity++) {
        for (unsigned bits = 1; bits < SLOT_BITS; bits += 6) {
            build_one(100000, bits, 0, arity);
            build_one(100000, bits, SLOT_BITS - bits, arity);
        }
        build_one(1000000, 8, 0, arity);
        build_one(1000000, 5, 8, arity);
        build_one(2500000, 13, 0, arity);
    }
}

static void every_size_can_be_built(void **state) {
    (void)state;
    for (size_t n = 0; n < 3000; n += n < 300 ? 1 : 37)
        for (unsigned arity = 3; arity <= 4; arity++) build_one(n, 7, 2, arity);
}

/* ---- strangers ---- */

/* Of 100,000; a standard error is at most 158. */
enum { ASKED = 100000, SLACK = 5 };

static void strangers_are_told_by_their_marks(void **state) {
    (void)state;
    for (unsigned tag_bits = 1; tag_bits <= 10; tag_bits += 3) {
        sito_plan plan = plan_of(20000, 12, tag_bits, 0);
        struct set s = set_of(1, 20000, 12);
        sito_filter *f = built(&plan, s);
        struct set strangers = set_of(2, ASKED, 1);
        uint64_t *hashes = strangers.hashes, let_in = 0;
        uint32_t *values = strangers.values;
        uint8_t *answers = malloc(ASKED);
        assert_int_equal(sito_fuse_get_many(f, hashes, ASKED, values, answers), SITO_OK);
        for (size_t i = 0; i < ASKED; i++) {
            uint32_t value = 77;
            int answer = sito_fuse_get_hash(f, hashes[i], &value);
            PROMISE(answer == answers[i], "stranger %zu: a batch answers otherwise", i);
            PROMISE(value == (answer ? values[i] : 77), "stranger %zu: %u", i, value);
            PROMISE(answer || !values[i], "stranger %zu of a batch: %u", i, values[i]);
            PROMISE(sito_maybe_hash(f, hashes[i]) == (answer == 1), "stranger %zu: maybe", i);
            let_in += answers[i];
        }
        double mean = ASKED * ldexp(1, -(int)tag_bits), error = sqrt(mean);
        PROMISE(fabs((double)let_in - mean) < SLACK * error, "%u bits: %llu let in", tag_bits,
                (unsigned long long)let_in);
        free(answers);
        sito_free(f);
        set_free(s);
        set_free(strangers);
    }
}

/* Every value comes as often as any other, whatever the keys have. */
static void strangers_get_noise(void **state) {
    (void)state;
    enum { BITS = 3 };
    sito_plan plan = plan_of(20000, BITS, 0, 0);
    struct set s = set_of(1, 20000, BITS);
    memset(s.values, 0, s.n * sizeof *s.values);
    sito_filter *f = built(&plan, s);
    struct set strangers = set_of(2, ASKED, BITS);
    size_t met[1 << BITS] = {0};
    assert_int_equal(sito_fuse_get_many(f, strangers.hashes, ASKED, strangers.values, NULL),
                     SITO_OK);
    for (size_t i = 0; i < ASKED; i++) met[strangers.values[i]]++;
    for (unsigned v = 0; v < 1 << BITS; v++)
        PROMISE(fabs((double)met[v] - ASKED / 8.0) < SLACK * sqrt(ASKED / 8.0), "%u: %zu times", v,
                met[v]);
    sito_free(f);
    set_free(s);
    set_free(strangers);
}

static void an_empty_map_has_nobody(void **state) {
    (void)state;
    sito_plan plan = plan_of(100, 8, 0, 0);
    struct set none = set_of(0, 0, 8);
    sito_filter *f = built(&plan, none);
    uint32_t value = 77;
    for (uint64_t i = 0; i < 1000; i++)
        PROMISE(sito_fuse_get_hash(f, mixed(i), &value) == 0 && value == 77, "%u", value);
    assert_int_equal(sito_fuse_get_many(f, NULL, 0, NULL, NULL), SITO_OK);
    sito_free(f);
    set_free(none);
    assert_int_equal(sito_fuse_build(&plan, NULL, NULL, NULL, 0, &f), SITO_OK);
    sito_free(f);
}

/* ---- copies, and those that only look like it ---- */

/* The first `n` of them, and `copies` of these behind. */
static struct set with_copies(size_t n, size_t copies, unsigned bits) {
    struct set s = set_of(3, n + copies, bits);
    for (size_t i = n; i < s.n; i++) {
        size_t of = mixed(i) % n;
        s.hashes[i] = s.hashes[of];
        s.values[i] = s.values[of];
    }
    return s;
}

static void copies_with_the_same_value_are_welcome(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 3, 1000, 100000, 2500000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned arity = 3; arity <= 4; arity++) {
            size_t n = sizes[i];
            sito_plan plan = plan_of(n, 9, 2, arity);
            struct set s = with_copies(n, n / 5 + 1, 9), once = s;
            once.n = n;
            sito_filter *f = built(&plan, s), *g = built(&plan, once);
            has_all(f, s);
            assert_int_equal(nkeys_of(f), n);
            image was = image_of(g), now = image_of(f);
            PROMISE(same_image(&was, &now), "%zu keys: copies make other bytes", n);
            free(was.bytes);
            free(now.bytes);
            sito_free(f);
            sito_free(g);
            set_free(s);
        }
}

static void a_hash_with_two_values_is_refused(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 3, 1000, 100000, 2500000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            size_t n = sizes[i];
            books b;
            sito_memory mem = memory_with(&b);
            sito_plan plan = plan_of(n, 9, 0, 0);
            plan.threads = threads;
            struct set s = with_copies(n, n / 5 + 1, 9);
            s.values[s.n - 1] ^= 1;
            sito_filter *f = NULL;
            sito_rc rc = sito_fuse_build(&plan, &mem, s.hashes, s.values, s.n, &f);
            PROMISE(rc == SITO_EINVAL && !f, "%zu keys: %d", n, rc);
            assert_true(b.live == 0 && !b.broken);
            set_free(s);
        }
}

/* The hash for which the first try draws `drawn`; `rest` are the bits that no draw has. */
static uint64_t hash_that_draws(uint64_t drawn, uint64_t rest) {
    return unstirred((drawn << (64 - DRAWN_BITS) | rest) * inverse(FUSE_DRAW) ^ FUSE_TRY);
}

/* Keys alike in all bits that a try draws, with values of their own: another try parts them. */
static void keys_that_look_alike_keep_their_values(void **state) {
    (void)state;
    static const size_t sizes[] = {2, 10, 1000, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned alike = 2; alike <= 64; alike *= 2) {
            size_t n = sizes[i] > alike ? sizes[i] : alike;
            sito_plan plan = plan_of(n, 10, 0, 0);
            struct set s = set_of(5, n, 10);
            for (unsigned j = 0; j < alike; j++) {
                s.hashes[n - 1 - j] = hash_that_draws(12345678901234567u, j);
                s.values[n - 1 - j] = j;
                assert_true(fuse_drawn(fuse_stirred(s.hashes[n - 1 - j], 0), 1) ==
                            12345678901234567u);
            }
            sito_filter *f = built(&plan, s);
            has_all(f, s);
            PROMISE(fact(f, "tries") > 1, "%zu keys: the first try told them apart", n);
            assert_int_equal(nkeys_of(f), n);
            sito_free(f);
            set_free(s);
        }
}

/* With one value they are one key, as in a filter without values. */
static void keys_that_look_alike_may_share_a_value(void **state) {
    (void)state;
    enum { N = 1000 };
    sito_plan plan = plan_of(N, 10, 0, 0);
    struct set s = set_of(5, N, 10);
    for (unsigned j = 0; j < 5; j++) {
        s.hashes[j] = hash_that_draws(12345678901234567u, j);
        s.values[j] = 77;
    }
    sito_filter *f = built(&plan, s);
    has_all(f, s);
    sito_free(f);
    set_free(s);
}

static void hashes_in_a_row_are_as_good_as_any(void **state) {
    (void)state;
    enum { N = 30000 };
    sito_plan plan = plan_of(N, 10, 0, 0);
    for (unsigned shift = 0; shift < 48; shift += 6) {
        struct set s = set_of(5, N, 10);
        for (uint64_t i = 0; i < N; i++) s.hashes[i] = i << shift;
        sito_filter *f = built(&plan, s);
        has_all(f, s);
        sito_free(f);
        set_free(s);
    }
}

/* ---- threads and memory ---- */

static void maps_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    enum { N = 2500000 };
    struct set s = set_of(6, N, 11);
    for (unsigned arity = 3; arity <= 4; arity++) {
        sito_plan plan = plan_of(N, 11, 3, arity);
        sito_filter *alone = built(&plan, s);
        image was = image_of(alone);
        assert_true(fact(alone, "pieces") >= 2);
        for (unsigned threads = 2; threads <= 5; threads++) {
            books b;
            sito_memory mem = memory_with(&b);
            sito_filter *f = NULL;
            plan.threads = threads;
            assert_int_equal(sito_fuse_build(&plan, &mem, s.hashes, s.values, N, &f), SITO_OK);
            image now = image_of(f);
            PROMISE(same_image(&was, &now), "%u threads: other bytes", threads);
            free(now.bytes);
            sito_free(f);
            assert_true(!b.broken && b.live == 0);
        }
        free(was.bytes);
        sito_free(alone);
    }
    set_free(s);
}

static void the_order_of_the_keys_does_not_matter(void **state) {
    (void)state;
    enum { N = 20000 };
    sito_plan plan = plan_of(N, 11, 3, 0);
    struct set s = set_of(6, N, 11), back = set_of(6, N, 11);
    for (size_t i = 0; i < N; i++) {
        back.hashes[i] = s.hashes[N - 1 - i];
        back.values[i] = s.values[N - 1 - i];
    }
    sito_filter *f = built(&plan, s), *g = built(&plan, back);
    image one = image_of(f), other = image_of(g);
    PROMISE(same_image(&one, &other), "the other way round: other bytes");
    free(one.bytes);
    free(other.bytes);
    sito_free(f);
    sito_free(g);
    set_free(s);
    set_free(back);
}

static void a_build_works_with_22_bytes_a_key(void **state) {
    (void)state;
    static const size_t sizes[] = {100000, 1000000, 1100000, 1300000, 2500000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned arity = 3; arity <= 4; arity++) {
            books b;
            sito_memory mem = memory_with(&b);
            sito_plan plan = plan_of(sizes[i], 8, 0, arity);
            struct set s = set_of(i, sizes[i], 8);
            sito_filter *f = NULL;
            assert_int_equal(sito_fuse_build(&plan, &mem, s.hashes, s.values, s.n, &f), SITO_OK);
            double each = (double)(b.most_bytes - b.live_bytes) / (double)s.n;
            PROMISE(each <= 22, "%zu keys, %u-wise: %.2f bytes each", s.n, arity, each);
            sito_free(f);
            set_free(s);
        }
}

static void without_memory_nothing_is_left_behind(void **state) {
    (void)state;
    enum { N = 900000 }; /* two pieces: values are carried */
    struct set s = set_of(6, N, 4);
    sito_plan plan = plan_of(N, 4, 0, 0);
    plan.threads = 2;
    for (size_t call = 1, is_over = 0; !is_over; call++) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_filter *f = NULL;
        b.fail_at = call;
        sito_rc rc = sito_fuse_build(&plan, &mem, s.hashes, s.values, N, &f);
        is_over = rc == SITO_OK;
        PROMISE(is_over ? b.calls < call : rc == SITO_ENOMEM && !f, "call %zu: %d", call, rc);
        sito_free(f);
        PROMISE(b.live == 0 && !b.broken, "call %zu: %zu blocks are out", call, b.live);
    }
    set_free(s);
}

static int stop_at_once(void *self, uint64_t done, uint64_t total) {
    (void)self, (void)done, (void)total;
    return 1;
}

static void a_build_can_be_called_off(void **state) {
    (void)state;
    static const size_t sizes[] = {1000, 900000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct set s = set_of(6, sizes[i], 4);
        sito_plan plan = plan_of(s.n, 4, 0, 0);
        sito_filter *f = NULL;
        plan.watch = stop_at_once;
        assert_int_equal(sito_fuse_build(&plan, NULL, s.hashes, s.values, s.n, &f), SITO_ECANCEL);
        set_free(s);
    }
}

int main(void) {
    end_within(600);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_its_value),
        cmocka_unit_test(every_key_of_many_has_its_value),
        cmocka_unit_test(every_size_can_be_built),
        cmocka_unit_test(strangers_are_told_by_their_marks),
        cmocka_unit_test(strangers_get_noise),
        cmocka_unit_test(an_empty_map_has_nobody),
        cmocka_unit_test(copies_with_the_same_value_are_welcome),
        cmocka_unit_test(a_hash_with_two_values_is_refused),
        cmocka_unit_test(keys_that_look_alike_keep_their_values),
        cmocka_unit_test(keys_that_look_alike_may_share_a_value),
        cmocka_unit_test(hashes_in_a_row_are_as_good_as_any),
        cmocka_unit_test(maps_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(the_order_of_the_keys_does_not_matter),
        cmocka_unit_test(a_build_works_with_22_bytes_a_key),
        cmocka_unit_test(without_memory_nothing_is_left_behind),
        cmocka_unit_test(a_build_can_be_called_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
