/* layout.h - where everything is in an image. docs/format.md is the same in prose. */
#ifndef SITO_LAYOUT_H
#define SITO_LAYOUT_H

#include "core/filter.h"

enum {
    FORMAT_MAJOR = 1,
    FORMAT_MINOR = 0,
    HEADER_BYTES = 128,
    PIECE_BYTES = 1 << 16,
    OWNER_BYTES = 8,

    AT_MAGIC = 0,
    AT_MAJOR = 8,
    AT_MINOR = 10,
    AT_FLAGS_REFUSE = 12, /* a reader that does not know one of these refuses the image */
    AT_FLAGS_WRITE = 16,  /* ... opens it read-only */
    AT_FLAGS_IGNORE = 20, /* ... need not care */
    AT_KIND = 24,
    AT_HASH = 26,
    AT_NOTE_BYTES = 28,
    AT_SEED = 32,
    AT_CHECK = 40,
    AT_NKEYS = 48,
    AT_CAPACITY = 56,
    AT_WANTED = 64,
    AT_CELL_BYTES = 72,
    AT_NCELLS = 80,
    AT_PARAMS = 88,
    AT_EXTRA = 96,
    AT_SUM = 120,
};

#define SITO_MAGIC "SITO\r\n\x1a\n"

/* The header in numbers, and the sizes that follow from it. */
struct head {
    const struct kind *kind;
    struct shape shape;
    uint16_t hash_id;
    uint32_t note_bytes;
    uint32_t flags_write, flags_ignore;
    uint64_t seed, check, nkeys, capacity, extra[3];
    double wanted_fpr;
    uint64_t segment[SEGMENTS];
    uint64_t cells_at;   /* offset of the first segment */
    uint64_t cell_bytes; /* all segments, each padded to 64 */
    uint64_t sums_at;    /* offset of the table of sums */
    uint64_t npieces;
    uint64_t image_bytes; /* all of it */
};

/* Sizes and offsets from kind, shape, extra and note_bytes; false if no filter has this shape. */
bool layout_of(struct head *h);

/* The header's own sum covers the note too, up to the cells. */
uint64_t header_sum(const uint8_t *image, uint64_t cells_at);

/* image/check.c: the validator. `len` is all there is; with only the first HEADER_BYTES at hand the
 * note and the cells are left for later. On failure *why says what is wrong. */
sito_rc image_head(const uint8_t *image, uint64_t len, uint64_t at_hand, struct head *h,
                   const char **why);
sito_rc image_sums(const uint8_t *image, const struct head *h, const char **why);

#endif
