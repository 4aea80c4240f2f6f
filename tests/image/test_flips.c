/*
 * test_flips.c - damaged images are refused with a reason; those with their sums made right are harmless.
 *
 * Each image is flipped in every single bit, cut at every length and lengthened by a byte.
 */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

#include "exercise.h"
#include "reseal.h"

enum { SEED = 42, KEYS = 12 };

static const sito_key secret = {.id = 7, .bytes = "fifteen letters"};

/* A small image of this kind: bit 0 keyed, bit 1 with a note. */
static image sample(const char *kind, unsigned variant, sito_how *how) {
    sito_plan plan = plan_for(kind, KEYS, SEED);
    *how = (sito_how){0};
    if (variant & 1) plan.key = how->key = &secret;
    if (variant & 1) plan.seed = 0;
    sito_filter *f = filled(&plan, 0, KEYS);
    if (variant & 2)
        assert_int_equal(sito_set_note(f, "testtest", "a note of some bytes", 20), SITO_OK);
    image im = image_of(f);
    sito_free(f);
    PROMISE(im.len < 8192, "%s: %zu bytes are too many for this test", kind, im.len);
    return im;
}

/* Refused by every way in: at once by from_image; by view, or by its check. */
static void refused(const char *kind, const uint8_t *bytes, size_t len, const sito_how *how,
                    const char *what, size_t at) {
    sito_filter *f = NULL;
    const char *why = NULL;
    sito_rc rc = sito_from_image(bytes, len, how, &f, &why);
    PROMISE(rc < 0 && why && *why && !f, "%s, %s %zu: accepted, or refused without a reason (%d)",
            kind, what, at, rc);
    why = NULL;
    rc = sito_view(bytes, len, how, &f, &why);
    if (rc == SITO_OK) {
        rc = sito_check(f, &why);
        sito_free(f);
        f = NULL;
    }
    PROMISE(rc < 0 && why && *why && !f, "%s, %s %zu: a view of it passes (%d)", kind, what, at,
            rc);
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (unsigned variant = 0; variant < 4; variant++) {
            sito_how how;
            image im = sample(kind, variant, &how);
            for (size_t bit = 0; bit < 8 * im.len; bit++) {
                im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
                refused(kind, im.bytes, im.len, &how, "bit", bit);
                im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
            sito_free(opened(&im, &how));
            free(im.bytes);
        }
    }
}

/* Copies of the exact size, so that a sanitizer sees a read past the end. */
static void every_other_length_is_refused(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (unsigned variant = 0; variant < 4; variant++) {
            sito_how how;
            image im = sample(kind, variant, &how);
            for (size_t len = 0; len <= im.len + 64; len++) {
                if (len == im.len) continue;
                uint8_t *cut = calloc(len ? len : 1, 1);
                assert_non_null(cut);
                memcpy(cut, im.bytes, len < im.len ? len : im.len);
                refused(kind, cut, len, &how, "length", len);
                free(cut);
            }
            free(im.bytes);
        }
    }
}

static void every_resealed_flip_is_harmless(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (unsigned variant = 0; variant < 4; variant += 3) {
            sito_how how;
            image im = sample(kind, variant, &how);
            uint8_t *hostile = malloc(im.len);
            assert_non_null(hostile);
            size_t accepted = 0;
            for (size_t bit = 0; bit < 8 * im.len; bit++) {
                bool taken;
                memcpy(hostile, im.bytes, im.len);
                hostile[bit / 8] ^= (uint8_t)(1u << bit % 8);
                reseal(hostile, im.len);
                const char *wrong = exercise_image(hostile, im.len, &how, &taken);
                PROMISE(!wrong, "%s, variant %u, bit %zu: %s", kind, variant, bit, wrong);
                accepted += taken;
            }
            /* Some flips make another sound image, a set bit of a cell for one: else nothing was tested. */
            PROMISE(accepted > 0, "%s: reseal.h does not know the format any more", kind);
            free(hostile);
            free(im.bytes);
        }
    }
}

