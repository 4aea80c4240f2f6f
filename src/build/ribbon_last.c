/* ribbon_last.c - the keys that every other layer bumped go into the last one, by a few tries. */
#include "build/ribbon_last.h"

#include "core/memory.h"

/* ---- what the layers share ---- */

void *lend(struct lent *l, uint64_t bytes) {
    void *block = take(l->mem, bytes, false);
    if (!block) l->is_short = true;
    l->block[l->n] = block;
    l->bytes[l->n++] = bytes;
    return block;
}

void give_last(struct lent *l) {
    l->n--;
    give(l->mem, l->block[l->n], l->bytes[l->n]);
}

void give_all(struct lent *l) {
    while (l->n) give_last(l);
}

static void sift(uint64_t *heap, size_t i, size_t n) {
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && heap[child] < heap[child + 1]) child++;
        if (heap[i] >= heap[child]) break;
        uint64_t x = heap[i];
        heap[i] = heap[child];
        heap[child] = x;
    }
}

size_t sort_distinct(uint64_t *list, size_t n) {
    for (size_t i = n / 2; i-- > 0;) sift(list, i, n);
    for (size_t end = n; end-- > 1;) {
        uint64_t x = list[0];
        list[0] = list[end];
        list[end] = x;
        sift(list, 0, end);
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!kept || list[kept - 1] != list[i]) list[kept++] = list[i];
    return kept;
}

/* ---- the last layer ---- */

/* What the last layer is solved in. */
struct last_room {
    struct ribbon_rows rows;
    uint64_t nrows, *hash, *coef, *tag;
};

/* Of the keys in r->hash, in rising order. */
static bool fits_last(const struct last_room *r, size_t n, unsigned bits) {
    struct ribbon_open open;
    memset(&open, 0, sizeof open);
    uint64_t starts = r->nrows - (RIBBON_WIDTH - 1);
    size_t i = 0;
    for (uint64_t at = 0; at < r->nrows; at += RIBBON_WIDTH) {
        uint16_t met[RIBBON_WIDTH];
        unsigned here = 0;
        for (unsigned row = 0; row < RIBBON_WIDTH; row++) {
            for (; i < n && range_of(r->hash[i], starts) == at + row; i++, here++) {
                struct equation e = equation_of(r->hash[i]);
                r->coef[here] = turned_to(e.coef, row);
                r->tag[here] = e.tag & (((uint64_t)1 << bits) - 1);
            }
            met[row] = (uint16_t)here;
        }
        struct ribbon_keys keys = {r->coef, r->tag, met, 0, here, bits};
        if (!ribbon_kernel(UINT64_MAX)->sweep(&open, r->rows, at, RIBBON_WIDTH, keys)) return false;
    }
    return open.n == 0;
}

sito_rc build_last(sito_filter *f, const struct ribbon_layer *last,
                   const struct ribbon_rest *rest) {
    uint64_t nrows = ribbon_last_rows(&f->shape, last);
    unsigned bits = ribbon_last_bits(last);
    if (rest->n > rest->room || rest->n > nrows) return SITO_EFULL;
    struct lent lent = {.mem = &f->mem};
    struct last_room r = {.nrows = nrows};
    r.hash = (uint64_t *)lend(&lent, (rest->n + 1) * sizeof *r.hash);
    r.coef = (uint64_t *)lend(&lent, (rest->n + RIBBON_PAST) * sizeof *r.coef);
    r.tag = (uint64_t *)lend(&lent, (rest->n + RIBBON_PAST) * sizeof *r.tag);
    r.rows.coef = (uint64_t *)lend(&lent, nrows * sizeof *r.rows.coef);
    r.rows.tag = (uint64_t *)lend(&lent, nrows * sizeof *r.rows.tag);
    sito_rc rc = lent.is_short ? SITO_ENOMEM : SITO_EFULL;
    for (uint64_t try = 0; try < RIBBON_TRIES && rc == SITO_EFULL; try++) {
        for (size_t i = 0; i < rest->n; i++) r.hash[i] = ribbon_hash(rest->keys[i], 1, try);
        sort_distinct(r.hash, rest->n);
        if (!fits_last(&r, rest->n, bits)) continue;
        ribbon_kernel(UINT64_MAX)->solve(r.rows, nrows, bits, f->seg[0].at + last->deep_at);
        f->extra[EXTRA_RIBBON_LAST_TRY] = try;
        rc = SITO_OK;
    }
    give_all(&lent);
    return rc;
}
