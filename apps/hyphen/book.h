/*
 * book.h - an EPUB in, the same out with its documents hyphenated.
 *
 *     META-INF/container.xml -> package documents -> manifest -> the XHTML documents
 *
 * Left as they are, byte for byte: everything that is no XHTML document; the table of contents (the
 * document with the property nav, and the NCX), which readers show in menus of their own; documents
 * that META-INF/encryption.xml names; and those that are not in UTF-8.
 *
 * Memory: the file, the new file, and one document of at most BOOK_DOCUMENT bytes; all documents
 * together may have BOOK_ALL.
 */
#ifndef HYPHEN_BOOK_H
#define HYPHEN_BOOK_H

#include "text.h"
#include "zip.h"

enum { BOOK_DOCUMENT = 64 << 20, BOOK_ALL = 1 << 30 };

struct book {
    struct zip zip;
    uint8_t *role;                          /* of each entry: see book.c */
    char language[64];                      /* as the package says it, or "" */
    size_t ndocuments, nciphered, nforeign; /* XHTML; of these left alone: ciphered, not UTF-8 */
    bool has_signatures;                    /* which no longer hold for what is changed */
};

/* Could it be one? By its first bytes: up to four are looked at. */
bool book_begins(const char *bytes, size_t n);

/* The bytes must stay. False and a sentence in `why`. */
bool book_open(struct book *b, const void *bytes, size_t n, char why[WHY_ROOM]);
void book_close(struct book *b);

/* The new book, in `out`, through `t`, whose language is that of the book. `stop` is asked before
 * each document; if it says so the answer is false and `why` empty. */
bool book_write(struct book *b, struct text *t, bool (*stop)(void), struct growing *out,
                char why[WHY_ROOM]);

#endif
