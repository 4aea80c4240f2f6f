/*
 * sito/sito.h - might this key be in the set?
 *
 * "No" is a proof; "yes" is a bet whose odds were agreed beforehand. One type, sito_filter, stands
 * for every kind; a plan chooses the kind and its size.
 *
 *     key bytes --hash.h--> 64 bits --> places --> cells --> answer
 *                              |
 *     plan.h: how large?       `-- the _hash calls begin here
 *     image.h: save, open, map     status.h: how calls end
 *     exact.h, counting.h, block.h, linear.h, fuse.h, aged.h: the calls of one kind only
 *
 *     sito_plan plan = {.nkeys = 1000, .fpr = 0.01};
 *     sito_filter *f;
 *     if (sito_new(&plan, NULL, &f) == SITO_OK) {
 *         sito_add(f, "heron", 5);
 *         sito_maybe(f, "heron", 5);      true, always
 *         sito_maybe(f, "stork", 5);      false, 99 times of 100
 *         sito_free(f);
 *     }
 *
 * Kinds: `bloom` is the one to begin with. `parted` is the same in k tables: quicker to shard, a
 * little larger. `block` is the fast one, larger by 5 % at 1 % and by 20 % at 0.01 %. `cuckoo` can
 * remove and count, and is smaller than `bloom` at low rates; `compact` can the same in a plainer,
 * larger table; so can `counting`, which takes more room, but can be merged and is never full.
 * `exact` never errs and keeps whole keys; `exact-cuckoo` too, in another hash table. `bitmap` has
 * one bit for every possible hash: for small universes. `scalable` grows by layers when nobody
 * knows how many keys will come; `aged` (aged.h) forgets all but the last of them.
 * `linear` (linear.h) gives every key a confidence in [0,1], which can be faded. `fuse` and `ribbon`
 * are built at once of a set known beforehand (sito_build; they cannot be added to): smaller than
 * any Bloom filter, `fuse` the quicker, `ribbon` the smaller; `fuse` may keep a value with each key
 * (fuse.h). sito_abilities() says what each can; some of it `scalable` can with cuckoo layers only.
 *
 * Caveats
 *   - Plan for the keys you will have. Bit kinds (bloom, parted, block, ...) go on past
 *     their plan and err more often: watch sito_info.present_fpr. Slot kinds (compact, cuckoo)
 *     answer SITO_EFULL.
 *   - Remove only what you added. A remove that `maybe` denies answers 0 and changes nothing. But in
 *     `compact` and `cuckoo` a key that was never added and looks as if it was takes away another
 *     key's mark, and that key, now and then a second one too, is then denied: with probability
 *     real_fpr for each such remove. In `counting` it takes from the counts of the keys that share
 *     its cells: some of them may then be denied. No filter can guard against that: it
 *     cannot tell the keys apart. In `bitmap` one remove clears the bit of every key that shares
 *     it. `exact` has none of these troubles.
 *   - `cuckoo` holds at most 2 * plan.bucket copies of one key; the next add of it is SITO_EFULL.
 *   - A remove from `scalable` that finds the key's mark in more than one layer cannot know which is
 *     the key's: it answers 1, and the marks stay, for to take the wrong one would deny another key.
 *     That is as rare as an error; the fact `permanent` counts them.
 *   - The fast hash does not resist chosen keys: see hash.h.
 *
 * Threads: calls with a const filter from any number of threads at once; a call that writes, alone.
 * Only sito_add_shared and sito_add_shared_many run beside each other and beside queries (the maybe
 * calls; sito_look, copies and saves wait until they are done). Two threads that add the same new
 * key at the same moment may both be told that it was new.
 */
#ifndef SITO_SITO_H
#define SITO_SITO_H

#include <sito/hash.h>
#include <sito/image.h>
#include <sito/plan.h>
#include <sito/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sito_info {
    const char *kind;
    unsigned can;         /* what this filter can, here and now: a mapped one cannot add */
    uint64_t nkeys;       /* keys counted in, less keys counted out */
    uint64_t capacity;    /* keys it was planned for */
    uint64_t bytes;       /* cells and whatever queries read */
    uint64_t image_bytes; /* the size of its file */
    double bits_per_key;  /* 8 * bytes / nkeys */
    double wanted_fpr;    /* asked of the plan, or found by it */
    double real_fpr;      /* what the plan promised at capacity */
    double present_fpr;   /* what a stranger meets now */
    double fill;          /* share of cells in use, 0..1 */
    uint64_t reserved[24];
} sito_info;

