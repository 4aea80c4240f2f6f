/*
 * make.c - makes the test vectors of the image format: FOLDER/NAME.sito, and FOLDER/answers, what
 * the library says of every key.
 *
 *     cc -I../../include make.c -lsito -lm && ./a.out .
 *
 * Rates are given where the plan could work them out: the header keeps them, and the last digit of
 * a computed one may differ from machine to machine.
 */
#include <sito/aged.h>
#include <sito/exact.h>
#include <sito/fuse.h>
#include <sito/linear.h>
#include <sito/sito.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const birds[] = {
    "heron",     "stork",  "crane",     "egret",    "ibis",  "spoonbill", "bittern", "avocet",
    "curlew",    "dunlin", "godwit",    "knot",     "ruff",  "lapwing",   "plover",  "snipe",
    "sandpiper", "auk",    "turnstone", "whimbrel", "gull",  "tern",      "skua",    "puffin",
    "gannet",    "shag",   "cormorant", "grebe",    "diver", "coot",      "moorhen", "rail"};
enum { BIRDS = sizeof birds / sizeof *birds };

/* One length on either side of every border inside XXH3. */
static const size_t lengths[] = {0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 1024, 1025, 1100};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static const sito_key secret = {1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
static const char *folder;
static FILE *answers;

static void must(int fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "make: %s\n", what);
    exit(1);
}

static sito_filter *made(sito_plan plan) {
    sito_filter *f = NULL;
    if (!plan.key) plan.seed = 42;
    if (strncmp(plan.kind, SITO_EXACT, strlen(SITO_EXACT)) != 0) plan.fpr = 0.125;
    must(sito_new(&plan, NULL, &f) == SITO_OK, "no such plan");
    return f;
}

static sito_filter *with_birds(sito_plan plan, size_t n) {
    sito_filter *f = made(plan);
    for (size_t i = 0; i < n; i++) must(sito_add(f, birds[i], strlen(birds[i])) >= 0, "full");
    return f;
}

/* The static kinds: the first n birds, and the numbers 1 .. numbers as decimal digits. */
static sito_filter *built(sito_plan plan, size_t n, unsigned numbers) {
    static uint64_t hashes[BIRDS + 4000];
    sito_filter *f = NULL;
    plan.seed = 42;
    for (size_t i = 0; i < n; i++) hashes[i] = sito_hash_plan(&plan, birds[i], strlen(birds[i]));
    for (unsigned i = 1; i <= numbers; i++) {
        char digits[16];
        int len = snprintf(digits, sizeof digits, "%u", i);
        hashes[n++] = sito_hash_plan(&plan, digits, (size_t)len);
    }
    must(sito_build(&plan, NULL, hashes, n, &f) == SITO_OK, "not built");
    return f;
}

/* The first n birds, each with the square of its number. */
static sito_filter *squares(sito_plan plan, size_t n) {
    uint64_t hashes[BIRDS];
    uint32_t values[BIRDS];
    sito_filter *f = NULL;
    plan.seed = 42;
    for (size_t i = 0; i < n; i++) {
        hashes[i] = sito_hash_plan(&plan, birds[i], strlen(birds[i]));
        values[i] = (uint32_t)((i + 1) * (i + 1));
    }
    must(sito_fuse_build(&plan, NULL, hashes, values, n, &f) == SITO_OK, "not built");
    return f;
}

static sito_filter *with_values(sito_filter *f) {
    must(sito_add(f, "", 0) == 1 && sito_add(f, "heron", 5) == 0, "full");
    must(sito_exact_put(f, "crane", 5, 7) == 0 && sito_exact_put(f, "rail", 4, 11) == 1, "full");
    must(sito_remove(f, "stork", 5) == 1, "not there");
    return f;
}

/* "bird 0" and so on, so many. */
static sito_filter *grown(sito_filter *f, int n) {
    char name[24];
    for (int i = 0; i < n; i++)
        must(sito_add(f, name, (size_t)snprintf(name, sizeof name, "bird %d", i)) >= 0, "full");
    return f;
}

