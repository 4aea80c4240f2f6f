/* wish.c - plans made from options, and the search for the option that spoils one. */
#include "wish.h"

#include <stdio.h>
#include <string.h>

#include "numbers.h"
#include "options.h"
#include "talk.h"

int check_kind(const char *kind) {
    if (sito_abilities(kind)) return DONE;
    struct nearest near = {.word = kind};
    for (size_t i = 0; sito_kind_at(i); i++) nearest_try(&near, sito_kind_at(i));
    if (near.best) complain("there is no kind `%s`; did you mean %s?", kind, near.best);
    else complain("there is no kind `%s`; `sito kinds` lists those there are", kind);
    return TROUBLE;
}

bool is_sized(const sito_plan *plan) {
    return plan->nkeys || plan->ncells || plan->max_bytes || plan->window;
}

int settle_kind(sito_plan *plan) {
    sito_plan trial = *plan;
    if (plan->kind) return check_kind(plan->kind);
    if (!is_sized(&trial)) trial.nkeys = 1000;
    const int outcome = solve(&trial);
    if (outcome == DONE) plan->kind = trial.kind;
    return outcome;
}

/* ---- why not? ---- */

static size_t size_of(enum takes takes) {
    switch (takes) {
    case COUNT32: return sizeof(unsigned);
    case TEXT: return sizeof(const char *);
    default: return sizeof(uint64_t); /* a double has the same */
    }
}

/* Without the wish that was its size, for a single key. */
static bool solves(sito_plan *plan) {
    if (!is_sized(plan)) plan->nkeys = 1;
    return sito_plan_solve(plan) == SITO_OK;
}

/* The plan's field that the option fills; NULL if it fills none, or the field is empty. */
static char *wished(sito_plan *plan, const struct option *option) {
    static const sito_plan nothing;
    const size_t begin = offsetof(struct options, wish);
    if (option->at < begin || option->at >= begin + sizeof *plan) return NULL;
    char *field = (char *)plan + (option->at - begin);
    return memcmp(field, &nothing, size_of(option->takes)) ? field : NULL;
}

/* The wish without which the plan would do. */
static const struct option *spoiler(const sito_plan *plan) {
    const struct option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!strcmp(option->name, "kind") || !strcmp(option->name, "keys")) continue;
        sito_plan without = *plan;
        char *field = wished(&without, option);
        if (!field) continue;
        memset(field, 0, size_of(option->takes));
        if (solves(&without)) return option;
    }
    return NULL;
}

const char *reason(const sito_plan *plan, sito_rc rc, char room[REASON_ROOM]) {
    const struct option *option = spoiler(plan);
    sito_plan free = *plan, loose = *plan;
    free.max_bytes = 0;
    loose.ncells = 0;
    if (rc == SITO_ELIMIT && plan->max_bytes && solves(&free)) {
        char needed[NUMBER_ROOM], allowed[NUMBER_ROOM];
        snprintf(room, REASON_ROOM,
                 "needs %s, and --max-bytes allows %s; allow more, or a higher rate",
                 human_bytes(free.bytes, needed), human_bytes(plan->max_bytes, allowed));
    } else if (option && rc == SITO_ELIMIT && !strcmp(option->name, "cells")) {
        const bool many = solves(&loose) && loose.ncells < plan->ncells;
        snprintf(room, REASON_ROOM, "%s so many --cells; give %s, or leave it out",
                 many ? "cannot have" : "needs more than", many ? "fewer" : "more");
    } else if (option && rc == SITO_ELIMIT) {
        snprintf(room, REASON_ROOM, "cannot be had with this --%s; ask for less, or leave it out",
                 option->name);
    } else if (option) {
        snprintf(room, REASON_ROOM, "%s%s this --%s; leave it out, or see `sito help plan`",
                 plan->kind ? plan->kind : "no kind", plan->kind ? " does not take" : " takes",
                 option->name);
    } else {
        snprintf(room, REASON_ROOM, "%s%s", sito_strerror(rc),
                 rc == SITO_ELIMIT ? "; ask for fewer keys or a higher rate" : "");
    }
    return room;
}

int solve(sito_plan *plan) {
    char room[REASON_ROOM];
    const sito_rc rc = sito_plan_solve(plan);
    if (rc == SITO_OK) return DONE;
    complain("%s: %s", plan->kind ? plan->kind : "this filter", reason(plan, rc, room));
    return rc == SITO_ELIMIT ? SHORT : TROUBLE;
}

/* ---- what was it good for? ---- */

static bool is_for_some_kinds(const struct option *option) {
    static const char *const names[] = {"hashes", "cell-bits", "tag-bits",  "rule", "layout",
                                        "bucket", "max-moves", "scale",     "fade", "layer",
                                        "window", "arity",     "value-bits"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(option->name, names[i])) return true;
    return false;
}

void tell_left_out(const sito_plan *wish, const sito_filter *f) {
    sito_plan asked = *wish, like;
    const struct option *option;
    if (sito_plan_like(f, &like) != SITO_OK) return;
    for (size_t i = 0; (option = option_at(i)); i++)
        if (is_for_some_kinds(option) && wished(&asked, option) && !wished(&like, option))
            remark("%s has no use for --%s", like.kind, option->name);
}
