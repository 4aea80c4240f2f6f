/*
 * scalable.c - layers of filters: grows past its plan and keeps the promised rate (Almeida,
 * Baquero, Preguica, Hutchison 2007).
 *
 * A key goes into the newest layer that has room; where none has, a new one is opened, and nothing
 * that is there is moved, but for a small first layer: see scalable_ground.h. Whoever asks must ask all layers, from the newest, which holds most, to
 * the oldest. All others see the same hash. In tables of tags that leaves little to be done for
 * each: the tag is the same in most of them, and so is what its other bucket is found by.
 */
#include "kinds/scalable.h"

#include <math.h>

#include "core/life.h"
#include "core/memory.h"
#include "core/rate.h"
#include "cpu/cpu.h"
#include "kinds/cuckoo.h"
#include "kinds/scalable_ground.h"

/* ---- the directory ---- */

static uint8_t *record_of(const sito_filter *f, unsigned i) {
    return f->seg[0].at + i * RECORD_BYTES;
}

static unsigned steps_taken(const sito_filter *f) { return (unsigned)f->extra[EXTRA_STEP]; }

static uint64_t keys_in(const sito_filter *f, unsigned i) { return get64(record_of(f, i)); }

/* The first layer's numbers: they are wanted with every question. */
static struct ground ground_here(const sito_filter *f) {
    return (struct ground){f->derived[0], (unsigned)f->derived[1], (unsigned)f->derived[2]};
}

static unsigned width_in(const sito_filter *f, unsigned i) {
    struct ground g = ground_here(f);
    return i || !has_ground(&f->shape) ? width_of(&f->shape, i, 0) : ground_bits(&g);
}

void scalable_ready(sito_filter *f) {
    if (!has_ground(&f->shape)) return;
    struct ground g = ground_of(&f->shape, steps_taken(f));
    f->derived[0] = g.half, f->derived[1] = g.shift, f->derived[2] = g.known;
}

/* How many cells a layer has follows from its bytes: tags are wider than what is left over. */
static uint64_t cells_in(const sito_filter *f, unsigned i) {
    uint64_t bits = 8 * f->seg[i + 1].bytes;
    return has_tags(&f->shape) ? bits / width_in(f, i) : bits;
}

/* A layer as its own kind sees it: only what its calls look at. */
void layer_open(const sito_filter *f, unsigned i, sito_filter *layer) {
    layer->kind = layer_kind(&f->shape);
    layer->shape = layer_of_cells(&f->shape, width_in(f, i), cells_in(f, i));
    layer->seg[0] = f->seg[i + 1];
    layer->nkeys = keys_in(f, i);
    for (int e = 0; e < 3; e++) layer->extra[e] = get64(record_of(f, i) + 8 + 8 * e);
}

void layer_close(sito_filter *f, unsigned i, const sito_filter *layer) {
    f->nkeys += layer->nkeys - keys_in(f, i);
    put64(record_of(f, i), layer->nkeys);
    for (int e = 0; e < 3; e++) put64(record_of(f, i) + 8 + 8 * e, layer->extra[e]);
}

/* ---- tables of tags: one tag, many tables ---- */

/* Overlapping windows of two slots: m of either offset, an even number. */
struct nest_table {
    const uint8_t *cells;
    uint64_t m, bytes;
    unsigned bits; /* of a tag */
};

/* What a key looks for in tables whose tags are that wide. */
struct nest_quest {
    uint64_t like; /* the tag in both lanes */
    uint64_t mix;  /* what its other bucket hangs on */
    uint64_t into; /* bits from a bucket's begin to its window's */
};

struct nest_spots {
    uint64_t one, other; /* bits from the table's begin */
};

static inline struct nest_table nest_table_of(const sito_filter *f, unsigned i) {
    const struct segment *s = &f->seg[i + 1];
    unsigned bits = width_in(f, i);
    return (struct nest_table){s->at, 8 * s->bytes / bits / WINDOW_SLOTS, s->bytes, bits};
}

static inline struct nest_quest quest_for(uint64_t tag, unsigned bits) {
    uint64_t h = tag * 0x9e3779b97f4a7c15u;
    return (struct nest_quest){tag | tag << bits, (h ^ h >> 32) * 0xd1342543de82ef95u,
                               (tag & (WINDOW_SLOTS - 1)) * bits};
}

