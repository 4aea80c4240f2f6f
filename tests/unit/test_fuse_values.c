/* test_fuse_values.c - a fuse filter as a map: a key of the set gets its own value, always. */
#define _GNU_SOURCE
#include "check.h"

#include <math.h>
#include <sito/fuse.h>

#include "exercise.h"
#include "folder.h"
#include "kinds/fuse.h"
#include "memory.h"
#include "reseal.h"

enum { SEED = 42, SLOT_BITS = 32 };

/* Keys by number with values by number, each v bits wide. */
struct set {
    size_t n;
    uint64_t *hashes;
    uint32_t *values;
};

static uint32_t value_no(uint64_t i, unsigned bits) { return (uint32_t)(mixed(~i) >> (64 - bits)); }

static struct set set_of(uint64_t seed, size_t n, unsigned bits) {
    struct set s = {n, malloc((n + 1) * sizeof *s.hashes), malloc((n + 1) * sizeof *s.values)};
    assert_true(s.hashes && s.values);
    for (size_t i = 0; i < n; i++) {
        s.hashes[i] = mixed(mixed(seed) + i);
        s.values[i] = value_no(mixed(seed) + i, bits);
    }
    return s;
}

static void set_free(struct set s) {
    free(s.hashes);
    free(s.values);
}

static sito_plan plan_of(uint64_t nkeys, unsigned value_bits, unsigned tag_bits, unsigned arity) {
    return (sito_plan){.kind = SITO_FUSE,
                       .nkeys = nkeys,
                       .value_bits = value_bits,
                       .tag_bits = tag_bits,
                       .arity = arity,
                       .seed = SEED};
}

/* Every value, one by one and in batches. */
static void has_all(const sito_filter *f, struct set s) {
    uint32_t *values = malloc((s.n + 1) * sizeof *values);
    uint8_t *answers = malloc(s.n + 1);
    assert_true(values && answers);
    assert_int_equal(sito_fuse_get_many(f, s.hashes, s.n, values, answers), SITO_OK);
    for (size_t i = 0; i < s.n; i++) {
        uint32_t value = ~s.values[i];
        PROMISE(sito_fuse_get_hash(f, s.hashes[i], &value) == 1 && value == s.values[i],
                "key %zu of %zu: %u, not %u", i, s.n, value, s.values[i]);
        PROMISE(answers[i] == 1 && values[i] == s.values[i], "key %zu of %zu, in a batch: %u", i,
                s.n, values[i]);
        PROMISE(sito_maybe_hash(f, s.hashes[i]), "key %zu of %zu is lost", i, s.n);
    }
    free(values);
    free(answers);
}

static sito_filter *built(const sito_plan *plan, struct set s) {
    sito_filter *f = NULL;
    sito_rc rc = sito_fuse_build(plan, NULL, s.hashes, s.values, s.n, &f);
    PROMISE(rc == SITO_OK, "%zu keys, %u-wise, %u and %u bits: %d", s.n, plan->arity,
            plan->value_bits, plan->tag_bits, rc);
    return f;
}

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

static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

static uint64_t unshifted(uint64_t y, unsigned shift) {
    uint64_t x = y;
    for (unsigned i = shift; i < 64; i += shift) x = y ^ x >> shift;
    return x;
}

