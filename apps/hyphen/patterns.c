/* patterns.c - pattern files, read line by line or word by word. See patterns.h for the forms. */
#define _GNU_SOURCE
#include "patterns.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "utf8.h"

struct reading {
    struct patterns *p;
    const char *name;
    size_t line;
    unsigned level;
    char *why;
};

static bool wrong(struct reading *r, const char *what) {
    snprintf(r->why, WHY_ROOM, "%s:%zu: %s", r->name, r->line, what);
    return false;
}

static bool no_memory(struct reading *r) { return wrong(r, "out of memory"); }

/* ---- memory and files ---- */

void *grow_more(struct growing *g, size_t n, size_t size) {
    size_t room = g->room ? g->room * 2 : 256;
    if (room < g->n + n) room = g->n + n;
    void *items = realloc(g->items, room * size);
    if (!items) return NULL;
    g->items = items, g->room = room;
    return grow(g, n, size);
}

void patterns_free(struct patterns *p) {
    struct growing *all[] = {&p->level[0], &p->level[1], &p->chars,    &p->values,
                             &p->changes,  &p->text,     &p->nohyphen, &p->exceptions};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->items);
    memset(p, 0, sizeof *p);
}

/* A pipe is not opened: whoever writes to it would take the close for the end. */
bool file_begins(const char *path, const char begin[8]) {
    char bytes[8];
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode)) return false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool does = read(fd, bytes, sizeof bytes) == 8 && !memcmp(bytes, begin, sizeof bytes);
    close(fd);
    return does;
}

char *read_whole(const char *path, size_t *n) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    struct growing bytes = {0};
    ssize_t got = -1;
    if (fd < 0) return NULL;
    const size_t guess = fstat(fd, &about) == 0 && about.st_size > 0 ? (size_t)about.st_size : 0;
    size_t room = guess + 4096;
    do {
        char *to = grow(&bytes, room, 1);
        if (!to) break;
        got = read(fd, to, room);
        bytes.n -= room - (got > 0 ? (size_t)got : 0);
        room = 4096;
    } while (got > 0);
    char *end = got == 0 ? grow(&bytes, 1, 1) : NULL;
    const int error = errno;
    close(fd);
    errno = error;
    if (!end) return free(bytes.items), NULL;
    *end = 0;
    *n = bytes.n - 1;
    return bytes.items;
}

/* ---- one pattern ---- */

static bool add_chars(struct reading *r, struct growing *to, const char *s, size_t n) {
    for (size_t i = 0; i < n;) {
        uint32_t c, *at = grow(to, 1, sizeof *at);
        const size_t size = utf8_get(s + i, n - i, &c);
        if (!at) return no_memory(r);
        if (!size) return wrong(r, "not UTF-8");
        *at = c;
        i += size;
    }
    return true;
}

/* `change[,start,cut]`: start counts from 1, and without both the whole pattern is meant. */
static bool add_change(struct reading *r, struct pattern *at, const char *s, size_t n) {
    struct patterns *p = r->p;
    const char *comma = memchr(s, ',', n);
    const size_t bytes = comma ? (size_t)(comma - s) : n;
    const uint32_t *chars = (uint32_t *)p->chars.items + at->chars;
    const unsigned inside = at->nchars - (at->nchars && chars[0] == EDGE);
    unsigned start = 1, cut = 0;
    int used = 0;
    if (!memchr(s, '=', bytes)) return wrong(r, "a change of spelling without = for the break");
    if (comma) {
        char numbers[32] = "";
        memcpy(numbers, comma + 1, n - bytes - 1 < 31 ? n - bytes - 1 : 31);
        /* More numbers may follow, which libhyphen ignores. */
        if (sscanf(numbers, "%u,%u%n", &start, &cut, &used) != 2 ||
            !strchr(",\r \t", numbers[used]) || !start || start > inside || cut > 100)
            return wrong(r, "after the change: ,start,cut, both numbers inside the pattern");
    }
    for (size_t i = 0; i < bytes;) {
        uint32_t c;
        const size_t size = utf8_get(s + i, bytes - i, &c);
        if (!size) return wrong(r, "not UTF-8");
        i += size;
    }
    struct change *change = grow(&p->changes, 1, sizeof *change);
    char *text = grow(&p->text, bytes, 1);
    if (!change || !text) return no_memory(r);
    memcpy(text, s, bytes);
    change->text = (uint32_t)(p->text.n - bytes);
    change->bytes = (uint32_t)bytes;
    change->start = start - 1;
    change->cut = cut ? cut : inside;
    at->change = (int32_t)(p->changes.n - 1);
    return true;
}

