/*
 * input.c - from bytes to keys: a ring of blocks that are filled, worked on and handed out in turn.
 *
 *     caller's thread     read into a block, up to its last separator; the rest begins the next
 * block any thread          cut the block into keys, do the work caller's thread     take the
 * oldest block, when it is finished
 *
 * `filled`, `begun` and `handed` count blocks; block number i lives in ring[i % RING].
 */
#define _GNU_SOURCE
#include "input.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "source.h"
#include "talk.h"

enum { BLOCK_BYTES = 64 * 1024, RING = 8, MOST_THREADS = 64, USUAL_THREADS = 4 };
#define LONGEST_KEY ((size_t)INT32_MAX) /* no kind takes a longer one */

struct block {
    struct batch batch;
    char *bytes;
    size_t room, end; /* [0, end) is whole keys */
    bool opens_file, finished;
};

struct input {
    char **paths;
    size_t npaths, next_path;
    off_t stdin_start; /* where stdin stood, if it can be read again */
    char separator;
    struct source *source; /* NULL between files */
    bool opened;           /* the next block is the first of its file */
    bool failed;
    char *rest; /* what was read behind the last separator */
    size_t rest_bytes, rest_room;
    uint64_t line; /* keys handed out of this file */

    void (*work)(void *self, struct batch *b);
    void *work_self;
    struct block ring[RING];
    uint64_t filled, begun, handed;

    pthread_mutex_t lock; /* of begun, finished, closing; filled is written under it */
    pthread_cond_t more, done;
    pthread_t threads[MOST_THREADS];
    unsigned nthreads;
    bool closing;
};

/* ---- a block becomes keys, on any thread ---- */

/* Take the next block that nobody has begun, if any, and finish it. Called and left with the lock
 * held. */
static bool work_on_one(struct input *in) {
    if (in->begun == in->filled) return false;
    struct block *block = &in->ring[in->begun++ % RING];
    pthread_mutex_unlock(&in->lock);
    struct batch *b = &block->batch;
    b->n = cut_keys(block->bytes, block->end, in->separator, b->keys, b->lens);
    if (in->work) in->work(in->work_self, b);
    pthread_mutex_lock(&in->lock);
    block->finished = true;
    pthread_cond_signal(&in->done);
    return true;
}

static void *helper(void *self) {
    struct input *in = self;
    pthread_mutex_lock(&in->lock);
    while (!in->closing)
        if (!work_on_one(in)) pthread_cond_wait(&in->more, &in->lock);
    pthread_mutex_unlock(&in->lock);
    return NULL;
}

/* ---- life ---- */

static char *just_stdin[] = {(char *)"-"};

static bool make_block(struct block *block) {
    const size_t most = BLOCK_BYTES + 1; /* all of it separators, and one key without */
    struct batch *b = &block->batch;
    block->room = 2 * BLOCK_BYTES;
    block->bytes = malloc(block->room);
    b->keys = malloc(most * sizeof *b->keys);
    b->lens = malloc(most * sizeof *b->lens);
    b->hashes = malloc(most * sizeof *b->hashes);
    b->answers = malloc(most * sizeof *b->answers);
    return block->bytes && b->keys && b->lens && b->hashes && b->answers;
}

static unsigned processors(void) {
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n < USUAL_THREADS ? (unsigned)n : USUAL_THREADS;
}

/* Helpers leave signals to the caller's thread, whose read() must wake from them. A thread that
 * cannot be had is done without. */
