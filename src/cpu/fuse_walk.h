/*
 * fuse_walk.h - the inner loops of peeling a piece whose keys are in order, as every instruction
 * set runs them.
 *
 * A piece has the fewest keys a slot in its last segments: there peeling begins, and runs to the
 * first ones in a narrow front. Keys are hung into their slots just before it comes, so what is
 * touched at a time fits the second cache. A segment is open while keys may still come, and then
 * closed; only a slot of a closed one can be a key's own.
 *
 * Above the keys a slot counts them, less one: with one key it is that key, and no other state is a
 * number as small. 32 more means open.
 */
#ifndef SITO_FUSE_WALK_H
#define SITO_FUSE_WALK_H

#include "kinds/fuse.h"

enum { SWEEP_HANDFUL = 16 /* keys peeled at a time */, SWEEP_FOUR = 4 };

#define SLOT_OPEN ((uint64_t)1 << 63)
#define OPEN_EMPTY (SLOT_OPEN - ONE_KEY)

/* Keys of a piece by the segment that they begin in. Peeled, they go to the end of their room, the
 * last peeled first; there is always as much of it free. */
struct fuse_sweep {
    uint64_t *keys;
    size_t room;
    const size_t *begin, *end; /* of each segment's keys */
    uint64_t *slots;           /* one more than the piece has */
    uint32_t *owns;            /* at its end the peeled keys' own slots, in their order */
    size_t owns_room;          /* all slots, and a handful */
};

/* The slots of four keys. */
typedef void slots_of_four_keys(const struct fuse_table *t, uint64_t a, uint64_t b, uint64_t c,
                                uint64_t d, uint32_t at[SWEEP_FOUR][ARITY_MAX]);

/* ---- keys -> slots ---- */

FUSE_INLINE uint64_t hang(uint64_t *slot, uint64_t key) { return *slot = (*slot + ONE_KEY) ^ key; }

FUSE_INLINE uint64_t hang_open(uint64_t *slots, uint64_t key, const uint32_t at[ARITY_MAX],
                               const unsigned arity) {
    uint64_t all = hang(&slots[at[0]], key) & hang(&slots[at[1]], key) & hang(&slots[at[2]], key);
    return arity == 4 ? all & hang(&slots[at[3]], key) : all;
}

/* False if a slot has more keys than it can count: copies, or a bad draw. */
FUSE_INLINE bool hang_segment(const struct fuse_table *t, uint64_t *slots, const uint64_t *keys,
                              size_t n, const unsigned arity, slots_of_four_keys *four) {
    uint32_t at[SWEEP_FOUR][ARITY_MAX];
    uint64_t all = SLOT_OPEN;
    size_t i = 0;
    for (; i + SWEEP_FOUR <= n; i += SWEEP_FOUR) {
        four(t, keys[i], keys[i + 1], keys[i + 2], keys[i + 3], at);
#pragma GCC unroll 4
        for (unsigned k = 0; k < SWEEP_FOUR; k++)
            all &= hang_open(slots, keys[i + k], at[k], arity);
    }
    for (; i < n; i++) {
        fuse_slots(t, keys[i], at[0]);
        all &= hang_open(slots, keys[i], at[0], arity);
    }
    return all != 0;
}

FUSE_INLINE void open_slots(uint64_t *slots, uint32_t from, uint32_t to) {
    for (uint32_t s = from; s < to; s++) slots[s] = OPEN_EMPTY;
}

/* ---- slots -> order ---- */

/* Slots with one key wait in a pile at the beginning of `owns`. Each comes there once, so that the
 * pile and the order, which grows from the end, never meet. */
struct sweep_front {
    uint32_t *pile;
    size_t waiting;
    uint64_t *key; /* the last one peeled */
    uint32_t *own;
};

/* No branch: nobody could foretell it. */
FUSE_INLINE void wait_if_single(struct sweep_front *f, uint32_t at, uint64_t slot) {
    f->pile[f->waiting] = at;
    f->waiting += slot < ONE_KEY;
}

FUSE_INLINE void close_slots(uint64_t *slots, uint32_t from, uint32_t to, struct sweep_front *f) {
#pragma GCC unroll 4
    for (uint32_t s = from; s < to; s++) {
        slots[s] ^= SLOT_OPEN;
        wait_if_single(f, s, slots[s]);
    }
}

FUSE_INLINE void unhang_closed(uint64_t *slots, uint32_t at, uint64_t key, struct sweep_front *f) {
    uint64_t left = (slots[at] ^ key) - ONE_KEY;
    slots[at] = left;
    wait_if_single(f, at, left);
}

struct sweep_handful {
    uint32_t own[SWEEP_HANDFUL], at[SWEEP_HANDFUL][ARITY_MAX];
};