static void say(const sito_filter *f, const char *name, const char *key, size_t len) {
    fprintf(answers, "%s.sito\t%s\t%.*s\n", name, sito_maybe(f, key, len) ? "yes" : "no", (int)len,
            key);
}

static void keep(sito_filter *f, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.sito", folder, name);
    must(sito_check(f, NULL) == SITO_OK && sito_save(f, path) == SITO_OK, path);
    if (strcmp(name, "lengths") != 0) {
        for (size_t i = 0; i < BIRDS; i++) say(f, name, birds[i], strlen(birds[i]));
        say(f, name, "", 0);
    }
    sito_free(f);
}

int main(int argc, char **argv) {
    char path[4096], all[2][1100];
    folder = argc > 1 ? argv[1] : ".";
    snprintf(path, sizeof path, "%s/answers", folder);
    must((answers = fopen(path, "w")) != NULL, path);

    sito_plan small = {.kind = SITO_BLOOM, .nkeys = 8, .ncells = 64, .nhashes = 3};
    keep(with_birds(small, 2), "bloom");

    sito_filter *f = with_birds(small, 2);
    must(sito_set_note(f, "example\0", "two birds", 9) == SITO_OK, "note");
    keep(f, "bloom-note");

    small.key = &secret;
    keep(with_birds(small, 2), "bloom-keyed");

    f = made((sito_plan){.kind = SITO_BLOOM, .nkeys = LENGTHS, .ncells = 331, .nhashes = 7});
    memset(all[0], 'a', sizeof all[0]);
    memset(all[1], 'b', sizeof all[1]);
    for (size_t i = 0; i < LENGTHS; i++) must(sito_add(f, all[0], lengths[i]) >= 0, "full");
    for (size_t i = 0; i < LENGTHS; i++) say(f, "lengths", all[0], lengths[i]);
    for (size_t i = 0; i < LENGTHS; i++) say(f, "lengths", all[1], lengths[i]);
    keep(f, "lengths");

    keep(with_birds((sito_plan){.kind = SITO_PARTED, .nkeys = 8, .ncells = 100, .nhashes = 7}, 8),
         "parted");
    sito_plan blocks = {.kind = SITO_BLOCK, .nkeys = 60, .ncells = 1536, .nhashes = 8};
    keep(with_birds(blocks, 28), "block");
    blocks.ncells = 1024, blocks.nhashes = 16;
    keep(with_birds(blocks, 28), "block-sixteen");
    keep(with_birds((sito_plan){.kind = SITO_BITMAP, .nkeys = 16, .ncells = 256}, 16), "bitmap");

    f = with_birds((sito_plan){.kind = SITO_COMPACT, .nkeys = 28, .ncells = 32, .tag_bits = 11},
                   24);
    for (size_t i = 0; i < 4; i++) must(sito_add(f, "heron", 5) == 0, "full");
    must(sito_remove(f, "stork", 5) == 1, "not there");
    must(sito_add(f, "bird 2224", 9) >= 0, "full"); /* its mark would be 0 */
    say(f, "compact", "bird 2224", 9);
    keep(f, "compact");
    keep(with_birds((sito_plan){.kind = SITO_COMPACT, .nkeys = 14, .ncells = 16, .tag_bits = 63},
                    14),
         "compact-wide");

    f = with_birds((sito_plan){.kind = SITO_COUNTING, .nkeys = 8, .ncells = 64, .nhashes = 3}, 8);
    for (size_t i = 0; i < 20; i++) must(sito_add(f, "heron", 5) == 0, "new");
    must(sito_remove(f, "stork", 5) == 1, "not there");
    keep(f, "counting");
    keep(with_birds(
             (sito_plan){
                 .kind = SITO_COUNTING, .nkeys = 6, .ncells = 47, .nhashes = 5, .cell_bits = 11},
             6),
         "counting-wide");
    sito_plan pond = {.kind = SITO_LINEAR, .nkeys = 8, .ncells = 64, .nhashes = 3, .cell_bits = 5};
    f = with_birds(pond, 0);
    for (size_t i = 0; i < 8; i++)
        must(sito_linear_put(f, birds[i], strlen(birds[i]), 0.5 + (double)i / 16) == 1, "put");
    must(sito_linear_put(f, "curlew", 6, 0.03) == 0, "stored");
    keep(f, "linear");
    pond.ncells = 47, pond.cell_bits = 11, pond.scale = "geometric";
    f = with_birds(pond, 6);
    must(sito_linear_put_level(f, "rail", 4, 1) == 1, "put");
    must(sito_linear_fade(f, 9, 10) == SITO_OK, "fade");
    keep(f, "linear-geometric");

    sito_plan nest = {.kind = SITO_CUCKOO, .nkeys = 28, .ncells = 32, .tag_bits = 12};
    f = with_birds(nest, 30);
    must(sito_remove(f, "stork", 5) == 1 && sito_add(f, "heron", 5) == 0, "not there, or full");
    keep(f, "cuckoo");
    nest.layout = "sorted", nest.rule = "emptier";
    keep(with_birds(nest, 28), "cuckoo-sorted");
    nest.layout = "window", nest.rule = "random", nest.ncells = 33;
    keep(with_birds(nest, 26), "cuckoo-window");

    sito_plan layers = {.kind = SITO_SCALABLE, .nkeys = 64};
    keep(grown(with_birds(layers, 28), 300), "scalable");
    layers.max_layers = 32;
    keep(grown(with_birds(layers, 28), 300), "scalable-layers");
    layers.max_layers = 0;
    layers.layer = SITO_CUCKOO, layers.expansion = 2;
    f = grown(with_birds(layers, 28), 300);
    must(sito_remove(f, "stork", 5) == 1 && sito_add(f, "heron", 5) == 0, "not there, or full");
    keep(f, "scalable-cuckoo");
    layers.layer = SITO_BLOOM;
    keep(grown(with_birds(layers, 28), 100), "scalable-bloom");
    layers.layer = SITO_BLOCK, layers.expansion = 4;
    keep(grown(with_birds(layers, 28), 100), "scalable-block");
    /* More layers than twelve: those behind err less often. */
    layers.layer = NULL, layers.expansion = 1;
    keep(grown(with_birds(layers, 28), 900), "scalable-many");

    sito_plan window = {.kind = SITO_AGED, .window = 20};
    keep(with_birds(window, 32), "aged");
    window.window = 0, window.nkeys = 20, window.max_layers = 3;
    f = with_birds(window, 10);
    must(sito_aged_advance(f, 2) == SITO_OK, "no window");
    for (size_t i = 10; i < 20; i++) must(sito_add(f, birds[i], strlen(birds[i])) >= 0, "full");
    must(sito_aged_advance(f, 2) == SITO_OK, "no window");
    keep(f, "aged-by-time");
    keep(built((sito_plan){.kind = SITO_FUSE, .nkeys = 28, .fpr = 0.125, .tag_bits = 5}, 28, 0),
         "fuse");
    keep(
        built((sito_plan){.kind = SITO_FUSE, .nkeys = 20, .fpr = 0.125, .tag_bits = 13, .arity = 3},
              20, 0),
        "fuse-three");
    sito_plan map = {.kind = SITO_FUSE, .nkeys = 28, .fpr = 0.125, .value_bits = 10};
    keep(squares(map, 28), "fuse-values");
    map.nkeys = 20, map.fpr = 0, map.value_bits = 9, map.arity = 3;
    keep(squares(map, 20), "fuse-unmarked");
    sito_plan ribbon = {.kind = SITO_RIBBON, .nkeys = 28, .fpr = 0.125};
    keep(built(ribbon, 28, 0), "ribbon");
    ribbon.nkeys = 2000, ribbon.fpr = 0.15;
    keep(built(ribbon, 28, 1972), "ribbon-layers");

    keep(made((sito_plan){.kind = SITO_EXACT, .ncells = 10}), "exact-empty");
    keep(with_values(with_birds((sito_plan){.kind = SITO_EXACT, .ncells = 20}, 12)), "exact");
    keep(with_values(with_birds((sito_plan){.kind = SITO_EXACT_CUCKOO, .ncells = 20}, 17)),
         "exact-cuckoo");
    return fclose(answers) != 0;
}
