/*
 * ribbon.c - a static filter nearest to the space limit: bumped ribbon (Dillinger, Huebschle-
 * Schneider, Sanders, Walzer 2022).
 *
 * A key is an equation: of 64 rows of r bits, those that its hash names add up to its tag. The rows
 * are the solution for all keys at once, and nothing else is stored but, for every bucket of 128
 * rows, two bits that say which of its keys could not be met and are found in the next layer.
 */
#include "kinds/ribbon.h"

#include <math.h>

#include "core/plan.h"
#include "core/rate.h"

/* ---- hash -> place -> answer ---- */

static bool has_no_keys(const sito_filter *f) { return f->extra[EXTRA_RIBBON_TRY] == RIBBON_EMPTY; }

static bool ribbon_maybe(const sito_filter *f, uint64_t hash) {
    struct ribbon_layer l = ribbon_first(&f->shape);
    struct ribbon_spot spot;
    uint64_t h = hash, try = f->extra[EXTRA_RIBBON_TRY];
    if (has_no_keys(f)) return false;
    for (; l.nbuckets; ribbon_next(&l), try = 0) {
        h = ribbon_hash(h, l.number, try);
        uint64_t start = ribbon_start(&l, h);
        if (ribbon_is_bumped(&l, f->seg[1].at, start)) continue;
        spot = ribbon_spot_of(&l, f->seg[0].at, start);
        return ribbon_holds_body(spot, h);
    }
    h = ribbon_hash(h, 1, f->extra[EXTRA_RIBBON_LAST_TRY]);
    spot = ribbon_last_spot(&l, ribbon_last_rows(&f->shape, &l), f->seg[0].at, h);
    return ribbon_holds_body(spot, h);
}

static void ask_last(const sito_filter *f, const struct ribbon_layer *l, struct ribbon_asked asked,
                     uint8_t *answers) {
    uint64_t rows = ribbon_last_rows(&f->shape, l);
    for (size_t i = 0; i < asked.n; i++) {
        uint64_t h = ribbon_hash(asked.x[i], 1, f->extra[EXTRA_RIBBON_LAST_TRY]);
        struct ribbon_spot spot = ribbon_last_spot(l, rows, f->seg[0].at, h);
        answers[asked.who ? asked.who[i] : i] = ribbon_holds_body(spot, h);
    }
}

/* In rounds: who was bumped waits for the others, and all are asked together in the next layer. */
static void ribbon_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                              uint8_t *answers) {
    struct ribbon_layer first = ribbon_first(&f->shape), last = first;
    while (last.nbuckets) ribbon_next(&last);
    const struct ribbon_kernel *kernel = ribbon_kernel(f->seg[0].bytes - last.deep_at);
    struct ribbon_bumped bumped;
    if (has_no_keys(f)) {
        memset(answers, 0, n);
        return;
    }
    for (size_t done = 0; done < n; done += RIBBON_ROUND) {
        struct ribbon_asked left = {hashes + done, NULL, (size_t)least(RIBBON_ROUND, n - done)};
        struct ribbon_cells cells = {f->seg[0].at, f->seg[1].at, f->extra[EXTRA_RIBBON_TRY]};
        for (struct ribbon_layer l = first; left.n && l.nbuckets; ribbon_next(&l), cells.try = 0) {
            bumped.n = 0;
            kernel->ask(&l, &cells, left, &bumped, answers + done);
            left = (struct ribbon_asked){bumped.x, bumped.who, bumped.n};
        }
        ask_last(f, &last, left, answers + done);
    }
}

/* ---- wish -> shape ---- */

/* Strangers with a member's very hash are told of only where they count: below a millionth of the
 * rate nobody could measure them, and 2^-r stays 2^-r. */
static bool hashes_count(uint64_t n, double fpr) { return hash_rate(n) > fpr * 0x1p-20; }

static double ribbon_rate_of(uint64_t nkeys, unsigned bits, uint64_t share, bool last_only) {
    double rate =
        ldexp(last_only && share ? 0.5 : 1 - (double)share / (2 * RIBBON_SHARES), -(int)bits);
    return hashes_count(nkeys, rate) ? with_hash_rate(rate, nkeys) : rate;
}

