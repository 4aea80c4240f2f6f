/* kinds.c - what does each kind cost? A million keys of 8 bytes at 1 % unless told otherwise: bits
 * a key, the measured rate, and nanoseconds from key bytes to answer, one by one and in batches.
 * Keys: kinds N. */
#include "ask.h"

#include <string.h>

enum { ASKED = 1 << 19 };

static uint64_t key_at(uint64_t i) { return next_random(&i); }

static double add_all(sito_filter *f, uint64_t nkeys) {
    double start = thread_ns();
    for (uint64_t i = 0; i < nkeys; i++) {
        uint64_t key = key_at(i);
        if (sito_add(f, &key, sizeof key) < 0) exit(1);
    }
    return (thread_ns() - start) / (double)nkeys;
}

int main(int argc, char **argv) {
    uint64_t nkeys = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000, state = 7;
    uint64_t *inside = must(malloc(ASKED * sizeof *inside));
    uint64_t *strangers = must(malloc(ASKED * sizeof *strangers));
    pin();
    for (size_t i = 0; i < ASKED; i++) {
        inside[i] = key_at(next_random(&state) % nkeys);
        strangers[i] = next_random(&state);
    }
    for (size_t kind = 0; sito_kind_at(kind); kind++) {
        struct figure add = {0}, ask[4] = {0};
        sito_info info = {0};
        for (int r = 0; r < ROUNDS; r++) {
            sito_plan plan = {
                .kind = sito_kind_at(kind), .nkeys = nkeys, .fpr = 0.01, .seed = 1 + (uint64_t)r};
            if (!strcmp(plan.kind, SITO_AGED)) plan.window = nkeys;
            sito_filter *f;
            if (sito_new(&plan, NULL, &f) != SITO_OK) return 1;
            add.ns[r] = add_all(f, nkeys);
            ask[0].ns[r] = ask_single(f, inside, ASKED, &ask[0].sum);
            ask[1].ns[r] = ask_single(f, strangers, ASKED, &ask[1].sum);
            ask[2].ns[r] = ask_batched(f, inside, ASKED, &ask[2].sum);
            ask[3].ns[r] = ask_batched(f, strangers, ASKED, &ask[3].sum);
            sito_look(f, &info);
            sito_free(f);
        }
        if (ask[0].sum != (uint64_t)ROUNDS * ASKED) return 1;
        printf("{\"bench\":\"kinds\",\"who\":\"%s\",\"n\":%" PRIu64
               ",\"bits_per_key\":%.2f,\"promised\":%.6f,\"measured\":%.6f}\n",
               info.kind, nkeys, 8 * (double)info.bytes / (double)nkeys, info.real_fpr,
               (double)ask[1].sum / ((double)ROUNDS * ASKED));
        report("kinds", info.kind, "add", nkeys, &add);
        report("kinds", info.kind, "inside, one by one", nkeys, &ask[0]);
        report("kinds", info.kind, "stranger, one by one", nkeys, &ask[1]);
        report("kinds", info.kind, "inside, batched", nkeys, &ask[2]);
        report("kinds", info.kind, "stranger, batched", nkeys, &ask[3]);
    }
    free(inside), free(strangers);
    return 0;
}
