/*
 * scalable.c - layers of filters: grows past its plan and keeps the promised rate (Almeida,
 * Baquero, Preguica, Hutchison 2007).
 *
 * A key goes into the newest layer that has room; where none has, a new one is opened, and nothing
 * that is there is moved. Whoever asks must ask all layers, from the newest, which holds most, to
 * the oldest. All layers see the same hash. In tables of tags that leaves little to be done for
 * each: the tag is the same in most of them, and so is what its other bucket is found by.
 */
#include "kinds/scalable.h"

#include <math.h>

#include "core/life.h"
#include "core/memory.h"
#include "core/rate.h"
#include "cpu/cpu.h"
#include "kinds/cuckoo.h"

/* ---- the directory ---- */

static uint8_t *record_of(const sito_filter *f, unsigned i) {
    return f->seg[0].at + i * RECORD_BYTES;
}

static uint64_t keys_in(const sito_filter *f, unsigned i) { return get64(record_of(f, i)); }

/* How many cells a layer has follows from its bytes: tags are wider than what is left over. */
static uint64_t cells_in(const sito_filter *f, unsigned i) {
    uint64_t bits = 8 * f->seg[i + 1].bytes;
    return has_tags(&f->shape) ? bits / width_of(&f->shape, i) : bits;
}

/* A layer as its own kind sees it: only what its calls look at. */
static void layer_open(const sito_filter *f, unsigned i, sito_filter *layer) {
    layer->kind = layer_kind(&f->shape);
    layer->shape = layer_of_cells(&f->shape, i, cells_in(f, i));
    layer->seg[0] = f->seg[i + 1];
    layer->nkeys = keys_in(f, i);
    for (int e = 0; e < 3; e++) layer->extra[e] = get64(record_of(f, i) + 8 + 8 * e);
}

static void layer_close(sito_filter *f, unsigned i, const sito_filter *layer) {
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
    return (struct nest_table){s->at, cells_in(f, i) / WINDOW_SLOTS, s->bytes,
                               width_of(&f->shape, i)};
}

static inline struct nest_quest nest_quest_of(uint64_t hash, unsigned bits) {
    uint64_t tag = tag_of(hash, bits), h = tag * 0x9e3779b97f4a7c15u;
    return (struct nest_quest){tag | tag << bits, (h ^ h >> 32) * 0xd1342543de82ef95u,
                               (tag & (WINDOW_SLOTS - 1)) * bits};
}

