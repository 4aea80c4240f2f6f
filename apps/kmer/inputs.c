/* inputs.c - files by what they are, not by what they are called. */
#define _GNU_SOURCE
#include "inputs.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../cli/draft.h"
#include "../../cli/talk.h"

static bool is_standard(const char *path) { return !strcmp(path, "-"); }

const char *input_name(const char *path) { return is_standard(path) ? "standard input" : path; }

int check_inputs(char **inputs, size_t n) {
    size_t streams = 0;
    for (size_t i = 0; i < n; i++) streams += is_standard(inputs[i]);
    if (streams < 2) return DONE;
    complain("standard input is given %zu times, and can be read once", streams);
    return TROUBLE;
}

static bool same_inode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Of a path that names no file: the folder and last name of what its links lead to. */
static bool same_place(const char *a, const char *b) {
    char *name[2] = {behind_links(a), behind_links(b)};
    char *folder[2] = {name[0] ? strdup(name[0]) : NULL, name[1] ? strdup(name[1]) : NULL};
    struct stat x, y;
    const bool same = folder[0] && folder[1] && !strcmp(basename(name[0]), basename(name[1])) &&
                      !stat(dirname(folder[0]), &x) && !stat(dirname(folder[1]), &y) &&
                      same_inode(&x, &y);
    for (int i = 0; i < 2; i++) free(name[i]), free(folder[i]);
    return same;
}

bool same_file(const char *a, const char *b) {
    struct stat x, y;
    const int no_a = stat(a, &x), no_b = stat(b, &y);
    if (no_a && no_b) return same_place(a, b);
    return !no_a && !no_b && S_ISREG(x.st_mode) && same_inode(&x, &y);
}
