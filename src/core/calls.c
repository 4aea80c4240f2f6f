/* calls.c - the calls on keys and hashes. Each picks the kind's row once; then the key walks. */
#include "core/filter.h"

/* ---- key -> hash ---- */

static __attribute__((noinline)) uint64_t hash_any(const sito_filter *f, const void *key,
                                                   size_t len) {
    return f->hash.known ? hash_bytes(&f->hash, key, len) >> f->hash_shift : 0;
}

/* Short keys, the usual ones, take the fast hash in line: flattened into a caller that has checked
 * the length, it keeps only the branches they need. */
static inline uint64_t hash_of(const sito_filter *f, const void *key, size_t len) {
    if (f->hash.id != HASH_XXH3 || len > PLAIN_LEN) return hash_any(f, key, len);
    return XXH3_64bits_withSeed(key, len, f->hash.seed) >> f->hash_shift;
}

__attribute__((flatten)) uint64_t sito_hash_key(const sito_filter *f, const void *key, size_t len) {
    return hash_of(f, key, len);
}

__attribute__((flatten)) void sito_hash_many(const sito_filter *f, const void *const *keys,
                                             const size_t *lens, size_t n, uint64_t *hashes) {
    for (size_t i = 0; i < n; i++) hashes[i] = hash_of(f, keys[i], lens[i]);
}

uint64_t sito_hash_plan(const sito_plan *plan, const void *key, size_t len) {
    if (!plan || (!plan->key && !plan->seed)) return 0;
    uint64_t hash = plan->key ? siphash(1, 3, plan->key->bytes, key, len)
                              : XXH3_64bits_withSeed(key, len, plan->seed);
    const struct kind *kind = plan->kind ? kind_named(plan->kind) : NULL;
    if (!kind || !kind->hash_shift) return hash;
    struct shape shape;
    uint64_t bytes[SEGMENTS] = {0}, none[3] = {0};
    kind->to_shape(plan, &shape);
    return kind->sizes(&shape, none, bytes) ? hash >> kind->hash_shift(&shape) : 0;
}

/* ---- by key bytes ---- */

/* SITO_OK if the filter can do this and knows its hash. */
static sito_rc may(const sito_filter *f, unsigned ability) {
    if (!f) return SITO_EINVAL;
    if (!(f->can & ability)) return SITO_EUNABLE;
    return f->hash.known ? SITO_OK : SITO_EKEY;
}

int sito_add(sito_filter *f, const void *key, size_t len) {
    sito_rc rc = may(f, SITO_CAN_ADD);
    if (rc != SITO_OK) return rc;
    uint64_t hash = sito_hash_key(f, key, len);
    return f->kind->add_key ? f->kind->add_key(f, hash, key, len) : f->kind->add(f, hash);
}

int sito_remove(sito_filter *f, const void *key, size_t len) {
    sito_rc rc = may(f, SITO_CAN_REMOVE);
    if (rc != SITO_OK) return rc;
    uint64_t hash = sito_hash_key(f, key, len);
    return f->kind->remove_key ? f->kind->remove_key(f, hash, key, len) : f->kind->remove(f, hash);
}

static __attribute__((noinline)) bool maybe_rarely(const sito_filter *f, const void *key,
                                                   size_t len) {
    if (!f->hash.known) return true; /* a doubt is never a no */
    uint64_t hash = hash_any(f, key, len);
    return f->kind->maybe_key ? f->kind->maybe_key(f, hash, key, len) : f->kind->maybe(f, hash);
}

/* The usual case goes straight through, without a stack frame: a short key, the fast hash, a kind
 * that asks no more than the hash. The fewer instructions a key takes, the more keys' waits for
 * memory overlap. */
__attribute__((flatten)) bool sito_maybe(const sito_filter *f, const void *key, size_t len) {
    if (len - 1 >= f->plain_len) return maybe_rarely(f, key, len);
    if (len == 0 || len > PLAIN_LEN) __builtin_unreachable();
    return f->maybe(f, XXH3_64bits_withSeed(key, len, f->hash.seed));
}

sito_rc sito_count(const sito_filter *f, const void *key, size_t len, uint64_t *n) {
    if (!n) return SITO_EINVAL;
    if (f && !(f->can & SITO_CAN_COUNT)) return SITO_EUNABLE;
    if (!f || !f->hash.known) return f ? SITO_EKEY : SITO_EINVAL;
    uint64_t hash = sito_hash_key(f, key, len);
    *n = f->kind->count_key ? f->kind->count_key(f, hash, key, len) : f->kind->count(f, hash);
    return SITO_OK;
}

/* ---- by hash ---- */

int sito_add_hash(sito_filter *f, uint64_t hash) {
    if (!f) return SITO_EINVAL;
    return f->can & SITO_CAN_ADD && f->kind->add ? f->kind->add(f, hash) : SITO_EUNABLE;
}

int sito_remove_hash(sito_filter *f, uint64_t hash) {
    if (!f) return SITO_EINVAL;
    return f->can & SITO_CAN_REMOVE && f->kind->remove ? f->kind->remove(f, hash) : SITO_EUNABLE;
}

bool sito_maybe_hash(const sito_filter *f, uint64_t hash) {
    return !f->hash.known || f->kind->maybe(f, hash);
}

void sito_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n, uint8_t *answers) {
    if (n == 0) return; /* answers may be NULL */
    if (!f->hash.known) {
        memset(answers, 1, n);
        return;
    }
    if (f->kind->maybe_many) {
        f->kind->maybe_many(f, hashes, n, answers);
        return;
    }
    for (size_t i = 0; i < n; i++) answers[i] = f->kind->maybe(f, hashes[i]);
}

/* One by one, up to the first refusal. */
static sito_rc each_in_turn(sito_filter *f, int (*step)(sito_filter *f, uint64_t hash),
                            const uint64_t *hashes, size_t n, int8_t *answers, size_t *done) {
    for (*done = 0; *done < n; (*done)++) {
        int answer = step(f, hashes[*done]);
        if (answers) answers[*done] = (int8_t)answer;
        if (answer < 0) return answer;
    }
    return SITO_OK;
}

sito_rc sito_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                      size_t *done) {
    size_t count = 0;
    sito_rc rc = !f ? SITO_EINVAL : f->can & SITO_CAN_ADD && f->kind->add ? SITO_OK : SITO_EUNABLE;
    if (rc == SITO_OK)
        rc = f->kind->add_many ? f->kind->add_many(f, hashes, n, answers, &count)
                               : each_in_turn(f, f->kind->add, hashes, n, answers, &count);
    if (done) *done = count;
    return rc;
}

sito_rc sito_remove_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                         size_t *done) {
    size_t count = 0;
    sito_rc rc = !f                                            ? SITO_EINVAL
                 : f->can & SITO_CAN_REMOVE && f->kind->remove ? SITO_OK
                                                               : SITO_EUNABLE;
    if (rc == SITO_OK)
        rc = f->kind->remove_many ? f->kind->remove_many(f, hashes, n, answers, &count)
                                  : each_in_turn(f, f->kind->remove, hashes, n, answers, &count);
    if (done) *done = count;
    return rc;
}

int sito_add_shared(sito_filter *f, uint64_t hash) {
    if (!f) return SITO_EINVAL;
    return f->can & SITO_CAN_SHARE ? f->kind->add_shared(f, hash) : SITO_EUNABLE;
}

sito_rc sito_add_shared_many(sito_filter *f, const uint64_t *hashes, size_t n) {
    if (!f) return SITO_EINVAL;
    return f->can & SITO_CAN_SHARE ? f->kind->add_shared_many(f, hashes, n) : SITO_EUNABLE;
}
