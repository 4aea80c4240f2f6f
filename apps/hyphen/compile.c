/* compile.c - from patterns to the automaton: an alphabet, a trie for each level, and a row of the
 * table for each of its nodes that has children. (One that has none goes on as its fallback does.) */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "letters.h"

struct node {
    uint32_t first, next; /* child and sibling; 0: none */
    uint32_t pattern;     /* number + 1 of the one that ends here; 0: none */
    uint32_t fallback;    /* the node of the longest proper ending */
    uint32_t row;
    uint32_t op; /* as in an entry */
    uint16_t class;
};

struct making {
    const struct patterns *p;
    struct growing image;    /* char */
    struct growing nodes;    /* struct node, of one level */
    struct growing windows;  /* uint8_t[WINDOW] */
    struct growing specials; /* struct special */
    uint16_t *pages;
    struct growing blocks; /* uint16_t[PAGE] */
    uint32_t nclasses;
    uint32_t *places; /* hash table of windows: number + 1 */
    size_t nplaces;
    bool failed;
    const char *limit; /* why it cannot be */
};

static void *more(struct making *m, struct growing *g, size_t n, size_t size) {
    void *at = grow(g, n, size);
    if (!at) m->failed = true;
    return at;
}

/* Append a section, at a multiple of 64; returns where it begins. */
static uint64_t section(struct making *m, const void *bytes, size_t n) {
    const size_t pad = (64 - m->image.n % 64) % 64;
    char *to = more(m, &m->image, pad + n, 1);
    if (!to) return 0;
    memset(to, 0, pad);
    if (bytes && n) memcpy(to + pad, bytes, n);
    return m->image.n - n;
}

static struct image_head *head_of(struct making *m) { return m->image.items; }

/* ---- characters -> classes ---- */

static uint16_t *class_place(struct making *m, uint32_t c) {
    if (!m->pages[c / PAGE]) {
        void *block = more(m, &m->blocks, PAGE, sizeof(uint16_t));
        if (!block) return NULL;
        memset(block, 0, PAGE * sizeof(uint16_t));
        m->pages[c / PAGE] = (uint16_t)(m->blocks.n / PAGE - 1);
    }
    return (uint16_t *)m->blocks.items + (size_t)m->pages[c / PAGE] * PAGE + c % PAGE;
}

static uint16_t class_now(const struct making *m, uint32_t c) {
    return ((uint16_t *)m->blocks.items)[(size_t)m->pages[c / PAGE] * PAGE + c % PAGE];
}

static void set_class(struct making *m, uint32_t c, unsigned class) {
    uint16_t *at = class_place(m, c);
    if (at) *at = (uint16_t) class;
}

static void count_in(struct making *m, const uint32_t *chars, size_t n, struct growing *alphabet) {
    for (size_t i = 0; i < n && !m->failed; i++) {
        if (!chars[i] || class_now(m, chars[i])) continue;
        uint32_t *at = more(m, alphabet, 1, sizeof *at);
        if (!at) return;
        *at = chars[i];
        if (m->nclasses > CLASS) m->limit = "more than 4095 different characters", m->failed = true;
        set_class(m, chars[i], m->nclasses++);
    }
}

static void make_alphabet(struct making *m) {
    struct growing alphabet = {0};
    const uint32_t first[] = {0, EDGE};
    uint32_t *at = more(m, &alphabet, 2, sizeof *at);
    if (at) memcpy(at, first, sizeof first);
    m->nclasses = 2;
    if (!m->failed) set_class(m, EDGE, CLASS_EDGE);
    count_in(m, m->p->chars.items, m->p->chars.n, &alphabet);
    count_in(m, m->p->nohyphen.items, m->p->nohyphen.n, &alphabet);
    const uint64_t place = section(m, alphabet.items, alphabet.n * sizeof *at);
    if (!m->failed) head_of(m)->alphabet = place, head_of(m)->nclasses = m->nclasses;
    free(alphabet.items);
}

static void flag(struct making *m, uint32_t c, unsigned flags) {
    set_class(m, c, class_now(m, c) | flags);
}

