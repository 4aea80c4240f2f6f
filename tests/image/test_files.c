/*
 * test_files.c - saved by one process, opened by another: whole, mapped, and refused where that is right.
 *
 * Called as `test_files --find FILE N FLAGS KEYED` it is the other process, and answers by its exit code.
 */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

#include "reseal.h"

enum { SEED = 42, KEYS = 3000 };

static const sito_key secret = {.id = 7, .bytes = "fifteen letters"};
static void put_file(const uint8_t *bytes, size_t len) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0 && write(fd, bytes, len) == (ssize_t)len && close(fd) == 0);
}

/* ---- another process ---- */

static int find_them(const char *file, uint64_t n, unsigned flags, bool keyed) {
    sito_how how = {.flags = flags, .key = keyed ? &secret : NULL};
    sito_filter *f = NULL;
    if (sito_open(file, &how, &f, NULL) != SITO_OK) return 2;
    if (sito_check(f, NULL) != SITO_OK) return 3;
    uint64_t missing = 0, wrong = 0;
    for (uint64_t i = 0; i < n; i++) missing += !maybe_no(f, i);
    for (uint64_t i = 0; i < 10000; i++) wrong += maybe_no(f, 10000000 + i);
    sito_free(f);
    return missing ? 4 : wrong > 250 ? 5 : 0;
}

static int found_by_another_process(unsigned flags, bool keyed) {
    char number[24], how[24];
    snprintf(number, sizeof number, "%d", KEYS);
    snprintf(how, sizeof how, "%u", flags);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/proc/self/exe", "test_files", "--find", path, number, how, keyed ? "1" : "0",
              (char *)NULL);
        _exit(99);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void another_process_finds_every_key(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (unsigned keyed = 0; keyed < 2; keyed++) {
            sito_plan plan = plan_for(kind, KEYS, keyed ? 0 : SEED);
            if (keyed) plan.key = &secret;
            sito_filter *f = filled(&plan, 0, KEYS);
            assert_int_equal(sito_save(f, path), SITO_OK);
            int found = found_by_another_process(0, keyed);
            PROMISE(found == 0, "%s: %d", kind, found);
            if (can(kind, SITO_CAN_MAP)) {
                found = found_by_another_process(SITO_MAP, keyed);
                PROMISE(found == 0, "%s, mapped: %d", kind, found);
            }
            sito_free(f);
        }
    }
}

/* The seed is drawn at random here, and must be in the file. */
static void a_drawn_seed_is_kept(void **state) {
    (void)state;
    sito_plan plan = {.nkeys = KEYS, .kind = SITO_BLOOM};
    sito_filter *f = filled(&plan, 0, KEYS);
    assert_int_equal(sito_save(f, path), SITO_OK);
    assert_int_equal(found_by_another_process(0, false), 0);
    sito_free(f);
}

/* ---- the file is the image ---- */

static void a_file_is_the_image_and_comes_back_the_same(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, KEYS, SEED);
        sito_filter *f = filled(&plan, 0, KEYS), *g = NULL;
        assert_int_equal(sito_set_note(f, "testtest", "note", 4), SITO_OK);
        image im = image_of(f);
        assert_int_equal(sito_save(f, path), SITO_OK);
        uint8_t *read_back = malloc(im.len + 1);
        int fd = open(path, O_RDONLY);
        assert_true(read_back && fd >= 0);
        PROMISE(read(fd, read_back, im.len + 1) == (ssize_t)im.len, "%s: another size", kind);
        PROMISE(memcmp(read_back, im.bytes, im.len) == 0, "%s: other bytes", kind);
        close(fd);
        free(read_back);
        for (unsigned flags = 0; flags <= (can(kind, SITO_CAN_MAP) ? SITO_MAP : 0u); flags++) {
            sito_how how = {.flags = flags};
            assert_int_equal(sito_open(path, &how, &g, NULL), SITO_OK);
            image again = image_of(g);
            PROMISE(same_image(&im, &again), "%s: the image of the file differs", kind);
            if (!flags && can(kind, SITO_CAN_ADD))
                PROMISE(add_no(g, 1) == 0, "%s: what was opened cannot be written to", kind);
            if (flags)
                PROMISE(add_no(g, KEYS) == SITO_EUNABLE, "%s: a mapped file is not read-only",
                        kind);
            free(again.bytes);
            sito_free(g);
            g = NULL;
        }
        free(im.bytes);
        sito_free(f);
    }
}

