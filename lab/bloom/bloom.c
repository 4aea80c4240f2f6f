/*
 * bloom.c - the lecture's formulas beside the exact rates, and both beside what filters do.
 *
 *     bloom tables SEEDS       one table against k tables, exact against approximate; SEEDS filters a row are measured
 *     bloom powers             is the rate at most 2^-k at the best k, and how does the approximation's error shrink?
 *     bloom rounding           the best k is no whole number: which neighbour is right?
 *     bloom overflow DRAWS     counters of b bits: Poisson's tail, Fan's bound, and DRAWS cells drawn
 *     bloom example KEYS       the lecture's million keys at 1 %, planned in every way, with KEYS in fact
 *     bloom bound KEYS         bits a key by rate, beside the least that is possible
 *     bloom exact KEYS         what an error-free set costs, beside the least that is possible
 *
 * `exact` columns are the library's plans; `measured` ones count strangers that were let in.
 */
#include "bench.h"

#include <math.h>
#include <sito/counting.h>
#include <sito/exact.h>
#include <sito/sito.h>
#include <stdbool.h>
#include <string.h>

enum { SEED = 1970 };

static const double ln2 = 0.69314718055994530942;

static void fine(sito_rc rc, const sito_plan *plan) {
    if (rc >= 0) return;
    fprintf(stderr, "bloom: %s, %" PRIu64 " keys, rate %g, %" PRIu64 " cells, k %u: %s\n",
            plan->kind, plan->nkeys, plan->fpr, plan->ncells, plan->nhashes, sito_strerror(rc));
    exit(1);
}

static sito_plan solved(sito_plan plan) {
    if (plan.seed == 0) plan.seed = SEED;
    fine(sito_plan_solve(&plan), &plan);
    return plan;
}

static double exact_rate(const char *kind, uint64_t m, uint64_t n, unsigned k) {
    return solved((sito_plan){.kind = kind, .nkeys = n, .ncells = m, .nhashes = k}).real_fpr;
}

static double textbook(double m, double n, double k) { return pow(-expm1(-k * n / m), k); }

/* ---- a plan -> a filter -> the share of strangers it lets in ---- */

static void draw(uint64_t *hashes, uint64_t n, uint64_t seed) {
    uint64_t state = seed;
    for (uint64_t i = 0; i < n; i++) hashes[i] = next_random(&state);
}

static sito_filter *built(const sito_plan *plan, uint64_t n) {
    uint64_t *hashes = must(malloc((n ? n : 1) * sizeof *hashes));
    sito_filter *f;
    draw(hashes, n, plan->seed);
    fine(sito_build(plan, NULL, hashes, n, &f), plan);
    free(hashes);
    return f;
}

static double let_in(const sito_filter *f, uint64_t strangers, uint64_t seed) {
    enum { AT_ONCE = 1024 };
    uint64_t hashes[AT_ONCE], state = ~seed, yes = 0;
    uint8_t answers[AT_ONCE];
    for (uint64_t left = strangers; left > 0;) {
        size_t n = left < AT_ONCE ? (size_t)left : AT_ONCE;
        for (size_t i = 0; i < n; i++) hashes[i] = next_random(&state);
        sito_maybe_many(f, hashes, n, answers);
        for (size_t i = 0; i < n; i++) yes += answers[i];
        left -= n;
    }
    return (double)yes / (double)strangers;
}

struct measure {
    double rate, error; /* mean over filters, and its standard error */
};

static struct measure over_seeds(const char *kind, uint64_t m, uint64_t n, unsigned k,
                                 uint64_t seeds, uint64_t strangers) {
    double sum = 0, squares = 0, all = (double)seeds;
    uint64_t state = SEED;
    for (uint64_t i = 0; i < seeds; i++) {
        sito_plan plan = solved((sito_plan){
            .kind = kind, .nkeys = n, .ncells = m, .nhashes = k, .seed = next_random(&state)});
        sito_filter *f = built(&plan, n);
        double rate = let_in(f, strangers, plan.seed);
        sum += rate, squares += rate * rate;
        sito_free(f);
    }
    return (struct measure){sum / all, sqrt((squares / all - sum / all * (sum / all)) / all)};
}

