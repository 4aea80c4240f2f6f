/* store.c - filter files, and what to say when the library says no. */
#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "draft.h"
#include "talk.h"

/* ---- the library says no ---- */

static const char *advice(sito_rc rc) {
    switch (rc) {
    case SITO_EFULL: return "build it again for more keys (-n)";
    case SITO_EUNABLE: return "`sito kinds` shows what each kind can";
    case SITO_EDAMAGED: return "restore it from a copy, or build it again";
    case SITO_EVERSION: return "use the sito that wrote it, or a newer one";
    case SITO_ESHAPE: return "build the one with `--like` the other";
    case SITO_EKEY: return "see --key-file";
    case SITO_ELIMIT: return "allow more, or ask for less";
    default: return NULL;
    }
}

int refused(const char *file, sito_rc rc, const char *why) {
    if (rc == SITO_ECANCEL || stop_asked()) return STOPPED;
    if (rc == SITO_EIO && errno) why = strerror(errno);
    if (!why) why = sito_strerror(rc);
    const char *then = advice(rc);
    complain("%s%s%s%s%s", file ? file : "", file ? ": " : "", why, then ? "; " : "",
             then ? then : "");
    return rc == SITO_EFULL || rc == SITO_ELIMIT ? SHORT : TROUBLE;
}

int not_alike(const char *file, sito_rc rc) {
    if (rc != SITO_EUNABLE) return refused(file, rc, NULL);
    complain("%s: its seed is 0, which no plan can name; build it again, by sito", file);
    return TROUBLE;
}

bool kind_keeps_keys(const char *kind) { return !strncmp(kind, SITO_EXACT, strlen(SITO_EXACT)); }

/* By the plan: sito_look() would read every cell, which a mapped filter is opened to avoid. */
bool keeps_keys(const sito_filter *f) {
    sito_plan plan;
    return sito_plan_like(f, &plan) == SITO_OK && kind_keeps_keys(plan.kind);
}

/* Where keys that look known are not counted, few may be many at a high rate: then it is the cells
 * that tell. Keys as planned leave more of them in use than this less than once in a million times;
 * in a table of some dozen cells nothing can be told from chance. */
static bool is_overfull(const sito_filter *f, const sito_info *info) {
    sito_plan p;
    if (!(info->can & SITO_CAN_SHARE) && strcmp(info->kind, SITO_LINEAR)) return false;
    if (sito_plan_like(f, &p) != SITO_OK || !p.ncells) return false;
    const double k = p.nhashes, cells = (double)p.ncells, load = k * (double)info->capacity / cells;
    const double free_cells = exp(-load), used = -expm1(-load);
    /* A block's keys come with all their cells: as far from even as it can be. */
    const double variance = free_cells * (used + (k - 1) * load * free_cells) / cells;
    return info->fill > used + 5 * sqrt(variance);
}

bool over_plan(const sito_filter *f, const sito_info *info) {
    if (sito_abilities(info->kind) & SITO_CAN_GROW || !strcmp(info->kind, SITO_AGED)) return false;
    return info->capacity && (info->nkeys > info->capacity || is_overfull(f, info));
}

/* ---- open ---- */

static uint64_t little_endian(const unsigned char *bytes, int n) {
    uint64_t number = 0;
    while (n--) number = number << 8 | bytes[n];
    return number;
}

/* Where these stand: docs/format.md. */
bool read_head(const char *path, struct head *out) {
    unsigned char head[40];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    errno = EINVAL; /* should it be too short */
    const bool fine = pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head;
    const int trouble = errno;
    close(fd);
    errno = trouble;
    if (!fine) return false;
    out->major = (unsigned)little_endian(head + 8, 2);
    out->minor = (unsigned)little_endian(head + 10, 2);
    out->keyed = little_endian(head + 26, 2) == 2;
    out->key_id = out->keyed ? little_endian(head + 32, 8) : 0;
    return true;
}

int open_filter(const char *path, unsigned flags, const sito_key *key, sito_filter **out) {
    sito_key renamed = {0};
    struct head head;
    sito_how how = {.flags = flags, .key = key};
    const char *why = NULL;
    struct stat st;
    if (!strcmp(path, "-")) {
        complain("-: a filter is read from a file, not from a stream; give its name");
        return TROUBLE;
    }
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        complain("%s: %s; give a filter file", path,
                 S_ISDIR(st.st_mode) ? "is a directory" : "not a regular file");
        return TROUBLE;
    }
    if (key && read_head(path, &head) && head.keyed) {
        renamed = *key;
        renamed.id = head.key_id;
        how.key = &renamed;
    }
    errno = 0;
    const sito_rc rc = sito_open(path, &how, out, &why);
    forget_secret(&renamed);
    return rc == SITO_OK ? DONE : refused(path, rc, why);
}