static double ribbon_rate(const struct shape *s, uint64_t nkeys) {
    return ribbon_rate_of(nkeys, s->param[PARAM_RIBBON_BITS], s->param[PARAM_RIBBON_SHARE],
                          !ribbon_first(s).nbuckets);
}

/* The bits and the share that are one deeper; false if there are none. With bits given, the share is
 * what the rate asks for beyond them. */
static bool depth_for(double fpr, uint64_t nkeys, unsigned *bits, uint64_t *share) {
    double hashes = hash_rate(nkeys);
    bool given = *bits;
    *share = 0;
    if (given && ribbon_rate_of(nkeys, *bits, 0, false) <= fpr) return true; /* to the letter */
    if (hashes_count(nkeys, fpr)) fpr = (fpr - hashes) / (1 - hashes) * (1 - 0x1p-40);
    if (!(fpr > 0)) return false;
    int exponent;
    double part = frexp(fpr, &exponent); /* fpr = part * 2^exponent, 1/2 <= part < 1 */
    int whole = part > 0.5 ? -exponent : 1 - exponent;
    if (!given) *bits = whole < 1 ? 1 : whole > RIBBON_TAG_MAX ? RIBBON_TAG_MAX : (unsigned)whole;
    double over = ldexp(fpr, (int)*bits); /* 1 or more: so many bits will do */
    if (over < 0.5) return false;
    if (over < 1) *share = (uint64_t)ceil((1 - over) * (2 * RIBBON_SHARES));
    if (*share < RIBBON_SHARES) return true;
    if (given) return false;
    *share = 0;
    return ++*bits <= RIBBON_TAG_MAX;
}

static void ribbon_to_shape(const sito_plan *plan, struct shape *s) {
    unsigned bits = plan->tag_bits;
    uint64_t share = 0;
    depth_for(plan->fpr, plan->nkeys, &bits, &share);
    *s = (struct shape){.ncells = plan->ncells, .param = {(uint16_t)bits, (uint16_t)share}};
}

static void ribbon_to_plan(const struct shape *s, sito_plan *plan) {
    plan->tag_bits = s->param[PARAM_RIBBON_BITS];
}

static bool ribbon_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    unsigned bits = s->param[PARAM_RIBBON_BITS];
    if (!bits || bits > RIBBON_TAG_MAX || !s->ncells || s->ncells > CELLS_MAX || s->param[2] ||
        s->param[3] || extra[EXTRA_RIBBON_TRY] > RIBBON_EMPTY ||
        extra[EXTRA_RIBBON_LAST_TRY] >= RIBBON_TRIES)
        return false;
    struct ribbon_layer l = ribbon_first(s);
    while (l.nbuckets) ribbon_next(&l);
    bytes[0] = l.deep_at + ribbon_row_bytes(ribbon_last_rows(s, &l), ribbon_last_bits(&l));
    bytes[1] = (l.codes_at + 3) / 4;
    return bytes[0] <= CELLS_MAX;
}

/* Saturates where there is no such filter. */
static uint64_t ribbon_bytes(uint64_t ncells, unsigned bits, uint64_t share) {
    struct shape s = {.ncells = ncells, .param = {(uint16_t)bits, (uint16_t)share}};
    uint64_t none[3] = {0}, bytes[SEGMENTS];
    return ribbon_sizes(&s, none, bytes) ? bytes[0] + bytes[1] : UINT64_MAX;
}

/* Buckets are cheaper than rows of the last layer: with a few keys more there may be another, and
 * the filter is smaller. Not before: until then more keys only need more rows. */
static uint64_t ribbon_until_bucket(uint64_t ncells, unsigned bits, uint64_t share) {
    struct shape s = {.ncells = ncells, .param = {(uint16_t)bits, (uint16_t)share}};
    struct ribbon_layer l = ribbon_first(&s);
    uint64_t keys = ribbon_keys_to_bucket(&l);
    while (l.nbuckets) {
        ribbon_next(&l);
        keys = least(keys, ribbon_keys_to_bucket(&l));
    }
    return keys;
}