/* A word of the file, in UTF-8. libhyphen takes the last of several digits in a gap; TeX's files
 * have one. */
static bool add_pattern(struct reading *r, const char *s, size_t n) {
    struct patterns *p = r->p;
    const char *slash = p->dic ? memchr(s, '/', n) : NULL;
    const size_t length = slash ? (size_t)(slash - s) : n;
    struct pattern at = {(uint32_t)p->chars.n, (uint32_t)p->values.n, 0, -1};
    uint8_t *value = grow(&p->values, 1, 1);
    if (!value) return no_memory(r);
    *value = 0;
    for (size_t i = 0, digits = 0; i < length;) {
        if (s[i] >= '0' && s[i] <= '9') {
            if (digits++ && !p->dic) return wrong(r, "two digits in one gap of a pattern");
            ((uint8_t *)p->values.items)[p->values.n - 1] = (uint8_t)(s[i++] - '0');
            continue;
        }
        uint32_t c, *next = grow(&p->chars, 1, sizeof *next);
        const size_t size = utf8_get(s + i, length - i, &c);
        if (!size) return wrong(r, "not UTF-8");
        value = grow(&p->values, 1, 1);
        if (!next || !value) return no_memory(r);
        *next = c, *value = 0;
        at.nchars++;
        i += size, digits = 0;
    }
    if (!at.nchars) return p->dic || wrong(r, "a pattern without letters");
    if (p->chars.n > UINT32_MAX / 2) return wrong(r, "too many patterns");
    if (slash && !add_change(r, &at, slash + 1, n - length - 1)) return false;
    struct pattern *to = grow(&p->level[r->level], 1, sizeof *to);
    if (!to) return no_memory(r);
    *to = at;
    return true;
}

static bool add_exception(struct reading *r, const char *s, size_t n) {
    char *to = grow(&r->p->exceptions, n + 1, 1);
    if (!to) return no_memory(r);
    memcpy(to, s, n);
    to[n] = '\n';
    return true;
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* ---- hyph-utf8 text ---- */

static bool parse_text(struct reading *r, const char *s, const char *end) {
    for (; s < end; r->line++) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        const char *next = stop ? stop + 1 : end;
        if (!stop) stop = end;
        while (stop > s && is_blank(stop[-1])) stop--;
        for (const char *c = s; c < stop; c++)
            if (is_blank(*c)) return wrong(r, "one pattern a line, without blanks");
        if (stop > s && !add_pattern(r, s, (size_t)(stop - s))) return false;
        s = next;
    }
    return true;
}

/* ---- TeX ---- */

/* What cannot be a least distance does not count. */
static void set_distance(unsigned *to, unsigned number) {
    if (number >= 1 && number <= 1000) *to = number;
}

/* The header's YAML: hyphenmins, then typesetting, then left and right. */
static void read_header_line(struct patterns *p, const char *s, size_t n, int *depth) {
    char line[80];
    unsigned number;
    snprintf(line, sizeof line, "%.*s", (int)(n < 79 ? n : 79), s);
    if (strstr(line, "hyphenmins:")) *depth = 1;
    else if (*depth == 1 && strstr(line, "typesetting:")) *depth = 2;
    else if (*depth == 2 && sscanf(line, "%% left: %u", &number) == 1)
        set_distance(&p->left, number);
    else if (*depth == 2 && sscanf(line, "%% right: %u", &number) == 1) {
        set_distance(&p->right, number);
        *depth = 3;
    }
}