/* Bytes without meaning are zero, or the image is not ours, sums right or not. */
static void every_resealed_bit_without_meaning_is_refused(void **state) {
    (void)state;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_COUNTING};
    for (size_t k = 0; k < 3; k++) {
        sito_plan plan = {.kind = kinds[k], .nkeys = 10, .ncells = 90, .nhashes = 3, .seed = SEED};
        size_t cell_bits = 1;
        if (is(kinds[k], SITO_COUNTING)) cell_bits = plan.cell_bits = 5;
        sito_filter *f = filled(&plan, 0, 10);
        assert_int_equal(sito_set_note(f, "testtest", "five!", 5), SITO_OK);
        image im = image_of(f);
        size_t bytes, cells = (size_t)(cells_of(&im, &bytes) - im.bytes);
        size_t note_end = 8 * (128 + 8 + 5), cells_end = 8 * cells + 90 * cell_bits;
        for (size_t bit = note_end; bit < 8 * (cells + 64); bit++) {
            if (bit >= 8 * cells && bit < cells_end) continue;
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            reseal(im.bytes, im.len);
            refused(kinds[k], im.bytes, im.len, NULL, "bit without meaning", bit);
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        reseal(im.bytes, im.len);
        sito_free(opened(&im, NULL));
        free(im.bytes);
        sito_free(f);
    }
}

/* The header's parameters and counters that a kind has no use for, as docs/format.md lists them. */
static void every_resealed_field_without_meaning_is_refused(void **state) {
    (void)state;
    const struct {
        sito_plan plan;
        unsigned params, extras; /* bit i: number i means something */
    } shapes[] = {
        {{.kind = SITO_EXACT}, 0, 7},
        {{.kind = SITO_EXACT_CUCKOO}, 0, 7},
        {{.kind = SITO_BITMAP}, 0, 0},
        {{.kind = SITO_COMPACT}, 1, 0},
        {{.kind = SITO_BLOOM}, 1, 0},
        {{.kind = SITO_PARTED}, 1, 0},
        {{.kind = SITO_BLOCK}, 1, 0},
        {{.kind = SITO_COUNTING}, 3, 0},
        {{.kind = SITO_CUCKOO}, 15, 3},
        {{.kind = SITO_SCALABLE}, 15, 5},
        {{.kind = SITO_SCALABLE, .max_layers = 9}, 11, 1},
        {{.kind = SITO_SCALABLE, .layer = SITO_CUCKOO}, 11, 3},
        {{.kind = SITO_SCALABLE, .layer = SITO_BLOOM}, 15, 1},
        {{.kind = SITO_AGED}, 15, 3},
        {{.kind = SITO_LINEAR}, 3, 0},
        {{.kind = SITO_FUSE}, 7, 1},
        {{.kind = SITO_RIBBON}, 3, 7},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        sito_plan plan = shapes[i].plan;
        plan.nkeys = KEYS, plan.fpr = 0.01, plan.seed = SEED;
        sito_filter *f = filled(&plan, 0, KEYS);
        image im = image_of(f);
        for (size_t bit = 8 * 88; bit < 8 * 120; bit++) {
            size_t param = bit / 16 - 88 / 2, extra = bit / 64 - 96 / 8;
            if (bit < 8 * 96 ? shapes[i].params >> param & 1 : shapes[i].extras >> extra & 1)
                continue;
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            reseal(im.bytes, im.len);
            refused(plan.kind, im.bytes, im.len, NULL, "bit without meaning", bit);
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        reseal(im.bytes, im.len);
        sito_free(opened(&im, NULL));
        free(im.bytes);
        sito_free(f);
    }
}

/* Whole fields set to what an attacker would write there. */
static void every_resealed_field_is_harmless(void **state) {
    (void)state;
    static const struct {
        size_t at;
        unsigned bytes;
    } fields[] = {{8, 2},  {10, 2}, {12, 4}, {16, 4}, {20, 4},  {24, 2}, {26, 2}, {28, 4},
                  {32, 8}, {40, 8}, {48, 8}, {56, 8}, {64, 8},  {72, 8}, {80, 8}, {88, 2},
                  {90, 2}, {92, 2}, {94, 2}, {96, 8}, {104, 8}, {112, 8}};
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      63,
                                      64,
                                      65,
                                      127,
                                      255,
                                      4096,
                                      65535,
                                      UINT32_MAX,
                                      UINT64_C(1) << 32,
                                      UINT64_C(1) << 61,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX - 63,
                                      UINT64_MAX,
                                      UINT64_C(0x7ff8000000000000),
                                      UINT64_C(0x7ff0000000000000),
                                      UINT64_C(0xbff0000000000000),
                                      UINT64_C(0x3ff0000000000000)};
    const char *kind;
    EACH_KIND(kind) {
        sito_how how;
        image im = sample(kind, 2, &how);
        for (size_t field = 0; field < sizeof fields / sizeof *fields; field++)
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                uint8_t *hostile = malloc(im.len);
                assert_non_null(hostile);
                memcpy(hostile, im.bytes, im.len);
                write_le(hostile + fields[field].at, fields[field].bytes, values[v]);
                reseal(hostile, im.len);
                const char *wrong = exercise_image(hostile, im.len, &how, NULL);
                PROMISE(!wrong, "%s, %#llx at byte %zu: %s", kind, (unsigned long long)values[v],
                        fields[field].at, wrong);
                free(hostile);
            }
        free(im.bytes);
    }
}

