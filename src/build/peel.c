/*
 * peel.c - a piece of a fuse filter is peeled, its keys in whatever order they come; build/sweep.c
 * has the same for keys in order.
 *
 * A slot that only one key has can be that key's own: whatever the others hold, it makes the key's
 * slots sum up to the key's mark. Take the key away, and other slots have one key only; so on until
 * none is left, and then set the slots from the last to the first. Every slot counts its keys and
 * holds the xor of them all, so that the last one stands there by itself; peeled, it stays there.
 *
 * Peeling runs through the segments like a zip from either end: what is touched at a time fits the
 * second cache. The outcome depends on the set of hashes only, not on their order.
 *
 * Values go the same way: a slot has the xor of its keys' values too, beside it, and so the last
 * key's own in the end. Without values `sums` is NULL, and what is done with them is not compiled.
 */
#include "build/peel.h"

#include "build/sweep.h"
#include "cells/slots.h"
#include "cpu/fuse_walk.h"

enum {
    HANDFUL = 16,     /* keys looked up at a time */
    STEPS_MAX = 4096, /* from a key's place in a table of keys: some hundred are usual */
};

/* ---- keys -> slots ---- */

FUSE_INLINE uint64_t key_of(const struct peeling *w, uint64_t x, enum piece_stage stage,
                            unsigned attempt) {
    return fuse_drawn(stage == STIRRED ? x : fuse_stirred(x, w->salt), attempt);
}

FUSE_INLINE uint32_t value_of(const struct piece_keys *k, unsigned r, size_t i,
                              const uint32_t *const sums) {
    return sums ? k->values[r][i] : 0;
}

/* Into a key's slots, or out of them again. */
FUSE_INLINE void turn_value(uint32_t *const sums, const uint32_t at[ARITY_MAX], uint32_t value,
                            const unsigned arity) {
    for (unsigned j = 0; sums && j < arity; j++) sums[at[j]] ^= value;
}

FUSE_INLINE uint64_t hang_key(const struct fuse_table *t, uint64_t *slots, uint64_t key,
                              uint32_t *const sums, uint32_t value, const unsigned arity) {
    uint32_t at[ARITY_MAX];
    fuse_slots(t, key, at);
    turn_value(sums, at, value, arity);
    uint64_t most = hang(&slots[at[0]], key) | hang(&slots[at[1]], key) | hang(&slots[at[2]], key);
    return arity == 4 ? most | hang(&slots[at[3]], key) : most;
}

/* False if a slot has so many keys that it could not count them: copies, or a bad draw. */
FUSE_INLINE bool hang_all(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                          unsigned attempt, uint32_t *const sums, const unsigned arity) {
    const struct fuse_table t = w->t;
    uint64_t most = 0;
    for (unsigned r = 0; r < k->nruns; r++)
        for (size_t i = 0; i < k->run[r]; i++)
            most |= hang_key(&t, own->slots, key_of(w, k->from[r][i], k->stage, attempt), sums,
                             value_of(k, r, i, sums), arity);
    return !(most >> 63);
}

/* The run that key number *i is in, and its number there. */
static unsigned run_of(const struct piece_keys *k, size_t *i) {
    unsigned r = 0;
    while (*i >= k->run[r]) *i -= k->run[r++];
    return r;
}

static uint64_t key_number(const struct peeling *w, const struct piece_keys *k, unsigned attempt,
                           size_t i) {
    unsigned r = run_of(k, &i);
    return key_of(w, k->from[r][i], k->stage, attempt);
}

/* Is key number i, which looks like `number`, welcome as a copy? Not with another value: if the
 * hash is the same, the caller has erred; if not, another draw tells the two apart. */
static bool is_copy(const struct piece_keys *k, size_t number, size_t i, bool *contrary) {
    unsigned one = run_of(k, &number), two = run_of(k, &i);
    if (k->values[one][number] == k->values[two][i]) return true;
    *contrary = k->from[one][number] == k->from[two][i];
    return false;
}

/* Each key once: own->order, not yet in use, is a hash table of those met, by number and from 1.
 * Returns how many there are; more than slots: too many. A crowd
 * of keys at one place is not counted to its end: another draw scatters it. */
