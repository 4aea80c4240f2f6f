/*
 * peel.c - a fuse filter is made whole: keys are carried to their pieces, and each piece is peeled.
 *
 * A slot that only one key has can be that key's own: whatever the others hold, it makes the key's
 * slots sum up to the key's mark. Take the key away, and other slots have one key only; so on until
 * none is left, and then set the slots from the last to the first. Every slot counts its keys and
 * holds the xor of their numbers, so that the last one is known by number.
 *
 * Keys of a piece lie in the order of their segments, and peeling runs through the segments like a
 * zip from either end: what is touched at a time fits the second cache. The outcome depends on the
 * set of hashes only, not on their order nor on who did which piece.
 */
#include "kinds/fuse.h"

#include <pthread.h>

#include "cells/slots.h"
#include "core/memory.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum {
    PEEL_THREADS_MAX = 64,
    PEEL_LINE = 8,    /* hashes a cache line */
    NUMBER_BITS = 22, /* of a key in its piece; above them a slot counts its keys */
    ONE_KEY = 1 << NUMBER_BITS,
    WAITING = 1 << 12, /* slots found with one key */
    HANDFUL = 16,      /* keys looked up at a time */
    ORDER_BYTES = 3,   /* a slot in the order of peeling */
};

_Static_assert((int)PIECE_SLOTS_MAX <= (int)ONE_KEY, "a key's number fits");
_Static_assert(PIECE_SLOTS_MAX < 1 << 24, "a slot fits three bytes");

/* What one thread works with. */
struct peeler {
    uint64_t *keys;  /* of a piece, drawn, by segment */
    uint32_t *slots; /* count and numbers, and at last the marks */
    uint8_t *order;  /* of peeling */
    uint64_t *lines; /* one open line a piece while keys are carried */
    uint64_t *begin, *at,
        *end; /* of each piece's run of this thread's keys: its room, and the next */
    uint32_t waiting[WAITING];
};

/* The keys of one piece: as they came, or stirred already and in a run of each thread. */
struct piece_keys {
    const uint64_t *from[PEEL_THREADS_MAX];
    size_t n, run[PEEL_THREADS_MAX];
    unsigned nruns;
    bool is_stirred;
};

struct fuse_work {
    sito_filter *f;
    struct fuse_table t;
    unsigned arity, bits, nthreads;
    uint64_t salt, most_keys; /* most_keys: planned for a piece */
    const uint64_t *hashes;
    size_t n;
    uint64_t *carried; /* stirred hashes by piece, in each by thread, with room to spare */
    uint64_t run_room; /* for a thread's hashes of a piece; 0: as many as were counted */
    bool is_over;      /* that was not enough */
    struct peeler *peeler;
    const sito_plan *plan;
    uint64_t next, nkeys, done; /* pieces handed out; keys that are in; hashes seen to */
    int outcome;
};

struct fuse_hand {
    struct fuse_work *work;
    unsigned number;
    bool is_callers;
};

/* ---- threads ---- */

static void peel_together(struct fuse_work *w, void *(*share)(void *self)) {
    pthread_t thread[PEEL_THREADS_MAX];
    struct fuse_hand hand[PEEL_THREADS_MAX];
    bool runs[PEEL_THREADS_MAX] = {false};
    for (unsigned t = 0; t < w->nthreads; t++) hand[t] = (struct fuse_hand){w, t, t == 0};
    for (unsigned t = 1; t < w->nthreads; t++)
        runs[t] = pthread_create(&thread[t], NULL, share, &hand[t]) == 0;
    share(&hand[0]);
    for (unsigned t = 1; t < w->nthreads; t++) {
        if (runs[t]) pthread_join(thread[t], NULL);
        else share(&hand[t]);
    }
}

static bool goes_on(const struct fuse_work *w) {
    return __atomic_load_n(&w->outcome, __ATOMIC_RELAXED) == SITO_OK;
}

static void end_with(struct fuse_work *w, int rc) {
    __atomic_store_n(&w->outcome, rc, __ATOMIC_RELAXED);
}

static void watch_peeling(struct fuse_work *w) {
    uint64_t done = __atomic_load_n(&w->done, __ATOMIC_RELAXED);
    if (w->plan->watch && w->plan->watch(w->plan->watch_self, done, w->n))
        end_with(w, SITO_ECANCEL);
}

/* ---- hash -> piece ---- */

static size_t share_begin(const struct fuse_work *w, unsigned number) {
    return (size_t)((unsigned __int128)w->n * number / w->nthreads);
}

