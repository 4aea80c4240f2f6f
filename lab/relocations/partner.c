/* partner.c - does it matter how a tag finds its other bucket?    partner FILLS LARGEST
 *
 * A model, since the product rightly offers only one way. Four partners of bucket i, in tables of m
 * buckets of four: i xor tag; i xor h(tag); (h(tag) - i) mod m with h linear, a multiplication that
 * keeps neighbours in step; and the same with h mixed, which is the product's. The xors need m to be
 * a power of two. Load at the first refusal, under random kicks (at most 500) and by the nearest
 * hole (at most 20,000 buckets looked at). */
#include "fill.h"

enum partner { XOR_TAG, XOR_HASH, MINUS_LINEAR, MINUS_HASH, NPARTNERS };
static const char *const names[] = {"xor tag", "xor h(tag)", "linear h(tag) - i", "h(tag) - i"};

enum { WIDTH = 4, KICKS = 500, LOOKED_AT = 20000 };

struct model {
    uint16_t *tags; /* WIDTH a bucket; 0: empty */
    uint64_t m;
    enum partner partner;
    uint64_t kicks; /* state of the random kicks */
};

static uint64_t mixed(uint64_t tag) { return next_random(&tag); }

static uint64_t in_range(uint64_t x, uint64_t m) {
    return (uint64_t)((unsigned __int128)x * m >> 64);
}

static uint64_t other(const struct model *t, uint64_t i, uint16_t tag) {
    switch (t->partner) {
    case XOR_TAG: return (i ^ tag) & (t->m - 1);
    case XOR_HASH: return (i ^ mixed(tag)) & (t->m - 1);
    case MINUS_LINEAR: return (in_range(tag * 0x9e3779b97f4a7c15u, t->m) + t->m - i) % t->m;
    default: return (in_range(mixed(tag), t->m) + t->m - i) % t->m;
    }
}

static unsigned holes(const struct model *t, uint64_t i) {
    unsigned n = 0;
    for (size_t s = 0; s < WIDTH; s++) n += t->tags[i * WIDTH + s] == 0;
    return n;
}

static void put(struct model *t, uint64_t i, uint16_t tag) {
    size_t s = 0;
    while (t->tags[i * WIDTH + s]) s++;
    t->tags[i * WIDTH + s] = tag;
}

/* The fill ends at a refusal, so nobody misses the tag that is then in hand. */
static bool add_by_kicks(struct model *t, uint64_t i, uint16_t tag) {
    if (next_random(&t->kicks) & 1) i = other(t, i, tag);
    for (unsigned n = 0; n < KICKS; n++) {
        uint16_t *victim = &t->tags[i * WIDTH + next_random(&t->kicks) % WIDTH], evicted = *victim;
        *victim = tag, tag = evicted;
        i = other(t, i, tag);
        if (holes(t, i)) return put(t, i, tag), true;
    }
    return false;
}

/* Breadth first: buckets in the order of their distance, each with the slot it was reached by. */
static bool add_by_path(struct model *t, uint64_t i, uint16_t tag) {
    static struct {
        uint64_t bucket;
        size_t from, slot;
    } seen[LOOKED_AT + WIDTH];
    size_t n = 2, at;
    seen[0].bucket = i, seen[1].bucket = other(t, i, tag);
    for (at = 0; at < n && !holes(t, seen[at].bucket); at++)
        for (size_t s = 0; s < WIDTH && n < LOOKED_AT; s++, n++) {
            size_t slot = seen[at].bucket * WIDTH + s;
            seen[n].bucket = other(t, seen[at].bucket, t->tags[slot]);
            seen[n].from = at, seen[n].slot = slot;
        }
    if (at == n) return false;
    /* Backwards from the hole: each tag into the room that the one before it left. */
    for (; at > 1; at = seen[at].from) {
        uint16_t moved = t->tags[seen[at].slot];
        t->tags[seen[at].slot] = 0;
        put(t, seen[at].bucket, moved);
    }
    put(t, seen[at].bucket, tag);
    return true;
}

static bool add(struct model *t, bool by_path, unsigned tag_bits, uint64_t hash) {
    uint16_t tag = (uint16_t)(hash & (((uint64_t)1 << tag_bits) - 1));
    if (tag == 0) tag = 1;
    uint64_t i = in_range(hash, t->m), j = other(t, i, tag);
    unsigned here = holes(t, i), there = holes(t, j);
    if (here || there) return put(t, here >= there ? i : j, tag), true;
    return by_path ? add_by_path(t, i, tag) : add_by_kicks(t, i, tag);
}

static double first_refusal(uint64_t slots, unsigned tag_bits, enum partner partner, bool by_path,
                            uint64_t seed) {
    struct model t = {.m = slots / WIDTH, .partner = partner, .kicks = seed};
    t.tags = must(calloc(slots, sizeof *t.tags));
    uint64_t n = 0;
    while (n < slots && add(&t, by_path, tag_bits, hash_at(seed, KEYS, n))) n++;
    free(t.tags);
    return (double)n / (double)slots;
}

static void row(uint64_t slots, unsigned tag_bits, enum partner partner, bool by_path,
                uint64_t fills) {
    double least = 1, most = 0, sum = 0;
    for (uint64_t seed = 1; seed <= fills; seed++) {
        double first = first_refusal(slots, tag_bits, partner, by_path, seed);
        least = fmin(least, first), most = fmax(most, first), sum += first;
    }
    printf("%s\t%s\t%u\t%" PRIu64 "\t%" PRIu64 "\t%.5f\t%.5f\t%.5f\n", names[partner],
           by_path ? "path" : "random", tag_bits, slots, fills, least, sum / (double)fills, most);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    uint64_t fills = strtoull(argv[1], NULL, 10),
             largest = (uint64_t)1 << strtoull(argv[2], NULL, 10);
    static const uint64_t sizes[] = {1 << 16, 100000, 1 << 20, 1000000, 1 << 22};
    puts("partner\trule\ttag_bits\tslots\tfills\tfirst_least\tfirst_mean\tfirst_most");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= largest; i++)
        for (unsigned tag = 8; tag <= 16; tag += 4)
            for (int p = 0; p < NPARTNERS; p++) {
                bool is_power = (sizes[i] & (sizes[i] - 1)) == 0;
                if (p <= XOR_HASH && !is_power) continue;
                row(sizes[i], tag, (enum partner)p, false, fills);
                row(sizes[i], tag, (enum partner)p, true, fills);
            }
    return 0;
}
