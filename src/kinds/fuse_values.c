/*
 * fuse_values.c - a fuse filter as a map: the calls of sito/fuse.h.
 *
 * A slot is a mark's bits and above them a value's. What a key draws is as wide, and covers both:
 * so its slots, summed up with that, leave zero and the value, and a stranger's leave noise.
 */
#include "sito/fuse.h"

#include "core/life.h"
#include "kinds/fuse_ask.h"

enum { VALUES_AHEAD = 16 /* keys whose lines are on their way */ };

/* ---- hash -> slots -> value ---- */

static sito_rc may_be_got(const sito_filter *f) {
    if (!f) return SITO_EINVAL;
    if (f->kind != &kind_fuse || !f->shape.param[PARAM_VALUE_BITS]) return SITO_EUNABLE;
    return f->hash.known ? SITO_OK : SITO_EKEY;
}

/* Where in a sum the value is. */
struct value_field {
    unsigned at;
    uint64_t mask;
};

static struct value_field value_field_of(const sito_filter *f) {
    return (struct value_field){.at = f->shape.param[PARAM_MARK_BITS],
                                .mask = low_bits(f->shape.param[PARAM_VALUE_BITS])};
}

/* Is it there? If not, the value is 0. */
FUSE_INLINE bool read_value(const struct fuse_eye *e, struct value_field v, const struct fused *k,
                            uint32_t *value, const unsigned arity) {
    uint64_t sum = fuse_sum(e, k, arity);
    bool is_there = !k->is_empty & ((sum & e->mask) == 0);
    *value = is_there ? (uint32_t)(sum >> v.at & v.mask) : 0;
    return is_there;
}

int sito_fuse_get_hash(const sito_filter *f, uint64_t hash, uint32_t *value) {
    sito_rc rc = value ? may_be_got(f) : SITO_EINVAL;
    if (rc != SITO_OK) return rc;
    struct fuse_eye e = fuse_eye_of(f);
    struct fused k;
    uint32_t found;
    fuse_find(&e, hash, &k);
    if (!read_value(&e, value_field_of(f), &k, &found, e.arity)) return 0;
    *value = found;
    return 1;
}

int sito_fuse_get(const sito_filter *f, const void *key, size_t len, uint32_t *value) {
    sito_rc rc = may_be_got(f);
    return rc == SITO_OK ? sito_fuse_get_hash(f, sito_hash_key(f, key, len), value) : rc;
}

/* Each key asks for its lines some keys before it reads them. */
FUSE_INLINE void read_values(const sito_filter *f, const uint64_t *hashes, size_t n,
                             uint32_t *values, uint8_t *answers, const unsigned arity) {
    const struct fuse_eye e = fuse_eye_of(f);
    const struct value_field v = value_field_of(f);
    struct fused soon[VALUES_AHEAD];
    for (size_t asked = 0, i = 0; i < n; i++) {
        for (; asked < n && asked < i + VALUES_AHEAD; asked++) {
            struct fused *k = &soon[asked % VALUES_AHEAD];
            fuse_find(&e, hashes[asked], k);
            fuse_fetch(&e, k, arity);
        }
        bool is_there = read_value(&e, v, &soon[i % VALUES_AHEAD], &values[i], arity);
        if (answers) answers[i] = is_there;
    }
}

sito_rc sito_fuse_get_many(const sito_filter *f, const uint64_t *hashes, size_t n, uint32_t *values,
                           uint8_t *answers) {
    sito_rc rc = (hashes && values) || !n ? may_be_got(f) : SITO_EINVAL;
    if (rc != SITO_OK) return rc;
    if (f->shape.param[PARAM_ARITY] == 3) read_values(f, hashes, n, values, answers, 3);
    else read_values(f, hashes, n, values, answers, 4);
    return SITO_OK;
}

/* ---- made whole ---- */

static bool values_fit(const uint32_t *values, size_t n, unsigned bits) {
    uint32_t any = 0;
    for (size_t i = 0; i < n; i++) any |= values[i];
    return any <= low_bits(bits);
}

sito_rc sito_fuse_build(const sito_plan *plan, const sito_memory *mem, const uint64_t *hashes,
                        const uint32_t *values, size_t n, sito_filter **out) {
    if (!plan || !out || (n && !(hashes && values)) || !plan->value_bits) return SITO_EINVAL;
    if (plan->kind && strcmp(plan->kind, SITO_FUSE)) return SITO_EUNABLE;
    if (!values_fit(values, n, plan->value_bits)) return SITO_EINVAL;
    sito_plan p = *plan;
    p.kind = SITO_FUSE;
    sito_filter *f;
    sito_rc rc = new_to_build(&p, mem, n, &f);
    if (rc != SITO_OK) return rc;
    rc = fuse_build_valued(f, &p, hashes, values, n);
    if (rc != SITO_OK) sito_free(f);
    else *out = f;
    return rc;
}
