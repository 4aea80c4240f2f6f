/*
 * parts.h - a table filled piece by piece: hashes are first carried to the part of the table that
 * their high bits name, and then each part, small enough for the cache, takes its own.
 *
 * Reading and writing in order is several times cheaper than one random line a key. Hashes of one
 * part stay in the order they came, and no place is in two parts, so all is as if they were added one
 * by one, and the count of those certainly new too. The room for the hashes carried is that of a third
 * of them, or of four million if that is more, but 256 MiB at most, or beyond 270 million hashes a
 * byte a hash; a quarter of the table, 64 MiB at most; and up to 5 MiB a thread. A small table is
 * filled straight away, and needs none.
 */
#ifndef SITO_PARTS_H
#define SITO_PARTS_H

#include "core/filter.h"
#include "cpu/cpu.h"

/* Adds all of these, which fall into one part of the table; returns how many were certainly new.
 * `coming` is NULL: its lines are far, and no others come meanwhile. */
typedef uint64_t part_add(sito_filter *f, const uint64_t *hashes, size_t n, struct coming *coming);

/* Adds `hashes` to the empty filter `f`, on plan->threads threads. Its first segment is the table:
 * `nplaces` of them, and a hash touches range_of(hash, nplaces) only. SITO_ECANCEL or SITO_OK. */
sito_rc build_by_parts(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n,
                       uint64_t nplaces, part_add *add);

#endif
