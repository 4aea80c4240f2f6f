/* query.c - sito kmer query: how much of each sequence is inside? */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/report.h"
#include "../../cli/talk.h"
#include "index.h"

struct asking {
    const struct kmer_options *o;
    struct index x;
    double min; /* print only these; 0: all */
    uint64_t matched;
};

double kmer_min(const struct kmer_options *o, double otherwise) {
    char *end;
    if (!o->min) return otherwise;
    double share = strtod(o->min, &end);
    const bool number = end > o->min && strspn(o->min, "0123456789.") >= (size_t)(end - o->min);
    if (number && !strcmp(end, "%")) share /= 100, end++;
    if (number && !*end && share > 0 && share <= 1) return share;
    complain("--min: `%s` is no share of the k-mers; give 80%% or 0.8, up to 100%%", o->min);
    return -1;
}

static void print_plain(const struct record *r, const struct score *s) {
    fwrite(r->name, 1, r->nname, stdout);
    printf("\t%" PRIu64 "\t%" PRIu64 "\t%.2f\n", s->matched, s->total, 100 * score_share(s));
}

static void print_json(const struct record *r, const struct score *s) {
    fputs("{\"name\": ", stdout);
    json_string(r->name, r->nname);
    printf(", \"matched\": %" PRIu64 ", \"total\": %" PRIu64 ", \"percent\": %.2f}\n", s->matched,
           s->total, 100 * score_share(s));
}

static int ask(struct asking *a, const struct sequences *s, const struct record *r) {
    struct score score;
    if (!index_ask(&a->x, s, r, &score)) return TROUBLE;
    const bool matches = score.matched && score_share(&score) >= a->min;
    a->matched += matches;
    if (a->o->min && !matches) return DONE;
    (a->o->common.json ? print_json : print_plain)(r, &score);
    return ferror(stdout) ? flush_output() : DONE;
}

static int ask_file(struct asking *a, const char *path) {
    struct record r;
    int more, outcome = DONE;
    struct sequences *s = sequences_open(path, a->o->lenient);
    if (!s) return stop_asked() ? STOPPED : TROUBLE;
    while (outcome == DONE && (more = sequences_next(s, &r)) != 0)
        outcome = more > 0 ? ask(a, s, &r) : TROUBLE;
    sequences_close(s);
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
    }
    for (size_t i = 1; i < o->noperands && outcome == DONE; i++)
        outcome = ask_file(a, o->operands[i]);
    if (!seq && o->noperands == 1) outcome = ask_file(a, "-");
    if (outcome != DONE) return outcome;
    return a->matched ? DONE : NOTHING;
}

int kmer_query(struct options *o) {
    struct asking a = {.o = all_of(o)};
    a.min = kmer_min(a.o, 0);
    if (a.min < 0) return TROUBLE;
    int outcome = index_open(a.o, o->operands[0], o->map ? SITO_MAP : 0, &a.x);
    if (outcome == DONE) outcome = ask_all(&a);
    sito_free(a.x.f);
    return outcome;
}
