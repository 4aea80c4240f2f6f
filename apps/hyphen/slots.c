/* slots.c - from the patterns of a level to its slots: a trie, for each of its nodes the node of its
 * longest proper ending, and places in the array for those that have children. (One that has none
 * goes on as its ending does.) Only what the last characters alone do not tell is written down. */
#include <stdlib.h>
#include <string.h>

#include "making.h"

#define SPECIAL 0x80000000u /* in a node's op, while numbers of windows may still come */

struct node {
    uint32_t first, next; /* child and sibling; 0: none */
    uint32_t pattern;     /* number + 1 of the one that ends here; 0: none */
    uint32_t ending;      /* the node of the longest proper ending */
    uint32_t home;        /* this one, or if it has no children that of its ending */
    uint32_t own, nown;   /* in `lists`: nodes to go to that are not usual */
    uint32_t state;       /* place among the slots; of a home */
    uint32_t op;          /* number of a window or a special */
    uint32_t recent;      /* its last characters */
    uint32_t row;         /* number + 1 of its row, if it is one of the usual */
    uint32_t depth;
    uint16_t class;
};

struct level_making {
    struct making *m;
    const struct growing *patterns;
    struct growing nodes;    /* struct node */
    struct growing lists;    /* uint32_t: nodes */
    struct growing rows;     /* uint32_t[nclasses]: nodes, for each of the usual homes */
    struct growing windows;  /* uint8_t[WINDOW] */
    struct growing specials; /* struct special */
    struct growing slots;    /* uint64_t: node and class, until all are placed */
    struct growing taken;    /* uint8_t a slot: 1 there is something, 2 it is a state */
    uint32_t *numbers;       /* hash table of windows: number + 1 */
    size_t nnumbers;
    uint32_t *queue;               /* nodes, breadth first */
    uint32_t *usual;               /* recent characters -> home */
    uint32_t order, shift, nusual; /* how many characters are recent, and how they are kept */
    size_t full;                   /* slots, if each state has a row */
    size_t lowest, end;            /* no slot below is worth a look, none from `end` on taken */
};

static struct node *node_at(const struct level_making *l, uint32_t number) {
    return (struct node *)l->nodes.items + number;
}

/* ---- patterns -> trie ---- */

static uint32_t child_of(struct level_making *l, uint32_t parent, uint16_t class) {
    struct node *nodes = l->nodes.items;
    uint32_t last = 0;
    for (uint32_t at = nodes[parent].first; at; at = nodes[at].next) {
        if (nodes[at].class == class) return at;
        last = at;
    }
    struct node *child = make_more(l->m, &l->nodes, 1, sizeof *child);
    if (!child) return 0;
    nodes = l->nodes.items;
    const uint32_t mask = l->nusual - 1, number = (uint32_t)(l->nodes.n - 1);
    *child = (struct node){.class = class, .depth = nodes[parent].depth + 1};
    child->recent = (nodes[parent].recent << l->shift | class) & mask;
    if (last) nodes[last].next = number;
    else nodes[parent].first = number;
    return number;
}

/* Files are mostly in order: a pattern begins as the one before it did. */
static uint32_t same_begin(const struct pattern *a, const struct pattern *b, const uint32_t *chars,
                           uint32_t most) {
    uint32_t n = 0;
    while (n < most && n < a->nchars && n < b->nchars && chars[a->chars + n] == chars[b->chars + n])
        n++;
    return n;
}

static void plant(struct level_making *l) {
    enum { DEEP = 16 };
    uint32_t path[DEEP + 1] = {0}; /* nodes of the last pattern */
    const struct pattern *p = l->patterns->items;
    const uint32_t *chars = l->m->p->chars.items;
    struct node *root = make_more(l->m, &l->nodes, 1, sizeof *root);
    if (root) *root = (struct node){0};
    for (size_t i = 0; i < l->patterns->n && !l->m->failed; i++) {
        const uint32_t same = i ? same_begin(&p[i - 1], &p[i], chars, DEEP) : 0;
        uint32_t at = path[same];
        for (uint32_t k = same; k < p[i].nchars && !l->m->failed; k++) {
            at = child_of(l, at, class_now(l->m, chars[p[i].chars + k]));
            if (k < DEEP) path[k + 1] = at;
        }
        if (!l->m->failed) node_at(l, at)->pattern = (uint32_t)i + 1;
    }
}

