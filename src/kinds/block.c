/* block.c - all of a key's bits in one 64-byte cache line: the fast one. */
#include "core/filter.h"

#include <math.h>

#include "build/parts.h"
#include "cells/bits.h"
#include "core/life.h"
#include "core/plan.h"
#include "core/rate.h"
#include "kinds/block.h"
#include "sito/block.h"

enum {
    FULL_BLOCK = 4096, /* keys that set all bits of a block, but for one time in 10^20 */
};

/* ---- hash -> block -> answer ---- */

static bool block_maybe(const sito_filter *f, uint64_t hash) {
    return kernel_of(f)->maybe(f->seg[0].at, nblocks_of(&f->shape), hash);
}

static void block_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                             uint8_t *answers) {
    kernel_of(f)->maybe_many(f->seg[0].at, nblocks_of(&f->shape), hashes, n, answers);
}

static int block_add(sito_filter *f, uint64_t hash) {
    bool is_new = kernel_of(f)->add(f->seg[0].at, nblocks_of(&f->shape), hash);
    f->nkeys += is_new;
    return is_new;
}

static sito_rc block_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                              size_t *done) {
    f->nkeys += kernel_of(f)->add_many(f->seg[0].at, nblocks_of(&f->shape), hashes, n, answers);
    *done = n;
    return SITO_OK;
}

sito_rc sito_block_view(const sito_filter *f, sito_block_eye *eye) {
    if (!f || !eye) return SITO_EINVAL;
    if (f->kind != &kind_block) return SITO_EUNABLE;
    if (!f->hash.known) return SITO_EKEY;
    *eye = (sito_block_eye){f->seg[0].at, nblocks_of(&f->shape), f->shape.param[PARAM_HASHES]};
    return SITO_OK;
}

static uint64_t block_fill(sito_filter *f, const uint64_t *hashes, size_t n,
                           struct coming *coming) {
    return coming ? block_add_part(f, hashes, n, coming) : block_add_all(f, hashes, n);
}

static sito_rc block_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes,
                           size_t n) {
    return build_by_parts(f, plan, hashes, n, nblocks_of(&f->shape), block_fill);
}

/* ---- wish -> shape ---- */

/* A stranger's block holds j of n keys, each block being as likely as any other; each of its k words
 * has had j draws. Summed outwards from the likeliest j, until the rest does not count. */
static double block_error(uint64_t nblocks, uint64_t n, unsigned k) {
    if (!n) return 0;
    double keys = (double)n, blocks = (double)nblocks, mode = floor((keys + 1) / blocks);
    double odds = blocks > 1 ? 1 / (blocks - 1) : 0, word = (double)BLOCK_BITS / k;
    if (nblocks == 1) return pow(touched(word, keys), k);
    if (mode > FULL_BLOCK) return BELOW_ONE; /* and the sum would have no end */
    if (mode > keys) mode = keys;
    double top =
        exp(log_choose(keys, mode) - mode * log(blocks) + (keys - mode) * log1p(-1 / blocks));
    double sum = 0, p = top;
    for (double j = mode; j > 0 && p > top * 1e-18; j--) {
        sum += p * pow(touched(word, j), k);
        p *= j / ((keys - j + 1) * odds);
    }
    p = top;
    for (double j = mode + 1; j <= keys && p > top * 1e-18; j++) {
        p *= (keys - j + 1) * odds / j;
        sum += p * pow(touched(word, j), k);
    }
    return fmin(sum, BELOW_ONE);
}

/* Sixteen bits hang on 32 bits of the hash's product, eight on 48: a stranger who shares them with a
 * key of its block is let in, whatever else is set. */
static double with_twins(double rate, double keys, double blocks, unsigned k) {
    double twin = keys / blocks * (k == 16 ? 0x1p-32 : 0x1p-48);
    return rate + (1 - rate) * fmin(twin, BELOW_ONE);
}

static double block_rate_of(uint64_t nblocks, uint64_t n, unsigned k) {
    double rate = with_twins(block_error(nblocks, n, k), (double)n, (double)nblocks, k);
    return with_hash_rate(rate, n);
}

struct block_question {
    uint64_t n, nblocks;
    unsigned k;
    double fpr;
};

static bool blocks_suffice(const void *self, uint64_t nblocks) {
    const struct block_question *q = (const struct block_question *)self;
    return block_rate_of(nblocks, q->n, q->k) <= q->fpr;
}

static bool block_keys_are_too_many(const void *self, uint64_t n) {
    const struct block_question *q = (const struct block_question *)self;
    return block_rate_of(q->nblocks, n, q->k) > q->fpr;
}

/* Large tables are made to halve three times. */
static uint64_t that_folds(uint64_t nblocks) {
    return nblocks >= 4096 ? rounded_up(nblocks, 8) : nblocks;
}

static const unsigned block_hashes[] = {8, 16};

static sito_rc blocks_for_keys(sito_plan *p) {
    uint64_t most = CELLS_MAX / BLOCK_BYTES, best = most + 1, asked = p->nhashes;
    if (p->nkeys > CELLS_MAX) return SITO_ELIMIT;
    for (int i = 0; i < 2; i++) {
        struct block_question q = {.n = p->nkeys, .k = block_hashes[i], .fpr = p->fpr};
        if (asked && asked != q.k) continue;
        double guess = (double)p->nkeys * (1.6 * -log2(p->fpr) + 2) / BLOCK_BITS;
        if (!(guess < (double)most)) continue;
        uint64_t nblocks = that_folds(least_enough(1, best, (uint64_t)guess, blocks_suffice, &q));
        if (nblocks < best) best = nblocks, p->nhashes = q.k;
    }
    p->ncells = best * BLOCK_BITS;
    return best <= most ? SITO_OK : SITO_ELIMIT;
}

