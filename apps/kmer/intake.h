/*
 * intake.h - the bytes of a file, unpacked.
 *
 * Plain ones are read as they come; gzip and BGZF by a thread of its own, so that unpacking does not
 * hold up the caller.
 */
#ifndef KMER_INTAKE_H
#define KMER_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct intake;

/* "-" is standard input. NULL after a complaint, by this name, or when a signal came. */
struct intake *intake_open(const char *path, const char *name);

/* A stream from which nothing came for some milliseconds. Files never rest. */
bool intake_rests(struct intake *s);

/* The next bytes, at most `room`; 0 at the end; -1 and *why, which is NULL if a signal came. */
ssize_t intake_read(struct intake *s, char *to, size_t room, const char **why);
void intake_close(struct intake *s);

#endif
