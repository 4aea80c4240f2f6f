/* draft.c - written beside its place, flushed to disk, renamed. */
#define _GNU_SOURCE
#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/core/owner.h"
#include "talk.h"

int draft_trouble(const struct draft *d) {
    if (d->file == stdout) return flush_output();
    if (errno != EPIPE) complain("%s: %s", d->path, strerror(errno));
    return TROUBLE;
}

char *behind_links(const char *path) {
    struct stat st;
    char *target = realpath(path, NULL), to[PATH_MAX];
    /* What is there but has no name any more, as a deleted file behind /dev/stdout, stays ENOENT. */
    if (target || stat(path, &st) == 0) return target;
    target = strdup(path);
    for (int links = 0; target && links < 40; links++) { /* as many as Linux follows */
        const ssize_t n = readlink(target, to, sizeof to - 1);
        if (n < 0) return target;
        to[n] = 0;
        const char *slash = strrchr(target, '/');
        const int folder = to[0] == '/' || !slash ? 0 : (int)(slash + 1 - target);
        char *next;
        if (asprintf(&next, "%.*s%s", folder, target, to) < 0) next = NULL;
        free(target);
        target = next;
    }
    errno = target ? ELOOP : ENOMEM;
    free(target);
    return NULL;
}

/* A long name gives way to the salt. An existing file's mode and, where we may, its owner and group
 * are taken over before the first byte. */
int open_beside(const char *target, char **name) {
    struct stat old;
    uint64_t salt;
    const bool replaces = stat(target, &old) == 0;
    const char *slash = strrchr(target, '/'), *last = slash ? slash + 1 : target;
    const size_t folder = (size_t)(last - target), most = NAME_MAX - 17;
    const int stem = (int)(folder + (strlen(last) < most ? strlen(last) : most));
    if (getrandom(&salt, sizeof salt, 0) != (ssize_t)sizeof salt) return -1;
    if (asprintf(name, "%.*s.%016" PRIx64, stem, target, salt) < 0) return *name = NULL, -1;
    const int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
    if (fd < 0 || !replaces) return fd;
    take_over(fd, &old);
    return fd;
}

static void forget(struct draft *d) {
    free(d->target), free(d->name);
    *d = (struct draft){0};
}

int draft_open(struct draft *d, const char *path, FILE **out) {
    struct stat st;
    *d = (struct draft){.path = path, .file = stdout};
    *out = stdout;
    if (!path || !strcmp(path, "-")) return DONE;
    int fd;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        d->target = behind_links(path);
        fd = d->target ? open_beside(d->target, &d->name) : -1;
    }
    *out = d->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (d->file) return DONE;
    if (!stop_asked()) complain("%s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    if (fd >= 0 && d->name) unlink(d->name);
    forget(d);
    return stop_asked() ? STOPPED : TROUBLE;
}

/* The new name lasts when the folder is on disk too; where that cannot be had there is no more to do. */
static void sync_folder(char *path) {
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = 0;
    const int fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

int draft_end(struct draft *d, int outcome) {
    if (d->file == stdout) return outcome;
    if (outcome == DONE && stop_asked()) outcome = STOPPED;
    errno = 0;
    if (outcome == DONE && (fflush(d->file) || (d->name && fsync(fileno(d->file)))))
        outcome = draft_trouble(d);
    if (fclose(d->file) && outcome == DONE) outcome = draft_trouble(d);
    if (outcome == DONE && d->name && rename(d->name, d->target)) outcome = draft_trouble(d);
    if (outcome == DONE && d->name) sync_folder(d->target);
    else if (d->name) unlink(d->name);
    forget(d);
    return outcome;
}
