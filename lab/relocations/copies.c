/* copies.c - how often can one key be added, and what does that do to the others?   copies FILLS SLOTS
 *
 * A table of 2^SLOTS slots with 12-bit tags is filled to a load by strangers; then one more key is
 * added until it is refused, and taken out again; a hundred keys in turn. `copies` is how many of a
 * key went in: least, mean, most. `denied` counts strangers that are then missing. */
#include "fill.h"

enum { REPEATED = 100, TRIES = 1000 };

/* How many copies of this key went in before one was refused. */
static unsigned repeat(sito_filter *f, uint64_t hash) {
    unsigned n = 0;
    while (n < TRIES && sito_add_hash(f, hash) >= 0) n++;
    for (unsigned i = 0; i < n; i++) sito_remove_hash(f, hash);
    return n;
}

static void row(struct wish w, double load, uint64_t fills) {
    double least = INFINITY, most = 0, sum = 0;
    uint64_t denied = 0, nkeys = keys_at(load, w.slots);
    for (uint64_t seed = 1; seed <= fills; seed++) {
        sito_filter *f = filter_of(w, seed);
        for (uint64_t i = 0; i < nkeys; i++)
            if (sito_add_hash(f, hash_at(seed, KEYS, i)) < 0) exit(1);
        for (uint64_t i = 0; i < REPEATED; i++) {
            unsigned n = repeat(f, hash_at(seed, STRANGERS, i));
            least = fmin(least, n), most = fmax(most, n), sum += n;
        }
        for (uint64_t i = 0; i < nkeys; i++) denied += !sito_maybe_hash(f, hash_at(seed, KEYS, i));
        sito_free(f);
    }
    printf("%s\t%u\t%g\t%" PRIu64 "\t%.0f\t%.2f\t%.0f\t%" PRIu64 "\n", w.rule, w.bucket, load,
           fills, least, sum / (double)(REPEATED * fills), most, denied);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    uint64_t fills = strtoull(argv[1], NULL, 10),
             slots = (uint64_t)1 << strtoull(argv[2], NULL, 10);
    puts("rule\tbucket\tload\tfills\tcopies_least\tcopies_mean\tcopies_most\tdenied");
    for (size_t r = 0; r < NRULES; r++)
        for (unsigned bucket = 2; bucket <= 8; bucket *= 2)
            for (int load = 0; load <= 75; load += 75)
                row((struct wish){.rule = rules[r],
                                  .layout = "bucket",
                                  .bucket = bucket,
                                  .tag_bits = 12,
                                  .slots = slots},
                    load / 100.0, fills);
    return 0;
}
