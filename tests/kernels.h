/*
 * kernels.h - every instruction set against the portable walk: the same answers, the same cells.
 *
 * Plain C, so that cross builds use it too. Tables begin at any byte, for views do; what lies before and
 * behind them must stay as it was.
 */
#ifndef TESTS_KERNELS_H
#define TESTS_KERNELS_H

#include "cpu/block_walk.h"
#include "keys.h"

enum { KERNEL_GUARD = 64, KERNEL_ASKED = 2 }; /* ASKED: what no answer is */

/* One table for each of the two, and what each is asked. */
struct kernel_trial {
    uint64_t nblocks;
    size_t from, n; /* the table's first byte; hashes */
    uint64_t dice;
};

struct kernel_tally {
    uint64_t yes, no, fresh, known;
};

static inline uint8_t *kernel_room(size_t bytes) {
    uint8_t *room = malloc(bytes);
    if (!room) give_up("no memory");
    return room;
}

/* Some hashes come twice, and those that are all zeros and all ones are among them. */
static inline uint64_t *kernel_hashes(const struct kernel_trial *t, uint64_t salt) {
    uint64_t *hashes =
        malloc((t->n ? t->n : 1) * sizeof *hashes); /* no more: who reads on is caught */
    if (!hashes) give_up("no memory");
    for (size_t i = 0; i < t->n; i++) {
        uint64_t dice = mixed(t->dice + salt + i);
        hashes[i] = i % 7 == 6 ? hashes[dice % i] : dice;
        if (i % 50 == 3) hashes[i] = 0 - (uint64_t)(i % 100 == 3);
    }
    return hashes;
}

/* Empty, a quarter full, or so full that strangers are often let in: by lot. */
static inline uint8_t kernel_byte(uint64_t dice, uint64_t i) {
    uint64_t x = mixed(dice + i), full = x | x >> 8 | x >> 16 | x >> 24;
    return (uint8_t)(dice % 3 == 0 ? 0 : dice % 3 == 1 ? x & x >> 8 : full);
}

/* Every question alone and in a batch. */
static inline const char *kernels_ask(const struct block_kernel *plain,
                                      const struct block_kernel *wide, const uint8_t *cells,
                                      const struct kernel_trial *t, const uint64_t *hashes,
                                      struct kernel_tally *tally) {
    const char *wrong = NULL;
    uint8_t *a = kernel_room(t->n + 1), *b = kernel_room(t->n + 1);
    memset(a, KERNEL_ASKED, t->n + 1);
    memset(b, KERNEL_ASKED, t->n + 1);
    plain->maybe_many(cells, t->nblocks, hashes, t->n, a);
    wide->maybe_many(cells, t->nblocks, hashes, t->n, b);
    if (memcmp(a, b, t->n + 1) != 0) wrong = "a batch of questions is answered otherwise";
    if (a[t->n] != KERNEL_ASKED) wrong = "one answer more than asked";
    for (size_t i = 0; i < t->n; i++) {
        bool yes = plain->maybe(cells, t->nblocks, hashes[i]);
        if (wide->maybe(cells, t->nblocks, hashes[i]) != yes)
            wrong = "a question is answered otherwise";
        if (a[i] != yes) wrong = "a batch is not its questions one by one";
        tally->yes += yes, tally->no += !yes;
    }
    free(a);
    free(b);
    return wrong;
}

/* Each hash alone into both tables, every other while its stretch is held. */
static inline const char *kernels_add(const struct block_kernel *plain,
                                      const struct block_kernel *wide, uint8_t *a, uint8_t *b,
                                      const struct kernel_trial *t, const uint64_t *hashes,
                                      struct kernel_tally *tally) {
    for (size_t i = 0; i < t->n; i++) {
        bool is_new = plain->add(a, t->nblocks, hashes[i]);
        struct stretch held = {.added = i, .busy = 1};
        int answer = i % 2
                         ? wide->add_held(b + block_start(t->nblocks, hashes[i]), hashes[i], &held)
                         : wide->add(b, t->nblocks, hashes[i]);
        if (answer != is_new) return "an add is answered otherwise";
        if (i % 2 && (held.busy || held.added != i + is_new)) return "held, and not let go";
        tally->fresh += is_new, tally->known += !is_new;
    }
    return NULL;
}