/* The hash for which the first try draws `drawn`; `rest` are the bits that no draw has. */
static uint64_t hash_that_draws(uint64_t drawn, uint64_t rest) {
    uint64_t x = (drawn << (64 - DRAWN_BITS) | rest) * inverse(FUSE_DRAW) ^ FUSE_TRY;
    x = unshifted(x, 32) * inverse(FUSE_STIR_TWO);
    x = unshifted(x, 29) * inverse(FUSE_STIR_ONE);
    return unshifted(x, 32);
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

/* ---- plans ---- */

static void a_plan_has_room_for_marks_and_values(void **state) {
    (void)state;
    for (unsigned bits = 1; bits <= SLOT_BITS; bits++) {
        sito_plan bare = plan_of(10000, bits, 0, 0), twice;
        assert_int_equal(sito_plan_solve(&bare), SITO_OK);
        assert_true(bare.tag_bits == 0 && bare.value_bits == bits && bare.real_fpr > 0.999999);
        twice = bare;
        assert_int_equal(sito_plan_solve(&twice), SITO_OK);
        assert_memory_equal(&bare, &twice, sizeof bare);
        if (bits >= 4) {
            sito_plan plain = plan_of(10000, 0, bits, 0);
            assert_int_equal(sito_plan_solve(&plain), SITO_OK);
            PROMISE(plain.bytes == bare.bytes, "%u bits: %llu bytes", bits,
                    (unsigned long long)bare.bytes);
        }
        sito_plan marked = plan_of(10000, bits, 0, 0);
        marked.fpr = 0.01;
        sito_rc rc = sito_plan_solve(&marked);
        PROMISE(bits <= 25 ? rc == SITO_OK && marked.tag_bits == 7 && marked.real_fpr == 1.0 / 128
                           : rc == SITO_ELIMIT,
                "%u bits: %d", bits, rc);
    }
}

static void bytes_to_spare_become_marks(void **state) {
    (void)state;
    sito_plan bare = plan_of(10000, 8, 0, 0), plan = bare;
    assert_int_equal(sito_plan_solve(&bare), SITO_OK);
    plan.max_bytes = bare.bytes * 3 / 2;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    PROMISE(plan.tag_bits == 3 || plan.tag_bits == 4, "%u", plan.tag_bits);
    assert_true(plan.bytes <= plan.max_bytes);
    plan = plan_of(10000, 8, 0, 0);
    plan.max_bytes = bare.bytes;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_int_equal(plan.tag_bits, 0);
    plan = plan_of(10000, 8, 0, 0);
    plan.max_bytes = bare.bytes - 2;
    assert_int_equal(sito_plan_solve(&plan), SITO_ELIMIT);
    plan = plan_of(0, 8, 0, 0); /* as many keys as fit */
    plan.max_bytes = bare.bytes;
    assert_int_equal(sito_plan_solve(&plan), SITO_OK);
    assert_true(plan.nkeys >= 10000 && plan.tag_bits == 0);
}

static void impossible_widths_are_refused(void **state) {
    (void)state;
    static const unsigned widths[][2] = {{33, 0},         {32, 1},         {20, 13}, {1, 32},
                                         {UINT32_MAX, 0}, {UINT32_MAX, 1}, {0, 3},   {0, 33}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        sito_plan plan = plan_of(100, widths[i][0], widths[i][1], 0);
        PROMISE(sito_plan_solve(&plan) == SITO_EINVAL, "%u and %u", widths[i][0], widths[i][1]);
    }
}

static void a_plan_like_another_has_its_values(void **state) {
    (void)state;
    for (unsigned tag_bits = 0; tag_bits <= 6; tag_bits += 3) {
        struct set s = set_of(7, 500, 9);
        sito_plan plan = plan_of(500, 9, tag_bits, 0), like;
        sito_filter *f = built(&plan, s);
        assert_int_equal(sito_plan_like(f, &like), SITO_OK);
        assert_true(like.value_bits == 9 && like.tag_bits == tag_bits);
        sito_filter *g = built(&like, s);
        image was = image_of(f), now = image_of(g);
        PROMISE(same_image(&was, &now), "%u bits: other bytes", tag_bits);
        free(was.bytes);
        free(now.bytes);
        sito_free(f);
        sito_free(g);
        set_free(s);
    }
}

/* ---- what is refused ---- */

static void builds_that_make_no_sense_are_refused(void **state) {
    (void)state;
    struct set s = set_of(7, 100, 9);
    sito_plan good = plan_of(100, 9, 0, 0), plan;
    sito_filter *f = NULL;
    s.values[50] = 1 << 9;
    assert_int_equal(sito_fuse_build(&good, NULL, s.hashes, s.values, 100, &f), SITO_EINVAL);
    s.values[50] = 5;
    assert_int_equal(sito_fuse_build(NULL, NULL, s.hashes, s.values, 100, &f), SITO_EINVAL);
    assert_int_equal(sito_fuse_build(&good, NULL, s.hashes, s.values, 100, NULL), SITO_EINVAL);
    assert_int_equal(sito_fuse_build(&good, NULL, s.hashes, NULL, 100, &f), SITO_EINVAL);
    assert_int_equal(sito_fuse_build(&good, NULL, NULL, s.values, 100, &f), SITO_EINVAL);
    assert_int_equal(sito_build(&good, NULL, s.hashes, 100, &f), SITO_EINVAL);
    plan = good, plan.value_bits = 0;
    assert_int_equal(sito_fuse_build(&plan, NULL, s.hashes, s.values, 100, &f), SITO_EINVAL);
    plan = good, plan.seed = 0;
    assert_int_equal(sito_fuse_build(&plan, NULL, s.hashes, s.values, 100, &f), SITO_EINVAL);
    plan = good, plan.kind = SITO_BLOOM;
    assert_int_equal(sito_fuse_build(&plan, NULL, s.hashes, s.values, 100, &f), SITO_EUNABLE);
    plan = good, plan.nkeys = 50;
    assert_int_equal(sito_fuse_build(&plan, NULL, s.hashes, s.values, 100, &f), SITO_EFULL);
    assert_null(f);
    plan = good, plan.kind = NULL, plan.nkeys = 0;
    assert_int_equal(sito_fuse_build(&plan, NULL, s.hashes, s.values, 100, &f), SITO_OK);
    has_all(f, s);
    sito_free(f);
    set_free(s);
}

static void who_has_no_values_says_so(void **state) {
    (void)state;
    const char *kind;
    uint32_t value = 77;
    uint64_t hash = 1;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100);
        PROMISE(sito_fuse_get(f, "heron", 5, &value) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_fuse_get_hash(f, hash, &value) == SITO_EUNABLE, "%s", kind);
        PROMISE(sito_fuse_get_many(f, &hash, 1, &value, NULL) == SITO_EUNABLE, "%s", kind);
        sito_free(f);
    }
    assert_int_equal(value, 77);
    assert_int_equal(sito_fuse_get(NULL, "heron", 5, &value), SITO_EINVAL);
    assert_int_equal(sito_fuse_get_hash(NULL, hash, &value), SITO_EINVAL);
    assert_int_equal(sito_fuse_get_many(NULL, &hash, 1, &value, NULL), SITO_EINVAL);
}

