/*
 * test_files.c - disks that are full, paths that lead nowhere, pipes that break: the old file stays whole,
 * nothing else is left behind, and the caller is told.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "folder.h"

enum { SEED = 42, KEYS = 20000 };

static unsigned files_in_folder(void) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    unsigned n = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    closedir(dir);
    return n;
}

/* The file at `path` has these keys, and is alone in its folder. */
static void old_file_is_whole(uint64_t n) {
    sito_filter *f = NULL;
    assert_int_equal(sito_open(path, NULL, &f, NULL), SITO_OK);
    for (uint64_t i = 0; i < n; i++) assert_true(maybe_no(f, i));
    assert_int_equal(nkeys_of(f), n);
    sito_free(f);
    assert_int_equal(files_in_folder(), 1);
}

static sito_filter *old_and_new(void) {
    sito_plan plan = plan_for(SITO_COMPACT, KEYS, SEED);
    sito_filter *old = filled(&plan, 0, 100), *larger = filled(&plan, 0, KEYS);
    assert_int_equal(sito_save(old, path), SITO_OK);
    sito_free(old);
    return larger;
}

/* ---- saving ---- */

/* Files may not grow beyond so many bytes, as with `ulimit -f` or on a full disk: for many limits, each
 * failing in another place. */
static void a_full_disk_leaves_the_old_file(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    struct rlimit was, now;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, SIG_IGN);
    uint64_t whole = sito_image_bytes(f);
    const uint64_t limits[] = {0,     1,         127,        128,       129,       4096,
                               10000, whole / 2, whole - 17, whole - 9, whole - 8, whole - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        now = was;
        now.rlim_cur = limits[i];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
        errno = 0;
        sito_rc rc = sito_save(f, path);
        int error = errno;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
        PROMISE(rc == SITO_EIO && error == EFBIG, "limit %llu: %d, errno %d",
                (unsigned long long)limits[i], rc, error);
        old_file_is_whole(100);
    }
    now = was;
    now.rlim_cur = whole;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
    sito_rc rc = sito_save(f, path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rc, SITO_OK);
    old_file_is_whole(KEYS);
    sito_free(f);
}

static unsigned syncs, sync_fails_at;

/* In the C library's place. A second try would be told that all is well, as kernels do that have
 * thrown the pages away. */
int fsync(int fd) {
    if (++syncs != sync_fails_at) return (int)syscall(SYS_fsync, fd);
    errno = EIO;
    return -1;
}

/* First the file, then its folder; by then the new file is in its place. */
static void a_failed_fsync_is_told_and_not_tried_again(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    for (unsigned at = 1; at <= 2; at++) {
        syncs = 0, sync_fails_at = at;
        errno = 0;
        sito_rc rc = sito_save(f, path);
        int error = errno;
        sync_fails_at = 0;
        PROMISE(rc == SITO_EIO && error == EIO, "fsync %u failed: %d, errno %d", at, rc, error);
        PROMISE(syncs == at, "fsync %u failed, and %u were tried", at, syncs);
        old_file_is_whole(at == 1 ? 100 : KEYS);
    }
    syncs = 0;
    assert_int_equal(sito_save(f, path), SITO_OK);
    assert_int_equal(syncs, 2);
    sito_free(f);
}

static void paths_that_lead_nowhere_are_an_error(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    char through_file[128], no_folder[128], long_name[5000];
    snprintf(through_file, sizeof through_file, "%s/below", path);
    snprintf(no_folder, sizeof no_folder, "%s/none/filter", folder);
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    const struct {
        const char *path;
        int error;
    } bad[] = {{through_file, ENOTDIR},   {no_folder, ENOENT}, {folder, EISDIR},
               {long_name, ENAMETOOLONG}, {"/proc/none", 0},   {"/", EISDIR}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        errno = 0;
        sito_rc rc = sito_save(f, bad[i].path);
        PROMISE(rc == SITO_EIO, "%.40s: %d", bad[i].path, rc);
        if (bad[i].error) PROMISE(errno == bad[i].error, "%.40s: errno %d", bad[i].path, errno);
        old_file_is_whole(100);
    }
    assert_true(sito_save(f, "") < 0);
    sito_free(f);
}

static void the_longest_name_can_be_saved_to(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    char longest[sizeof folder + 1 + NAME_MAX + 1];
    int n = snprintf(longest, sizeof longest, "%s/", folder);
    memset(longest + n, 'x', NAME_MAX);
    longest[n + NAME_MAX] = 0;
    assert_int_equal(sito_save(f, longest), SITO_OK);
    assert_int_equal(sito_save(f, longest), SITO_OK);
    assert_int_equal(files_in_folder(), 2);
    assert_int_equal(unlink(longest), 0);
    sito_free(f);
}

