/* sink.h - where reads go: a file that appears when it is whole, packed if its name says so. */
#ifndef KMER_SINK_H
#define KMER_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct sink;

/* NAME.gz and NAME.bgz are packed as BGZF, at `level`, on another thread. "-" is standard output.
 * NULL after a complaint. */
struct sink *sink_open(const char *path, unsigned level);
bool sink_put(struct sink *s, const char *text, size_t n);

/* All of it is on disk, or where it goes else, and nothing more is put; false after a complaint. */
bool sink_finish(struct sink *s);

/* What is finished gets its name, if `keep`; else there is no file. true if it has it. */
bool sink_close(struct sink *s, bool keep);

#endif
