/* distinct.c - radix sort, then one pass that drops repeats. */
#include "build/distinct.h"

#include "cells/bits.h"
#include "core/life.h"
#include "core/memory.h"

enum { DIGIT = 11, DIGITS = 6, VALUES = 1 << DIGIT };

static unsigned digit_of(uint64_t hash, int d) {
    return (unsigned)(hash >> (d * DIGIT)) & (VALUES - 1);
}

/* Sorting is a part of the way that nobody has counted in keys: the watch hears that nothing is
 * done yet. */
static bool is_called_off(const sito_plan *plan, size_t n) {
    return plan->watch && plan->watch(plan->watch_self, 0, n);
}

/* Stable by one digit; a digit that all hashes share is left out by the caller. */
static bool by_digit(const uint64_t *from, uint64_t *to, size_t n, int d, const size_t *count,
                     const sito_plan *plan) {
    enum { PIECE = 1 << 20 };
    size_t at[VALUES], sum = 0;
    for (int v = 0; v < VALUES; v++) at[v] = sum, sum += count[v];
    for (size_t done = 0; done < n; done += PIECE) {
        size_t end = (size_t)least(n, done + PIECE);
        if (is_called_off(plan, n)) return false;
        for (size_t i = done; i < end; i++) to[at[digit_of(from[i], d)]++] = from[i];
    }
    return true;
}

static size_t without_repeats(uint64_t *sorted, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || sorted[i] != sorted[kept - 1]) sorted[kept++] = sorted[i];
    return kept;
}

sito_rc distinct_of(const uint64_t *hashes, size_t n, const sito_plan *plan, const sito_memory *mem,
                    struct distinct *out) {
    uint64_t room = product_of(n ? n : 1, sizeof *hashes);
    uint64_t *a = (uint64_t *)take(mem, room, false), *b = (uint64_t *)take(mem, room, false);
    size_t(*count)[VALUES] = (size_t(*)[VALUES])take(mem, DIGITS * sizeof *count, true);
    sito_rc rc = a && b && count ? SITO_OK : SITO_ENOMEM;
    if (rc == SITO_OK) {
        for (size_t i = 0; i < n; i++)
            for (int d = 0; d < DIGITS; d++) count[d][digit_of(hashes[i], d)]++;
        if (n) memcpy(a, hashes, n * sizeof *hashes);
    }
    for (int d = 0; d < DIGITS && n && rc == SITO_OK; d++) {
        if (count[d][digit_of(hashes[0], d)] == n) continue;
        if (!by_digit(a, b, n, d, count[d], plan)) rc = SITO_ECANCEL;
        uint64_t *sorted = b;
        b = a, a = sorted;
    }
    if (rc == SITO_OK)
        *out = (struct distinct){.hashes = a, .n = without_repeats(a, n), .room = room};
    else give(mem, a, room);
    give(mem, b, room);
    give(mem, count, DIGITS * sizeof *count);
    return rc;
}

/* Where a hash is in a rising list that holds it. */
static size_t place_among(const uint64_t *sorted, size_t n, uint64_t hash) {
    size_t low = 0;
    for (size_t high = n - 1; low < high;) {
        size_t mid = low + (high - low) / 2;
        if (sorted[mid] < hash) low = mid + 1;
        else high = mid;
    }
    return low;
}

sito_rc distinct_in_order(const uint64_t *hashes, size_t n, const sito_plan *plan,
                          const sito_memory *mem, struct distinct *out) {
    struct distinct sorted = {0};
    sito_rc rc = distinct_of(hashes, n, plan, mem, &sorted);
    if (rc != SITO_OK) return rc;
    if (sorted.n == n) { /* no repeats: the list itself */
        if (n) memcpy(sorted.hashes, hashes, n * sizeof *hashes);
        *out = sorted;
        return SITO_OK;
    }
    uint64_t room = product_of(n, sizeof *hashes), marks = bits_bytes(sorted.n);
    uint64_t *kept = (uint64_t *)take(mem, room, false);
    uint8_t *met = (uint8_t *)take(mem, marks, true);
    if (kept && met) {
        *out = (struct distinct){.hashes = kept, .room = room};
        for (size_t i = 0; i < n; i++)
            if (!bit_set(met, place_among(sorted.hashes, sorted.n, hashes[i])))
                kept[out->n++] = hashes[i];
    } else {
        give(mem, kept, room);
        rc = SITO_ENOMEM;
    }
    give(mem, met, marks);
    distinct_free(&sorted, mem);
    return rc;
}

void distinct_free(struct distinct *d, const sito_memory *mem) { give(mem, d->hashes, d->room); }

sito_rc build_distinct(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n) {
    struct distinct d = {0};
    sito_rc rc = distinct_of(hashes, n, plan, &f->mem, &d);
    if (rc != SITO_OK) return rc;
    rc = build_by_adding(f, plan, d.hashes, d.n);
    distinct_free(&d, &f->mem);
    return rc;
}
