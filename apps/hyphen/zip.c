/* zip.c - ZIP files: directory -> entries -> bytes, and back. Numbers are little-endian. */
#define _GNU_SOURCE
#include "zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Sizes of the three records, and where their fields stand. */
enum { LOCAL = 30, CENTRAL = 46, END = 22 };
enum { L_FLAGS = 6, L_METHOD = 8, L_CRC = 14, L_NAME = 26, L_EXTRA = 28 };
enum { C_FLAGS = 8, C_METHOD = 10, C_CRC = 16, C_NAME = 28, C_EXTRA = 30, C_COMMENT = 32 };
enum { C_DISK = 34, C_OFFSET = 42 };
enum { E_DISK = 4, E_HERE = 8, E_COUNT = 10, E_SIZE = 12, E_OFFSET = 16, E_COMMENT = 20 };
enum { CIPHER = 1 << 0, TRAILER = 1 << 3, STRONG = 1 << 6, HIDDEN = 1 << 13 };
/* A fuzzer cannot guess sums, and would never get past them. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { SUMS_COUNT = 0 };
#else
enum { SUMS_COUNT = 1 };
#endif
/* No byte of deflated data stands for more than so many. */
enum { TIGHTEST = 1032 };

static unsigned get2(const uint8_t *p) { return p[0] | (unsigned)p[1] << 8; }
static uint32_t get4(const uint8_t *p) { return get2(p) | (uint32_t)get2(p + 2) << 16; }

static void put2(uint8_t *p, unsigned v) { p[0] = (uint8_t)v, p[1] = (uint8_t)(v >> 8); }

static void put4(uint8_t *p, uint32_t v) {
    put2(p, v & 0xffff);
    put2(p + 2, v >> 16);
}

static bool refuse(char why[WHY_ROOM], const char *what) {
    snprintf(why, WHY_ROOM, "%s", what);
    return false;
}

/* With the entry's name, as far as it can be shown. */
static bool refuse_entry(char why[WHY_ROOM], const char *name, size_t n, const char *what) {
    char shown[101];
    if (n > 100) n = 100;
    for (size_t i = 0; i < n; i++) shown[i] = name[i] >= ' ' && name[i] != 0x7f ? name[i] : '?';
    shown[n] = 0;
    snprintf(why, WHY_ROOM, "its entry '%s' %s", shown, what);
    return false;
}

static bool refuse_this(char why[WHY_ROOM], const struct zip_entry *e, const char *what) {
    return refuse_entry(why, e->name, e->nname, what);
}

/* ---- the last record ---- */

static const uint8_t *find_end(const uint8_t *bytes, size_t n) {
    for (size_t comment = 0; comment <= 0xffff && n >= END + comment; comment++) {
        const uint8_t *at = bytes + n - END - comment;
        if (!memcmp(at, "PK\5\6", 4) && get2(at + E_COMMENT) == comment) return at;
    }
    return NULL;
}

static bool check_end(const struct zip *z, char why[WHY_ROOM]) {
    const uint8_t *end = z->end;
    const uint64_t size = get4(end + E_SIZE), offset = get4(end + E_OFFSET);
    if (get2(end + E_COUNT) == 0xffff || size == UINT32_MAX || offset == UINT32_MAX ||
        (end - z->bytes >= 20 && !memcmp(end - 20, "PK\6\7", 4)))
        return refuse(why, "a ZIP64 file, which is not known here");
    if (get4(end + E_DISK) || get2(end + E_HERE) != get2(end + E_COUNT))
        return refuse(why, "a part of a ZIP file of several volumes");
    if (offset + size != (uint64_t)(end - z->bytes))
        return refuse(why, "its directory is not where it should be: cut short, or with something "
                           "else around it");
    return true;
}

/* ---- one entry ---- */

/* Names are paths below a folder: whoever unpacks the file must not be led out of it. */
static const char *name_trouble(const char *name, size_t n) {
    if (!n) return "has no name";
    if (memchr(name, 0, n) || memchr(name, '\\', n)) return "has a name that is no path";
    if (name[0] == '/') return "has a name that begins at the root";
    for (size_t i = 0; i < n;) {
        const char *slash = memchr(name + i, '/', n - i);
        const size_t length = slash ? (size_t)(slash - name) - i : n - i;
        if (length == 2 && !memcmp(name + i, "..", 2)) return "has a name that leads out";
        i += length + 1;
    }
    return NULL;
}

