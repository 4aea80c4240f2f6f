/* beside.c - what belongs to hyph-TAG.pat.txt of hyph-utf8 but stands in other files: exceptions in
 * hyph-TAG.hyp.txt, and the least distances in the header of hyph-TAG.tex, there or in ../tex. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "patterns.h"

static bool read_exceptions(struct patterns *p, const char *path, char why[WHY_ROOM]) {
    size_t n;
    char *bytes = read_whole(path, &n), *rest;
    const bool is_text = !bytes || !memchr(bytes, 0, n);
    bool fine = is_text && (bytes || errno == ENOENT);
    if (!fine)
        snprintf(why, WHY_ROOM, "%.400s: %s", path,
                 is_text ? strerror(errno) : "a file of exceptions holds no NUL bytes");
    for (char *word = bytes ? strtok_r(bytes, " \t\r\n", &rest) : NULL; fine && word;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        char *to = grow(&p->exceptions, strlen(word) + 1, 1);
        fine = to != NULL;
        if (!fine) snprintf(why, WHY_ROOM, "out of memory");
        else memcpy(to, word, strlen(word)), to[strlen(word)] = '\n';
    }
    free(bytes);
    return fine;
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
