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

void hashes_sort_distinct(struct hashes *h) {
    size_t kept = 0;
    sort_from(h->all, h->n, 56);
    for (size_t i = 0; i < h->n; i++)
        if (i == 0 || h->all[i] != h->all[i - 1]) h->all[kept++] = h->all[i];
    h->n = kept;
}

/* Those met before are in a table at most half full, where the hash itself says where to look; 0 is
 * an empty place. */
bool hashes_distinct(struct hashes *h) {
    const size_t room = 2 * h->n + 1;
    uint64_t *met = calloc(room, sizeof *met);
    bool met_zero = false;
    size_t kept = 0;
    if (!met) return false;
    for (size_t i = 0; i < h->n; i++) {
        const uint64_t hash = h->all[i];
        size_t at = (size_t)((unsigned __int128)hash * room >> 64);
        while (met[at] && met[at] != hash) at = at + 1 < room ? at + 1 : 0;
        if (hash ? met[at] == hash : met_zero) continue;
        if (!hash) met_zero = true;
        met[at] = hash;
        h->all[kept++] = hash;
    }
    h->n = kept;
    free(met);
    return true;
}