/* From the alphabet of the patterns to that of words: capitals are small letters, and characters
 * with rules of their own are marked. */
static void make_words_alphabet(struct making *m) {
    const struct patterns *p = m->p;
    const uint32_t *nohyphen = p->nohyphen.items;
    uint32_t capital, small;
    for (size_t i = 0; !m->failed && capital_at(i, &capital, &small); i++) {
        const unsigned class = class_now(m, small);
        if (class || class_now(m, capital)) set_class(m, capital, class);
    }
    set_class(m, EDGE, p->dic ? CLASS_EDGE | UNUSUAL : STRANGER);
    if (!p->dic) return;
    for (uint32_t c = '0'; c <= '9'; c++) set_class(m, c, CLASS_EDGE | DIGIT);
    if (p->utf8)
        for (uint32_t c = 0xfb03; c <= 0xfb04; c++) flag(m, c, LONG_LIGATURE);
    for (size_t i = 0; i < p->nohyphen.n; i++)
        if (nohyphen[i]) flag(m, nohyphen[i], UNUSUAL);
}

/* ---- patterns -> trie ---- */

static uint32_t child_of(struct making *m, uint32_t parent, uint16_t class) {
    struct node *nodes = m->nodes.items;
    uint32_t last = 0;
    for (uint32_t at = nodes[parent].first; at; at = nodes[at].next) {
        if (nodes[at].class == class) return at;
        last = at;
    }
    struct node *child = more(m, &m->nodes, 1, sizeof *child);
    if (!child) return 0;
    *child = (struct node){.class = class};
    nodes = m->nodes.items;
    const uint32_t number = (uint32_t)(m->nodes.n - 1);
    if (last) nodes[last].next = number;
    else nodes[parent].first = number;
    return number;
}

