/*
 * input.h - keys, a batch at a time, in order; cut and worked on by several threads.
 *
 * A key is what stands between two separators (newline, or NUL with -0), byte for byte: a carriage
 * return belongs to it, an empty line is the empty key, and a last line needs no newline.
 *
 * The caller's thread reads; other threads cut what it read into keys and do `work` on them
 * (hashing them, or asking a filter); the caller gets the batches back in the order of the input.
 * Threads are an acceleration only: with one thread everything happens inside input_next().
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct batch {
    size_t n;
    const void **keys;
    size_t *lens;
    uint64_t *hashes;    /* for `work` to fill */
    uint8_t *answers;    /* the same */
    const char *name;    /* of the file they are from: a batch never spans two */
    uint64_t first_line; /* the first key's place in it, from 1 */
};

struct input;

/* No paths: stdin. `threads` 0: as many as there are processors, up to four. NULL after a
 * complaint. */
struct input *input_new(char **paths, size_t npaths, bool nul, unsigned threads);
void input_free(struct input *in);

/* What to do with each batch; called on any thread, on several batches at once. Set before
 * input_next(). */
void input_work(struct input *in, void (*work)(void *self, struct batch *b), void *self);

/* 1 and at least one key, good until the next call; 0 at the end of the last file; -1 after a
 * complaint or when a signal came. */
int input_next(struct input *in, struct batch **out);

/* Count the rest without looking at the keys; -1 as above. */
int input_count_rest(struct input *in, uint64_t *nkeys);

/* Back to the first key; only if all of it is in regular files. */
bool input_rereadable(const struct input *in);
bool input_rewind(struct input *in);

/* Nothing more is at hand: time to flush answers that someone may be waiting for. */
bool input_drained(const struct input *in);

#endif