/* Those on top. Under the lowest one lie a handful that are nobody's slot. */
FUSE_INLINE void handful_off(const struct fuse_table *t, const uint64_t *slots,
                             struct sweep_front *f, struct sweep_handful *h,
                             slots_of_four_keys *four) {
    const uint32_t *own = f->pile + f->waiting - SWEEP_HANDFUL;
    memcpy(h->own, own, sizeof h->own);
    for (unsigned i = 0; i < SWEEP_HANDFUL; i += SWEEP_FOUR)
        four(t, slots[own[i]], slots[own[i + 1]], slots[own[i + 2]], slots[own[i + 3]], h->at + i);
    f->waiting -= (size_t)least(SWEEP_HANDFUL, f->waiting);
}

/* Until none waits. Of a key that waits at two slots one has been left empty. Written out for each
 * of a handful: so the machine learns of each store by itself whether a load will want it. */
FUSE_INLINE void peel_pile(const struct fuse_table *t, uint64_t *slots, struct sweep_front *front,
                           const unsigned arity, slots_of_four_keys *four) {
    struct sweep_front f = *front;
    struct sweep_handful h;
    while (f.waiting) {
        handful_off(t, slots, &f, &h, four);
#pragma GCC unroll 16
        for (unsigned i = 0; i < SWEEP_HANDFUL; i++) {
            uint64_t key = slots[h.own[i]];
            if (key >= ONE_KEY) continue;
            unhang_closed(slots, h.at[i][0], key, &f);
            unhang_closed(slots, h.at[i][1], key, &f);
            unhang_closed(slots, h.at[i][2], key, &f);
            if (arity == 4) unhang_closed(slots, h.at[i][3], key, &f);
            *--f.key = key;
            *--f.own = h.own[i];
        }
    }
    *front = f;
}

/* How many keys could be peeled; 0: not even counted. */
FUSE_INLINE size_t sweep_body(const struct fuse_table *given, const struct fuse_sweep *w,
                              const unsigned arity, slots_of_four_keys *four) {
    const struct fuse_table t = *given;
    uint32_t reach = fuse_reach(arity, t.is_paired), closed = (t.starts + reach) * t.length;
    uint64_t *last = w->keys + w->room;
    struct sweep_front f = {
        .pile = w->owns + SWEEP_HANDFUL, .key = last, .own = w->owns + w->owns_room};
    for (unsigned i = 0; i < SWEEP_HANDFUL; i++) w->owns[i] = closed;
    open_slots(w->slots, t.starts * t.length, closed + 1);
    for (uint32_t s = t.starts; s--;) {
        open_slots(w->slots, s * t.length, (s + 1) * t.length);
        if (!hang_segment(&t, w->slots, w->keys + w->begin[s], w->end[s] - w->begin[s], arity,
                          four))
            return 0;
        uint32_t open = s ? (s + reach) * t.length : 0; /* so far */
        close_slots(w->slots, open, closed, &f);
        closed = open;
        peel_pile(&t, w->slots, &f, arity, four);
    }
    return (size_t)(last - f.key);
}

/* ---- order -> marks ---- */

/* Of a byte each, or of a word: one of the two. */
struct fuse_marks {
    uint8_t *bytes;
    uint32_t *words;
};

FUSE_INLINE uint32_t mark_at(struct fuse_marks m, uint32_t at) {
    return m.bytes ? m.bytes[at] : m.words[at];
}

FUSE_INLINE void set_own(struct fuse_marks m, uint32_t own, uint64_t key,
                         const uint32_t at[ARITY_MAX], const unsigned arity) {
    uint32_t sum = (uint32_t)key ^ mark_at(m, at[0]) ^ mark_at(m, at[1]) ^ mark_at(m, at[2]);
    if (arity == 4) sum ^= mark_at(m, at[3]);
    if (m.bytes) m.bytes[own] = (uint8_t)sum;
    else m.words[own] = sum;
}

/* From the last key peeled to the first; all marks are 0 before. */
FUSE_INLINE void set_body(const struct fuse_table *given, const struct fuse_sweep *w, size_t n,
                          struct fuse_marks m, const unsigned arity, slots_of_four_keys *four) {
    const struct fuse_table t = *given;
    const uint64_t *key = w->keys + w->room - n;
    const uint32_t *own = w->owns + w->owns_room - n;
    uint32_t at[SWEEP_FOUR][ARITY_MAX];
    size_t i = 0;
    for (; i + SWEEP_FOUR <= n; i += SWEEP_FOUR) {
        four(&t, key[i], key[i + 1], key[i + 2], key[i + 3], at);
#pragma GCC unroll 4
        for (unsigned k = 0; k < SWEEP_FOUR; k++) set_own(m, own[i + k], key[i + k], at[k], arity);
    }
    for (; i < n; i++) {
        fuse_slots(&t, key[i], at[0]);
        set_own(m, own[i], key[i], at[0], arity);
    }
}

#endif
