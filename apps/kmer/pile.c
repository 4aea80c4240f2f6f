/* pile.c - hashes are dealt out by their low bits into parts that fit the cache, and each part
 * forgets its repetitions there. Low bits: a table is ordered by the high ones, and a cuckoo filter
 * wants its keys as chance would bring them. */
#include "pile.h"

#include <stdlib.h>
#include <string.h>

enum { PART = 1 << 11, PARTS_MOST = 1 << 12 };

static const size_t usual = (size_t)1 << 26;

bool pile_room(struct pile *p, size_t more) {
    if (p->room - p->n >= more) return true;
    if (p->n >= (p->dense ? p->dense : usual) && !pile_distinct(p)) return false;
    size_t room = p->room ? p->room : (size_t)1 << 20;
    while (room / 2 < p->n || room - p->n < more) room *= 2;
    if (room == p->room) return true;
    uint64_t *all = room <= SIZE_MAX / sizeof *all ? realloc(p->all, room * sizeof *all) : NULL;
    if (!all) return false;
    p->all = all;
    p->room = room;
    return true;
}

void pile_free(struct pile *p) {
    free(p->all);
    *p = (struct pile){0};
}

/* Those of `from` that were not met before, to `to`. The table, all zero before and after, is at
 * most half full; a zero hash is kept apart. */
static size_t distinct_part(const uint64_t *from, size_t n, uint64_t *to, uint64_t *table,
                            unsigned bits) {
    const size_t mask = ((size_t)1 << bits) - 1;
    bool met_zero = false;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = from[i];
        size_t at = (size_t)(hash >> 32) & mask;
        while (table[at] && table[at] != hash) at = (at + 1) & mask;
        if (hash ? table[at] == hash : met_zero) continue;
        if (!hash) met_zero = true;
        table[at] = hash;
        to[kept++] = hash;
    }
    memset(table, 0, (mask + 1) * sizeof *table);
    return kept;
}

static unsigned bits_for(size_t n) {
    unsigned bits = 1;
    while ((size_t)1 << bits < n) bits++;
    return bits;
}

bool pile_distinct(struct pile *p) {
    unsigned cut = 0;
    size_t starts[PARTS_MOST + 1] = {0}, next[PARTS_MOST], most = 0, kept = 0;
    while (p->n >> cut > PART && (size_t)1 << cut < PARTS_MOST) cut++;
    const size_t nparts = (size_t)1 << cut, mask = nparts - 1;
    for (size_t i = 0; i < p->n; i++) starts[(p->all[i] & mask) + 1]++;
    for (size_t i = 0; i < nparts; i++) {
        if (starts[i + 1] > most) most = starts[i + 1];
        starts[i + 1] += starts[i];
    }
    for (size_t i = 0; i < nparts; i++) next[i] = starts[i];
    const unsigned bits = bits_for(2 * most + 2);
    uint64_t *dealt = malloc((p->n + 1) * sizeof *dealt);
    uint64_t *table = calloc((size_t)1 << bits, sizeof *table);
    if (dealt && table) {
        for (size_t i = 0; i < p->n; i++) dealt[next[p->all[i] & mask]++] = p->all[i];
        for (size_t i = 0; i < nparts; i++)
            kept += distinct_part(dealt + starts[i], starts[i + 1] - starts[i], p->all + kept,
                                  table, bits);
        p->n = kept;
    }
    const bool fine = dealt && table;
    free(dealt);
    free(table);
    return fine;
}
