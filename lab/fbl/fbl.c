/*
 * fbl.c - the linear Bloom filter's evaluation (Lima, Baquero and Miranda 2015), run again: 4096 bits, confidences
 * uniform in [0,1], every point beside its closed form.
 *
 *     fbl capacity TEXT|AUTHORS REPETITIONS        figure 4: elements at 30 .. 70 % occupancy
 *     fbl points TEXT|AUTHORS FIGURE ITERATIONS    figures 5 (by b) and 6 (by k)
 *     fbl plan ITERATIONS                          70 keys in 512 bytes: the paper's setting, and the planned one
 *     fbl fades                                    how many times 9/10 until nothing is left
 *
 * `text` is the paper to the letter, and runs in the library. `authors` is what their program did: one level more,
 * clipped when it is read; cells rounded up; confidences of at most 0.001 drawn again; a cell counts as occupied if
 * it is not 0.
 */
#include "bench.h"

#include <sito/linear.h>
#include <sito/sito.h>
#include <stdbool.h>
#include <string.h>

#include "closed.h"

enum { BITS = 4096, KEYS_MAX = 70, TARGETS = 5, SEED = 2015 };

static bool authors;
static uint64_t dice = SEED,
                next_key; /* no key comes twice: points that share keys share their luck */
static struct quantiser quantiser;

static double uniform(void) { return (double)(next_random(&dice) >> 11) * 0x1p-53; }

static double draw_confidence(void) {
    double c = uniform();
    while (authors && c <= 0.001) c = uniform();
    return c;
}

static unsigned cells_for(unsigned b) { return authors ? (BITS + b - 1) / b : BITS / b; }

static void quantise_by(unsigned b) {
    unsigned top = (1u << b) - 1;
    quantiser.top = authors ? top + 1 : top;
    quantiser.least = authors ? 0.001 : 0;
    quantiser.foot[0] = quantiser.value[0] = 0;
    for (unsigned t = 1; t <= quantiser.top; t++) {
        quantiser.foot[t] = authors ? (t - 1) / (double)(top + 1) : t / (double)top;
        quantiser.value[t] = fmin(1, t / (double)top);
    }
}

/* ---- a table: the library's, or the authors' ---- */

struct table {
    sito_filter *f;
    unsigned m, b, k;
    uint32_t cell[BITS];
    uint32_t place[KEYS_MAX][HASHES];
};

static void table_open(struct table *t, unsigned b, unsigned k) {
    memset(t, 0, sizeof *t);
    t->m = cells_for(b), t->b = b, t->k = k;
    quantise_by(b);
    sito_plan plan = {.kind = SITO_LINEAR,
                      .nkeys = KEYS_MAX,
                      .ncells = t->m,
                      .nhashes = k,
                      .cell_bits = b,
                      .seed = SEED};
    if (!authors && sito_new(&plan, NULL, &t->f) != SITO_OK) {
        fprintf(stderr, "fbl: no such filter\n");
        exit(1);
    }
}

static void table_clear(struct table *t) {
    if (authors) memset(t->cell, 0, sizeof t->cell);
    else sito_clear(t->f);
}

/* Key number `key` of this table, the i-th of its iteration. */
static void table_put(struct table *t, uint64_t key, unsigned i, double c) {
    if (!authors) {
        sito_linear_put(t->f, &key, sizeof key, c);
        return;
    }
    uint32_t level = (uint32_t)(c * (double)(1u << t->b)) + 1;
    for (unsigned j = 0; j < t->k; j++) {
        uint32_t at = (uint32_t)(((next_random(&dice) >> 32) * t->m) >> 32);
        t->place[i % KEYS_MAX][j] = at;
        if (t->cell[at] < level) t->cell[at] = level;
    }
}

static unsigned table_level(const struct table *t, uint64_t key, unsigned i) {
    if (!authors) return (unsigned)sito_linear_get_level(t->f, &key, sizeof key);
    uint32_t lowest = UINT32_MAX;
    for (unsigned j = 0; j < t->k; j++) {
        uint32_t v = t->cell[t->place[i][j]];
        if (v < lowest) lowest = v;
    }
    return lowest;
}

static double table_cells(const struct table *t) {
    double share = 0;
    if (!authors) return sito_fact(t->f, "fill_cells", &share) == SITO_OK ? share : -1;
    for (unsigned i = 0; i < t->m; i++) share += t->cell[i] != 0;
    return share / t->m;
}

static double table_bits(const struct table *t) {
    double share = 0;
    if (!authors) return sito_fact(t->f, "fill_bits", &share) == SITO_OK ? share : -1;
    for (unsigned i = 0; i < t->m; i++) share += __builtin_popcount(t->cell[i]);
    return share / (t->m * (double)t->b);
}

/* ---- means and their standard errors, over iterations ---- */

struct tally {
    double sum, squares;
};

