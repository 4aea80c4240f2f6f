/* relocations.c - how many stored tags does an insert move, how long do chains get, and at which
 * load is the first key refused?
 *
 *   relocations rules|fills|tags|buckets|limits|layouts FILLS LARGEST [FILLS_OF_LARGE]
 *
 * FILLS tables of each shape, none of more than 2^LARGEST slots (by rules, FILLS_OF_LARGE of those
 * beyond 2^20); one row a shape. Moves and longest chain are from empty to that load: moves the mean
 * of all fills, the chain the longest of all. A load that not every fill reached is "-". */
#include "fill.h"

#include <string.h>

struct outcome {
    double moves[NLOADS]; /* an insert, on average, from empty to that load */
    double longest[NLOADS];
    double first;  /* load at the first refusal */
    double copies; /* of the refused tag, already in its two places */
    double bits;   /* of the table, for each key that went in */
};

/* Removes by hash say how many copies there were; afterwards the filter is spoilt. */
static unsigned copies_of(sito_filter *f, uint64_t hash) {
    unsigned n = 0;
    while (sito_remove_hash(f, hash) == 1) n++;
    return n;
}

static struct outcome fill(struct wish w, uint64_t seed) {
    struct outcome out = {0};
    sito_filter *f = filter_of(w, seed);
    uint64_t n = 0;
    for (size_t i = 0; i < NLOADS; i++) out.moves[i] = out.longest[i] = NAN;
    for (size_t i = 0; i < NLOADS; i++) {
        uint64_t goal = keys_at(loads[i], w.slots);
        if ((n = add_batched(f, seed, n, goal)) < goal) break;
        out.moves[i] = fact(f, "moves") / (double)n;
        out.longest[i] = fact(f, "longest");
    }
    n = add_batched(f, seed, n, w.slots);
    sito_info info;
    if (sito_look(f, &info) != SITO_OK) exit(1);
    out.first = (double)n / (double)w.slots;
    out.bits = 8 * (double)info.bytes / (double)n;
    if (n < w.slots) out.copies = copies_of(f, hash_at(seed, KEYS, n));
    sito_free(f);
    return out;
}

/* ---- many fills -> one row ---- */

static void header(void) {
    printf("rule\tlayout\tbucket\ttag_bits\tslots\tmax_moves\tfills");
    for (size_t i = 0; i < NLOADS; i++)
        printf("\tmoves_%g\tlongest_%g", 100 * loads[i], 100 * loads[i]);
    puts("\tmoves_95_least\tmoves_95_most\tfirst_least\tfirst_mean\tfirst_most\tcopies_most\tbits");
}

static void row(struct wish w, uint64_t fills) {
    struct outcome sum = {0};
    double least_moves = INFINITY, most_moves = 0, least = 1, most = 0, copies = 0;
    for (uint64_t seed = 1; seed <= fills; seed++) {
        struct outcome one = fill(w, seed);
        for (size_t i = 0; i < NLOADS; i++) {
            sum.moves[i] += one.moves[i];
            sum.longest[i] = isnan(one.longest[i]) ? NAN : fmax(sum.longest[i], one.longest[i]);
        }
        least_moves = fmin(least_moves, one.moves[4]);
        most_moves = fmax(most_moves, one.moves[4]);
        least = fmin(least, one.first);
        most = fmax(most, one.first);
        copies = fmax(copies, one.copies);
        sum.first += one.first;
        sum.bits += one.bits;
    }
    printf("%s\t%s\t%u\t%u\t%" PRIu64 "\t%u\t%" PRIu64, w.rule, w.layout, w.bucket, w.tag_bits,
           w.slots, w.max_moves, fills);
    for (size_t i = 0; i < NLOADS; i++) {
        column("%.5f", sum.moves[i] / (double)fills);
        column("%.0f", isnan(sum.moves[i]) ? NAN : sum.longest[i]);
    }
    bool all = !isnan(sum.moves[4]);
    column("%.5f", all ? least_moves : NAN);
    column("%.5f", all ? most_moves : NAN);
    column("%.5f", least);
    column("%.5f", sum.first / (double)fills);
    column("%.5f", most);
    column("%.0f", copies);
    column("%.3f", sum.bits / (double)fills);
    putchar('\n');
    fflush(stdout);
}