/* ---- patterns -> what they say of the gaps ---- */

static uint64_t mix(const uint8_t w[WINDOW]) {
    uint64_t a, b;
    memcpy(&a, w, 8);
    memcpy(&b, w + 8, 8);
    a = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xbf58476d1ce4e5b9u);
    return a ^ a >> 29;
}

static bool more_numbers(struct level_making *l) {
    const size_t n = l->nnumbers ? l->nnumbers * 2 : 4096;
    uint32_t *numbers = calloc(n, sizeof *numbers);
    if (!numbers) return false;
    const uint8_t(*windows)[WINDOW] = l->windows.items;
    for (size_t i = 0; i < l->windows.n; i++) {
        size_t at = mix(windows[i]) & (n - 1);
        while (numbers[at]) at = (at + 1) & (n - 1);
        numbers[at] = (uint32_t)i + 1;
    }
    free(l->numbers);
    l->numbers = numbers, l->nnumbers = n;
    return true;
}

/* The number of a window; equal ones are kept once. */
static uint32_t window_number(struct level_making *l, const uint8_t w[WINDOW]) {
    if (l->windows.n * 2 >= l->nnumbers && !more_numbers(l)) return l->m->failed = true, 0;
    const uint8_t(*windows)[WINDOW] = l->windows.items;
    size_t at = mix(w) & (l->nnumbers - 1);
    for (; l->numbers[at]; at = (at + 1) & (l->nnumbers - 1))
        if (!memcmp(windows[l->numbers[at] - 1], w, WINDOW)) return l->numbers[at] - 1;
    void *to = make_more(l->m, &l->windows, 1, WINDOW);
    if (!to) return 0;
    memcpy(to, w, WINDOW);
    l->numbers[at] = (uint32_t)l->windows.n;
    return (uint32_t)l->windows.n - 1;
}

/* Under TeX's rules all patterns that end here have their say; under libhyphen's only the longest
 * path has, and says nothing if no pattern ends with it. */
static uint32_t op_of(struct level_making *l, const struct node *node) {
    const struct patterns *p = l->m->p;
    const uint32_t inherited = p->dic ? 0 : node_at(l, node->ending)->op;
    if (!node->pattern) return inherited;
    const struct pattern *own = (struct pattern *)l->patterns->items + node->pattern - 1;
    const uint8_t *values = (uint8_t *)p->values.items + own->values;
    const bool edge = ((uint32_t *)p->chars.items)[own->chars] == EDGE;
    uint32_t n = own->nchars + 1, lead = edge; /* nobody breaks before the edge */
    if (own->change < 0)
        while (lead < n && !values[lead]) lead++;
    if (own->change < 0 && n - lead <= WINDOW && !(inherited & SPECIAL)) {
        uint8_t window[WINDOW];
        memcpy(window, (uint8_t *)l->windows.items + (size_t)inherited * WINDOW, WINDOW);
        for (uint32_t i = lead; i < n; i++)
            if (values[i] > window[WINDOW - n + i]) window[WINDOW - n + i] = values[i];
        return window_number(l, window);
    }
    struct special *to = make_more(l->m, &l->specials, 1, sizeof *to);
    uint8_t *kept = make_more(l->m, &l->m->values, n - lead, 1);
    if (!to || !kept) return 0;
    memcpy(kept, values + lead, n - lead);
    *to = (struct special){(uint32_t)(l->m->values.n - (n - lead)), n - lead, (uint32_t)own->change,
                           inherited ? inherited : NONE, edge};
    return SPECIAL | (uint32_t)(l->specials.n - 1);
}

/* ---- trie -> where each character leads ---- */

static uint32_t *row_at(const struct level_making *l, uint32_t home) {
    return (uint32_t *)l->rows.items + (size_t)(node_at(l, home)->row - 1) * l->m->nclasses;
}

static void settle(struct level_making *l, uint32_t number, uint32_t ending) {
    struct node *node = node_at(l, number);
    node->ending = ending;
    node->home = node->first ? number : node_at(l, ending)->home;
    node->op = op_of(l, node);
}

