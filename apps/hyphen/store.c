/* store.c - the sorted store: written once, asked block by block. */
#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct store_head {
    char magic[8];
    uint64_t id, nwords, nblocks, index_bytes;
    uint64_t sum; /* of the first block without it, and of the index */
};

static const char store_magic[8] = "HYPHSET\n";

/* ---- order ---- */

/* As strings of bytes, hyphens left out. */
static int compare(const char *a, size_t n, const char *b, size_t m) {
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < n && a[i] == '-') i++;
        while (j < m && b[j] == '-') j++;
        if (i == n || j == m) return (i < n) - (j < m);
        if (a[i] != b[j]) return (uint8_t)a[i] < (uint8_t)b[j] ? -1 : 1;
    }
}

int store_order(const struct entry *a, const struct entry *b) {
    return compare(a->text, a->bytes, b->text, b->bytes);
}

static int by_word(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->begins != y->begins) return x->begins < y->begins ? -1 : 1;
    const int order = store_order(x, y);
    return order ? order : (x->text > y->text) - (x->text < y->text);
}

static uint64_t first_letters(const struct entry *e) {
    uint64_t begins = 0;
    size_t n = 0;
    for (size_t i = 0; i < e->bytes && n < 8; i++)
        if (e->text[i] != '-') begins = begins << 8 | (uint8_t)e->text[i], n++;
    return n ? begins << 8 * (8 - n) : 0;
}

size_t store_sort(struct entry *entries, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) entries[i].begins = first_letters(&entries[i]);
    if (n) qsort(entries, n, sizeof *entries, by_word);
    for (size_t i = 0; i < n; i++) {
        const struct entry *e = &entries[i];
        if (i + 1 < n && e->begins == e[1].begins && store_order(e, e + 1) == 0) continue;
        entries[kept++] = *e;
    }
    return kept;
}

size_t entry_word(const struct entry *e, char to[STORE_WORD]) {
    size_t n = 0;
    for (size_t i = 0; i < e->bytes; i++)
        if (e->text[i] != '-') to[n++] = e->text[i];
    return n;
}

/* ---- checksums ---- */

/* `first` is the first block of the file, whose sum does not count. */
static uint64_t head_sum(const char first[STORE_BLOCK], const char *index, size_t bytes) {
    char block[STORE_BLOCK];
    memcpy(block, first, STORE_BLOCK);
    memset(block + offsetof(struct store_head, sum), 0, sizeof(uint64_t));
    return XXH3_64bits_withSeed(index, bytes, XXH3_64bits(block, STORE_BLOCK));
}

/* A block of another place or another store is as wrong as a damaged one. */
static uint64_t block_sum(const char block[STORE_BLOCK], uint64_t id, uint64_t number) {
    return XXH3_64bits_withSeed(block, STORE_ROOM, id + number);
}

/* ---- writing ---- */

