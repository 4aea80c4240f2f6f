/* values.h - lines of a `fuse` filter with values: a key, a tab, and a number in decimal. The last
 * tab counts, so keys may hold others. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include <sito/sito.h>

#include "input.h"

/* Line i of a batch: its key's length, and the value, of at most `bits` bits (0: 32). DONE, or
 * TROUBLE after a complaint. */
int read_value(const struct batch *b, size_t i, unsigned bits, size_t *length, uint32_t *value);

/* Which is the first of `n` values that is not what its key had before, and where was that? False
 * if there is none, or no memory to find it. */
bool values_clash(const uint64_t *hashes, const uint32_t *values, size_t n, size_t found[2]);

/* How many bits the largest of the values needs; 1 at least. */
unsigned bits_of_value(uint32_t most);

#endif
