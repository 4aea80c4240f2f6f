/*
 * sito/plan.h - from a wish to a shape: what will it cost, and what will it promise?
 *
 *     sito_plan plan = {.nkeys = 1000000, .fpr = 0.01, .kind = SITO_BLOOM};
 *     sito_plan_solve(&plan);     plan.bytes, plan.real_fpr and plan.nhashes now say what you get
 *
 * Of keys, rate and size (ncells, or max_bytes) two determine the third; keys alone, or size alone,
 * mean 1 %, but in a `bitmap` of so few cells that one key errs more. A wish given in `ncells`,
 * `nhashes` or `tag_bits` is taken to the letter. With all three given, max_bytes is a limit and
 * ncells must meet the rate: SITO_ELIMIT if not. Solving twice changes nothing.
 *
 * The rates stated are exact for the construction, not the textbook's approximation, and hold for
 * `nkeys` distinct keys; that of `compact` is a bound, which below some hundred keys may be half as
 * much again. Costs: some microseconds when the shape is given, some hundred to find one. An
 * impossible wish is refused at once: SITO_EINVAL if it makes no sense, SITO_ELIMIT if it is too
 * large, or below n / 2^64, where 64-bit hashes themselves collide.
 */
#ifndef SITO_PLAN_H
#define SITO_PLAN_H

#include <sito/hash.h>
#include <sito/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a kind can do beside being asked, looked at, saved and opened. */
enum {
    SITO_CAN_ADD = 1,
    SITO_CAN_BUILD = 2,
    SITO_CAN_REMOVE = 4,
    SITO_CAN_COUNT = 8,
    SITO_CAN_MERGE = 16,
    SITO_CAN_GROW = 32,
    SITO_CAN_SHARE = 64,
    SITO_CAN_MAP = 128
};

/* One name a kind, so that a typo does not compile. */
#define SITO_EXACT "exact"
#define SITO_EXACT_CUCKOO "exact-cuckoo"
#define SITO_BITMAP "bitmap"
#define SITO_COMPACT "compact"
#define SITO_BLOOM "bloom"
#define SITO_PARTED "parted"
#define SITO_BLOCK "block"
#define SITO_COUNTING "counting"
#define SITO_CUCKOO "cuckoo"
#define SITO_SCALABLE "scalable"
#define SITO_AGED "aged"
#define SITO_LINEAR "linear"
#define SITO_FUSE "fuse"
#define SITO_RIBBON "ribbon"

/* Layers of `scalable` that are no kind of their own: see below. */
#define SITO_LAYER_TAGS "tags"

/* The wish. Zero means "choose for me" or "not given"; begin with `sito_plan plan = {0};`. Strings
 * are static: none is copied or freed. */
typedef struct sito_plan {
    uint64_t nkeys;      /* distinct keys expected */
    double fpr;          /* wanted false-positive rate, 0 < fpr < 1 */
    uint64_t max_bytes;  /* SITO_ELIMIT rather than exceed, or the size to solve for */
    uint64_t seed;       /* 0: drawn at random by sito_plan_solve() and stored */
    const char *kind;    /* NULL: the best kind for `needs` */
    unsigned needs;      /* set of SITO_CAN_* the kind must offer */
    const sito_key *key; /* NULL: the fast hash; else copied by sito_new() and sito_build() */
    unsigned threads;    /* for builds, see below; 0 or 1: the caller's thread only */
    /* Progress of long work, on the caller's thread, every 10 to 100 ms or so. Non-zero: stop,
     * SITO_ECANCEL. */
    int (*watch)(void *self, uint64_t done, uint64_t total);
    void *watch_self;
    /* Filled in by sito_plan_solve(): what you will really get. */
    uint64_t bytes; /* cells and whatever queries read */
    double real_fpr, bits_per_key;
    /* Wishes of some kinds. */
    unsigned nhashes;           /* k: bloom, parted, block, counting, linear */
    unsigned cell_bits;         /* counting (2..16, 0: 4), linear (1..16): bits a cell */
    unsigned tag_bits;          /* compact, cuckoo, fuse, ribbon: bits a mark */
    uint64_t ncells;            /* exactly so many bits, cells or slots */
    const char *rule;           /* cuckoo: "random", "emptier", "path": see below */
    const char *layout;         /* cuckoo: "bucket", "sorted", "window" */
    unsigned bucket, max_moves; /* cuckoo: slots a bucket (1, 2, 4, 8), limit of relocations */
    const char *scale;          /* linear: "linear", "geometric" */
    uint32_t fade_p, fade_q;    /* linear: the factor of the geometric scale; 0: 9/10 */
    const char *layer;          /* scalable: kind of its layers */
    unsigned expansion;  /* scalable: how many times as many keys with each layer (1..16, 0: 2.1) */
    unsigned max_layers; /* scalable: layers at most; aged: generations of a window */
    uint64_t window;     /* aged: how many of the last keys are remembered */
    unsigned arity;      /* fuse: slots a key, 3 or 4; 0: 4 */
    unsigned value_bits; /* fuse: bits of a value, 0: none; see fuse.h */
    uint64_t reserved[16]; /* zero, or SITO_EINVAL: room to grow without breaking callers */
} sito_plan;

