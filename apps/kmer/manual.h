/* manual.h - what the tables of options.c make: `sito-kmer --man`, the source of sito-kmer(1), and words to complete. */
#ifndef KMER_MANUAL_H
#define KMER_MANUAL_H

#include <stdio.h>

#include "options.h"

void manual(const char *sequences, const char *statuses, FILE *to);

/* `sito-kmer --words`: for the shells' completion; NULL where a word is not given. */
void print_words(const char *command, const char *word);

#endif
