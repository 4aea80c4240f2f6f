/*
 * cuckoo.c - is a cuckoo filter as fast as the machine allows, and what does its relocation rule
 * cost? First adds between 90 and 95 % load for each rule, then batched questions at 0.1 % for each
 * layout, and for bloom and counting beside them, each held against the best raw read of an array
 * as large. Keys for the questions: cuckoo N.
 */
#define ROUNDS 31
#include "ask.h"
#include "limit.h"

enum { ASKED = 1 << 19, SLOTS = 1 << 24, FROM = SLOTS / 10 * 9, MORE = SLOTS / 20, RULES = 3 };

static const char *const rules[RULES] = {"random", "emptier", "path"};

/* Key number i, hashed: all differ. */
static uint64_t hash_at(uint64_t i) { return next_random(&i); }

static void check(sito_rc rc, const char *what) {
    if (rc == SITO_OK) return;
    fprintf(stderr, "cuckoo: %s: %s\n", what, sito_strerror(rc));
    exit(1);
}

/* ---- adding ---- */

/* A key that is refused is left out; what its vain search cost counts. Returns how many. */
static size_t add_batched(sito_filter *f, const uint64_t *hashes, size_t n) {
    size_t refused = 0;
    for (size_t i = 0, done; i < n; i += done) {
        size_t batch = n - i < BATCHED ? n - i : BATCHED;
        sito_rc rc = sito_add_many(f, hashes + i, batch, NULL, &done);
        if (rc == SITO_EFULL) done++, refused++;
        else check(rc, "add");
    }
    return refused;
}

static size_t add_single(sito_filter *f, const uint64_t *hashes, size_t n) {
    size_t refused = 0;
    for (size_t i = 0; i < n; i++) {
        int rc = sito_add_hash(f, hashes[i]);
        if (rc == SITO_EFULL) refused++;
        else if (rc < 0) check(rc, "add");
    }
    return refused;
}

static void add_numbers(sito_filter *f, uint64_t from, uint64_t to) {
    uint64_t hashes[BATCHED];
    while (from < to) {
        size_t n = 0;
        while (n < BATCHED && from < to) hashes[n++] = hash_at(from++);
        if (add_batched(f, hashes, n)) check(SITO_EFULL, "add");
    }
}

/* From 90 to 95 %, in a copy of the table that is 90 % full; the sum is of keys taken. */
static double fill_up(const sito_filter *full, const uint64_t *hashes, bool batched,
                      uint64_t *sum) {
    sito_filter *f;
    check(sito_copy(full, NULL, &f), "copy");
    double start = process_ns();
    size_t refused = (batched ? add_batched : add_single)(f, hashes, MORE);
    double ns = (process_ns() - start) / MORE;
    *sum += MORE - refused;
    sito_free(f);
    return ns;
}

static void compare_rules(void) {
    sito_filter *full[RULES];
    struct figure figure[2][RULES] = {0};
    uint64_t *hashes = must(malloc(MORE * sizeof *hashes));
    for (int rule = 0; rule < RULES; rule++) {
        sito_plan plan = {
            .kind = "cuckoo", .rule = rules[rule], .ncells = SLOTS, .tag_bits = 12, .seed = 1};
        check(sito_new(&plan, NULL, &full[rule]), rules[rule]);
        add_numbers(full[rule], 0, FROM);
    }
    for (int r = 0; r < ROUNDS; r++) {
        for (uint64_t i = 0; i < MORE; i++) hashes[i] = hash_at(FROM + (uint64_t)r * MORE + i);
        for (int rule = 0; rule < RULES; rule++)
            for (int batched = 0; batched < 2; batched++) {
                struct figure *f = &figure[batched][rule];
                f->ns[r] = fill_up(full[rule], hashes, batched, &f->sum);
            }
    }
    for (int batched = 0; batched < 2; batched++) {
        const char *what = batched ? "add from 90 to 95 %, batched" : "add from 90 to 95 %, single";
        for (int rule = 0; rule < RULES; rule++)
            report("cuckoo", rules[rule], what, SLOTS, &figure[batched][rule]);
        for (int rule = 0; rule < RULES - 1; rule++) {
            char ratio[64];
            snprintf(ratio, sizeof ratio, "%s / path, %s", rules[rule], what);
            report_against("cuckoo", ratio, SLOTS, &figure[batched][rule],
                           &figure[batched][RULES - 1]);
        }
    }
    fflush(stdout);
    for (int rule = 0; rule < RULES; rule++) sito_free(full[rule]);
    free(hashes);
}

