/* talk.h - what the command says to a person (stderr), how it ends, and whether it was asked to
 * stop. Answers and reports go to stdout: report.h. */
#ifndef CLI_TALK_H
#define CLI_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DONE = 0,     /* yes, or done */
    NOTHING = 1,  /* nothing matched; `check`: damaged */
    TROUBLE = 2,  /* usage, input, output, damage */
    SHORT = 3,    /* a promise could not be met: full, or over a limit */
    STOPPED = 130 /* interrupted */
};

/* "sito: ..." and a newline. complain() always speaks; remark() only to a terminal, or with
 * --verbose. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
void speak_up(void); /* --verbose */

/* The beginning of what somebody wrote, for a message: bytes that a terminal would not show, as
 * \xHH. */
enum { VISIBLE_BYTES = 20, VISIBLE_ROOM = 4 * VISIBLE_BYTES + 1 };
const char *visible(const char *text, size_t n, char room[VISIBLE_ROOM]);

/* A running count on a terminal, ten times a second at most, erased before other talk. */
void progress(uint64_t nkeys);
void progress_end(void);

/* SIGINT, SIGTERM and SIGHUP only raise a flag. SIGPIPE and SIGXFSZ are ignored: the write fails
 * instead. */
void watch_signals(void);
bool stop_asked(void);

/* Are there bytes to read, or an end, within so many milliseconds? */
bool bytes_come(int fd, int ms);

/* Until there are; false if a signal came first. One that comes between the question and a read()
 * would wait for the next byte, so we look again and again. */
bool await_bytes(int fd);

/* For sito_plan.watch and sito_save_watched(): non-zero once a signal came. */
int stop_watch(void *self, uint64_t done, uint64_t total);

/* Before anything is opened: no file may take the place of a closed stdin, stdout or stderr. */
void hold_standard_files(void);

/* Push out stdout. TROUBLE if it did not take all, with a complaint unless the reader just left. */
int flush_output(void);

/* The same, and close it: some file systems tell only then. `outcome`, or TROUBLE. */
int end_output(int outcome);

#endif
