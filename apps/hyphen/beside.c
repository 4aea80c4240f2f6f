/* beside.c - what belongs to hyph-TAG.pat.txt of hyph-utf8 but stands in other files: exceptions in
 * hyph-TAG.hyp.txt, and the least distances in the header of hyph-TAG.tex, there or in ../tex. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exceptions.h"
#include "patterns.h"

static bool read_exceptions(struct patterns *p, const char *path, char why[WHY_ROOM]) {
    size_t n;
    struct word_list words = {0}; /* only to see that they are some, and else to tell the line */
    char *bytes = read_whole(path, &n), *to = NULL;
    if (!bytes && errno == ENOENT) return true;
    if (!bytes) return snprintf(why, WHY_ROOM, "%.400s: %s", path, strerror(errno)), false;
    const bool sound = words_parse(&words, path, bytes, n, why);
    if (sound && !(to = grow(&p->exceptions, n + 1, 1))) snprintf(why, WHY_ROOM, "out of memory");
    if (to) memcpy(to, bytes, n), to[n] = '\n';
    words_free(&words), free(bytes);
    return to != NULL;
}

static bool read_distances(struct patterns *p, const char *path) {
    size_t n;
    char *bytes = read_whole(path, &n);
    if (bytes) patterns_header(p, bytes, n);
    free(bytes);
    return bytes != NULL;
}

bool patterns_beside(struct patterns *p, const char *path, char why[WHY_ROOM]) {
    static const char ending[] = ".pat.txt";
    const size_t n = strlen(path), end = strlen(ending);
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    char other[4096 + 16];
    if (p->dic || n > 4096 || n <= end || strcmp(path + n - end, ending) != 0) return true;
    const int name = (int)(n - end) - folder;
    snprintf(other, sizeof other, "%.*s.tex", folder + name, path);
    if (!read_distances(p, other)) {
        snprintf(other, sizeof other, "%.*s../tex/%.*s.tex", folder, path, name, path + folder);
        read_distances(p, other);
    }
    snprintf(other, sizeof other, "%.*s.hyp.txt", folder + name, path);
    return read_exceptions(p, other, why);
}