/* ---- images ---- */

static sito_filter *of_keys(const sito_plan *plan, size_t n) {
    struct set s = set_of(0, n, plan->value_bits);
    for (uint64_t i = 0; i < n; i++) {
        numbered key = key_no(i);
        s.hashes[i] = sito_hash_plan(plan, key.bytes, sizeof key.bytes);
        s.values[i] = value_no(i, plan->value_bits);
    }
    sito_filter *f = built(plan, s);
    set_free(s);
    return f;
}

static void has_keys(const sito_filter *f, size_t n, unsigned bits) {
    for (uint64_t i = 0; i < n; i++) {
        numbered key = key_no(i);
        uint32_t value;
        PROMISE(sito_fuse_get(f, key.bytes, sizeof key.bytes, &value) == 1 &&
                    value == value_no(i, bits),
                "key %llu", (unsigned long long)i);
    }
}

static void saved_opened_mapped_and_copied_values_stay(void **state) {
    (void)state;
    enum { N = 3000, BITS = 13 };
    for (unsigned tag_bits = 0; tag_bits <= 6; tag_bits += 6) {
        sito_plan plan = plan_of(N, BITS, tag_bits, 0);
        sito_filter *f = of_keys(&plan, N), *g;
        has_keys(f, N, BITS);
        assert_int_equal(sito_save(f, path), SITO_OK);
        assert_int_equal(sito_open(path, NULL, &g, NULL), SITO_OK);
        has_keys(g, N, BITS);
        sito_free(g);
        sito_how map = {.flags = SITO_MAP};
        assert_int_equal(sito_open(path, &map, &g, NULL), SITO_OK);
        has_keys(g, N, BITS);
        sito_free(g);
        assert_int_equal(sito_copy(f, NULL, &g), SITO_OK);
        has_keys(g, N, BITS);
        sito_free(g);
        sito_free(f);
    }
}