/* Of the root and all that are not longer than what is recent: a row with all characters. */
static void fill_row(struct level_making *l, uint32_t number, size_t *nqueue) {
    const uint32_t n = l->m->nclasses, ending = node_at(l, number)->ending;
    uint32_t *row = make_more(l->m, &l->rows, 1, n * sizeof *row);
    if (!row) return;
    node_at(l, number)->row = (uint32_t)l->rows.n;
    if (number) memcpy(row, row_at(l, node_at(l, ending)->home), n * sizeof *row);
    else memset(row, 0, n * sizeof *row);
    for (uint32_t c = node_at(l, number)->first; c; c = node_at(l, c)->next) {
        uint32_t *to = &row[node_at(l, c)->class];
        settle(l, c, number ? *to : 0);
        *to = c;
        l->queue[(*nqueue)++] = c;
    }
}

static void find_usual(struct level_making *l) {
    const uint32_t n = l->m->nclasses, mask = (1u << l->shift) - 1;
    for (uint32_t recent = 0; recent < l->nusual; recent++) {
        uint32_t home = 0;
        for (uint32_t k = l->order; k-- > 0;) {
            const uint32_t class = recent >> (k * l->shift) & mask;
            home = class < n ? node_at(l, row_at(l, home)[class])->home : 0;
        }
        l->usual[recent] = home;
    }
}

/* Of the longer ones: their children, and what is not usual of their ending. (Its last characters
 * are the same, so what is usual is so too; or it has a row, and is what is usual.) */
static void fill_list(struct level_making *l, uint32_t number, uint32_t *seen, size_t *nqueue) {
    const struct node *node = node_at(l, number),
                      *from = node_at(l, node_at(l, node->ending)->home);
    const uint32_t begin = (uint32_t)l->lists.n, *usual = row_at(l, l->usual[node->recent]);
    if (!make_more(l->m, &l->lists, l->m->nclasses, sizeof(uint32_t))) return;
    uint32_t *lists = l->lists.items, *list = lists + begin, n = 0;
    for (uint32_t i = 0; i < from->nown; i++) {
        list[n++] = lists[from->own + i];
        seen[node_at(l, lists[from->own + i])->class] = begin + n;
    }
    for (uint32_t c = node->first; c; c = node_at(l, c)->next) {
        const uint32_t class = node_at(l, c)->class,
                       at = seen[class] > begin && seen[class] <= begin + from->nown
                                ? seen[class] - begin - 1
                                : NONE;
        settle(l, c, at != NONE ? list[at] : usual[class]);
        list[at != NONE ? at : n++] = c;
        l->queue[(*nqueue)++] = c;
    }
    node_at(l, number)->own = begin, node_at(l, number)->nown = n;
    l->lists.n = begin + n;
}

static void lead_on(struct level_making *l) {
    uint32_t *seen = calloc(l->m->nclasses, sizeof *seen);
    bool found = false;
    size_t n = 1;
    if (!seen) l->m->failed = true;
    l->queue[0] = 0;
    for (size_t i = 0; i < n && !l->m->failed; i++) {
        const uint32_t number = l->queue[i];
        if (number && !node_at(l, number)->first) continue;
        if (node_at(l, number)->depth <= l->order) {
            fill_row(l, number, &n);
            continue;
        }
        if (!found) find_usual(l), found = true;
        fill_list(l, number, seen, &n);
    }
    if (!found && !l->m->failed) find_usual(l);
    free(seen);
}

/* ---- where -> slots ---- */

/* Room for a state at `at`, whatever its characters are. */
static bool reach(struct level_making *l, size_t at) {
    const size_t wanted = at + l->m->nclasses, have = l->slots.n;
    if (wanted <= have) return true;
    if (wanted >= (size_t)1 << STATE_BITS) l->m->limit = "too many patterns", l->m->failed = true;
    const size_t n = wanted - have + have / 2;
    uint64_t *slots = l->m->failed ? NULL : make_more(l->m, &l->slots, n, sizeof *slots);
    void *taken = slots ? make_more(l->m, &l->taken, n, 1) : NULL;
    if (!taken) return false;
    for (size_t i = 0; i < n; i++) slots[i] = NOBODY;
    memset(taken, 0, n);
    return true;
}