/* All at once, with answers or without. */
static inline const char *kernels_add_many(const struct block_kernel *plain,
                                           const struct block_kernel *wide, uint8_t *a, uint8_t *b,
                                           const struct kernel_trial *t, const uint64_t *hashes,
                                           bool answered) {
    const char *wrong = NULL;
    int8_t *x = (int8_t *)kernel_room(t->n + 1), *y = (int8_t *)kernel_room(t->n + 1);
    memset(x, KERNEL_ASKED, t->n + 1);
    memset(y, KERNEL_ASKED, t->n + 1);
    uint64_t added = plain->add_many(a, t->nblocks, hashes, t->n, answered ? x : NULL), sum = 0;
    if (wide->add_many(b, t->nblocks, hashes, t->n, answered ? y : NULL) != added)
        wrong = "another number of new keys";
    if (memcmp(x, y, t->n + 1) != 0) wrong = "a batch of adds is answered otherwise";
    for (size_t i = 0; answered && i < t->n; i++) sum += (uint64_t)x[i];
    if (answered && sum != added) wrong = "the answers are not as many as were new";
    if (x[t->n] != KERNEL_ASKED) wrong = "one answer more than asked";
    free(x);
    free(y);
    return wrong;
}

/* To a part that is near, while others come, or to one that may not be near yet. */
static inline const char *kernels_add_part(const struct block_kernel *plain,
                                           const struct block_kernel *wide, uint8_t *a, uint8_t *b,
                                           const struct kernel_trial *t, const uint64_t *hashes) {
    const size_t step = t->n % 2 ? 40 : 100, eights = t->n / 8 * step;
    struct coming coming = {b, b + t->nblocks * 64, step};
    uint64_t added = plain->add_many(a, t->nblocks, hashes, t->n, NULL);
    if (!wide->add_part)
        return wide->add_many(b, t->nblocks, hashes, t->n, NULL) == added
                   ? NULL
                   : "another number of new keys, all at once";
    if (wide->add_part(b, t->nblocks, hashes, t->n, t->n % 3 ? &coming : NULL) != added)
        return "another number of new keys in a part";
    if (coming.at > coming.end + 8 * step) return "far more is asked for than comes";
    if (t->n % 3 && t->n >= 128 && coming.at < coming.end && coming.at < b + eights / 2)
        return "what comes is not asked for";
    return NULL;
}

/* One life of two tables. NULL: they stayed the same. */
static inline const char *kernels_differ(const struct block_kernel *plain,
                                         const struct block_kernel *wide,
                                         const struct kernel_trial *t, struct kernel_tally *tally) {
    size_t room = (size_t)t->nblocks * 64 + t->from + 2 * KERNEL_GUARD;
    uint8_t *a = kernel_room(room), *b = kernel_room(room), *was = kernel_room(room);
    uint64_t *first = kernel_hashes(t, 0), *second = kernel_hashes(t, UINT64_C(1) << 32),
             *third = kernel_hashes(t, UINT64_C(1) << 33),
             *fourth = kernel_hashes(t, UINT64_C(1) << 34);
    for (size_t i = 0; i < room; i++) a[i] = b[i] = was[i] = kernel_byte(t->dice, i);
    size_t at = KERNEL_GUARD + t->from, end = at + (size_t)t->nblocks * 64;
    const char *wrong = kernels_ask(plain, wide, a + at, t, first, tally);
    if (!wrong) wrong = kernels_add(plain, wide, a + at, b + at, t, first, tally);
    if (!wrong) wrong = kernels_add_many(plain, wide, a + at, b + at, t, second, true);
    if (!wrong) wrong = kernels_add_many(plain, wide, a + at, b + at, t, third, false);
    if (!wrong) wrong = kernels_add_part(plain, wide, a + at, b + at, t, fourth);
    if (!wrong && memcmp(a, b, room) != 0) wrong = "other cells";
    if (!wrong && (memcmp(a, was, at) != 0 || memcmp(a + end, was + end, room - end) != 0))
        wrong = "a byte outside the table was written";
    if (!wrong) wrong = kernels_ask(plain, wide, a + at, t, second, tally);
    if (!wrong) wrong = kernels_ask(plain, wide, a + at, t, third, tally);
    free(a);
    free(b);
    free(was);
    free(first);
    free(second);
    free(third);
    free(fourth);
    return wrong;
}

/* One table of each, and batches of 0 to 200. */
static inline const char *kernels_differ_in_length(const struct block_kernel *plain,
                                                   const struct block_kernel *wide,
                                                   uint64_t nblocks, struct kernel_tally *tally) {
    size_t room = (size_t)nblocks * 64;
    uint8_t *a = kernel_room(room), *b = kernel_room(room);
    const char *wrong = NULL;
    memset(a, 0, room);
    memset(b, 0, room);
    for (size_t n = 0; n <= 200 && !wrong; n++) {
        struct kernel_trial t = {nblocks, 0, n, mixed(n)};
        uint64_t *first = kernel_hashes(&t, 0), *second = kernel_hashes(&t, 1000);
        wrong = kernels_add_many(plain, wide, a, b, &t, first, true);
        if (!wrong) wrong = kernels_add_many(plain, wide, a, b, &t, second, false);
        if (!wrong) wrong = kernels_ask(plain, wide, b, &t, first, tally);
        if (!wrong) wrong = kernels_ask(plain, wide, b, &t, second, tally);
        free(first);
        first = kernel_hashes(&t, 2000);
        if (!wrong) wrong = kernels_add_part(plain, wide, a, b, &t, first);
        free(first);
        free(second);
    }
    if (!wrong && memcmp(a, b, room) != 0) wrong = "other cells";
    free(a);
    free(b);
    return wrong;
}