void patterns_header(struct patterns *p, const char *bytes, size_t n) {
    int depth = 0;
    for (const char *s = bytes, *end = bytes + n, *stop; s < end; s = stop + 1) {
        stop = memchr(s, '\n', (size_t)(end - s));
        if (!stop) stop = end;
        if (*s == '%') read_header_line(p, s, (size_t)(stop - s), &depth);
    }
}

static bool parse_tex(struct reading *r, const char *s, const char *end) {
    enum { OUTSIDE, PATTERNS, HYPHENATION } where = OUTSIDE, announced = OUTSIDE;
    int depth = 0;
    for (size_t n; s < end; s += n) {
        n = 1;
        if (*s == '\n') {
            r->line++;
        } else if (*s == '%') {
            const char *stop = memchr(s, '\n', (size_t)(end - s));
            n = (size_t)((stop ? stop : end) - s);
            read_header_line(r->p, s, n, &depth);
        } else if (is_blank(*s)) {
        } else if (where == OUTSIDE) {
            if (end - s > 9 && !memcmp(s, "\\patterns", 9)) announced = PATTERNS, n = 9;
            else if (end - s > 12 && !memcmp(s, "\\hyphenation", 12))
                announced = HYPHENATION, n = 12;
            else if (*s == '{') where = announced;
            else announced = OUTSIDE;
        } else if (*s == '}') {
            where = announced = OUTSIDE;
        } else {
            while (s + n < end && !is_blank(s[n]) && !strchr("{}%", s[n])) n++;
            if (memchr(s, '\\', n) || memchr(s, '{', n) || memchr(s, '^', n))
                return wrong(r, "a command inside \\patterns or \\hyphenation");
            if (!(where == PATTERNS ? add_pattern : add_exception)(r, s, n)) return false;
        }
    }
    return where == OUTSIDE || wrong(r, "the brace is not closed");
}

/* ---- libhyphen ---- */

static bool to_utf8(struct reading *r, iconv_t charset, const char *s, size_t n,
                    struct growing *to) {
    char *in = (char *)(uintptr_t)s;
    size_t room = 4 * n + 4, left = room;
    to->n = 0;
    char *out = grow(to, room, 1);
    if (!out) return no_memory(r);
    size_t plain = 0;
    while (plain < n && !(s[plain] & 0x80)) plain++;
    if (plain == n) { /* the same in all of them */
        memcpy(out, s, n);
        to->n = n;
        return true;
    }
    if (iconv(charset, &in, &n, &out, &left) == (size_t)-1)
        return wrong(r, "not in the charset of line 1");
    to->n = room - left;
    return true;
}

static bool number_after(struct reading *r, const char *s, size_t skip, unsigned *to) {
    char *rest;
    const long number = strtol(s + skip, &rest, 10);
    while (is_blank(*rest)) rest++;
    if (rest == s + skip || *rest || number < 0 || number > 100)
        return wrong(r, "a number from 0 to 100 is missing");
    *to = (unsigned)number;
    return true;
}

/* Items parted by commas. */
static bool read_nohyphen(struct reading *r, const char *s, size_t n) {
    struct growing *to = &r->p->nohyphen;
    to->n = 0;
    for (size_t i = 0; i <= n; i++) {
        const char *comma = memchr(s + i, ',', n - i);
        const size_t length = comma ? (size_t)(comma - s) - i : n - i;
        uint32_t *end;
        if (!length) continue;
        if (!add_chars(r, to, s + i, length)) return false;
        if (!(end = grow(to, 1, sizeof *end))) return no_memory(r);
        *end = 0;
        i += length;
    }
    return true;
}