static void count_in(struct tally *t, double x) { t->sum += x, t->squares += x * x; }

static double mean_of(const struct tally *t, double n) { return t->sum / n; }

static double error_of(const struct tally *t, double n) {
    double mean = t->sum / n;
    return sqrt(fmax(0, t->squares / n - mean * mean) / (n - 1));
}

/* How many standard errors off; where the spread is 0, so must the difference be. */
static double off_by(const struct tally *t, double n, double wanted) {
    double se = error_of(t, n), off = mean_of(t, n) - wanted;
    return fabs(off) < 1e-12 ? 0 : se > 0 ? off / se : INFINITY;
}

/* ---- figures 5 and 6 ---- */

static void point(unsigned figure, unsigned b, unsigned k, unsigned n, unsigned iterations) {
    static struct table t;
    struct tally mean = {0}, error = {0}, bits = {0}, cells = {0};
    double second = 0, c[KEYS_MAX], N = iterations;
    table_open(&t, b, k);
    for (unsigned iteration = 0; iteration < iterations; iteration++) {
        uint64_t key = next_key;
        next_key += n;
        double sum = 0, squares = 0;
        table_clear(&t);
        for (unsigned i = 0; i < n; i++) table_put(&t, key + i, i, c[i] = draw_confidence());
        for (unsigned i = 0; i < n; i++) {
            double got = quantiser.value[table_level(&t, key + i, i)];
            sum += got, squares += (got - c[i]) * (got - c[i]), second += got * got;
        }
        count_in(&mean, sum / n);
        count_in(&error, squares / n);
        count_in(&bits, table_bits(&t));
        count_in(&cells, table_cells(&t));
    }
    struct expected e = expect(&quantiser, t.m, b, k, n);
    double m = mean_of(&mean, N);
    printf("%s\t%u\t%u\t%u\t%u\t%u\t%.8f\t%.8f\t%.2f\t%.8f\t%.8f\t%.9g\t%.9g\t%.9g\t%.2f\t%.8f\t%."
           "8f\t%.2f\t%.8f"
           "\t%.8f\t%.2f\t%.8g\n",
           authors ? "authors" : "text", figure, b, k, n, t.m, m, e.mean, off_by(&mean, N, e.mean),
           sqrt(fmax(0, second / N / n - m * m)), e.deviation, mean_of(&error, N),
           error_of(&error, N), e.squared_error, off_by(&error, N, e.squared_error),
           mean_of(&bits, N), e.bits, off_by(&bits, N, e.bits), mean_of(&cells, N), e.cells,
           off_by(&cells, N, e.cells), e.over);
    fflush(stdout);
    sito_free(t.f);
}

/* Figure 6 begins at k = 2; the authors' mean over k includes 1. */
static void points(unsigned figure, unsigned iterations) {
    puts("reading\tfigure\tb\tk\tn\tm\tmean\tmean_closed\tmean_off\tdeviation\tdeviation_"
         "closed\teqm\teqm_se\teqm_closed"
         "\teqm_off\tbits\tbits_closed\tbits_off\tcells\tcells_closed\tcells_off\tover_closed");
    for (unsigned v = 1; v <= 16; v++)
        for (unsigned n = 30; n <= 70; n += 10)
            point(figure, figure == 5 ? v : 8, figure == 5 ? 7 : v, n, iterations);
}

/* ---- figure 4 ---- */

/* After how many keys the mean occupancy is so high; no key is the last to fill what fills for ever. */
static double keys_to_fill(const struct table *t, double share) {
    double low = 0, high = 10000, bits, cells;
    while (high - low > 0.001) {
        double mid = (low + high) / 2;
        fill_of(&quantiser, t->m, t->b, t->k, mid, &bits, &cells);
        if ((authors ? cells : bits) < share) low = mid;
        else high = mid;
    }
    return high < 9999 ? high : NAN;
}

/* Keys until each occupancy is reached; none where it cannot be: a level below the top has a 0 bit. */
static void capacity(unsigned repetitions) {
    static struct table t;
    puts("reading\tb\tm\toccupancy\telements\tse\tmean_is_there");
    for (unsigned b = 1; b <= 16; b++) {
        struct tally tally[TARGETS] = {{0}};
        table_open(&t, b, 7);
        unsigned reachable = 0;
        while (reachable < TARGETS && (authors || b * (3 + reachable) <= 10 * (b - 1))) reachable++;
        for (unsigned r = 0; r < repetitions; r++) {
            unsigned done = 0;
            table_clear(&t);
            for (unsigned n = 1; done < reachable; n++) {
                table_put(&t, next_key++, n, draw_confidence());
                double share = authors ? table_cells(&t) : table_bits(&t);
                while (done < reachable && share >= (3 + done) / 10.0) count_in(&tally[done++], n);
            }
        }
        for (unsigned i = 0; i < TARGETS; i++) {
            printf("%s\t%u\t%u\t%u\t", authors ? "authors" : "text", b, t.m, 30 + 10 * i);
            if (i < reachable)
                printf("%.3f\t%.3f\t%.2f\n", mean_of(&tally[i], repetitions),
                       error_of(&tally[i], repetitions), keys_to_fill(&t, (3 + i) / 10.0));
            else puts("unreachable\t-\t-");
        }
        sito_free(t.f);
    }
}

