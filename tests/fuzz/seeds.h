/* seeds.h - texts that a target begins with; SITO_SEEDS names the folder they are written to. */
#ifndef SITO_FUZZ_SEEDS_H
#define SITO_FUZZ_SEEDS_H

#include <stdio.h>

#include "keys.h"

static inline void write_text_seed(const char *folder, const char *name, size_t number,
                                   const char *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%zu", folder, name, number);
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f)) give_up("cannot write a seed");
}

#endif
