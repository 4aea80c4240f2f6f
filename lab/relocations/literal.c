/* literal.c - how many keys does a cuckoo filter lose that does what the seminar's text says?
 *
 *   literal FILLS SLOTS
 *
 * The text promises no false negatives, and prescribes three things that make some: a tag already
 * present is not stored again; the other bucket is (i xor hash(tag)) mod m, for any m; after MNK
 * relocations the tag in hand is thrown away. Each alone, all together, and none, in a model of the
 * text's random rule; then the product, under each of its rules, with the same keys.
 *
 * As many keys as 98 % of the slots are offered. Those acknowledged are asked for; then every second
 * of them is removed, and the others are asked for again. */
#include "fill.h"

#include <string.h>

enum { WIDTH = 4, MNK = 500, TAG_BITS = 12 };

enum present { STORE, SKIP_IN_BUCKETS, SKIP_IN_TABLE };

/* What of the text is followed to the letter. */
struct text {
    const char *name;
    enum present present;
    bool xor_mod, drop;
};

struct model {
    struct text text;
    uint16_t *tags; /* WIDTH a bucket; 0: empty */
    uint64_t m, kicks;
    uint64_t stored[1 << TAG_BITS]; /* how often each tag is in the table */
};

struct place {
    uint16_t tag;
    uint64_t i, j;
};

static uint64_t other(const struct model *t, uint64_t i, uint16_t tag) {
    uint64_t state = tag, h = next_random(&state);
    return t->text.xor_mod ? (i ^ h) % t->m : (h % t->m + t->m - i) % t->m;
}

static struct place place_of(const struct model *t, uint64_t hash) {
    struct place p = {.tag = (uint16_t)(hash >> (64 - TAG_BITS)), .i = hash % t->m};
    if (p.tag == 0) p.tag = 1;
    /* The text takes xor of the whole hash, and the remainder afterwards. */
    p.j = other(t, t->text.xor_mod ? hash : p.i, p.tag);
    return p;
}

static size_t find(const struct model *t, uint64_t i, uint16_t tag) {
    size_t s = 0;
    while (s < WIDTH && t->tags[i * WIDTH + s] != tag) s++;
    return s;
}

static bool replace(struct model *t, uint64_t i, uint16_t old, uint16_t new) {
    size_t s = find(t, i, old);
    if (s == WIDTH) return false;
    t->tags[i * WIDTH + s] = new;
    return true;
}

/* ---- the text's calls ---- */

static bool maybe(const struct model *t, struct place p) {
    return find(t, p.i, p.tag) < WIDTH || find(t, p.j, p.tag) < WIDTH;
}

static bool take_out(struct model *t, struct place p) {
    if (!replace(t, p.i, p.tag, 0) && !replace(t, p.j, p.tag, 0)) return false;
    t->stored[p.tag]--;
    return true;
}

static bool kick(struct model *t, struct place p) {
    static uint16_t *path[MNK];
    uint16_t hand = p.tag;
    uint64_t i = next_random(&t->kicks) & 1 ? p.i : p.j;
    for (size_t n = 0; n < MNK; n++) {
        path[n] = &t->tags[i * WIDTH + next_random(&t->kicks) % WIDTH];
        uint16_t evicted = *path[n];
        *path[n] = hand, hand = evicted;
        i = other(t, i, hand);
        if (replace(t, i, 0, hand)) return true;
    }
    if (t->text.drop) {
        t->stored[p.tag]++, t->stored[hand]--;
        return false;
    }
    for (size_t n = MNK; n-- > 0;) {
        uint16_t put_back = hand;
        hand = *path[n], *path[n] = put_back;
    }
    return false;
}

static bool insert(struct model *t, struct place p) {
    if (t->text.present == SKIP_IN_BUCKETS && maybe(t, p)) return true;
    if (t->text.present == SKIP_IN_TABLE && t->stored[p.tag]) return true;
    bool second = next_random(&t->kicks) & 1;
    if (replace(t, second ? p.j : p.i, 0, p.tag) || replace(t, second ? p.i : p.j, 0, p.tag) ||
        kick(t, p))
        return t->stored[p.tag]++, true;
    return false;
}

