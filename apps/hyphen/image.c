/* image.c - the compiled automaton: attached, saved, mapped. What is mapped is checked so far that no
 * word can lead out of it, and the rest on demand. */
#define _GNU_SOURCE
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A fuzzer cannot guess sums, and would never get past them. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { SUMS_COUNT = 0 };
#else
enum { SUMS_COUNT = 1 };
#endif

static const char magic[8] = "HYPHEN\r\n";

void hyphen_attach(hyphen *h, const void *base, size_t bytes, size_t reserved) {
    const struct image_head *head = base;
    h->base = base, h->head = head, h->bytes = bytes, h->reserved = reserved;
    h->left = head->left, h->right = head->right;
    h->pages = (const void *)(h->base + head->pages);
    h->blocks = (const void *)(h->base + head->blocks);
    for (uint32_t c = 0; c < NSMALL; c += PAGE)
        memcpy(h->small + c, h->blocks + (size_t)h->pages[c / PAGE] * PAGE, PAGE * 2);
    for (unsigned i = 0; i < head->nlevels; i++) {
        const struct image_level *from = &head->level[i];
        struct level *to = &h->level[i];
        to->slots = (const void *)(h->base + from->slots);
        to->full = from->full ? (const void *)to->slots : NULL;
        to->usual = (const void *)(h->base + from->usual);
        to->windows = (const void *)(h->base + from->windows);
        to->specials = (const void *)(h->base + from->specials);
        to->shift = from->shift, to->recent = from->nusual - 1;
        to->nwindows = from->nwindows, to->nspecials = from->nspecials;
    }
}

void hyphen_free(hyphen *h) {
    if (!h) return;
    if (h->reserved) munmap((void *)(uintptr_t)h->base, h->reserved);
    else free((void *)(uintptr_t)h->base);
    free(h);
}

/* ---- what it says of itself ---- */

void hyphen_set_mins(hyphen *h, unsigned left, unsigned right) {
    if (left) h->left = left < 1000 ? left : 1000;
    if (right) h->right = right < 1000 ? right : 1000;
}

unsigned hyphen_left(const hyphen *h) { return h->left; }
unsigned hyphen_right(const hyphen *h) { return h->right; }

const char *hyphen_exceptions(const hyphen *h, size_t *bytes) {
    *bytes = h->head->nexceptions;
    return h->base + h->head->exceptions;
}

bool hyphen_joins(const hyphen *h, uint32_t c) {
    const unsigned class = class_of(h, c);
    return (class & CLASS) > CLASS_EDGE && !(class & DIGIT);
}

/* ---- is it sound? ---- */

/* Of the head but the sum itself, which seeds that of the other small sections. */
static uint64_t small_sum(struct image_head head, const char *base) {
    head.sum = 0;
    return XXH3_64bits_withSeed(base + sizeof head, head.small - sizeof head,
                                XXH3_64bits(&head, sizeof head));
}

static uint64_t rest_sum(const struct image_head *head, const char *base) {
    return XXH3_64bits(base + head->small, head->bytes - head->small);
}

static bool lies_inside(const struct image_head *head, uint64_t at, uint64_t n, uint64_t size) {
    return at % 64 == 0 && at <= head->bytes && n <= (head->bytes - at) / size;
}

/* What slots, pages and blocks say is not looked at: see AHEAD. */
static const char *check_level(const struct image_head *head, const char *base, unsigned number) {
    const struct image_level *l = &head->level[number];
    if (l->shift > 12 || !l->nusual || l->nusual & (l->nusual - 1) || l->nusual > 1u << 20 ||
        l->nslots < head->nclasses)
        return "its shape is wrong";
    if (!lies_inside(head, l->slots, l->nslots, l->full ? 4 : 8) ||
        !lies_inside(head, l->usual, l->nusual, 4) ||
        !lies_inside(head, l->windows, (uint64_t)l->nwindows + l->nspecials, WINDOW) ||
        !lies_inside(head, l->specials, l->nspecials, sizeof(struct special)))
        return "it is cut short";
    const uint32_t *usual = (const void *)(base + l->usual);
    bool fine = true;
    for (size_t i = 0; i < l->nusual; i++) fine &= usual[i] <= l->nslots - head->nclasses;
    if (!fine) return "a row lies outside";
    const struct special *specials = (const void *)(base + l->specials);
    for (size_t i = 0; i < l->nspecials; i++)
        if (specials[i].values > head->nvalues ||
            specials[i].nvalues > head->nvalues - specials[i].values ||
            (specials[i].change != NONE && specials[i].change >= head->nchanges))
            return "a pattern lies outside";
    return NULL;
}

