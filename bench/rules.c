/*
 * rules.c - what does a cuckoo filter's relocation rule cost? Nanoseconds an add while a table of
 * 2^24 slots, tags of 12 bits, goes from 90 to 95 % load, under each rule in turn.
 */
#include "fill.h"

enum { SLOTS = 1 << 24, FROM = SLOTS / 10 * 9, MORE = SLOTS / 20, RULES = 3 };

static const char *const rules[RULES] = {"random", "emptier", "path"};

static size_t add_single(sito_filter *f, const uint64_t *hashes, size_t n) {
    size_t refused = 0;
    for (size_t i = 0; i < n; i++) {
        int rc = sito_add_hash(f, hashes[i]);
        if (rc == SITO_EFULL) refused++;
        else if (rc < 0) check(rc, "add");
    }
    return refused;
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

int main(void) {
    sito_filter *full[RULES];
    struct figure figure[2][RULES] = {0};
    uint64_t *hashes = must(malloc(MORE * sizeof *hashes));
    pin();
    for (int rule = 0; rule < RULES; rule++) {
        sito_plan plan = {
            .kind = SITO_CUCKOO, .rule = rules[rule], .ncells = SLOTS, .tag_bits = 12, .seed = 1};
        check(sito_new(&plan, NULL, &full[rule]), rules[rule]);
        add_numbers(full[rule], 0, FROM);
    }
    for (int r = 0; r < ROUNDS; r++) {
        for (uint64_t i = 0; i < MORE; i++) hashes[i] = hash_of(FROM + (uint64_t)r * MORE + i);
        for (int rule = 0; rule < RULES; rule++)
            for (int batched = 0; batched < 2; batched++) {
                struct figure *f = &figure[batched][rule];
                f->ns[r] = fill_up(full[rule], hashes, batched, &f->sum);
            }
    }
    for (int batched = 0; batched < 2; batched++) {
        const char *what = batched ? "add from 90 to 95 %, batched" : "add from 90 to 95 %, single";
        for (int rule = 0; rule < RULES; rule++)
            report("rules", rules[rule], what, SLOTS, &figure[batched][rule]);
        for (int rule = 0; rule < RULES - 1; rule++) {
            char ratio[64];
            snprintf(ratio, sizeof ratio, "%s / path, %s", rules[rule], what);
            report_against("rules", ratio, SLOTS, &figure[batched][rule],
                           &figure[batched][RULES - 1]);
        }
    }
    for (int rule = 0; rule < RULES; rule++) sito_free(full[rule]);
    free(hashes);
    return 0;
}
