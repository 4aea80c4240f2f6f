/*
 * cuckoo_rules.c - both buckets of a tag are full: who moves?
 *
 *   random    a tag drawn from one of them moves to its other bucket, pushes one out there, and so
 *             on (Fan et al.). Kicks are drawn from a state kept with the filter, so equal histories
 *             make equal tables.
 *   emptier   the same walk; the rule differs where there is room, in the choice of bucket (Wang et
 *             al.).
 *   path      nobody moves until the way is known: breadth first from both buckets to the nearest
 *             one with room, and of all at that distance to the emptiest.
 *
 * A walk that ends nowhere is walked back; a search has written nothing. So a refused tag leaves
 * every byte as it was.
 */
#include "kinds/cuckoo.h"

#include "core/memory.h"
#include "cpu/cpu.h"
#include "place/spread.h"

static void count_moves(sito_filter *f, uint64_t moves) {
    f->extra[EXTRA_MOVES] = sum_of(f->extra[EXTRA_MOVES], moves);
    if (f->extra[EXTRA_LONGEST] < moves) f->extra[EXTRA_LONGEST] = moves;
}

static void put_in_free_slot(const struct nest *t, uint64_t start, uint32_t tag) {
    tag_write(&t->tags, slot_holding(&t->tags, start, 0), tag);
}

/* ---- random, emptier: walk ---- */

struct kick {
    uint64_t slot;
    uint32_t tag; /* that was put there */
};

/* The tag in `hand` is the one that the last kick pushed out. */
static void walk_back(const struct nest *t, const struct kick *kicks, unsigned n, uint32_t hand) {
    while (n--) {
        uint64_t slot = kicks[n].slot;
        if (t->tags.sorted) slot = slot_holding(&t->tags, slot & ~(uint64_t)3, kicks[n].tag);
        tag_write(&t->tags, slot, hand);
        hand = kicks[n].tag;
    }
}

static sito_rc walk(sito_filter *f, const struct nest *t, const struct nesting *p,
                    struct kick *kicks) {
    unsigned limit = f->shape.param[PARAM_MOVES];
    uint64_t state = spread_next(f->extra[EXTRA_KICKS]);
    uint32_t hand = p->tag;
    uint64_t start = p->start[state >> 63];
    for (unsigned n = 0; n < limit; n++) {
        state = spread_next(state);
        uint64_t slot = start + range_of(state, t->tags.group);
        kicks[n] = (struct kick){.slot = slot, .tag = hand};
        hand = tag_read(&t->tags, slot);
        tag_write(&t->tags, slot, kicks[n].tag);
        /* Its own window is not the one it was pushed out of, and may have room. */
        uint64_t own = bucket_around(t, slot, hand), m = buckets_for(t, hand);
        uint64_t room = first_slot(t, own, hand);
        start = first_slot(t, other_bucket(own, hand, m), hand);
        if (t->layout != LAYOUT_WINDOW || !tag_copies(&t->tags, room, 0)) room = start;
        if (!tag_copies(&t->tags, room, 0)) continue;
        put_in_free_slot(t, room, hand);
        f->extra[EXTRA_KICKS] = state;
        count_moves(f, n + 1);
        return SITO_OK;
    }
    walk_back(t, kicks, limit, hand);
    return SITO_EFULL;
}

static sito_rc relocate_by_walk(sito_filter *f, const struct nest *t, const struct nesting *p) {
    enum { FEW = 500 };
    struct kick few[FEW], *kicks = few;
    uint64_t room = f->shape.param[PARAM_MOVES] * sizeof *kicks;
    if (room > sizeof few && !(kicks = (struct kick *)take(&f->mem, room, false)))
        return SITO_ENOMEM;
    sito_rc rc = walk(f, t, p, kicks);
    if (kicks != few) give(&f->mem, kicks, room);
    return rc;
}

/* ---- path: search, then move ---- */

enum { SEEN_MAX = 4096, SEEN_TABLE = 2 * SEEN_MAX, GROUPS_AHEAD = 8 };

/* Where a tag could go: its other bucket, and where windows overlap its own. */
struct way {
    uint64_t own, other;
    uint32_t tag;
};

