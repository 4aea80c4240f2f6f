/*
 * filter.h - what a filter is inside, and what a kind must bring to be one.
 *
 * A filter is a row of the catalogue (its kind), a shape (how many cells, of what sort), a hash,
 * and flat segments of cells that look the same in memory and on disk. The generic calls in core/
 * pick the row once a call; from there on a key's walk is plain inlined code.
 */
#ifndef SITO_FILTER_H
#define SITO_FILTER_H

#include "core/base.h"
#include "hash/hash.h"
#include "sito/sito.h"

enum { PLAIN_LEN = 16 /* the fast hash has a short way for these */ };
enum { LAYERS_MAX = 32, SEGMENTS = 1 + LAYERS_MAX, CELLS_ALIGN = 64, HASHES_MAX = 64 };

/* An error and its reason, in one return. */
static inline sito_rc refuse(sito_rc rc, const char *sentence, const char **why) {
    *why = sentence;
    return rc;
}

/* Larger tables than this (1 PiB) are refused as wishes; nobody has the memory. */
#define CELLS_MAX ((uint64_t)1 << 50)

/* What two filters must share to be merged, and what an image's header says of the cells. `ncells`
 * and the params mean what the kind says they mean; those it does not use are zero. */
struct shape {
    uint64_t ncells;
    uint16_t param[4];
};

/* Flat memory that holds cells: `bytes` of it count, `room` are there. */
struct segment {
    uint8_t *at;
    uint64_t bytes, room;
};

/* Where the bytes of an opened image are, and so what may be done with them. */
enum image_home { IMAGE_NONE, IMAGE_OWNED, IMAGE_MAPPED, IMAGE_BORROWED };

struct sito_filter {
    const struct kind *kind;
    size_t plain_len; /* keys of 1 to so many bytes go straight from the fast hash to `maybe` */
    bool (*maybe)(const sito_filter *f, uint64_t hash); /* the kind's */
    struct shape shape;
    struct hasher hash;
    struct segment seg[SEGMENTS];
    unsigned can;
    unsigned hash_shift; /* a key's hash is the hash's bits from here up */
    uint64_t nkeys, capacity, limit_bytes;
    double wanted_fpr;
    uint64_t extra[3];   /* counters of the kind's own, kept in the header */
    uint64_t derived[4]; /* what the kind's calls would else work out anew each time; see `ready` */
    sito_memory mem;
    uint32_t flags_write, flags_ignore; /* of an image, handed on as they came */
    bool read_only;
    enum image_home home;
    uint8_t *image; /* the whole image, if the filter was opened from one */
    uint64_t image_bytes;
    uint8_t *note; /* owner, then bytes */
    size_t note_bytes;
    unsigned nstretches;     /* as the kind's `stretches` says of the shape it was made with */
    struct stretch *stretch; /* they lie after the handle; see share.h */
    struct spare *spare[2];  /* memory of two batches, kept for the next; see share.h */
};

/* One row of the catalogue. A NULL call is one this kind is unable to; `can` agrees. */
struct kind {
    const char *name, *what;
    uint16_t id; /* in images; never reused */
    unsigned can;
    unsigned (*more)(const struct shape *shape); /* what some shapes can beside; NULL: none does */
    /* of the table, for shared adds; NULL: they go bit by bit */
    unsigned (*stretches)(const struct shape *shape);

    /* wish -> shape. `solve` fills in ncells and the kind's wishes, nkeys and fpr. */
    sito_rc (*solve)(sito_plan *plan);
    void (*to_shape)(const sito_plan *plan, struct shape *shape);
    void (*to_plan)(const struct shape *shape, sito_plan *plan);
    /* Sizes of the segments, or false if no filter has this shape. The only place where sizes are
     * made: for new filters and for images alike. `extra` is the header's. `bytes` comes zeroed. */
    bool (*sizes)(const struct shape *shape, const uint64_t extra[3], uint64_t bytes[SEGMENTS]);
    double (*rate)(const struct shape *shape, uint64_t nkeys);
    unsigned (*hash_shift)(const struct shape *shape); /* NULL: 0, all 64 bits */
    void (*ready)(sito_filter *f);                     /* NULL: nothing to derive */

    /* hash -> cells -> answer */
    int (*add)(sito_filter *f, uint64_t hash);
    bool (*maybe)(const sito_filter *f, uint64_t hash);
    int (*remove)(sito_filter *f, uint64_t hash);
    uint64_t (*count)(const sito_filter *f, uint64_t hash);
    void (*maybe_many)(const sito_filter *f, const uint64_t *hashes, size_t n, uint8_t *answers);
    sito_rc (*add_many)(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                        size_t *done);
    sito_rc (*remove_many)(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                           size_t *done);
    int (*add_shared)(sito_filter *f, uint64_t hash);
    sito_rc (*add_shared_many)(sito_filter *f, const uint64_t *hashes, size_t n);

    /* kinds that keep whole keys walk with the bytes too; kinds/whole_keys.h */
    const struct slot_rule *slots;
    int (*add_key)(sito_filter *f, uint64_t hash, const void *key, size_t len);
    bool (*maybe_key)(const sito_filter *f, uint64_t hash, const void *key, size_t len);
    int (*remove_key)(sito_filter *f, uint64_t hash, const void *key, size_t len);
    uint64_t (*count_key)(const sito_filter *f, uint64_t hash, const void *key, size_t len);

    /* the whole filter */
    sito_rc (*build)(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n);
    sito_rc (*merge)(sito_filter *into, const sito_filter *from);
    sito_rc (*fold)(sito_filter *f, unsigned halvings);
    void (*look)(const sito_filter *f, sito_info *info); /* fill and present_fpr */
    const char *const *facts;                            /* names, NULL at the end */
    double (*fact)(const sito_filter *f, size_t i);
    sito_rc (*verify)(const sito_filter *f, const char **why); /* every invariant of the cells */
};

extern const struct kind kind_exact, kind_exact_cuckoo, kind_bitmap, kind_compact, kind_bloom,
    kind_parted, kind_block, kind_counting, kind_cuckoo, kind_linear, kind_fuse, kind_ribbon;
extern const struct kind kind_scalable, kind_aged;

/* kinds/table.c */
const struct kind *kind_named(const char *name);
const struct kind *kind_numbered(uint16_t id);
const struct kind *kind_preferred(size_t i); /* the order in which kinds are asked; NULL past it */

/* core/life.c: an empty handle of this kind and shape, cells not yet there; and its end. */
sito_filter *handle_new(const struct kind *kind, const struct shape *shape, const sito_memory *mem);
sito_rc segments_new(sito_filter *f);
void handle_ready(sito_filter *f); /* shape and hash are set: derive what calls look at first */
bool same_shape(const sito_filter *a, const sito_filter *b);

/* Is this segment inside the opened image, and freed with it? */
static inline bool inside_image(const sito_filter *f, const struct segment *s) {
    return f->image && s->at >= f->image && s->at < f->image + f->image_bytes;
}

#endif
