/*
 * libbloom.c - how fast is `bloom` beside Debian's libbloom? Same keys of 8 bytes, 1 %, one core;
 * from key bytes to answer, hashing included. Beside both: one plain random read of a table of that
 * size, the least a query can cost.
 */
#include "ask.h"

#include <bloom.h>
#include <string.h>

enum { ASKED = 1 << 20 };

struct field {
    uint64_t nkeys, *inside, *strangers; /* ASKED keys of each sort to ask for, in random order */
    struct bloom peer;
    sito_filter *sito;
    uint8_t *table;
    uint64_t table_bytes;
};

static uint64_t key_at(uint64_t i) { return next_random(&i); }

/* ---- building ---- */

static double build_peer(struct field *f) {
    double start = process_ns();
    if (bloom_init(&f->peer, (int)f->nkeys, 0.01) != 0) exit(1);
    for (uint64_t i = 0; i < f->nkeys; i++) {
        uint64_t key = key_at(i);
        bloom_add(&f->peer, &key, sizeof key);
    }
    return (process_ns() - start) / (double)f->nkeys;
}

static void new_filter(struct field *f, sito_plan *plan) {
    *plan = (sito_plan){.nkeys = f->nkeys, .fpr = 0.01, .kind = SITO_BLOOM, .seed = 1};
    if (sito_plan_solve(plan) != SITO_OK || sito_new(plan, NULL, &f->sito) != SITO_OK) exit(1);
}

static double build_single(struct field *f) {
    sito_plan plan;
    double start = process_ns();
    new_filter(f, &plan);
    for (uint64_t i = 0; i < f->nkeys; i++) {
        uint64_t key = key_at(i);
        sito_add(f->sito, &key, sizeof key);
    }
    return (process_ns() - start) / (double)f->nkeys;
}

static double build_batched(struct field *f) {
    sito_plan plan;
    uint64_t hashes[BATCHED];
    double start = process_ns();
    new_filter(f, &plan);
    for (uint64_t i = 0; i < f->nkeys;) {
        size_t n = 0;
        for (; n < BATCHED && i < f->nkeys; n++, i++) {
            uint64_t key = key_at(i);
            hashes[n] = sito_hash_key(f->sito, &key, sizeof key);
        }
        sito_add_many(f->sito, hashes, n, NULL, NULL);
    }
    return (process_ns() - start) / (double)f->nkeys;
}

/* ---- asking ---- */

static double ask_peer(struct field *f, const uint64_t *keys, uint64_t *sum) {
    double start = thread_ns();
    for (size_t i = 0; i < ASKED; i++)
        *sum += (unsigned)bloom_check(&f->peer, &keys[i], sizeof keys[i]);
    return (thread_ns() - start) / ASKED;
}

static double read_plain(struct field *f, const uint64_t *keys, uint64_t *sum) {
    double start = thread_ns();
    for (size_t i = 0; i < ASKED; i++)
        *sum += f->table[(uint64_t)((unsigned __int128)keys[i] * f->table_bytes >> 64)];
    return (thread_ns() - start) / ASKED;
}

static void against(const struct field *f, const char *what, const struct figure *peer,
                    const struct figure *sito) {
    char name[64];
    snprintf(name, sizeof name, "libbloom / sito %s", what);
    report_against("bloom", name, f->nkeys, peer, sito);
}

int main(int argc, char **argv) {
    struct field f = {.nkeys = argc > 1 ? number(argv[1]) : 10000000};
    struct figure build[3] = {0}, ask[7] = {0};
    pin();
    f.inside = must(malloc(ASKED * sizeof *f.inside));
    f.strangers = must(malloc(ASKED * sizeof *f.strangers));
    uint64_t state = 7;
    for (size_t i = 0; i < ASKED; i++) {
        f.inside[i] = key_at(next_random(&state) % f.nkeys);
        f.strangers[i] = next_random(&state);
    }
    f.table_bytes = f.nkeys * 12 / 10;
    f.table = must(malloc(f.table_bytes));
    memset(f.table, 1, f.table_bytes);

    for (int r = 0; r < ROUNDS; r++) {
        if (r) bloom_free(&f.peer), sito_free(f.sito);
        build[0].ns[r] = build_peer(&f);
        build[1].ns[r] = build_single(&f);
        sito_free(f.sito);
        build[2].ns[r] = build_batched(&f);
        ask[0].ns[r] = ask_peer(&f, f.inside, &ask[0].sum);
        ask[1].ns[r] = ask_single(f.sito, f.inside, ASKED, &ask[1].sum);
        ask[2].ns[r] = ask_batched(f.sito, f.inside, ASKED, &ask[2].sum);
        ask[3].ns[r] = ask_peer(&f, f.strangers, &ask[3].sum);
        ask[4].ns[r] = ask_single(f.sito, f.strangers, ASKED, &ask[4].sum);
        ask[5].ns[r] = ask_batched(f.sito, f.strangers, ASKED, &ask[5].sum);
        ask[6].ns[r] = read_plain(&f, f.strangers, &ask[6].sum);
    }
    report("bloom", "libbloom", "build", f.nkeys, &build[0]);
    report("bloom", "sito", "build one by one", f.nkeys, &build[1]);
    report("bloom", "sito", "build batched", f.nkeys, &build[2]);
    against(&f, "one by one, build", &build[0], &build[1]);
    against(&f, "batched, build", &build[0], &build[2]);
    for (int i = 0; i < 6; i += 3) {
        const char *what = i ? "stranger" : "inside";
        report("bloom", "libbloom", what, f.nkeys, &ask[i]);
        report("bloom", "sito single", what, f.nkeys, &ask[i + 1]);
        report("bloom", "sito batched", what, f.nkeys, &ask[i + 2]);
        against(&f, i ? "single, stranger" : "single, inside", &ask[i], &ask[i + 1]);
        against(&f, i ? "batched, stranger" : "batched, inside", &ask[i], &ask[i + 2]);
    }
    report("bloom", "machine", "one plain random read", f.nkeys, &ask[6]);
    return 0;
}
