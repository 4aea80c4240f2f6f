/*
 * cuckoo.c - how near to the machine's limit are a cuckoo filter's answers? Batched questions at
 * 0.1 % for each layout, and for bloom and counting beside them, each against the best raw read of an
 * array as large. A cuckoo filter reads two lines, the others up to k.
 * cuckoo [KEYS [WHO]].
 */
#define ROUNDS 61
#include "near.h"

#include <string.h>

/* A pass takes about as long as one of raw reads: of short and long passes in a noisy machine, the
 * least of the short ones is the luckier. */
static size_t asked_at_once(const sito_plan *plan) {
    size_t n = LIMIT_READS;
    for (unsigned lines = plan->nhashes ? plan->nhashes : 2; lines > 1; lines /= 2) n /= 2;
    return n;
}

static void measure(const char *who, sito_plan plan) {
    sito_filter *f;
    sito_info info;
    check(sito_plan_solve(&plan), who);
    check(sito_new(&plan, NULL, &f), who);
    add_numbers(f, 0, plan.nkeys);
    sito_look(f, &info);
    struct near *near = near_new(info.bytes, plan.nkeys, asked_at_once(&plan));
    for (int r = 0; r < ROUNDS; r++) near_round(near, f, r);
    printf("{\"bench\":\"cuckoo\",\"who\":\"%s\",\"n\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"bits_per_key\":%.2f,\"nhashes\":%u,\"tag_bits\":%u,\"measured\":%.6f}\n",
           who, plan.nkeys, info.bytes, 8 * (double)info.bytes / (double)plan.nkeys, plan.nhashes,
           plan.tag_bits, near_rate(near));
    near_tell(near, "cuckoo", who);
    near_free(near);
    sito_free(f);
}

int main(int argc, char **argv) {
    static const struct {
        const char *who, *kind, *layout;
    } rows[] = {{"bucket", SITO_CUCKOO, "bucket"},
                {"sorted", SITO_CUCKOO, "sorted"},
                {"window", SITO_CUCKOO, "window"},
                {"bloom", SITO_BLOOM, NULL},
                {"counting", SITO_COUNTING, NULL}};
    uint64_t nkeys = argc > 1 ? number(argv[1]) : 10000000;
    pin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sito_plan plan = {.nkeys = nkeys,
                          .fpr = 0.001,
                          .seed = 1,
                          .kind = rows[i].kind,
                          .layout = rows[i].layout};
        if (argc > 2 && strcmp(argv[2], rows[i].who)) continue;
        if (sito_abilities(plan.kind)) measure(rows[i].who, plan);
        else fprintf(stderr, "cuckoo: no kind %s here\n", plan.kind);
    }
    return 0;
}