static void no_more_files_may_be_opened(void **state) {
    (void)state;
    sito_filter *f = old_and_new(), *g = NULL;
    struct rlimit was, now;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    now = was;
    now.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
    const char *why = NULL;
    sito_rc saved = sito_save(f, path), read = sito_open(path, NULL, &g, &why);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
    assert_int_equal(saved, SITO_EIO);
    assert_int_equal(read, SITO_EIO);
    assert_non_null(why);
    assert_null(g);
    old_file_is_whole(100);
    sito_free(f);
}

static void a_saved_file_keeps_its_permissions(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    const mode_t modes[] = {0600, 0640, 0644, 0444, 0400};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct stat st;
        assert_int_equal(chmod(path, modes[i]), 0);
        assert_int_equal(sito_save(f, path), SITO_OK);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, modes[i]);
    }
    old_file_is_whole(KEYS);
    sito_free(f);
}

static void a_new_file_obeys_the_umask(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    struct stat st;
    assert_int_equal(unlink(path), 0);
    mode_t was = umask(027);
    sito_rc rc = sito_save(f, path);
    umask(was);
    assert_int_equal(rc, SITO_OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    sito_free(f);
}

/* ---- watching ---- */

struct watcher {
    unsigned calls, stop_at;
    uint64_t last;
    bool backwards;
};

static int watch(void *self, uint64_t done, uint64_t total) {
    struct watcher *w = self;
    if (done < w->last || done > total) w->backwards = true;
    w->last = done;
    return ++w->calls == w->stop_at;
}

static void a_watched_save_can_be_cancelled(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    struct watcher all = {0};
    assert_int_equal(sito_save_watched(f, path, watch, &all), SITO_OK);
    assert_true(all.calls >= 1);
    assert_false(all.backwards);
    old_file_is_whole(KEYS);
    sito_free(f);
    f = old_and_new();
    for (unsigned at = 1; at <= all.calls; at++) {
        struct watcher w = {.stop_at = at};
        assert_int_equal(sito_save_watched(f, path, watch, &w), SITO_ECANCEL);
        assert_int_equal(w.calls, at);
        old_file_is_whole(100);
    }
    sito_free(f);
}

/* ---- writing elsewhere ---- */

struct pipe_end {
    unsigned calls, fail_at;
    sito_rc with;
    uint64_t bytes;
};

static sito_rc break_at(void *self, const void *bytes, size_t n) {
    struct pipe_end *p = self;
    (void)bytes;
    if (++p->calls == p->fail_at) return p->with;
    p->bytes += n;
    return SITO_OK;
}

static void a_broken_pipe_ends_the_writing(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 5000, SEED);
        sito_filter *f = filled(&plan, 0, 5000);
        assert_int_equal(sito_set_note(f, "testtest", "note", 4), SITO_OK);
        struct pipe_end whole = {0};
        assert_int_equal(sito_write(f, break_at, &whole), SITO_OK);
        PROMISE(whole.bytes == sito_image_bytes(f), "%s: another size than announced", kind);
        image was = image_of(f);
        for (unsigned at = 1; at <= whole.calls; at++) {
            static const sito_rc codes[] = {SITO_EIO, SITO_ECANCEL, SITO_ENOMEM, 5};
            struct pipe_end p = {.fail_at = at, .with = codes[at % 4]};
            sito_rc rc = sito_write(f, break_at, &p);
            PROMISE(rc == p.with, "%s: put said %d, write says %d", kind, p.with, rc);
            PROMISE(p.calls == at, "%s wrote on after a failure", kind);
        }
        PROMISE(still_is(f, &was), "%s: writing changed the filter", kind);
        sito_free(f);
    }
}

static sito_rc put_in(void *self, const void *bytes, size_t n) {
    const uint8_t *at = bytes;
    for (size_t done = 0; done < n;) {
        ssize_t put = write(*(int *)self, at + done, n - done);
        if (put < 0) return SITO_EIO;
        done += (size_t)put;
    }
    return SITO_OK;
}

static void a_full_device_is_an_error(void **state) {
    (void)state;
    sito_filter *f = old_and_new();
    int fd = open("/dev/full", O_WRONLY);
    assert_true(fd >= 0);
    errno = 0;
    assert_int_equal(sito_write(f, put_in, &fd), SITO_EIO);
    assert_int_equal(errno, ENOSPC);
    close(fd);
    assert_int_equal(sito_save(f, "/dev/full"), SITO_EIO);
    struct stat st;
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    sito_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(a_failed_fsync_is_told_and_not_tried_again),
        cmocka_unit_test(paths_that_lead_nowhere_are_an_error),
        cmocka_unit_test(the_longest_name_can_be_saved_to),
        cmocka_unit_test(no_more_files_may_be_opened),
        cmocka_unit_test(a_saved_file_keeps_its_permissions),
        cmocka_unit_test(a_new_file_obeys_the_umask),
        cmocka_unit_test(a_watched_save_can_be_cancelled),
        cmocka_unit_test(a_broken_pipe_ends_the_writing),
        cmocka_unit_test(a_full_device_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