static const char *check_image(const char *base, size_t bytes) {
    const struct image_head *head = (const void *)base;
    if (bytes < sizeof *head || memcmp(head->magic, magic, 8)) return "no compiled patterns";
    if (head->order != 0x01020304 || head->version != 3)
        return "compiled by another version or machine";
    if (head->bytes != bytes || head->small > bytes || head->small < sizeof *head)
        return "it is cut short";
    if (SUMS_COUNT && head->sum != small_sum(*head, base)) return "it is damaged";
    if (head->nlevels < 1 || head->nlevels > MAX_LEVELS || (head->nlevels == 1 && head->implicit))
        return "its shape is wrong";
    if (head->nclasses < 2 || head->nclasses > CLASS + 1 || !head->left || !head->right ||
        head->left > 1000 || head->right > 1000 || head->dic > 1 ||
        (head->latin && head->nclasses < 28) || (head->quick && head->nclasses > 255))
        return "its shape is wrong";
    if (!lies_inside(head, head->pages, NPAGES, 2) ||
        !lies_inside(head, head->blocks, head->nblocks, PAGE * 2) ||
        !lies_inside(head, head->alphabet, head->nclasses, sizeof(uint32_t)) ||
        !lies_inside(head, head->values, head->nvalues, 1) ||
        !lies_inside(head, head->text, head->ntext, 1) ||
        !lies_inside(head, head->changes, head->nchanges, sizeof(struct change)) ||
        !lies_inside(head, head->nohyphen, head->nnohyphen, 2) ||
        !lies_inside(head, head->exceptions, head->nexceptions, 1))
        return "it is cut short";
    const struct change *changes = (const void *)(base + head->changes);
    for (size_t i = 0; i < head->nchanges; i++)
        if (changes[i].text > head->ntext || changes[i].bytes > head->ntext - changes[i].text ||
            !changes[i].cut || changes[i].cut > 1000 || changes[i].start > 1000)
            return "a change lies outside";
    for (unsigned i = 0; i < head->nlevels; i++) {
        const char *why = check_level(head, base, i);
        if (why) return why;
    }
    return NULL;
}

bool hyphen_check(const hyphen *h) {
    return !SUMS_COUNT || !h->reserved || h->head->rest == rest_sum(h->head, h->base);
}

/* ---- files ---- */

bool hyphen_is_saved(const char *path) { return file_begins(path, magic); }

/* A slot names a state and a window by so few bits, and a page a block, that nobody can get further
 * than this behind the file's end. There are zeros. */
#define AHEAD ((((size_t)1 << STATE_BITS) + CLASS + 1) * sizeof(uint64_t))

/* The whole file, and zeros behind it. */
static void *map_file(int fd, size_t bytes, size_t *reserved) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *reserved = (bytes + page - 1) / page * page + AHEAD;
    void *base =
        mmap(NULL, *reserved, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return base;
    void *file = mmap(base, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
    if (file == MAP_FAILED) munmap(base, *reserved);
    return file;
}

/* A shell's limit of addresses counts the zeros too, so they are told. */
static void say_unmapped(const char *path, size_t reserved, char why[WHY_ROOM]) {
    if (reserved && errno == ENOMEM)
        snprintf(why, WHY_ROOM, "%s: no room for it; it needs %zu MiB of addresses", path,
                 (reserved >> 20) + 1);
    else snprintf(why, WHY_ROOM, "%s: %s", path, strerror(errno));
}

hyphen *hyphen_map(const char *path, char why[WHY_ROOM]) {
    size_t reserved = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    void *base = MAP_FAILED;
    const char *trouble = NULL;
    hyphen *h = NULL;
    if (fd >= 0 && fstat(fd, &about) == 0) {
        if (about.st_size > 0) base = map_file(fd, (size_t)about.st_size, &reserved);
        else trouble = "it is empty";
    }
    if (base == MAP_FAILED) {
        if (!trouble) say_unmapped(path, reserved, why);
    } else {
        trouble = check_image(base, (size_t)about.st_size);
        if (!trouble && !(h = calloc(1, sizeof *h))) trouble = "out of memory";
        if (trouble) munmap(base, reserved);
        else hyphen_attach(h, base, (size_t)about.st_size, reserved);
    }
    if (trouble) snprintf(why, WHY_ROOM, "%s: %s", path, trouble);
    if (fd >= 0) close(fd);
    return h;
}

bool hyphen_write(const hyphen *h, FILE *to) {
    struct image_head head = *h->head;
    head.rest = rest_sum(&head, h->base);
    head.sum = small_sum(head, h->base);
    const size_t rest = h->bytes - sizeof head;
    return fwrite(&head, sizeof head, 1, to) == 1 &&
           fwrite(h->base + sizeof head, 1, rest, to) == rest;
}

/* To a temporary name, then renamed: readers see the old file or the new one. */
bool hyphen_save(const hyphen *h, const char *path, char why[WHY_ROOM]) {
    char draft[4096];
    if ((size_t)snprintf(draft, sizeof draft, "%s.XXXXXX", path) >= sizeof draft) {
        snprintf(why, WHY_ROOM, "the name is too long");
        return false;
    }
    const int fd = mkostemp(draft, O_CLOEXEC);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    bool fine =
        to && hyphen_write(h, to) && fflush(to) == 0 && fchmod(fd, 0644) == 0 && fsync(fd) == 0;
    if (fd >= 0 && (to ? fclose(to) : close(fd)) != 0) fine = false;
    if (fine) fine = rename(draft, path) == 0;
    if (fine) return true;
    snprintf(why, WHY_ROOM, "%s: %s", path, strerror(errno));
    if (fd >= 0) unlink(draft);
    return false;
}
