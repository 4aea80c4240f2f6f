/*
 * peel.c - a piece of a fuse filter is peeled.
 *
 * A slot that only one key has can be that key's own: whatever the others hold, it makes the key's
 * slots sum up to the key's mark. Take the key away, and other slots have one key only; so on until
 * none is left, and then set the slots from the last to the first. Every slot counts its keys and
 * holds the xor of their numbers, so that the last one is known by number.
 *
 * Keys lie in the order of their segments, and peeling runs through the segments like a zip from
 * either end: what is touched at a time fits the second cache. The outcome depends on the set of
 * hashes only, not on their order.
 */
#include "build/peel.h"

#include "cells/slots.h"

enum {
    NUMBER_BITS = 22, /* of a key in its piece; above them a slot counts its keys */
    ONE_KEY = 1 << NUMBER_BITS,
    HANDFUL = 16, /* keys looked up at a time */
};

_Static_assert((int)PIECE_SLOTS_MAX <= (int)ONE_KEY, "a key's number fits");
_Static_assert(NUMBER_BITS + 2 == 8 * (int)ORDER_BYTES,
               "and so does which of four slots is its own");

/* ---- piece -> segments ---- */

FUSE_INLINE uint64_t key_of(const struct peeling *w, uint64_t hash, bool is_stirred,
                            unsigned attempt) {
    return fuse_drawn(is_stirred ? hash : fuse_stirred(hash, w->salt), attempt);
}

/* Into own->keys by segment, which end at end[s]. */
static void by_segment(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                       unsigned attempt, uint32_t end[STARTS_MAX]) {
    const struct fuse_table t = w->t;
    uint32_t sum = 0;
    memset(end, 0, STARTS_MAX * sizeof *end);
    for (unsigned r = 0; r < k->nruns; r++)
        for (size_t i = 0; i < k->run[r]; i++)
            end[fuse_start(&t, key_of(w, k->from[r][i], k->is_stirred, attempt))]++;
    for (uint32_t s = 0; s < t.starts; s++) {
        uint32_t count = end[s];
        end[s] = sum;
        sum += count;
    }
    for (unsigned r = 0; r < k->nruns; r++)
        for (size_t i = 0; i < k->run[r]; i++) {
            uint64_t key = key_of(w, k->from[r][i], k->is_stirred, attempt);
            own->keys[end[fuse_start(&t, key)]++] = key;
        }
}

/* Each key once: equal ones are in the same segment. The slots, not yet in use, are a hash table of
 * those met in it, by number and from 1. Returns how many keys are left; more than slots: too many. */
static size_t without_copies(const struct peeling *w, struct peeler *own,
                             const uint32_t end[STARTS_MAX]) {
    size_t kept = 0, room = (size_t)w->t.piece_slots;
    for (uint32_t s = 0, i = 0; s < w->t.starts; s++) {
        size_t first = kept, places = (size_t)least(room, 2 * (uint64_t)(end[s] - i) + 1);
        memset(own->slots, 0, places * sizeof *own->slots);
        for (; i < end[s]; i++) {
            uint64_t key = own->keys[i];
            size_t at = (size_t)((key & UINT32_MAX) * places >> 32);
            while (own->slots[at] && own->keys[own->slots[at] - 1] != key)
                at = at + 1 < places ? at + 1 : 0;
            if (own->slots[at]) continue;
            if (kept == room || kept - first + 1 == places) return room + 1;
            own->keys[kept++] = key;
            own->slots[at] = (uint32_t)kept;
        }
    }
    return kept;
}

/* ---- segments -> order ---- */

FUSE_INLINE uint32_t hang(uint32_t *slot, uint32_t number) {
    return *slot = (*slot + ONE_KEY) ^ number;
}

/* False if a slot has so many keys that it could not count them: that is a bad draw. */
FUSE_INLINE bool hang_all(const struct peeling *w, struct peeler *own, uint32_t n,
                          const unsigned arity) {
    const struct fuse_table t = w->t;
    uint32_t at[ARITY_MAX], most = 0, *slots = own->slots;
    const uint64_t *keys = own->keys;
    memset(slots, 0, (size_t)t.piece_slots * sizeof *slots);
    for (uint32_t i = 0; i < n; i++) {
        fuse_slots(&t, keys[i], at);
        most |= hang(&slots[at[0]], i) | hang(&slots[at[1]], i) | hang(&slots[at[2]], i);
        if (arity == 4) most |= hang(&slots[at[3]], i);
    }
    return !(most >> 31);
}