static void of_tables(uint64_t seeds) {
    static const struct {
        uint64_t m, n;
        unsigned k;
    } at[] = {{4, 2, 2},          {64, 8, 8},           {1010, 100, 7},
              {1010, 100, 1},     {1001, 100, 7},       {10003, 1000, 7},
              {100002, 10000, 7}, {1000006, 100000, 7}, {10000004, 1000000, 7}};
    puts("m\tn\tk\tapproximate\tone_exact\tone_measured\tone_error\ttables_exact\ttables_measured\t"
         "tables_error\tone_excess\ttables_excess");
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        uint64_t m = at[i].m, n = at[i].n;
        unsigned k = at[i].k;
        uint64_t parted = m / k * k; /* tables of one size */
        double approximate = textbook((double)m, (double)n, k),
               one = exact_rate(SITO_BLOOM, m, n, k), many = exact_rate(SITO_PARTED, parted, n, k);
        /* Large filters differ less from each other: fewer of them, and more strangers each. */
        uint64_t share = n > 100 ? n / 100 : 1, tries = 4 + seeds / share, strangers = 2000 * share;
        struct measure one_is = over_seeds(SITO_BLOOM, m, n, k, tries, strangers),
                       many_is = over_seeds(SITO_PARTED, parted, n, k, tries, strangers);
        printf(
            "%" PRIu64 "\t%" PRIu64 "\t%u\t%.6g\t%.6g\t%.6g\t%.1g\t%.6g\t%.6g\t%.1g\t%.3e\t%.3e\n",
            m, n, k, approximate, one, one_is.rate, one_is.error, many, many_is.rate, many_is.error,
            one / approximate - 1, many / textbook((double)parted, (double)n, k) - 1);
    }
}

/* ---- formulas ---- */

static void of_powers(void) {
    puts("k\tn\tm\ttwo_to_the_minus_k\tone_exact\ttables_exact\tone_excess\tone_excess_times_m_"
         "over_k2\t"
         "tables_excess");
    for (unsigned k = 1; k <= 20; k += k < 10 ? 1 : 5)
        for (uint64_t n = 10; n <= 10000000; n *= 10) {
            uint64_t m = (uint64_t)ceil((double)(k * n) / ln2), parted = m / k * k;
            double power = ldexp(1, -(int)k), one = exact_rate(SITO_BLOOM, m, n, k);
            /* The whole number m is a little more than k n / ln 2: measured against what it promises. */
            double promise = textbook((double)m, (double)n, k), excess = one / promise - 1;
            printf("%u\t%" PRIu64 "\t%" PRIu64 "\t%.6g\t%.6g\t%.6g\t%.3e\t%.4f\t%.3e\n", k, n, m,
                   power, one, exact_rate(SITO_PARTED, parted, n, k), excess,
                   excess * (double)m / (k * (double)k),
                   exact_rate(SITO_PARTED, parted, n, k) / textbook((double)parted, (double)n, k) -
                       1);
        }
}

static unsigned best_k(uint64_t m, uint64_t n) {
    unsigned best = 1;
    for (unsigned k = 2; k <= 40; k++)
        if (exact_rate(SITO_BLOOM, m, n, k) < exact_rate(SITO_BLOOM, m, n, best)) best = k;
    return best;
}

static void of_rounding(void) {
    puts("n\tbits_a_key\treal_k\tbest_k\tbest_rate\tdown\tnearest\tup\treal\tdown_cost\tnearest_"
         "cost\t"
         "up_cost");
    for (uint64_t n = 1000; n <= 1000000; n *= 1000)
        for (unsigned half = 4; half <= 48; half++) {
            double bits = half / 2.0, real = bits * ln2;
            uint64_t m = (uint64_t)(bits * (double)n);
            unsigned best = best_k(m, n), down = real < 1 ? 1 : (unsigned)real, up = down + 1,
                     nearest = (unsigned)(real + 0.5);
            double least = exact_rate(SITO_BLOOM, m, n, best),
                   low = exact_rate(SITO_BLOOM, m, n, down),
                   mid = exact_rate(SITO_BLOOM, m, n, nearest),
                   high = exact_rate(SITO_BLOOM, m, n, up);
            printf("%" PRIu64 "\t%g\t%.3f\t%u\t%.5g\t%.5g\t%.5g\t%.5g\t%.5g\t%.4f\t%.4f\t%.4f\n", n,
                   bits, real, best, least, low, mid, high, textbook((double)m, (double)n, real),
                   low / least - 1, mid / least - 1, high / least - 1);
        }
}

/* ---- counters ---- */

