/* equal.c - bits a key and lookup time of cuckoo, bloom and counting at the same measured rate.
 *
 *   equal ROUNDS SLOTS LAYOUTS TAG...     2^SLOTS slots, the first so many layouts, tags of those sizes
 *
 * A cuckoo filter's rate goes in steps, by whole bits of its tag; a Bloom filter's does not. So each
 * cuckoo filter is filled to 95 % and its rate measured, and the others are planned for as many keys
 * at that rate. `bloom_bits` is what a Bloom filter of a row's rate takes, by its plan. */
#include "lookups.h"

#include <string.h>

enum { TESTED = 1 << 21 }; /* strangers a round */

struct subject {
    sito_plan plan;
    uint64_t nkeys;
    double load, rate;
};

static double measured_rate(const sito_filter *f, uint64_t seed) {
    static uint64_t hashes[BATCH];
    static uint8_t answers[BATCH];
    uint64_t yes = 0;
    for (uint64_t i = 0; i < TESTED; i += BATCH) {
        for (uint64_t j = 0; j < BATCH; j++) hashes[j] = hash_at(seed, STRANGERS, i + j);
        sito_maybe_many(f, hashes, BATCH, answers);
        for (uint64_t j = 0; j < BATCH; j++) yes += answers[j];
    }
    return (double)yes / TESTED;
}

static double bits_of_bloom(uint64_t nkeys, double rate) {
    sito_plan plan = {.kind = SITO_BLOOM, .nkeys = nkeys, .fpr = rate, .seed = 1};
    return sito_plan_solve(&plan) == SITO_OK ? plan.bits_per_key : NAN;
}

/* Fills, measures, prints a row; false if the filter refused a key before it had all. */
static bool measure(struct subject *s, uint64_t rounds, struct questions *q) {
    static double add[MOST_ROUNDS], lookup[NLOOKUPS][MOST_ROUNDS];
    sito_info info;
    s->rate = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        sito_filter *f;
        s->plan.seed = 1 + round;
        if (sito_new(&s->plan, NULL, &f) != SITO_OK) return false;
        double start = thread_ns(), ns[NLOOKUPS];
        for (uint64_t i = 0; i < s->nkeys; i++)
            if (sito_add_hash(f, hash_at(s->plan.seed, KEYS, i)) < 0) return sito_free(f), false;
        add[round] = (thread_ns() - start) / (double)s->nkeys;
        choose(q, s->plan.seed, s->nkeys);
        look_up(f, q, ns);
        for (size_t i = 0; i < NLOOKUPS; i++) lookup[i][round] = ns[i];
        s->rate += measured_rate(f, s->plan.seed) / (double)rounds;
        sito_look(f, &info);
        sito_free(f);
    }
    double bits = 8 * (double)info.bytes / (double)s->nkeys;
    printf("%" PRIu64 "\t%s\t%s\t%u\t%u\t%g\t%.3f\t%.4g", s->nkeys, s->plan.kind,
           s->plan.layout ? s->plan.layout : "-", s->plan.bucket, s->plan.tag_bits, s->load, bits,
           s->rate);
    column("%.3f", bits_of_bloom(s->nkeys, s->rate));
    column("%.1f", median(add, rounds));
    for (size_t i = 0; i < NLOOKUPS; i++) column("%.1f", median(lookup[i], rounds));
    putchar('\n');
    fflush(stdout);
    return true;
}

static void measure_tag(unsigned tag, uint64_t slots, uint64_t rounds, uint64_t nlayouts,
                        struct questions *q) {
    static const struct {
        const char *layout;
        unsigned bucket;
        double load;
    } layouts[] = {{"bucket", 4, 0.95},
                   {"sorted", 4, 0.95},
                   {"window", 2, 0.95},
                   {"window", 4, 0.95},
                   {"window", 4, 0.99}};
    struct subject usual = {0};
    for (size_t i = 0; i < nlayouts && i < sizeof layouts / sizeof *layouts; i++) {
        struct subject s = {.plan = {.kind = "cuckoo",
                                     .layout = layouts[i].layout,
                                     .bucket = layouts[i].bucket,
                                     .tag_bits = tag,
                                     .ncells = slots},
                            .load = layouts[i].load,
                            .nkeys = keys_at(layouts[i].load, slots)};
        bool filled = measure(&s, rounds, q);
        if (i == 0 && !filled) return;
        if (i == 0) usual = s;
    }
    const char *others[] = {SITO_BLOOM, "counting"};
    for (size_t i = 0; i < 2; i++) {
        if (!sito_abilities(others[i])) continue;
        struct subject s = {.plan = {.kind = others[i], .nkeys = usual.nkeys, .fpr = usual.rate},
                            .load = 1,
                            .nkeys = usual.nkeys};
        measure(&s, rounds, q);
    }
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    uint64_t rounds = strtoull(argv[1], NULL, 10),
             slots = (uint64_t)1 << strtoull(argv[2], NULL, 10),
             nlayouts = strtoull(argv[3], NULL, 10);
    if (rounds > MOST_ROUNDS) return 2;
    struct questions *q = must(malloc(sizeof *q));
    pin();
    puts("keys\tkind\tlayout\tbucket\ttag_bits\tload\tbits\trate\tbloom_bits\tadd_"
         "ns\t" LOOKUP_COLUMNS);
    for (int i = 4; i < argc; i++)
        measure_tag((unsigned)strtoul(argv[i], NULL, 10), slots, rounds, nlayouts, q);
    free(q);
    return 0;
}
