/* times.c - what do an insert and a lookup cost under each rule?   times ROUNDS LARGEST
 *
 * CPU time of the thread, nanoseconds, the median of ROUNDS: of an insert on the way from the load
 * before to this one, and of lookups at this load. The rules take turns, so that a busy minute of
 * the machine meets them all. 12-bit tags, buckets of four. */
#include "lookups.h"

struct times {
    double insert[NLOADS][MOST_ROUNDS];
    double lookup[NLOADS][NLOOKUPS][MOST_ROUNDS];
};

static bool add_until(sito_filter *f, uint64_t seed, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++)
        if (sito_add_hash(f, hash_at(seed, KEYS, i)) < 0) return false;
    return true;
}

static void one_round(struct wish w, uint64_t round, struct times *t, struct questions *q) {
    uint64_t seed = 1 + round, from = 0;
    sito_filter *f = filter_of(w, seed);
    bool going = true;
    for (size_t l = 0; l < NLOADS; l++) {
        uint64_t to = keys_at(loads[l], w.slots);
        double start = thread_ns();
        going = going && add_until(f, seed, from, to);
        t->insert[l][round] = going ? (thread_ns() - start) / (double)(to - from) : NAN;
        double ns[NLOOKUPS] = {NAN, NAN, NAN, NAN};
        if (going) {
            choose(q, seed, to);
            look_up(f, q, ns);
        }
        for (size_t i = 0; i < NLOOKUPS; i++) t->lookup[l][i][round] = ns[i];
        from = to;
    }
    sito_free(f);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    uint64_t rounds = strtoull(argv[1], NULL, 10), largest = strtoull(argv[2], NULL, 10);
    if (rounds > MOST_ROUNDS) return 2;
    struct questions *q = must(malloc(sizeof *q));
    struct times *t = must(malloc(NRULES * sizeof *t));
    pin();
    puts("slots\trule\tload\tinsert_ns\t" LOOKUP_COLUMNS);
    for (uint64_t size = 16; size <= largest; size += 4) {
        for (uint64_t round = 0; round < rounds; round++)
            for (size_t r = 0; r < NRULES; r++)
                one_round((struct wish){.rule = rules[r],
                                        .layout = "bucket",
                                        .bucket = 4,
                                        .tag_bits = 12,
                                        .slots = (uint64_t)1 << size},
                          round, &t[r], q);
        for (size_t r = 0; r < NRULES; r++)
            for (size_t l = 0; l < NLOADS; l++) {
                printf("%" PRIu64 "\t%s\t%g", (uint64_t)1 << size, rules[r], loads[l]);
                column("%.1f", median(t[r].insert[l], rounds));
                for (size_t i = 0; i < NLOOKUPS; i++)
                    column("%.1f", median(t[r].lookup[l][i], rounds));
                putchar('\n');
            }
        fflush(stdout);
    }
    free(t), free(q);
    return 0;
}
