/*
 * scalable.c - what does it cost not to know how many keys will come?
 *
 * A scalable filter for 1,000 keys at 0.1 % grows to N (1e8 unless told otherwise). On the way, at
 * numbers of keys evenly spaced in their logarithm, it is held against a `bloom` planned for just so
 * many: bytes, and nanoseconds a question in batches, half of the keys inside; and its rate against
 * the promise. Then the averages, the worst, and the longest that one add took.
 *     scalable [N] [LAYER] [EXPANSION]
 */
#define ROUNDS 5
#include "fill.h"

#include <math.h>

enum { ASKED = 1 << 18, STRANGERS = 1 << 20, FIRST = 1000, AFTER = 2048 };

static const double RATE = 0.001;
static double slowest_ns;

static double fact_of(const sito_filter *f, const char *name) {
    double v = 0;
    check(sito_fact(f, name, &v), name);
    return v;
}

/* Keys number `from` to `to`, less one; those that open a layer, and some behind, by the clock. */
static void grow_to(sito_filter *f, uint64_t from, uint64_t to) {
    while (from < to) {
        uint64_t room = (uint64_t)fact_of(f, "room"), timed;
        if (from < room) {
            uint64_t until = room < to ? room : to;
            add_numbers(f, from, until);
            from = until;
            continue;
        }
        for (timed = 0; timed < AFTER && from < to; timed++) {
            double start = thread_ns();
            if (sito_add_hash(f, hash_of(from++)) < 0) exit(1);
            double took = thread_ns() - start;
            if (took > slowest_ns) slowest_ns = took;
        }
    }
}

static double measured_rate(const sito_filter *f) {
    uint64_t hashes[BATCHED], wrong = 0, state = 77;
    uint8_t answers[BATCHED];
    for (int i = 0; i < STRANGERS; i += BATCHED) {
        for (int j = 0; j < BATCHED; j++) hashes[j] = next_random(&state) ^ 0x5555;
        sito_maybe_many(f, hashes, BATCHED, answers);
        for (int j = 0; j < BATCHED; j++) wrong += answers[j];
    }
    return (double)wrong / STRANGERS;
}

int main(int argc, char **argv) {
    double most = argc > 1 ? strtod(argv[1], NULL) : 1e8, points = 0, space = 0, worst_space = 0;
    double times = 0, worst_time = 0, worst_rate = 0;
    sito_plan plan = {.kind = SITO_SCALABLE, .nkeys = FIRST, .fpr = RATE, .seed = 1};
    if (argc > 2) plan.layer = argv[2];
    if (argc > 3) plan.expansion = (unsigned)strtoul(argv[3], NULL, 10);
    sito_filter *f = NULL;
    uint64_t *hashes = must(malloc(ASKED * sizeof *hashes)), n = 0;
    pin();
    check(sito_new(&plan, NULL, &f), "new");
    for (double log_n = 3; log_n <= log10(most) + 1e-9; log_n += 0.125) {
        uint64_t to = (uint64_t)llround(pow(10, log_n)), state = to;
        grow_to(f, n, to);
        n = to;
        sito_plan like = {.kind = SITO_BLOOM, .nkeys = n, .fpr = RATE, .seed = 1};
        sito_filter *bloom = NULL;
        check(sito_new(&like, NULL, &bloom), "bloom");
        add_numbers(bloom, 0, n);
        for (size_t i = 0; i < ASKED; i++) {
            uint64_t drawn = next_random(&state);
            hashes[i] = drawn & 1 ? hash_of((drawn >> 1) % n) : next_random(&state);
        }
        struct figure mine = {0}, theirs = {0};
        for (int r = 0; r < ROUNDS; r++) {
            mine.ns[r] = ask_hashes(f, hashes, ASKED, &mine.sum);
            theirs.ns[r] = ask_hashes(bloom, hashes, ASKED, &theirs.sum);
        }
        sito_info info, other;
        sito_look(f, &info), sito_look(bloom, &other);
        report("scalable", "scalable", "half inside, batched", n, &mine);
        report("scalable", "bloom", "half inside, batched", n, &theirs);
        double ratio = mine.ns[0] / theirs.ns[0], more = (double)info.bytes / (double)other.bytes;
        printf(
            "{\"bench\":\"scalable\",\"n\":%" PRIu64
            ",\"layers\":%.0f,\"space\":%.3f,\"time\":%.2f,\"present\":%.3e,\"measured\":%.3e}\n",
            n, fact_of(f, "layers"), more, ratio, info.present_fpr, measured_rate(f));
        fflush(stdout);
        points++, space += more, times += ratio;
        worst_space = fmax(worst_space, more), worst_time = fmax(worst_time, ratio);
        worst_rate = fmax(worst_rate, info.present_fpr);
        sito_free(bloom);
    }
    printf("{\"bench\":\"scalable\",\"space_mean\":%.3f,\"space_worst\":%.3f,\"time_mean\":%.2f,"
           "\"time_worst\":%.2f,\"rate_worst\":%.3e,\"slowest_add_ms\":%.3f}\n",
           space / points, worst_space, times / points, worst_time, worst_rate, slowest_ns / 1e6);
    sito_free(f);
    free(hashes);
    return 0;
}