static void keyed_maps_need_their_key(void **state) {
    (void)state;
    static const sito_key secret = {.id = 5, .bytes = "sixteen letters"};
    sito_plan plan = plan_of(100, 9, 4, 0);
    plan.seed = 0;
    plan.key = &secret;
    sito_filter *f = of_keys(&plan, 100);
    has_keys(f, 100, 9);
    image im = image_of(f);
    sito_how without = {.flags = SITO_NOKEY};
    sito_filter *g = opened(&im, &without);
    uint32_t value;
    uint64_t hash = 1;
    assert_int_equal(sito_fuse_get(g, "heron", 5, &value), SITO_EKEY);
    assert_int_equal(sito_fuse_get_hash(g, 1, &value), SITO_EKEY);
    assert_int_equal(sito_fuse_get_many(g, &hash, 1, &value, NULL), SITO_EKEY);
    free(im.bytes);
    sito_free(f);
    sito_free(g);
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    sito_plan plan = plan_of(40, 9, 3, 0);
    sito_filter *f = of_keys(&plan, 40), *g = NULL;
    image im = image_of(f);
    for (size_t bit = 0; bit < im.len * 8; bit++) {
        im.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        PROMISE(sito_from_image(im.bytes, im.len, NULL, &g, NULL) < 0 && !g, "bit %zu", bit);
        im.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(im.bytes);
    sito_free(f);
}

/* Every width of marks and values there could be, the sums made right: refused, or harmless. */
static void widths_that_cannot_be_are_refused(void **state) {
    (void)state;
    enum { PARAMS_AT = 88, WIDEST = 40 };
    sito_plan plan = plan_of(40, 9, 3, 0);
    sito_filter *f = of_keys(&plan, 40);
    image im = image_of(f);
    size_t taken = 0;
    for (unsigned tag_bits = 0; tag_bits <= WIDEST; tag_bits++)
        for (unsigned value_bits = 0; value_bits <= WIDEST; value_bits++) {
            bool accepted = false;
            write_le(im.bytes + PARAMS_AT, 2, tag_bits);
            write_le(im.bytes + PARAMS_AT + 4, 2, value_bits);
            reseal(im.bytes, im.len);
            const char *wrong = exercise_image(im.bytes, im.len, NULL, &accepted);
            PROMISE(!wrong, "%u and %u bits: %s", tag_bits, value_bits, wrong);
            unsigned bits = tag_bits + value_bits;
            bool may_be = bits <= SLOT_BITS && (value_bits || tag_bits >= 4);
            PROMISE(!accepted || may_be, "%u and %u bits", tag_bits, value_bits);
            PROMISE(accepted || bits != 12, "%u and %u bits: refused", tag_bits, value_bits);
            taken += accepted;
        }
    assert_true(taken >= 13); /* cells of some other widths are padded to as many bytes */
    static const unsigned hostile[][2] = {{65535, 65535}, {3, 65533}, {65533, 3}, {0, 65535},
                                          {65535, 13},    {32768, 9}, {3, 32777}, {0, 256}};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        bool accepted = true;
        write_le(im.bytes + PARAMS_AT, 2, hostile[i][0]);
        write_le(im.bytes + PARAMS_AT + 4, 2, hostile[i][1]);
        reseal(im.bytes, im.len);
        const char *wrong = exercise_image(im.bytes, im.len, NULL, &accepted);
        PROMISE(!wrong && !accepted, "%u and %u bits", hostile[i][0], hostile[i][1]);
    }
    free(im.bytes);
    sito_free(f);
}

/* The format does not change unnoticed. */
static void images_are_the_same_as_ever(void **state) {
    (void)state;
    static const struct {
        size_t n;
        unsigned value_bits, tag_bits, arity;
        uint64_t digest;
    } pinned[] = {
        {20, 9, 0, 4, UINT64_C(0xc206c2a2fd225128)},
        {20, 9, 3, 4, UINT64_C(0x8ea5dc3151b03af3)},
        {3000, 1, 0, 3, UINT64_C(0x7bd1523360c17266)},
        {3000, 8, 8, 4, UINT64_C(0x93469adf634f3750)},
        {200000, 5, 3, 4, UINT64_C(0x2505e4287d13812f)},
        {200000, 12, 0, 3, UINT64_C(0xe41f1f8bcf0d977a)},
        {900000, 6, 0, 4, UINT64_C(0xf25424f8e34f3419)},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        sito_plan plan =
            plan_of(pinned[i].n, pinned[i].value_bits, pinned[i].tag_bits, pinned[i].arity);
        sito_filter *f = of_keys(&plan, pinned[i].n);
        image im = image_of(f);
        uint64_t digest = XXH3_64bits(im.bytes, im.len);
        PROMISE(digest == pinned[i].digest, "%zu keys: %016llx", pinned[i].n,
                (unsigned long long)digest);
        free(im.bytes);
        sito_free(f);
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
        cmocka_unit_test(a_plan_has_room_for_marks_and_values),
        cmocka_unit_test(bytes_to_spare_become_marks),
        cmocka_unit_test(impossible_widths_are_refused),
        cmocka_unit_test(a_plan_like_another_has_its_values),
        cmocka_unit_test(builds_that_make_no_sense_are_refused),
        cmocka_unit_test(who_has_no_values_says_so),
        cmocka_unit_test_setup_teardown(saved_opened_mapped_and_copied_values_stay, make_folder,
                                        remove_folder),
        cmocka_unit_test(keyed_maps_need_their_key),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(widths_that_cannot_be_are_refused),
        cmocka_unit_test(images_are_the_same_as_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
