/*
 * sito/fuse.h - a fuse filter that keeps a value for each key: a map without its keys, made whole
 * of a set that is known beforehand (a Bloomier filter: Chazelle, Kilian, Rubinfeld and Tal).
 *
 * A key's slots sum up (by xor) to its mark of tag_bits, and above it to its value of value_bits. A
 * key of the set gets its own value, always. A stranger gets noise; marks, if there are any, tell
 * it from a key but for one in 2^tag_bits.
 *
 *     sito_plan plan = {.kind = SITO_FUSE, .nkeys = 3, .value_bits = 7, .seed = 42};
 *     uint64_t hashes[3];                           of sito_hash_plan(&plan, key, len)
 *     uint32_t values[3] = {35, 24, 3}, value;
 *     sito_fuse_build(&plan, NULL, hashes, values, 3, &shards);
 *     if (sito_fuse_get(shards, "heron", 5, &value) > 0) ...
 *
 * Costs       the table of `fuse` with marks of tag_bits + value_bits, at most 32 together: 1.07 to
 *             1.09 times as many bits a key from a million keys on, in three lines. A build takes
 *             twice the time of one without values, thrice in large tables, and at most 22 bytes a
 *             key beside the filter on one thread; from some million keys on 13, and 13 MiB a
 *             thread (39 with arity 3).
 * Marks       plan.fpr or plan.tag_bits ask for them, and so do keys with max_bytes: as wide as
 *             fits. Without them every stranger is let in: sito_maybe() says yes, real_fpr is 1.
 * Can         build, map.   Cannot   be added to, nor a value be changed.
 * Threads     any number of readers. A build uses plan.threads; the bytes are the same for any
 *             number.
 *
 * Caveats     sito_build() takes no values: with value_bits in the plan it is SITO_EINVAL. Two keys
 *             of one 64-bit hash are one key to any filter; with two values they cannot be built:
 *             at a billion keys that befalls one set in forty.
 */
#ifndef SITO_FUSE_H
#define SITO_FUSE_H

#include <sito/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As sito_build(), with a value for each hash; plan.value_bits is not 0, and plan.kind is `fuse` or
 * not given. The same hash may come again with the same value. SITO_EINVAL, and nothing is built: a
 * hash comes with two values, or a value has more bits than that. SITO_EUNABLE: the plan is another
 * kind's. */
sito_rc sito_fuse_build(const sito_plan *plan, const sito_memory *mem, const uint64_t *hashes,
                        const uint32_t *values, size_t n, sito_filter **out);

/* 1: here is the value, if the key is one of the set. 0: surely it is not, and *value is untouched.
 * SITO_EUNABLE: another kind, or a fuse filter without values. SITO_EKEY: keyed, and opened without
 * its key. */
int sito_fuse_get(const sito_filter *f, const void *key, size_t len, uint32_t *value);
int sito_fuse_get_hash(const sito_filter *f, uint64_t hash, uint32_t *value);

/* The same for many, whose waits for memory overlap; the value is 0 where the answer is.
 * `answers`, which may be NULL, gets a 1 or a 0 for each. */
sito_rc sito_fuse_get_many(const sito_filter *f, const uint64_t *hashes, size_t n, uint32_t *values,
                           uint8_t *answers);

#ifdef __cplusplus
}
#endif
#endif
