/* seeds.h - texts that a target begins with; SITO_SEEDS names the folder they are written to. */
#ifndef SITO_FUZZ_SEEDS_H
#define SITO_FUZZ_SEEDS_H

#include <stdio.h>
#include <stdlib.h>

#include "keys.h"

static inline void write_text_seed(const char *folder, const char *name, size_t number,
                                   const char *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%zu", folder, name, number);
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f)) give_up("cannot write a seed");
}

/* Writes them and ends, if seeds are what was asked for. */
static inline void write_text_seeds(const char *name, const char *const *seeds, size_t n) {
    const char *folder = getenv("SITO_SEEDS");
    for (size_t i = 0; folder && i < n; i++) write_text_seed(folder, name, i, seeds[i]);
    if (folder) exit(0);
}

#endif