/* A count of 0 in the header is no proof that nobody is inside: refused, or every key is found. */
static void counters_are_believed_by_nobody(void **state) {
    (void)state;
    static const size_t fields[] = {48, 56, 64}; /* nkeys, capacity, rate */
    static const uint64_t values[] = {0, 1, KEYS - 1, UINT64_MAX};
    const char *kind;
    EACH_KIND(kind) {
        sito_how how;
        image im = sample(kind, 0, &how);
        for (size_t i = 0; i < 12; i++) {
            sito_filter *f[2] = {NULL, NULL};
            image lies = {.bytes = malloc(im.len), .len = im.len};
            assert_non_null(lies.bytes);
            memcpy(lies.bytes, im.bytes, im.len);
            write_le(lies.bytes + fields[i / 4], 8, values[i % 4]);
            reseal(lies.bytes, lies.len);
            (void)sito_from_image(lies.bytes, lies.len, NULL, &f[0], NULL);
            (void)sito_view(lies.bytes, lies.len, NULL, &f[1], NULL);
            for (int way = 0; way < 2; way++) {
                for (uint64_t key = 0; f[way] && key < KEYS; key++) {
                    uint64_t hash = hash_no(f[way], key);
                    uint8_t answer = 0;
                    sito_maybe_many(f[way], &hash, 1, &answer);
                    PROMISE(maybe_no(f[way], key) && sito_maybe_hash(f[way], hash) && answer,
                            "%s, %#llx at byte %zu: forgot", kind,
                            (unsigned long long)values[i % 4], fields[i / 4]);
                }
                sito_free(f[way]);
            }
            free(lies.bytes);
        }
        free(im.bytes);
    }
}

/* Many random bytes at once, in the cells only: nonsense that geometry alone must keep harmless. */
static void resealed_rubbish_in_the_cells_is_harmless(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_how how;
        image im = sample(kind, 0, &how);
        size_t bytes, at = (size_t)(cells_of(&im, &bytes) - im.bytes);
        uint8_t *hostile = malloc(im.len);
        assert_non_null(hostile);
        for (uint64_t round = 0; round < 2000; round++) {
            memcpy(hostile, im.bytes, im.len);
            uint64_t spots = round % 7 == 0 ? bytes : 1 + round % 9;
            for (uint64_t i = 0; i < spots; i++) {
                uint64_t dice = mixed(round * 1000 + i);
                static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xfe, 0xff};
                hostile[at + dice % bytes] =
                    dice >> 63 ? edges[(dice >> 40) % 6] : (uint8_t)(dice >> 32);
            }
            reseal(hostile, im.len);
            const char *wrong = exercise_image(hostile, im.len, &how, NULL);
            PROMISE(!wrong, "%s, round %llu: %s", kind, (unsigned long long)round, wrong);
        }
        free(hostile);
        free(im.bytes);
    }
}

/* ---- through files ---- */

