/* confidence.h - lines of the kind `linear`: a key, a tab, and how sure one is of it, 0 to 1. A line
 * without a tab is a key alone, and certain; the last tab counts, so keys may hold others. */
#ifndef CLI_CONFIDENCE_H
#define CLI_CONFIDENCE_H

#include <sito/sito.h>

#include "input.h"

bool has_confidences(const char *kind);

/* Line i of a batch: its key's length, and c. DONE, or TROUBLE after a complaint. */
int read_confidence(const struct batch *b, size_t i, size_t *length, double *c);

/* Says how many keys came to level 0, if any did. */
void tell_unsure(const char *path, uint64_t unsure);

#endif
