/*
 * claims.c - claims that no other experiment answers.
 *
 *     claims union KEYS      1: is the OR of two filters bit for bit the filter of the union?
 *     claims linear KEYS     12: with confidence 1 a Bloom filter? never below its level? no full cell after a fade?
 */
#include "bench.h"

#include <sito/linear.h>
#include <sito/sito.h>
#include <stdbool.h>
#include <string.h>

enum { SEED = 2022, HEADER = 128 };

static void fine(int rc, const char *kind) {
    if (rc >= 0) return;
    fprintf(stderr, "claims: %s: %s\n", kind, sito_strerror(rc));
    exit(1);
}

static sito_filter *empty(const sito_plan *plan) {
    sito_filter *f;
    fine(sito_new(plan, NULL, &f), plan->kind);
    return f;
}

static void add_keys(sito_filter *f, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++) fine(sito_add(f, &i, sizeof i), "add");
}

/* ---- cells, as they stand in the image ---- */

struct bytes {
    uint8_t *at;
    size_t n;
};

static sito_rc collect(void *self, const void *bytes, size_t n) {
    struct bytes *b = self;
    b->at = must(realloc(b->at, b->n + n + 1));
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
    return SITO_OK;
}

static uint64_t bits_apart(const sito_filter *f, const sito_filter *g) {
    struct bytes a = {0}, b = {0};
    sito_info info;
    uint64_t n = 0;
    fine(sito_write(f, collect, &a), "write");
    fine(sito_write(g, collect, &b), "write");
    fine(sito_look(f, &info), "look");
    for (size_t i = HEADER; i < HEADER + info.bytes; i++)
        n += (uint64_t)__builtin_popcount(a.at[i] ^ b.at[i]);
    free(a.at), free(b.at);
    return n;
}

static void of_union(uint64_t n) {
    static const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_BLOCK, SITO_BITMAP,
                                        SITO_LINEAR};
    puts("kind\tkeys_a\tkeys_b\tin_both\tcell_bits\tbits_apart_before\tbits_apart");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (uint64_t keys = 10; keys <= n; keys *= 10) {
            sito_plan plan = {.kind = kinds[i], .nkeys = 2 * keys, .seed = SEED};
            if (strcmp(kinds[i], SITO_BITMAP) == 0) plan.ncells = 1 << 24;
            else if (strcmp(kinds[i], SITO_LINEAR) == 0) plan.max_bytes = 8 * keys;
            else plan.fpr = 0.01;
            fine(sito_plan_solve(&plan), plan.kind);
            /* A third of each is in the other too. */
            sito_filter *a = empty(&plan), *b = empty(&plan), *whole = empty(&plan);
            uint64_t shared = keys / 3;
            add_keys(a, 0, keys);
            add_keys(b, keys - shared, 2 * keys - shared);
            add_keys(whole, 0, 2 * keys - shared);
            uint64_t before = bits_apart(a, whole);
            fine(sito_merge(a, b), plan.kind);
            printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                   "\n",
                   plan.kind, keys, keys, shared, 8 * plan.bytes, before, bits_apart(a, whole));
            sito_free(a), sito_free(b), sito_free(whole);
        }
}

/* ---- linear ---- */

static double confidence(uint64_t i) { return (double)(next_random(&i) >> 11) * 0x1p-53; }

static void of_linear(uint64_t n) {
    puts("b\tkeys\tanswers_unlike_bloom\testimates_above\testimates_below\tfull_before_fade\tfull_"
         "after_fade");
    for (unsigned b = 1; b <= 16; b++) {
        unsigned top = (1u << b) - 1;
        sito_plan plan = {.kind = SITO_LINEAR,
                          .nkeys = n,
                          .ncells = 8 * n,
                          .nhashes = 5,
                          .cell_bits = b,
                          .seed = SEED};
        sito_plan bits = {
            .kind = SITO_BLOOM, .nkeys = n, .ncells = 8 * n, .nhashes = 5, .seed = SEED};
        sito_filter *ones = empty(&plan), *mixed = empty(&plan), *bloom = empty(&bits);
        uint64_t unlike = 0, above = 0, below = 0, full = 0, still = 0;
        add_keys(ones, 0, n);
        add_keys(bloom, 0, n);
        for (uint64_t i = 0; i < n; i++)
            fine(sito_linear_put(mixed, &i, sizeof i, confidence(i)), "put");
        for (uint64_t i = 0; i < 20 * n; i++)
            unlike += sito_maybe(ones, &i, sizeof i) != sito_maybe(bloom, &i, sizeof i);
        for (uint64_t i = 0; i < n; i++) {
            int level = (int)(confidence(i) * top),
                got = sito_linear_get_level(mixed, &i, sizeof i);
            above += got > level, below += got < level;
            full += sito_linear_get_level(ones, &i, sizeof i) == (int)top;
        }
        fine(sito_linear_fade(ones, 999999, 1000000), "fade");
        for (uint64_t i = 0; i < 20 * n; i++)
            still += sito_linear_get_level(ones, &i, sizeof i) == (int)top;
        printf("%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
               b, n, unlike, above, below, full, still);
        sito_free(ones), sito_free(mixed), sito_free(bloom);
    }
}

int main(int argc, char **argv) {
    uint64_t keys = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    if (keys > 0 && strcmp(argv[1], "union") == 0) of_union(keys);
    else if (keys > 0 && strcmp(argv[1], "linear") == 0) of_linear(keys);
    else return fputs("usage: claims union|linear KEYS\n", stderr), 2;
    return 0;
}
