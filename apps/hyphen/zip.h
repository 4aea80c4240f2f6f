/*
 * zip.h - a ZIP file in memory, read strictly, and a new one made of its entries.
 *
 * What two readers could read in two ways is refused: bytes before the first entry or behind the
 * last record, entries that overlap or have the same name, a directory that disagrees with the
 * headers, names that lead out of the folder. So are ZIP64, several volumes and ciphers.
 *
 * An entry is unpacked only on request, within a bound, and its size and checksum must be what the
 * directory says. A copied entry keeps its packed bytes, name, time, attributes and extra fields.
 */
#ifndef HYPHEN_ZIP_H
#define HYPHEN_ZIP_H

#include "patterns.h"

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

struct zip_entry {
    const char *name;
    size_t nname;
    unsigned method;
    uint32_t crc, packed, size;
    const uint8_t *central, *local, *data; /* its headers, and its packed bytes */
};

struct zip {
    const uint8_t *bytes;
    size_t n;
    struct growing entries; /* struct zip_entry, as the directory has them */
    uint32_t *by_name;      /* places in `entries` */
    const uint8_t *end;     /* the last record, comment and all */
};

/* The bytes must stay. False and a sentence in `why`. */
bool zip_open(struct zip *z, const void *bytes, size_t n, char why[WHY_ROOM]);
void zip_close(struct zip *z);

/* NULL if there is none of this name. */
struct zip_entry *zip_find(const struct zip *z, const char *name, size_t n);

/* The bytes of an entry, at most so many, in place of what is in `to`. */
bool zip_unpack(const struct zip_entry *e, size_t most, struct growing *to, char why[WHY_ROOM]);

/* A new file: entries one after another, then the end. */
struct zip_making {
    struct growing file, directory; /* char */
    unsigned n;
};

bool zip_copy(struct zip_making *m, const struct zip_entry *e, char why[WHY_ROOM]);
/* The headers of `e`, but other bytes, packed by `method`. */
bool zip_put(struct zip_making *m, const struct zip_entry *e, const void *bytes, size_t n,
             unsigned method, char why[WHY_ROOM]);
bool zip_end(struct zip_making *m, const struct zip *like, char why[WHY_ROOM]); /* m->file is it */
void zip_making_free(struct zip_making *m);

#endif