/* The header before the data must say what the directory says. */
static const char *local_trouble(const struct zip *z, struct zip_entry *e, uint64_t offset) {
    const uint64_t room = (uint64_t)(get4(z->end + E_OFFSET));
    if (offset + LOCAL > room) return "lies outside the file";
    const uint8_t *local = z->bytes + offset;
    if (memcmp(local, "PK\3\4", 4)) return "is not where the directory says";
    const uint64_t data = offset + LOCAL + get2(local + L_NAME) + get2(local + L_EXTRA);
    if (data + e->packed > room) return "lies outside the file";
    if (get2(local + L_NAME) != e->nname || memcmp(local + LOCAL, e->name, e->nname))
        return "has another name in the directory";
    if (get2(local + L_METHOD) != e->method) return "is packed otherwise than the directory says";
    if (get2(local + L_FLAGS) & (CIPHER | STRONG | HIDDEN)) return "is under a cipher";
    const bool sizes_follow = get2(local + L_FLAGS) & TRAILER;
    if (!sizes_follow && (get4(local + L_CRC) != e->crc || get4(local + L_CRC + 4) != e->packed ||
                          get4(local + L_CRC + 8) != e->size))
        return "has another size or checksum in the directory";
    e->local = local, e->data = z->bytes + data;
    return NULL;
}

static bool read_entry(struct zip *z, const uint8_t **at, char why[WHY_ROOM]) {
    const uint8_t *c = *at;
    const size_t left = (size_t)(z->end - c);
    if (left < CENTRAL || memcmp(c, "PK\1\2", 4))
        return refuse(why, "its directory ends before its last entry");
    const uint64_t length =
        (uint64_t)CENTRAL + get2(c + C_NAME) + get2(c + C_EXTRA) + get2(c + C_COMMENT);
    if (length > left) return refuse(why, "its directory ends before its last entry");
    struct zip_entry e = {.name = (const char *)c + CENTRAL, .nname = get2(c + C_NAME)};
    e.central = c, e.method = get2(c + C_METHOD), e.crc = get4(c + C_CRC);
    e.packed = get4(c + C_CRC + 4), e.size = get4(c + C_CRC + 8);
    const unsigned flags = get2(c + C_FLAGS);
    const uint32_t offset = get4(c + C_OFFSET);
    const char *trouble = name_trouble(e.name, e.nname);
    if (!trouble && (flags & (CIPHER | STRONG | HIDDEN))) trouble = "is under a cipher";
    if (!trouble && (e.packed == UINT32_MAX || e.size == UINT32_MAX || offset == UINT32_MAX))
        trouble = "is a ZIP64 one, which is not known here";
    if (!trouble && get2(c + C_DISK)) trouble = "is in another volume";
    if (!trouble && e.method == ZIP_STORED && e.packed != e.size) trouble = "lies about its size";
    if (!trouble && e.method == ZIP_DEFLATED && e.size / TIGHTEST > e.packed)
        trouble = "lies about its size";
    if (!trouble) trouble = local_trouble(z, &e, offset);
    if (trouble) return refuse_this(why, &e, trouble);
    struct zip_entry *to = grow(&z->entries, 1, sizeof *to);
    if (!to) return refuse(why, "out of memory");
    *to = e;
    *at += length;
    return true;
}

/* ---- all entries ---- */

