/* query.c - sito kmer query: how much of each sequence is inside? */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "index.h"
#include "inputs.h"

enum { BATCH = 1 << 11, NAMES = 1 << 15, LINES = 1 << 15, ENDING = 80, ENDINGS = 1 << 8 };

/* Short sequences wait for each other: asked together, they share the wait for memory. */
struct waiting {
    uint32_t nname;  /* the next so many bytes of names */
    uint32_t nkmers; /* and hashes */
};

/* What follows a name on its line: the same for the same score. */
struct ending {
    struct score score;
    size_t n;
    char text[ENDING];
};

struct asking {
    const struct kmer_options *o;
    struct index x;
    struct share min; /* print only these, if it was given */
    uint64_t matched;
    size_t nwaiting, nhashes, nnames;
    struct waiting waiting[BATCH];
    uint64_t hashes[BATCH];
    uint8_t answers[BATCH];
    char names[NAMES];
    char lines[LINES]; /* to be printed */
    size_t nlines;
    struct ending endings[ENDINGS]; /* those that came last */
};

bool kmer_min(const struct kmer_options *o, struct share *out) {
    if (!o->min || share_read(o->min, out)) return true;
    complain("--min: `%s` is no share of the k-mers; give 80%% or 0.8, up to 100%%", o->min);
    return false;
}

/* ---- printing ---- */

static void print_lines(struct asking *a) {
    fwrite_unlocked(a->lines, 1, a->nlines, stdout);
    a->nlines = 0;
}

static char *digits(uint64_t n, char *to) {
    char room[20], *end = room + sizeof room, *p = end;
    do *--p = (char)('0' + n % 10);
    while (n /= 10);
    return mempcpy(to, p, (size_t)(end - p));
}

static void write_ending(struct ending *e, const struct score *s) {
    const uint64_t share = share_hundredths(s->matched, s->total);
    char *p = e->text;
    *p++ = '\t';
    p = digits(s->matched, p);
    *p++ = '\t';
    p = digits(s->total, p);
    *p++ = '\t';
    p = digits(share / 100, p);
    *p++ = '.';
    *p++ = (char)('0' + share / 10 % 10);
    *p++ = (char)('0' + share % 10);
    *p++ = '\n';
    e->n = (size_t)(p - e->text);
    e->score = *s;
}

static const struct ending *ending_of(struct asking *a, const struct score *s) {
    struct ending *e = &a->endings[(s->total * 31 + s->matched) % ENDINGS];
    if (!e->n || e->score.matched != s->matched || e->score.total != s->total) write_ending(e, s);
    return e;
}

/* A line for each of millions of sequences: printf would take most of the time. */
static void print_plain(struct asking *a, const char *name, size_t nname, const struct score *s) {
    const struct ending *e = ending_of(a, s);
    if (nname + ENDING > LINES - a->nlines) print_lines(a);
    if (nname + ENDING > LINES) fwrite_unlocked(name, 1, nname, stdout), nname = 0;
    char *p = mempcpy(a->lines + a->nlines, name, nname);
    memcpy(p, e->text, ENDING); /* all of it: a constant is quicker than what is needed */
    a->nlines = (size_t)(p - a->lines) + e->n;
}

static void print_json(struct asking *a, const char *name, size_t nname, const struct score *s) {
    (void)a;
    const uint64_t share = share_hundredths(s->matched, s->total);
    fputs("{\"name\": ", stdout);
    json_string(name, nname);
    printf(", \"matched\": %" PRIu64 ", \"total\": %" PRIu64 ", \"percent\": %" PRIu64 ".%02" PRIu64
           "}\n",
           s->matched, s->total, share / 100, share % 100);
}

/* ---- asking ---- */

static int told(struct asking *a) {
    print_lines(a);
    return ferror_unlocked(stdout) ? flush_output() : DONE;
}

static void tell(struct asking *a, const char *name, size_t nname, const struct score *score) {
    const bool matches = score->matched && share_reached(&a->min, score->matched, score->total);
    a->matched += matches;
    if (a->o->min && !matches) return;
    (a->o->common.json ? print_json : print_plain)(a, name, nname, score);
}