/* How far ahead a batch asks hangs on the table's size: near, in the last cache, in memory; how large
 * that is, on the machine. */
static const uint64_t kernel_large[] = {20000, 100000,
#ifdef __x86_64__ /* elsewhere nobody minds, and emulators are slow */
                                        300000, 600000
#endif
};
static const uint64_t kernel_edges[] = {65536,
#ifdef __x86_64__
                                        65537,  4096,   4097,   24576, 24577,
                                        131073, 262145, 524288, 524289
#endif
};

/* Batches of 0 to 200, tables of 1 to 1000 blocks, at every byte of a line, and a few large trials. */
static inline const char *kernels_differ_anywhere(const struct block_kernel *plain,
                                                  const struct block_kernel *wide,
                                                  struct kernel_tally *tally) {
    const char *wrong = NULL;
    for (size_t n = 0; n <= 200 && !wrong; n++)
        for (uint64_t round = 0; round < 4 && !wrong; round++) {
            uint64_t dice = mixed(1000 * n + round);
            struct kernel_trial t = {1 + dice % (round < 2 ? 8 : 1000), dice >> 58, n, dice};
            wrong = kernels_differ(plain, wide, &t, tally);
        }
    for (uint64_t nblocks = 1; nblocks <= 1000 && !wrong; nblocks++) {
        struct kernel_trial t = {nblocks, nblocks % 64, 40, mixed(nblocks)};
        wrong = kernels_differ(plain, wide, &t, tally);
    }
    for (uint64_t round = 0; round < 40 && !wrong; round++) {
        struct kernel_trial t = {300, 0, 3001 + round, mixed(round)};
        wrong = kernels_differ(plain, wide, &t, tally);
    }
    for (size_t i = 0; i < sizeof kernel_large / sizeof *kernel_large && !wrong; i++) {
        struct kernel_trial large = {kernel_large[i], 0, 60005, 3};
        wrong = kernels_differ(plain, wide, &large, tally);
    }
    for (size_t i = 0; i < sizeof kernel_edges / sizeof *kernel_edges && !wrong; i++)
        wrong = kernels_differ_in_length(plain, wide, kernel_edges[i], tally);
    return wrong;
}

static inline int kernel_rising(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Are those below the border first and in order, and the others behind them, each as often? */
static inline const char *split_is_wrong(split_at_border *split, uint64_t *hashes, size_t n,
                                         uint64_t border) {
    size_t nlow = 0, at = 0;
    for (size_t i = 0; i < n; i++) nlow += hashes[i] < border;
    uint64_t *out = (uint64_t *)(void *)kernel_room((n ? n : 1) * sizeof *out);
    const char *wrong = split(hashes, n, border, out) == nlow ? NULL : "another number of a side";
    for (size_t i = 0; i < n && !wrong; i++)
        if (hashes[i] < border && out[at++] != hashes[i]) wrong = "another hash of a side";
    qsort(hashes, n, sizeof *hashes, kernel_rising);
    qsort(out, n, sizeof *out, kernel_rising);
    for (size_t i = 0; i < n && !wrong; i++)
        if (out[i] != hashes[i]) wrong = "a hash is lost";
    free(out);
    return wrong;
}

/* Any number, sides at random; and in runs, so that many are of one and none of the other. */
static inline const char *split_differs(split_at_border *split) {
    static const uint64_t borders[] = {
        0, 1, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX, UINT64_C(3) << 60};
    const char *wrong = NULL;
    for (size_t n = 0; n <= 200 && !wrong; n++)
        for (uint64_t round = 0; round < 12 && !wrong; round++) {
            struct kernel_trial t = {1, 0, n, mixed(12 * n + round)};
            uint64_t *hashes = kernel_hashes(&t, 0), border = borders[round % 6];
            size_t run = 1 + (t.dice >> 8) % 64;
            for (size_t i = 0; i < n && round >= 6; i++) /* next to the border, and it itself */
                hashes[i] = border - (i / run % 2) * (1 + hashes[i] % 2);
            wrong = split_is_wrong(split, hashes, n, border);
            free(hashes);
        }
    return wrong;
}

/* Both numbers of bits. */
static inline const char *set_differs(const struct cpu_kernels *set, struct kernel_tally *tally) {
    const char *wrong = kernels_differ_anywhere(&cpu_portable.block8, &set->block8, tally);
    if (!wrong) wrong = kernels_differ_anywhere(&cpu_portable.block16, &set->block16, tally);
    return wrong ? wrong : split_differs(set->split);
}

#endif
