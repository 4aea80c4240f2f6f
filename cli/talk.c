/* talk.c - messages, progress, signals, and the end of stdout. */
#define _GNU_SOURCE
#include "talk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "numbers.h"

/* ---- messages ---- */

static bool loud;

void speak_up(void) { loud = true; }

static bool terminal(void) {
    static int known = -1;
    if (known < 0) known = isatty(STDERR_FILENO);
    return known > 0;
}

static void say(const char *format, va_list words) {
    progress_end();
    flockfile(stderr);
    fputs("sito: ", stderr);
    vfprintf(stderr, format, words);
    fputc('\n', stderr);
    funlockfile(stderr);
}

void complain(const char *format, ...) {
    va_list words;
    va_start(words, format);
    say(format, words);
    va_end(words);
}

void remark(const char *format, ...) {
    va_list words;
    if (!loud && !terminal()) return;
    va_start(words, format);
    say(format, words);
    va_end(words);
}

const char *visible(const char *text, size_t n, char room[VISIBLE_ROOM]) {
    char *to = room;
    *to = 0;
    for (size_t i = 0; i < n && i < VISIBLE_BYTES; i++) {
        const unsigned char byte = (unsigned char)text[i];
        to += sprintf(to, byte < ' ' || byte == 0x7f ? "\\x%02x" : "%c", byte);
    }
    return room;
}

/* ---- progress ---- */

static bool progress_shown;

void progress(uint64_t nkeys) {
    static int64_t last;
    struct timespec now;
    char count[NUMBER_ROOM];
    if (!terminal() || clock_gettime(CLOCK_MONOTONIC, &now)) return;
    const int64_t tick = (int64_t)now.tv_sec * 10 + now.tv_nsec / 100000000;
    if (last == 0) last = tick + 3; /* short work is over before it is worth a line */
    if (tick <= last) return;
    last = tick;
    fprintf(stderr, "\r%s keys\033[K", human_count(nkeys, count));
    progress_shown = true;
}

void progress_end(void) {
    if (progress_shown) fputs("\r\033[K", stderr);
    progress_shown = false;
}

/* ---- signals ---- */

static volatile sig_atomic_t stop_signal;

static void take_note(int number) { stop_signal = number; }

void watch_signals(void) {
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = take_note}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        /* Under nohup, or in the background of a script, an ignored signal stays ignored. */
        if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(stops[i], &action, NULL); /* no SA_RESTART: a waiting read() must come back */
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

bool stop_asked(void) { return stop_signal != 0; }

bool bytes_come(int fd, int ms) {
    struct pollfd in = {.fd = fd, .events = POLLIN};
    return poll(&in, 1, ms) > 0;
}

bool await_bytes(int fd) {
    while (!stop_asked() && !bytes_come(fd, 100)) continue;
    return !stop_asked();
}

int stop_watch(void *self, uint64_t done, uint64_t total) {
    (void)self, (void)done, (void)total;
    return stop_asked();
}

/* ---- the standard files ---- */

/* Were one of the three closed, the first file opened would take its place, and messages or keys
 * would go there. Each is held open the wrong way round, so that using it still fails. */
void hold_standard_files(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            abort();
}

int flush_output(void) {
    static bool told;
    if (fflush(stdout) == 0 && !ferror(stdout)) return DONE;
    /* A reader who left, as in `| head`, has what it wanted. */
    if (errno != EPIPE && !told) complain("standard output: %s", strerror(errno));
    told = true;
    return TROUBLE;
}

int end_output(int outcome) {
    if (flush_output() != DONE) return TROUBLE;
    if (fclose(stdout) && errno != EBADF) {
        complain("standard output: %s", strerror(errno));
        return TROUBLE;
    }
    return outcome;
}
