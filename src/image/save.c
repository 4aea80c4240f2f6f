/* save.c - a file is replaced whole or not at all: temporary name, fsync, rename, fsync of the
 * directory. A failed fsync is never tried again: the kernel may have thrown the pages away and
 * would report success. */
#include "core/filter.h"
#include "core/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct saving {
    int fd;
    uint64_t done, total;
    int (*watch)(void *self, uint64_t done, uint64_t total);
    void *watch_self;
};

static sito_rc put_in_file(void *self, const void *bytes, size_t n) {
    struct saving *s = (struct saving *)self;
    const uint8_t *p = (const uint8_t *)bytes;
    if (s->watch && s->watch(s->watch_self, s->done, s->total)) return SITO_ECANCEL;
    for (s->done += n; n;) {
        ssize_t put = write(s->fd, p, least(n, 1 << 30));
        if (put < 0 && errno != EINTR) return SITO_EIO;
        if (put > 0) p += put, n -= (size_t)put;
    }
    return SITO_OK;
}

/* A link is followed, so that the file it names is replaced and not the link; one that leads
 * nowhere is. What is there but has no name any more, as a deleted file behind /dev/stdout, cannot be
 * replaced. */
static char *real_target(const char *path) {
    struct stat st;
    char *target = realpath(path, NULL);
    if (target || errno != ENOENT) return target;
    if (stat(path, &st) != 0) return strdup(path);
    errno = ENOENT;
    return NULL;
}

static sito_rc sync_directory_of(char *path) {
    char *slash = strrchr(path, '/');
    const char *name = slash == path ? "/" : slash ? path : ".";
    if (slash) *slash = 0;
    int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* A folder may be for writing only, and some file systems cannot sync one and say EINVAL:
     * there is nothing more to be done, and the file is in its place. */
    if (fd < 0) return errno == EACCES ? SITO_OK : SITO_EIO;
    sito_rc rc = fsync(fd) == 0 || errno == EINVAL ? SITO_OK : SITO_EIO;
    int saved = errno;
    close(fd);
    errno = saved;
    return rc;
}

/* How much of the target's path goes into the draft's: a name as long as names may be leaves no
 * room for the salt. */
static int draft_stem(const char *target) {
    enum { SALT = sizeof ".0123456789abcdef" - 1 };
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    return (int)((size_t)(name - target) + least(strlen(name), NAME_MAX - SALT));
}

/* A new name beside the target. The umask has its say over a new file; an existing one's
 * permissions and, where we may, its owner and group are taken over before the first byte. Until
 * then nobody else may open the draft: whoever did could read on whatever the permissions are later. */
static int new_draft(char *draft, size_t room, const char *target) {
    uint64_t salt;
    struct stat old;
    bool replaces = stat(target, &old) == 0;
    int fd = -1;
    do {
        if (getrandom(&salt, sizeof salt, 0) != (ssize_t)sizeof salt) return -1;
        snprintf(draft, room, "%.*s.%016llx", draft_stem(target), target, (unsigned long long)salt);
        fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
    } while (fd < 0 && errno == EEXIST);
    if (fd >= 0 && replaces) take_over(fd, &old);
    return fd;
}

sito_rc sito_save_watched(const sito_filter *f, const char *path,
                          int (*watch)(void *self, uint64_t done, uint64_t total), void *self) {
    if (!f || !path || !*path) return SITO_EINVAL;
    char *target = real_target(path), *draft = NULL;
    if (!target) return SITO_EIO;
    struct stat st;
    if (stat(target, &st) == 0 && !S_ISREG(st.st_mode)) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
        free(target);
        return SITO_EIO;
    }
    size_t room = strlen(target) + sizeof ".0123456789abcdef";
    draft = malloc(room);
    if (!draft) {
        free(target);
        return SITO_ENOMEM;
    }
    sito_rc rc = SITO_EIO;
    struct saving s = {.fd = new_draft(draft, room, target), .watch = watch, .watch_self = self};
    if (s.fd >= 0) {
        s.total = sito_image_bytes(f);
        rc = sito_write(f, put_in_file, &s);
        if (rc == SITO_OK && fsync(s.fd) != 0) rc = SITO_EIO;
        int saved = errno;
        if (close(s.fd) != 0 && rc == SITO_OK) rc = SITO_EIO, saved = errno;
        if (rc == SITO_OK && rename(draft, target) != 0) rc = SITO_EIO, saved = errno;
        if (rc != SITO_OK) {
            unlink(draft);
            errno = saved;
        } else {
            rc = sync_directory_of(target);
        }
    }
    int saved = errno;
    free(draft);
    free(target);
    errno = saved;
    return rc;
}

sito_rc sito_save(const sito_filter *f, const char *path) {
    return sito_save_watched(f, path, NULL, NULL);
}
