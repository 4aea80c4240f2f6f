/* genome.h - the k-mers of a genome, and k-mers that it does not have. */
#ifndef SITO_LAB_GENOME_H
#define SITO_LAB_GENOME_H

#include "bench.h"

#include <string.h>

#include "../../apps/kmer/kmer.h"
#include "../../apps/kmer/pile.h"

enum { SEED = 536 };

struct genome {
    const char *name;
    char *letters;
    size_t n;
};

/* Hashes: all places in the order of the genome, each k-mer once, and two sorts of strangers. */
struct kmers {
    struct kmer_way way;
    uint64_t *places, *absent, *near;
    size_t nplaces, nabsent, nnear;
    struct pile once;
};

static inline _Noreturn void stop(const char *what) {
    fprintf(stderr, "ecoli: %s\n", what);
    exit(1);
}

/* NAME=FILE, plain FASTA, the first `most` letters. An N between records: no k-mer runs across. */
static inline struct genome read_genome(char *word, size_t most) {
    char *path = strchr(word, '=');
    if (!path) stop("give NAME=FILE");
    *path++ = 0;
    struct genome g = {.name = word, .letters = must(malloc(most + 1))};
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!file) stop("no such genome");
    for (ssize_t n; g.n < most && (n = getline(&line, &room, file)) > 0;) {
        if (line[n - 1] == '\n') n--;
        if (*line == '>') *line = 'N', n = 1;
        if ((size_t)n > most - g.n) n = (ssize_t)(most - g.n);
        memcpy(g.letters + g.n, line, (size_t)n);
        g.n += (size_t)n;
    }
    free(line);
    fclose(file);
    return g;
}

static inline size_t hash_all(const struct kmer_way *w, const char *seq, size_t n, uint64_t *to) {
    struct kmer_walk walk = {.seq = seq, .n = n};
    const size_t found = kmer_hashes(w, &walk, to, n);
    if (walk.bad) stop("a letter that is none");
    return found;
}

static inline int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline size_t once_each(uint64_t *hashes, size_t n) {
    size_t kept = 0;
    qsort(hashes, n, sizeof *hashes, by_number);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || hashes[i] != hashes[i - 1]) hashes[kept++] = hashes[i];
    return kept;
}

/* The distinct k-mers of `seq` that are not in `sorted`, in an order that tells nothing. */
static inline size_t strangers_of(const struct kmer_way *w, const char *seq, size_t n,
                                  const uint64_t *sorted, size_t nsorted, uint64_t *to) {
    size_t kept = 0;
    n = once_each(to, hash_all(w, seq, n, to));
    for (size_t i = 0; i < n; i++)
        if (!bsearch(&to[i], sorted, nsorted, sizeof *to, by_number)) to[kept++] = to[i];
    uint64_t dice = SEED;
    for (size_t i = kept; i > 1; i--) {
        const size_t j = next_random(&dice) % i;
        const uint64_t held = to[i - 1];
        to[i - 1] = to[j], to[j] = held;
    }
    return kept;
}

/* Absent: of random letters. Near: of the genome with every k-th letter another one, so that each
 * k-mer has one letter changed. `numbers`: for a bitmap. */
static inline struct kmers kmers_of(const struct genome *g, unsigned k, bool numbers) {
    struct kmers s = {0};
    uint64_t dice = SEED;
    const size_t bytes = (g->n + 1) * sizeof *s.places, nstrange = g->n < 1000000 ? g->n : 1000000;
    kmer_way_set(&s.way, k, true, SEED);
    s.way.numbers = numbers;
    s.places = must(malloc(bytes)), s.absent = must(malloc(bytes)), s.near = must(malloc(bytes));
    s.nplaces = hash_all(&s.way, g->letters, g->n, s.places);
    if (!pile_room(&s.once, s.nplaces)) stop("no memory");
    memcpy(s.once.all, s.places, s.nplaces * sizeof *s.places);
    s.once.n = s.nplaces;
    if (!pile_distinct(&s.once)) stop("no memory");

    uint64_t *sorted = must(malloc(bytes));
    char *seq = must(malloc(g->n + 1));
    memcpy(sorted, s.places, s.nplaces * sizeof *s.places);
    const size_t nsorted = once_each(sorted, s.nplaces);
    for (size_t i = 0; i < nstrange; i++) seq[i] = "ACGT"[next_random(&dice) >> 62];
    s.nabsent = strangers_of(&s.way, seq, nstrange, sorted, nsorted, s.absent);
    memcpy(seq, g->letters, g->n);
    for (size_t i = k - 1; i < nstrange; i += k)
        seq[i] = seq[i] == 'A' ? 'C' : seq[i] == 'C' ? 'G' : seq[i] == 'G' ? 'T' : 'A';
    s.nnear = strangers_of(&s.way, seq, nstrange, sorted, nsorted, s.near);
    free(sorted);
    free(seq);
    return s;
}

static inline void kmers_free(struct kmers *s) {
    free(s->places), free(s->absent), free(s->near);
    pile_free(&s->once);
}

#endif
