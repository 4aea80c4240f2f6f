/* compile.c - from patterns to the automaton: an alphabet, the slots of each level (slots.c), and what
 * else an image has. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "making.h"

void *make_more(struct making *m, struct growing *g, size_t n, size_t size) {
    void *at = grow(g, n, size);
    if (!at) m->failed = true;
    return at;
}

uint64_t make_section(struct making *m, const void *bytes, size_t n) {
    const size_t pad = (64 - m->image.n % 64) % 64;
    char *to = make_more(m, &m->image, pad + n, 1);
    if (!to) return 0;
    memset(to, 0, pad);
    if (bytes && n) memcpy(to + pad, bytes, n);
    return m->image.n - n;
}

/* ---- characters -> classes ---- */

static uint16_t *class_place(struct making *m, uint32_t c) {
    if (!m->pages[c / PAGE]) {
        void *block = make_more(m, &m->blocks, PAGE, sizeof(uint16_t));
        if (!block) return NULL;
        memset(block, 0, PAGE * sizeof(uint16_t));
        m->pages[c / PAGE] = (uint16_t)(m->blocks.n / PAGE - 1);
    }
    return (uint16_t *)m->blocks.items + (size_t)m->pages[c / PAGE] * PAGE + c % PAGE;
}

static void set_class(struct making *m, uint32_t c, unsigned class) {
    uint16_t *at = class_place(m, c);
    if (at) *at = (uint16_t) class;
}

static void count_in(struct making *m, const uint32_t *chars, size_t n, struct growing *alphabet) {
    for (size_t i = 0; i < n && !m->failed; i++) {
        if (!chars[i] || class_now(m, chars[i])) continue;
        uint32_t *at = make_more(m, alphabet, 1, sizeof *at);
        if (!at) return;
        *at = chars[i];
        if (m->nclasses > CLASS) m->limit = "more than 4095 different characters", m->failed = true;
        set_class(m, chars[i], m->nclasses++);
    }
}

static bool speaks_latin(const struct growing *chars) {
    const uint32_t *c = chars->items;
    for (size_t i = 0; i < chars->n; i++)
        if (c[i] >= 'a' && c[i] <= 'z') return true;
    return false;
}

/* The edge inside a pattern, or nothing but the edge: then a word depends on the one before it. */
static bool edges_are_edges(const struct patterns *p) {
    const uint32_t *chars = p->chars.items;
    for (unsigned number = 0; number < p->nlevels; number++) {
        const struct pattern *all = p->level[number].items;
        for (size_t i = 0; i < p->level[number].n; i++) {
            if (all[i].nchars == 1 && chars[all[i].chars] == EDGE) return false;
            for (uint32_t k = 1; k + 1 < all[i].nchars; k++)
                if (chars[all[i].chars + k] == EDGE) return false;
        }
    }
    return true;
}

static void make_alphabet(struct making *m) {
    struct growing alphabet = {0};
    const uint32_t first[] = {0, EDGE};
    uint32_t *at = make_more(m, &alphabet, 2, sizeof *at), latin[26];
    if (at) memcpy(at, first, sizeof first);
    m->nclasses = 2;
    for (uint32_t i = 0; i < 26; i++) latin[i] = 'a' + i;
    if (!m->failed) set_class(m, EDGE, CLASS_EDGE);
    if (speaks_latin(&m->p->chars)) count_in(m, latin, 26, &alphabet);
    count_in(m, m->p->chars.items, m->p->chars.n, &alphabet);
    count_in(m, m->p->nohyphen.items, m->p->nohyphen.n, &alphabet);
    const uint64_t place = make_section(m, alphabet.items, alphabet.n * sizeof *at);
    free(alphabet.items);
    if (m->failed) return;
    struct image_head *head = head_of(m);
    head->alphabet = place, head->nclasses = m->nclasses;
    head->quick = m->nclasses < 256 && edges_are_edges(m->p);
}

static void flag(struct making *m, uint32_t c, unsigned flags) {
    set_class(m, c, class_now(m, c) | flags);
}

static void count_capital(void *self, uint32_t capital, uint32_t small) {
    struct making *m = self;
    const unsigned class = class_now(m, small);
    if (!m->failed && (class || class_now(m, capital))) set_class(m, capital, class);
}

/* From the alphabet of the patterns to that of words: capitals are small letters, and characters
 * with rules of their own are marked. */