FUSE_INLINE bool has_one(uint32_t slot) { return slot >> NUMBER_BITS == 1; }

/* Slots that are left with one key wait in a ring. It has room for what a handful leaves behind, or
 * those in it are let go, to be found again later. */
struct waiting {
    uint32_t *ring, head, tail;
    bool is_over;
};

FUSE_INLINE void unhang(uint32_t *slots, uint32_t at, uint32_t number, struct waiting *q) {
    uint32_t left = (slots[at] - ONE_KEY) ^ number;
    slots[at] = left;
    q->ring[q->tail % WAITING] = at; /* no branch: nobody could foretell it */
    q->tail += has_one(left);
}

/* Some keys at a time, with their slots. One handful is looked up before another is worked on: so
 * waits for memory overlap. */
struct handful {
    uint32_t n, own[HANDFUL], number[HANDFUL], at[HANDFUL][ARITY_MAX];
    uint64_t key[HANDFUL];
};

FUSE_INLINE void look_up(const struct fuse_table *t, const struct peeler *own, struct handful *h,
                         const unsigned arity) {
    for (uint32_t i = 0; i < h->n; i++) {
        uint64_t key = own->keys[h->number[i]];
        h->key[i] = key;
        fuse_slots(t, key, h->at[i]);
        __builtin_prefetch(&own->slots[h->at[i][0]], 1);
        __builtin_prefetch(&own->slots[h->at[i][1]], 1);
        __builtin_prefetch(&own->slots[h->at[i][2]], 1);
        if (arity == 4) __builtin_prefetch(&own->slots[h->at[i][3]], 1);
    }
}

/* The next of those that wait, without those whose key went with another slot. */
FUSE_INLINE void next_handful(const struct fuse_table *t, const struct peeler *own,
                              struct waiting *q, struct handful *h, const unsigned arity) {
    uint32_t n = 0;
    for (; n < HANDFUL && q->head != q->tail; q->head++) {
        uint32_t at = q->ring[q->head % WAITING], with = own->slots[at];
        h->own[n] = at;
        h->number[n] = with & (ONE_KEY - 1);
        n += has_one(with);
    }
    h->n = n;
    uint32_t ahead = q->tail - q->head < HANDFUL ? q->tail - q->head : HANDFUL;
    for (uint32_t i = 0; i < ahead; i++) {
        uint32_t with = own->slots[q->ring[(q->head + i) % WAITING]];
        __builtin_prefetch(&own->keys[with & (ONE_KEY - 1)]);
    }
    look_up(t, own, h, arity);
}

/* Takes the keys of a handful away. What is written down of each is its number and which of its slots
 * is its own; that slot is left at zero. */
FUSE_INLINE uint32_t peel_handful(struct peeler *own, struct waiting *q, const struct handful *h,
                                  uint32_t peeled, const unsigned arity) {
    uint32_t *slots = own->slots;
    if (q->tail - q->head > WAITING - HANDFUL * ARITY_MAX - 1) q->head = q->tail, q->is_over = true;
    for (uint32_t i = 0; i < h->n; i++) {
        uint32_t number = h->number[i], own_at = h->own[i];
        const uint32_t *at = h->at[i];
        if (!has_one(slots[own_at])) continue;
        unhang(slots, at[0], number, q);
        unhang(slots, at[1], number, q);
        unhang(slots, at[2], number, q);
        if (arity == 4) unhang(slots, at[3], number, q);
        uint32_t which = (at[1] == own_at) + 2u * (at[2] == own_at);
        if (arity == 4) which += 3u * (at[3] == own_at);
        put32(own->order + (size_t)ORDER_BYTES * peeled++, number << 2 | which);
    }
    return peeled;
}

FUSE_INLINE uint32_t peel_waiting(const struct fuse_table *t, struct peeler *own, struct waiting *q,
                                  uint32_t peeled, const unsigned arity) {
    struct handful h[2];
    next_handful(t, own, q, &h[0], arity);
    for (unsigned turn = 0; h[turn].n; turn ^= 1) {
        next_handful(t, own, q, &h[turn ^ 1], arity);
        peeled = peel_handful(own, q, &h[turn], peeled, arity);
        if (!h[turn ^ 1].n) next_handful(t, own, q, &h[turn ^ 1], arity);
    }
    return peeled;
}

