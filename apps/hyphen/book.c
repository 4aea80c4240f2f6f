/* book.c - which entries of an EPUB are its documents, and a new EPUB with these hyphenated. */
#define _GNU_SOURCE
#include "book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "utf8.h"

enum { DOCUMENT = 1, CIPHERED = 2 }; /* roles */
enum { LONGEST_PATH = 4096, DESCRIPTION = 16 << 20 };

static const char media_type[] = "application/epub+zip";

bool book_begins(const char *bytes, size_t n) { return !memcmp(bytes, "PK\3\4", n < 4 ? n : 4); }

static bool refuse(char why[WHY_ROOM], const char *what) {
    snprintf(why, WHY_ROOM, "%s", what);
    return false;
}

/* ---- as much XML as is needed ---- */

struct tag {
    const char *name, *inside; /* without prefix; what follows the name */
    size_t nname, ninside;
    bool closes;
};

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Behind `*at`, comments and the like left out. */
static bool next_tag(const char *s, size_t n, size_t *at, struct tag *out) {
    for (const char *p; *at < n && (p = memchr(s + *at, '<', n - *at));) {
        const size_t left = n - (size_t)(p - s);
        const char *stop = NULL;
        size_t skip = 0;
        if (left >= 4 && !memcmp(p, "<!--", 4)) stop = memmem(p + 4, left - 4, "-->", 3), skip = 3;
        else if (left >= 9 && !memcmp(p, "<![CDATA[", 9))
            stop = memmem(p, left, "]]>", 3), skip = 3;
        else if (left >= 2 && (p[1] == '!' || p[1] == '?')) stop = memchr(p, '>', left), skip = 1;
        if (skip && !stop) return false;
        if (skip) {
            *at = (size_t)(stop - s) + skip;
            continue;
        }
        size_t end = 1;
        char quote = 0;
        for (; end < left && (quote || p[end] != '>'); end++)
            if (quote ? p[end] == quote : p[end] == '"' || p[end] == '\'') quote ^= p[end];
        if (end == left) return false;
        out->closes = p[1] == '/';
        size_t name = 1 + out->closes, i = name;
        for (; i < end && !is_blank(p[i]) && p[i] != '/'; i++)
            if (p[i] == ':') name = i + 1;
        out->name = p + name, out->nname = i - name;
        out->inside = p + i, out->ninside = end - i;
        *at = (size_t)(p - s) + end + 1;
        return true;
    }
    return false;
}

static bool is_named(const struct tag *t, const char *name) {
    return t->nname == strlen(name) && !memcmp(t->name, name, t->nname);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* &amp; and its like, &#38;, &#x26;; returns the size of what it read, 0 if it is none of these. */
static size_t read_entity(const char *s, size_t n, uint32_t *c) {
    static const struct {
        const char *name;
        char c;
    } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < 5; i++) {
        const size_t length = strlen(known[i].name);
        if (n >= length && !memcmp(s, known[i].name, length))
            return *c = (uint32_t)known[i].c, length;
    }
    if (n < 4 || s[1] != '#') return 0;
    const bool hex = s[2] == 'x';
    size_t i = 2 + (size_t)hex;
    *c = 0;
    for (const size_t first = i; i < n && i < first + 7; i++) {
        const int digit = hex_digit(s[i]);
        if (digit < 0 || (!hex && digit > 9)) break;
        *c = *c * (hex ? 16 : 10) + (uint32_t)digit;
    }
    return i < n && s[i] == ';' && *c && *c < 0xd800 ? i + 1 : 0;
}