static void make_words_alphabet(struct making *m) {
    const struct patterns *p = m->p;
    const uint32_t *nohyphen = p->nohyphen.items;
    capitals_each(count_capital, m);
    set_class(m, EDGE, p->dic ? CLASS_EDGE | UNUSUAL : STRANGER);
    if (!p->dic) return;
    for (uint32_t c = '0'; c <= '9'; c++) set_class(m, c, CLASS_EDGE | DIGIT);
    if (p->utf8)
        for (uint32_t c = 0xfb03; c <= 0xfb04; c++) flag(m, c, LONG_LIGATURE);
    for (size_t i = 0; i < p->nohyphen.n; i++)
        if (nohyphen[i]) flag(m, nohyphen[i], UNUSUAL);
}

/* Are a to z, and A to Z, the classes from 2 on and nothing besides? */
static bool is_latin(const struct making *m) {
    for (uint32_t i = 0; i < 26; i++)
        if (class_now(m, 'a' + i) != 2 + i || class_now(m, 'A' + i) != 2 + i) return false;
    return true;
}

static bool is_unended(const struct patterns *p) {
    const struct pattern *all = p->level[0].items;
    const uint32_t *chars = p->chars.items;
    for (size_t i = 0; i < p->level[0].n; i++)
        if (all[i].nchars && chars[all[i].chars + all[i].nchars - 1] == EDGE) return false;
    return true;
}

/* ---- all of it ---- */

static void make_rest(struct making *m) {
    const struct patterns *p = m->p;
    struct image_head head = *head_of(m);
    const uint32_t *items = p->nohyphen.items;
    struct growing classes = {0};
    for (size_t i = 0; i < p->nohyphen.n; i++) {
        uint16_t *to = make_more(m, &classes, 1, sizeof *to);
        if (to) *to = items[i] ? class_now(m, items[i]) & CLASS : 0;
    }
    head.nohyphen = make_section(m, classes.items, classes.n * sizeof(uint16_t));
    head.nnohyphen = classes.n;
    free(classes.items);
    head.values = make_section(m, m->values.items, m->values.n);
    head.nvalues = m->values.n;
    head.changes = make_section(m, p->changes.items, p->changes.n * sizeof(struct change));
    head.nchanges = (uint32_t)p->changes.n;
    head.text = make_section(m, p->text.items, p->text.n);
    head.ntext = p->text.n;
    make_words_alphabet(m);
    head.latin = !m->failed && is_latin(m);
    head.unended = is_unended(p);
    head.pages = make_section(m, m->pages, NPAGES * sizeof(uint16_t));
    head.blocks = make_section(m, m->blocks.items, m->blocks.n * sizeof(uint16_t));
    head.nblocks = (uint32_t)(m->blocks.n / PAGE);
    head.small = m->image.n;
    for (unsigned i = 0; i < p->nlevels; i++)
        head.level[i].slots = make_section(m, m->slots[i].items, m->slots[i].n * m->slot_bytes[i]);
    head.exceptions = make_section(m, p->exceptions.items, p->exceptions.n);
    head.nexceptions = p->exceptions.n;
    if (m->failed) return;
    head.bytes = m->image.n;
    *head_of(m) = head;
}

hyphen *hyphen_compile(const struct patterns *p, char why[WHY_ROOM]) {
    struct making m = {.p = p};
    struct image_head head = {.magic = "HYPHEN\r\n", .order = 0x01020304, .version = 3};
    hyphen *h = calloc(1, sizeof *h);
    head.dic = p->dic, head.utf8 = p->utf8, head.implicit = p->implicit, head.nlevels = p->nlevels;
    head.left = p->left, head.right = p->right, head.cleft = p->cleft, head.cright = p->cright;
    m.pages = calloc(NPAGES, sizeof *m.pages);
    void *block = make_more(&m, &m.blocks, PAGE, sizeof(uint16_t));
    if (!h || !m.pages || !block) m.failed = true;
    else memset(block, 0, PAGE * sizeof(uint16_t)); /* for all pages without letters */
    make_section(&m, &head, sizeof head);
    if (!m.failed) make_alphabet(&m);
    for (unsigned i = 0; i < p->nlevels && !m.failed; i++) make_level(&m, i);
    if (!m.failed) make_rest(&m);
    free(m.pages), free(m.blocks.items), free(m.values.items);
    for (unsigned i = 0; i < MAX_LEVELS; i++) free(m.slots[i].items);
    if (m.failed) {
        snprintf(why, WHY_ROOM, "%s", m.limit ? m.limit : "out of memory");
        free(m.image.items), free(h);
        return NULL;
    }
    hyphen_attach(h, m.image.items, m.image.n, 0);
    return h;
}
