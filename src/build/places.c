/* places.c - carry each place to its part of the table, then fill part by part. */
#include "build/places.h"

#include "build/hands.h"
#include "core/life.h"
#include "core/memory.h"

enum {
    PLACE_PARTS = 512,     /* more streams than the first cache has lines would cost more */
    PLACE_PART_MIN = 15,   /* bits of a place's number in its part: at least, ... */
    PLACE_PART_MAX = 25,   /* ... and at most, where the rest of an item is for the key */
    ITEM_BITS = 32,        /* a place in its part, and of bits the number of the key in its group */
    PLACE_STEP = 2048,     /* items between two looks at the streams' room */
    PLACE_LOOK = 1 << 21,  /* items between two calls of the watch */
    FEW_ITEMS = 1 << 20,   /* not worth a round */
    HAND_ITEMS = 1 << 18,  /* nor a thread */
    ROUND_ITEMS = 1 << 25, /* carried at a time, about: their room is used again */
};

#define FAR_BYTES ((uint64_t)16 << 20) /* of a table: more than a core's share of the caches */

struct work_of_places {
    sito_filter *f;
    const sito_plan *plan;
    struct bits_walk walk;
    const uint64_t *hashes; /* of this round */
    size_t n;
    uint64_t before, total; /* hashes of the rounds before, of all */
    unsigned part_bits, key_bits, nparts, nthreads;
    size_t most, stream; /* items of a part, thread and round: expected at most; and their room */
    size_t groups;       /* of keys, a thread and round */
    bool is_counted;     /* streams have room for what was counted: no more will come */
    bool is_over;        /* a stream has more than was expected */
    bool stopped;
    struct places_hand *hand;
};

/* What a thread has to itself. */
struct places_hand {
    struct work_of_places *work;
    unsigned number;
    size_t from, to;   /* its share of the round's keys */
    uint32_t *streams; /* items, part by part */
    uint32_t *ends;    /* of each part's groups: how many items there are by then */
    uint32_t *fresh;   /* a bit a key of the round: set, one of its places was empty */
    uint32_t *begin[PLACE_PARTS], *at[PLACE_PARTS]; /* of a part's stream: where its next goes */
};

/* The first hand is the caller's thread, and tells. */
static bool places_go_on(const struct places_hand *h, uint64_t done) {
    struct work_of_places *w = h->work;
    const sito_plan *plan = w->plan;
    if (h->number == 0 && plan->watch && plan->watch(plan->watch_self, w->before + done, w->total))
        __atomic_store_n(&w->stopped, true, __ATOMIC_RELAXED);
    return !__atomic_load_n(&w->stopped, __ATOMIC_RELAXED);
}

/* ---- carrying ---- */

/* A line is asked for before its first item comes. Cells that count have no use for the key. */
static inline __attribute__((always_inline)) void draw_items(uint32_t **at, struct bits_walk w,
                                                             unsigned part_bits,
                                                             const uint64_t *hashes, size_t n,
                                                             uint32_t key) {
    unsigned key_bits = w.cell_bits == 1 ? ITEM_BITS - part_bits : 0;
    unsigned cut = w.cell_bits == 1 ? ITEM_BITS : part_bits;
    for (size_t j = 0; j < n; j++, key++) {
        uint64_t x = hashes[j];
#pragma GCC unroll 8
        for (unsigned i = 0; i < w.k; i++, x = spread_next(x)) {
            uint64_t p = place(&w, i, x) << key_bits;
            uint32_t *to = at[p >> cut]++;
            __builtin_prefetch(to + 24, 1);
            *to = (uint32_t)p | (w.cell_bits == 1 ? key : 0);
        }
    }
}

/* Constants where they matter: bits or counters, in k tables or in one, and seven of them. */
static void carry_places(struct places_hand *h, const uint64_t *hashes, size_t n, uint32_t key) {
    struct bits_walk w = h->work->walk;
    unsigned part_bits = h->work->part_bits;
    if (w.cell_bits > 1) {
        w.parted = false, w.cell_bits = 2;
        draw_items(h->at, w, part_bits, hashes, n, key);
        return;
    }
    w.cell_bits = 1;
    if (w.parted) {
        draw_items(h->at, w, part_bits, hashes, n, key);
    } else if (w.k != 7) {
        w.parted = false;
        draw_items(h->at, w, part_bits, hashes, n, key);
    } else {
        w.parted = false, w.k = 7;
        draw_items(h->at, w, part_bits, hashes, n, key);
    }
}

