/* hashes.c - a pile of hashes. They are spread evenly, so sorting byte by byte from the top, in
 * place, needs three or four rounds. */
#include "hashes.h"

#include <stdlib.h>
#include <string.h>

bool hashes_push(struct hashes *h, const uint64_t *more, size_t n) {
    if (h->room - h->n < n) {
        size_t room = h->room ? h->room * 2 : 1 << 16;
        while (room - h->n < n) room *= 2;
        uint64_t *all = room <= SIZE_MAX / sizeof *all ? realloc(h->all, room * sizeof *all) : NULL;
        if (!all) return false;
        h->all = all;
        h->room = room;
    }
    memcpy(h->all + h->n, more, n * sizeof *more);
    h->n += n;
    return true;
}

void hashes_free(struct hashes *h) {
    free(h->all);
    *h = (struct hashes){0};
}

static void sort_few(uint64_t *h, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const uint64_t hash = h[i];
        size_t j = i;
        for (; j && h[j - 1] > hash; j--) h[j] = h[j - 1];
        h[j] = hash;
    }
}

/* All bytes above `shift + 8` are equal. */
static void sort_from(uint64_t *h, size_t n, int shift) {
    size_t next[256] = {0}, ends[256], sum = 0;
    if (n <= 32) {
        sort_few(h, n);
        return;
    }
    for (size_t i = 0; i < n; i++) next[h[i] >> shift & 255]++;
    for (size_t b = 0; b < 256; b++) {
        const size_t count = next[b];
        next[b] = sum;
        ends[b] = sum += count;
    }
    /* Carry each hash to its group, and take what lay there along. */
    for (size_t b = 0; b < 256; b++)
        while (next[b] < ends[b]) {
            uint64_t hash = h[next[b]];
            size_t group;
            while ((group = hash >> shift & 255) != b) {
                const uint64_t other = h[next[group]];
                h[next[group]++] = hash;
                hash = other;
            }
            h[next[b]++] = hash;
        }
    if (shift == 0) return;
    for (size_t b = 0, from = 0; b < 256; from = ends[b++])
        sort_from(h + from, ends[b] - from, shift - 8);
}

static size_t place_of(const uint64_t *sorted, size_t n, uint64_t hash) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (sorted[mid] < hash) low = mid + 1;
        else high = mid;
    }
    return low;
}

/* Repeats are found in a sorted copy; most lists have none. A hash that was met is struck out by a
 * mark beside its place there. */
bool hashes_distinct(struct hashes *h) {
    if (h->n < 2) return true;
    uint64_t *sorted = malloc(h->n * sizeof *sorted);
    if (!sorted) return false;
    memcpy(sorted, h->all, h->n * sizeof *sorted);
    sort_from(sorted, h->n, 56);
    size_t distinct = 0, kept = 0;
    for (size_t i = 0; i < h->n; i++)
        if (i == 0 || sorted[i] != sorted[distinct - 1]) sorted[distinct++] = sorted[i];
    if (distinct < h->n) {
        bool *met = calloc(distinct, sizeof *met);
        if (!met) {
            free(sorted);
            return false;
        }
        for (size_t i = 0; i < h->n; i++) {
            bool *mark = &met[place_of(sorted, distinct, h->all[i])];
            if (!*mark) h->all[kept++] = h->all[i];
            *mark = true;
        }
        h->n = kept;
        free(met);
    }
    free(sorted);
    return true;
}
