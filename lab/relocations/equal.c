/* equal.c - bits a key and lookup time of cuckoo, bloom and counting at the same measured rate.
 *
 *   equal ROUNDS SLOTS LAYOUTS TAG...     2^SLOTS slots, the first so many layouts, tags of those sizes
 *
 * A cuckoo filter's rate goes in steps, by whole bits of its tag; a Bloom filter's does not. So each
 * cuckoo filter is filled to 95 % and its rate measured, and the others are planned for as many keys
 * at that rate. `bloom_bits` is what a Bloom filter of a row's rate takes, by its plan. */
#include "lookups.h"

#include <string.h>

enum { TESTED = 1 << 22 }; /* strangers a round */

struct subject {
    sito_plan plan;
    uint64_t nkeys;
    double load, rate, bits;
    bool too_full; /* it refused a key before it had all */
    double add[MOST_ROUNDS], lookup[NLOOKUPS][MOST_ROUNDS];
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

static void one_round(struct subject *s, uint64_t round, uint64_t rounds, struct questions *q) {
    sito_filter *f;
    sito_info info;
    s->plan.seed = 1 + round;
    if (s->too_full || sito_new(&s->plan, NULL, &f) != SITO_OK) return;
    double start = thread_ns(), ns[NLOOKUPS];
    s->too_full = add_batched(f, s->plan.seed, 0, s->nkeys) < s->nkeys;
    s->add[round] = (thread_ns() - start) / (double)s->nkeys;
    if (!s->too_full) {
        choose(q, s->plan.seed, s->nkeys);
        look_up(f, q, ns);
        for (size_t i = 0; i < NLOOKUPS; i++) s->lookup[i][round] = ns[i];
        s->rate += measured_rate(f, s->plan.seed) / (double)rounds;
        sito_look(f, &info);
        s->bits = 8 * (double)info.bytes / (double)s->nkeys;
    }
    sito_free(f);
}

static void row(struct subject *s, uint64_t rounds) {
    if (s->too_full) return;
    printf("%" PRIu64 "\t%s\t%s\t%u\t%u\t%g\t%.3f\t%.4g", s->nkeys, s->plan.kind,
           s->plan.layout ? s->plan.layout : "-", s->plan.bucket, s->plan.tag_bits, s->load,
           s->bits, s->rate);
    column("%.3f", bits_of_bloom(s->nkeys, s->rate));
    column("%.1f", median(s->add, rounds));
    for (size_t i = 0; i < NLOOKUPS; i++) column("%.1f", median(s->lookup[i], rounds));
    putchar('\n');
    fflush(stdout);
}

/* The rate that the others are planned for: that of the usual cuckoo filter with such tags. */
static double rate_to_match(const struct subject *usual, struct questions *q) {
    struct subject s = *usual;
    one_round(&s, 0, 1, q);
    return s.too_full ? NAN : s.rate;
}

static const struct {
    const char *layout;
    unsigned bucket;
    double load;
} layouts[] = {{"bucket", 4, 0.95},
               {"sorted", 4, 0.95},
               {"window", 2, 0.95},
               {"window", 4, 0.95},
               {"window", 4, 0.99}};
enum { NLAYOUTS = sizeof layouts / sizeof *layouts };

static const char *const others[] = {SITO_BLOOM, SITO_COUNTING};
enum { NOTHERS = sizeof others / sizeof *others };

/* All take turns, so that a busy minute of the machine meets them all. */
static void of_tag(unsigned tag, uint64_t slots, uint64_t rounds, size_t nlayouts,
                   struct questions *q) {
    static struct subject s[NLAYOUTS + NOTHERS];
    memset(s, 0, sizeof s);
    for (size_t i = 0; i < nlayouts; i++) {
        s[i].plan = (sito_plan){.kind = SITO_CUCKOO,
                                .layout = layouts[i].layout,
                                .bucket = layouts[i].bucket,
                                .tag_bits = tag,
                                .ncells = slots};
        s[i].load = layouts[i].load;
        s[i].nkeys = keys_at(s[i].load, slots);
    }
    double rate = rate_to_match(&s[0], q);
    if (isnan(rate)) return;
    for (size_t i = 0; i < NOTHERS; i++) {
        struct subject *o = &s[nlayouts + i];
        o->plan = (sito_plan){.kind = others[i], .nkeys = s[0].nkeys, .fpr = rate};
        o->nkeys = s[0].nkeys, o->load = 1;
    }
    for (uint64_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < nlayouts + NOTHERS; i++) one_round(&s[i], round, rounds, q);
    for (size_t i = 0; i < nlayouts + NOTHERS; i++) row(&s[i], rounds);
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    uint64_t rounds = strtoull(argv[1], NULL, 10),
             slots = (uint64_t)1 << strtoull(argv[2], NULL, 10),
             nlayouts = strtoull(argv[3], NULL, 10);
    if (rounds > MOST_ROUNDS || nlayouts > NLAYOUTS) return 2;
    struct questions *q = must(malloc(sizeof *q));
    pin();
    puts("keys\tkind\tlayout\tbucket\ttag_bits\tload\tbits\trate\tbloom_bits\t"
         "add_many_ns\t" LOOKUP_COLUMNS);
    for (int i = 4; i < argc; i++)
        of_tag((unsigned)strtoul(argv[i], NULL, 10), slots, rounds, nlayouts, q);
    free(q);
    return 0;
}
