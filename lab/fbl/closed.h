/*
 * closed.h - what a linear filter of n keys must be read as, without trying it.
 *
 * The quantiser is a table: level t begins at confidence `foot[t]` and is read as `value[t]`; so the same sums
 * serve the paper's text and its authors' program. Confidences are uniform from `least` to 1. The k draws of a key
 * hit D distinct cells of m; g is the chance that others raised all of them to a level.
 */
#ifndef LAB_CLOSED_H
#define LAB_CLOSED_H

#include <math.h>
#include <stdint.h>

enum { LEVELS_MAX = 65538, HASHES = 16 };

struct quantiser {
    unsigned top;
    double least;
    double foot[LEVELS_MAX], value[LEVELS_MAX];
};

struct expected {
    double mean, deviation, squared_error, over, bits, cells;
};

struct crowd {
    long double sign[HASHES + 1], hit[HASHES + 1];
    unsigned k;
};

/* sign[j] = (-1)^j E[C(D,j)]; hit[j]: a key's draws hit one of j given cells. */
static void crowd_of(struct crowd *w, unsigned m, unsigned k) {
    long double share[HASHES + 2] = {1};
    w->k = k;
    for (unsigned draw = 1; draw <= k; draw++, share[0] = 0)
        for (unsigned d = draw; d > 0; d--)
            share[d] = share[d] * d / m + share[d - 1] * (m - (d - 1)) / m;
    for (unsigned j = 0; j <= k; j++) {
        long double choose = 1, mean = 0;
        for (unsigned d = j; d <= k; choose = choose * (d + 1) / (d + 1 - j), d++)
            mean += choose * share[d];
        w->sign[j] = j % 2 ? -mean : mean;
        w->hit[j] = -expm1l(k * log1pl(-(long double)j / m));
    }
}

static double all_raised(const struct crowd *w, double above, unsigned others) {
    long double sum = 0;
    for (unsigned j = 0; j <= w->k; j++)
        sum += w->sign[j] * expl(others * log1pl(-above * w->hit[j]));
    return above > 0 ? (double)sum : 0;
}

/* The share of 1 bits and of cells that are not 0 after n keys, which need not be whole: a cell is at most at level t
 * if no key of a higher one drew it. */
static void fill_of(const struct quantiser *q, unsigned m, unsigned b, unsigned k, double n,
                    double *bits, double *cells) {
    double width = 1 - q->least, hit = -expm1(k * log1p(-1.0 / m)), lower = 0;
    *bits = *cells = 0;
    for (unsigned t = 0; t <= q->top; t++) {
        double next = t < q->top ? fmax(q->foot[t + 1], q->least) : 1;
        double here = t < q->top ? exp(n * log1p(-hit * (1 - next) / width)) : 1;
        if (t == 0) *cells = 1 - here;
        *bits += (here - lower) * __builtin_popcount(t) / b;
        lower = here;
    }
}

/* `m` cells of b bits, k draws a key, n keys. */
static struct expected expect(const struct quantiser *q, unsigned m, unsigned b, unsigned k,
                              unsigned n) {
    struct expected e = {0};
    struct crowd w;
    long double width = 1 - q->least, second = 0;
    crowd_of(&w, m, k);
    fill_of(q, m, b, k, n, &e.bits, &e.cells);
    for (unsigned t = 0; t <= q->top; t++) {
        double foot = fmax(q->foot[t], q->least), value = q->value[t];
        double next = t < q->top ? fmax(q->foot[t + 1], q->least) : 1;
        long double mine = (next - foot) / width; /* keys put at this level */
        e.mean += (double)(mine * value);
        second += mine * value * value;
        e.squared_error += (double)((powl(next - value, 3) - powl(foot - value, 3)) / 3 / width);
        if (t == 0) continue;
        double before = q->value[t - 1], g = all_raised(&w, (1 - foot) / (double)width, n - 1);
        long double below = (foot - q->least) / width;
        long double first = (foot * foot - q->least * q->least) / 2 / width;
        e.mean += (double)(g * (value - before) * below);
        second += g * (value * value - before * before) * below;
        e.squared_error += (double)(g * (value - before) * ((value + before) * below - 2 * first));
        e.over += (double)(g * ((foot - fmax(q->foot[t - 1], q->least)) / width));
    }
    e.deviation = (double)sqrtl(fmaxl(0, second - (long double)e.mean * e.mean));
    return e;
}

#endif