static sito_rc keys_for_blocks(sito_plan *p) {
    uint64_t nblocks =
        p->ncells ? p->ncells / BLOCK_BITS : least(p->max_bytes, CELLS_MAX) / BLOCK_BYTES;
    uint64_t nkeys = p->nkeys;
    unsigned asked = p->nhashes;
    double best = 2;
    if (!nblocks || nblocks > CELLS_MAX / BLOCK_BYTES || p->nkeys > CELLS_MAX) return SITO_ELIMIT;
    if (!nkeys && !(p->fpr > 0)) p->fpr = 0.01;
    for (int i = 0; i < 2; i++) {
        struct block_question q = {.nblocks = nblocks, .k = block_hashes[i], .fpr = p->fpr};
        if (asked && asked != q.k) continue;
        if (nkeys) { /* the k that errs less */
            double rate = block_rate_of(nblocks, nkeys, q.k);
            if (rate < best) best = rate, p->nhashes = q.k;
        } else { /* the k that holds more */
            uint64_t most = least(nblocks * BLOCK_BITS, CELLS_MAX);
            double guess = (double)most / (1.6 * -log2(p->fpr) + 2);
            uint64_t n = least_enough(1, most, (uint64_t)guess, block_keys_are_too_many, &q) - 1;
            if (n > p->nkeys) p->nkeys = n, p->nhashes = q.k;
        }
    }
    p->ncells = nblocks * BLOCK_BITS;
    return p->nkeys ? SITO_OK : SITO_ELIMIT;
}

static sito_rc block_solve(sito_plan *p) {
    if ((p->nhashes && p->nhashes != 8 && p->nhashes != 16) || p->ncells % BLOCK_BITS)
        return SITO_EINVAL;
    if (!size_is_given(p) && !(p->fpr > 0)) p->fpr = 0.01;
    if (!hashes_suffice(p)) return SITO_ELIMIT;
    sito_rc rc = size_is_given(p) ? keys_for_blocks(p) : blocks_for_keys(p);
    if (rc != SITO_OK) return rc;
    p->bytes = bits_bytes(p->ncells);
    p->real_fpr = block_rate_of(p->ncells / BLOCK_BITS, p->nkeys, p->nhashes);
    return SITO_OK;
}

static bool block_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    unsigned k = s->param[PARAM_HASHES];
    return bit_table_sizes(s, extra, bytes) && (k == 8 || k == 16) && s->ncells % BLOCK_BITS == 0;
}

static double block_rate(const struct shape *s, uint64_t nkeys) {
    return block_rate_of(nblocks_of(s), nkeys, s->param[PARAM_HASHES]);
}

/* ---- whole filters ---- */

/* Blocks 2i and 2i+1 become block i: so a key's block folds, and its bits stay. In place, too. */
static void halve_blocks(uint8_t *into, const uint8_t *from, uint64_t nbits) {
    const uint8_t *end = from + nbits / 8;
    for (; from < end; from += 2 * BLOCK_BYTES, into += BLOCK_BYTES)
        line_or(into, from, from + BLOCK_BYTES);
}

static sito_rc block_fold(sito_filter *f, unsigned halvings) {
    if (nblocks_of(&f->shape) % ((uint64_t)1 << halvings)) return SITO_EINVAL;
    return fold_table(f, halvings, halve_blocks);
}

/* Given the bits that are set, a stranger is let in by one block with the product of its words'
 * shares of ones; and every block is as likely. */
static void block_look(const sito_filter *f, sito_info *info) {
    unsigned k = f->shape.param[PARAM_HASHES], bytes = BLOCK_BYTES / k;
    uint64_t nblocks = nblocks_of(&f->shape), ones = 0;
    double sum = 0;
    for (uint64_t i = 0; i < nblocks; i++) {
        double rate = 1;
        for (unsigned w = 0; w < k; w++) {
            uint64_t here = bits_ones(f->seg[0].at + i * BLOCK_BYTES + w * bytes, bytes);
            rate *= (double)here / (8 * bytes);
            ones += here;
        }
        sum += rate;
    }
    info->fill = (double)ones / (double)f->shape.ncells;
    double blocks = (double)nblocks, keys = (double)info->nkeys;
    info->present_fpr = with_hash_rate(with_twins(sum / blocks, keys, blocks, k), info->nkeys);
}

static const char *const block_facts[] = {"cells", "hashes", "blocks", NULL};

static double block_fact(const sito_filter *f, size_t i) {
    return i == 0   ? (double)f->shape.ncells
           : i == 1 ? f->shape.param[PARAM_HASHES]
                    : (double)nblocks_of(&f->shape);
}

static sito_rc block_verify(const sito_filter *f, const char **why) {
    (void)f, (void)why; /* every bit may be set, or not */
    return SITO_OK;
}

const struct kind kind_block = {
    .name = SITO_BLOCK,
    .what = "a Bloom filter in cache lines: one read of memory a question",
    .id = 9,
    .can = SITO_CAN_ADD | SITO_CAN_MERGE | SITO_CAN_SHARE | SITO_CAN_BUILD | SITO_CAN_MAP,
    .stretches = block_stretches,
    .ready = block_ready,
    .solve = block_solve,
    .to_shape = bit_table_to_shape,
    .to_plan = bit_table_to_plan,
    .sizes = block_sizes,
    .rate = block_rate,
    .add = block_add,
    .maybe = block_maybe,
    .maybe_many = block_maybe_many,
    .add_many = block_add_many,
    .add_shared = block_add_shared,
    .add_shared_many = block_add_shared_many,
    .build = block_build,
    .merge = bit_table_merge,
    .fold = block_fold,
    .look = block_look,
    .facts = block_facts,
    .fact = block_fact,
    .verify = block_verify,
};
