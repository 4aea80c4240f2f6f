/*
 * text.h - plain text or HTML in, the same out with marks where words may break.
 *
 * Everything that is no word to be broken passes through byte for byte: blanks, digits, broken
 * UTF-8, addresses (a word with :// or @ or a full stop inside, or that begins with www.), and in
 * HTML tags, comments, entities and what stands in code, pre, script, style and their like. A word
 * that has soft hyphens keeps them as they are, so a second run changes nothing.
 */
#ifndef HYPHEN_TEXT_H
#define HYPHEN_TEXT_H

#include "exceptions.h"
#include "hyphen.h"
#include "letters.h"
#include "utf8.h"

struct speller { /* a language: its patterns, and exceptions if there are any */
    const hyphen *h;
    hyphen_room *room;
    struct exceptions *exceptions; /* or NULL */
    uint64_t breaks;               /* found so far */
};

struct text {
    struct speller *speller; /* of the text; NULL: leave it alone */
    /* The speller of another language, or NULL if there is none. */
    struct speller *(*speller_for)(void *self, const char *tag);
    void *self;
    const char *mark; /* what stands at a break */
    bool html, strip, no_caps;
    unsigned min_word;      /* characters that a word must have */
    uint64_t words, broken; /* seen; bytes that are no UTF-8 */
    uint64_t unclosed;      /* tags without an end */
    struct growing out;     /* char: written by text_feed(), emptied by the caller */
    struct growing held;    /* char: waits for what follows */
    struct growing open;    /* struct element */
    struct growing found;   /* struct hyphen_span: words to be broken, in what is worked off */
    struct growing bits;    /* uint64_t: their breaks */
    uint64_t letters[32];   /* a bit for each character of at most two bytes */
    unsigned quiet;         /* elements open whose text is left alone */
    bool failed;            /* no memory */
};

/* More input; n = 0 is its end. */
void text_feed(struct text *t, const char *bytes, size_t n);
void text_free(struct text *t);

/* Is the word, of so many characters, to be left alone by the text's no_caps and min_word? */
bool text_leaves(const struct text *t, const char *word, size_t n, size_t nchars);

/* Would a break here part a mark from its letter? No reader of a text wants that. */
static inline bool is_before_mark(const char *s, size_t n) {
    uint32_t c;
    return (uint8_t)*s >= 0xcc && utf8_get(s, n, &c) && is_mark(c);
}

/* The breaks of one word, exceptions heeded: offsets into it, in `places`, which has room for n of
 * them. Returns how many. Breaks that would change the spelling, or stand before a mark, are left
 * out. */
size_t spell(struct speller *s, const char *word, size_t n, size_t *places);

/* The same as one string, with the mark at each break, where spellings may change; put behind what
 * is in `to`, of char. False: no memory. */
bool spell_out(struct speller *s, const char *word, size_t n, const char *mark, struct growing *to);

#endif