/* The chance that a draw from one cell misses it is 0, and its logarithm no number. */
static void tables_of_one_bit_planned_for_nobody_have_a_rate(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_PARTED, .nkeys = 1, .ncells = 4, .nhashes = 4, .seed = SEED};
    sito_filter *f = filled(&plan, 0, 1);
    image im = image_of(f);
    bool accepted = false;
    write_le(im.bytes + 56, 8, 0); /* capacity */
    reseal(im.bytes, im.len);
    assert_null(exercise_image(im.bytes, im.len, NULL, &accepted));
    assert_true(accepted);
    sito_free(f);
    free(im.bytes);
}

/* A view's cells are not verified: what is set past the last one must not make a rate above 1. */
static void small_tables_with_all_bytes_set_have_a_fill(void **state) {
    (void)state;
    const sito_plan plans[] = {
        {.kind = SITO_BITMAP, .nkeys = 1, .ncells = 2, .seed = SEED},
        {.kind = SITO_BLOOM, .nkeys = 1, .ncells = 9, .nhashes = 2, .seed = SEED},
        {.kind = SITO_PARTED, .nkeys = 1, .ncells = 9, .nhashes = 2, .seed = SEED},
        {.kind = SITO_COUNTING, .nkeys = 1, .ncells = 9, .cell_bits = 3, .seed = SEED},
        {.kind = SITO_LINEAR, .nkeys = 1, .ncells = 9, .cell_bits = 3, .seed = SEED},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        sito_filter *f = filled(&plans[i], 0, 1);
        image im = image_of(f);
        sito_info info;
        size_t padded, at = (size_t)(cells_of(&im, &padded) - im.bytes);
        assert_int_equal(sito_look(f, &info), SITO_OK);
        memset(im.bytes + at, 0xff, (size_t)info.bytes);
        reseal(im.bytes, im.len);
        const char *wrong = exercise_image(im.bytes, im.len, NULL, NULL);
        PROMISE(!wrong, "%s: %s", plans[i].kind, wrong);
        sito_free(f);
        free(im.bytes);
    }
}

/* ---- records that overlap ---- */

enum { SLOTS = 512, HEAP = 4096, SHARING = 280 };

static void aim(uint8_t *slots, uint64_t hash, uint64_t ref) {
    uint64_t i = (uint64_t)(((unsigned __int128)hash * SLOTS) >> 64);
    while (read_le(slots + 16 * i + 8, 8)) i = (i + 1) % SLOTS;
    write_le(slots + 16 * i, 8, hash);
    write_le(slots + 16 * i + 8, 8, ref);
}

/* An exact filter whose books balance, but where one record stands for many slots, and its length is
 * another record's count: every add of the key "x" (of four bytes) makes all of them longer. */
static image overlapping(void) {
    sito_plan plan = {.kind = SITO_EXACT, .ncells = SLOTS, .seed = SEED};
    sito_filter *f = filled(&plan, 0, 0);
    image plain = image_of(f), im = {.len = 128 + 16 * SLOTS + HEAP + 16};
    im.bytes = calloc(1, im.len);
    if (!im.bytes) give_up("no memory");
    uint8_t *slots = im.bytes + 128, *heap = slots + 16 * SLOTS, *target = heap + HEAP / 2;
    memcpy(im.bytes, plain.bytes, 128);
    write_le(heap, 4, 1);     /* at 0: count 1, */
    write_le(heap + 4, 4, 5); /* length 5; at 4: count 5, */
    write_le(heap + 8, 4, 4); /* length 4 */
    write_le(heap + 12, 4, 'x');
    write_le(target, 4, 1);
    write_le(target + 4, 4, 6);
    memcpy(target + 8, "target", 6);
    for (int i = 0; i < SHARING; i++) aim(slots, sito_hash_key(f, heap + 8, 5), 1);
    aim(slots, sito_hash_key(f, heap + 12, 4), 1 + 4);
    aim(slots, sito_hash_key(f, "target", 6), 1 + HEAP / 2);
    write_le(im.bytes + 48, 8, SHARING + 5 + 1);                  /* nkeys */
    write_le(im.bytes + 72, 8, 16 * SLOTS + HEAP);                /* bytes of the cells */
    write_le(im.bytes + 96, 8, HEAP);                             /* of the heap */
    write_le(im.bytes + 104, 8, HEAP - (SHARING * 13 + 12 + 14)); /* of them dead */
    write_le(im.bytes + 112, 8, SHARING + 2);                     /* distinct keys */
    reseal(im.bytes, im.len);
    sito_free(f);
    free(plain.bytes);
    return im;
}