/* ---- life: new or built, copied, freed ---- */

/* An empty filter. Solves a copy of the plan if it is unsolved. `mem` NULL: the C library's memory;
 * else the hooks are copied and must work until sito_free(). *out is untouched on failure, here and
 * everywhere. */
sito_rc sito_new(const sito_plan *plan, const sito_memory *mem, sito_filter **out);

/* A filter of these hashes, made at once: faster than adding one by one. They are from
 * sito_hash_plan() with this plan, whose seed or key must be set. A set: equal hashes are stored
 * once and owed one remove. */
sito_rc sito_build(const sito_plan *plan, const sito_memory *mem, const uint64_t *hashes, size_t n,
                   sito_filter **out);

sito_rc sito_copy(const sito_filter *f, const sito_memory *mem, sito_filter **out);

/* NULL is allowed. The secret key is wiped. */
void sito_free(sito_filter *f);

/* ---- by key bytes ---- */

/* 1: certainly new. 0: perhaps known; kinds that can remove have stored it all the same, but for
 * `bitmap`. Negative: not added, and no byte changed. */
int sito_add(sito_filter *f, const void *key, size_t len);

/* 1: one copy is gone. 0: it was not there. */
int sito_remove(sito_filter *f, const void *key, size_t len);

/* false is a proof that the key was never added, or was removed since. */
bool sito_maybe(const sito_filter *f, const void *key, size_t len);

/* How many copies, never fewer than the truth; UINT64_MAX if nobody can say (counting.h). */
sito_rc sito_count(const sito_filter *f, const void *key, size_t len, uint64_t *n);

/* ---- by hash: once hashed, used often ---- */

int sito_add_hash(sito_filter *f, uint64_t hash);
bool sito_maybe_hash(const sito_filter *f, uint64_t hash);
int sito_remove_hash(sito_filter *f, uint64_t hash);

/* Batches: the same answers, several times as fast, because the waits for memory overlap. `answers`
 * and `done` may be NULL where they are written by a call that can fail; it stops at the first
 * refusal, and the first *done hashes are in. */
void sito_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n, uint8_t *answers);
sito_rc sito_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                      size_t *done);
sito_rc sito_remove_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                         size_t *done);

/* Many threads at once, in kinds with SITO_CAN_SHARE. A query that happens after an add sees it.
 * Adds may wait a moment for each other: none from a signal handler that may interrupt another.
 * Memory from elsewhere is not asked for any; with the C library's, batches that meet in a large
 * `block` filter leave up to a mebibyte with it, for the next, until sito_free(). */
int sito_add_shared(sito_filter *f, uint64_t hash);
sito_rc sito_add_shared_many(sito_filter *f, const uint64_t *hashes, size_t n);

/* ---- whole filters ---- */

/* Everything in `from` is then in `into` too. Same kind, shape, hash and seed, or SITO_ESHAPE.
 * bloom, parted, block and bitmap: bit for bit the filter of the union; exact, counting: counts are
 * added; linear: the higher confidence counts. */
sito_rc sito_merge(sito_filter *into, const sito_filter *from);

/* bloom, parted, block: a table of 1/2^halvings the size, a higher rate. SITO_EINVAL if it does not
 * divide. A table of a mebibyte and more in the C library's memory needs no more of it. */
sito_rc sito_fold(sito_filter *f, unsigned halvings);

/* As new: same shape, seed and note, no keys. */
sito_rc sito_clear(sito_filter *f);

/* Reads all cells, for fill and present_fpr. */
sito_rc sito_look(const sito_filter *f, sito_info *out);

/* A figure of this filter by name; SITO_EINVAL if the kind has no such fact. sito_fact_at names
 * them: number i, or NULL past the last. */
sito_rc sito_fact(const sito_filter *f, const char *name, double *out);
const char *sito_fact_at(const sito_filter *f, size_t i);

/* Facts that are words: rule and layout of a cuckoo filter; NULL if it has no such. Static. */
const char *sito_word(const sito_filter *f, const char *name);

#ifdef __cplusplus
}
#endif
#endif