static bool is_over_full(const struct places_hand *h) {
    const struct work_of_places *w = h->work;
    bool is_over = false;
    if (w->is_counted) return false;
    for (unsigned p = 0; p < w->nparts; p++) is_over |= h->at[p] > h->begin[p] + w->most;
    return is_over;
}

static void note_ends(struct places_hand *h, size_t group) {
    const struct work_of_places *w = h->work;
    for (unsigned p = 0; p < w->nparts; p++)
        h->ends[p * w->groups + group] = (uint32_t)(h->at[p] - h->begin[p]);
}

/* The same room for each part's stream, or as much as it needs. False: stopped. */
static bool lay_out_streams(struct places_hand *h) {
    enum { COUNTED = 1 << 18 };
    const struct work_of_places *w = h->work;
    size_t count[PLACE_PARTS] = {0};
    for (size_t i = h->from; i < h->to && w->is_counted; i++) {
        uint64_t x = w->hashes[i];
        if ((i - h->from) % COUNTED == 0 && !places_go_on(h, 0)) return false;
        for (unsigned j = 0; j < w->walk.k; j++, x = spread_next(x))
            count[place(&w->walk, j, x) >> w->part_bits]++;
    }
    uint32_t *to = h->streams;
    for (unsigned p = 0; p < w->nparts; p++) {
        h->begin[p] = h->at[p] = to;
        to += w->is_counted ? count[p] : w->stream;
    }
    return true;
}

static size_t group_size(const struct work_of_places *w) {
    return w->key_bits ? (size_t)1 << w->key_bits : SIZE_MAX;
}

static void *carry_places_share(void *self) {
    struct places_hand *h = (struct places_hand *)self;
    struct work_of_places *w = h->work;
    size_t step = PLACE_STEP / w->walk.k, size = group_size(w), group = 0, in_group = 0;
    uint64_t look = 0;
    if (!lay_out_streams(h)) return NULL;
    for (size_t i = h->from, n; i < h->to; i += n) {
        n = (size_t)least(least(step, size - in_group), h->to - i);
        if (look < n * w->walk.k) {
            if (!places_go_on(h, 0) || __atomic_load_n(&w->is_over, __ATOMIC_RELAXED)) return NULL;
            look = PLACE_LOOK;
        }
        look -= n * w->walk.k;
        carry_places(h, w->hashes + i, n, (uint32_t)in_group);
        if (is_over_full(h)) {
            __atomic_store_n(&w->is_over, true, __ATOMIC_RELAXED);
            return NULL;
        }
        in_group += n;
        if (in_group < size && i + n < h->to) continue;
        note_ends(h, group++);
        in_group = 0;
    }
    return NULL;
}

/* ---- filling ---- */

static void set_places(uint8_t *cells, const uint32_t *item, size_t n, unsigned key_bits,
                       uint32_t *fresh) {
    uint32_t keys = ((uint32_t)1 << key_bits) - 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t j = item[i] >> key_bits, key = item[i] & keys, bit = (uint32_t)1 << (j % 32);
        uint8_t *word = cells + j / 32 * 4;
        uint32_t was = get32(word);
        put32(word, was | bit);
        fresh[key / 32] |= (uint32_t) !(was & bit) << (key % 32);
    }
}

static inline __attribute__((always_inline)) void count_items(uint8_t *cells, const uint32_t *item,
                                                              size_t n, unsigned part_bits,
                                                              unsigned cell_bits) {
    uint64_t places = low_bits(part_bits);
    for (size_t i = 0; i < n; i++) counter_up(cells, item[i] & places, cell_bits);
}

/* Four bits are the usual width. */
static void count_places(uint8_t *cells, const uint32_t *item, size_t n, unsigned part_bits,
                         unsigned cell_bits) {
    if (cell_bits == 4) count_items(cells, item, n, part_bits, 4);
    else count_items(cells, item, n, part_bits, cell_bits);
}