FUSE_INLINE size_t hang_distinct(const struct peeling *w, struct peeler *own,
                                 const struct piece_keys *k, unsigned attempt, bool *countable,
                                 uint32_t *const sums, const unsigned arity) {
    const struct fuse_table t = w->t;
    uint64_t most = 0;
    size_t kept = 0, number = 0;
    memset(own->order, 0, (size_t)own->room * sizeof *own->order);
    for (unsigned r = 0; r < k->nruns; r++)
        for (size_t i = 0; i < k->run[r]; i++) {
            uint64_t key = key_of(w, k->from[r][i], k->stage, attempt);
            uint64_t at = (key >> (DRAWN_BITS - 32)) * own->room >> 32;
            unsigned steps = 0;
            number++;
            for (; own->order[at] && key_number(w, k, attempt, own->order[at] - 1) != key; steps++)
                at = at + 1 < own->room ? at + 1 : 0;
            if (own->order[at]) {
                if (!sums || is_copy(k, own->order[at] - 1, number - 1, &own->is_contrary))
                    continue;
                return *countable = false, kept;
            }
            if (steps > STEPS_MAX) return *countable = false, kept;
            if (kept++ == t.piece_slots) return kept;
            own->order[at] = (uint32_t)number;
            most |= hang_key(&t, own->slots, key, sums, value_of(k, r, i, sums), arity);
        }
    *countable = !(most >> 63);
    return kept;
}

/* ---- slots -> order ---- */

FUSE_INLINE bool has_one(uint64_t slot) { return slot >> DRAWN_BITS == 1; }

/* Slots that are left with one key wait in a ring. It has room for what a handful leaves behind, or
 * those in it are let go, to be found again later. */
struct waiting {
    uint32_t *ring, head, tail;
    bool is_over;
};

FUSE_INLINE void unhang(uint64_t *slots, uint32_t at, uint64_t key, struct waiting *q) {
    uint64_t left = (slots[at] - ONE_KEY) ^ key;
    slots[at] = left;
    q->ring[q->tail % WAITING] = at; /* no branch: nobody could foretell it */
    q->tail += has_one(left);
}

/* Some keys at a time, with their slots asked for: so waits for memory overlap. */
struct handful {
    uint32_t n, own[HANDFUL], at[HANDFUL][ARITY_MAX];
};

/* The next of those that wait, without those whose key went with another slot. */
FUSE_INLINE void next_handful(const struct fuse_table *t, const uint64_t *slots, struct waiting *q,
                              struct handful *h, const uint32_t *const sums, const unsigned arity) {
    uint32_t n = 0;
    for (; n < HANDFUL && q->head != q->tail; q->head++) {
        uint32_t own_at = q->ring[q->head % WAITING];
        uint64_t with = slots[own_at];
        h->own[n] = own_at;
        fuse_slots(t, with & (ONE_KEY - 1), h->at[n]);
        if (arity == 3) __builtin_prefetch(&slots[h->at[n][1]], 1);
        if (arity == 4) __builtin_prefetch(&slots[h->at[n][3]], 1);
        __builtin_prefetch(&slots[h->at[n][0]], 1);
        __builtin_prefetch(&slots[h->at[n][2]], 1);
        for (unsigned j = 0; sums && j < arity; j++) __builtin_prefetch(&sums[h->at[n][j]], 1);
        n += has_one(with);
    }
    h->n = n;
}

FUSE_INLINE uint32_t peel_waiting(const struct fuse_table *t, struct peeler *own, struct waiting *q,
                                  uint32_t peeled, uint32_t *const sums, const unsigned arity) {
    uint64_t *slots = own->slots;
    struct handful h;
    while (q->head != q->tail) {
        next_handful(t, slots, q, &h, sums, arity);
        if (q->tail - q->head > WAITING - HANDFUL * ARITY_MAX - 1)
            q->head = q->tail, q->is_over = true;
        for (uint32_t i = 0; i < h.n; i++) {
            uint32_t own_at = h.own[i];
            uint64_t key = slots[own_at] ^ ONE_KEY;
            if (!has_one(slots[own_at])) continue;
            uint32_t value = sums ? sums[own_at] : 0;
            turn_value(sums, h.at[i], value, arity);
            if (sums) sums[own_at] = value;
            unhang(slots, h.at[i][0], key, q);
            unhang(slots, h.at[i][1], key, q);
            unhang(slots, h.at[i][2], key, q);
            if (arity == 4) unhang(slots, h.at[i][3], key, q);
            slots[own_at] = key;
            own->order[peeled++] = own_at;
        }
    }
    return peeled;
}

/* Peels all that can be; returns how many. */
FUSE_INLINE uint32_t peel_all(const struct peeling *w, struct peeler *own, uint32_t *const sums,
                              const unsigned arity) {
    const struct fuse_table t = w->t;
    struct waiting q = {.ring = own->waiting, .is_over = true};
    uint32_t nslots = (t.starts + fuse_reach(arity, t.is_paired)) * t.length, peeled = 0;
    while (q.is_over) {
        q.is_over = false;
        for (uint32_t s = 0; s < nslots; s++) {
            if (!has_one(own->slots[s])) continue;
            q.ring[q.tail++ % WAITING] = s;
            if (q.tail - q.head == HANDFUL) peeled = peel_waiting(&t, own, &q, peeled, sums, arity);
        }
        peeled = peel_waiting(&t, own, &q, peeled, sums, arity);
    }
    return peeled;
}