/* One line without its end, in UTF-8, with a NUL behind it. */
static bool parse_dic_line(struct reading *r, const char *s, size_t n) {
    static const char *const mins[] = {"LEFTHYPHENMIN", "RIGHTHYPHENMIN", "COMPOUNDLEFTHYPHENMIN",
                                       "COMPOUNDRIGHTHYPHENMIN"};
    struct patterns *p = r->p;
    unsigned ignored, *const to[] = {&p->left, &p->right, &p->cleft, &p->cright};
    if (*s == '%' || *s == '#') return true;
    for (size_t i = 0; i < 4 && *s >= 'A' && *s <= 'Z'; i++)
        if (!strncmp(s, mins[i], strlen(mins[i]))) /* those of the inner level never count */
            return number_after(r, s, strlen(mins[i]), r->level ? &ignored : to[i]);
    if (!strncmp(s, "NOHYPHEN", 8)) {
        size_t skip = 8;
        while (s[skip] == ' ' || s[skip] == '\t') skip++;
        return r->level || read_nohyphen(r, s + skip, n - skip);
    }
    if (!strncmp(s, "NEXTLEVEL", 9)) {
        if (r->level) return wrong(r, "NEXTLEVEL a second time");
        r->level = 1;
        return true;
    }
    size_t length = 0;
    while (length < n && (unsigned char)s[length] > ' ') length++;
    return add_pattern(r, s, length);
}

/* Without NEXTLEVEL words are parted at hyphens and apostrophes before anything else. */
static bool make_first_level(struct reading *r) {
    static const char *const parts[] = {"1-1", "1'1",
                                        "1\xe2\x80\x93"
                                        "1",
                                        "1\xe2\x80\x99"
                                        "1"};
    static const char ascii[] = "',-", more[] = "',\xe2\x80\x93,\xe2\x80\x99,-";
    struct patterns *p = r->p;
    const struct growing none = p->level[1];
    p->level[1] = p->level[0], p->level[0] = none;
    p->implicit = true;
    if (!p->cleft) p->cleft = p->left ? p->left : 3;
    if (!p->cright) p->cright = p->right ? p->right : 3;
    r->level = 0;
    for (size_t i = 0; i < (p->utf8 ? 4 : 2); i++)
        if (!add_pattern(r, parts[i], strlen(parts[i]))) return false;
    return p->utf8 ? read_nohyphen(r, more, sizeof more - 1)
                   : read_nohyphen(r, ascii, sizeof ascii - 1);
}

static iconv_t open_charset(const char *name) {
    if (!strncasecmp(name, "microsoft-", 10)) name += 10;
    return iconv_open("UTF-8", name);
}

/* A piece that begins inside a character. */
struct torn {
    const char *s;
    size_t n;
    unsigned level;
};

static bool is_tail(char c) { return (c & 0xc0) == 0x80; }

/* To libhyphen, which counts bytes, a torn piece stands for all characters that end like it. */
static bool mend_torn(struct reading *r, const struct torn *t) {
    struct growing seen = {0};
    char line[128];
    size_t tail = 0;
    bool fine = true;
    while (tail < t->n && is_tail(t->s[tail])) tail++;
    for (size_t i = tail, size; i < t->n; i += size) { /* torn at its end too: no word has that */
        uint32_t c;
        if (!(size = utf8_get(t->s + i, t->n - i, &c))) return true;
    }
    const size_t nchars = r->p->chars.n;
    r->level = t->level;
    for (size_t i = 0; fine && i < nchars; i++) {
        const uint32_t c = ((uint32_t *)r->p->chars.items)[i];
        const size_t size = utf8_put(c, line);
        bool known = size <= tail || memcmp(line + size - tail, t->s, tail);
        for (size_t k = 0; !known && k < seen.n; k++) known = ((uint32_t *)seen.items)[k] == c;
        if (known) continue;
        uint32_t *to = grow(&seen, 1, sizeof *to);
        if (!to) fine = no_memory(r);
        else *to = c;
        memcpy(line + size, t->s + tail, t->n - tail);
        line[size + t->n - tail] = 0;
        fine = fine && parse_dic_line(r, line, size + t->n - tail);
    }
    free(seen.items);
    return fine;
}

/* A line, or a piece of a long one. What follows the first blank is in no charset for sure. */
static bool parse_dic_bytes(struct reading *r, iconv_t charset, const char *s, size_t n, bool rest,
                            struct growing *line, struct growing *torn) {
    size_t used = n;
    if (rest) {
        used = 0;
        while (used < n && (unsigned char)s[used] > ' ') used++;
    }
    if (rest && used && is_tail(s[0]) && r->p->utf8) {
        struct torn *to = grow(torn, 1, sizeof *to);
        if (!to) return no_memory(r);
        *to = (struct torn){s, used, r->level};
        return true;
    }
    if (!to_utf8(r, charset, s, used, line)) return rest;
    char *end = grow(line, 1, 1);
    if (!end) return no_memory(r);
    *end = 0;
    return parse_dic_line(r, line->items, line->n - 1);
}

