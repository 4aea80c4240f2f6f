/*
 * levels.h - tables of levels under every instruction set, against the integers they are defined by.
 *
 * Plain C, so that cross builds use it too. The definition reads and writes cells bit by bit; what lies
 * before and behind a table must stay as it was.
 */
#ifndef TESTS_LEVELS_H
#define TESTS_LEVELS_H

#include "cpu/cpu.h"
#include "keys.h"

enum { LEVELS_GUARD = 64, LEVELS_SLACK = 16 }; /* slack: may be read, and written as it was */

static inline uint64_t level_in(const uint8_t *cells, uint64_t i, unsigned b) {
    uint64_t v = 0;
    for (unsigned j = 0; j < b; j++) {
        uint64_t bit = i * b + j;
        v |= (uint64_t)(cells[bit / 8] >> bit % 8 & 1) << j;
    }
    return v;
}

static inline void level_write(uint8_t *cells, uint64_t i, unsigned b, uint64_t v) {
    for (unsigned j = 0; j < b; j++) {
        uint64_t bit = i * b + j;
        cells[bit / 8] = (uint8_t)((cells[bit / 8] & ~(1u << bit % 8)) | (v >> j & 1) << bit % 8);
    }
}

enum levels_call { LEVELS_FADE, LEVELS_LOWER, LEVELS_MERGE };

struct levels_trial {
    enum levels_call call;
    uint64_t n;
    unsigned b;
    uint32_t p, q;
    uint64_t dice;
};

static inline uint64_t level_defined(const struct levels_trial *t, uint64_t v, uint64_t other) {
    if (t->call == LEVELS_FADE) return v * t->p / t->q;
    if (t->call == LEVELS_LOWER) return v ? v - 1 : 0;
    return v > other ? v : other;
}

/* NULL: as defined, and nothing else was written. */
static inline const char *levels_differ(const struct level_kernel *kernel,
                                        const struct levels_trial *t) {
    size_t bytes = (size_t)(t->n * t->b + 7) / 8, room = bytes + LEVELS_SLACK + 2 * LEVELS_GUARD;
    uint8_t *got = malloc(room), *wanted = malloc(room), *other = malloc(room);
    if (!got || !wanted || !other) give_up("no memory");
    for (size_t i = 0; i < room; i++) {
        got[i] = wanted[i] = (uint8_t)mixed(t->dice + i);
        other[i] = (uint8_t)mixed(t->dice + room + i);
    }
    uint64_t top = (UINT64_C(1) << t->b) - 1;
    for (uint64_t bit = t->n * t->b; bit < 8 * bytes; bit++) { /* those past the last cell are 0 */
        uint8_t *tables[] = {got, wanted, other};
        for (unsigned i = 0; i < 3; i++) level_write(tables[i] + LEVELS_GUARD, bit, 1, 0);
    }
    for (uint64_t i = 0; i < t->n; i++) {
        uint64_t dice = mixed(t->dice ^ i * 77), v = level_in(got + LEVELS_GUARD, i, t->b);
        uint64_t beside = level_in(other + LEVELS_GUARD, i, t->b);
        if (dice % 4 == 0) v = dice >> 32 & 1 ? top : 0; /* both ends come often */
        if (dice % 5 == 0) v = beside;
        level_write(got + LEVELS_GUARD, i, t->b, v);
        level_write(wanted + LEVELS_GUARD, i, t->b, level_defined(t, v, beside));
    }
    uint8_t *cells = got + LEVELS_GUARD;
    if (t->call == LEVELS_FADE) kernel->fade(cells, t->n, t->b, t->p, t->q);
    else if (t->call == LEVELS_LOWER) kernel->lower(cells, t->n, t->b);
    else kernel->merge(cells, other + LEVELS_GUARD, t->n, t->b);
    const char *wrong = NULL;
    for (size_t i = 0; i < bytes; i++)
        if (cells[i] != wanted[LEVELS_GUARD + i]) wrong = "another level than defined";
    if (!wrong && memcmp(got, wanted, room) != 0) wrong = "a byte outside the table was written";
    free(got);
    free(wanted);
    free(other);
    return wrong;
}

/* Every level of every width, so all that a fraction can do: the table counts from 0 to the top. */
static inline const char *fade_differs(const struct level_kernel *kernel, unsigned b, uint32_t p,
                                       uint32_t q) {
    uint64_t n = (UINT64_C(1) << b) + 100, top = n - 101;
    size_t bytes = (size_t)(n * b + 7) / 8 + LEVELS_SLACK;
    uint8_t *cells = calloc(1, bytes);
    if (!cells) give_up("no memory");
    for (uint64_t i = 0; i < n; i++) level_write(cells, i, b, i & top);
    kernel->fade(cells, n, b, p, q);
    const char *wrong = NULL;
    for (uint64_t i = 0; i < n; i++)
        if (level_in(cells, i, b) != (i & top) * p / q) wrong = "another level than defined";
    free(cells);
    return wrong;
}

static const uint32_t level_fractions[][2] = {{9, 10},
                                              {7, 10},
                                              {1, 2},
                                              {0, 1},
                                              {1, 3},
                                              {2, 3},
                                              {99, 100},
                                              {999, 1000},
                                              {255, 256},
                                              {256, 257},
                                              {257, 258},
                                              {65534, 65535},
                                              {1, 65535},
                                              {65535, 65536},
                                              {65536, 65537},
                                              {65537, 65539},
                                              {99991, 123456},
                                              {1, UINT32_MAX},
                                              {4321, 9973},
                                              {UINT32_MAX - 1, UINT32_MAX},
                                              {2147483647, 2147483648u},
                                              {3000000019u, 4294967291u}};
enum { LEVEL_FRACTIONS = sizeof level_fractions / sizeof *level_fractions };

/* All of it, for one instruction set. */
static inline const char *level_kernel_differs(const struct level_kernel *kernel) {
    const char *wrong = NULL;
    for (unsigned b = 1; b <= 16; b++) {
        for (uint64_t n = 1; n <= 300 && !wrong; n++)
            for (unsigned call = 0; call < 3 && !wrong; call++) {
                struct levels_trial t = {(enum levels_call)call, n < 250 ? n : n * 11, b, 9, 10,
                                         mixed(n * 50 + b)};
                wrong = levels_differ(kernel, &t);
                t.p = 65536, t.q = 65537; /* the long way */
                if (!wrong && call == LEVELS_FADE) wrong = levels_differ(kernel, &t);
            }
        for (size_t i = 0; i < LEVEL_FRACTIONS && !wrong; i++)
            wrong = fade_differs(kernel, b, level_fractions[i][0], level_fractions[i][1]);
        for (uint32_t i = 0; i < 40 && !wrong; i++) {
            uint64_t dice = mixed(i);
            uint32_t q = 1 + (uint32_t)(dice >> (32 + dice % 24)), p = (uint32_t)mixed(dice) % q;
            wrong = fade_differs(kernel, b, p, q);
        }
    }
    return wrong;
}

#endif
