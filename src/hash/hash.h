/* hash.h - the first room: key bytes -> 64 bits, by one of two hashes. */
#ifndef SITO_HASHER_H
#define SITO_HASHER_H

#include "core/base.h"
#include "hash/keyed.h"
#include "sito/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HASH_XXH3 = 1, HASH_SIP13 = 2 }; /* numbers in images; never reused */

struct hasher {
    uint16_t id;
    bool known;     /* false: keyed, and the secret was not given */
    uint64_t seed;  /* XXH3's seed, or the key's id */
    uint64_t check; /* keyed: tells the right secret from a wrong one */
    sito_key key;
};

/* Depends on secret and id, and on nothing a user would ever hash. */
static inline uint64_t check_tag(const sito_key *key) {
    uint8_t label[24] = "sito key check\0";
    put64(label + 16, key->id);
    return siphash(1, 3, key->bytes, label, sizeof label);
}

static inline struct hasher hasher_of(const sito_key *key, uint64_t seed) {
    struct hasher h = {.id = HASH_XXH3, .known = true, .seed = seed};
    if (key) {
        h.id = HASH_SIP13;
        h.seed = key->id;
        h.check = check_tag(key);
        h.key = *key;
    }
    return h;
}

static inline uint64_t hash_bytes(const struct hasher *h, const void *key, size_t len) {
    return h->id == HASH_XXH3 ? XXH3_64bits_withSeed(key, len, h->seed)
                              : siphash(1, 3, h->key.bytes, key, len);
}

#endif
