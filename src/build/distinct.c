/* distinct.c - radix sort, then one pass that drops repeats. */
#include "build/distinct.h"

#include "core/life.h"
#include "core/memory.h"
#include "place/range.h"

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

/* A set of the hashes met so far: a table at most half full, 0 for an empty place. Hashes may come
 * from anywhere, so they are stirred. */
struct hashes_met {
    uint64_t *place, room;
    bool zero;
};

static uint64_t stirred(uint64_t x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static bool met_before(struct hashes_met *m, uint64_t hash) {
    if (!hash) {
        bool was = m->zero;
        m->zero = true;
        return was;
    }
    uint64_t i = range_of(stirred(hash), m->room);
    while (m->place[i] && m->place[i] != hash) i = i + 1 < m->room ? i + 1 : 0;
    bool was = m->place[i] == hash;
    m->place[i] = hash;
    return was;
}

sito_rc distinct_in_order(const uint64_t *hashes, size_t n, const sito_plan *plan,
                          const sito_memory *mem, struct distinct *out) {
    enum { PIECE = 1 << 16, AHEAD = 16 };
    struct hashes_met m = {.room = sum_of(product_of(n, 2), 1)};
    uint64_t room = product_of(n ? n : 1, sizeof *hashes),
             places = product_of(m.room, sizeof *hashes);
    uint64_t *kept = (uint64_t *)take(mem, room, false);
    m.place = (uint64_t *)take(mem, places, true);
    sito_rc rc = kept && m.place ? SITO_OK : SITO_ENOMEM;
    size_t count = 0;
    for (size_t i = 0; i < n && rc == SITO_OK; i++) {
        if (i % PIECE == 0 && is_called_off(plan, n)) rc = SITO_ECANCEL;
        if (i + AHEAD < n)
            __builtin_prefetch(&m.place[range_of(stirred(hashes[i + AHEAD]), m.room)], 1);
        if (!met_before(&m, hashes[i])) kept[count++] = hashes[i];
    }
    give(mem, m.place, places);
    if (rc == SITO_OK) *out = (struct distinct){.hashes = kept, .n = count, .room = room};
    else give(mem, kept, room);
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
