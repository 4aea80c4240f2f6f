/* sequence.c - bytes arrive from a thread in pieces; records are cut from them. */
#define _GNU_SOURCE
#include "sequence.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hts_log.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../cli/talk.h"

enum { PIECE = 1 << 18, PIECES = 4 };

/* ---- the thread that reads ---- */

/* Pieces go round: `made` and `taken` only rise, and differ by at most PIECES. */
struct feed {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    BGZF *file;
    unsigned made, taken;
    bool leave;
    ssize_t size[PIECES]; /* 0: the end; negative: an error */
    int trouble;          /* errno of that */
    const char *why;
    char piece[PIECES][PIECE];
};

/* What htslib does not tell: a packed file that ends too early. */
static ssize_t read_piece(struct feed *f, char *to) {
    errno = 0;
    const ssize_t n = bgzf_read(f->file, to, PIECE);
    if (n > 0) return n;
    if (n < 0) {
        f->trouble = errno;
        f->why = f->file->is_compressed ? "its packed data is damaged or cut short; fetch it again"
                                        : "cannot be read";
        if (!f->file->is_compressed && errno) f->why = strerror(errno);
        return -1;
    }
    if (f->file->is_compressed && !f->file->is_gzip && bgzf_check_EOF(f->file) == 0) {
        f->why = "its packed data is cut short: the end mark is missing; fetch it again";
        return -1;
    }
    return 0;
}

static void *read_all(void *self) {
    struct feed *f = self;
    ssize_t n;
    do {
        pthread_mutex_lock(&f->lock);
        while (f->made - f->taken == PIECES && !f->leave) pthread_cond_wait(&f->changed, &f->lock);
        const bool leave = f->leave;
        pthread_mutex_unlock(&f->lock);
        if (leave) break;
        const unsigned i = f->made % PIECES;
        n = read_piece(f, f->piece[i]);
        pthread_mutex_lock(&f->lock);
        f->size[i] = n;
        f->made++;
        pthread_cond_broadcast(&f->changed);
        pthread_mutex_unlock(&f->lock);
    } while (n > 0);
    return NULL;
}

/* Wait for the next piece, but not past a signal. */
static bool await_piece(struct feed *f) {
    pthread_mutex_lock(&f->lock);
    while (f->made == f->taken && !stop_asked()) {
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 100000000;
        if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&f->changed, &f->lock, &soon);
    }
    const bool there = f->made != f->taken;
    pthread_mutex_unlock(&f->lock);
    return there && !stop_asked();
}

static void give_back(struct feed *f) {
    pthread_mutex_lock(&f->lock);
    f->taken++;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

/* ---- open, close ---- */

enum form { UNKNOWN, FASTA, FASTQ };

struct sequences {
    const char *name;
    bool lenient, ended;
    enum form form;
    struct feed *feed;
    char *text; /* text[at..end) is what was read and not yet cut */
    size_t at, end, room;
    size_t used; /* of it, by the record that the caller has */
    char *seq;   /* a FASTA record's letters */
    size_t seq_room;
    uint64_t nrecords;
};

const char *sequences_name(const struct sequences *s) { return s->name; }

static bool open_feed(struct sequences *s, int fd) {
    struct feed *f = s->feed = calloc(1, sizeof *f);
    if (!f) return close(fd), false;
    f->file = bgzf_dopen(fd, "r");
    if (!f->file) close(fd);
    if (f->file && pthread_mutex_init(&f->lock, NULL) == 0 &&
        pthread_cond_init(&f->changed, NULL) == 0 &&
        pthread_create(&f->thread, NULL, read_all, f) == 0)
        return true;
    if (f->file) bgzf_close(f->file);
    free(f);
    s->feed = NULL;
    return false;
}

/* Opening reads the first bytes, and reads on after a signal: so it begins when they are there. */
static bool something_comes(int fd) {
    struct pollfd in = {.fd = fd, .events = POLLIN};
    while (!stop_asked() && poll(&in, 1, 100) <= 0) continue;
    return !stop_asked();
}

struct sequences *sequences_open(const char *path, bool lenient) {
    const bool standard = !strcmp(path, "-");
    const char *name = standard ? "standard input" : path;
    struct stat st;
    hts_set_log_level(HTS_LOG_OFF); /* it would speak in between */
    const int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st)) {
        complain("%s: %s", name, strerror(errno));
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        complain("%s: is a directory; give the files in it", name);
        close(fd);
        return NULL;
    }
    if (!something_comes(fd)) return close(fd), NULL;
    struct sequences *s = calloc(1, sizeof *s);
    if (s) *s = (struct sequences){.name = name, .lenient = lenient};
    errno = 0;
    if (s && open_feed(s, fd)) return s;
    if (!s) close(fd);
    complain("%s: %s", name, errno ? strerror(errno) : "no memory");
    free(s);
    return NULL;
}