/* ---- the same course for the model and for the product ---- */

struct course {
    uint64_t offered, acknowledged, denied, kept, denied_later;
};

struct model_or_filter {
    struct model *model;
    sito_filter *filter;
};

static bool offer(struct model_or_filter s, uint64_t hash) {
    return s.filter ? sito_add_hash(s.filter, hash) >= 0 : insert(s.model, place_of(s.model, hash));
}

static bool ask(struct model_or_filter s, uint64_t hash) {
    return s.filter ? sito_maybe_hash(s.filter, hash) : maybe(s.model, place_of(s.model, hash));
}

static void withdraw(struct model_or_filter s, uint64_t hash) {
    if (s.filter) sito_remove_hash(s.filter, hash);
    else take_out(s.model, place_of(s.model, hash));
}

static void run(struct model_or_filter s, uint64_t slots, uint64_t seed, struct course *c) {
    uint64_t n = keys_at(0.98, slots), acknowledged = 0;
    uint64_t *keys = must(malloc(n * sizeof *keys));
    for (uint64_t i = 0; i < n; i++)
        if (offer(s, hash_at(seed, KEYS, i))) keys[acknowledged++] = hash_at(seed, KEYS, i);
    for (uint64_t i = 0; i < acknowledged; i++) c->denied += !ask(s, keys[i]);
    for (uint64_t i = 0; i < acknowledged; i += 2) withdraw(s, keys[i]);
    for (uint64_t i = 1; i < acknowledged; i += 2) c->denied_later += !ask(s, keys[i]);
    c->offered += n, c->acknowledged += acknowledged, c->kept += acknowledged / 2;
    free(keys);
}

static void row(const char *name, uint64_t slots, uint64_t fills, const struct course *c) {
    double f = (double)fills;
    printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\n", name, slots, fills,
           (double)c->offered / f, (double)(c->offered - c->acknowledged) / f,
           (double)c->denied / f, (double)c->kept / f, (double)c->denied_later / f);
    fflush(stdout);
}

static void of_text(struct text text, uint64_t slots, uint64_t fills) {
    struct course c = {0};
    for (uint64_t seed = 1; seed <= fills; seed++) {
        struct model *t = must(calloc(1, sizeof *t));
        t->text = text, t->m = slots / WIDTH, t->kicks = seed;
        t->tags = must(calloc(slots, sizeof *t->tags));
        run((struct model_or_filter){.model = t}, slots, seed, &c);
        free(t->tags), free(t);
    }
    row(text.name, slots, fills, &c);
}

static void of_product(const char *rule, uint64_t slots, uint64_t fills) {
    struct course c = {0};
    char name[32];
    snprintf(name, sizeof name, "sito, %s", rule);
    struct wish w = {.rule = rule,
                     .layout = "bucket",
                     .bucket = WIDTH,
                     .tag_bits = TAG_BITS,
                     .max_moves = MNK,
                     .slots = slots};
    for (uint64_t seed = 1; seed <= fills; seed++) {
        sito_filter *f = filter_of(w, seed);
        run((struct model_or_filter){.filter = f}, slots, seed, &c);
        sito_free(f);
    }
    row(name, slots, fills, &c);
}

int main(int argc, char **argv) {
    static const struct text texts[] = {
        {"none", STORE, false, false},
        {"present in its buckets: not stored", SKIP_IN_BUCKETS, false, false},
        {"present in the table: not stored", SKIP_IN_TABLE, false, false},
        {"xor, then mod m", STORE, true, false},
        {"at MNK the tag in hand is dropped", STORE, false, true},
        {"all, present in its buckets", SKIP_IN_BUCKETS, true, true},
        {"all, present in the table", SKIP_IN_TABLE, true, true},
    };
    if (argc != 3) return 2;
    uint64_t fills = strtoull(argv[1], NULL, 10), slots = strtoull(argv[2], NULL, 10);
    puts("text\tslots\tfills\toffered\trefused\tdenied\tkept\tdenied_later");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) of_text(texts[i], slots, fills);
    for (size_t r = 0; r < NRULES; r++) of_product(rules[r], slots, fills);
    return 0;
}
