/*
 * linear.c - what does a hop cost a linear filter? A neighbour's 512 bytes are faded and merged into
 * one's own: nanoseconds for the two, on both scales and for every width of cells, against the route
 * that the paper describes: level to real number, times the factor, rounded down to a level again.
 */
#define _GNU_SOURCE
#include <math.h>
#include <sito/linear.h>
#include <string.h>

#include "fill.h"

enum { BYTES = 512, TIMES = 4000, WIDTHS = 16, PUT = 70 };

/* ---- the paper's route ---- */

/* Cells one behind the other, through a word of bits, so that no load waits for a store that half covers it; whole
 * bytes and pairs of them as they are. */
struct plain {
    uint8_t cells[BYTES + 8];
};

static void unpack(const struct plain *t, unsigned b, uint16_t *level) {
    unsigned n = BYTES * 8 / b, have = 0;
    const uint8_t *p = t->cells;
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++) {
        if (have < b) {
            uint32_t more;
            memcpy(&more, p, sizeof more);
            bits |= (uint64_t)more << have;
            p += sizeof more, have += 32;
        }
        level[i] = (uint16_t)(bits & ((1u << b) - 1));
        bits >>= b, have -= b;
    }
}

static void pack(struct plain *t, unsigned b, const uint16_t *level) {
    unsigned n = BYTES * 8 / b, have = 0;
    uint8_t *p = t->cells;
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++) {
        bits |= (uint64_t)level[i] << have;
        have += b;
        if (have < 32) continue;
        uint32_t full = (uint32_t)bits;
        memcpy(p, &full, sizeof full);
        p += sizeof full, bits >>= 32, have -= 32;
    }
    if (have) memcpy(p, &bits, 4);
}

static inline unsigned faded(unsigned v, unsigned top, double factor) {
    double c = (double)v / top * factor;
    return (unsigned)floor(c * top);
}

static void through_doubles(struct plain *into, struct plain *from, unsigned b, double factor) {
    uint16_t mine[BYTES * 8], theirs[BYTES * 8];
    unsigned n = BYTES * 8 / b, top = (1u << b) - 1;
    if (b == 8) {
        for (unsigned i = 0; i < n; i++) {
            from->cells[i] = (uint8_t)faded(from->cells[i], top, factor);
            if (from->cells[i] > into->cells[i]) into->cells[i] = from->cells[i];
        }
        return;
    }
    unpack(into, b, mine);
    unpack(from, b, theirs);
    for (unsigned i = 0; i < n; i++) {
        theirs[i] = (uint16_t)faded(theirs[i], top, factor);
        if (theirs[i] > mine[i]) mine[i] = theirs[i];
    }
    pack(into, b, mine);
    pack(from, b, theirs);
}

static double plain_round(unsigned b, struct figure *f) {
    struct plain into = {{0}}, from = {{0}};
    for (unsigned i = 0; i < BYTES; i++) from.cells[i] = (uint8_t)hash_of(i);
    double start = thread_ns();
    for (int t = 0; t < TIMES; t++) {
        through_doubles(&into, &from, b, 0.9);
        __asm__ volatile("" : : "r"(&into), "r"(&from) : "memory");
    }
    double ns = (thread_ns() - start) / TIMES;
    f->sum += into.cells[1];
    return ns;
}

/* ---- ours ---- */

static double our_round(const char *scale, unsigned b, struct figure *f) {
    sito_plan plan = {.kind = SITO_LINEAR,
                      .nkeys = PUT,
                      .ncells = BYTES * 8 / b,
                      .nhashes = 7,
                      .cell_bits = b,
                      .scale = scale,
                      .seed = 1};
    sito_filter *into, *from;
    check(sito_new(&plan, NULL, &into), "new");
    check(sito_new(&plan, NULL, &from), "new");
    for (uint64_t i = 0; i < PUT; i++)
        if (sito_linear_put(from, &i, sizeof i, 1) < 0) check(SITO_EINVAL, "put");
    double start = thread_ns();
    for (int t = 0; t < TIMES; t++) {
        check(sito_linear_fade(from, 9, 10), "fade");
        check(sito_merge(into, from), "merge");
    }
    double ns = (thread_ns() - start) / TIMES;
    uint64_t first = 0;
    f->sum += (uint64_t)sito_linear_get_level(into, &first, sizeof first);
    sito_free(into);
    sito_free(from);
    return ns;
}

int main(void) {
    static struct figure doubles[WIDTHS + 1], linear[WIDTHS + 1], geometric[WIDTHS + 1];
    pin();
    for (int r = 0; r < ROUNDS; r++)
        for (unsigned b = 1; b <= WIDTHS; b++) {
            doubles[b].ns[r] = plain_round(b, &doubles[b]);
            linear[b].ns[r] = our_round("linear", b, &linear[b]);
            geometric[b].ns[r] = our_round("geometric", b, &geometric[b]);
        }
    for (unsigned b = 1; b <= WIDTHS; b++) {
        char ratio[64];
        report("linear", "doubles", "fade and merge", b, &doubles[b]);
        report("linear", "sito, linear", "fade and merge", b, &linear[b]);
        report("linear", "sito, geometric", "fade and merge", b, &geometric[b]);
        snprintf(ratio, sizeof ratio, "doubles / sito, linear, %u bits", b);
        report_against("linear", ratio, b, &doubles[b], &linear[b]);
        snprintf(ratio, sizeof ratio, "doubles / sito, geometric, %u bits", b);
        report_against("linear", ratio, b, &doubles[b], &geometric[b]);
    }
    return 0;
}