/* ---- which shapes ---- */

static const struct wish usual = {
    .rule = "path", .layout = "bucket", .bucket = 4, .tag_bits = 12, .max_moves = 500};

static uint64_t fills_of_large;

static void of_rules(uint64_t fills, uint64_t largest) {
    static const uint64_t sizes[] = {1 << 16, 100000,  1 << 18,  1000000,
                                     1 << 20, 1 << 22, 10000000, 1 << 24};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned tag = 8; tag <= 16; tag += 4)
            for (size_t r = 0; r < NRULES; r++) {
                struct wish w = usual;
                w.rule = rules[r], w.tag_bits = tag, w.slots = sizes[i];
                if (w.slots <= largest) row(w, w.slots > 1 << 20 ? fills_of_large : fills);
            }
}

/* The first refusal over very many fills: its least matters, so one small size. */
static void of_fills(uint64_t fills, uint64_t largest) {
    for (unsigned tag = 8; tag <= 16; tag += 4)
        for (size_t r = 0; r < NRULES; r++) {
            struct wish w = usual;
            w.rule = rules[r], w.tag_bits = tag, w.slots = largest;
            row(w, fills);
        }
}

/* Small tags: the fewer there are, the more of them are equal. */
static void of_tags(uint64_t fills, uint64_t largest) {
    for (unsigned tag = 4; tag <= 10; tag++) {
        struct wish w = usual;
        w.tag_bits = tag, w.slots = largest;
        row(w, fills);
    }
}

static void of_buckets(uint64_t fills, uint64_t largest) {
    for (unsigned bucket = 1; bucket <= 8; bucket *= 2)
        for (size_t r = 0; r < NRULES; r++) {
            struct wish w = usual;
            w.rule = rules[r], w.bucket = bucket, w.slots = largest;
            row(w, fills);
        }
}

static void of_limits(uint64_t fills, uint64_t largest) {
    static const unsigned limits[] = {1,  2,  3,  4,   5,   6,   8,    12,   20,
                                      32, 50, 80, 125, 200, 500, 1000, 2000, 5000};
    for (size_t r = 0; r < NRULES; r++)
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            struct wish w = usual;
            w.rule = rules[r], w.max_moves = limits[i], w.slots = largest;
            row(w, fills);
        }
}

static void of_layouts(uint64_t fills, uint64_t largest) {
    static const struct wish layouts[] = {{.layout = "bucket", .bucket = 4},
                                          {.layout = "sorted", .bucket = 4},
                                          {.layout = "window", .bucket = 2},
                                          {.layout = "window", .bucket = 4}};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (unsigned tag = 8; tag <= 16; tag += 4)
            for (size_t r = 0; r < NRULES; r++) {
                struct wish w = usual;
                w.layout = layouts[i].layout, w.bucket = layouts[i].bucket;
                w.rule = rules[r], w.tag_bits = tag, w.slots = largest;
                row(w, fills);
            }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*rows)(uint64_t fills, uint64_t largest);
    } tables[] = {{"rules", of_rules},     {"fills", of_fills},   {"tags", of_tags},
                  {"buckets", of_buckets}, {"limits", of_limits}, {"layouts", of_layouts}};
    for (size_t i = 0; (argc == 4 || argc == 5) && i < sizeof tables / sizeof *tables; i++)
        if (strcmp(argv[1], tables[i].name) == 0) {
            header();
            fills_of_large = strtoull(argv[argc == 5 ? 4 : 2], NULL, 10);
            tables[i].rows(strtoull(argv[2], NULL, 10), (uint64_t)1 << strtoull(argv[3], NULL, 10));
            return 0;
        }
    fprintf(stderr, "usage: relocations rules|fills|tags|buckets|limits|layouts FILLS LARGEST "
                    "[FILLS_OF_LARGE]\n");
    return 2;
}
