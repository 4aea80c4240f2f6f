/*
 * sweep.c - the keys of a piece are put in the order of their segments, and peeled by a walk from
 * the last segment to the first (cpu/fuse_walk.h).
 *
 * The outcome depends on the set of hashes only, not on their order.
 */
#include "build/sweep.h"

#include "cpu/fuse_kernel.h"

enum {
    SWEEP_STEP = 4096, /* keys laid out between two looks at their segments' room */
    CROWD = 4096,      /* steps from a key's place in a table of keys: some dozen are usual */
};

/* ---- piece -> segments ---- */

/* Keys spread evenly: a little more than the mean is room enough. Behind all there is room for a
 * step that goes too far. */
uint64_t sweep_keys_room(const struct fuse_table *t, uint64_t most) {
    uint64_t mean = most / t->starts + 1, root = 1;
    while (root * root < mean) root++;
    return sum_of(product_of(t->starts, mean + 8 * root), SWEEP_STEP);
}

uint64_t sweep_order_room(const struct fuse_table *t) { return t->piece_slots + 2 * SWEEP_HANDFUL; }

struct segments {
    size_t begin[STARTS_MAX], end[STARTS_MAX]; /* in own->keys */
};

/* A segment's keys behind each other, from where `end` points to. */
FUSE_INLINE void lay_out(const struct peeling *w, uint64_t *keys, struct segments *s,
                         const uint64_t *from, size_t n, unsigned attempt) {
    const struct fuse_table t = w->t;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __builtin_prefetch(from + i + 128, 0, 0);
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++) {
            uint64_t key = fuse_drawn(from[i + j], attempt);
            keys[s->end[fuse_start(&t, key)]++] = key;
        }
    }
    for (; i < n; i++) {
        uint64_t key = fuse_drawn(from[i], attempt);
        keys[s->end[fuse_start(&t, key)]++] = key;
    }
}

static bool have_room(const struct segments *s, uint32_t starts, size_t room) {
    for (uint32_t i = 0; i < starts; i++)
        if (s->end[i] > s->begin[i] + room) return false;
    return true;
}

/* Each segment has the same room. False: that was not enough. */
static bool by_guess(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                     unsigned attempt, struct segments *s) {
    size_t room = (size_t)((own->keys_room - SWEEP_STEP) / w->t.starts);
    for (uint32_t i = 0; i < w->t.starts; i++) s->begin[i] = s->end[i] = i * room;
    for (unsigned r = 0; r < k->nruns; r++)
        for (size_t i = 0; i < k->run[r]; i += SWEEP_STEP) {
            size_t n = (size_t)least(SWEEP_STEP, k->run[r] - i);
            lay_out(w, own->keys, s, k->from[r] + i, n, attempt);
            if (!have_room(s, w->t.starts, room)) return false;
        }
    return true;
}

static void by_count(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                     unsigned attempt, struct segments *s) {
    const struct fuse_table t = w->t;
    size_t sum = 0;
    memset(s->end, 0, sizeof s->end);
    for (unsigned r = 0; r < k->nruns; r++)
        for (size_t i = 0; i < k->run[r]; i++)
            s->end[fuse_start(&t, fuse_drawn(k->from[r][i], attempt))]++;
    for (uint32_t i = 0; i < t.starts; i++) {
        size_t count = s->end[i];
        s->begin[i] = s->end[i] = sum;
        sum += count;
    }
    for (unsigned r = 0; r < k->nruns; r++)
        lay_out(w, own->keys, s, k->from[r], k->run[r], attempt);
}

/* ---- copies ---- */

/* Those of a segment, each once; own->order, not yet in use, is a hash table of those met, by
 * number and from 1. False: more keys than slots, or a crowd at one place, which another draw
 * scatters. */
static bool without_copies(const struct peeling *w, struct peeler *own, size_t begin, size_t *end,
                           size_t *kept) {
    uint64_t places = least(own->room, 2 * (uint64_t)(*end - begin) + 1);
    size_t to = begin;
    memset(own->order, 0, (size_t)places * sizeof *own->order);
    for (size_t i = begin; i < *end; i++) {
        uint64_t key = own->keys[i], at = (fuse_shares(key) & UINT32_MAX) * places >> 32;
        unsigned steps = 0;
        for (; own->order[at] && own->keys[begin + own->order[at] - 1] != key; steps++)
            at = at + 1 < places ? at + 1 : 0;
        if (own->order[at]) continue;
        if (steps > CROWD || (*kept)++ == w->t.piece_slots) return false;
        own->keys[to++] = key;
        own->order[at] = (uint32_t)(to - begin);
    }
    *end = to;
    return true;
}

/* ---- a piece ---- */

bool sweeps(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
            struct peel_try *a, uint8_t *cells) {
    const struct fuse_kernel *kernel = fuse_kernel();
    struct segments s;
    if (!by_guess(w, own, k, a->number, &s)) by_count(w, own, k, a->number, &s);
    a->n = k->n;
    if (a->is_distinct) {
        a->n = 0;
        for (uint32_t i = 0; i < w->t.starts; i++)
            if (!without_copies(w, own, s.begin[i], &s.end[i], &a->n)) return false;
    }
    struct fuse_sweep sweep = {.keys = own->keys,
                               .room = (size_t)(own->keys_room - SWEEP_STEP),
                               .begin = s.begin,
                               .end = s.end,
                               .slots = own->slots,
                               .owns = own->order,
                               .owns_room = (size_t)own->room};
    if (kernel->sweep(&w->t, w->arity, &sweep) < a->n) return false;
    struct fuse_marks bytes = {.bytes = cells}, words = {.words = (uint32_t *)(void *)own->slots};
    if (w->bits != 8) memset(own->slots, 0, (size_t)w->t.piece_slots * sizeof *words.words);
    kernel->set(&w->t, w->arity, &sweep, a->n, w->bits == 8 ? bytes : words);
    if (w->bits != 8) pack_marks(w, NULL, words.words, cells);
    return true;
}
