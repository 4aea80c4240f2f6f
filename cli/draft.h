/* draft.h - an output that is there whole or not at all: written under another name beside its place,
 * and renamed at the end. Pipes, devices and stdout are written straight. */
#ifndef CLI_DRAFT_H
#define CLI_DRAFT_H

#include <stdio.h>

struct draft {
    const char *path;
    char *target, *name; /* the file behind links; the draft's. NULL: written straight */
    FILE *file;
};

/* NULL and "-" are stdout. DONE, or TROUBLE after a complaint. */
int draft_open(struct draft *d, const char *path, FILE **out);

/* Writing failed: complain, unless it is a pipe whose reader left. TROUBLE. */
int draft_trouble(const struct draft *d);

/* Keep it if `outcome` is DONE, else leave nothing behind. Returns the outcome. */
int draft_end(struct draft *d, int outcome);

/* The file behind a path's links, also where it is not there yet; the caller frees it. NULL and
 * errno if there is none. */
char *behind_links(const char *path);

/* Only the first step, for who writes by other means: a new file beside `target`, called *name,
 * which the caller frees. -1 and errno if it cannot be. */
int open_beside(const char *target, char **name);

#endif
