/* places.h - which pattern files are installed, and which is meant by a language tag. */
#ifndef HYPHEN_PLACES_H
#define HYPHEN_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/* The file for a tag like en-US, pt_BR or hr, into `path`; false if none is installed. $HYPHEN_PATH,
 * folders parted by colons, is searched before the system's. */
bool place_of(const char *tag, char *path, size_t room);

/* Call `each` with tag and path of all that are installed, in order, folder by folder. */
void places_each(void (*each)(void *self, const char *tag, const char *path), void *self);

#endif
