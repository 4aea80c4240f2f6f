/* sink.c - a draft beside the file, renamed at the end. */
#define _GNU_SOURCE
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hts_log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../cli/draft.h"
#include "../../cli/talk.h"

struct sink {
    const char *path;
    char *target, *draft; /* NULL: written straight, as pipes and devices are */
    BGZF *file;           /* NULL: finished */
    int fd;               /* a second one of the file, to have it on disk before it is renamed */
};

static bool ends_in(const char *path, const char *end) {
    const size_t n = strlen(path), m = strlen(end);
    return n > m && !strcmp(path + n - m, end);
}

static const char *name_of(const struct sink *s) {
    return strcmp(s->path, "-") ? s->path : "standard output";
}

static int open_draft(struct sink *s) {
    s->target = behind_links(s->path);
    const int fd = s->target ? open_beside(s->target, &s->draft) : -1;
    if (fd < 0) free(s->draft), s->draft = NULL;
    return fd;
}

static int open_fd(struct sink *s) {
    struct stat st;
    if (!strcmp(s->path, "-")) return dup(STDOUT_FILENO);
    if (stat(s->path, &st) == 0 && !S_ISREG(st.st_mode)) return open(s->path, O_WRONLY | O_CLOEXEC);
    return open_draft(s);
}

static struct sink *give_up(struct sink *s) {
    complain("%s: %s", name_of(s), errno ? strerror(errno) : "cannot be written");
    if (s->draft) unlink(s->draft);
    if (s->fd >= 0) close(s->fd);
    free(s->draft);
    free(s->target);
    free(s);
    return NULL;
}

struct sink *sink_open(const char *path, unsigned level) {
    const char mode[] = {'w', (char)('0' + level), 0};
    const bool packed = ends_in(path, ".gz") || ends_in(path, ".bgz");
    struct sink *s = calloc(1, sizeof *s);
    if (!s) return complain("no memory"), NULL;
    hts_set_log_level(HTS_LOG_OFF); /* it would speak in between */
    s->path = path;
    errno = 0;
    s->fd = open_fd(s);
    if (s->fd < 0) return give_up(s);
    const int other = dup(s->fd);
    s->file = other < 0 ? NULL : bgzf_dopen(other, packed ? mode : "wu");
    if (!s->file || (packed && bgzf_mt(s->file, 1, 256))) return give_up(s);
    return s;
}

static bool no_write(const struct sink *s) {
    if (errno != EPIPE)
        complain("%s: %s", name_of(s), errno ? strerror(errno) : "cannot be written");
    return false;
}

bool sink_put(struct sink *s, const char *text, size_t n) {
    errno = 0;
    return bgzf_write(s->file, text, n) == (ssize_t)n || no_write(s);
}

bool sink_finish(struct sink *s) {
    errno = 0;
    const bool closed = bgzf_close(s->file) == 0;
    s->file = NULL;
    return (closed && (!s->draft || fsync(s->fd) == 0)) || no_write(s);
}

bool sink_close(struct sink *s, bool keep) {
    if (s->file) bgzf_close(s->file);
    errno = 0;
    if (keep && s->draft && rename(s->draft, s->target)) keep = no_write(s);
    if (!keep && s->draft) unlink(s->draft);
    close(s->fd);
    free(s->draft);
    free(s->target);
    free(s);
    return keep;
}