static void start_helpers(struct input *in, unsigned threads) {
    sigset_t all, before;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (in->nthreads + 1 < threads &&
           pthread_create(&in->threads[in->nthreads], NULL, helper, in) == 0)
        in->nthreads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct input *input_new(char **paths, size_t npaths, bool nul, unsigned threads) {
    struct input *in = calloc(1, sizeof *in);
    bool fine = in != NULL;
    for (size_t i = 0; fine && i < RING; i++) fine = make_block(&in->ring[i]);
    if (!in) return complain("no memory to read keys"), NULL;
    in->paths = npaths ? paths : just_stdin;
    in->npaths = npaths ? npaths : 1;
    in->separator = nul ? 0 : '\n';
    in->stdin_start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    pthread_mutex_init(&in->lock, NULL);
    pthread_cond_init(&in->more, NULL);
    pthread_cond_init(&in->done, NULL);
    if (fine) {
        start_helpers(in, threads ? threads : processors());
        return in;
    }
    complain("no memory to read keys");
    input_free(in);
    return NULL;
}

void input_free(struct input *in) {
    if (!in) return;
    pthread_mutex_lock(&in->lock);
    in->closing = true;
    pthread_cond_broadcast(&in->more);
    pthread_mutex_unlock(&in->lock);
    for (unsigned i = 0; i < in->nthreads; i++) pthread_join(in->threads[i], NULL);
    pthread_mutex_destroy(&in->lock);
    pthread_cond_destroy(&in->more);
    pthread_cond_destroy(&in->done);
    for (size_t i = 0; i < RING; i++) {
        struct batch *b = &in->ring[i].batch;
        free(in->ring[i].bytes);
        free(b->keys);
        free(b->lens);
        free(b->hashes);
        free(b->answers);
    }
    source_close(in->source);
    free(in->rest);
    free(in);
}

void input_work(struct input *in, void (*work)(void *self, struct batch *b), void *self) {
    in->work = work;
    in->work_self = self;
}

/* ---- bytes become a block, on the caller's thread ---- */

static const char *present_name(const struct input *in) {
    return source_name(in->paths[in->next_path - 1]);
}

static int too_long(const struct input *in, size_t bytes) {
    complain("%s: a key is longer than %zu bytes; are the keys separated by %s?", present_name(in),
             bytes, in->separator ? "newlines, or is -0 meant" : "NUL bytes");
    return -1;
}

static bool make_room(char **bytes, size_t *room, size_t needed) {
    size_t larger = *room ? *room : BLOCK_BYTES;
    while (larger < needed) larger *= 2;
    if (larger == *room) return true;
    char *moved = larger / 2 <= LONGEST_KEY ? realloc(*bytes, larger) : NULL;
    if (!moved) return false;
    *bytes = moved;
    *room = larger;
    return true;
}

/* 1: a file is open; 0: there are no more; -1: trouble. */
static int open_next(struct input *in) {
    if (in->source) return 1;
    if (in->next_path == in->npaths) return 0;
    in->source = source_open(in->paths[in->next_path++]);
    in->opened = true;
    return in->source ? 1 : -1;
}

static void close_source(struct input *in) {
    source_close(in->source);
    in->source = NULL;
}

/* Read until there is a separator, or the file ends. At most BLOCK_BYTES at once, so that a block
 * grown for one long key still has no more keys than there is room for. -1: trouble; 0: nothing
 * came. */
static int read_block(struct input *in, struct block *block) {
    size_t end = in->rest_bytes;
    if (!make_room(&block->bytes, &block->room, end + BLOCK_BYTES)) return too_long(in, end);
    if (end) memcpy(block->bytes, in->rest, end);
    in->rest_bytes = 0;
    for (;;) {
        const ssize_t n = source_read(in->source, block->bytes + end, BLOCK_BYTES);
        if (n < 0) return -1;
        if (n == 0) {
            close_source(in);
            block->end = end;
            return end > 0;
        }
        const char *fresh = block->bytes + end;
        const char *last = memrchr(fresh, in->separator, (size_t)n);
        end += (size_t)n;
        if (last) {
            block->end = (size_t)(last + 1 - block->bytes);
            const size_t rest = end - block->end;
            if (!make_room(&in->rest, &in->rest_room, rest)) return too_long(in, rest);
            if (rest) memcpy(in->rest, block->bytes + block->end, rest);
            in->rest_bytes = rest;
            return 1;
        }
        if (!make_room(&block->bytes, &block->room, end + BLOCK_BYTES)) return too_long(in, end);
    }
}

/* 1: one more block is on its way; 0: there is no more to read; -1: trouble. */
static int fill_one(struct input *in) {
    struct block *block = &in->ring[in->filled % RING];
    int got = 0;
    while (got == 0) {
        const int open = open_next(in);
        if (open <= 0) return open;
        got = read_block(in, block);
    }
    if (got < 0) return -1;
    block->batch.name = present_name(in);
    block->opens_file = in->opened;
    block->finished = false;
    in->opened = false;
    pthread_mutex_lock(&in->lock);
    in->filled++;
    if (in->nthreads) pthread_cond_signal(&in->more);
    pthread_mutex_unlock(&in->lock);
    return 1;
}

/* Would reading wait for somebody? Then what is at hand goes first. */
static bool can_read_now(const struct input *in) {
    if (in->source) return source_ready(in->source);
    return in->next_path < in->npaths && source_rereadable(in->paths[in->next_path]);
}

/* ---- blocks go out, in order ---- */

static struct batch *hand_out(struct input *in) {
    struct block *oldest = &in->ring[in->handed % RING];
    pthread_mutex_lock(&in->lock);
    while (!oldest->finished)
        if (!work_on_one(in)) pthread_cond_wait(&in->done, &in->lock);
    pthread_mutex_unlock(&in->lock);
    if (oldest->opens_file) in->line = 0;
    oldest->batch.first_line = in->line + 1;
    in->line += oldest->batch.n;
    in->handed++;
    return &oldest->batch;
}

bool input_drained(const struct input *in) { return in->handed == in->filled; }

/* Ask for more only when the ring is half empty, and then fill it: each filling wakes the helpers
 * once. */
static int read_ahead(struct input *in) {
    const unsigned most = in->nthreads ? RING : 1;
    if (in->filled - in->handed > most / 2) return 1;
    while (in->filled - in->handed < most && (input_drained(in) || can_read_now(in))) {
        const int got = stop_asked() ? -1 : fill_one(in);
        if (got <= 0) return got;
    }
    return 1;
}

int input_next(struct input *in, struct batch **out) {
    if (!in->failed && read_ahead(in) < 0) in->failed = true;
    if (stop_asked()) return -1;
    if (input_drained(in)) return in->failed ? -1 : 0;
    *out = hand_out(in);
    return 1;
}

/* ---- a second reading ---- */

bool input_rereadable(const struct input *in) {
    for (size_t i = 0; i < in->npaths; i++)
        if (!source_rereadable(in->paths[i])) return false;
    return true;
}

bool input_rewind(struct input *in) {
    while (!input_drained(in)) hand_out(in);
    close_source(in);
    in->next_path = 0;
    in->rest_bytes = 0;
    for (size_t i = 0; i < in->npaths; i++)
        if (!strcmp(in->paths[i], "-") && lseek(STDIN_FILENO, in->stdin_start, SEEK_SET) < 0) {
            complain("standard input: %s", strerror(errno));
            return false;
        }
    return true;
}

/* ---- counting only ---- */

int input_count_rest(struct input *in, uint64_t *nkeys) {
    char *bytes = in->ring[0].bytes; /* free, once all blocks are out */
    int open;
    while (!input_drained(in)) *nkeys += hand_out(in)->n;
    bool open_end = in->rest_bytes > 0;
    in->rest_bytes = 0;
    while ((open = open_next(in)) > 0) {
        ssize_t n;
        while ((n = source_read(in->source, bytes, BLOCK_BYTES)) > 0) {
            *nkeys += count_separators(bytes, (size_t)n, in->separator);
            open_end = bytes[n - 1] != in->separator;
        }
        if (n < 0) return -1;
        *nkeys += open_end;
        open_end = false;
        close_source(in);
    }
    return open;
}