int open_to_ask(const struct options *o, sito_filter **out) {
    sito_key secret;
    const sito_key *key;
    int outcome = read_secret(o, &secret, &key);
    if (outcome == DONE) outcome = open_filter(o->operands[0], o->map ? SITO_MAP : 0, key, out);
    forget_secret(&secret);
    return outcome;
}

/* The application that left a note in it, NULL if none did. */
static const char *made_by(const sito_filter *f, const void **note, size_t *n) {
    static const struct {
        const char *owner, *name; /* 8 bytes, as in its note */
    } applications[] = {{"sitokmer", "kmer"}};
    for (size_t i = 0; i < sizeof applications / sizeof *applications; i++)
        if ((*note = sito_note(f, applications[i].owner, n))) return applications[i].name;
    return *n = 0, NULL;
}

int check_keys_are_lines(const char *path, const sito_filter *f) {
    const void *note;
    size_t n;
    const char *name = made_by(f, &note, &n);
    if (!name) return DONE;
    complain("%s: was made by `sito %s`, and its keys are no lines; use that on it", path, name);
    return TROUBLE;
}

int check_keys_are_alike(const char *path, const sito_filter *f, const char *path2,
                         const sito_filter *g) {
    const void *note, *note2;
    size_t n, n2;
    const char *name = made_by(f, &note, &n), *name2 = made_by(g, &note2, &n2);
    if (n == n2 && (!n || !memcmp(note, note2, n))) return DONE;
    complain("%s: its keys are of another sort than those of %s; `sito %s merge` tells more", path2,
             path, name ? name : name2);
    return TROUBLE;
}

/* ---- lock ---- */

static bool holds_lock; /* on the one file this process writes */

enum lock_how { LOCK_NOW, LOCK_WAITING, LOCK_IF_THERE };

/* Who slept in flock() would not hear of a signal that came just before. */
enum { LOOK_AGAIN_NS = 20000000 };

/* The lock is on the file itself, which every save replaces: whoever waited may hold a lock on a
 * file that is no longer there, and must try the new one. If there is none to be replaced, or no
 * locks where it lies, LOCK_IF_THERE goes on without. */
static int lock_file(const char *path, enum lock_how how) {
    for (bool told = false;;) {
        struct stat locked, named;
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 && how == LOCK_IF_THERE) return DONE;
        if (fd < 0) return complain("%s: %s", path, strerror(errno)), TROUBLE;
        while (flock(fd, LOCK_EX | LOCK_NB)) {
            const int why = errno;
            if (stop_asked()) return close(fd), STOPPED;
            if (why == EINTR) continue;
            if (why == EWOULDBLOCK && how != LOCK_NOW) {
                if (!told) remark("%s: another process is writing it; waiting", path);
                told = true;
                nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
                continue;
            }
            close(fd);
            if (how == LOCK_IF_THERE) return DONE;
            if (why != EWOULDBLOCK) complain("%s: %s", path, strerror(why));
            else
                complain("%s: another process is writing it; try later, or without --no-wait",
                         path);
            return TROUBLE;
        }
        if (fstat(fd, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev &&
            locked.st_ino == named.st_ino)
            return holds_lock = true, DONE; /* fd stays open: the lock goes when the process does */
        close(fd);
    }
}

int open_to_change(const struct options *o, unsigned can, sito_filter **out,
                   struct hasher *hasher) {
    const char *path = o->operands[0];
    struct stat st;
    sito_key secret;
    const sito_key *key;
    int outcome = read_secret(o, &secret, &key);
    /* Whatever is no regular file is open_filter's to refuse. */
    if (outcome == DONE && stat(path, &st) == 0 && S_ISREG(st.st_mode))
        outcome = lock_file(path, o->no_wait ? LOCK_NOW : LOCK_WAITING);
    if (outcome == DONE) outcome = open_filter(path, 0, key, out);
    forget_secret(&secret);
    if (outcome != DONE) return outcome;

    sito_info info;
    sito_plan plan;
    sito_rc rc = sito_look(*out, &info);
    if (rc == SITO_OK) rc = sito_plan_like(*out, &plan);
    if (rc != SITO_OK) return not_alike(path, rc);
    if (info.can & can) return hasher_new(&plan, hasher);
    complain("%s: its kind, `%s`, cannot %s; `sito kinds` shows which can", path, info.kind,
             can == SITO_CAN_ADD ? "add" : "remove");
    return TROUBLE;
}

