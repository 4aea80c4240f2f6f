/* secret.c - the key of the keyed hash, from a file: 16 bytes as they are, or 32 hexadecimal
 * digits. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store.h"
#include "talk.h"

enum { LONGEST = 35 }; /* 32 digits, CR LF, and one more to see that it is too long */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool decode(const char *text, size_t n, uint8_t bytes[16]) {
    if (n == 16) return memcpy(bytes, text, 16), true;
    if (n > 32 && text[n - 1] == '\n') n--;
    if (n > 32 && text[n - 1] == '\r') n--;
    if (n != 32) return false;
    for (size_t i = 0; i < 16; i++) {
        const int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}

/* The id goes into every image, to tell which secret is wanted: so it must not help to guess the
 * secret. */
static uint64_t id_of(const sito_key *key) {
    static const char label[] = "sito key id";
    const sito_plan plan = {.kind = SITO_BLOOM, .key = key};
    return sito_hash_plan(&plan, label, sizeof label - 1);
}

static int read_all(const char *path, char text[LONGEST], size_t *n) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : 1;
    *n = 0;
    while (got > 0 && *n < LONGEST) {
        got = read(fd, text + *n, LONGEST - *n);
        if (got < 0 && errno == EINTR && !stop_asked()) got = 1;
        else if (got > 0) *n += (size_t)got;
    }
    const int trouble = errno;
    if (fd >= 0) close(fd);
    if (got >= 0) return DONE;
    if (stop_asked()) return STOPPED;
    complain("%s: %s", path, strerror(trouble));
    return TROUBLE;
}

int read_secret(const struct options *o, sito_key *room, const sito_key **key) {
    char text[LONGEST];
    size_t n;
    memset(room, 0, sizeof *room);
    *key = NULL;
    if (!o->key_file) return DONE;
    int outcome = read_all(o->key_file, text, &n);
    if (outcome == DONE && !decode(text, n, room->bytes)) {
        complain("%s: a key is 16 bytes, or 32 hexadecimal digits; make one with "
                 "`head -c 16 /dev/urandom >FILE`",
                 o->key_file);
        outcome = TROUBLE;
    }
    explicit_bzero(text, sizeof text);
    if (outcome != DONE) return outcome;
    room->id = id_of(room);
    *key = room;
    return DONE;
}

void forget_secret(sito_key *room) { explicit_bzero(room, sizeof *room); }