/* The value of an attribute, as a string; false if it is not there, or too long. */
static bool attribute(const struct tag *t, const char *name, char *to, size_t room) {
    const char *s = t->inside;
    for (size_t i = 0, n = t->ninside; i < n;) {
        while (i < n && is_blank(s[i])) i++;
        const size_t begin = i;
        while (i < n && !is_blank(s[i]) && s[i] != '=') i++;
        const size_t nname = i - begin;
        while (i < n && is_blank(s[i])) i++;
        if (i >= n || s[i] != '=') {
            if (i == begin) i++;
            continue;
        }
        for (i++; i < n && is_blank(s[i]);) i++;
        if (i >= n || (s[i] != '"' && s[i] != '\'')) return false;
        const char *close = memchr(s + i + 1, s[i], n - i - 1);
        if (!close) return false;
        const char *value = s + i + 1;
        i = (size_t)(close + 1 - s);
        if (nname != strlen(name) || memcmp(s + begin, name, nname)) continue;
        size_t length = 0;
        while (value < close && length + 5 < room) {
            uint32_t c;
            const size_t size = *value == '&' ? read_entity(value, (size_t)(close - value), &c) : 0;
            if (size) length += utf8_put(c, to + length);
            else to[length++] = *value;
            value += size ? size : 1;
        }
        to[length] = 0;
        return value == close;
    }
    return false;
}

/* Is `word` one of those in the list? */
static bool lists(const char *list, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || is_blank(at[-1])) && (!at[n] || is_blank(at[n]))) return true;
    return false;
}

/* ---- addresses -> entries ---- */

/* Up to # or ?, with %20 and its like made characters. In place. */
static void plain_path(char *s) {
    char *to = s;
    for (; *s && *s != '#' && *s != '?'; s++) {
        const int high = *s == '%' ? hex_digit(s[1]) : -1, low = high >= 0 ? hex_digit(s[2]) : -1;
        if (low >= 0 && high + low > 0) *to++ = (char)(high << 4 | low), s += 2;
        else *to++ = *s;
    }
    *to = 0;
}

/* The entry at `address` as seen from `from`, a path or "" for the root; NULL if there is none. */
static struct zip_entry *entry_at(const struct book *b, const char *from, size_t nfrom,
                                  char *address) {
    char path[2 * LONGEST_PATH];
    size_t n = 0;
    plain_path(address);
    if (address[0] != '/') {
        while (nfrom && from[nfrom - 1] != '/') nfrom--;
        if (nfrom > LONGEST_PATH) return NULL;
        memcpy(path, from, n = nfrom);
    }
    for (const char *s = address; *s;) {
        const size_t length = strcspn(s, "/"), step = length + (s[length] == '/');
        if (length == 2 && !memcmp(s, "..", 2)) {
            if (n) n--;
            while (n && path[n - 1] != '/') n--;
        } else if (length && !(length == 1 && *s == '.')) {
            if (n + step > sizeof path) return NULL;
            memcpy(path + n, s, step);
            n += step;
        }
        s += step;
    }
    return zip_find(&b->zip, path, n);
}

/* ---- what the book says of itself ---- */

static size_t number_of(const struct book *b, const struct zip_entry *e) {
    return (size_t)(e - (struct zip_entry *)b->zip.entries.items);
}

static bool unpack_description(struct zip_entry *e, struct growing *to, char why[WHY_ROOM]) {
    if (!zip_unpack(e, DESCRIPTION, to, why)) return false;
    if (to->n && memchr(to->items, 0, to->n))
        return refuse(why, "its package is described in UTF-16, which is not known here");
    return true;
}

static void read_language(struct book *b, const char *s, size_t n) {
    while (n && is_blank(*s)) s++, n--;
    size_t length = 0;
    while (length < n && !is_blank(s[length]) && s[length] != '<') length++;
    if (!length || length >= sizeof b->language || b->language[0]) return;
    memcpy(b->language, s, length);
    b->language[length] = 0;
}

/* An <item> of the manifest of the package at `from`. */
static void read_item(struct book *b, const struct zip_entry *from, const struct tag *t) {
    char value[LONGEST_PATH];
    if (!attribute(t, "media-type", value, sizeof value) ||
        strcasecmp(value, "application/xhtml+xml"))
        return;
    if (attribute(t, "properties", value, sizeof value) && lists(value, "nav")) return;
    if (!attribute(t, "href", value, sizeof value)) return;
    const struct zip_entry *e = entry_at(b, from->name, from->nname, value);
    if (e) b->role[number_of(b, e)] |= DOCUMENT;
}

