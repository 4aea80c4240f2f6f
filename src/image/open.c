/* open.c - bytes become a filter: copied, borrowed, or mapped from a file. Every way leads through
 * check.c. */
#include "core/life.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "image/layout.h"

static const sito_how defaults;

static bool is_known(const sito_how *how) {
    for (size_t i = 0; i < sizeof how->reserved / sizeof *how->reserved; i++)
        if (how->reserved[i]) return false;
    return !(how->flags & ~(unsigned)(SITO_MAP | SITO_NOKEY));
}

/* The right secret, or leave to do without. */
static sito_rc unlock(const struct head *h, const sito_how *how, struct hasher *hash,
                      const char **why) {
    *hash = hasher_of(NULL, h->seed);
    if (h->hash_id == HASH_XXH3)
        return how->key ? refuse(SITO_EKEY, "not keyed, but a key was given", why) : SITO_OK;
    hash->id = HASH_SIP13;
    hash->check = h->check;
    hash->known = false;
    if (!how->key)
        return how->flags & SITO_NOKEY
                   ? SITO_OK
                   : refuse(SITO_EKEY, "keyed: it opens with its secret key only", why);
    struct hasher given = hasher_of(how->key, 0);
    bool fits = given.seed == h->seed && given.check == h->check;
    if (fits) *hash = given;
    explicit_bzero(&given, sizeof given);
    return fits ? SITO_OK : refuse(SITO_EKEY, "keyed with another secret key", why);
}

/* A filter on top of an image that image_head() has accepted. The image is the filter's if home
 * says so. */
static sito_rc settle(const struct head *h, uint8_t *image, enum image_home home,
                      const sito_how *how, sito_filter **out, const char **why) {
    struct hasher hash;
    sito_rc rc = unlock(h, how, &hash, why);
    if (rc != SITO_OK) return rc;
    sito_filter *f = handle_new(h->kind, &h->shape, how->mem);
    if (!f) {
        explicit_bzero(&hash, sizeof hash);
        return refuse(SITO_ENOMEM, "out of memory", why);
    }
    f->hash = hash;
    explicit_bzero(&hash, sizeof hash);
    f->nkeys = h->nkeys;
    f->capacity = h->capacity;
    f->wanted_fpr = h->wanted_fpr;
    f->flags_write = h->flags_write;
    f->flags_ignore = h->flags_ignore;
    memcpy(f->extra, h->extra, sizeof f->extra);
    handle_ready(f);
    uint8_t *at = image + h->cells_at;
    for (int i = 0; i < SEGMENTS; i++) {
        if (h->segment[i])
            f->seg[i] = (struct segment){.at = at, .bytes = h->segment[i], .room = h->segment[i]};
        at += rounded_up(h->segment[i], CELLS_ALIGN);
    }
    if (h->note_bytes) {
        f->note = (uint8_t *)take(&f->mem, h->note_bytes, false);
        if (f->note) memcpy(f->note, image + HEADER_BYTES, f->note_bytes = h->note_bytes);
        else rc = refuse(SITO_ENOMEM, "out of memory", why);
    }
    f->image = image;
    f->image_bytes = h->image_bytes;
    f->read_only = home != IMAGE_OWNED || h->flags_write;
    if (f->read_only)
        f->can &= ~(unsigned)(SITO_CAN_ADD | SITO_CAN_REMOVE | SITO_CAN_MERGE | SITO_CAN_SHARE |
                              SITO_CAN_GROW);
    if (rc == SITO_OK && home == IMAGE_OWNED) rc = h->kind->verify(f, why);
    if (rc != SITO_OK) {
        sito_free(f); /* home is not set yet: the image stays the caller's */
        return rc;
    }
    f->home = home;
    *out = f;
    return SITO_OK;
}

static sito_rc enough_room(const sito_how *how, uint64_t bytes, const char **why) {
    if (!is_known(how)) return refuse(SITO_EINVAL, "an unknown flag or option", why);
    if (how->max_bytes && bytes > how->max_bytes)
        return refuse(SITO_ELIMIT, "larger than allowed", why);
    return SITO_OK;
}

sito_rc sito_view(const void *bytes, size_t len, const sito_how *how, sito_filter **out,
                  const char **why) {
    const char *sentence;
    struct head h;
    if (!why) why = &sentence;
    if (!how) how = &defaults;
    if (!bytes || !out) return refuse(SITO_EINVAL, "no bytes", why);
    sito_rc rc = enough_room(how, len, why);
    if (rc == SITO_OK) rc = image_head((const uint8_t *)bytes, len, len, &h, why);
    /* Borrowed bytes are never written: every call that would asks `can` or `home` first. */
    return rc == SITO_OK ? settle(&h, (uint8_t *)(uintptr_t)bytes, IMAGE_BORROWED, how, out, why)
                         : rc;
}