static inline struct nest_quest nest_quest_of(uint64_t hash, unsigned bits) {
    return quest_for(tag_of(hash, bits), bits);
}

/* As in place/finger.h, the mixing done before. */
static inline struct nest_spots nest_spots_from(const struct nest_table *t, uint64_t one,
                                                const struct nest_quest *q) {
    uint64_t h = range_of(q->mix, t->m) | 1;
    uint64_t other = h - one + (h < one ? t->m : 0), each = WINDOW_SLOTS * t->bits;
    return (struct nest_spots){one * each + q->into, other * each + q->into};
}

static inline struct nest_spots nest_spots_in(const struct nest_table *t, uint64_t hash,
                                              const struct nest_quest *q) {
    return nest_spots_from(t, range_of(hash, t->m), q);
}

/* Two lanes from there on. `wide` ones do not fit what is left of a word behind seven bits. */
static inline __attribute__((always_inline)) uint64_t two_tags(const uint8_t *cells, uint64_t bit,
                                                               bool wide) {
    return wide ? bits_from(cells, bit) : get64(cells + bit / 8) >> bit % 8;
}

/* Not zero at a lane's top bit: that lane, or one below it, is the tag. */
static inline __attribute__((always_inline)) uint64_t
equal_tags(const struct nest_table *t, const struct nest_spots *s, uint64_t like, bool wide) {
    uint64_t ones = 1 | (uint64_t)1 << t->bits;
    uint64_t a = two_tags(t->cells, s->one, wide) ^ like;
    uint64_t b = two_tags(t->cells, s->other, wide) ^ like;
    return ((a - ones) & ~a) | ((b - ones) & ~b);
}

static inline uint64_t tag_tops(unsigned bits) { return (1 | (uint64_t)1 << bits) << (bits - 1); }

static inline __attribute__((always_inline)) bool
nest_has(const struct nest_table *t, const struct nest_spots *s, uint64_t like, bool wide) {
    return equal_tags(t, s, like, wide) & tag_tops(t->bits);
}

enum { WIDE_TAGS = 29 };

/* ---- the first layer, if it is one that is laid out anew ---- */

static inline __attribute__((always_inline)) bool
ground_has(const struct nest_table *t, const struct ground *g, uint64_t hash, bool wide) {
    struct ground_place place = ground_find(g, hash);
    struct nest_quest q = quest_for(place.tag, t->bits);
    struct nest_spots s = nest_spots_from(t, place.bucket, &q);
    return nest_has(t, &s, q.like, wide);
}

static bool ground_maybe(const sito_filter *f, uint64_t hash) {
    struct nest_table t = nest_table_of(f, 0);
    struct ground g = ground_here(f);
    return ground_has(&t, &g, hash, t.bits >= WIDE_TAGS);
}

static void ground_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                              uint8_t *answers) {
    const struct nest_table t = nest_table_of(f, 0);
    const struct ground g = ground_here(f);
    if (t.bits >= WIDE_TAGS)
        for (size_t j = 0; j < n; j++) answers[j] = ground_has(&t, &g, hashes[j], true);
    else
        for (size_t j = 0; j < n; j++) answers[j] = ground_has(&t, &g, hashes[j], false);
}

/* ---- all layers of tags ---- */

/* The first of those that are asked in the usual way. */
static unsigned first_nest(const sito_filter *f) { return has_ground(&f->shape); }

static bool nests_maybe(const sito_filter *f, uint64_t hash) {
    struct nest_quest q = {0};
    unsigned bits = 0;
    for (unsigned i = layers_of(f); i-- > first_nest(f);) {
        struct nest_table t = nest_table_of(f, i);
        if (t.bits != bits) q = nest_quest_of(hash, bits = t.bits);
        struct nest_spots s = nest_spots_in(&t, hash, &q);
        if (nest_has(&t, &s, q.like, t.bits >= WIDE_TAGS)) return true;
    }
    return has_ground(&f->shape) && ground_maybe(f, hash);
}

/* Keys that are still to be found: where each looks next, and whose answer it is. */
enum { QUESTS = 128 };

struct quests {
    uint64_t hash[QUESTS];
    struct nest_spots spots[QUESTS];
    uint8_t who[QUESTS];
    unsigned left;
};

