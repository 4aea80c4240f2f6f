/* options.h - what a `sito kmer` command line said: what every command's says, and more. */
#ifndef KMER_OPTIONS_H
#define KMER_OPTIONS_H

#include "../../cli/options.h"
#include "share.h"

struct kmer_options {
    struct options common; /* first: the tables of options.c count from here */
    unsigned k;
    bool no_canonical, lenient, keep;
    const char *seq, *min, *output2;
    unsigned level;
};

static inline struct kmer_options *all_of(struct options *o) { return (struct kmer_options *)o; }

int kmer_build(struct options *o);
int kmer_query(struct options *o);
int kmer_screen(struct options *o);
int kmer_add(struct options *o);
int kmer_remove(struct options *o);
int kmer_merge(struct options *o);
int kmer_count(struct options *o);

/* --min, or *out stays as it is if that was not given; false after a complaint. */
bool kmer_min(const struct kmer_options *o, struct share *out);

#endif