void sequences_close(struct sequences *s) {
    if (!s) return;
    struct feed *f = s->feed;
    pthread_mutex_lock(&f->lock);
    f->leave = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    if (!stop_asked()) { /* else it may wait for input that never comes; the process ends anyway */
        pthread_join(f->thread, NULL);
        bgzf_close(f->file);
        pthread_cond_destroy(&f->changed);
        pthread_mutex_destroy(&f->lock);
        free(f);
    }
    free(s->text);
    free(s->seq);
    free(s);
}

/* ---- more text ---- */

static bool make_room(char **block, size_t *room, size_t wanted) {
    if (wanted <= *room) return true;
    size_t more = *room ? *room : (size_t)2 * PIECE;
    while (more < wanted) more *= 2;
    char *grown = realloc(*block, more);
    if (!grown) return complain("no memory for a record of %zu bytes", wanted), false;
    *block = grown;
    *room = more;
    return true;
}

/* Append a piece behind what is left; 0 at the end of the file. */
static int more_text(struct sequences *s) {
    struct feed *f = s->feed;
    if (s->ended) return 0;
    if (!await_piece(f)) return -1;
    const unsigned i = f->taken % PIECES;
    const ssize_t n = f->size[i];
    if (n < 0) return complain("%s: record %" PRIu64 ": %s", s->name, s->nrecords + 1, f->why), -1;
    if (n == 0) return s->ended = true, 0;
    if (s->at) {
        memmove(s->text, s->text + s->at, s->end - s->at);
        s->end -= s->at;
        s->at = 0;
    }
    if (!make_room(&s->text, &s->room, s->end + (size_t)n)) return -1;
    memcpy(s->text + s->end, f->piece[i], (size_t)n);
    s->end += (size_t)n;
    give_back(f);
    return 1;
}

/* ---- complaints ---- */

static void name_of(const struct sequences *s, struct record *r) {
    const char *head = s->text + s->at + 1, *end = s->text + s->end;
    r->name = head;
    while (head < end && !isspace((unsigned char)*head)) head++;
    r->nname = (size_t)(head - r->name);
}

static int broken(const struct sequences *s, const char *what) {
    struct record r = {0};
    if (s->at < s->end) name_of(s, &r);
    complain("%s: record %" PRIu64 " (%.*s): %s", s->name, s->nrecords + 1,
             (int)(r.nname < 80 ? r.nname : 80), r.nname ? r.name : "", what);
    return -1;
}

void bad_letter(const char *file, bool lenient, const struct record *r, size_t at) {
    const unsigned char letter = (unsigned char)r->seq[at];
    char what[160];
    if (letter == '\r')
        snprintf(what, sizeof what, "its lines end in CR LF; convert it, or give --lenient");
    else if (!lenient && islower(letter))
        snprintf(what, sizeof what,
                 "lower case letter `%c` at %zu; give --lenient to read it as upper case", letter,
                 at + 1);
    else if (isalpha(letter) || letter == '*')
        snprintf(what, sizeof what,
                 "`%c` at %zu stands for no base; is this a protein? only nucleotides can be read",
                 letter, at + 1);
    else
        snprintf(what, sizeof what,
                 isprint(letter) ? "`%c` at %zu is no letter of a sequence"
                                 : "byte 0x%02x at %zu is no letter of a sequence",
                 letter, at + 1);
    complain("%s: record %" PRIu64 " (%.*s): %s", file, r->number,
             (int)(r->nname < 80 ? r->nname : 80), r->name, what);
}

/* ---- records ---- */

/* Text up to `from` behind s->at was searched already: find the next line end, reading on if need
 * be. 1 and *end, its offset behind s->at; 0 if the file ends before one; -1. */
static int line_end(struct sequences *s, size_t from, size_t *end) {
    for (;;) {
        const size_t there = s->end - s->at;
        const char *start = s->text + s->at;
        const char *found = there > from ? memchr(start + from, '\n', there - from) : NULL;
        if (found) return *end = (size_t)(found - start), 1;
        *end = from = there;
        const int more = more_text(s);
        if (more <= 0) return more;
    }
}