/* Verify a whole image in memory of ours, and keep it; on failure it is given back. */
static sito_rc adopt(uint8_t *image, uint64_t len, const sito_how *how, sito_filter **out,
                     const char **why) {
    struct head h;
    sito_rc rc = image_head(image, len, len, &h, why);
    if (rc == SITO_OK) rc = image_sums(image, &h, why);
    if (rc == SITO_OK) rc = settle(&h, image, IMAGE_OWNED, how, out, why);
    if (rc != SITO_OK) {
        sito_memory mem = memory_or_default(how->mem);
        give(&mem, image, len);
    }
    return rc;
}

sito_rc sito_from_image(const void *bytes, size_t len, const sito_how *how, sito_filter **out,
                        const char **why) {
    const char *sentence;
    struct head h;
    if (!why) why = &sentence;
    if (!how) how = &defaults;
    if (!bytes || !out) return refuse(SITO_EINVAL, "no bytes", why);
    sito_rc rc = enough_room(how, len, why);
    if (rc == SITO_OK) rc = image_head((const uint8_t *)bytes, len, len, &h, why);
    if (rc != SITO_OK) return rc;
    sito_memory mem = memory_or_default(how->mem);
    uint8_t *copy = (uint8_t *)take(&mem, len, false);
    if (!copy) return refuse(SITO_ENOMEM, "out of memory", why);
    memcpy(copy, bytes, len);
    return adopt(copy, len, how, out, why);
}

/* ---- files ---- */

static bool read_all(int fd, uint8_t *to, uint64_t n) {
    while (n) {
        ssize_t got = read(fd, to, (size_t)least(n, 1 << 30));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            if (got == 0) errno = EIO; /* shorter than fstat said: somebody cut it meanwhile */
            return false;
        }
        to += got;
        n -= (uint64_t)got;
    }
    return true;
}

static sito_rc open_mapped(int fd, uint64_t len, const sito_how *how, sito_filter **out,
                           const char **why) {
    if (len > SIZE_MAX) return refuse(SITO_ELIMIT, "larger than memory can be", why);
    uint8_t *image = (uint8_t *)mmap(NULL, (size_t)len, PROT_READ, MAP_SHARED, fd, 0);
    if (image == MAP_FAILED) return refuse(SITO_EIO, "cannot be mapped", why);
    struct head h;
    sito_rc rc = image_head(image, len, len, &h, why);
    if (rc == SITO_OK) rc = settle(&h, image, IMAGE_MAPPED, how, out, why);
    if (rc != SITO_OK) munmap(image, (size_t)len);
    return rc;
}

static sito_rc open_read(int fd, uint64_t len, const sito_how *how, sito_filter **out,
                         const char **why) {
    uint8_t start[HEADER_BYTES];
    struct head h;
    if (!read_all(fd, start, HEADER_BYTES)) return refuse(SITO_EIO, "cannot be read", why);
    sito_rc rc = image_head(start, len, HEADER_BYTES, &h, why);
    if (rc != SITO_OK) return rc;
    sito_memory mem = memory_or_default(how->mem);
    uint8_t *image = (uint8_t *)take(&mem, len, false);
    if (!image) return refuse(SITO_ENOMEM, "out of memory", why);
    memcpy(image, start, HEADER_BYTES);
    if (read_all(fd, image + HEADER_BYTES, len - HEADER_BYTES))
        return adopt(image, len, how, out, why);
    int saved = errno;
    give(&mem, image, len);
    errno = saved;
    return refuse(SITO_EIO, "cannot be read", why);
}

sito_rc sito_open(const char *path, const sito_how *how, sito_filter **out, const char **why) {
    const char *sentence;
    if (!why) why = &sentence;
    if (!how) how = &defaults;
    if (!path || !out) return refuse(SITO_EINVAL, "no path", why);
    int fd = open(path,
                  O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer must not hang us */
    if (fd < 0) return refuse(SITO_EIO, "cannot be opened", why);
    struct stat st = {0};
    sito_rc rc = fstat(fd, &st) == 0 ? SITO_OK : refuse(SITO_EIO, "cannot be opened", why);
    if (rc == SITO_OK && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        rc = refuse(SITO_EIO, "is a directory", why);
    } else if (rc == SITO_OK && !S_ISREG(st.st_mode)) {
        rc = refuse(SITO_EDAMAGED, "not a regular file", why);
    }
    uint64_t len = (uint64_t)st.st_size;
    if (rc == SITO_OK) rc = enough_room(how, len, why);
    if (rc == SITO_OK && len < HEADER_BYTES)
        rc = refuse(SITO_EDAMAGED, len ? "shorter than a sito header" : "empty", why);
    if (rc == SITO_OK)
        rc = how->flags & SITO_MAP ? open_mapped(fd, len, how, out, why)
                                   : open_read(fd, len, how, out, why);
    int saved = errno;
    close(fd);
    errno = saved;
    return rc;
}