/* Lines of the table, soon to be looked at and written. */
static void ask_for_lines(const sito_filter *f, uint64_t from, uint64_t to) {
    to = least(to, f->seg[0].bytes);
    for (; from < to; from += CELLS_ALIGN) __builtin_prefetch(f->seg[0].at + from, 1);
}

/* With each group of keys comes a little of the next part, as much for each of the carriers. */
static void fill_part_from(struct places_hand *h, unsigned part,
                           const struct places_hand *carrier) {
    const struct work_of_places *w = h->work;
    unsigned cell_bits = w->walk.cell_bits;
    uint64_t part_bytes = ((uint64_t)1 << w->part_bits) / 8 * cell_bits;
    uint8_t *cells = w->f->seg[0].at + part * part_bytes;
    const uint32_t *item = carrier->begin[part];
    const uint32_t *ends = carrier->ends + part * w->groups;
    if (carrier->from == carrier->to) return;
    if (cell_bits > 1) {
        count_places(cells, item, ends[0], w->part_bits, cell_bits);
        return;
    }
    size_t size = group_size(w), begin = 0;
    uint64_t share = part_bytes / w->nthreads;
    uint64_t next = (part + 1) * part_bytes + carrier->number * share;
    uint64_t step = rounded_up(share / w->groups + 1, CELLS_ALIGN);
    uint32_t *fresh = h->fresh + carrier->from / 32;
    for (size_t at = carrier->from; at < carrier->to; at += size, fresh += size / 32) {
        size_t end = *ends++;
        ask_for_lines(w->f, next, next + step);
        set_places(cells, item + begin, end - begin, w->key_bits, fresh);
        begin = end, next += step;
    }
}

/* A run of neighbouring parts each. */
static void *fill_places_share(void *self) {
    struct places_hand *h = (struct places_hand *)self;
    struct work_of_places *w = h->work;
    unsigned from = w->nparts * h->number / w->nthreads,
             to = w->nparts * (h->number + 1) / w->nthreads;
    memset(h->fresh, 0, (w->n + 63) / 64 * 8);
    for (unsigned p = from; p < to; p++) {
        if ((p - from) % 16 == 0 && !places_go_on(h, w->n * (uint64_t)(p - from) / (to - from)))
            return NULL;
        for (unsigned t = 0; t < w->nthreads; t++) fill_part_from(h, p, &w->hand[t]);
    }
    return NULL;
}

/* ---- rounds ---- */

/* A key is certainly new if any of the threads found one of its places empty. */
static uint64_t count_fresh(const struct work_of_places *w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < (w->n + 31) / 32; i++) {
        uint32_t any = 0;
        for (unsigned t = 0; t < w->nthreads; t++) any |= w->hand[t].fresh[i];
        sum += (unsigned)__builtin_popcount(any);
    }
    return sum;
}

static void places_together(struct work_of_places *w, void *(*share)(void *self)) {
    share_among(w->hand, sizeof *w->hand, w->nthreads, share);
}

/* Hashes that are sorted, or none, or the same ones over and over, crowd into few parts: then they are
 * counted first. Shares of keys begin at whole words of `fresh`. */
static void places_round(struct work_of_places *w) {
    for (unsigned t = 0; t < w->nthreads; t++) {
        struct places_hand *h = &w->hand[t];
        h->from = w->n * t / w->nthreads / 32 * 32;
        h->to = t + 1 < w->nthreads ? w->n * (t + 1) / w->nthreads / 32 * 32 : w->n;
    }
    w->is_over = false;
    places_together(w, carry_places_share);
    if (w->is_over && !w->stopped) {
        w->is_over = false, w->is_counted = true;
        places_together(w, carry_places_share);
    }
    if (!w->stopped) places_together(w, fill_places_share);
}

