/* source.c - bytes from a file or stdin, unpacked if they are packed. */
#define _GNU_SOURCE
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "talk.h"

enum { RAW_BYTES = 256 * 1024 };

struct source {
    const char *name;
    int fd;
    enum { PLAIN, GZIP, ZSTD } form;
    unsigned char *raw; /* as read: [at, end) is still to be used */
    size_t at, end;
    bool regular; /* reading never waits */
    bool ended;   /* the file has no more */
    bool inside;  /* in the middle of a gzip member or zstd frame */
    bool more;    /* the unpacker filled all the room it was given, and may hold more */
    z_stream gz;
    ZSTD_DStream *zst;
};

const char *source_name(const char *path) { return strcmp(path, "-") ? path : "standard input"; }

static bool unreadable(const struct source *s, const char *why) {
    complain("%s: %s", s->name, why);
    return false;
}

/* read() until it gives something; false when it fails or a signal came. */
static bool read_some(struct source *s, void *to, size_t room, size_t *got) {
    for (;;) {
        if (s->regular ? stop_asked() : !await_bytes(s->fd)) return false;
        const ssize_t n = read(s->fd, to, room);
        if (n >= 0) {
            *got = (size_t)n;
            if (n == 0) s->ended = true;
            return true;
        }
        if (errno == EISDIR) return unreadable(s, "is a directory; give the files in it");
        if (errno != EINTR && errno != EAGAIN) return unreadable(s, strerror(errno));
    }
}

static bool refill(struct source *s) {
    size_t got;
    if (!read_some(s, s->raw, RAW_BYTES, &got)) return false;
    s->at = 0;
    s->end = got;
    return true;
}

/* ---- what form is it? ---- */

static bool could_be(const struct source *s, const unsigned char *magic, size_t length,
                     bool *surely) {
    const size_t n = s->end < length ? s->end : length;
    if (memcmp(s->raw, magic, n)) return false;
    *surely = n == length;
    return true;
}

/* Reads on only while the bytes so far could begin a packed file: someone may be typing them. */
static bool recognise(struct source *s) {
    static const unsigned char gzip[] = {0x1f, 0x8b, 8}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    for (;;) {
        size_t got;
        bool surely = false;
        if (!read_some(s, s->raw + s->end, RAW_BYTES - s->end, &got)) return false;
        s->end += got;
        /* zstd may also begin with a skippable frame: 0x50 to 0x5f, 2a 4d 18. */
        const unsigned char skippable[] = {(s->raw[0] & 0x0f) | 0x50, 0x2a, 0x4d, 0x18};
        if (could_be(s, gzip, sizeof gzip, &surely)) {
            if (surely) return s->form = GZIP, true;
        } else if (could_be(s, zstd, sizeof zstd, &surely) ||
                   could_be(s, skippable, sizeof skippable, &surely)) {
            if (surely) return s->form = ZSTD, true;
        } else {
            return true;
        }
        if (s->ended) return true;
    }
}

/* ---- open and close ---- */

static bool begin(struct source *s) {
    struct stat st;
    s->regular = fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode);
    s->raw = calloc(1, RAW_BYTES);
    if (!s->raw) return unreadable(s, "no memory to read it");
    if (!recognise(s)) return false;
    /* 16: expect a gzip header, and check its sum at the end. */
    if (s->form == GZIP && inflateInit2(&s->gz, 15 + 16) != Z_OK)
        return s->form = PLAIN, unreadable(s, "no memory to unpack it");
    if (s->form == ZSTD) {
        s->zst = ZSTD_createDStream();
        if (!s->zst) return unreadable(s, "no memory to unpack it");
    }
    return true;
}

struct source *source_open(const char *path) {
    struct source *s = calloc(1, sizeof *s);
    if (!s) return complain("%s: no memory to read it", source_name(path)), NULL;
    s->name = source_name(path);
    s->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (s->fd >= 0 ? begin(s) : !stop_asked() && unreadable(s, strerror(errno))) return s;
    source_close(s);
    return NULL;
}

void source_close(struct source *s) {
    if (!s) return;
    if (s->form == GZIP) inflateEnd(&s->gz);
    ZSTD_freeDStream(s->zst);
    if (s->fd > STDIN_FILENO) close(s->fd);
    free(s->raw);
    free(s);
}

bool source_rereadable(const char *path) {
    struct stat st;
    if (strcmp(path, "-")) return stat(path, &st) == 0 && S_ISREG(st.st_mode);
    return fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- packed -> plain ---- */

/* One step of inflate(). Members may follow each other, and zeros the last one, as on tapes. */
static bool step_gzip(struct source *s, unsigned char *to, size_t room, size_t *made) {
    *made = 0;
    if (!s->inside) {
        while (s->at < s->end && s->raw[s->at] == 0) s->at++;
        if (s->at == s->end) return true;
        if (inflateReset(&s->gz) != Z_OK) return unreadable(s, "cannot be unpacked");
        s->inside = true;
    }
    s->gz.next_in = s->raw + s->at;
    s->gz.avail_in = (uInt)(s->end - s->at);
    s->gz.next_out = to;
    s->gz.avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    const int rc = inflate(&s->gz, Z_NO_FLUSH);
    s->at = s->end - s->gz.avail_in;
    *made = (size_t)(s->gz.next_out - to);
    s->more = s->gz.avail_out == 0 && rc != Z_STREAM_END;
    if (rc == Z_STREAM_END) s->inside = false;
    if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR) return true;
    return unreadable(s,
                      "damaged gzip data, or something else behind it; unpack it by hand to see");
}

static bool step_zstd(struct source *s, unsigned char *to, size_t room, size_t *made) {
    ZSTD_inBuffer in = {s->raw, s->end, s->at};
    ZSTD_outBuffer out = {to, room, 0};
    const size_t rc = ZSTD_decompressStream(s->zst, &out, &in);
    s->at = in.pos;
    *made = out.pos;
    s->more = out.pos == out.size && rc != 0;
    s->inside = rc != 0;
    if (!ZSTD_isError(rc)) return true;
    complain("%s: damaged zstd data (%s); unpack it by hand to see", s->name,
             ZSTD_getErrorName(rc));
    return false;
}

static ssize_t read_packed(struct source *s, unsigned char *to, size_t room) {
    for (;;) {
        size_t made;
        if (s->at == s->end && !s->more) {
            if (!s->ended && !refill(s)) return -1;
            if (s->at == s->end) {
                if (!s->inside) return 0;
                unreadable(s, "ends inside its compressed data; it was cut short, fetch it again");
                return -1;
            }
        }
        if (!(s->form == GZIP ? step_gzip : step_zstd)(s, to, room, &made)) return -1;
        if (made) return (ssize_t)made;
    }
}

ssize_t source_read(struct source *s, void *to, size_t room) {
    size_t got = s->end - s->at;
    if (s->form != PLAIN) return read_packed(s, to, room);
    if (got) { /* what recognise() has read already */
        if (got > room) got = room;
        memcpy(to, s->raw + s->at, got);
        s->at += got;
        return (ssize_t)got;
    }
    if (s->ended) return 0;
    return read_some(s, to, room, &got) ? (ssize_t)got : -1;
}

bool source_ready(const struct source *s) {
    return s->regular || s->ended || s->more || s->at < s->end || bytes_come(s->fd, 0);
}
