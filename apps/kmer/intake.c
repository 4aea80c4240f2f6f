/* intake.c - a descriptor, or a thread that unpacks. */
#define _GNU_SOURCE
#include "intake.h"

#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hts_log.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../cli/talk.h"

enum { PIECE = 1 << 18, PIECES = 4, REST_MS = 3, GZIP = 0x1f };

/* ---- the thread that unpacks ---- */

/* Pieces go round: `made` and `taken` only rise, and differ by at most PIECES. */
struct feed {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int fd;
    BGZF *file;
    unsigned made, taken;
    bool leave;           /* nobody takes more */
    ssize_t size[PIECES]; /* 0: the end; negative: an error */
    size_t used;          /* bytes of the next piece that were taken */
    const char *why;      /* of an error */
    char piece[PIECES][PIECE];
};

/* What htslib does not tell: a packed file that ends too early. One of a few bytes only it takes for
 * plain text. */
static ssize_t unpack_piece(struct feed *f, char *to) {
    if (!f->file) return -1;
    ssize_t n = bgzf_read(f->file, to, PIECE);
    if (n > 0 && !f->file->is_compressed && f->made == 0 && to[0] == GZIP) n = -1;
    if (n > 0) return n;
    f->why = "its packed data is damaged or cut short; fetch it again";
    if (n < 0) return -1;
    if (!f->file->is_compressed || f->file->is_gzip || bgzf_check_EOF(f->file) != 0) return 0;
    f->why = "its packed data is cut short: the end mark is missing; fetch it again";
    return -1;
}

/* Opening waits for the first bytes, too. */
static void *unpack_all(void *self) {
    struct feed *f = self;
    ssize_t n;
    errno = 0;
    f->file = bgzf_dopen(f->fd, "r");
    if (!f->file) f->why = strerror(errno ? errno : ENOMEM);
    do {
        pthread_mutex_lock(&f->lock);
        while (f->made - f->taken == PIECES && !f->leave) pthread_cond_wait(&f->changed, &f->lock);
        const bool leave = f->leave;
        pthread_mutex_unlock(&f->lock);
        if (leave) break;
        const unsigned i = f->made % PIECES;
        n = unpack_piece(f, f->piece[i]);
        pthread_mutex_lock(&f->lock);
        f->size[i] = n;
        f->made++;
        pthread_cond_broadcast(&f->changed);
        pthread_mutex_unlock(&f->lock);
    } while (n > 0);
    return NULL;
}

static struct timespec in_ms(long ms) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += ms * 1000000;
    if (at.tv_nsec >= 1000000000) at.tv_sec++, at.tv_nsec -= 1000000000;
    return at;
}

/* Is there a piece now, or within so many milliseconds? */
static bool piece_comes(struct feed *f, long ms) {
    const struct timespec late = in_ms(ms);
    pthread_mutex_lock(&f->lock);
    while (f->made == f->taken && !stop_asked())
        if (pthread_cond_timedwait(&f->changed, &f->lock, &late) == ETIMEDOUT) break;
    const bool there = f->made != f->taken;
    pthread_mutex_unlock(&f->lock);
    return there;
}

static ssize_t take_piece(struct feed *f, char *to, size_t room, const char **why) {
    while (!piece_comes(f, 100) && !stop_asked()) continue;
    if (stop_asked()) return -1;
    const unsigned i = f->taken % PIECES;
    if (f->size[i] < 0) *why = f->why;
    if (f->size[i] <= 0) return f->size[i];
    const size_t left = (size_t)f->size[i] - f->used, n = room < left ? room : left;
    memcpy(to, f->piece[i] + f->used, n);
    f->used += n;
    if (n < left) return (ssize_t)n;
    f->used = 0;
    pthread_mutex_lock(&f->lock);
    f->taken++;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    return (ssize_t)n;
}