static inline __attribute__((always_inline)) struct nest_spots
quest_ahead(const struct nest_table *t, uint64_t hash, const struct nest_quest *q) {
    struct nest_spots s = nest_spots_in(t, hash, q);
    __builtin_prefetch(t->cells + s.one / 8);
    __builtin_prefetch(t->cells + s.other / 8);
    return s;
}

static void quests_begin(const struct nest_table *newest, const uint64_t *hashes, unsigned n,
                         struct quests *all) {
    const struct nest_table t = *newest;
    all->left = n;
    for (unsigned j = 0; j < n; j++) {
        struct nest_quest q = nest_quest_of(hashes[j], t.bits);
        all->hash[j] = hashes[j];
        all->who[j] = (uint8_t)j;
        all->spots[j] = quest_ahead(&t, hashes[j], &q);
    }
}

/* One table: who is found leaves, the others ask for their lines in the next. All of them do, lest
 * anybody guesses who is found. */
static inline __attribute__((always_inline)) void quests_round(const struct nest_table *table,
                                                               const struct nest_table *next,
                                                               struct quests *all, uint8_t *answers,
                                                               bool wide) {
    const struct nest_table t = *table, then = *next;
    unsigned still = 0, left = all->left;
    for (unsigned j = 0; j < left; j++) {
        uint64_t hash = all->hash[j];
        uint8_t k = all->who[j];
        struct nest_spots s = all->spots[j];
        struct nest_quest q = nest_quest_of(hash, t.bits);
        bool has = nest_has(&t, &s, q.like, wide);
        if (then.bits != t.bits) q = nest_quest_of(hash, then.bits);
        answers[k] = has;
        all->hash[still] = hash;
        all->who[still] = k;
        all->spots[still] = quest_ahead(&then, hash, &q);
        still += !has;
    }
    all->left = still;
}

/* The oldest table, and the ground if there is one: both at once, nobody will ask again. */
static inline __attribute__((always_inline)) void
quests_end(const struct nest_table *table, const sito_filter *f, const struct quests *all,
           uint8_t *answers, bool wide, bool to_ground) {
    const struct nest_table t = *table, below = nest_table_of(f, 0);
    const struct ground g = ground_here(f);
    for (unsigned j = 0; j < all->left; j++) {
        struct nest_quest q = nest_quest_of(all->hash[j], t.bits);
        bool has = nest_has(&t, &all->spots[j], q.like, wide);
        if (to_ground) has |= ground_has(&below, &g, all->hash[j], wide);
        answers[all->who[j]] = has;
    }
}

/* A batch goes layer by layer, from the newest, where most are found. */
static void nests_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                             uint8_t *answers) {
    struct nest_table tables[LAYERS_MAX];
    struct quests all;
    unsigned first = first_nest(f), layers = layers_of(f) - first;
    if (!layers) {
        ground_maybe_many(f, hashes, n, answers);
        return;
    }
    for (unsigned i = 0; i < layers; i++) tables[i] = nest_table_of(f, first + i);
    for (size_t done = 0; done < n; done += QUESTS) {
        quests_begin(&tables[layers - 1], hashes + done, (unsigned)least(QUESTS, n - done), &all);
        for (const struct nest_table *t = &tables[layers - 1]; t > tables && all.left; t--) {
            if (t->bits >= WIDE_TAGS) quests_round(t, t - 1, &all, answers + done, true);
            else quests_round(t, t - 1, &all, answers + done, false);
        }
        bool wide = tables->bits >= WIDE_TAGS || width_in(f, 0) >= WIDE_TAGS;
        if (!first) quests_end(tables, f, &all, answers + done, wide, false);
        else if (wide) quests_end(tables, f, &all, answers + done, true, true);
        else quests_end(tables, f, &all, answers + done, false, true);
    }
}

/* ---- hash -> layers -> answer ---- */

/* The key's hash as that layer takes it. */
static uint64_t hash_for(const sito_filter *f, unsigned i, uint64_t hash) {
    if (i || !has_ground(&f->shape)) return hash;
    struct ground g = ground_here(f);
    struct ground_place place = ground_find(&g, hash);
    return ground_hash(&g, &place);
}