static bool read_package(struct book *b, struct zip_entry *e, char why[WHY_ROOM]) {
    struct growing xml = {0};
    struct tag t;
    const bool fine = unpack_description(e, &xml, why);
    for (size_t at = 0; fine && next_tag(xml.items, xml.n, &at, &t);) {
        if (t.closes) continue;
        if (is_named(&t, "language")) read_language(b, (char *)xml.items + at, xml.n - at);
        else if (is_named(&t, "item")) read_item(b, e, &t);
    }
    free(xml.items);
    return fine;
}

static bool read_container(struct book *b, char why[WHY_ROOM]) {
    static const char name[] = "META-INF/container.xml";
    struct zip_entry *e = zip_find(&b->zip, name, strlen(name));
    struct growing xml = {0};
    struct tag t;
    char value[LONGEST_PATH];
    size_t npackages = 0;
    if (!e) return refuse(why, "no EPUB: META-INF/container.xml is missing");
    bool fine = unpack_description(e, &xml, why);
    for (size_t at = 0; fine && next_tag(xml.items, xml.n, &at, &t);) {
        if (t.closes || !is_named(&t, "rootfile")) continue;
        if (!attribute(&t, "media-type", value, sizeof value) ||
            strcmp(value, "application/oebps-package+xml") ||
            !attribute(&t, "full-path", value, sizeof value))
            continue;
        if (++npackages > 64) fine = refuse(why, "no EPUB: it has more than 64 packages");
        struct zip_entry *package = zip_find(&b->zip, value, strlen(value));
        if (!package) fine = refuse(why, "no EPUB: the package it names is missing");
        fine = fine && read_package(b, package, why);
    }
    free(xml.items);
    if (fine && !npackages) fine = refuse(why, "no EPUB: its container names no package");
    return fine;
}

static bool read_ciphers(struct book *b, char why[WHY_ROOM]) {
    static const char name[] = "META-INF/encryption.xml";
    struct zip_entry *e = zip_find(&b->zip, name, strlen(name));
    struct growing xml = {0};
    struct tag t;
    char value[LONGEST_PATH];
    if (!e) return true;
    const bool fine = unpack_description(e, &xml, why);
    for (size_t at = 0; fine && next_tag(xml.items, xml.n, &at, &t);) {
        if (t.closes || !is_named(&t, "CipherReference")) continue;
        if (!attribute(&t, "URI", value, sizeof value)) continue;
        e = entry_at(b, "", 0, value);
        if (e) b->role[number_of(b, e)] |= CIPHERED;
    }
    free(xml.items);
    return fine;
}

static bool check_type(const struct book *b, char why[WHY_ROOM]) {
    const struct zip_entry *e = zip_find(&b->zip, "mimetype", 8);
    struct growing type = {0};
    bool fine = e != NULL;
    if (!fine) return refuse(why, "a ZIP file, but no EPUB: it has no mimetype");
    fine = e->size < 100 && zip_unpack(e, 100, &type, why);
    size_t n = type.n;
    while (n && is_blank(((char *)type.items)[n - 1])) n--;
    fine = fine && n == strlen(media_type) && !memcmp(type.items, media_type, n);
    free(type.items);
    return fine || refuse(why, "a ZIP file, but no EPUB: its mimetype is another");
}

/* A document larger than is allowed ends it here, before anything is written. */
static bool count_documents(struct book *b, char why[WHY_ROOM]) {
    const struct zip_entry *e = b->zip.entries.items;
    uint64_t all = 0;
    for (size_t i = 0; i < b->zip.entries.n; i++) {
        if (!(b->role[i] & DOCUMENT)) continue;
        b->ndocuments++;
        b->nciphered += b->role[i] & CIPHERED ? 1 : 0;
        all += b->role[i] & CIPHERED ? 0 : e[i].size;
        if (!(b->role[i] & CIPHERED) && e[i].size > BOOK_DOCUMENT)
            return refuse(why, "a document of more than 64 MiB");
    }
    return all <= BOOK_ALL || refuse(why, "documents of more than 1 GiB together");
}

