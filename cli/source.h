/* source.h - the bytes of an input: a file or stdin, plain, gzip or zstd. What it is shows in its
 * first bytes, not in its name. Input cut short inside compressed data is an error, never an early
 * end. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct source;

/* NULL after a complaint. "-" is stdin. */
struct source *source_open(const char *path);

/* Some bytes, 0 at the end, -1 after a complaint or when a signal came. */
ssize_t source_read(struct source *s, void *to, size_t room);
void source_close(struct source *s);

/* Would source_read() give something without waiting for another process or a person? */
bool source_ready(const struct source *s);

/* Can it be opened again for a second reading? So with regular files, also as stdin. */
bool source_rereadable(const char *path);

/* How messages call it. */
const char *source_name(const char *path);

#endif