/* ---- asking ---- */

/* Keys inside have numbers below nkeys, strangers above; new ones every time, the first pass to
 * warm the caches. */
static double ask(const sito_filter *f, uint64_t *hashes, uint64_t nkeys, bool inside,
                  uint64_t *state, uint64_t *sum) {
    double ns = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < ASKED; i++)
            hashes[i] = hash_at(next_random(state) % nkeys + (inside ? 0 : nkeys));
        ns = ask_hashes(f, hashes, ASKED, sum);
    }
    return ns;
}

static void compare_with_limit(const char *who, sito_plan plan) {
    struct figure inside = {0}, stranger = {0};
    uint64_t *hashes = must(malloc(ASKED * sizeof *hashes)), state = 7;
    char what[64];
    sito_filter *f;
    sito_info info;
    check(sito_plan_solve(&plan), who);
    check(sito_new(&plan, NULL, &f), who);
    add_numbers(f, 0, plan.nkeys);
    sito_look(f, &info);
    struct limit *limit = limit_new(info.bytes);
    for (int r = 0; r < ROUNDS; r++) {
        limit_round(limit, r);
        inside.ns[r] = ask(f, hashes, plan.nkeys, true, &state, &inside.sum);
        stranger.ns[r] = ask(f, hashes, plan.nkeys, false, &state, &stranger.sum);
    }
    if (inside.sum != 2ull * ROUNDS * ASKED) check(SITO_EDAMAGED, "a key is lost");
    printf("{\"bench\":\"cuckoo\",\"who\":\"%s\",\"n\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"bits_per_key\":%.2f,\"nhashes\":%u,\"tag_bits\":%u,\"measured\":%.6f}\n",
           who, plan.nkeys, info.bytes, info.bits_per_key, plan.nhashes, plan.tag_bits,
           (double)stranger.sum / (2.0 * ROUNDS * ASKED));
    struct figure *best = limit_best(limit);
    report("cuckoo", who, "best raw read", plan.nkeys, best);
    report("cuckoo", who, "inside, batched", plan.nkeys, &inside);
    report("cuckoo", who, "stranger, batched", plan.nkeys, &stranger);
    snprintf(what, sizeof what, "%s / best raw read, inside", who);
    report_against("cuckoo", what, plan.nkeys, &inside, best);
    snprintf(what, sizeof what, "%s / best raw read, stranger", who);
    report_against("cuckoo", what, plan.nkeys, &stranger, best);
    fflush(stdout);
    limit_free(limit);
    sito_free(f);
    free(hashes);
}

int main(int argc, char **argv) {
    static const char *const layouts[] = {"bucket", "sorted", "window"};
    uint64_t nkeys = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    sito_plan plan = {.nkeys = nkeys, .fpr = 0.001, .seed = 1};
    pin();
    if (sito_abilities("cuckoo")) {
        compare_rules();
        plan.kind = "cuckoo";
        for (int i = 0; i < 3; i++) {
            plan.layout = layouts[i];
            compare_with_limit(layouts[i], plan);
        }
        plan.layout = NULL;
    } else {
        fprintf(stderr, "cuckoo: this library has no such kind\n");
    }
    plan.kind = "bloom";
    compare_with_limit("bloom", plan);
    plan.kind = "counting";
    if (sito_abilities("counting")) compare_with_limit("counting", plan);
    return 0;
}
