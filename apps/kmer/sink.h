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

/* The file is whole and has its name, if `keep` and nothing went wrong; else there is none. */
bool sink_close(struct sink *s, bool keep);

#endif