/* Takes the descriptor, also if it fails. */
static struct feed *feed_open(int fd) {
    struct feed *f = calloc(1, sizeof *f);
    if (!f) return close(fd), NULL;
    hts_set_log_level(HTS_LOG_OFF); /* it would speak in between */
    f->fd = fd;
    if (pthread_mutex_init(&f->lock, NULL) == 0 && pthread_cond_init(&f->changed, NULL) == 0 &&
        pthread_create(&f->thread, NULL, unpack_all, f) == 0)
        return f;
    close(fd);
    free(f);
    return NULL;
}

/* A stream that is left before its end, by who failed or was stopped, may keep the thread waiting
 * for bytes that never come. Then it stays as it is: the process ends anyway. */
static void feed_close(struct feed *f, bool stream) {
    const struct timespec late = in_ms(100);
    pthread_mutex_lock(&f->lock);
    f->leave = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    if (stream ? pthread_timedjoin_np(f->thread, NULL, &late) : pthread_join(f->thread, NULL))
        return;
    if (f->file) bgzf_close(f->file);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

/* ---- plain bytes ---- */

struct intake {
    int fd;
    bool stream;       /* no file: it may rest */
    struct feed *feed; /* NULL: plain, from fd */
};

static ssize_t read_plain(struct intake *s, char *to, size_t room, const char **why) {
    ssize_t n;
    do {
        if (s->stream && !await_bytes(s->fd)) return -1;
        n = read(s->fd, to, room);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN) && !stop_asked());
    if (n < 0 && !stop_asked()) *why = strerror(errno);
    return n;
}

/* ---- either ---- */

/* The first byte, without taking it: of a file, a pipe or a socket. What else there is, a terminal
 * say, is not packed. Opening by htslib would wait for more than that. */
static bool is_packed(int fd, const struct stat *st) {
    unsigned char first = 0;
    int pipes[2];
    if (S_ISSOCK(st->st_mode)) {
        if (recv(fd, &first, 1, MSG_PEEK) != 1) return false;
    } else if (S_ISFIFO(st->st_mode)) {
        if (pipe2(pipes, O_CLOEXEC)) return true; /* htslib will see */
        const ssize_t n = tee(fd, pipes[1], 1, 0);
        if (n < 0 || (n == 1 && read(pipes[0], &first, 1) != 1)) first = GZIP; /* as before */
        close(pipes[0]);
        close(pipes[1]);
    } else if (pread(fd, &first, 1, lseek(fd, 0, SEEK_CUR)) != 1) {
        return false;
    }
    return first == GZIP;
}

static struct intake *open_as(int fd, const struct stat *st) {
    struct intake *s = calloc(1, sizeof *s);
    errno = 0;
    if (!s) return close(fd), NULL;
    *s = (struct intake){.fd = fd, .stream = !S_ISREG(st->st_mode)};
    if (!is_packed(fd, st)) return s;
    s->feed = feed_open(fd);
    if (s->feed) return s;
    free(s);
    return NULL;
}

struct intake *intake_open(const char *path, const char *name) {
    struct stat st;
    const int fd = !strcmp(path, "-") ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                      : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && stop_asked()) return NULL;
    if (fd < 0 || fstat(fd, &st)) {
        complain("%s: %s", name, strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        complain("%s: is a directory; give the files in it", name);
        close(fd);
        return NULL;
    }
    if (!S_ISREG(st.st_mode) && !await_bytes(fd)) return close(fd), NULL;
    struct intake *s = open_as(fd, &st);
    if (!s) complain("%s: %s", name, errno ? strerror(errno) : "no memory");
    return s;
}

bool intake_rests(struct intake *s) {
    if (!s->stream) return false;
    return s->feed ? !piece_comes(s->feed, REST_MS) : !bytes_come(s->fd, REST_MS);
}

ssize_t intake_read(struct intake *s, char *to, size_t room, const char **why) {
    *why = NULL;
    return s->feed ? take_piece(s->feed, to, room, why) : read_plain(s, to, room, why);
}

void intake_close(struct intake *s) {
    if (!s) return;
    if (s->feed) feed_close(s->feed, s->stream);
    else close(s->fd);
    free(s);
}
