/*
 * sito/hash.h - a key becomes 64 bits.
 *
 * A key is bytes, so every machine agrees on it. The fast hash is XXH3-64 under a seed that is
 * drawn at random and stored with the filter. The keyed hash is SipHash-1-3 under a secret of 16
 * bytes that is never stored: an image holds its id and a check tag, enough to tell a wrong key
 * from a right one.
 *
 * Hash once, ask many: filters with the same hash and seed (sito_plan_like) take each other's
 * hashes.
 *
 * Caveats
 *   - The fast hash is no defence. Whoever knows the seed, and it stands in every image, can choose
 *     keys that collide, or lift the false-positive rate. If keys come from people who might, use a
 *     sito_key.
 *   - Equal 64-bit hashes are equal keys to every kind but the exact ones. With n keys inside, a
 *     stranger's hash is among theirs with probability n / 2^64; plans account for it.
 */
#ifndef SITO_HASH_H
#define SITO_HASH_H

#include <sito/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sito_plan;
typedef struct sito_filter sito_filter;

/* The secret of the keyed hash. `id` is public and goes into images: a name for the secret. */
typedef struct sito_key {
    uint64_t id;
    uint8_t bytes[16];
} sito_key;

/* The hash under which `f` knows this key. 0 for a keyed filter opened without its key. In `bitmap`
 * it is the top u bits of the hash: the number of the key's bit. */
uint64_t sito_hash_key(const sito_filter *f, const void *key, size_t len);

/* The same before there is a filter. The plan is solved, or at least has its seed or key (and, for
 * `bitmap`, its ncells); with neither seed nor key the answer is 0. */
uint64_t sito_hash_plan(const struct sito_plan *plan, const void *key, size_t len);

/* hashes[i] = sito_hash_key(f, keys[i], lens[i]). */
void sito_hash_many(const sito_filter *f, const void *const *keys, const size_t *lens, size_t n,
                    uint64_t *hashes);

#ifdef __cplusplus
}
#endif
#endif
