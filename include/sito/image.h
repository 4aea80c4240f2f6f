/*
 * sito/image.h - the filter as bytes: saved, opened, mapped, sent.
 *
 * An image is a header of 128 bytes, a note, the cells as they lie in memory, and a checksum for
 * every 64 KiB of them. It is the same on every machine, has no pointers, and is written in one
 * pass. docs/format.md describes every byte.
 *
 * Opening reads and verifies all of it. With SITO_MAP only header, size and geometry are verified
 * and the cells stay in the file: opening costs microseconds at any size, and sito_check() verifies
 * the rest when you want it. Either way bytes from anywhere are safe: whatever is accepted can be
 * asked without a crash.
 *
 * Caveats
 *   - Checksums find accidents, not forgery: anybody can make a valid image that says what they
 *     like.
 *   - Replace a mapped file only by rename, as sito_save() does. If it is cut short in place,
 *     reading it is a bus error, as with every mapped file.
 */
#ifndef SITO_IMAGE_H
#define SITO_IMAGE_H

#include <sito/hash.h>
#include <sito/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SITO_MAP = 1,  /* answer straight from the file; read-only */
    SITO_NOKEY = 2 /* look, check and merge a keyed filter without its key */
};

enum { SITO_NOTE_MAX = 4096 };

/* How to open. NULL in its place: defaults. */
typedef struct sito_how {
    unsigned flags;
    const sito_key *key; /* an image with the fast hash refuses one: SITO_EKEY */
    const sito_memory *mem;
    uint64_t max_bytes;   /* refuse larger images: SITO_ELIMIT; 0: no limit */
    uint64_t reserved[8]; /* zero, or SITO_EINVAL */
} sito_how;

/* The size of the image that sito_write() would make now. */
uint64_t sito_image_bytes(const sito_filter *f);

/* Hand the image to `put`, piece by piece, in order; stops at the first put that does not return
 * SITO_OK. A mapped or viewed filter's cells are verified on the way: SITO_EDAMAGED at the end. */
sito_rc sito_write(const sito_filter *f, sito_rc (*put)(void *self, const void *bytes, size_t n),
                   void *self);

/* Save atomically: a temporary file beside `path`, fsync, rename, fsync of the directory. After a
 * failure the old file is whole (the new one, if only the last fsync failed) and no temporary one
 * is left. An existing file keeps its permissions and, as far as the caller may give them, its owner
 * and group. Through a link the file behind it is replaced; a link that leads nowhere is itself. */
sito_rc sito_save(const sito_filter *f, const char *path);

/* The same with a watch on the bytes written; a non-zero answer gives up with SITO_ECANCEL. */
sito_rc sito_save_watched(const sito_filter *f, const char *path,
                          int (*watch)(void *self, uint64_t done, uint64_t total), void *self);

/* Open a file, or bytes in memory: from_image copies them, view borrows them (they must outlive the
 * filter; read-only). On failure *out is untouched, and *why, if `why` is not NULL, is a static
 * sentence. */
sito_rc sito_open(const char *path, const sito_how *how, sito_filter **out, const char **why);
sito_rc sito_from_image(const void *bytes, size_t len, const sito_how *how, sito_filter **out,
                        const char **why);
sito_rc sito_view(const void *bytes, size_t len, const sito_how *how, sito_filter **out,
                  const char **why);

/* Verify everything: every checksum of a mapped or viewed image, every invariant of any filter. */
sito_rc sito_check(const sito_filter *f, const char **why);

/* At most SITO_NOTE_MAX bytes that an application keeps in the image under its eight-letter name.
 * There is room for one: another owner's note is SITO_EFULL. n = 0 takes the note away. */
sito_rc sito_set_note(sito_filter *f, const char owner[8], const void *bytes, size_t n);

/* That owner's note and its size, or NULL; valid until the filter is next written or freed. */
const void *sito_note(const sito_filter *f, const char owner[8], size_t *n);

#ifdef __cplusplus
}
#endif
#endif
