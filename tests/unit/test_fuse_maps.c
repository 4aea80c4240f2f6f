/* test_fuse_maps.c - what maps are planned, what is refused, and their images. */
#define _GNU_SOURCE
#include "check.h"

#include "exercise.h"
#include "folder.h"
#include "maps.h"
#include "reseal.h"

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
        sito_plan plan = plan_for(kind, 100, MAP_SEED);
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