/* at_least[j]: the share of cells that were drawn j times or more. */
static void drawn(double mean, uint64_t cells, double at_least[18]) {
    enum { TABLE = 1 << 20 };
    static uint8_t count[TABLE];
    uint64_t met[18] = {0}, state = SEED, all = 0;
    for (; all < cells; all += TABLE) {
        memset(count, 0, sizeof count);
        for (uint64_t i = 0; i < (uint64_t)(mean * TABLE); i++)
            count[next_random(&state) % TABLE]++;
        for (size_t i = 0; i < TABLE; i++)
            for (unsigned j = 1; j <= count[i] && j < 18; j++) met[j]++;
    }
    for (unsigned j = 0; j < 18; j++) at_least[j] = (double)met[j] / (double)all;
}

static void of_overflow(uint64_t cells) {
    double at_least[18];
    drawn(ln2, cells, at_least);
    puts("cell_bits\toverflows_at\tmean\tpoisson_tail\tfan_bound\tbound_over_tail\tdrawn\tcells_"
         "drawn\t"
         "in_a_million_keys\tbits_a_key");
    for (unsigned b = 2; b <= 6; b++) {
        const uint64_t n = 1000000, m = (uint64_t)ceil(7 * (double)n / ln2);
        sito_plan plan = solved((sito_plan){
            .kind = SITO_COUNTING, .nkeys = n, .ncells = m, .nhashes = 7, .cell_bits = b});
        double tail, bound;
        fine(sito_counting_overflow(&plan, &tail, &bound), &plan);
        printf("%u\t%u\t%.6f\t%.3g\t%.3g\t%.1f\t", b, 1u << b, 7 * (double)n / (double)m, tail,
               bound, bound / tail);
        if (b <= 4) printf("%.3g\t%" PRIu64, at_least[1u << b], cells);
        else printf("-\t-");
        printf("\t%.3g\t%.2f\n", tail * (double)m, plan.bits_per_key);
    }
}

/* ---- the lecture's example ---- */

static void example(const char *how, sito_plan plan, double said_bits, double said_rate,
                    uint64_t n) {
    plan.nkeys = n;
    plan = solved(plan);
    sito_filter *f = built(&plan, n);
    printf("%s\t%s\t%u", how, plan.kind, plan.nhashes);
    if (said_bits > 0) printf("\t%.3f", said_bits);
    else printf("\t-");
    printf("\t%.3f\t%.5f\t%.6f\t%.6f\n", plan.bits_per_key, said_rate, plan.real_fpr,
           let_in(f, 10 * n, SEED));
    sito_free(f);
}

static void of_example(uint64_t n) {
    uint64_t m7 = (uint64_t)ceil(7 * (double)n / ln2), m5 = (uint64_t)ceil(5 * (double)n / ln2);
    puts("how\tkind\tk\tsaid_bits_a_key\tbits_a_key\tsaid_rate\texact_rate\tmeasured_rate");
    printf("least possible\t-\t-\t-\t%.3f\t-\t%.6f\t-\n", log2(100), 0.01);
    example("one function (lecture)",
            (sito_plan){.kind = SITO_BLOOM, .ncells = 100 * n, .nhashes = 1}, 100, 0.01, n);
    example("one function, planned", (sito_plan){.kind = SITO_BLOOM, .fpr = 0.01, .nhashes = 1}, 0,
            0.01, n);
    example("7 tables of 2 n (lecture)",
            (sito_plan){.kind = SITO_PARTED, .ncells = 14 * n, .nhashes = 7}, 14, 0.01, n);
    example("7 tables, planned", (sito_plan){.kind = SITO_PARTED, .fpr = 0.01}, 0, 0.01, n);
    example("one table, k = log2 rounded up",
            (sito_plan){.kind = SITO_BLOOM, .ncells = m7, .nhashes = 7}, 7 / ln2, 1.0 / 128, n);
    example("one table, k = ln rounded up (slide)",
            (sito_plan){.kind = SITO_BLOOM, .ncells = m5, .nhashes = 5}, 5 / ln2, 0.01, n);
    example("one table, m = 10 n, k = 7",
            (sito_plan){.kind = SITO_BLOOM, .ncells = 10 * n, .nhashes = 7}, 10, 0.01, n);
    static const char *const kinds[] = {SITO_BLOOM, SITO_BLOCK, SITO_CUCKOO, SITO_FUSE,
                                        SITO_RIBBON};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        example("planned", (sito_plan){.kind = kinds[i], .fpr = 0.01}, 0, 0.01, n);
}