static bool fits(const uint8_t *taken, const uint16_t *classes, uint32_t n) {
    if (taken[0] & 2) return false;
    for (uint32_t i = 0; i < n; i++)
        if (taken[classes[i]] & 1) return false;
    return true;
}

/* The first place where it fits between the others, of those that are looked at. */
static void place(struct level_making *l, struct node *node, uint16_t *classes) {
    enum { ENOUGH = 40, HOPELESS = 20 };
    const uint32_t *list = (uint32_t *)l->lists.items + node->own, n = node->nown;
    uint32_t least = NONE, tries = 0;
    for (uint32_t i = 0; i < n; i++) {
        classes[i] = node_at(l, list[i])->class;
        least = classes[i] < least ? classes[i] : least;
    }
    size_t slot = l->lowest;
    for (;; slot++) {
        const uint8_t *taken = l->taken.items;
        while (slot < l->end && taken[slot] & 1) slot++;
        if (!reach(l, slot + 1)) return;
        if (fits((uint8_t *)l->taken.items + slot - least, classes, n)) break;
        if (++tries == ENOUGH) slot = l->end + least;
    }
    node->state = (uint32_t)(slot - least);
    uint8_t *taken = l->taken.items;
    taken[node->state] |= 2;
    for (uint32_t i = 0; i < n; i++) {
        const size_t at = node->state + classes[i];
        taken[at] |= 1;
        l->end = at >= l->end ? at + 1 : l->end;
        ((uint64_t *)l->slots.items)[at] = (uint64_t)list[i] << 32 | classes[i];
    }
    if (tries >= HOPELESS) l->lowest += 16;
    while (l->lowest < l->end && taken[l->lowest] & 1) l->lowest++;
}

/* First the rows, of which nobody is the owner, then the others between and behind each other. */
static void place_all(struct level_making *l) {
    const uint32_t n = l->m->nclasses;
    const size_t nrows = l->rows.n;
    if (!reach(l, (nrows + 1) * n)) return;
    uint64_t *slots = l->slots.items;
    const uint32_t *rows = l->rows.items;
    for (size_t i = 0; i < nrows * n; i++) slots[i] = (uint64_t)rows[i] << 32 | NOBODY;
    memset(l->taken.items, 3, nrows * n);
    l->end = l->lowest = nrows * n + n; /* so that no class lies before the array */
    uint16_t *classes = malloc(n * sizeof *classes);
    if (!classes) l->m->failed = true;
    for (size_t i = 0; i < l->nodes.n && !l->m->failed; i++)
        if (node_at(l, l->queue[i])->nown) place(l, node_at(l, l->queue[i]), classes);
    free(classes);
    if (!l->m->failed && reach(l, l->end)) l->slots.n = l->end + n;
}

static uint32_t final_op(const struct level_making *l, uint32_t op) {
    return op & SPECIAL ? (op & ~SPECIAL) + (uint32_t)l->windows.n : op;
}

static void write_slots(struct level_making *l) {
    uint64_t *slots = l->slots.items;
    const uint8_t *taken = l->taken.items;
    for (size_t i = 0; i < l->slots.n; i++) {
        if (!(taken[i] & 1)) continue;
        const struct node *to = node_at(l, (uint32_t)(slots[i] >> 32));
        slots[i] = (uint64_t)node_at(l, to->home)->state << (64 - STATE_BITS) |
                   (uint64_t)final_op(l, to->op) << 17 | (slots[i] & 0xffff);
    }
}

/* ---- where -> full rows ---- */

/* Can each state have all characters? If so they are told their places. How many slots, or 0. */
static size_t number_rows(struct level_making *l) {
    const size_t most = (size_t)1 << (32 - FULL_SAID_BITS);
    size_t n = 0;
    if (l->m->p->sparse || l->windows.n + l->specials.n >= 1u << (FULL_SAID_BITS - 1)) return 0;
    for (size_t i = 0; i < l->nodes.n; i++) {
        struct node *node = node_at(l, l->queue[i]);
        if (node->home != l->queue[i]) continue;
        node->state = (uint32_t)n;
        n += l->m->nclasses;
        if (n > most) return 0;
    }
    return n;
}

