/* lines.h - where the separators are in a piece of memory, and how many. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stddef.h>
#include <stdint.h>

/* Cut [bytes, bytes + n) at its separators; what stands behind the last one is a key too, unless it
 * is empty. Returns how many keys, at most n. */
size_t cut_keys(const char *bytes, size_t n, char separator, const void **keys, size_t *lens);

uint64_t count_separators(const char *bytes, size_t n, char separator);

#endif
