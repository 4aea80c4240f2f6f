/* manual.h - `sito-kmer --man`: the source of sito-kmer(1). */
#ifndef KMER_MANUAL_H
#define KMER_MANUAL_H

#include <stdio.h>

#include "options.h"

void manual(const char *sequences, const char *statuses, FILE *to);

#endif