static void *count_pieces(void *self) {
    struct fuse_hand *h = (struct fuse_hand *)self;
    struct fuse_work *w = h->work;
    uint64_t *count = w->peeler[h->number].at;
    size_t end = share_begin(w, h->number + 1);
    memset(count, 0, (size_t)w->t.npieces * sizeof *count);
    for (size_t i = share_begin(w, h->number); i < end; i++)
        count[range_of(fuse_stirred(w->hashes[i], w->salt), w->t.npieces)]++;
    return NULL;
}

/* From counts to places, each run at a whole line: the pieces one behind the other, in each the
 * threads in their order. Returns the room for all. */
static uint64_t lay_out_runs(struct fuse_work *w) {
    uint64_t sum = 0;
    for (uint64_t p = 0; p < w->t.npieces; p++)
        for (unsigned t = 0; t < w->nthreads; t++) {
            struct peeler *own = &w->peeler[t];
            uint64_t room = w->run_room ? w->run_room : rounded_up(own->at[p], PEEL_LINE);
            own->begin[p] = own->at[p] = sum;
            own->end[p] = sum += room;
        }
    return sum;
}

/* Past the cache, for they are read much later. */
static void put_hashes(uint64_t *to, const uint64_t *from) {
#if defined(__x86_64__)
    for (int i = 0; i < PEEL_LINE; i += 2)
        _mm_stream_si128((__m128i *)(void *)(to + i),
                         _mm_load_si128((const __m128i *)(const void *)(from + i)));
#else
    memcpy(to, from, PEEL_LINE * sizeof *to);
#endif
}

static void *carry_to_pieces(void *self) {
    enum { WATCHED = 1 << 20 };
    struct fuse_hand *h = (struct fuse_hand *)self;
    struct fuse_work *w = h->work;
    struct peeler *own = &w->peeler[h->number];
    size_t end = share_begin(w, h->number + 1);
    uint64_t npieces = w->t.npieces, *carried = w->carried;
    bool is_over = false;
    for (size_t from = share_begin(w, h->number); from < end && goes_on(w); from += WATCHED) {
        size_t to = (size_t)least(end, from + WATCHED);
        for (size_t i = from; i < to && !is_over; i++) {
            uint64_t x = fuse_stirred(w->hashes[i], w->salt), p = range_of(x, npieces);
            uint64_t at = own->at[p]++, *line = own->lines + p * PEEL_LINE;
            line[at % PEEL_LINE] = x;
            if (at % PEEL_LINE < PEEL_LINE - 1) continue;
            put_hashes(carried + at - (PEEL_LINE - 1), line);
            is_over = at + 1 == own->end[p] && w->run_room;
        }
        if (h->is_callers) watch_peeling(w);
    }
    for (uint64_t p = 0; p < npieces; p++) {
        uint64_t rest = own->at[p] % PEEL_LINE;
        memcpy(carried + own->at[p] - rest, own->lines + p * PEEL_LINE, rest * sizeof *carried);
    }
    if (is_over) __atomic_store_n(&w->is_over, true, __ATOMIC_RELAXED);
#if defined(__x86_64__)
    _mm_sfence();
#endif
    return NULL;
}

/* ---- piece -> segments ---- */

FUSE_INLINE uint64_t key_of(const struct fuse_work *w, uint64_t hash, bool is_stirred,
                            unsigned attempt) {
    return fuse_drawn(is_stirred ? hash : fuse_stirred(hash, w->salt), attempt);
}