/* ---- the least possible ---- */

static void of_bound(uint64_t n) {
    static const struct {
        const char *name;
        sito_plan plan;
    } ways[] = {{"bloom", {.kind = SITO_BLOOM}},
                {"block", {.kind = SITO_BLOCK}},
                {"cuckoo", {.kind = SITO_CUCKOO, .layout = "bucket"}},
                {"cuckoo, windows", {.kind = SITO_CUCKOO, .layout = "window"}},
                {"fuse", {.kind = SITO_FUSE}},
                {"ribbon", {.kind = SITO_RIBBON}}};
    puts("kind\twanted\tbits_a_key\texact_rate\tmeasured_rate\tleast\tover_least");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (unsigned j = 4; j <= 40; j++) {
            sito_plan plan = ways[i].plan;
            plan.nkeys = n, plan.fpr = exp2(-(double)j / 2), plan.seed = SEED;
            if (sito_plan_solve(&plan) != SITO_OK) continue; /* this kind has no such rate */
            double least = log2(1 / plan.real_fpr);
            printf("%s\t%.4g\t%.4f\t%.6g\t", ways[i].name, plan.fpr, plan.bits_per_key,
                   plan.real_fpr);
            if (plan.real_fpr > 1e-4 && j % 2 == 0) {
                sito_filter *f = built(&plan, n);
                printf("%.6g", let_in(f, 4 * n, SEED));
                sito_free(f);
            } else putchar('-');
            printf("\t%.4f\t%.4f\n", least, plan.bits_per_key / least);
            fflush(stdout);
        }
}

/* log2 C(u, n), from the product itself: logarithms of factorials would lose all digits at u = 2^64. */
static double log2_choose(double u, uint64_t n) {
    double sum = 0;
    for (uint64_t i = 0; i < n; i++) sum += log2(u - (double)i) - log2((double)i + 1);
    return sum;
}

static void of_exact(uint64_t most) {
    static const unsigned widths[] = {20, 32, 64};
    static const char *const kinds[] = {SITO_EXACT, SITO_EXACT_CUCKOO};
    puts("universe_bits\tn\tlog2_choose_a_key\tlog2_u_over_n\texact\texact_cuckoo\tbitmap\tbloom_1_"
         "percent");
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (uint64_t n = 1000; n <= most; n *= 10) {
            double u = ldexp(1, (int)widths[w]);
            printf("%u\t%" PRIu64 "\t%.3f\t%.3f", widths[w], n, log2_choose(u, n) / (double)n,
                   log2(u / (double)n));
            for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
                sito_plan plan = solved((sito_plan){.kind = kinds[i], .nkeys = n});
                sito_filter *f;
                fine(sito_new(&plan, NULL, &f), &plan);
                /* Distinct keys of as few bytes as the universe needs. */
                for (uint64_t j = 0, step = widths[w] == 20 ? 1 : 4001; j < n; j++) {
                    uint64_t key = j * step;
                    fine(sito_add(f, &key, (widths[w] + 7) / 8), &plan);
                }
                sito_info info;
                fine(sito_look(f, &info), &plan);
                printf("\t%.1f", 8 * (double)info.bytes / (double)n);
                sito_free(f);
            }
            if (widths[w] <= 32) printf("\t%.1f", u / (double)n);
            else printf("\t-");
            printf("\t%.2f\n",
                   solved((sito_plan){.kind = SITO_BLOOM, .nkeys = n, .fpr = 0.01}).bits_per_key);
        }
}

int main(int argc, char **argv) {
    uint64_t effort = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const char *table = argc > 1 ? argv[1] : "";
    if (strcmp(table, "powers") == 0) of_powers();
    else if (strcmp(table, "rounding") == 0) of_rounding();
    else if (effort == 0) return fputs("usage: bloom TABLE EFFORT\n", stderr), 2;
    else if (strcmp(table, "tables") == 0) of_tables(effort);
    else if (strcmp(table, "overflow") == 0) of_overflow(effort);
    else if (strcmp(table, "example") == 0) of_example(effort);
    else if (strcmp(table, "bound") == 0) of_bound(effort);
    else if (strcmp(table, "exact") == 0) of_exact(effort);
    else return fputs("usage: bloom TABLE EFFORT\n", stderr), 2;
    return 0;
}