/* What a plan wants; 0: it does not say. */
struct ribbon_wish {
    double fpr;
    uint64_t ncells, max_bytes;
    unsigned bits;
};

struct ribbon_fit {
    uint64_t ncells, bytes, share;
    unsigned bits;
};

/* The smallest with room for so many keys. Nothing is gained farther away: seen for all numbers up
 * to 2.5 million, where 625 keys more are the most, and in samples beyond. */
static struct ribbon_fit fit_of(const struct ribbon_wish *wish, uint64_t nkeys, unsigned bits,
                                uint64_t share) {
    struct ribbon_fit fit = {.bytes = UINT64_MAX, .share = share, .bits = bits};
    uint64_t n = wish->ncells ? wish->ncells : nkeys;
    uint64_t most = wish->ncells ? n : least(n + 1024, CELLS_MAX);
    for (; n <= most && n / 8 * bits < fit.bytes; n += ribbon_until_bucket(n, bits, share)) {
        uint64_t bytes = ribbon_bytes(n, bits, share);
        if (bytes < fit.bytes) fit.ncells = n, fit.bytes = bytes;
    }
    return fit;
}

/* The same at this rate; .bytes are UINT64_MAX if there is none. All rows a bit deeper may need less
 * than some of them, which are pieces of their own. */
static struct ribbon_fit fit_for(const struct ribbon_wish *wish, uint64_t nkeys) {
    unsigned bits = wish->bits;
    uint64_t share;
    if (!depth_for(wish->fpr, nkeys, &bits, &share))
        return (struct ribbon_fit){.bytes = UINT64_MAX};
    struct ribbon_fit fit = fit_of(wish, nkeys, bits, share);
    if (wish->bits || !share) return fit;
    struct ribbon_fit whole = fit_of(wish, nkeys, bits + 1, 0);
    return whole.bytes < fit.bytes ? whole : fit;
}

static bool ribbon_is_too_large(const void *self, uint64_t nkeys) {
    const struct ribbon_wish *wish = (const struct ribbon_wish *)self;
    return fit_for(wish, nkeys).bytes > wish->max_bytes;
}

/* The most keys for so many bytes. */
static sito_rc keys_for_bytes(sito_plan *p) {
    struct ribbon_wish wish = {
        .fpr = p->fpr, .max_bytes = least(p->max_bytes, CELLS_MAX), .bits = p->tag_bits};
    if (wish.bits && !(wish.fpr > 0)) wish.fpr = ldexp(1, -(int)wish.bits);
    double bits = wish.bits ? wish.bits : -log2(wish.fpr);
    uint64_t most = 8 * wish.max_bytes + 1;
    uint64_t guess = (uint64_t)((double)wish.max_bytes * 8 / (bits + 0.1));
    p->nkeys = least_enough(1, least(most, CELLS_MAX), guess, ribbon_is_too_large, &wish) - 1;
    return p->nkeys ? SITO_OK : SITO_ELIMIT;
}

/* The rate of such rows, if so many bytes hold them for these keys; else 0. */
static double rate_within(const sito_plan *p, unsigned bits, uint64_t share) {
    struct ribbon_wish wish = {.fpr = ribbon_rate_of(p->nkeys, bits, share, false),
                               .ncells = p->ncells};
    return fit_for(&wish, p->nkeys).bytes <= p->max_bytes ? wish.fpr : 0;
}

/* The most bits that so many bytes hold for these keys, and the largest share that is one deeper. */
static sito_rc bits_for_bytes(sito_plan *p) {
    struct ribbon_wish wish = {.ncells = p->ncells};
    unsigned bits = RIBBON_TAG_MAX;
    while (bits && fit_of(&wish, p->nkeys, bits, 0).bytes > p->max_bytes) bits--;
    if (!bits) return SITO_ELIMIT;
    uint64_t share = 0, beyond = bits < RIBBON_TAG_MAX ? RIBBON_SHARES : 1;
    while (beyond - share > 1) {
        uint64_t middle = share + (beyond - share) / 2;
        if (rate_within(p, bits, middle) > 0) share = middle;
        else beyond = middle;
    }
    if (share) p->fpr = rate_within(p, bits, share);
    else p->tag_bits = bits;
    return SITO_OK;
}

