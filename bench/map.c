/* map.c - how long from a file's name to its first answer? A bloom filter of 1 GiB, saved in the
 * working folder, opened with SITO_MAP and asked once; wall time, in microseconds, warm. */
#include "bench.h"

#include <sito/sito.h>
#include <unistd.h>

static double wall_us(void) { return cpu_ns(CLOCK_MONOTONIC) / 1e3; }

int main(void) {
    static const char path[] = "bench-map.sito";
    sito_plan plan = {.kind = SITO_BLOOM, .max_bytes = 1 << 30, .fpr = 0.01, .seed = 1};
    sito_filter *f;
    struct figure open = {0};
    pin();
    if (sito_new(&plan, NULL, &f) != SITO_OK) return 1;
    sito_add(f, "heron", 5);
    if (sito_save(f, path) != SITO_OK) return 1;
    sito_free(f);
    for (int r = -1; r < ROUNDS; r++) { /* the first warms up */
        sito_how how = {.flags = SITO_MAP};
        double start = wall_us();
        if (sito_open(path, &how, &f, NULL) != SITO_OK) return 1;
        open.sum += sito_maybe(f, "heron", 5);
        if (r >= 0) open.ns[r] = wall_us() - start;
        sito_free(f);
    }
    unlink(path);
    qsort(open.ns, ROUNDS, sizeof *open.ns, ascending);
    printf(
        "{\"bench\":\"map\",\"who\":\"sito\",\"what\":\"open 1 GiB and ask once\",\"us_min\":%.1f"
        ",\"us_median\":%.1f,\"us_max\":%.1f,\"sum\":%" PRIu64 "}\n",
        open.ns[0], open.ns[ROUNDS / 2], open.ns[ROUNDS - 1], open.sum);
    return 0;
}