static int tell_waiting(struct asking *a) {
    const uint8_t *answer = a->answers;
    const char *name = a->names;
    sito_maybe_many(a->x.f, a->hashes, a->nhashes, a->answers);
    for (size_t i = 0; i < a->nwaiting; i++) {
        const struct waiting *w = &a->waiting[i];
        struct score score = {.total = w->nkmers};
        for (size_t j = 0; j < w->nkmers; j++) score.matched += *answer++;
        tell(a, name, w->nname, &score);
        name += w->nname;
    }
    a->nwaiting = a->nhashes = a->nnames = 0;
    return told(a);
}

/* The stream pauses: nobody should have to wait for answers that are ready. */
static bool tell_all(void *self) { return tell_waiting(self) == DONE && flush_output() == DONE; }

static bool has_room(const struct asking *a, const struct record *r) {
    return a->nwaiting < BATCH && r->n <= BATCH - a->nhashes && r->nname <= NAMES - a->nnames;
}

/* false if it has a bad letter: then it does not wait. */
static bool let_wait(struct asking *a, const struct record *r) {
    struct kmer_walk walk = {.seq = r->seq, .n = r->n};
    const size_t n = kmer_hashes(&a->x.way, &walk, a->hashes + a->nhashes, BATCH - a->nhashes);
    if (walk.bad) return false;
    memcpy(a->names + a->nnames, r->name, r->nname);
    a->waiting[a->nwaiting++] = (struct waiting){(uint32_t)r->nname, (uint32_t)n};
    a->nhashes += n;
    a->nnames += r->nname;
    return true;
}

static int ask(struct asking *a, const struct sequences *s, const struct record *r) {
    struct score score;
    int outcome = DONE;
    if (!a->x.by_key) {
        if (!has_room(a, r)) outcome = tell_waiting(a);
        if (outcome != DONE || (has_room(a, r) && let_wait(a, r))) return outcome;
        outcome = tell_waiting(a); /* this one is long, or bad: those before it come first */
        if (outcome != DONE) return outcome;
    }
    if (!index_ask(&a->x, s, r, &score)) return TROUBLE;
    tell(a, r->name, r->nname, &score);
    return told(a);
}

static int ask_file(struct asking *a, const char *path) {
    struct record r;
    int more, outcome = DONE;
    struct sequences *s = sequences_open(path, a->o->lenient);
    if (!s) return stop_asked() ? STOPPED : TROUBLE;
    sequences_on_rest(s, tell_all, a);
    while (outcome == DONE && (more = sequences_next(s, &r)) != 0)
        outcome = more > 0 ? ask(a, s, &r) : TROUBLE;
    sequences_close(s);
    const int last = tell_waiting(a);
    if (outcome == DONE) outcome = last;
    return stop_asked() ? STOPPED : outcome;
}

static int ask_all(struct asking *a) {
    const struct options *o = &a->o->common;
    const char *seq = a->o->seq;
    int outcome = DONE;
    if (!o->json) puts("name\tmatched\ttotal\tpercent");
    if (seq) {
        const struct record r = {
            .name = "--seq", .nname = 5, .seq = seq, .n = strlen(seq), .number = 1};
        outcome = ask(a, NULL, &r);
        if (outcome == DONE) outcome = tell_waiting(a);
    }
    for (size_t i = 1; i < o->noperands && outcome == DONE; i++)
        outcome = ask_file(a, o->operands[i]);
    if (!seq && o->noperands == 1) outcome = ask_file(a, "-");
    if (outcome != DONE) return outcome;
    return a->matched ? DONE : NOTHING;
}

int kmer_query(struct options *o) {
    struct asking *a = calloc(1, sizeof *a);
    if (!a) return complain("no memory"), TROUBLE;
    a->o = all_of(o);
    a->min = (struct share){0, 1};
    int outcome =
        !kmer_min(a->o, &a->min) ? TROUBLE : check_inputs(o->operands + 1, o->noperands - 1);
    if (outcome == DONE) outcome = check_output("-", o->operands + 1, o->noperands - 1);
    if (outcome == DONE) outcome = index_open(a->o, o->operands[0], o->map ? SITO_MAP : 0, &a->x);
    if (outcome == DONE) outcome = ask_all(a);
    sito_free(a->x.f);
    free(a);
    return outcome;
}
