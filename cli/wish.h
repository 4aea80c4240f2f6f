/* wish.h - from the options to a plan, and in plain words why there is none. */
#ifndef CLI_WISH_H
#define CLI_WISH_H

#include <sito/sito.h>

/* A kind that does not exist gets a complaint and the nearest one that does. */
int check_kind(const char *kind);

/* The kind the library would choose, if none was asked for. */
int settle_kind(sito_plan *plan);

/* sito_plan_solve(), with a complaint and an exit status if it refuses. */
int solve(sito_plan *plan);

/* Remarks on wishes that only some kinds know, and that of `f` does not. */
void tell_left_out(const sito_plan *wish, const sito_filter *f);

/* Does the wish say how large the filter is to be? If not, the input does. */
bool is_sized(const sito_plan *plan);

/* One line on why `plan` is refused with `rc`, into `room`. */
enum { REASON_ROOM = 256 };
const char *reason(const sito_plan *plan, sito_rc rc, char room[REASON_ROOM]);

#endif