/* ---- the planned filter ---- */

static void planned(const char *name, sito_plan plan, unsigned iterations) {
    sito_filter *f;
    sito_linear_odds odds;
    struct tally floor_error = {0}, mid_error = {0}, over = {0};
    double c[KEYS_MAX], N = iterations;
    if (sito_plan_solve(&plan) != SITO_OK || sito_linear_expect(&plan, &odds) != SITO_OK ||
        sito_new(&plan, NULL, &f) != SITO_OK)
        exit(1);
    for (unsigned r = 0; r < iterations; r++) {
        uint64_t key = next_key;
        next_key += KEYS_MAX;
        double a = 0, b = 0, above = 0;
        sito_clear(f);
        for (unsigned i = 0; i < KEYS_MAX; i++) {
            uint64_t k = key + i;
            sito_linear_put(f, &k, sizeof k, c[i] = uniform());
        }
        for (unsigned i = 0; i < KEYS_MAX; i++) {
            uint64_t k = key + i;
            double low = sito_linear_get(f, &k, sizeof k),
                   mid = sito_linear_get_mid(f, &k, sizeof k);
            a += (low - c[i]) * (low - c[i]), b += (mid - c[i]) * (mid - c[i]);
            above += low > c[i];
        }
        count_in(&floor_error, a / KEYS_MAX);
        count_in(&mid_error, b / KEYS_MAX);
        count_in(&over, above / KEYS_MAX);
    }
    printf("%s\t%s\t%u\t%u\t%.4g\t%.4g\t%.2f\t%.4g\t%.4g\t%.2f\t%.4g\t%.4g\t%.2f\n", name,
           plan.scale, plan.cell_bits, plan.nhashes, mean_of(&floor_error, N), odds.squared_error,
           off_by(&floor_error, N, odds.squared_error), mean_of(&mid_error, N),
           odds.squared_error_mid, off_by(&mid_error, N, odds.squared_error_mid), mean_of(&over, N),
           odds.overestimate, off_by(&over, N, odds.overestimate));
    sito_free(f);
}

static void plans(unsigned iterations) {
    sito_plan paper = {.kind = SITO_LINEAR,
                       .nkeys = KEYS_MAX,
                       .ncells = 512,
                       .cell_bits = 8,
                       .nhashes = 7,
                       .seed = SEED};
    sito_plan best = {.kind = SITO_LINEAR, .nkeys = KEYS_MAX, .max_bytes = BITS / 8, .seed = SEED};
    sito_plan geometric = best;
    geometric.scale = "geometric";
    puts("setting\tscale\tb\tk\teqm\teqm_closed\toff\teqm_mid\teqm_mid_closed\toff\tover\tover_"
         "closed\toff");
    planned("the paper's", paper, iterations);
    planned("planned", best, iterations);
    planned("planned", geometric, iterations);
}

/* ---- fading ---- */

static unsigned fades_of(const char *scale, unsigned b) {
    sito_plan plan = {
        .kind = SITO_LINEAR, .nkeys = 1, .ncells = 8, .cell_bits = b, .scale = scale, .seed = SEED};
    sito_filter *f;
    unsigned n = 0;
    if (sito_new(&plan, NULL, &f) != SITO_OK || sito_linear_put(f, "key", 3, 1) != 1) exit(1);
    for (; sito_maybe(f, "key", 3); n++)
        if (sito_linear_fade(f, 9, 10) != SITO_OK) exit(1);
    sito_free(f);
    return n;
}

static void fades(void) {
    puts("b\tlinear\tgeometric");
    for (unsigned b = 1; b <= 16; b++)
        printf("%u\t%u\t%u\n", b, fades_of("linear", b), fades_of("geometric", b));
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    authors = argc > 2 && !strcmp(argv[2], "authors");
    if (argc == 4 && !strcmp(what, "capacity")) return capacity((unsigned)atoi(argv[3])), 0;
    if (argc == 5 && !strcmp(what, "points"))
        return points((unsigned)atoi(argv[3]), (unsigned)atoi(argv[4])), 0;
    if (argc == 3 && !strcmp(what, "plan")) return plans((unsigned)atoi(argv[2])), 0;
    if (argc == 2 && !strcmp(what, "fades")) return fades(), 0;
    fputs("usage: fbl capacity|points|plan|fades ...; see the top of fbl.c\n", stderr);
    return 2;
}
