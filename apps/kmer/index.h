/* index.h - a filter of k-mers: what its note says, what an input holds, and how it answers. */
#ifndef KMER_INDEX_H
#define KMER_INDEX_H

#include <sito/sito.h>

#include "kmer.h"
#include "options.h"
#include "pile.h"
#include "sequence.h"

struct index {
    struct kmer_way way;
    sito_filter *f;
    bool by_key; /* exact kinds: by the k-mer itself */
};

/* k and strands go into the image's note, so that nobody has to remember them. */
sito_rc index_write_note(const struct index *x);

/* An index file, to be asked; DONE, or an exit status after a complaint. */
int index_open(const struct kmer_options *o, const char *path, unsigned flags, struct index *x);

/* The same behind a lock, if it can do `can`. */
int index_open_to_change(struct kmer_options *o, unsigned can, struct index *x);

/* The way of f's note; false after a complaint. */
bool index_read_way(const char *path, const sito_filter *f, bool lenient, struct index *x);

/* How many of a sequence's k-mers may be inside. */
struct score {
    uint64_t matched, total;
};
/* false after a complaint: it is no sequence. `s` NULL: it came by --seq. */
bool index_ask(const struct index *x, const struct sequences *s, const struct record *r,
               struct score *out);

/* What inputs held. */
struct found {
    uint64_t records, kmers, breaks;
    uint64_t distinct;
    struct pile pile;   /* hash kinds: the distinct hashes */
    sito_filter *exact; /* exact kinds: the distinct k-mers */
};

/* Read all k-mers of the inputs, of standard input if there are none; DONE or an exit status. With
 * `kind` exact they are kept as they are, else by hash. */
int find_kmers(const struct kmer_way *w, const char *kind, char **inputs, size_t ninputs,
               struct found *out);
/* The same straight into a filter that does not mind repetitions. */
int find_into(const struct index *x, char **inputs, size_t ninputs, struct found *out);
void found_free(struct found *found);

#endif
