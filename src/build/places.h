/*
 * places.h - tables where a hash has k places, filled part by part: places are first carried to the
 * part of the table they are in, and then each part, small enough for the cache, takes its own.
 *
 * Reading and writing in order is several times cheaper than a random line a place. The places of
 * one part stay in the order they came, so the outcome is that of adding one hash after the other.
 */
#ifndef SITO_PLACES_H
#define SITO_PLACES_H

#include "kinds/walk_bits.h"

/* Adds `hashes` to the empty filter `f`, on plan->threads threads; the first segment is the table
 * of this walk. Takes memory: up to 160 MiB, or as much as a larger table (twice that where k is
 * small), and 5 MiB a thread. Where there is none, and where it would not pay, keys are added on
 * this thread. SITO_ECANCEL or SITO_OK. */
sito_rc build_by_places(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n,
                        struct bits_walk walk);

#endif