/* ---- save ---- */

int check_target(const char *path) {
    struct stat st;
    if (!strcmp(path, "-")) {
        if (!isatty(STDOUT_FILENO)) return DONE;
        complain("a filter is not for a terminal; give -o FILE, or redirect standard output");
        return TROUBLE;
    }
    if (stat(path, &st) == 0) {
        if (!S_ISDIR(st.st_mode)) return DONE;
        complain("%s: is a directory; give the name of a file in it", path);
        return TROUBLE;
    }
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const bool fine = folder && stat(folder, &st) == 0 && S_ISDIR(st.st_mode);
    if (!fine) complain("%s: there is no folder %s to write it to", path, folder ? folder : "");
    free(folder);
    return fine ? DONE : TROUBLE;
}

static bool look_at(const char *path, int standard, struct stat *st) {
    return !(strcmp(path, "-") ? stat(path, st) : fstat(standard, st)) && S_ISREG(st->st_mode);
}

/* The one among them that is the same file; NULL if none is. */
static const char *same_file(const char *output, char **inputs, size_t n) {
    struct stat out, in;
    if (!look_at(output, STDOUT_FILENO, &out)) return NULL;
    for (size_t i = 0; i < n; i++)
        if (look_at(inputs[i], STDIN_FILENO, &in) && in.st_dev == out.st_dev &&
            in.st_ino == out.st_ino)
            return inputs[i];
    return NULL;
}

int check_output(const char *output, char **inputs, size_t n) {
    char *standard[] = {(char *)"-"};
    const char *same = n ? same_file(output, inputs, n) : same_file(output, standard, 1);
    if (!same) return DONE;
    complain("%s: is read, and cannot be written at the same time; %s",
             strcmp(same, "-") ? same : "standard input",
             strcmp(output, "-") ? "give another -o" : "send the output elsewhere");
    return TROUBLE;
}

int lock_output(const char *output, char **inputs, size_t n) {
    const bool is_file = strcmp(output, "-") && same_file(output, inputs, n);
    return is_file ? lock_file(output, LOCK_IF_THERE) : DONE;
}

static sito_rc put_bytes(void *self, const void *bytes, size_t n) {
    const int fd = *(const int *)self;
    for (const char *p = bytes; n;) {
        if (stop_asked()) return SITO_ECANCEL;
        const ssize_t put = write(fd, p, n < SSIZE_MAX ? n : SSIZE_MAX);
        if (put < 0 && errno != EINTR) return SITO_EIO;
        if (put > 0) p += put, n -= (size_t)put;
    }
    return SITO_OK;
}

static int save_to_stream(const sito_filter *f, int fd, const char *name) {
    const sito_rc rc = fd < 0 ? SITO_EIO : sito_write(f, put_bytes, &fd);
    if (rc == SITO_EIO && errno == EPIPE) return TROUBLE; /* the reader left, and knows */
    return rc == SITO_OK ? DONE : refused(name, rc, NULL);
}

int save_filter(const sito_filter *f, const char *path) {
    struct stat st = {0};
    if (!strcmp(path, "-")) return save_to_stream(f, STDOUT_FILENO, "standard output");
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        /* A rename would replace the device or pipe by a file. */
        const int fd = open(path, O_WRONLY | O_CLOEXEC);
        int outcome = save_to_stream(f, fd, path);
        if (fd >= 0 && close(fd) && outcome == DONE) outcome = refused(path, SITO_EIO, NULL);
        return outcome;
    }
    /* Someone may be adding to the file that this one replaces, and would replace it in turn. */
    if (!holds_lock && S_ISREG(st.st_mode)) {
        const int outcome = lock_file(path, LOCK_IF_THERE);
        if (outcome != DONE) return outcome;
    }
    /* Through a symbolic link the file behind it is replaced, not the link. */
    char *target = behind_links(path);
    if (!target) return refused(path, SITO_EIO, NULL);
    errno = 0;
    const sito_rc rc = sito_save_watched(f, target, stop_watch, NULL);
    const int outcome = rc == SITO_OK ? DONE : refused(path, rc, NULL);
    free(target);
    return outcome;
}