/* Saving over a mapped file renames: the map goes on answering from the old one. */
static void a_mapped_file_may_be_replaced(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, KEYS, SEED);
    sito_filter *f = filled(&plan, 0, KEYS), *small = filled(&plan, 0, 1), *map = NULL;
    sito_how how = {.flags = SITO_MAP};
    assert_int_equal(sito_save(f, path), SITO_OK);
    assert_int_equal(sito_open(path, &how, &map, NULL), SITO_OK);
    assert_int_equal(sito_save(small, path), SITO_OK);
    for (uint64_t i = 0; i < KEYS; i++) assert_true(maybe_no(map, i));
    assert_int_equal(sito_check(map, NULL), SITO_OK);
    sito_free(map);
    sito_free(small);
    sito_free(f);
}

/* A map answers from a file with a damaged cell until it is asked to check. */
static void a_map_is_checked_when_asked(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, KEYS, SEED);
    sito_filter *f = filled(&plan, 0, KEYS), *map = NULL;
    image im = image_of(f);
    im.bytes[300] ^= 1;
    put_file(im.bytes, im.len);
    sito_how how = {.flags = SITO_MAP};
    const char *why = NULL;
    assert_int_equal(sito_open(path, &how, &map, NULL), SITO_OK);
    assert_int_equal(sito_check(map, &why), SITO_EDAMAGED);
    assert_non_null(why);
    sito_free(map);
    sito_free(f);
    free(im.bytes);
}

/* Sums made anew over cells that nobody has verified would vouch for the damage. */
static void damage_in_a_map_is_not_passed_on(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, KEYS, SEED);
    sito_filter *f = filled(&plan, 0, KEYS), *map = NULL, *copy = NULL;
    image im = image_of(f), out = {0};
    sito_how how = {.flags = SITO_MAP};
    for (int damaged = 0; damaged < 2; damaged++) {
        sito_rc wanted = damaged ? SITO_EDAMAGED : SITO_OK;
        im.bytes[300] ^= (uint8_t)damaged;
        put_file(im.bytes, im.len);
        assert_int_equal(sito_open(path, &how, &map, NULL), SITO_OK);
        out.len = 0;
        assert_int_equal(sito_write(map, keep_bytes, &out), wanted);
        assert_int_equal(sito_save(map, path), wanted);
        assert_int_equal(sito_merge(f, map), wanted);
        assert_int_equal(sito_copy(map, NULL, &copy), wanted);
        sito_free(map);
        if (!damaged) sito_free(copy);
    }
    sito_free(f);
    free(im.bytes);
    free(out.bytes);
}

/* ---- what is refused ---- */

static void refused_with(const image *im, const sito_how *how, sito_rc wanted, const char *what) {
    sito_filter *f = NULL;
    const char *why = NULL;
    sito_rc rc = sito_from_image(im->bytes, im->len, how, &f, &why);
    PROMISE(rc == wanted && why && !f, "%s: from_image says %d", what, rc);
    why = NULL;
    rc = sito_view(im->bytes, im->len, how, &f, &why);
    PROMISE(rc == wanted && why && !f, "%s: view says %d", what, rc);
    put_file(im->bytes, im->len);
    sito_how map = how ? *how : (sito_how){0};
    for (unsigned i = 0; i < 2; i++) {
        why = NULL;
        rc = sito_open(path, &map, &f, &why);
        PROMISE(rc == wanted && why && !f, "%s: open says %d", what, rc);
        map.flags |= SITO_MAP;
    }
}

static void newer_formats_are_refused_as_such(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 10, SEED);
        sito_filter *f = filled(&plan, 0, 10);
        image im = image_of(f);
        static const uint64_t majors[] = {0, 2, 3, 256, 65535};
        for (size_t i = 0; i < 5; i++) {
            write_le(im.bytes + 8, 2, majors[i]);
            reseal(im.bytes, im.len);
            refused_with(&im, NULL, SITO_EVERSION, "another major version");
        }
        write_le(im.bytes + 8, 2, 1);
        for (unsigned bit = 0; bit < 32; bit++) {
            write_le(im.bytes + 12, 4, UINT64_C(1) << bit);
            reseal(im.bytes, im.len);
            refused_with(&im, NULL, SITO_EVERSION, "an unknown feature");
        }
        write_le(im.bytes + 12, 4, 0);
        write_le(im.bytes + 24, 2, 60000);
        reseal(im.bytes, im.len);
        refused_with(&im, NULL, SITO_EVERSION, "an unknown kind");
        free(im.bytes);
        sito_free(f);
    }
}

