/* pile.h - the hashes of all k-mers read, each kept once in the end. */
#ifndef KMER_PILE_H
#define KMER_PILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pile {
    uint64_t *all;
    size_t n, room;
    size_t
        dense; /* beyond so many, repetitions are forgotten before more room is taken; 0: 64 Mi */
};

/* Room for `more` hashes at all + n; the caller adds to n. Input that repeats itself, as reads do,
 * takes no more than twice its distinct k-mers beyond the first half GiB. false: no memory. */
bool pile_room(struct pile *p, size_t more);

/* Each hash once, not in the order they came, nor in any other that a table would notice. */
bool pile_distinct(struct pile *p);
void pile_free(struct pile *p);

#endif