static sito_rc ribbon_solve(sito_plan *p) {
    if (p->tag_bits > RIBBON_TAG_MAX) return SITO_EINVAL;
    if (p->ncells > CELLS_MAX || p->nkeys > CELLS_MAX || !hashes_suffice(p)) return SITO_ELIMIT;
    bool by_bytes = p->max_bytes && !(p->fpr > 0) && !p->tag_bits;
    sito_rc rc = SITO_OK;
    if (!p->nkeys) p->nkeys = p->ncells;
    if (by_bytes && p->nkeys) rc = bits_for_bytes(p);
    if (!(p->fpr > 0) && !p->tag_bits) p->fpr = 0.01;
    if (!p->nkeys) rc = keys_for_bytes(p);
    if (rc != SITO_OK) return rc;
    if (p->ncells && p->nkeys > p->ncells) return SITO_ELIMIT;
    if (!(p->fpr > 0)) p->fpr = ribbon_rate_of(p->nkeys, p->tag_bits, 0, false);
    struct ribbon_wish wish = {.fpr = p->fpr, .ncells = p->ncells, .bits = p->tag_bits};
    struct ribbon_fit fit = fit_for(&wish, p->nkeys);
    if (fit.bytes > CELLS_MAX) return SITO_ELIMIT;
    struct shape s = {.ncells = fit.ncells, .param = {(uint16_t)fit.bits, (uint16_t)fit.share}};
    p->ncells = fit.ncells;
    p->tag_bits = fit.bits;
    p->bytes = fit.bytes;
    p->real_fpr = ribbon_rate(&s, p->nkeys);
    return SITO_OK;
}

/* ---- looking ---- */

static void ribbon_look(const sito_filter *f, sito_info *info) {
    info->fill = fmin(1, (double)f->nkeys / (double)f->shape.ncells);
    info->present_fpr = has_no_keys(f) ? 0 : ribbon_rate(&f->shape, f->nkeys);
}

static const char *const ribbon_facts[] = {"slots",  "tag_bits", "width", "deeper",
                                           "layers", "bumped",   "rows",  NULL};

static double ribbon_fact(const sito_filter *f, size_t i) {
    struct ribbon_layer l = ribbon_first(&f->shape);
    while (l.nbuckets) ribbon_next(&l);
    switch (i) {
    case 0: return (double)f->shape.ncells;
    case 1: return l.bits;
    case 2: return RIBBON_WIDTH;
    case 3: return (double)l.share / RIBBON_SHARES;
    case 4: return (double)l.number + 1;
    case 5: return (double)f->extra[EXTRA_RIBBON_BUMPED];
    default: return (double)ribbon_rows_of(&f->shape, l.number);
    }
}

/* Rows and codes may be anything; behind the last code there is nothing. */
static sito_rc ribbon_verify(const sito_filter *f, const char **why) {
    struct ribbon_layer l = ribbon_first(&f->shape);
    while (l.nbuckets) ribbon_next(&l);
    if (l.codes_at % 4 && f->seg[1].at[l.codes_at / 4] >> (l.codes_at % 4 * 2))
        return refuse(SITO_EDAMAGED, "bits past the last bucket are set", why);
    if (f->extra[EXTRA_RIBBON_BUMPED] > f->nkeys)
        return refuse(SITO_EDAMAGED, "more keys were bumped than there are", why);
    return SITO_OK;
}

const struct kind kind_ribbon = {
    .name = SITO_RIBBON,
    .what = "static: equations over rows of bits, nearest to the space limit",
    .id = 11,
    .can = SITO_CAN_BUILD | SITO_CAN_MAP,
    .solve = ribbon_solve,
    .to_shape = ribbon_to_shape,
    .to_plan = ribbon_to_plan,
    .sizes = ribbon_sizes,
    .rate = ribbon_rate,
    .maybe = ribbon_maybe,
    .maybe_many = ribbon_maybe_many,
    .build = ribbon_build,
    .look = ribbon_look,
    .facts = ribbon_facts,
    .fact = ribbon_fact,
    .verify = ribbon_verify,
};
