/*
 * patterns.h - what a pattern file says, whichever of the three forms it has:
 *
 *     hyph-utf8 text   one pattern a line
 *     TeX              \patterns{...} and \hyphenation{...}; the least distances in the header
 *     libhyphen .dic   a charset, options, patterns; NEXTLEVEL; changes of spelling after a slash
 *
 * A pattern is characters with a number in each gap; the full stop is the edge of a word. Numbers
 * compete in each gap of a word, and an odd winner is a place to break.
 */
#ifndef HYPHEN_PATTERNS_H
#define HYPHEN_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EDGE = '.', WHY_ROOM = 512, MAX_LEVELS = 2 };

struct pattern {
    uint32_t chars;  /* its first character's place in patterns.chars */
    uint32_t values; /* its first number's place in patterns.values: nchars + 1 of them */
    uint32_t nchars;
    int32_t change; /* place in patterns.changes, or -1 */
};

/* A break that alters the spelling: `cut` characters from `start` on become `text`, in which = is
 * the break. */
struct change {
    uint32_t text, bytes; /* place and length in patterns.text */
    uint32_t start, cut;  /* in characters; the edge does not count */
};

struct growing { /* an array that makes room for more */
    void *items;
    size_t n, room;
};

struct patterns {
    bool dic;      /* libhyphen's rules hold, else TeX's */
    bool utf8;     /* the file is in UTF-8 */
    bool implicit; /* level 0 was made up: it parts words at hyphens and apostrophes only */
    bool sparse;   /* for tests: no full rows, as if the states were many */
    unsigned nlevels;
    unsigned left, right;             /* least distances of a break from the ends of a word */
    unsigned cleft, cright;           /* from the ends of the parts of a compound word */
    struct growing level[MAX_LEVELS]; /* struct pattern: of compounds, then inside words */
    struct growing chars;             /* uint32_t */
    struct growing values;            /* uint8_t, 0 to 9 */
    struct growing changes;           /* struct change */
    struct growing text;              /* char, UTF-8: changes */
    struct growing nohyphen;          /* uint32_t: characters of each item, then 0 */
    struct growing exceptions;        /* char: words with hyphens, each ended by a newline */
};

/* Read a file. False and a sentence in `why`, with file and line, if it is malformed. */
bool patterns_read(struct patterns *p, const char *path, char why[WHY_ROOM]);
/* Of hyph-TAG.pat.txt also what stands beside it: that is patterns_beside(). */
bool patterns_beside(struct patterns *p, const char *path, char why[WHY_ROOM]);
/* The least distances in the comments that begin a TeX file, if they are there. */
void patterns_header(struct patterns *p, const char *bytes, size_t n);
/* As patterns_read(), from memory; `name` is for the sentence. */
bool patterns_parse(struct patterns *p, const char *name, const char *bytes, size_t n,
                    char why[WHY_ROOM]);
void patterns_free(struct patterns *p);

/* Room for `n` more items of `size` bytes; NULL if there is no memory. They count as used. */
void *grow_more(struct growing *g, size_t n, size_t size);
static inline void *grow(struct growing *g, size_t n, size_t size) {
    if (n > g->room - g->n) return grow_more(g, n, size);
    g->n += n;
    return (char *)g->items + (g->n - n) * size;
}

/* A whole file in memory, with a NUL behind it; NULL, and errno, if it cannot be read. */
char *read_whole(const char *path, size_t *n);
/* A file, no pipe (what is read there is gone), that begins with these eight bytes. */
bool file_begins(const char *path, const char begin[8]);

#endif
