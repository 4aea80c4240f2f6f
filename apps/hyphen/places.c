/* places.c - looks for hyph_TAG.dic and hyph-TAG.{tex,pat.txt}, as Debian's packages call them. */
#define _GNU_SOURCE
#include "places.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char system_folders[] =
    "/usr/share/hyphen:/usr/local/share/hyphen:"
    "/usr/share/texlive/texmf-dist/tex/generic/hyph-utf8/patterns/txt:"
    "/usr/share/texlive/texmf-dist/tex/generic/hyph-utf8/patterns/tex";

static const char *const endings[] = {".dic", ".pat.txt", ".tex"};
enum { NENDINGS = sizeof endings / sizeof *endings };

/* "hyph_en_US.dic" -> "en-US" */
static bool tag_in(const char *file, char *tag, size_t room) {
    const size_t n = strlen(file);
    if (strncmp(file, "hyph_", 5) != 0 && strncmp(file, "hyph-", 5) != 0) return false;
    for (size_t i = 0; i < NENDINGS; i++) {
        const size_t end = strlen(endings[i]);
        if (n <= 5 + end || n - 5 - end >= room || strcmp(file + n - end, endings[i]) != 0)
            continue;
        snprintf(tag, room, "%.*s", (int)(n - 5 - end), file + 5);
        for (char *c = tag; *c; c++)
            if (*c == '_') *c = '-';
        return true;
    }
    return false;
}

static int wanted(const struct dirent *entry) {
    char tag[64];
    return tag_in(entry->d_name, tag, sizeof tag);
}

void places_each(void (*each)(void *self, const char *tag, const char *path), void *self) {
    const char *mine = getenv("HYPHEN_PATH");
    char *folders, *rest, tag[64], path[4096];
    if (asprintf(&folders, "%s:%s", mine ? mine : "", system_folders) < 0) return;
    for (char *folder = strtok_r(folders, ":", &rest); folder;
         folder = strtok_r(NULL, ":", &rest)) {
        struct dirent **entries;
        const int n = scandir(folder, &entries, wanted, alphasort);
        for (int i = 0; i < n; i++) {
            tag_in(entries[i]->d_name, tag, sizeof tag);
            if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) <
                sizeof path)
                each(self, tag, path);
            free(entries[i]);
        }
        if (n >= 0) free(entries);
    }
    free(folders);
}

struct search {
    const char *tag;
    char *path;
    size_t room, same; /* how much of the tag fits; the whole tag and a bit more if all of it */
};

/* "en" finds en-US, and en-AU is served by en-US or en if it has no file of its own. */
static void consider(void *self, const char *tag, const char *path) {
    struct search *s = self;
    size_t same = 0, n = strlen(s->tag);
    if (!strcasecmp(tag, s->tag)) {
        same = n + 1;
    } else {
        const size_t language = strcspn(s->tag, "-");
        if (strncasecmp(tag, s->tag, language) || (tag[language] && tag[language] != '-')) return;
        same = tag[language] ? 1 : 2; /* the language alone is better than another country */
    }
    if (same <= s->same) return;
    s->same = same;
    snprintf(s->path, s->room, "%s", path);
}

bool place_of(const char *tag, char *path, size_t room) {
    char plain[64];
    struct search s = {plain, path, room, 0};
    if (!*tag || strlen(tag) >= sizeof plain) return false;
    snprintf(plain, sizeof plain, "%s", tag);
    for (char *c = plain; *c; c++)
        if (*c == '_') *c = '-';
    places_each(consider, &s);
    return s.same > 0;
}