/* Into own->keys by segment, which end at end[s]. */
static void by_segment(const struct fuse_work *w, struct peeler *own, const struct piece_keys *k,
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
static size_t without_copies(const struct fuse_work *w, struct peeler *own,
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
FUSE_INLINE bool hang_all(const struct fuse_work *w, struct peeler *own, uint32_t n,
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
FUSE_INLINE uint32_t peel_all(const struct fuse_work *w, struct peeler *own, const unsigned arity) {
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

FUSE_INLINE void set_marks(const struct fuse_work *w, struct peeler *own, uint32_t n,
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

/* Packed to the bit. Pieces begin at whole words, and the last one ends in the table's slack. */
static void pack(const struct fuse_work *w, const struct peeler *own, uint64_t piece) {
    uint8_t *to = w->f->seg[0].at + piece * (w->t.piece_slots / 8 * w->bits);
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

FUSE_INLINE bool peels_with(const struct fuse_work *w, struct peeler *own, uint32_t n,
                            const unsigned arity) {
    if (!hang_all(w, own, n, arity) || peel_all(w, own, arity) < n) return false;
    set_marks(w, own, n, arity);
    return true;
}

static bool peels(const struct fuse_work *w, struct peeler *own, uint32_t n) {
    return w->arity == 3 ? peels_with(w, own, n, 3) : peels_with(w, own, n, 4);
}

/* Copies never peel, but they are rare: they are looked for when peeling has failed. */
static bool build_piece(struct fuse_work *w, struct peeler *own, uint64_t piece,
                        const struct piece_keys *k) {
    uint32_t end[STARTS_MAX];
    bool has_copies = k->n > w->t.piece_slots;
    for (unsigned attempt = 1; attempt <= TRIES_MAX && k->n && goes_on(w);) {
        size_t n = k->n;
        by_segment(w, own, k, attempt, end);
        if (has_copies) n = without_copies(w, own, end);
        if (n > w->t.piece_slots) return false;
        if (peels(w, own, (uint32_t)n)) {
            pack(w, own, piece);
            w->f->seg[1].at[piece] = (uint8_t)attempt;
            __atomic_fetch_add(&w->nkeys, n, __ATOMIC_RELAXED);
            return true;
        }
        if (!has_copies && without_copies(w, own, end) < n) has_copies = true;
        else if (n > w->most_keys) return false;
        else attempt++;
    }
    return !k->n;
}

static struct piece_keys keys_of_piece(const struct fuse_work *w, uint64_t p) {
    struct piece_keys k = {.nruns = 1, .n = w->n, .from = {w->hashes}, .run = {w->n}};
    if (!w->carried) return k;
    k.nruns = w->nthreads;
    k.is_stirred = true;
    k.n = 0;
    for (unsigned t = 0; t < w->nthreads; t++) {
        k.from[t] = w->carried + w->peeler[t].begin[p];
        k.n += k.run[t] = (size_t)(w->peeler[t].at[p] - w->peeler[t].begin[p]);
    }
    return k;
}

static void *build_pieces(void *self) {
    struct fuse_hand *h = (struct fuse_hand *)self;
    struct fuse_work *w = h->work;
    uint64_t p;
    while (goes_on(w) && (p = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED)) < w->t.npieces) {
        const struct piece_keys k = keys_of_piece(w, p);
        if (!build_piece(w, &w->peeler[h->number], p, &k) && goes_on(w)) end_with(w, SITO_EFULL);
        __atomic_fetch_add(&w->done, k.n, __ATOMIC_RELAXED);
        if (h->is_callers) watch_peeling(w);
    }
    return NULL;
}

/* ---- all pieces ---- */

static uint64_t root_of(uint64_t n) {
    uint64_t root = 1;
    while (root * root < n) root++;
    return root;
}

/* More keys than this, and a piece was not planned for them: chance does not go eight standard
 * deviations from the mean. */
static uint64_t most_in_piece(const sito_filter *f, uint64_t npieces) {
    uint64_t mean = f->capacity / npieces + 1;
    return npieces > 1 ? mean + 8 * root_of(mean) : f->capacity;
}

/* Memory comes and goes on the caller's thread: all of it beforehand. */
struct fuse_room {
    uint64_t peelers, books, carried, scratch;
    uint8_t *scratch_at;
    uint64_t *books_at;
};

static bool room_for_books(struct fuse_work *w, struct fuse_room *room) {
    uint64_t npieces = w->t.npieces;
    room->peelers = w->nthreads * sizeof *w->peeler;
    w->peeler = (struct peeler *)take(&w->f->mem, room->peelers, true);
    if (!w->peeler) return false;
    if (npieces == 1) return true;
    room->books = npieces * (PEEL_LINE + 3) * w->nthreads * sizeof(uint64_t);
    uint64_t *at = room->books_at = (uint64_t *)take(&w->f->mem, room->books, true);
    for (unsigned t = 0; at && t < w->nthreads; t++) {
        w->peeler[t].lines = at + t * npieces * PEEL_LINE;
        w->peeler[t].begin = at + (w->nthreads * PEEL_LINE + 3 * t) * npieces;
        w->peeler[t].at = w->peeler[t].begin + npieces;
        w->peeler[t].end = w->peeler[t].at + npieces;
    }
    return at != NULL;
}

/* For pieces of `most` hashes, copies included. */
static bool room_to_peel(struct fuse_work *w, struct fuse_room *room, uint64_t most) {
    uint64_t keys = rounded_up(product_of(most, sizeof(uint64_t)), CELLS_ALIGN);
    uint64_t slots = rounded_up(w->t.piece_slots * sizeof(uint32_t), CELLS_ALIGN);
    uint64_t order = least(most, w->t.piece_slots) * ORDER_BYTES + sizeof(uint32_t);
    uint64_t each = sum_of(keys, slots + rounded_up(order, CELLS_ALIGN));
    room->scratch = product_of(each, w->nthreads);
    room->scratch_at = (uint8_t *)take(&w->f->mem, room->scratch, false);
    if (!room->scratch_at) return false;
    for (unsigned t = 0; t < w->nthreads; t++) {
        uint8_t *at = room->scratch_at + t * each;
        w->peeler[t].keys = (uint64_t *)(void *)at;
        w->peeler[t].slots = (uint32_t *)(void *)(at + keys);
        w->peeler[t].order = at + keys + slots;
    }
    return true;
}

static void give_back(struct fuse_work *w, struct fuse_room *room) {
    give(&w->f->mem, room->scratch_at, room->scratch);
    give(&w->f->mem, w->carried, room->carried);
    give(&w->f->mem, room->books_at, room->books);
    give(&w->f->mem, w->peeler, room->peelers);
}

/* Hashes spread evenly: a little more than the mean is room enough, and nobody need count first. Unless
 * there are many copies. */
static void carry_all(struct fuse_work *w, struct fuse_room *room) {
    uint64_t mean = w->n / w->t.npieces / w->nthreads + 1;
    w->run_room = rounded_up(mean + 8 * root_of(mean), PEEL_LINE);
    for (w->is_over = true; w->is_over && goes_on(w); w->run_room = 0) {
        w->is_over = false;
        give(&w->f->mem, w->carried, room->carried);
        if (!w->run_room) peel_together(w, count_pieces);
        room->carried = product_of(lay_out_runs(w), sizeof *w->carried);
        w->carried = (uint64_t *)take(&w->f->mem, room->carried, false);
        if (w->carried) peel_together(w, carry_to_pieces);
        else end_with(w, SITO_ENOMEM);
    }
}

/* How many hashes has the fullest piece? */
static uint64_t most_hashes(const struct fuse_work *w) {
    uint64_t most = 0;
    for (uint64_t p = 0; p < w->t.npieces; p++) {
        uint64_t n = keys_of_piece(w, p).n;
        if (n > most) most = n;
    }
    return most;
}

static sito_rc build_salted(struct fuse_work *w) {
    struct fuse_room room = {0};
    w->outcome = SITO_OK;
    w->next = w->nkeys = w->done = 0;
    w->peeler = NULL, w->carried = NULL;
    if (!room_for_books(w, &room)) end_with(w, SITO_ENOMEM);
    if (goes_on(w) && w->t.npieces > 1) carry_all(w, &room);
    uint64_t most = goes_on(w) ? most_hashes(w) : 0;
    if (most > UINT32_MAX) end_with(w, SITO_ELIMIT);
    if (goes_on(w) && !room_to_peel(w, &room, most)) end_with(w, SITO_ENOMEM);
    if (goes_on(w)) peel_together(w, build_pieces);
    give_back(w, &room);
    return w->outcome;
}

sito_rc fuse_build(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n) {
    unsigned arity = f->shape.param[PARAM_ARITY];
    struct fuse_work w = {.f = f,
                          .t = fuse_table_of(f->shape.ncells, arity),
                          .arity = arity,
                          .bits = f->shape.param[PARAM_MARK_BITS],
                          .hashes = hashes,
                          .n = n,
                          .plan = plan};
    w.most_keys = most_in_piece(f, w.t.npieces);
    w.nthreads =
        (unsigned)least(plan->threads ? plan->threads : 1, least(w.t.npieces, PEEL_THREADS_MAX));
    sito_rc rc = SITO_EFULL;
    for (; w.salt < SALTS_MAX && rc == SITO_EFULL; w.salt++) {
        if (w.salt) {
            memset(f->seg[0].at, 0, (size_t)f->seg[0].bytes);
            memset(f->seg[1].at, 0, (size_t)f->seg[1].bytes);
        }
        f->extra[EXTRA_SALT] = w.salt;
        rc = build_salted(&w);
    }
    f->nkeys = w.nkeys;
    return rc == SITO_OK && f->nkeys > f->capacity ? SITO_EFULL : rc;
}