static void write_rows(struct level_making *l) {
    const uint32_t n = l->m->nclasses;
    uint32_t *slots = malloc(l->nodes.n * sizeof *slots); /* that lead to each node */
    uint32_t *to = make_more(l->m, &l->slots, l->full, sizeof *to);
    if (!slots) l->m->failed = true;
    for (uint32_t i = 0; i < l->nodes.n && slots; i++) {
        const struct node *node = node_at(l, i);
        slots[i] = node_at(l, node->home)->state << FULL_SAID_BITS | final_op(l, node->op) << 1;
    }
    for (size_t i = 0; i < l->nodes.n && !l->m->failed; i++) {
        const struct node *node = node_at(l, l->queue[i]);
        if (node->home != l->queue[i]) continue;
        const uint32_t *row = row_at(l, node->row ? node->home : l->usual[node->recent]);
        for (uint32_t k = 0; k < n; k++) to[k] = slots[row[k]];
        for (uint32_t k = 0; k < node->nown; k++) {
            const uint32_t own = ((uint32_t *)l->lists.items)[node->own + k];
            to[node_at(l, own)->class] = slots[own];
        }
        to += n;
    }
    free(slots);
}

/* ---- a level ---- */

static void write_level(struct level_making *l, unsigned number) {
    struct making *m = l->m;
    struct image_level to = {.shift = l->shift};
    struct special *specials = l->specials.items;
    uint8_t marked[WINDOW] = {[WINDOW - 1] = SPECIAL_VALUE};
    if (l->windows.n + l->specials.n > MOST_SAID) m->limit = "too many patterns", m->failed = true;
    if (m->failed) return;
    if (l->full) write_rows(l);
    else write_slots(l);
    to.nslots = (uint32_t)l->slots.n, to.full = l->full > 0;
    m->slot_bytes[number] = l->full ? sizeof(uint32_t) : sizeof(uint64_t);
    to.nwindows = (uint32_t)l->windows.n, to.nspecials = (uint32_t)l->specials.n;
    to.nusual = l->full ? 1 : l->nusual;
    for (size_t i = 0; i < to.nusual; i++)
        l->usual[i] = (node_at(l, l->usual[i])->row - 1) * m->nclasses;
    for (size_t i = 0; i < l->specials.n; i++)
        if (specials[i].next != NONE) specials[i].next = final_op(l, specials[i].next);
    to.usual = make_section(m, l->usual, to.nusual * sizeof(uint32_t));
    to.windows = make_section(m, l->windows.items, l->windows.n * WINDOW);
    for (size_t i = 0; i < l->specials.n; i++) {
        void *at = make_more(m, &m->image, WINDOW, 1);
        if (at) memcpy(at, marked, WINDOW);
    }
    to.specials = make_section(m, l->specials.items, l->specials.n * sizeof(struct special));
    if (!m->failed) head_of(m)->level[number] = to;
    m->slots[number] = l->slots;
    l->slots = (struct growing){0};
}

/* The last two characters count; of large alphabets fewer, or their rows would be too many. */
static void choose_order(struct level_making *l) {
    const uint32_t n = l->m->nclasses;
    l->order = n <= 64 ? 2 : n <= 512 ? 1 : 0;
    if (l->order)
        while (n > 1u << l->shift) l->shift++;
    l->nusual = 1u << (l->order * l->shift);
}

void make_level(struct making *m, unsigned number) {
    static const uint8_t nothing[WINDOW];
    struct level_making l = {.m = m, .patterns = &m->p->level[number]};
    choose_order(&l);
    window_number(&l, nothing);
    plant(&l);
    l.queue = malloc(l.nodes.n * sizeof *l.queue);
    l.usual = calloc(l.nusual, sizeof *l.usual);
    if (!l.queue || !l.usual) m->failed = true;
    if (!m->failed) lead_on(&l);
    if (!m->failed && !(l.full = number_rows(&l))) place_all(&l);
    write_level(&l, number);
    free(l.nodes.items), free(l.lists.items), free(l.rows.items), free(l.windows.items);
    free(l.specials.items), free(l.slots.items), free(l.taken.items);
    free(l.numbers), free(l.queue), free(l.usual);
}
