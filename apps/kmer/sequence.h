/*
 * sequence.h - FASTA and FASTQ, plain, gzip or BGZF, from files or standard input: one record after
 * the other.
 *
 * Where the bytes come from is intake.h's. What is wrong with a file is told with its name and the
 * record's.
 */
#ifndef KMER_SEQUENCE_H
#define KMER_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record {
    const char *name; /* up to the first blank */
    size_t nname;
    const char *seq; /* its letters, line ends taken out */
    size_t n;
    const char *text; /* the whole record as it stands in the file */
    size_t ntext;
    uint64_t number; /* from 1 */
};

struct sequences;

/* "-" is standard input. NULL after a complaint. `lenient`: lines may end in CR LF. */
struct sequences *sequences_open(const char *path, bool lenient);

/* `rests` is called when a stream pauses, before more is awaited: what is ready should go out.
 * false from it ends the reading. */
void sequences_on_rest(struct sequences *s, bool (*rests)(void *self), void *self);

/* 1 and a record, good until the next call; 0 at the end; -1 after a complaint, or when a signal
 * came. A file without a record is an error. */
int sequences_next(struct sequences *s, struct record *r);

/* Complain about the letter at seq[at], in a sequence of `file`. */
void bad_letter(const char *file, bool lenient, const struct record *r, size_t at);

const char *sequences_name(const struct sequences *s);
void sequences_close(struct sequences *s);

#endif