/* The newest layer below `end` that may have it; LAYERS_MAX if none has. */
static unsigned newest_with(const sito_filter *f, unsigned end, uint64_t hash) {
    sito_filter layer;
    for (unsigned i = end; i-- > 0;) {
        layer_open(f, i, &layer);
        if (layer.kind->maybe(&layer, hash_for(f, i, hash))) return i;
    }
    return LAYERS_MAX;
}

/* The one layer that may have it; LAYERS_MAX if none may, or several. */
static unsigned only_one_with(const sito_filter *f, uint64_t hash) {
    unsigned newest = newest_with(f, layers_of(f), hash);
    if (newest == LAYERS_MAX || newest_with(f, newest, hash) != LAYERS_MAX) return LAYERS_MAX;
    return newest;
}

static bool scalable_maybe(const sito_filter *f, uint64_t hash) {
    return is_nested(&f->shape) ? nests_maybe(f, hash)
                                : newest_with(f, layers_of(f), hash) != LAYERS_MAX;
}

/* The layers' own batches, each of those that no newer layer has. */
static void layers_maybe_group(const sito_filter *f, const uint64_t *hashes, unsigned n,
                               uint8_t *answers) {
    uint64_t asked[QUESTS];
    uint8_t who[QUESTS], here[QUESTS];
    unsigned left = n;
    sito_filter layer;
    for (unsigned j = 0; j < n; j++) asked[j] = hashes[j], who[j] = (uint8_t)j;
    for (unsigned i = layers_of(f); i-- > 0 && left;) {
        unsigned still = 0;
        layer_open(f, i, &layer);
        layer.kind->maybe_many(&layer, asked, left, here);
        for (unsigned j = 0; j < left; j++) {
            answers[who[j]] = here[j];
            asked[still] = asked[j], who[still] = who[j];
            still += !here[j];
        }
        left = still;
    }
}

static void scalable_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                                uint8_t *answers) {
    if (is_nested(&f->shape)) {
        nests_maybe_many(f, hashes, n, answers);
        return;
    }
    for (size_t done = 0; done < n; done += QUESTS)
        layers_maybe_group(f, hashes + done, (unsigned)least(QUESTS, n - done), answers + done);
}

static uint64_t scalable_count(const sito_filter *f, uint64_t hash) {
    uint64_t copies = 0;
    sito_filter layer;
    for (unsigned i = layers_of(f); i-- > 0;) {
        layer_open(f, i, &layer);
        copies += layer.kind->count(&layer, hash);
    }
    return copies;
}

/* ---- growing ---- */

/* One more layer, empty. Fresh memory is zeroed as it is first touched, so this takes no longer for
 * a large one; nothing is changed if there is none to be had. */
static sito_rc layer_more(sito_filter *f) {
    unsigned layers = layers_of(f);
    uint64_t bytes[SEGMENTS] = {0}, extra[3] = {layers, 0, steps_taken(f)}, all = 0;
    if (layers >= layers_most(&f->shape) || !scalable_sizes(&f->shape, extra, bytes))
        return SITO_EFULL;
    for (int i = 0; i < SEGMENTS; i++) all = sum_of(all, bytes[i]);
    if (f->limit_bytes && all > f->limit_bytes) return SITO_ELIMIT;
    struct segment layer = f->seg[layers + 1], directory = f->seg[0];
    bool is_new = !layer.at; /* else it was there before sito_clear() */
    if (is_new) {
        layer.room = room_for(bytes[layers + 1]);
        layer.at = (uint8_t *)take(&f->mem, layer.room, true);
        if (!layer.at) return SITO_ENOMEM;
    }
    if (directory.room < bytes[0]) {
        directory.room = room_for(RECORD_BYTES * LAYERS_MAX);
        directory.at = (uint8_t *)take(&f->mem, directory.room, true);
        if (!directory.at) {
            if (is_new) give(&f->mem, layer.at, layer.room);
            return SITO_ENOMEM;
        }
        memcpy(directory.at, f->seg[0].at, (size_t)f->seg[0].bytes);
        segment_free(f, &f->seg[0]);
    }
    directory.bytes = bytes[0], layer.bytes = bytes[layers + 1];
    f->seg[0] = directory, f->seg[layers + 1] = layer;
    memset(record_of(f, layers), 0, RECORD_BYTES);
    f->extra[EXTRA_MORE] = layers;
    return SITO_OK;
}

