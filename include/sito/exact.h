/*
 * sito/exact.h - the complete dictionaries: whole keys in a hash table, a 64-bit value with each.
 *
 * The yardstick of the other kinds, and the right ones when an error cannot be afforded: they
 * answer from the key itself, so there is no false-positive rate. They count copies, grow past
 * their plan, and can be listed.
 *
 * `exact` searches from a key's place to the first empty slot. In `exact-cuckoo` a key is in one of
 * two buckets of four slots: no question reads more than two cache lines of slots, and batches by
 * hash are several times as fast.
 *
 * Costs       the key's bytes, 8 for its length and count, 8 for a value, and for its slot 20 to 30
 *             (exact) or 17 to 21 (exact-cuckoo); more while there are few keys.
 * Can         add, remove, count, grow, merge, map.    Cannot   be built or written from hashes.
 * Threads     any number of readers; one writer, alone.
 *
 * Caveats     sito_maybe_hash() answers from the 64-bit hash kept beside each key, so it errs with
 *             n / 2^64. A key is at most 2^31 - 1 bytes, a count at most 2^32 - 1: beyond,
 *             SITO_ELIMIT and SITO_EFULL. In a merge a key keeps its own value; only one that has
 *             none takes the other filter's. exact-cuckoo has place for eight keys with one hash:
 *             whoever knows the seed can find a ninth, or others that crowd, and they are refused
 *             with SITO_EFULL, after some work, rather than grow it past twice its keys' slots. A
 *             merge there works on a copy.
 */
#ifndef SITO_EXACT_H
#define SITO_EXACT_H

#include <sito/hash.h>
#include <sito/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Keep `value` with the key. 1: the key is new, and owed one remove. 0: it was known, and its value
 * is replaced; its count stays. SITO_EUNABLE on another kind. */
int sito_exact_put(sito_filter *f, const void *key, size_t len, uint64_t value);

/* 1: the key is there, and *value is its value, 0 if it never had one. 0: it is not; *value is
 * untouched. */
int sito_exact_get(const sito_filter *f, const void *key, size_t len, uint64_t *value);

/* Call `each` for every distinct key, in no order, until it returns non-zero; that is then
 * returned, else 0. The filter must not be written meanwhile. */
int sito_exact_each(const sito_filter *f,
                    int (*each)(void *self, const void *key, size_t len, uint64_t count,
                                uint64_t value),
                    void *self);

#ifdef __cplusplus
}
#endif
#endif