/* Full groups, in the order they were met; each but the first two by way of a slot of another. */
struct search {
    uint64_t start[SEEN_MAX];
    uint16_t from[SEEN_MAX];
    uint8_t slot[SEEN_MAX];
    unsigned n, nroots;
    unsigned room; /* the emptiest group found: free slots in it; 0: none yet */
    bool is_even;
    uint64_t goal;
    unsigned last, last_slot;                /* the group before it, and the slot to empty */
    struct way way[GROUPS_AHEAD][GROUP_MAX]; /* of the groups that come next */
    uint16_t seen[SEEN_TABLE];               /* by start: number of the group + 1; for windows */
};

/* Windows overlap, so the same ones are met again and again. */
static bool seen_before(struct search *s, uint64_t start) {
    uint64_t i = range_of(start * 0x9e3779b97f4a7c15u, SEEN_TABLE);
    for (; s->seen[i]; i = (i + 1) % SEEN_TABLE)
        if (s->start[s->seen[i] - 1] == start) return true;
    s->seen[i] = (uint16_t)(s->n + 1);
    return false;
}

static void remember_all(struct search *s) {
    unsigned n = s->n;
    memset(s->seen, 0, sizeof s->seen);
    for (s->n = 0; s->n < n; s->n++) seen_before(s, s->start[s->n]);
}

/* Find the ways out of a group, and ask for the lines they lead to. */
static void ask_around(const struct nest *t, uint64_t start, struct way *way) {
    uint32_t tag[GROUP_MAX];
    tags_read(&t->tags, start, tag);
    for (unsigned i = 0; i < t->tags.group; i++) {
        uint64_t own = bucket_around(t, start + i, tag[i]);
        uint64_t other = other_bucket(own, tag[i], buckets_for(t, tag[i]));
        way[i] = (struct way){own, other, tag[i]};
        __builtin_prefetch(tags_at(&t->tags, first_slot(t, other, tag[i])));
    }
}

/* The tag in slot `slot` of group `g` could go there. */
static void weigh(struct search *s, const struct nest *t, unsigned g, unsigned slot,
                  uint64_t bucket, uint32_t tag, bool remembers) {
    uint64_t start = first_slot(t, bucket, tag);
    unsigned room = tag_copies(&t->tags, start, 0);
    if (room) {
        bool is_even = bucket % 2 == 0;
        if (room < s->room || (room == s->room && (s->is_even || !is_even))) return;
        s->room = room, s->is_even = is_even, s->goal = start;
        s->last = g, s->last_slot = slot;
    } else if (!s->room && s->n < SEEN_MAX && !(remembers && seen_before(s, start))) {
        s->start[s->n] = start, s->from[s->n] = (uint16_t)g, s->slot[s->n] = (uint8_t)slot;
        s->n++;
    }
}

static void look_around(struct search *s, const struct nest *t, unsigned g, bool remembers) {
    const struct way *way = s->way[g % GROUPS_AHEAD];
    for (unsigned i = 0; i < t->tags.group; i++) {
        if (t->layout == LAYOUT_WINDOW && first_slot(t, way[i].own, way[i].tag) != s->start[g])
            weigh(s, t, g, i, way[i].own, way[i].tag, remembers);
        if (way[i].other != way[i].own) weigh(s, t, g, i, way[i].other, way[i].tag, remembers);
    }
}

/* Level by level. At the first, which is most often the last, all groups are looked at and the
 * emptiest is chosen; further out, where levels are wide, the first that has one. */
static bool find_path(struct search *s, const struct nest *t, const struct nesting *p,
                      unsigned limit) {
    bool remembers = false;
    s->n = s->room = 0;
    s->is_even = false;
    s->start[s->n++] = p->start[0];
    if (p->start[1] != p->start[0]) s->start[s->n++] = p->start[1];
    s->nroots = s->n;
    for (unsigned length = 1, g = 0, asked = 0; length <= limit && g < s->n; length++) {
        if (length == 2 && t->layout == LAYOUT_WINDOW) remember_all(s), remembers = true;
        for (unsigned end = s->n; g < end; g++) {
            while (asked < end && asked < g + GROUPS_AHEAD)
                ask_around(t, s->start[asked], s->way[asked % GROUPS_AHEAD]), asked++;
            look_around(s, t, g, remembers);
            if (s->room && length > 1) return true;
        }
        if (s->room) return true;
    }
    return false;
}