/* The newest layer that has room for a new key; LAYERS_MAX if none has. */
static unsigned layer_with_room(const sito_filter *f) {
    for (unsigned i = layers_of(f); i-- > 0;)
        if (keys_in(f, i) < layer_keys(&f->shape, i, steps_taken(f))) return i;
    return LAYERS_MAX;
}

/* ---- adds ---- */

/* 1: that layer has not seen it. */
static int put_in_layer(sito_filter *f, unsigned i, uint64_t hash) {
    sito_filter layer;
    layer_open(f, i, &layer);
    int answer = layer.kind->add(&layer, hash_for(f, i, hash));
    if (answer >= 0) layer_close(f, i, &layer);
    return answer;
}

/* Are all places of this key taken by copies of it, in a layer that is nearly empty? One key over
 * and over would open all layers. */
static bool is_over_and_over(const sito_filter *f, unsigned i, uint64_t hash) {
    sito_filter layer;
    layer_open(f, i, &layer);
    return layer.kind->count(&layer, hash_for(f, i, hash)) >= 2 * BUCKET_SLOTS &&
           layer.nkeys < layer_keys(&f->shape, i, steps_taken(f)) / 8;
}

/* Where no layer has room, or a cuckoo layer refuses the key before it is full, a ground that is
 * alone is laid out anew with the key in it; else a layer is opened, which takes it. */
static int put_new(sito_filter *f, uint64_t hash) {
    unsigned i = layer_with_room(f);
    if (i < LAYERS_MAX) {
        int answer = put_in_layer(f, i, hash);
        if (answer != SITO_EFULL || is_over_and_over(f, i, hash)) return answer;
    }
    sito_rc rc = layers_of(f) == 1 ? ground_more(f, hash) : SITO_EFULL;
    if (rc != SITO_EFULL) return rc == SITO_OK ? 1 : rc;
    rc = layer_more(f);
    return rc == SITO_OK ? put_in_layer(f, layers_of(f) - 1, hash) : rc;
}

/* A copy goes where the key is, if that is plain: so it can be removed as often as it was added. */
static int scalable_add(sito_filter *f, uint64_t hash) {
    unsigned i;
    bool known = scalable_maybe(f, hash);
    if (known && !has_copies(&f->shape)) return 0;
    if (known && (i = only_one_with(f, hash)) < LAYERS_MAX &&
        keys_in(f, i) < layer_room(&f->shape, i, steps_taken(f)) && put_in_layer(f, i, hash) >= 0)
        return 0;
    int answer = put_new(f, hash);
    return answer < 0 ? answer : answer && !known;
}

/* Did one like it go in before? Tables of tags take every copy that comes, and no copy should open
 * a layer. */
static bool went_before(const sito_filter *f, unsigned i, uint64_t hash) {
    sito_filter layer;
    if (i == LAYERS_MAX) return false;
    layer_open(f, i, &layer);
    return layer.kind->maybe(&layer, hash_for(f, i, hash));
}

/* How often it has grown. */
static uint64_t growths(const sito_filter *f) {
    return f->extra[EXTRA_MORE] + f->extra[EXTRA_STEP];
}

/* A group is asked for first, as a batch. As long as its keys all go into one layer, that layer
 * knows those of the group that went before; when another one's turn comes, the group ends. */
static sito_rc scalable_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                                 size_t *done) {
    uint8_t known[QUESTS];
    for (*done = 0; *done < n;) {
        const uint64_t *group = hashes + *done;
        size_t size = (size_t)least(QUESTS, n - *done);
        unsigned target = LAYERS_MAX;
        uint64_t grown = growths(f);
        scalable_maybe_many(f, group, size, known);
        for (size_t j = 0; j < size && grown == growths(f); j++, ++*done) {
            int answer;
            if (known[j] || went_before(f, target, group[j])) {
                answer = scalable_add(f, group[j]);
            } else {
                unsigned i = layer_with_room(f);
                if (target == LAYERS_MAX) target = i;
                if (i != target) break;
                answer = put_new(f, group[j]);
            }
            if (answers) answers[*done] = (int8_t)answer;
            if (answer < 0) return answer;
        }
    }
    return SITO_OK;
}

/* ---- removes ---- */

/* Where one layer has the tag, that is the key's. Where several have, nobody can say which, and to
 * take another key's would be to lose it: the tag stays for good, and only the count goes down. */
