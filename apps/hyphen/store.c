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
    const int order = compare(x->text, x->bytes, y->text, y->bytes);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

size_t store_sort(struct entry *entries, size_t n) {
    size_t kept = 0;
    if (n) qsort(entries, n, sizeof *entries, by_word);
    for (size_t i = 0; i < n; i++) {
        const struct entry *e = &entries[i];
        if (i + 1 < n && compare(e->text, e->bytes, e[1].text, e[1].bytes) == 0) continue;
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
        if (put <= 0) return false;
        from += put, n -= (size_t)put, at += (size_t)put;
    }
    return true;
}

static bool put_block(int fd, char block[STORE_BLOCK], uint64_t id, uint64_t number) {
    const uint64_t sum = block_sum(block, id, number);
    memcpy(block + STORE_ROOM, &sum, sizeof sum);
    return put_at(fd, block, STORE_BLOCK, number * STORE_BLOCK);
}

bool store_write(int fd, const struct entry *entries, size_t n, uint64_t id) {
    struct store_head head = {.id = id, .nwords = n};
    struct growing index = {0};
    char block[STORE_BLOCK] = {0}, word[STORE_WORD];
    size_t used = 0;
    bool fine = true;
    memcpy(head.magic, store_magic, 8);
    for (size_t i = 0; fine && i <= n; i++) {
        if (i == n || used + 2 + entries[i].bytes > STORE_ROOM) {
            if (used) fine = put_block(fd, block, id, ++head.nblocks);
            memset(block, 0, STORE_BLOCK);
            used = 0;
            if (i == n) break;
        }
        if (!used) {
            const size_t length = entry_word(&entries[i], word);
            char *to = grow(&index, length + 1, 1);
            if (!to) fine = false;
            else memcpy(to, word, length), to[length] = '\n';
        }
        block[used] = (char)(entries[i].bytes & 0xff),
        block[used + 1] = (char)(entries[i].bytes >> 8);
        memcpy(block + used + 2, entries[i].text, entries[i].bytes);
        used += 2 + entries[i].bytes;
    }
    head.index_bytes = index.n;
    fine = fine && put_at(fd, index.items, index.n, (head.nblocks + 1) * STORE_BLOCK);
    memset(block, 0, STORE_BLOCK);
    memcpy(block, &head, sizeof head);
    head.sum = head_sum(block, index.n ? index.items : "", index.n);
    memcpy(block, &head, sizeof head);
    fine = fine && put_at(fd, block, STORE_BLOCK, 0);
    free(index.items);
    return fine;
}

/* ---- asking ---- */

bool store_is_one(const char *path) {
    char begin[8] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    /* Not from a pipe: what is read there is gone. */
    struct stat about;
    const bool yes = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && read(fd, begin, 8) == 8 &&
                     !memcmp(begin, store_magic, 8);
    close(fd);
    return yes;
}

static bool get_at(int fd, void *to, size_t n, uint64_t at) {
    char *into = to;
    while (n) {
        const ssize_t got = pread(fd, into, n, (off_t)at);
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