/* A newer minor, and features that do not hinder reading. */
static void harmless_news_are_read(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, 10, SEED);
    sito_filter *f = filled(&plan, 0, 10), *g = NULL;
    image im = image_of(f);
    write_le(im.bytes + 10, 2, 7);
    write_le(im.bytes + 20, 4, 1u << 31);
    reseal(im.bytes, im.len);
    g = opened(&im, NULL);
    for (uint64_t i = 0; i < 10; i++) assert_true(maybe_no(g, i));
    assert_true(add_no(g, 11) >= 0);
    sito_free(g);
    write_le(im.bytes + 16, 4, 1u << 31); /* may be read, must not be written */
    reseal(im.bytes, im.len);
    g = opened(&im, NULL);
    for (uint64_t i = 0; i < 10; i++) assert_true(maybe_no(g, i));
    assert_int_equal(add_no(g, 11), SITO_EUNABLE);
    assert_int_equal(sito_clear(g), SITO_EUNABLE);
    assert_int_equal(sito_set_note(g, "testtest", "x", 1), SITO_EUNABLE);
    sito_free(g);
    free(im.bytes);
    sito_free(f);
}

/* In a plan 0 is "any": what is made by it would look for its keys elsewhere. */
static void nothing_is_made_like_a_filter_of_seed_0(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 10, SEED), like = {0}, untouched = {0};
        sito_filter *f = filled(&plan, 0, 0), *g;
        image im = image_of(f);
        write_le(im.bytes + 32, 8, 0);
        reseal(im.bytes, im.len);
        g = opened(&im, NULL);
        PROMISE(sito_plan_like(g, &like) == SITO_EUNABLE, "%s: has a plan", kind);
        assert_memory_equal(&like, &untouched, sizeof like);
        sito_free(g);
        free(im.bytes);
        sito_free(f);
    }
}

/* Else the next add would go round to 0, and what is written then be refused. */
static void so_many_keys_as_cannot_be_are_refused(void **state) {
    (void)state;
    sito_plan plan = {.kind = SITO_SCALABLE, .layer = SITO_BLOOM, .nkeys = 100, .seed = SEED};
    sito_filter *f = filled(&plan, 0, 5);
    image im = image_of(f);
    size_t nkeys = 0, layer = 0;
    for (size_t at = 0; at + 8 <= im.len; at += 8) {
        if (read_le(im.bytes + at, 8) != 5) continue;
        if (at < 128) nkeys = at;
        else if (!layer) layer = at;
    }
    assert_true(nkeys && layer);
    write_le(im.bytes + nkeys, 8, UINT64_MAX);
    write_le(im.bytes + layer, 8, UINT64_MAX);
    reseal(im.bytes, im.len);
    sito_filter *g = NULL;
    assert_int_equal(sito_from_image(im.bytes, im.len, NULL, &g, NULL), SITO_EDAMAGED);
    assert_null(g);
    free(im.bytes);
    sito_free(f);
}

/* Who does not know a feature must neither write to it by way of a copy nor drop it in saving. */
static void an_unknown_feature_is_not_written_around(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, 10, SEED);
    sito_filter *f = filled(&plan, 0, 10), *copy = NULL;
    image im = image_of(f), again = {0};
    write_le(im.bytes + 16, 4, 1u << 31);
    reseal(im.bytes, im.len);
    sito_filter *g = opened(&im, NULL);
    if (sito_copy(g, NULL, &copy) == SITO_OK) assert_int_equal(add_no(copy, 11), SITO_EUNABLE);
    if (sito_write(g, keep_bytes, &again) == SITO_OK) assert_true(same_image(&im, &again));
    sito_free(copy);
    sito_free(g);
    sito_free(f);
    free(again.bytes);
    free(im.bytes);
}

static void images_beyond_the_allowed_size_are_refused(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100);
        image im = image_of(f);
        sito_how how = {.max_bytes = im.len - 1};
        refused_with(&im, &how, SITO_ELIMIT, kind);
        how.max_bytes = im.len;
        sito_free(opened(&im, &how));
        free(im.bytes);
        sito_free(f);
    }
}

static void unknown_options_are_refused(void **state) {
    (void)state;
    sito_plan plan = plan_for(SITO_BLOOM, 100, SEED);
    sito_filter *f = filled(&plan, 0, 100);
    image im = image_of(f);
    for (size_t i = 0; i < 8; i++) {
        sito_how how = {0};
        how.reserved[i] = 1;
        refused_with(&im, &how, SITO_EINVAL, "reserved");
    }
    for (unsigned bit = 2; bit < 32; bit++) {
        sito_how how = {.flags = 1u << bit};
        refused_with(&im, &how, SITO_EINVAL, "flags");
    }
    free(im.bytes);
    sito_free(f);
}