/* From the far end: each tag moves into the slot just left, and the new one into the last. */
static uint64_t move_along(const struct search *s, const struct nest *t, uint32_t tag) {
    uint64_t to = slot_holding(&t->tags, s->goal, 0), moves = 1;
    unsigned g = s->last, slot = s->last_slot;
    for (;; moves++) {
        uint64_t from = s->start[g] + slot;
        tag_write(&t->tags, to, tag_read(&t->tags, from));
        to = from;
        if (g < s->nroots) break;
        slot = s->slot[g], g = s->from[g];
    }
    tag_write(&t->tags, to, tag);
    return moves;
}

/* ---- path: one move or two, which are most often enough ---- */

static unsigned merit_of(const struct nest *t, unsigned way, uint64_t bucket) {
    unsigned room = tag_copies(&t->tags, bucket << t->shift, 0), is_even = bucket % 2 == 0;
    return room ? (2 * room + is_even) << MERIT_BITS | (WAYS_MOST - 1 - way) : 0;
}

/* All ways of one move are weighed, without a branch to guess wrong. */
static struct aside aside_by_one(const struct nest *t, const struct nesting *p) {
    uint64_t bucket[WAYS_MOST], m = buckets_for(t, 0);
    uint32_t tag[WAYS_MOST];
    unsigned group = t->tags.group, best = 0;
    tags_read(&t->tags, p->start[0], tag);
    tags_read(&t->tags, p->start[1], tag + group);
    for (unsigned i = 0; i < 2 * group; i++)
        bucket[i] = other_bucket(p->bucket[i >= group], tag[i], m);
    for (unsigned i = 0; i < 2 * group; i++) {
        unsigned merit = merit_of(t, i, bucket[i]);
        best = merit > best ? merit : best;
    }
    unsigned way = way_of_merit(best);
    return (struct aside){.moves = best != 0, .way = way, .bucket = bucket[way % (2 * group)]};
}

/* True if that was enough. */
static bool step_aside(sito_filter *f, const struct nest *t, const struct nesting *p) {
    const struct cuckoo_kernel *wide = cpu_chosen()->in_cuckoo;
    unsigned group = t->tags.group, limit = f->shape.param[PARAM_MOVES];
    struct aside a;
    if (!wide || group != 4 || !wide->aside(t, p, limit, &a)) a = aside_by_one(t, p);
    if (!a.moves || a.moves > limit) return false;
    uint64_t from = p->start[a.way >= group] + a.way % group, start = a.bucket << t->shift;
    if (a.moves == 2) {
        put_in_free_slot(t, a.next << t->shift, tag_read(&t->tags, start + a.next_way));
        tag_write(&t->tags, start + a.next_way, tag_read(&t->tags, from));
    } else {
        put_in_free_slot(t, start, tag_read(&t->tags, from));
    }
    tag_write(&t->tags, from, p->tag);
    count_moves(f, a.moves);
    return true;
}

static sito_rc relocate_by_path(sito_filter *f, const struct nest *t, const struct nesting *p) {
    struct search s;
    if (nest_is_narrow(t) && step_aside(f, t, p)) return SITO_OK;
    if (!find_path(&s, t, p, f->shape.param[PARAM_MOVES])) return SITO_EFULL;
    count_moves(f, move_along(&s, t, p->tag));
    return SITO_OK;
}

void cuckoo_foresee(const struct nest *t, const struct nesting *p) {
    const struct cuckoo_kernel *wide = cpu_chosen()->in_cuckoo;
    struct way way[GROUP_MAX];
    if (t->rule != RULE_PATH || tag_there(&t->tags, p->start[0], 0) ||
        tag_there(&t->tags, p->start[1], 0))
        return;
    if (wide && t->tags.group == 4 && nest_is_narrow(t) && wide->foresee(t, p)) return;
    ask_around(t, p->start[0], way);
    ask_around(t, p->start[1], way);
}

sito_rc cuckoo_relocate(sito_filter *f, const struct nest *t, const struct nesting *p) {
    /* Its own copies take all the room there is: nobody else is made to pay for the next one. */
    unsigned copies = tag_copies(&t->tags, p->start[0], p->tag);
    if (copies == t->tags.group && tag_copies(&t->tags, p->start[1], p->tag) == copies)
        return SITO_EFULL;
    return t->rule == RULE_PATH ? relocate_by_path(f, t, p) : relocate_by_walk(f, t, p);
}