static bool put_at(int fd, const void *bytes, size_t n, uint64_t at) {
    const char *from = bytes;
    while (n) {
        const ssize_t put = pwrite(fd, from, n, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        from += put, n -= (size_t)put, at += (size_t)put;
    }
    return true;
}

static bool put_block(struct store_writer *w) {
    const uint64_t number = ++w->nblocks, sum = block_sum(w->block, w->id, number);
    memcpy(w->block + STORE_ROOM, &sum, sizeof sum);
    if (!put_at(w->fd, w->block, STORE_BLOCK, number * STORE_BLOCK)) return false;
    memset(w->block, 0, STORE_BLOCK);
    w->used = 0;
    return true;
}

void store_begin(struct store_writer *w, int fd, uint64_t id) {
    memset(w, 0, sizeof *w);
    w->fd = fd, w->id = id;
}

bool store_put(struct store_writer *w, const struct entry *e) {
    if (w->used + 2 + e->bytes > STORE_ROOM && !put_block(w)) return false;
    if (!w->used) {
        char word[STORE_WORD];
        const size_t n = entry_word(e, word);
        char *to = grow(&w->index, n + 1, 1);
        if (!to) return false;
        memcpy(to, word, n), to[n] = '\n';
    }
    w->block[w->used] = (char)(e->bytes & 0xff), w->block[w->used + 1] = (char)(e->bytes >> 8);
    memcpy(w->block + w->used + 2, e->text, e->bytes);
    w->used += 2 + e->bytes;
    w->nwords++;
    return true;
}

bool store_end(struct store_writer *w, bool fine) {
    struct store_head head = {.id = w->id, .nwords = w->nwords, .index_bytes = w->index.n};
    char block[STORE_BLOCK] = {0};
    memcpy(head.magic, store_magic, 8);
    fine = fine && (!w->used || put_block(w)) &&
           put_at(w->fd, w->index.items, w->index.n, (w->nblocks + 1) * STORE_BLOCK);
    head.nblocks = w->nblocks;
    memcpy(block, &head, sizeof head);
    head.sum = head_sum(block, w->index.n ? w->index.items : "", w->index.n);
    memcpy(block, &head, sizeof head);
    fine = fine && put_at(w->fd, block, STORE_BLOCK, 0);
    free(w->index.items);
    w->index = (struct growing){0};
    return fine;
}

/* ---- asking ---- */

bool store_is_one(const char *path) { return file_begins(path, store_magic); }

static bool get_at(int fd, void *to, size_t n, uint64_t at) {
    char *into = to;
    while (n) {
        const ssize_t got = pread(fd, into, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        into += got, n -= (size_t)got, at += (size_t)got;
    }
    return true;
}

static bool get_block(struct store *s, uint64_t number) {
    uint64_t sum;
    if (!get_at(s->fd, s->block, STORE_BLOCK, number * STORE_BLOCK)) return false;
    memcpy(&sum, s->block + STORE_ROOM, sizeof sum);
    return sum == block_sum(s->block, s->id, number);
}

const char *store_open(struct store *s, int fd) {
    struct store_head head;
    struct stat about;
    memset(s, 0, sizeof *s);
    s->fd = fd;
    if (fstat(fd, &about) || !get_at(fd, s->block, STORE_BLOCK, 0)) return "it is cut short";
    memcpy(&head, s->block, sizeof head);
    if (memcmp(head.magic, store_magic, 8)) return "no store of exceptions";
    if (head.nwords / STORE_BLOCK > head.nblocks) return "it is damaged";
    if (head.nblocks > (uint64_t)about.st_size / STORE_BLOCK || head.index_bytes > UINT32_MAX ||
        (uint64_t)about.st_size != (head.nblocks + 1) * STORE_BLOCK + head.index_bytes)
        return "it is cut short";
    s->id = head.id, s->nwords = head.nwords, s->nblocks = head.nblocks;
    s->text = malloc(head.index_bytes + 1);
    s->firsts = malloc((head.nblocks + 1) * sizeof *s->firsts);
    if (!s->text || !s->firsts) return "out of memory";
    if (!get_at(fd, s->text, head.index_bytes, (head.nblocks + 1) * STORE_BLOCK))
        return "it cannot be read";
    if (head.sum != head_sum(s->block, s->text, head.index_bytes)) return "it is damaged";
    size_t n = 0, begin = 0;
    for (size_t i = 0; i < head.index_bytes && n < s->nblocks; i++) {
        if (s->text[i] != '\n') continue;
        s->firsts[n++] = (uint32_t)begin;
        begin = i + 1;
    }
    s->firsts[n] = (uint32_t)begin;
    return n == s->nblocks ? NULL : "its index is damaged";
}

void store_close(struct store *s) {
    if (s->fd >= 0) close(s->fd);
    free(s->text), free(s->firsts);
    memset(s, 0, sizeof *s);
    s->fd = -1;
}

/* The entry at `*at` of the block in memory; false behind the last. */
static bool next_entry(const struct store *s, size_t *at, struct entry *out) {
    if (*at + 2 > STORE_ROOM) return false;
    const size_t n = (uint8_t)s->block[*at] | (size_t)(uint8_t)s->block[*at + 1] << 8;
    if (!n || n > STORE_WORD || *at + 2 + n > STORE_ROOM) return false;
    *out = (struct entry){s->block + *at + 2, (uint32_t)n, 0};
    *at += 2 + n;
    return true;
}

int store_find(struct store *s, const char *word, size_t n, struct entry *out) {
    size_t low = 0, high = s->nblocks, at = 0;
    while (low < high) { /* the last block that does not begin behind the word */
        const size_t mid = (low + high) / 2;
        const char *first = s->text + s->firsts[mid];
        if (compare(first, s->firsts[mid + 1] - s->firsts[mid] - 1, word, n) <= 0) low = mid + 1;
        else high = mid;
    }
    /* A word before all others costs a read too: so reads can be counted on. */
    if (!s->nblocks) return 0;
    s->reads++;
    if (!get_block(s, low ? low : 1)) return -1;
    while (next_entry(s, &at, out)) {
        const int order = compare(out->text, out->bytes, word, n);
        if (order == 0) return 1;
        if (order > 0) return 0;
    }
    return 0;
}

bool store_each(struct store *s, bool (*each)(void *self, const struct entry *e), void *self) {
    for (uint64_t i = 1; i <= s->nblocks; i++) {
        struct entry e;
        size_t at = 0;
        if (!get_block(s, i)) return false;
        while (next_entry(s, &at, &e))
            if (!each(self, &e)) return false;
    }
    return true;
}