static void plant(struct making *m, const struct growing *patterns) {
    const struct pattern *p = patterns->items;
    const uint32_t *chars = m->p->chars.items;
    m->nodes.n = 0;
    struct node *root = more(m, &m->nodes, 1, sizeof *root);
    if (root) *root = (struct node){0};
    for (size_t i = 0; i < patterns->n && !m->failed; i++) {
        uint32_t at = 0;
        for (uint32_t k = 0; k < p[i].nchars && !m->failed; k++)
            at = child_of(m, at, class_now(m, chars[p[i].chars + k]));
        if (!m->failed) ((struct node *)m->nodes.items)[at].pattern = (uint32_t)i + 1;
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

static bool more_places(struct making *m) {
    const size_t n = m->nplaces ? m->nplaces * 2 : 4096;
    uint32_t *places = calloc(n, sizeof *places);
    if (!places) return false;
    const uint8_t(*windows)[WINDOW] = m->windows.items;
    for (size_t i = 0; i < m->windows.n; i++) {
        size_t at = mix(windows[i]) & (n - 1);
        while (places[at]) at = (at + 1) & (n - 1);
        places[at] = (uint32_t)i + 1;
    }
    free(m->places);
    m->places = places, m->nplaces = n;
    return true;
}

/* The number of a window; equal ones are kept once. */
static uint32_t window_number(struct making *m, const uint8_t w[WINDOW]) {
    if (m->windows.n * 2 >= m->nplaces && !more_places(m)) return m->failed = true, 0;
    size_t at = mix(w) & (m->nplaces - 1);
    for (; m->places[at]; at = (at + 1) & (m->nplaces - 1))
        if (!memcmp((uint8_t *)m->windows.items + (m->places[at] - 1) * (size_t)WINDOW, w, WINDOW))
            return m->places[at] - 1;
    void *to = more(m, &m->windows, 1, WINDOW);
    if (!to) return 0;
    memcpy(to, w, WINDOW);
    m->places[at] = (uint32_t)m->windows.n;
    return (uint32_t)m->windows.n - 1;
}

/* Under TeX's rules all patterns that end here have their say; under libhyphen's only the longest
 * path has, and says nothing if no pattern ends with it. */
static uint32_t op_of(struct making *m, const struct growing *patterns, const struct node *node) {
    const struct patterns *p = m->p;
    const uint32_t inherited = p->dic ? 0 : ((struct node *)m->nodes.items)[node->fallback].op;
    if (!node->pattern) return inherited;
    const struct pattern *own = (struct pattern *)patterns->items + node->pattern - 1;
    const uint8_t *values = (uint8_t *)p->values.items + own->values;
    const bool edge = ((uint32_t *)p->chars.items)[own->chars] == EDGE;
    uint32_t n = own->nchars + 1, lead = edge; /* nobody breaks before the edge */
    if (own->change < 0)
        while (lead < n && !values[lead]) lead++;
    if (own->change < 0 && n - lead <= WINDOW && !(inherited & SPECIAL)) {
        uint8_t window[WINDOW];
        memcpy(window, (uint8_t *)m->windows.items + (size_t)inherited * WINDOW, WINDOW);
        for (uint32_t i = lead; i < n; i++)
            if (values[i] > window[WINDOW - n + i]) window[WINDOW - n + i] = values[i];
        return window_number(m, window);
    }
    struct special *to = more(m, &m->specials, 1, sizeof *to);
    if (!to) return 0;
    *to = (struct special){own->values + lead, n - lead, (uint32_t)own->change,
                           inherited ? inherited : NONE, edge};
    return SPECIAL | (uint32_t)(m->specials.n - 1);
}

/* ---- trie -> table ---- */

static uint32_t bits_for(size_t n) {
    uint32_t bits = 1;
    while (bits < 32 && n > (size_t)1 << bits) bits++;
    return bits;
}

/* Breadth first: a node's fallback is shorter, so its row is there already. Entries are node
 * numbers until all are known. */
static void fill_rows(struct making *m, const struct growing *patterns, uint32_t *table,
                      uint32_t stride) {
    struct node *nodes = m->nodes.items;
    uint32_t *queue = malloc(m->nodes.n * sizeof *queue);
    uint32_t nrows = 1;
    if (!queue) {
        m->failed = true;
        return;
    }
    size_t n = 1;
    queue[0] = 0;
    memset(table, 0, stride * sizeof *table);
    for (size_t i = 0; i < n && !m->failed; i++) {
        const struct node *at = &nodes[queue[i]];
        if (!at->first) continue;
        uint32_t *row = table + (size_t)at->row * stride;
        if (queue[i])
            memcpy(row, table + (size_t)nodes[at->fallback].row * stride, stride * sizeof *row);
        for (uint32_t c = at->first; c; c = nodes[c].next) {
            nodes[c].fallback = queue[i] ? row[nodes[c].class] : 0;
            nodes[c].row = nodes[c].first ? nrows++ : nodes[nodes[c].fallback].row;
            nodes[c].op = op_of(m, patterns, &nodes[c]);
            row[nodes[c].class] = c;
            queue[n++] = c;
        }
    }
    free(queue);
}

static void make_level(struct making *m, unsigned number) {
    static const uint8_t nothing[WINDOW];
    const struct growing *patterns = &m->p->level[number];
    m->windows.n = m->specials.n = m->nplaces = 0;
    window_number(m, nothing);
    plant(m, patterns);
    if (m->failed) return;
    const struct node *nodes = m->nodes.items;
    const uint32_t stride = m->nclasses;
    size_t nrows = 1;
    for (size_t i = 1; i < m->nodes.n; i++) nrows += nodes[i].first != 0;
    const uint64_t table_at = section(m, NULL, nrows * stride * sizeof(uint32_t));
    if (m->failed) return;
    uint32_t *table = (void *)((char *)m->image.items + table_at);
    fill_rows(m, patterns, table, stride);
    const size_t nops = m->windows.n > m->specials.n ? m->windows.n : m->specials.n;
    const uint32_t opbits = bits_for(nops);
    const bool scaled = nrows * stride < (size_t)1 << (31 - opbits);
    const uint32_t scale = scaled ? stride : 1;
    if (!scaled && nrows >= (size_t)1 << (31 - opbits))
        m->limit = "too many patterns", m->failed = true;
    if (m->failed) return;
    nodes = m->nodes.items;
    for (size_t i = 0; i < nrows * stride; i++) {
        const struct node *to = &nodes[table[i]];
        table[i] = (to->row * scale) << opbits | to->op;
    }
    struct image_level level = {.table = table_at, .nrows = (uint32_t)nrows, .stride = stride};
    level.factor = scaled ? 1 : stride, level.opbits = opbits;
    level.nwindows = (uint32_t)m->windows.n, level.nspecials = (uint32_t)m->specials.n;
    level.windows = section(m, m->windows.items, m->windows.n * WINDOW);
    /* As many as an entry could name: so none needs to be checked. */
    void *unused = more(m, &m->image, (((size_t)1 << opbits) - m->windows.n) * WINDOW, 1);
    if (unused) memset(unused, 0, (((size_t)1 << opbits) - m->windows.n) * WINDOW);
    level.specials = section(m, m->specials.items, m->specials.n * sizeof(struct special));
    if (!m->failed) head_of(m)->level[number] = level;
}

/* ---- all of it ---- */

static void make_rest(struct making *m) {
    const struct patterns *p = m->p;
    struct image_head head = *head_of(m);
    const uint32_t *items = p->nohyphen.items;
    struct growing classes = {0};
    for (size_t i = 0; i < p->nohyphen.n; i++) {
        uint16_t *to = more(m, &classes, 1, sizeof *to);
        if (to) *to = items[i] ? class_now(m, items[i]) & CLASS : 0;
    }
    head.nohyphen = section(m, classes.items, classes.n * sizeof(uint16_t));
    head.nnohyphen = classes.n;
    free(classes.items);
    head.values = section(m, p->values.items, p->values.n);
    head.nvalues = p->values.n;
    head.changes = section(m, p->changes.items, p->changes.n * sizeof(struct change));
    head.nchanges = (uint32_t)p->changes.n;
    head.text = section(m, p->text.items, p->text.n);
    head.ntext = p->text.n;
    head.exceptions = section(m, p->exceptions.items, p->exceptions.n);
    head.nexceptions = p->exceptions.n;
    make_words_alphabet(m);
    head.pages = section(m, m->pages, NPAGES * sizeof(uint16_t));
    head.blocks = section(m, m->blocks.items, m->blocks.n * sizeof(uint16_t));
    head.nblocks = (uint32_t)(m->blocks.n / PAGE);
    if (m->failed) return;
    head.bytes = m->image.n;
    *head_of(m) = head;
}

hyphen *hyphen_compile(const struct patterns *p, char why[WHY_ROOM]) {
    struct making m = {.p = p};
    struct image_head head = {.magic = "HYPHEN\r\n", .order = 0x01020304, .version = 1};
    hyphen *h = calloc(1, sizeof *h);
    head.dic = p->dic, head.utf8 = p->utf8, head.implicit = p->implicit, head.nlevels = p->nlevels;
    head.left = p->left, head.right = p->right, head.cleft = p->cleft, head.cright = p->cright;
    m.pages = calloc(NPAGES, sizeof *m.pages);
    void *block = more(&m, &m.blocks, PAGE, sizeof(uint16_t));
    if (!h || !m.pages || !block) m.failed = true;
    else memset(block, 0, PAGE * sizeof(uint16_t)); /* for all pages without letters */
    section(&m, &head, sizeof head);
    if (!m.failed) make_alphabet(&m);
    for (unsigned i = 0; i < p->nlevels && !m.failed; i++) make_level(&m, i);
    if (!m.failed) make_rest(&m);
    free(m.nodes.items), free(m.windows.items), free(m.specials.items);
    free(m.pages), free(m.blocks.items), free(m.places);
    if (m.failed) {
        snprintf(why, WHY_ROOM, "%s", m.limit ? m.limit : "out of memory");
        free(m.image.items), free(h);
        return NULL;
    }
    hyphen_attach(h, m.image.items, m.image.n, false);
    return h;
}