/* As in place/finger.h, the mixing done before. */
static inline struct nest_spots nest_spots_in(const struct nest_table *t, uint64_t hash,
                                              const struct nest_quest *q) {
    uint64_t one = range_of(hash, t->m), h = range_of(q->mix, t->m) | 1;
    uint64_t other = h - one + (h < one ? t->m : 0), each = WINDOW_SLOTS * t->bits;
    return (struct nest_spots){one * each + q->into, other * each + q->into};
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

static bool nests_maybe(const sito_filter *f, uint64_t hash) {
    struct nest_quest q = {0};
    unsigned bits = 0;
    for (unsigned i = layers_of(f); i-- > 0;) {
        struct nest_table t = nest_table_of(f, i);
        if (t.bits != bits) q = nest_quest_of(hash, bits = t.bits);
        struct nest_spots s = nest_spots_in(&t, hash, &q);
        if (nest_has(&t, &s, q.like, t.bits >= WIDE_TAGS)) return true;
    }
    return false;
}

/* Keys that are still to be found: what each looks for and where, and who is left. */
enum { QUESTS = 128 };

struct quests {
    struct nest_quest q[QUESTS];
    struct nest_spots spots[QUESTS];
    uint8_t who[QUESTS];
    unsigned left;
};

/* Tables that the nearer caches hold: nothing there is worth asking for ahead. */
static bool is_near(const struct nest_table *t) { return t->bytes <= 1 << 18; }

static inline void quest_ahead(const struct nest_table *t, uint64_t hash, struct quests *all,
                               unsigned k) {
    struct nest_spots s = nest_spots_in(t, hash, &all->q[k]);
    __builtin_prefetch(t->cells + s.one / 8);
    __builtin_prefetch(t->cells + s.other / 8);
    all->spots[k] = s;
}

/* One table: who is found leaves. `next`: the others ask for their lines there. */
static inline __attribute__((always_inline)) void
quests_round(const struct nest_table *table, const struct nest_table *next, const uint64_t *hashes,
             struct quests *all, uint8_t *answers, bool near, bool wide) {
    const struct nest_table t = *table;
    unsigned still = 0, left = all->left;
    for (unsigned j = 0; j < left; j++) {
        unsigned k = all->who[j];
        struct nest_spots s = near ? nest_spots_in(&t, hashes[k], &all->q[k]) : all->spots[k];
        bool has = nest_has(&t, &s, all->q[k].like, wide);
        if (next && !has) quest_ahead(next, hashes[k], all, k);
        answers[k] = has;
        all->who[still] = (uint8_t)k;
        still += !has;
    }
    all->left = still;
}

static bool in_any(const struct nest_table *tables, unsigned layers, uint64_t hash,
                   const struct nest_quest *q) {
    uint64_t equal = 0;
    unsigned bits = tables->bits;
    for (unsigned i = 0; i < layers; i++) {
        struct nest_table t = {tables[i].cells, tables[i].m, 0, bits};
        struct nest_spots s = nest_spots_in(&t, hash, q);
        equal |= equal_tags(&t, &s, q->like, false);
    }
    return equal & tag_tops(bits);
}

/* The oldest tables are small, and by now nearly everybody is a stranger: each asks all of them,
 * four at a time where the machine can. */
static void quests_end(const struct nest_table *tables, unsigned layers, const uint64_t *hashes,
                       struct quests *all, uint8_t *answers) {
    four_in_tags *in_tags = cpu_chosen()->in_tags;
    unsigned done = 0;
    if (in_tags) {
        struct tag_table plain[LAYERS_MAX];
        for (unsigned i = 0; i < layers; i++)
            plain[i] = (struct tag_table){tables[i].cells, tables[i].m};
        for (; done + 4 <= all->left; done += 4) {
            struct four_quests four;
            for (unsigned j = 0; j < 4; j++) {
                unsigned k = all->who[done + j];
                four.hash[j] = hashes[k], four.mix[j] = all->q[k].mix;
                four.like[j] = all->q[k].like, four.into[j] = all->q[k].into;
            }
            unsigned found = in_tags(plain, layers, tables->bits, &four);
            for (unsigned j = 0; j < 4; j++) answers[all->who[done + j]] = found >> j & 1;
        }
    }
    for (; done < all->left; done++) {
        unsigned k = all->who[done];
        answers[k] = in_any(tables, layers, hashes[k], &all->q[k]);
    }
}

/* A batch goes layer by layer, from the newest, where most are found. */
static void nests_maybe_group(const struct nest_table *tables, unsigned layers,
                              const uint64_t *hashes, unsigned n, uint8_t *answers) {
    struct quests all;
    all.left = n;
    for (unsigned j = 0; j < n; j++) all.who[j] = (uint8_t)j;
    for (unsigned i = layers, bits = 0; i-- > 0 && all.left; bits = tables[i].bits) {
        const struct nest_table *t = &tables[i], *next = i ? t - 1 : NULL;
        bool is_other = t->bits != bits, near = is_near(t), wide = t->bits >= WIDE_TAGS;
        for (unsigned j = 0; j < all.left && is_other; j++) {
            unsigned k = all.who[j];
            all.q[k] = nest_quest_of(hashes[k], t->bits);
            if (!near) quest_ahead(t, hashes[k], &all, k);
        }
        if (near && !wide && layers - i > 1 && t->bits == tables->bits) {
            quests_end(tables, i + 1, hashes, &all, answers);
            return;
        }
        if (next && (next->bits != t->bits || is_near(next))) next = NULL;
        if (wide) quests_round(t, next, hashes, &all, answers, near, true);
        else if (near) quests_round(t, NULL, hashes, &all, answers, true, false);
        else quests_round(t, next, hashes, &all, answers, false, false);
    }
}

static void nests_maybe_many(const sito_filter *f, const uint64_t *hashes, size_t n,
                             uint8_t *answers) {
    struct nest_table tables[LAYERS_MAX];
    for (unsigned i = 0; i < layers_of(f); i++) tables[i] = nest_table_of(f, i);
    for (size_t done = 0; done < n; done += QUESTS)
        nests_maybe_group(tables, layers_of(f), hashes + done, (unsigned)least(QUESTS, n - done),
                          answers + done);
}

/* ---- hash -> layers -> answer ---- */

static bool is_nested(const sito_filter *f) { return f->shape.param[PARAM_LAYER] == 7 + AS_SET; }

/* The newest layer below `end` that may have it; LAYERS_MAX if none has. */
static unsigned newest_with(const sito_filter *f, unsigned end, uint64_t hash) {
    sito_filter layer;
    for (unsigned i = end; i-- > 0;) {
        layer_open(f, i, &layer);
        if (layer.kind->maybe(&layer, hash)) return i;
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
    return is_nested(f) ? nests_maybe(f, hash) : newest_with(f, layers_of(f), hash) != LAYERS_MAX;
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
    if (is_nested(f)) {
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
    uint64_t bytes[SEGMENTS] = {0}, extra[3] = {layers}, all = 0;
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

/* The newest layer that has room for a new key; another one if none has. */
static sito_rc layer_with_room(sito_filter *f, unsigned *i) {
    for (*i = layers_of(f); (*i)-- > 0;)
        if (keys_in(f, *i) < layer_keys(&f->shape, *i)) return SITO_OK;
    sito_rc rc = layer_more(f);
    *i = layers_of(f) - 1;
    return rc;
}

/* ---- adds ---- */

/* 1: that layer has not seen it. */
static int put_in_layer(sito_filter *f, unsigned i, uint64_t hash) {
    sito_filter layer;
    layer_open(f, i, &layer);
    int answer = layer.kind->add(&layer, hash);
    if (answer >= 0) layer_close(f, i, &layer);
    return answer;
}

/* Are all places of this key taken by copies of it, in a layer that is nearly empty? One key over
 * and over would open all layers. */
static bool is_over_and_over(const sito_filter *f, unsigned i, uint64_t hash) {
    sito_filter layer;
    layer_open(f, i, &layer);
    return layer.kind->count(&layer, hash) >= 2 * BUCKET_SLOTS &&
           layer.nkeys < layer_keys(&f->shape, i) / 8;
}

/* A cuckoo layer may refuse a key before it is full: then a new one is opened. */
static int put_or_grow(sito_filter *f, unsigned i, uint64_t hash) {
    int answer = put_in_layer(f, i, hash);
    if (answer != SITO_EFULL || is_over_and_over(f, i, hash)) return answer;
    sito_rc rc = layer_more(f);
    return rc == SITO_OK ? put_in_layer(f, layers_of(f) - 1, hash) : rc;
}

/* A copy goes where the key is, if that is plain: so it can be removed as often as it was added. */
static int scalable_add(sito_filter *f, uint64_t hash) {
    unsigned i;
    bool known = scalable_maybe(f, hash);
    if (known && !has_copies(&f->shape)) return 0;
    if (known && (i = only_one_with(f, hash)) < LAYERS_MAX &&
        keys_in(f, i) < layer_room(&f->shape, i) && put_in_layer(f, i, hash) >= 0)
        return 0;
    sito_rc rc = layer_with_room(f, &i);
    int answer = rc == SITO_OK ? put_or_grow(f, i, hash) : rc;
    return answer < 0 ? answer : answer && !known;
}

/* Did one like it go in before? Tables of tags take every copy that comes, and no copy should open a
 * layer. */
static bool went_before(const sito_filter *f, unsigned i, uint64_t hash) {
    sito_filter layer;
    if (i == LAYERS_MAX) return false;
    layer_open(f, i, &layer);
    return layer.kind->maybe(&layer, hash);
}

/* A group is asked for first, as a batch. As long as its keys all go into one layer, that layer
 * knows those of the group that went before; when another one's turn comes, the group ends. */
static sito_rc scalable_add_many(sito_filter *f, const uint64_t *hashes, size_t n, int8_t *answers,
                                 size_t *done) {
    uint8_t known[QUESTS];
    for (*done = 0; *done < n;) {
        const uint64_t *group = hashes + *done;
        size_t size = (size_t)least(QUESTS, n - *done);
        unsigned target = LAYERS_MAX, i, layers = 0;
        scalable_maybe_many(f, group, size, known);
        for (size_t j = 0; j < size; j++, ++*done) {
            int answer;
            if (known[j] || went_before(f, target, group[j])) {
                answer = scalable_add(f, group[j]);
            } else {
                sito_rc rc = layer_with_room(f, &i);
                if (target == LAYERS_MAX) target = i, layers = layers_of(f);
                if (rc == SITO_OK && (i != target || layers != layers_of(f))) break;
                answer = rc == SITO_OK ? put_or_grow(f, i, group[j]) : rc;
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
        denied *= 1 - here.present_fpr;
        used += here.fill * (double)layer.shape.ncells;
        cells += (double)layer.shape.ncells;
    }
    info->fill = fmin(used / cells, 1);
    info->present_fpr = f->nkeys ? fmin(1 - denied, BELOW_ONE) : 0;
}

static const char *const scalable_facts[] = {"layers", "max_layers", "expansion", "first",
                                             "room",   "moves",      "permanent", NULL};

/* `first`: keys of the first layer; `room`: of all layers that are there; `permanent`: tags that
 * removes had to leave. */
static double scalable_fact(const sito_filter *f, size_t i) {
    double room = 0, moves = 0;
    for (unsigned at = 0; at < layers_of(f); at++) {
        room += (double)layer_keys(&f->shape, at);
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
    if (keys != sum_of(f->nkeys, f->extra[EXTRA_PERMANENT]))
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