/* Is there a byte at this offset behind s->at? */
static int reaches(struct sequences *s, size_t offset) {
    while (s->end - s->at <= offset) {
        const int more = more_text(s);
        if (more <= 0) return more;
    }
    return 1;
}

static void record_is(struct sequences *s, struct record *r, size_t ntext) {
    name_of(s, r);
    r->text = s->text + s->at;
    r->ntext = ntext;
    r->number = ++s->nrecords;
    s->used = ntext;
}

/* Lines after one another, at s->seq. */
static bool append_line(struct sequences *s, struct record *r, const char *line, size_t n) {
    if (!make_room(&s->seq, &s->seq_room, r->n + n + 1)) return false;
    memcpy(s->seq + r->n, line, n);
    r->n += n;
    return true;
}

/* Letters on one line stay where they are, behind s->at. */
static int next_fasta(struct sequences *s, struct record *r) {
    size_t at, end, nlines = 0, first = 0, nfirst = 0;
    int more = line_end(s, 0, &end);
    while (more > 0) {
        at = end + 1;
        more = reaches(s, at);
        if (more <= 0 || s->text[s->at + at] == '>') break;
        more = line_end(s, at, &end);
        if (more < 0) return -1;
        const char *text = s->text + s->at;
        size_t n = end - at;
        if (n && s->lenient && text[end - 1] == '\r') n--;
        if (nlines++ == 0) {
            first = at;
            nfirst = n;
            continue;
        }
        if (nlines == 2 && !append_line(s, r, text + first, nfirst)) return -1;
        if (!append_line(s, r, text + at, n)) return -1;
    }
    if (more < 0) return -1;
    if (more == 0) end = s->end - s->at; /* the last line may lack its newline */
    r->seq = nlines < 2 ? s->text + s->at + first : s->seq;
    if (nlines < 2) r->n = nfirst;
    record_is(s, r, more > 0 ? end + 1 : end);
    return 1;
}

/* Four lines. */
static int next_fastq(struct sequences *s, struct record *r) {
    size_t ends[4], from = 0;
    int more = 1;
    for (int i = 0; i < 4; i++) {
        if (more == 0) return broken(s, "the file ends inside this record; it was cut short");
        more = line_end(s, from, &ends[i]);
        if (more < 0) return -1;
        from = ends[i] + 1;
    }
    const char *text = s->text + s->at;
    size_t n = ends[1] - ends[0] - 1, quality = ends[3] - ends[2] - 1;
    if (text[ends[1] + 1] != '+')
        return broken(s, "its third line does not begin with +: a FASTQ record has four lines");
    if (s->lenient && n && text[ends[1] - 1] == '\r') n--;
    if (s->lenient && quality && text[ends[3] - 1] == '\r') quality--;
    if (n != quality) {
        char what[100];
        snprintf(what, sizeof what, "%zu letters, but %zu qualities; it is damaged", n, quality);
        return broken(s, what);
    }
    r->seq = text + ends[0] + 1;
    r->n = n;
    record_is(s, r, more > 0 ? ends[3] + 1 : ends[3]);
    return 1;
}

/* Which form? By the first byte; empty lines before it do not matter. */
static int begin_record(struct sequences *s) {
    int more;
    while ((more = reaches(s, 0)) > 0 && (s->text[s->at] == '\n' || s->text[s->at] == '\r'))
        s->at++;
    if (more < 0) return -1;
    if (more == 0) {
        if (s->nrecords) return 0;
        complain("%s: has no record; it should begin with > (FASTA) or @ (FASTQ)", s->name);
        return -1;
    }
    const char first = s->text[s->at];
    const enum form form = first == '>' ? FASTA : first == '@' ? FASTQ : UNKNOWN;
    if (form != UNKNOWN && (s->form == UNKNOWN || s->form == form)) return s->form = form, 1;
    complain("%s: record %" PRIu64 " begins with neither > (FASTA) nor @ (FASTQ)%s", s->name,
             s->nrecords + 1, form == UNKNOWN ? "" : " as those before it did");
    return -1;
}

int sequences_next(struct sequences *s, struct record *r) {
    s->at += s->used;
    s->used = 0;
    *r = (struct record){0};
    const int more = begin_record(s);
    if (more <= 0) return more;
    return s->form == FASTA ? next_fasta(s, r) : next_fastq(s, r);
}
