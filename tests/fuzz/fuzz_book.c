/*
 * fuzz_book.c - any bytes as an EPUB; checksums of its entries do not count here. A book that is taken
 * comes out, is taken again, and is the same then.
 *
 * SITO_SEEDS=FOLDER in the environment writes a small one, stored, into FOLDER, and ends.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "hyphen/book.h"
#include "keys.h"

static const char patterns[] = "hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n";
static const char *const entries[][2] = {
    {"mimetype", "application/epub+zip"},
    {"META-INF/container.xml",
     "<c><rootfile full-path=\"o/p.opf\" media-type='application/oebps-package+xml'/></c>"},
    {"META-INF/encryption.xml", "<e><CipherReference URI=\"o/c\"/></e>"},
    {"o/p.opf", "<p><!-- --><dc:language> en </dc:language><item href=\"a%20&amp;&#x62;#i\" "
                "media-type=\"application/xhtml+xml\"/><item href='../o/c' "
                "media-type='application/xhtml+xml'/></p>"},
    {"o/a &b", "<?xml version='1.0' encoding='utf-8'?><html><p>hyphenation</p></html>"},
    {"o/c", "hyphenation"}};
enum { NENTRIES = sizeof entries / sizeof *entries };

static bool never(void) { return false; }

static hyphen *compiled(void) {
    static hyphen *h;
    char why[WHY_ROOM];
    struct patterns p;
    if (h) return h;
    if (!patterns_parse(&p, "patterns", patterns, strlen(patterns), why)) give_up(why);
    h = hyphen_compile(&p, why);
    patterns_free(&p);
    return h;
}

/* False if it is refused. */
static bool rewrite(const void *bytes, size_t n, struct growing *out) {
    struct speller s = {compiled(), hyphen_room_new(), NULL, 0};
    struct text t = {.speller = &s, .mark = "\xc2\xad"};
    char why[WHY_ROOM] = "";
    struct book b;
    bool fine = book_open(&b, bytes, n, why);
    if (fine) {
        fine = book_write(&b, &t, never, out, why);
        book_close(&b);
    }
    if (!fine && !why[0]) give_up("no reason is given");
    text_free(&t);
    hyphen_room_free(s.room);
    return fine;
}

/* ---- seeds ---- */

static void put(FILE *f, uint32_t value, int bytes) {
    for (; bytes--; value >>= 8) fputc((int)(value & 0xff), f);
}

static void put_sizes(FILE *f, size_t i) {
    const uint32_t n = (uint32_t)strlen(entries[i][1]);
    put(f, 0, 4), put(f, 0, 2),
        put(f, 0, 2); /* versions and flags end where methods and times begin */
    put(f, (uint32_t)crc32(0, (const Bytef *)entries[i][1], n), 4);
    put(f, n, 4), put(f, n, 4), put(f, (uint32_t)strlen(entries[i][0]), 2), put(f, 0, 2);
}

static void write_seed(const char *path) {
    FILE *f = fopen(path, "wb");
    uint32_t at[NENTRIES];
    if (!f) give_up("cannot write a seed");
    for (size_t i = 0; i < NENTRIES; i++) {
        at[i] = (uint32_t)ftell(f);
        fputs("PK\3\4", f), put(f, 20, 2);
        put_sizes(f, i);
        fputs(entries[i][0], f), fputs(entries[i][1], f);
    }
    const uint32_t directory = (uint32_t)ftell(f);
    for (size_t i = 0; i < NENTRIES; i++) {
        fputs("PK\1\2", f), put(f, 20, 2), put(f, 20, 2);
        put_sizes(f, i);
        put(f, 0, 2), put(f, 0, 2), put(f, 0, 2), put(f, 0, 4), put(f, at[i], 4);
        fputs(entries[i][0], f);
    }
    const uint32_t size = (uint32_t)ftell(f) - directory;
    fputs("PK\5\6", f), put(f, 0, 4), put(f, NENTRIES, 2), put(f, NENTRIES, 2);
    put(f, size, 4), put(f, directory, 4), put(f, 0, 2);
    if (fclose(f)) give_up("cannot write a seed");
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *folder = getenv("SITO_SEEDS");
    char path[4096];
    size_t n;
    struct growing out = {0};
    if (!folder) return 0;
    snprintf(path, sizeof path, "%s/book", folder);
    write_seed(path);
    char *bytes = read_whole(path, &n);
    if (!bytes || !rewrite(bytes, n, &out)) give_up("the seed is refused");
    free(bytes), free(out.items);
    exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    struct growing first = {0}, second = {0};
    if (!rewrite(len ? (const void *)bytes : "", len, &first)) return 0;
    if (!rewrite(first.items, first.n, &second)) give_up("what it wrote it does not take");
    if (first.n != second.n || memcmp(first.items, second.items, first.n))
        give_up("a second run changes something");
    free(first.items), free(second.items);
    return 0;
}