static bool parse_dic(struct reading *r, const char *s, const char *end, const char *charset) {
    enum { LONGEST = 99 }; /* what libhyphen reads at once; it takes the rest for another line */
    struct patterns *p = r->p;
    struct growing line = {0}, torn = {0};
    const iconv_t to = open_charset(charset);
    bool fine = true;
    p->dic = true, p->nlevels = 2;
    p->utf8 = !strcmp(charset, "UTF-8");
    if (to == (iconv_t)-1) return wrong(r, "a charset that is not known here");
    for (; fine && s < end; r->line++) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        const char *next = stop ? stop + 1 : end;
        const size_t whole = (size_t)(next - s);
        if (!stop) stop = end;
        if (stop > s && stop[-1] == '\r') stop--;
        const size_t n = (size_t)(stop - s);
        for (size_t at = 0; fine && r->line > 1 && (at < n || at == 0); at += LONGEST)
            fine = parse_dic_bytes(r, to, s + at, n - at < LONGEST ? n - at : LONGEST,
                                   whole > LONGEST, &line, &torn);
        s = next;
    }
    const unsigned level = r->level;
    for (size_t i = 0; fine && i < torn.n; i++) fine = mend_torn(r, (struct torn *)torn.items + i);
    r->level = level;
    if (fine && r->level == 0) fine = make_first_level(r);
    if (!p->left) p->left = 2;
    if (!p->right) p->right = 2;
    iconv_close(to);
    free(line.items), free(torn.items);
    return fine;
}

/* ---- which form? ---- */

/* A .dic begins with the name of a charset. */
static bool names_charset(const char *bytes, size_t n, char name[32]) {
    static const char *const begin[] = {"UTF-8", "ISO",   "KOI8",     "microsoft-cp", "windows-",
                                        "CP",    "ASCII", "US-ASCII", "TIS-620"};
    size_t length = 0;
    while (length < n && length < 31 && !is_blank(bytes[length])) length++;
    memcpy(name, bytes, length);
    name[length] = 0;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (!strncmp(name, begin[i], strlen(begin[i]))) return true;
    return false;
}

bool patterns_parse(struct patterns *p, const char *name, const char *bytes, size_t n,
                    char why[WHY_ROOM]) {
    struct reading r = {.p = p, .name = name, .line = 1, .why = why};
    char charset[32];
    memset(p, 0, sizeof *p);
    p->utf8 = true, p->nlevels = 1;
    if (n >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) bytes += 3, n -= 3;
    bool fine;
    if (memchr(bytes, 0, n)) fine = wrong(&r, "a pattern file holds no NUL bytes");
    else if (names_charset(bytes, n, charset)) fine = parse_dic(&r, bytes, bytes + n, charset);
    else if (memmem(bytes, n, "\\patterns", 9)) fine = parse_tex(&r, bytes, bytes + n);
    else fine = parse_text(&r, bytes, bytes + n);
    if (fine && !p->dic) {
        if (!p->left) p->left = 2;
        if (!p->right) p->right = 3;
    }
    if (fine && !p->level[0].n && !p->level[1].n) fine = wrong(&r, "no patterns");
    if (!fine) patterns_free(p);
    return fine;
}

bool patterns_read(struct patterns *p, const char *path, char why[WHY_ROOM]) {
    size_t n;
    char *bytes = read_whole(path, &n);
    if (!bytes) {
        memset(p, 0, sizeof *p);
        snprintf(why, WHY_ROOM, "%s: %s", path, strerror(errno));
        return false;
    }
    bool fine = patterns_parse(p, path, bytes, n, why);
    free(bytes);
    if (fine && !(fine = patterns_beside(p, path, why))) patterns_free(p);
    return fine;
}
