/* times.c - what do an insert and a lookup cost under each rule?   times ROUNDS LARGEST
 *
 * CPU time of the thread, nanoseconds, the median of ROUNDS: of an insert on the way from the load
 * before to this one, one by one and in batches, and of lookups at this load. The rules take turns, so that a busy minute of
 * the machine meets them all. 12-bit tags, buckets of four. */
#include "lookups.h"

enum { ONE_BY_ONE, BATCHED, NWAYS };

struct times {
    double insert[NLOADS][NWAYS][MOST_ROUNDS];
    double lookup[NLOADS][NLOOKUPS][MOST_ROUNDS];
};

static uint64_t add_each(sito_filter *f, uint64_t seed, uint64_t from, uint64_t to) {
    while (from < to && sito_add_hash(f, hash_at(seed, KEYS, from)) >= 0) from++;
    return from;
}

static void one_round(struct wish w, uint64_t round, struct times *t, struct questions *q) {
    uint64_t seed = 1 + round;
    for (int way = ONE_BY_ONE; way < NWAYS; way++) {
        sito_filter *f = filter_of(w, seed);
        uint64_t n = 0;
        for (size_t l = 0; l < NLOADS; l++) {
            uint64_t goal = keys_at(loads[l], w.slots), from = n;
            double start = thread_ns(), ns[NLOOKUPS] = {NAN, NAN, NAN, NAN};
            n = way == BATCHED ? add_batched(f, seed, n, goal) : add_each(f, seed, n, goal);
            double each = (thread_ns() - start) / (double)(goal - from);
            t->insert[l][way][round] = n == goal ? each : NAN;
            if (way == BATCHED) continue;
            if (n == goal) choose(q, seed, n), look_up(f, q, ns);
            for (size_t i = 0; i < NLOOKUPS; i++) t->lookup[l][i][round] = ns[i];
        }
        sito_free(f);
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    uint64_t rounds = strtoull(argv[1], NULL, 10), largest = strtoull(argv[2], NULL, 10);
    if (rounds > MOST_ROUNDS) return 2;
    struct questions *q = must(malloc(sizeof *q));
    struct times *t = must(malloc(NRULES * sizeof *t));
    pin();
    puts("slots\trule\tload\tinsert_ns\tinsert_many_ns\t" LOOKUP_COLUMNS);
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
                for (size_t i = 0; i < NWAYS; i++)
                    column("%.1f", median(t[r].insert[l][i], rounds));
                for (size_t i = 0; i < NLOOKUPS; i++)
                    column("%.1f", median(t[r].lookup[l][i], rounds));
                putchar('\n');
            }
        fflush(stdout);
    }
    free(t), free(q);
    return 0;
}