/*
 * `threads` is for sito_build(): so many, 64 at most, share the work of bloom, parted, block,
 * counting, fuse and ribbon, and of compact the sorting. The bytes are the same for any number,
 * and where a thread cannot be started, the others do its share. cuckoo and bitmap are built on
 * the caller's, cuckoo because its keys go in in the order they came; so is what is too little to
 * share, and bloom or parted of more than 2 GiB. Meanwhile bloom and parted take up to 160 MiB
 * beside the filter, or as much again as a larger filter (twice that with one to four hashes), and
 * 5 MiB a thread; counting that and 16 bytes a hash; block 3 bytes a hash, 32 MiB at
 * least and 256 MiB at most, or beyond 270 million hashes a byte a hash; a quarter of the filter,
 * 64 MiB at most; and 5 MiB a thread.
 */

/*
 * The wishes of `cuckoo`. `rule`: who moves when a key finds both its buckets full. "random" kicks
 * tags about until one finds room; "emptier" does so too, but puts tags where more room is;
 * "path", the default, searches the shortest chain of moves before it makes one, and moves ten
 * times fewer. `max_moves` is the longest chain tried: 0 means 500, at most 65535; sizes are planned
 * for no less than that (a path needs 6, a walk some hundred). `layout`:
 * "bucket" is plain; "sorted" (buckets of 4) saves a bit a key and takes longer to write; "window"
 * lets buckets overlap: windows of 4 fill to 99 %, windows of 2 need a bit less a key; with `bucket`
 * 0 the smaller one is taken. `ncells` is a number of slots, a multiple of `bucket` but in windows.
 * At most ncells keys may be planned for slots given so; how many will fit is then the caller's bet.
 */

/*
 * The wishes of `scalable`. `nkeys` are those of its first layer; with every further one it has
 * room for `expansion` times as many (1: for as many more; 0: for 2.1 times as many). `fpr` is kept
 * at every moment, however many keys there are; real_fpr is that of the first layer alone. `layer`:
 * "tags", the default, is the smallest: tables as in `cuckoo`, each key once; "cuckoo" takes a
 * little more, and can remove and count; "block" answers sooner and takes half as much again;
 * "bloom" is between in size. Tags with neither `expansion` nor `max_layers` stay in one table, laid
 * out anew as it fills, up to 67,000 to 100,000 keys, fewer at rates below 1e-5; then come layers.
 * After `max_layers` (at most 32, the default) an add is SITO_EFULL; where it would grow past
 * `max_bytes`, SITO_ELIMIT. The wishes of `aged` stand in aged.h.
 *
 * The wishes of `fuse`. `tag_bits`, 4 to 32: a stranger is let in with 2^-tag_bits (of the hash's
 * own collisions, n / 2^64, a plan speaks where they are more than a thousandth of that). Keys
 * alike in 58 bits are one, which adds at most a thirtieth at 32 bits. `arity` 4 is smaller and
 * reads three lines in large tables, mostly; 3 reads three in all. `ncells` is a number of slots, 8
 * or more. The kind is only built: sito_new() is SITO_EUNABLE. `value_bits` and tag_bits together
 * are at most 32; with values and neither fpr nor tag_bits there are no marks, and all strangers are let
 * in. With keys and bytes given the marks are as wide as fits. A build takes 8 to 16 bytes a hash
 * beside the filter, and up to 24 MiB for each thread after the first; more of both if hashes have
 * values or most are copies.
 *
 * The wishes of `ribbon`. `tag_bits` (1 .. 48): a stranger errs with 2^-tag_bits; a rate between
 * that and half of it makes a share of the table one bit deeper, or all of it if that needs less.
 * `ncells` is how many distinct keys there is room for, at times some hundred more than planned since
 * that needs less: a build of more answers SITO_EFULL. A build takes some 9 bytes a hash beside the
 * filter, up to 18 if most are copies, and up to 17 MiB a thread.
 */

/* Fill in what is missing, or say why it cannot be. The plan is unchanged on failure. */
sito_rc sito_plan_solve(sito_plan *plan);

/* The plan of a filter that can be merged with `f`: same kind, shape, hash and seed. `out->key`
 * points into `f` and lives as long. SITO_EKEY if `f` is keyed and was opened without its key;
 * SITO_EUNABLE if its seed is 0, as that of no filter made here: a plan has no way to say so. */
sito_rc sito_plan_like(const sito_filter *f, sito_plan *out);

/* What a kind can, as a set of SITO_CAN_*; 0: no such kind. */
unsigned sito_abilities(const char *kind);

/* The catalogue: kind number i, or NULL past its end; and one line on what it is. */
const char *sito_kind_at(size_t i);
const char *sito_kind_what(const char *kind);

#ifdef __cplusplus
}
#endif
#endif