static int compare_names(const char *a, size_t n, const char *b, size_t m) {
    const int order = memcmp(a, b, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

static int by_name(const void *a, const void *b, void *self) {
    const struct zip_entry *e = self, *x = e + *(const uint32_t *)a, *y = e + *(const uint32_t *)b;
    return compare_names(x->name, x->nname, y->name, y->nname);
}

static int by_place(const void *a, const void *b, void *self) {
    const struct zip_entry *e = self, *x = e + *(const uint32_t *)a, *y = e + *(const uint32_t *)b;
    return (x->local > y->local) - (x->local < y->local);
}

/* Of several entries no two have a byte in common, or a name. */
static bool check_entries(struct zip *z, char why[WHY_ROOM]) {
    struct zip_entry *e = z->entries.items;
    const size_t n = z->entries.n;
    uint32_t *order = z->by_name = malloc((n + 1) * sizeof *order);
    if (!order) return refuse(why, "out of memory");
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    if (n) qsort_r(order, n, sizeof *order, by_place, e);
    if (n && e[order[0]].local != z->bytes)
        return refuse(why, "something stands before its first entry");
    for (size_t i = 0; i + 1 < n; i++)
        if (e[order[i]].data + e[order[i]].packed > e[order[i + 1]].local)
            return refuse_this(why, &e[order[i + 1]], "overlaps another");
    if (n) qsort_r(order, n, sizeof *order, by_name, e);
    for (size_t i = 0; i + 1 < n; i++)
        if (!by_name(&order[i], &order[i + 1], e))
            return refuse_this(why, &e[order[i]], "is there twice");
    return true;
}

bool zip_open(struct zip *z, const void *bytes, size_t n, char why[WHY_ROOM]) {
    *z = (struct zip){.bytes = bytes, .n = n, .end = find_end(bytes, n)};
    if (!z->end) return refuse(why, "no ZIP file, or one that is cut short");
    bool fine = check_end(z, why);
    const uint8_t *at = fine ? z->bytes + get4(z->end + E_OFFSET) : NULL;
    for (unsigned left = get2(z->end + E_COUNT); fine && left; left--)
        fine = read_entry(z, &at, why);
    if (fine && at != z->end) fine = refuse(why, "its directory has more entries than it says");
    if (fine) fine = check_entries(z, why);
    if (!fine) zip_close(z);
    return fine;
}

void zip_close(struct zip *z) {
    free(z->entries.items), free(z->by_name);
    memset(z, 0, sizeof *z);
}

struct zip_entry *zip_find(const struct zip *z, const char *name, size_t n) {
    struct zip_entry *e = z->entries.items;
    size_t low = 0, high = z->entries.n;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        struct zip_entry *at = &e[z->by_name[mid]];
        const int order = compare_names(at->name, at->nname, name, n);
        if (order == 0) return at;
        if (order < 0) low = mid + 1;
        else high = mid;
    }
    return NULL;
}

/* ---- entry -> bytes ---- */

static bool inflate_all(const struct zip_entry *e, uint8_t *to) {
    z_stream s = {.next_in = (Bytef *)(uintptr_t)e->data, .avail_in = e->packed};
    if (inflateInit2(&s, -15) != Z_OK) return false;
    s.next_out = to, s.avail_out = e->size + 1; /* one more, to see what is too long */
    const int rc = inflate(&s, Z_FINISH);
    const bool fine = rc == Z_STREAM_END && s.total_out == e->size && s.avail_in == 0;
    inflateEnd(&s);
    return fine;
}

bool zip_unpack(const struct zip_entry *e, size_t most, struct growing *to, char why[WHY_ROOM]) {
    if (e->size > most) return refuse_this(why, e, "is larger than is allowed here");
    to->n = 0;
    uint8_t *bytes = grow(to, (size_t)e->size + 1, 1);
    if (!bytes) return refuse(why, "out of memory");
    to->n = e->size;
    if (e->method == ZIP_STORED) memcpy(bytes, e->data, e->size);
    else if (e->method != ZIP_DEFLATED) return refuse_this(why, e, "is packed in an unknown way");
    else if (!inflate_all(e, bytes))
        return refuse_this(why, e, "is damaged, or lies about its size");
    if (SUMS_COUNT && crc32(crc32(0, NULL, 0), bytes, e->size) != e->crc)
        return refuse_this(why, e, "is damaged");
    bytes[e->size] = 0;
    return true;
}

/* ---- entries -> a new file ---- */

static uint8_t *append(struct growing *to, const void *bytes, size_t n) {
    uint8_t *at = grow(to, n, 1);
    if (at && n) memcpy(at, bytes, n);
    return at;
}

/* Both headers as they were, but for what these numbers say; sizes never follow the data. The first
 * entry of an EPUB has no extra fields: so its bytes stand where everybody looks for them. */
static bool put_headers(struct zip_making *m, const struct zip_entry *e, unsigned method,
                        uint32_t crc, uint32_t packed, uint32_t size) {
    const uint64_t offset = m->file.n;
    const bool with_extra = offset > 0;
    const size_t nlocal = LOCAL + e->nname + (with_extra ? get2(e->local + L_EXTRA) : 0);
    const size_t ncentral =
        CENTRAL + e->nname + get2(e->central + C_EXTRA) + get2(e->central + C_COMMENT);
    if (offset + nlocal + packed >= UINT32_MAX) return false;
    uint8_t *local = append(&m->file, e->local, nlocal);
    uint8_t *central = local ? append(&m->directory, e->central, ncentral) : NULL;
    if (!central) return false;
    uint8_t *const sums[] = {local + L_CRC, central + C_CRC};
    for (size_t i = 0; i < 2; i++)
        put4(sums[i], crc), put4(sums[i] + 4, packed), put4(sums[i] + 8, size);
    put2(local + L_FLAGS, get2(local + L_FLAGS) & ~(unsigned)TRAILER);
    put2(central + C_FLAGS, get2(central + C_FLAGS) & ~(unsigned)TRAILER);
    put2(local + L_METHOD, method);
    put2(central + C_METHOD, method);
    if (!with_extra) put2(local + L_EXTRA, 0);
    put4(central + C_OFFSET, (uint32_t)offset);
    m->n++;
    return true;
}

static bool too_large(char why[WHY_ROOM]) {
    return refuse(why, "the new file is too large for this form, or memory is out");
}

bool zip_copy(struct zip_making *m, const struct zip_entry *e, char why[WHY_ROOM]) {
    return (put_headers(m, e, e->method, e->crc, e->packed, e->size) &&
            append(&m->file, e->data, e->packed)) ||
           too_large(why);
}

static bool deflate_all(const void *bytes, size_t n, struct growing *to) {
    z_stream s = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)n};
    if (deflateInit2(&s, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return false;
    const uLong room = deflateBound(&s, (uLong)n);
    to->n = 0;
    bool fine = grow(to, room, 1) != NULL;
    s.next_out = to->items, s.avail_out = (uInt)room;
    fine = fine && deflate(&s, Z_FINISH) == Z_STREAM_END;
    to->n = s.total_out;
    deflateEnd(&s);
    return fine;
}

bool zip_put(struct zip_making *m, const struct zip_entry *e, const void *bytes, size_t n,
             unsigned method, char why[WHY_ROOM]) {
    struct growing packed = {0};
    const bool stored = method == ZIP_STORED;
    bool fine = n < UINT32_MAX / 2 && (stored || deflate_all(bytes, n, &packed));
    const void *data = stored ? bytes : packed.items;
    const size_t ndata = stored ? n : packed.n;
    const uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), bytes, (uInt)n);
    fine = fine && put_headers(m, e, method, crc, (uint32_t)ndata, (uint32_t)n) &&
           append(&m->file, data, ndata);
    free(packed.items);
    return fine || too_large(why);
}

bool zip_end(struct zip_making *m, const struct zip *like, char why[WHY_ROOM]) {
    const size_t offset = m->file.n;
    if ((uint64_t)offset + m->directory.n >= UINT32_MAX ||
        !append(&m->file, m->directory.items, m->directory.n))
        return too_large(why);
    uint8_t *end = append(&m->file, like->end, (size_t)(like->bytes + like->n - like->end));
    if (!end) return too_large(why);
    put2(end + E_HERE, m->n);
    put2(end + E_COUNT, m->n);
    put4(end + E_SIZE, (uint32_t)m->directory.n);
    put4(end + E_OFFSET, (uint32_t)offset);
    return true;
}

void zip_making_free(struct zip_making *m) {
    free(m->file.items), free(m->directory.items);
    memset(m, 0, sizeof *m);
}
