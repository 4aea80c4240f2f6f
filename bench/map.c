/* map.c - how long from a file's name to its first answer? Filters of 1 MB, 125 MB and 1 GiB, saved
 * in the working folder, opened with SITO_MAP and asked once; wall time, in microseconds, warm. */
#define ROUNDS 101
#include "fill.h"

#include <unistd.h>

static double wall_us(void) { return cpu_ns(CLOCK_MONOTONIC) / 1e3; }

static double open_and_ask(const char *path, uint64_t *sum) {
    sito_how how = {.flags = SITO_MAP};
    sito_filter *f;
    double start = wall_us();
    check(sito_open(path, &how, &f, NULL), "open");
    *sum += sito_maybe(f, "heron", 5);
    double us = wall_us() - start;
    sito_free(f);
    return us;
}

static void measure(const char *kind, uint64_t bytes) {
    static const char path[] = "bench-map.sito";
    sito_plan plan = {.kind = kind, .max_bytes = bytes, .fpr = 0.01, .seed = 1};
    struct figure open = {0};
    sito_filter *f;
    check(sito_new(&plan, NULL, &f), kind);
    sito_add(f, "heron", 5);
    check(sito_save(f, path), "save");
    sito_free(f);
    open_and_ask(path, &open.sum); /* the first warms up */
    for (int r = 0; r < ROUNDS; r++) open.ns[r] = open_and_ask(path, &open.sum);
    unlink(path);
    qsort(open.ns, ROUNDS, sizeof *open.ns, ascending);
    printf("{\"bench\":\"map\",\"who\":\"%s\",\"what\":\"open and ask once\",\"bytes\":%" PRIu64
           ",\"us_min\":%.1f,\"us_median\":%.1f,\"us_max\":%.1f,\"sum\":%" PRIu64 "}\n",
           kind, bytes, open.ns[0], open.ns[ROUNDS / 2], open.ns[ROUNDS - 1], open.sum);
}

int main(void) {
    static const uint64_t sizes[] = {1000000, 125000000, 1 << 30};
    pin();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        measure(SITO_BLOCK, sizes[i]);
        measure(SITO_BLOOM, sizes[i]);
    }
    return 0;
}
