/* maps.h - sets of keys with values, fuse filters of them, and whether every value is there. */
#ifndef TESTS_MAPS_H
#define TESTS_MAPS_H

#include "check.h"

#include <sito/fuse.h>

enum { MAP_SEED = 42, SLOT_BITS = 32 };

/* Keys by number with values by number, each v bits wide. */
struct set {
    size_t n;
    uint64_t *hashes;
    uint32_t *values;
};

static inline uint32_t value_no(uint64_t i, unsigned bits) {
    return (uint32_t)(mixed(~i) >> (64 - bits));
}

static inline struct set set_of(uint64_t seed, size_t n, unsigned bits) {
    struct set s = {n, malloc((n + 1) * sizeof *s.hashes), malloc((n + 1) * sizeof *s.values)};
    assert_true(s.hashes && s.values);
    for (size_t i = 0; i < n; i++) {
        s.hashes[i] = mixed(mixed(seed) + i);
        s.values[i] = value_no(mixed(seed) + i, bits);
    }
    return s;
}

static inline void set_free(struct set s) {
    free(s.hashes);
    free(s.values);
}

static inline sito_plan plan_of(uint64_t nkeys, unsigned value_bits, unsigned tag_bits,
                                unsigned arity) {
    return (sito_plan){.kind = SITO_FUSE,
                       .nkeys = nkeys,
                       .value_bits = value_bits,
                       .tag_bits = tag_bits,
                       .arity = arity,
                       .seed = MAP_SEED};
}

/* Every value, one by one and in batches. */
static inline void has_all(const sito_filter *f, struct set s) {
    uint32_t *values = malloc((s.n + 1) * sizeof *values);
    uint8_t *answers = malloc(s.n + 1);
    assert_true(values && answers);
    assert_int_equal(sito_fuse_get_many(f, s.hashes, s.n, values, answers), SITO_OK);
    for (size_t i = 0; i < s.n; i++) {
        uint32_t value = ~s.values[i];
        PROMISE(sito_fuse_get_hash(f, s.hashes[i], &value) == 1 && value == s.values[i],
                "key %zu of %zu: %u, not %u", i, s.n, value, s.values[i]);
        PROMISE(answers[i] == 1 && values[i] == s.values[i], "key %zu of %zu, in a batch: %u", i,
                s.n, values[i]);
        PROMISE(sito_maybe_hash(f, s.hashes[i]), "key %zu of %zu is lost", i, s.n);
    }
    free(values);
    free(answers);
}

static inline sito_filter *built(const sito_plan *plan, struct set s) {
    sito_filter *f = NULL;
    sito_rc rc = sito_fuse_build(plan, NULL, s.hashes, s.values, s.n, &f);
    PROMISE(rc == SITO_OK, "%zu keys, %u-wise, %u and %u bits: %d", s.n, plan->arity,
            plan->value_bits, plan->tag_bits, rc);
    return f;
}

#endif