static sito_rc places_rounds(struct work_of_places *w, const uint64_t *hashes, size_t each) {
    for (; w->before < w->total; w->before += w->n) {
        w->hashes = hashes + w->before;
        w->n = (size_t)least(each, w->total - w->before);
        places_round(w);
        if (w->stopped) return SITO_ECANCEL;
        w->f->nkeys += w->walk.cell_bits == 1 ? count_fresh(w) : w->n;
    }
    return places_go_on(&w->hand[0], 0) ? SITO_OK : SITO_ECANCEL;
}

/* False: as good one by one. A near table has no far lines to spare; of a large one, a few keys do
 * not even touch every line. */
static bool pays_in_parts(const struct work_of_places *w, uint64_t table_bytes) {
    uint64_t items = product_of(w->total, w->walk.k);
    if (items < FEW_ITEMS || items < table_bytes / CELLS_ALIGN) return false;
    if (w->part_bits > (w->walk.cell_bits == 1 ? PLACE_PART_MAX : ITEM_BITS)) return false;
    return w->nthreads > 1 || table_bytes > FAR_BYTES;
}

static void cut_in_parts(struct work_of_places *w, uint64_t ncells) {
    w->part_bits = PLACE_PART_MIN;
    while ((ncells - 1) >> w->part_bits >= PLACE_PARTS) w->part_bits++;
    w->nparts = (unsigned)((ncells - 1) >> w->part_bits) + 1;
    w->key_bits = w->walk.cell_bits == 1 && w->part_bits < ITEM_BITS ? ITEM_BITS - w->part_bits : 0;
    unsigned threads = w->plan->threads ? w->plan->threads : 1;
    uint64_t busy = product_of(w->total, w->walk.k) / HAND_ITEMS + 1;
    w->nthreads = (unsigned)least(threads, least(busy, least(w->nparts, HANDS_MAX)));
}

/* A round goes once through the table, so it should be many places for each of its lines; small
 * tables are near, and go through it sooner. All items may be of one part, and are numbered. */
static uint64_t round_items(uint64_t table_bytes) {
    uint64_t items = least(2 * table_bytes, ROUND_ITEMS);
    if (items < FEW_ITEMS) items = FEW_ITEMS;
    if (items < table_bytes / 8) items = table_bytes / 8;
    return least(items, UINT32_MAX / 2);
}

sito_rc build_by_places(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n,
                        struct bits_walk walk) {
    struct work_of_places w = {.f = f, .plan = plan, .walk = walk, .total = n};
    uint64_t table_bytes = f->seg[0].bytes;
    cut_in_parts(&w, f->shape.ncells);
    if (!pays_in_parts(&w, table_bytes)) return build_by_adding(f, plan, hashes, n);

    uint64_t most = round_items(table_bytes);
    uint64_t nrounds = n / (most / walk.k) + 1, each = n / nrounds + 1;
    uint64_t share = each / w.nthreads + 32; /* keys of a thread */
    uint64_t mean = share * walk.k / w.nparts + 1;
    w.most = (size_t)(mean + mean / 8 + 512);
    w.stream = (size_t)rounded_up(w.most + PLACE_STEP, 16) | 16; /* an odd number of lines */
    w.groups = w.key_bits ? (size_t)(share >> w.key_bits) + 1 : 1;
    uint64_t fresh = each / 32 + 2, one = w.nparts * (w.stream + w.groups) + fresh;
    uint64_t room = rounded_up(one * sizeof(uint32_t), 64), books = w.nthreads * sizeof *w.hand;
    uint8_t *space = (uint8_t *)take(&f->mem, product_of(room, w.nthreads), false);
    w.hand = (struct places_hand *)take(&f->mem, books, false);
    bool is_short = !space || !w.hand;
    sito_rc rc = SITO_OK;
    if (!is_short) {
        for (unsigned t = 0; t < w.nthreads; t++) {
            struct places_hand *h = &w.hand[t];
            h->work = &w, h->number = t;
            h->streams = (uint32_t *)(void *)(space + t * room);
            h->ends = h->streams + w.nparts * w.stream;
            h->fresh = h->ends + w.nparts * w.groups;
        }
        rc = places_rounds(&w, hashes, (size_t)each);
    }
    give(&f->mem, w.hand, books);
    give(&f->mem, space, room * w.nthreads);
    return is_short ? build_by_adding(f, plan, hashes, n) : rc;
}