/* Peels all that can be; returns how many. */
FUSE_INLINE uint32_t peel_all(const struct peeling *w, struct peeler *own, const unsigned arity) {
    const struct fuse_table t = w->t;
    struct waiting q = {.ring = own->waiting, .is_over = true};
    uint32_t nslots = (t.starts + arity - 1) * t.length, peeled = 0;
    while (q.is_over) {
        q.is_over = false;
        for (uint32_t s = 0; s < nslots; s++) {
            if (!has_one(own->slots[s])) continue;
            q.ring[q.tail++ % WAITING] = s;
            if (q.tail - q.head == HANDFUL) peeled = peel_waiting(&t, own, &q, peeled, arity);
        }
        peeled = peel_waiting(&t, own, &q, peeled, arity);
    }
    return peeled;
}

/* ---- order -> cells ---- */

FUSE_INLINE uint32_t order_at(const struct peeler *own, uint32_t i) {
    return get32(own->order + (size_t)ORDER_BYTES * i) & 0xffffff;
}

/* Those that were peeled last of the first `end`, the last one first. */
FUSE_INLINE void last_handful(const struct fuse_table *t, const struct peeler *own, uint32_t end,
                              struct handful *h, const unsigned arity) {
    h->n = end < HANDFUL ? end : HANDFUL;
    for (uint32_t i = 0; i < h->n; i++) {
        uint32_t entry = order_at(own, end - 1 - i);
        h->number[i] = entry >> 2;
        h->own[i] = entry & 3;
    }
    for (uint32_t i = HANDFUL; i < 2 * HANDFUL && i < end; i++)
        __builtin_prefetch(&own->keys[order_at(own, end - 1 - i) >> 2]);
    look_up(t, own, h, arity);
}

FUSE_INLINE void set_marks(const struct peeling *w, struct peeler *own, uint32_t n,
                           const unsigned arity) {
    const struct fuse_table t = w->t;
    struct handful h[2];
    uint32_t *slots = own->slots, mask = (uint32_t)low_bits(w->bits);
    last_handful(&t, own, n, &h[0], arity);
    for (unsigned turn = 0; h[turn].n; turn ^= 1) {
        const struct handful *now = &h[turn];
        n -= now->n;
        last_handful(&t, own, n, &h[turn ^ 1], arity);
        for (uint32_t i = 0; i < now->n; i++) {
            const uint32_t *at = now->at[i];
            uint32_t sum = ((uint32_t)now->key[i] & mask) ^ slots[at[0]] ^ slots[at[1]];
            sum ^= slots[at[2]];
            if (arity == 4) sum ^= slots[at[3]];
            slots[at[now->own[i]]] = sum;
        }
    }
}

/* Packed to the bit. Pieces begin at whole words; the last one may end inside one. */
static void pack(const struct peeling *w, const struct peeler *own, uint8_t *to) {
    uint64_t word = 0;
    unsigned have = 0, bits = w->bits;
    for (uint64_t s = 0; s < w->t.piece_slots; s++) {
        uint64_t mark = own->slots[s];
        word |= mark << have;
        if ((have += bits) < 64) continue;
        put64(to, word);
        to += 8;
        have -= 64;
        word = have ? mark >> (bits - have) : 0;
    }
    for (unsigned out = 0; out < have; out += 8) *to++ = (uint8_t)(word >> out);
}

/* ---- a piece ---- */

FUSE_INLINE bool peels_with(const struct peeling *w, struct peeler *own, uint32_t n,
                            const unsigned arity) {
    if (!hang_all(w, own, n, arity) || peel_all(w, own, arity) < n) return false;
    set_marks(w, own, n, arity);
    return true;
}

static bool peels(const struct peeling *w, struct peeler *own, uint32_t n) {
    return w->arity == 3 ? peels_with(w, own, n, 3) : peels_with(w, own, n, 4);
}

/* Copies never peel, but they are rare: they are looked for when peeling has failed. */
unsigned peel_piece(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                    uint8_t *cells, uint64_t *nkeys) {
    uint32_t end[STARTS_MAX];
    bool has_copies = k->n > w->t.piece_slots;
    for (unsigned attempt = 1; attempt <= TRIES_MAX;) {
        size_t n = k->n;
        by_segment(w, own, k, attempt, end);
        if (has_copies) n = without_copies(w, own, end);
        if (n > w->t.piece_slots) return 0;
        if (peels(w, own, (uint32_t)n)) {
            pack(w, own, cells);
            *nkeys = n;
            return attempt;
        }
        if (!has_copies && without_copies(w, own, end) < n) has_copies = true;
        else if (n > w->most_keys) return 0;
        else attempt++;
    }
    return 0;
}
