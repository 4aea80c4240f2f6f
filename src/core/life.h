/* life.h - parts of a filter's life that kinds share. */
#ifndef SITO_LIFE_H
#define SITO_LIFE_H

#include "core/filter.h"

/* An empty filter, to be built of `n` hashes; solves `plan`. SITO_EUNABLE: its kind cannot. */
sito_rc new_to_build(sito_plan *plan, const sito_memory *mem, size_t n, sito_filter **out);

/* Adds in pieces, with the plan's watch between them. */
sito_rc build_by_adding(sito_filter *f, const sito_plan *plan, const uint64_t *hashes, size_t n);

/* Halve the table in seg[0] so often; the kind has checked that it divides, and knows how: `nbits`
 * are there before, `from` may be `into`. */
typedef void halve_table(uint8_t *into, const uint8_t *from, uint64_t nbits);
sito_rc fold_table(sito_filter *f, unsigned halvings, halve_table *halve);

/* Room for cells: whole lines, and the slack that packed slots read past their end. */
uint64_t room_for(uint64_t bytes);

/* Free a segment, unless it lies inside the opened image; and that image, once no segment does. */
void segment_free(sito_filter *f, struct segment *s);
void image_let_go(sito_filter *f);

#endif