static void what_is_no_image_is_refused(void **state) {
    (void)state;
    sito_filter *f = NULL;
    const char *why = NULL;
    errno = 0;
    assert_int_equal(sito_open("/nowhere/at/all", NULL, &f, &why), SITO_EIO);
    assert_int_equal(errno, ENOENT);
    assert_non_null(why);
    why = NULL;
    assert_int_equal(sito_open(folder, NULL, &f, &why), SITO_EIO);
    assert_non_null(why);
    why = NULL;
    assert_true(sito_open("/dev/null", NULL, &f, &why) < 0);
    assert_non_null(why);
    why = NULL;
    assert_true(sito_open("/dev/zero", NULL, &f, &why) < 0);
    assert_non_null(why);
    assert_true(sito_from_image("", 0, NULL, &f, &why) < 0);
    assert_true(sito_from_image("SITO\r\n\x1a\n", 8, NULL, &f, &why) < 0);
    assert_true(sito_view("SITO\r\n\x1a\n", 8, NULL, &f, NULL) < 0);
    assert_null(f);
}

/* A datum or a Redis value need not lie where we would have put it. */
static void a_view_may_lie_anywhere(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_MAP)) continue;
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100);
        image im = image_of(f);
        uint8_t *room = malloc(im.len + 64);
        assert_non_null(room);
        for (size_t at = 0; at < 64; at += at < 9 ? 1 : 11) {
            memcpy(room + at, im.bytes, im.len);
            sito_filter *view = NULL;
            assert_int_equal(sito_view(room + at, im.len, NULL, &view, NULL), SITO_OK);
            for (uint64_t i = 0; i < 100; i++)
                PROMISE(maybe_no(view, i), "%s, %zu bytes off", kind, at);
            assert_int_equal(sito_check(view, NULL), SITO_OK);
            sito_info info;
            assert_int_equal(sito_look(view, &info), SITO_OK);
            sito_free(view);
        }
        free(room);
        free(im.bytes);
        sito_free(f);
    }
}

/* Grow to many times the plan, save, load: a limit must not be checked in one place only. */
static void what_has_grown_can_be_opened(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (!can(kind, SITO_CAN_GROW)) continue;
        sito_plan plan = plan_for(kind, 1, SEED);
        sito_filter *f = filled(&plan, 0, 1), *g = NULL;
        for (uint64_t i = 0; i < 50000; i++) assert_true(add_no(f, i) >= 0);
        if (can(kind, SITO_CAN_REMOVE))
            for (uint64_t i = 0; i < 49000; i++) assert_int_equal(remove_no(f, i), 1);
        assert_int_equal(sito_save(f, path), SITO_OK);
        assert_int_equal(sito_open(path, NULL, &g, NULL), SITO_OK);
        for (uint64_t i = 49000; i < 50000; i++) PROMISE(maybe_no(g, i), "%s forgot", kind);
        for (uint64_t i = 50000; i < 60000; i++)
            PROMISE(add_no(g, i) >= 0, "%s cannot grow on", kind);
        for (uint64_t i = 49000; i < 60000; i++) PROMISE(maybe_no(g, i), "%s forgot", kind);
        PROMISE(sito_check(g, NULL) == SITO_OK, "%s", kind);
        sito_free(f);
        sito_free(g);
    }
}

int main(int argc, char **argv) {
    if (argc == 6 && strcmp(argv[1], "--find") == 0)
        return find_them(argv[2], strtoull(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10),
                         argv[5][0] == '1');
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_process_finds_every_key),
        cmocka_unit_test(a_drawn_seed_is_kept),
        cmocka_unit_test(a_file_is_the_image_and_comes_back_the_same),
        cmocka_unit_test(a_mapped_file_may_be_replaced),
        cmocka_unit_test(a_map_is_checked_when_asked),
        cmocka_unit_test(damage_in_a_map_is_not_passed_on),
        cmocka_unit_test(newer_formats_are_refused_as_such),
        cmocka_unit_test(harmless_news_are_read),
        cmocka_unit_test(an_unknown_feature_is_not_written_around),
        cmocka_unit_test(images_beyond_the_allowed_size_are_refused),
        cmocka_unit_test(unknown_options_are_refused),
        cmocka_unit_test(what_is_no_image_is_refused),
        cmocka_unit_test(a_view_may_lie_anywhere),
        cmocka_unit_test(what_has_grown_can_be_opened),
        cmocka_unit_test(nothing_is_made_like_a_filter_of_seed_0),
        cmocka_unit_test(so_many_keys_as_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