static void overlapping_records_are_refused(void **state) {
    (void)state;
    image im = overlapping();
    sito_filter *f = NULL, *copy = NULL;
    const char *why = NULL;
    assert_int_equal(sito_from_image(im.bytes, im.len, NULL, &f, &why), SITO_EDAMAGED);
    assert_string_equal(why, "two records overlap");
    /* A view is not verified: it answers, but nothing that could be written is made of it. */
    assert_int_equal(sito_view(im.bytes, im.len, NULL, &f, NULL), SITO_OK);
    assert_null(exercise_reading(f));
    assert_int_equal(sito_check(f, NULL), SITO_EDAMAGED);
    assert_int_equal(sito_copy(f, NULL, &copy), SITO_EDAMAGED);
    sito_free(f);
    free(im.bytes);
}

static void put_file(const char *path, const uint8_t *bytes, size_t len) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    for (size_t done = 0; done < len;) {
        ssize_t n = write(fd, bytes + done, len - done);
        assert_true(n > 0);
        done += (size_t)n;
    }
    assert_int_equal(close(fd), 0);
}

/* Every 13th bit and every 7th length, read whole and mapped. A map is only checked when asked. */
static void damaged_files_are_refused(void **state) {
    (void)state;
    char path[] = "/tmp/sito-flips-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    const char *kind;
    EACH_KIND(kind) {
        sito_how how;
        image im = sample(kind, 2, &how);
        sito_how map = {.flags = SITO_MAP};
        for (size_t bit = 0; bit < 8 * im.len; bit += 13) {
            sito_filter *f = NULL;
            const char *why = NULL;
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            put_file(path, im.bytes, im.len);
            PROMISE(sito_open(path, NULL, &f, &why) < 0 && why && !f, "%s, bit %zu of a file", kind,
                    bit);
            why = NULL;
            sito_rc rc = sito_open(path, &map, &f, &why);
            if (rc == SITO_OK) rc = sito_check(f, &why);
            PROMISE(rc < 0 && why, "%s, bit %zu of a mapped file", kind, bit);
            sito_free(f);
            im.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        uint8_t *longer = calloc(im.len + 128, 1);
        assert_non_null(longer);
        memcpy(longer, im.bytes, im.len);
        for (size_t len = 0; len<im.len + 128; len += len> im.len - 8 ? 1 : 7) {
            sito_filter *f = NULL;
            const char *why = NULL;
            if (len == im.len) continue;
            put_file(path, longer, len);
            PROMISE(sito_open(path, NULL, &f, &why) < 0 && why && !f, "%s, %zu bytes of a file",
                    kind, len);
            why = NULL;
            PROMISE(sito_open(path, &map, &f, &why) < 0 && why && !f, "%s, %zu bytes mapped", kind,
                    len);
        }
        free(longer);
        free(im.bytes);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void) {
    end_within(300); /* ASan takes most of a minute, and a busy machine may double that */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(every_other_length_is_refused),
        cmocka_unit_test(every_resealed_flip_is_harmless),
        cmocka_unit_test(every_resealed_bit_without_meaning_is_refused),
        cmocka_unit_test(every_resealed_field_without_meaning_is_refused),
        cmocka_unit_test(every_resealed_field_is_harmless),
        cmocka_unit_test(counters_are_believed_by_nobody),
        cmocka_unit_test(resealed_rubbish_in_the_cells_is_harmless),
        cmocka_unit_test(tables_of_one_bit_planned_for_nobody_have_a_rate),
        cmocka_unit_test(small_tables_with_all_bytes_set_have_a_fill),
        cmocka_unit_test(overlapping_records_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
