/* merge.c - how near to memory's speed are union and fold? Of block filters for a million to a
 * billion keys at 1 %, beside memcpy() of as many bytes to memory that is there: gigabytes of table
 * a second, CPU time, the least of the rounds. Fold leaves a table of half the size, and gives the
 * rest of its memory back. */
#include "fill.h"

#include <string.h>

enum { UNION, FOLD, COPY, NJOBS };

static const char *const jobs[NJOBS] = {"union", "fold", "memcpy"};

static double one_round(int job, sito_filter *a, const sito_filter *b, uint8_t *const table[2],
                        uint64_t bytes) {
    sito_filter *half = NULL;
    if (job == FOLD) check(sito_copy(a, NULL, &half), "copy");
    double start = thread_ns();
    if (job == UNION) check(sito_merge(a, b), "merge");
    if (job == FOLD) check(sito_fold(half, 1), "fold");
    if (job == COPY) memcpy(table[0], table[1], bytes);
    double ns = thread_ns() - start;
    sito_free(half);
    return ns / (double)bytes;
}

/* Some keys, so that no page is one that nobody wrote: those are all the same page. */
static void measure(uint64_t nkeys) {
    enum { SOME = 4000000 };
    sito_plan plan = {.kind = SITO_BLOCK, .nkeys = nkeys, .fpr = 0.01, .seed = 1};
    struct figure figure[NJOBS] = {0};
    sito_filter *a, *b;
    sito_info info;
    check(sito_plan_solve(&plan), "plan");
    check(sito_new(&plan, NULL, &a), "new");
    check(sito_new(&plan, NULL, &b), "new");
    add_numbers(a, 0, SOME);
    add_numbers(b, SOME, 2 * SOME);
    check(sito_look(a, &info), "look");
    uint8_t *table[2] = {must(malloc(info.bytes)), must(malloc(info.bytes))};
    memset(table[0], 1, info.bytes), memset(table[1], 2, info.bytes);
    for (int r = 0; r < ROUNDS; r++)
        for (int job = 0; job < NJOBS; job++) {
            figure[job].ns[r] = one_round(job, a, b, table, info.bytes);
            figure[job].sum += table[0][(size_t)r];
        }
    for (int job = 0; job < NJOBS; job++) {
        qsort(figure[job].ns, ROUNDS, sizeof *figure[job].ns, ascending);
        figure[job].sum += sito_maybe_hash(a, hash_of(SOME));
    }
    for (int job = 0; job < NJOBS; job++)
        printf("{\"bench\":\"merge\",\"what\":\"%s\",\"bytes\":%" PRIu64
               ",\"gb_per_s\":%.2f,\"of_memcpy\":%.2f,\"of_medians\":%.2f,\"sum\":%" PRIu64 "}\n",
               jobs[job], info.bytes, 1 / figure[job].ns[0], figure[COPY].ns[0] / figure[job].ns[0],
               figure[COPY].ns[ROUNDS / 2] / figure[job].ns[ROUNDS / 2], figure[job].sum);
    fflush(stdout);
    sito_free(a), sito_free(b);
    free(table[0]), free(table[1]);
}

int main(void) {
    pin();
    for (uint64_t nkeys = 1000000; nkeys <= 1000000000; nkeys *= 10) measure(nkeys);
    return 0;
}
