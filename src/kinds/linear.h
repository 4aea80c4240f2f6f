/* linear.h - what linear.c and its plan share: the shape's numbers by name. */
#ifndef SITO_LINEAR_KIND_H
#define SITO_LINEAR_KIND_H

#include "cells/levels.h"
#include "core/filter.h"

enum { PARAM_LEVELS = 1, PARAM_FADE_P = 2, PARAM_FADE_Q = 3, FADE_MAX = UINT16_MAX };
enum linear_scale { SCALE_LINEAR, SCALE_GEOMETRIC, SCALES };

/* param[1]: bits a cell, and the scale in its high byte. */
static inline unsigned linear_bits(const struct shape *s) { return s->param[PARAM_LEVELS] & 255; }
static inline unsigned linear_scale(const struct shape *s) { return s->param[PARAM_LEVELS] >> 8; }

static inline struct levels linear_levels(const struct shape *s) {
    return levels_of(linear_bits(s), s->param[PARAM_FADE_P], s->param[PARAM_FADE_Q]);
}

/* kinds/linear_plan.c */
sito_rc linear_solve(sito_plan *plan);
void linear_to_shape(const sito_plan *plan, struct shape *shape);
void linear_to_plan(const struct shape *shape, sito_plan *plan);
bool linear_sizes(const struct shape *shape, const uint64_t extra[3], uint64_t bytes[SEGMENTS]);
double linear_rate(const struct shape *shape, uint64_t nkeys);

#endif