bool book_open(struct book *b, const void *bytes, size_t n, char why[WHY_ROOM]) {
    static const char signatures[] = "META-INF/signatures.xml";
    memset(b, 0, sizeof *b);
    if (!zip_open(&b->zip, bytes, n, why)) return false;
    b->role = calloc(b->zip.entries.n + 1, 1);
    bool fine = b->role || refuse(why, "out of memory");
    fine = fine && check_type(b, why) && read_container(b, why) && read_ciphers(b, why) &&
           count_documents(b, why);
    if (!fine) book_close(b);
    else b->has_signatures = zip_find(&b->zip, signatures, strlen(signatures)) != NULL;
    return fine;
}

void book_close(struct book *b) {
    zip_close(&b->zip);
    free(b->role);
    memset(b, 0, sizeof *b);
}

/* ---- the new book ---- */

/* UTF-16, or another charset that the first line names. */
static bool is_foreign(const char *s, size_t n) {
    if (n && memchr(s, 0, n)) return true;
    if (n >= 3 && !memcmp(s, "\xef\xbb\xbf", 3)) s += 3, n -= 3;
    const char *end = n > 5 && !memcmp(s, "<?xml", 5) ? memmem(s, n, "?>", 2) : NULL;
    struct tag t = {.inside = s + 5, .ninside = end ? (size_t)(end - s) - 5 : 0};
    char charset[32];
    if (!end || !memmem(t.inside, t.ninside, "encoding", 8)) return false;
    return !attribute(&t, "encoding", charset, sizeof charset) || strcasecmp(charset, "UTF-8");
}

static void hyphenate(struct text *t, const struct growing *document) {
    struct speller *own = t->speller;
    t->html = true;
    t->out.n = 0;
    if (document->n) text_feed(t, document->items, document->n);
    text_feed(t, NULL, 0);
    /* What an unclosed element said does not hold in the next document. */
    t->open.n = 0, t->quiet = 0, t->speller = own;
}

static bool write_document(struct book *b, const struct zip_entry *e, struct text *t,
                           struct growing *document, struct zip_making *m, char why[WHY_ROOM]) {
    if (!zip_unpack(e, BOOK_DOCUMENT, document, why)) return false;
    if (is_foreign(document->items, document->n)) {
        b->nforeign++;
        return zip_copy(m, e, why);
    }
    hyphenate(t, document);
    if (t->failed) return refuse(why, "out of memory");
    if (t->out.n == document->n && (!t->out.n || !memcmp(t->out.items, document->items, t->out.n)))
        return zip_copy(m, e, why); /* a second run gives the same bytes */
    return zip_put(m, e, t->out.items, t->out.n, e->method, why);
}

/* The mimetype comes first, and as it is: some books have it elsewhere. */
static bool write_type(const struct book *b, struct zip_making *m, char why[WHY_ROOM]) {
    const struct zip_entry *e = zip_find(&b->zip, "mimetype", 8);
    if (e->method == ZIP_STORED) return zip_copy(m, e, why);
    return zip_put(m, e, media_type, strlen(media_type), ZIP_STORED, why);
}

bool book_write(struct book *b, struct text *t, bool (*stop)(void), struct growing *out,
                char why[WHY_ROOM]) {
    const struct zip_entry *e = b->zip.entries.items;
    const size_t type = number_of(b, zip_find(&b->zip, "mimetype", 8));
    struct zip_making m = {0};
    struct growing document = {0};
    why[0] = 0;
    bool fine = write_type(b, &m, why);
    for (size_t i = 0; fine && i < b->zip.entries.n; i++) {
        if (i == type) continue;
        if (b->role[i] != DOCUMENT) fine = zip_copy(&m, &e[i], why);
        else fine = !stop() && write_document(b, &e[i], t, &document, &m, why);
    }
    fine = fine && zip_end(&m, &b->zip, why);
    free(document.items);
    if (fine) *out = m.file, m.file = (struct growing){0};
    zip_making_free(&m);
    return fine;
}