/* ---- order -> cells ---- */

/* The slot that comes some keys later is asked for now. */
FUSE_INLINE uint32_t own_slot(const struct peeler *own, uint32_t i) {
    enum { SOON = 24 };
    __builtin_prefetch(&own->slots[own->order[i < SOON ? 0 : i - SOON]]);
    return own->order[i];
}

/* In a key's other slots there are marks already, or nothing: no key that is still to come. */
FUSE_INLINE void set_marks(const struct peeling *w, struct peeler *own, uint32_t n,
                           const uint32_t *const sums, const unsigned arity) {
    const struct fuse_table t = w->t;
    uint64_t *slots = own->slots;
    uint32_t at[ARITY_MAX];
    while (n--) {
        uint32_t own_at = own_slot(own, n);
        uint64_t key = slots[own_at];
        fuse_slots(&t, key, at);
        slots[own_at] = 0;
        uint64_t sum = key ^ slots[at[0]] ^ slots[at[1]] ^ slots[at[2]];
        if (arity == 4) sum ^= slots[at[3]];
        if (sums) sum ^= (uint64_t)sums[own_at] << w->value_at;
        slots[own_at] = sum;
    }
}

/* Marks of a byte, the most usual ones, need no packing: the cells are all zero, and take them. */
FUSE_INLINE void set_bytes(const struct peeling *w, const struct peeler *own, uint32_t n,
                           uint8_t *cells, const unsigned arity) {
    const struct fuse_table t = w->t;
    uint32_t at[ARITY_MAX];
    while (n--) {
        uint32_t own_at = own_slot(own, n);
        uint64_t key = own->slots[own_at];
        fuse_slots(&t, key, at);
        unsigned sum = (uint8_t)key ^ cells[at[0]] ^ cells[at[1]] ^ cells[at[2]];
        if (arity == 4) sum ^= cells[at[3]];
        cells[own_at] = (uint8_t)sum;
    }
}

/* Pieces begin at whole words; the last one may end inside one. */
void pack_marks(const struct peeling *w, const uint64_t *wide, const uint32_t *narrow,
                uint8_t *to) {
    uint64_t word = 0, mask = low_bits(w->bits);
    unsigned have = 0, bits = w->bits;
    for (uint64_t s = 0; s < w->t.piece_slots; s++) {
        uint64_t mark = (wide ? wide[s] : narrow[s]) & mask;
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

FUSE_INLINE bool peels_with(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                            struct peel_try *a, uint8_t *cells, uint32_t *const sums,
                            const unsigned arity) {
    bool countable = true;
    memset(own->slots, 0, (size_t)w->t.piece_slots * sizeof *own->slots);
    if (sums) memset(sums, 0, (size_t)w->t.piece_slots * sizeof *sums);
    a->n = k->n;
    if (a->is_distinct) a->n = hang_distinct(w, own, k, a->number, &countable, sums, arity);
    else countable = hang_all(w, own, k, a->number, sums, arity);
    if (a->n > w->t.piece_slots || !countable || peel_all(w, own, sums, arity) < a->n) return false;
    if (w->bits == 8 && !sums) {
        set_bytes(w, own, (uint32_t)a->n, cells, arity);
    } else {
        set_marks(w, own, (uint32_t)a->n, sums, arity);
        pack_marks(w, own->slots, NULL, cells);
    }
    return true;
}

static bool peels(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                  struct peel_try *a, uint8_t *cells) {
    if (own->keys) return sweeps(w, own, k, a, cells);
    if (own->sums)
        return w->arity == 3 ? peels_with(w, own, k, a, cells, own->sums, 3)
                             : peels_with(w, own, k, a, cells, own->sums, 4);
    return w->arity == 3 ? peels_with(w, own, k, a, cells, NULL, 3)
                         : peels_with(w, own, k, a, cells, NULL, 4);
}

/* Copies never peel, but they are rare: they are left out when peeling has failed. */
unsigned peel_piece(const struct peeling *w, struct peeler *own, const struct piece_keys *k,
                    uint8_t *cells, uint64_t *nkeys) {
    struct peel_try a = {.number = 1, .is_distinct = k->n > w->t.piece_slots};
    for (; a.number <= TRIES_MAX; a.number += a.is_distinct, a.is_distinct = true) {
        if (peels(w, own, k, &a, cells)) {
            *nkeys = a.n;
            return a.number;
        }
        if (own->is_contrary || (a.is_distinct && a.n > w->most_keys)) return 0;
    }
    return 0;
}