static int scalable_remove(sito_filter *f, uint64_t hash) {
    if (!f->nkeys) return 0; /* what is there is permanent */
    unsigned i = only_one_with(f, hash);
    if (i == LAYERS_MAX) {
        if (!scalable_maybe(f, hash)) return 0;
        f->nkeys--;
        f->extra[EXTRA_PERMANENT]++;
        return 1;
    }
    sito_filter layer;
    layer_open(f, i, &layer);
    layer.kind->remove(&layer, hash);
    layer_close(f, i, &layer);
    return 1;
}

/* ---- looking ---- */

static void scalable_look(const sito_filter *f, sito_info *info) {
    double denied = 1, used = 0, cells = 0;
    sito_filter layer;
    for (unsigned i = 0; i < layers_of(f); i++) {
        layer_open(f, i, &layer);
        sito_info here = {.nkeys = layer.nkeys};
        layer.kind->look(&layer, &here);
        if (!i && has_ground(&f->shape)) here.present_fpr = ground_rate(&f->shape, layer.nkeys);
        denied *= 1 - here.present_fpr;
        used += here.fill * (double)layer.shape.ncells;
        cells += (double)layer.shape.ncells;
    }
    info->fill = fmin(used / cells, 1);
    info->present_fpr = fmin(1 - denied, BELOW_ONE); /* without keys too: tags may have stayed */
}

static const char *const scalable_facts[] = {"layers", "max_layers", "expansion", "first",
                                             "room",   "moves",      "permanent", NULL};

/* `first`: keys of the first layer; `room`: of all layers that are there; `permanent`: tags that
 * removes had to leave. */
static double scalable_fact(const sito_filter *f, size_t i) {
    double room = 0, moves = 0;
    for (unsigned at = 0; at < layers_of(f); at++) {
        room += (double)layer_keys(&f->shape, at, steps_taken(f));
        moves += (double)get64(record_of(f, at) + 8 + 8 * EXTRA_MOVES);
    }
    unsigned expansion = f->shape.param[PARAM_GROWTH] & 255;
    const double facts[] = {layers_of(f),
                            layers_most(&f->shape),
                            expansion ? expansion : 2.1,
                            (double)f->shape.ncells,
                            room,
                            moves,
                            (double)f->extra[EXTRA_PERMANENT]};
    return facts[i];
}

static sito_rc scalable_verify(const sito_filter *f, const char **why) {
    sito_filter layer;
    uint64_t keys = 0, bytes[SEGMENTS] = {0};
    for (unsigned i = 0; i < layers_of(f); i++) {
        layer_open(f, i, &layer);
        if (!layer.kind->sizes(&layer.shape, layer.extra, bytes) || bytes[0] != f->seg[i + 1].bytes)
            return refuse(SITO_EDAMAGED, "the directory has an impossible entry", why);
        sito_rc rc = layer.kind->verify(&layer, why);
        if (rc != SITO_OK) return rc;
        keys = sum_of(keys, layer.nkeys);
    }
    if (keys > INT64_MAX || keys != sum_of(f->nkeys, f->extra[EXTRA_PERMANENT]))
        return refuse(SITO_EDAMAGED, "the number of keys is not that of the layers", why);
    return SITO_OK;
}

/* Layers that keep copies can give them back. */
static unsigned scalable_more(const struct shape *s) {
    return has_copies(s) ? SITO_CAN_REMOVE | SITO_CAN_COUNT : 0;
}

const struct kind kind_scalable = {
    .name = SITO_SCALABLE,
    .what = "layers of filters: grows past its plan, keeps the promised rate",
    .id = 13,
    .can = SITO_CAN_ADD | SITO_CAN_GROW | SITO_CAN_MAP,
    .more = scalable_more,
    .solve = scalable_solve,
    .to_shape = scalable_to_shape,
    .to_plan = scalable_to_plan,
    .sizes = scalable_sizes,
    .rate = scalable_rate,
    .ready = scalable_ready,
    .add = scalable_add,
    .maybe = scalable_maybe,
    .remove = scalable_remove,
    .count = scalable_count,
    .maybe_many = scalable_maybe_many,
    .add_many = scalable_add_many,
    .look = scalable_look,
    .facts = scalable_facts,
    .fact = scalable_fact,
    .verify = scalable_verify,
};
