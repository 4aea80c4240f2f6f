/* screen.c - sito kmer screen: reads that match an index are taken out, or only they are kept. */
#include <stdio.h>
#include <string.h>

#include "../../cli/numbers.h"
#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "index.h"
#include "inputs.h"
#include "sink.h"

enum { LEVEL = 1 }; /* of packing: about as fast as reads arrive */

struct screening {
    const struct kmer_options *o;
    struct index x;
    struct share min;
    size_t nfiles; /* 1, or 2 for pairs */
    struct sequences *in[2];
    struct sink *out[2]; /* [1]: or NULL, and pairs go to [0], one read after the other */
    struct record r[2];
    uint64_t reads, matched, written;
};

static int matches(struct screening *s, size_t i, bool *yes) {
    struct score score;
    if (!index_ask(&s->x, s->in[i], &s->r[i], &score)) return TROUBLE;
    *yes = score.matched && share_reached(&s->min, score.matched, score.total);
    return DONE;
}

/* A pair matches if one of its reads does; both are looked at, lest a bad letter slip by. */
static int screen_pair(struct screening *s) {
    bool yes = false;
    for (size_t i = 0; i < s->nfiles; i++) {
        bool this = false;
        const int outcome = matches(s, i, &this);
        if (outcome != DONE) return outcome;
        yes = yes || this;
    }
    s->reads += s->nfiles;
    s->matched += yes ? s->nfiles : 0;
    if (yes != s->o->keep) return DONE;
    s->written += s->nfiles;
    for (size_t i = 0; i < s->nfiles; i++) {
        struct sink *out = s->out[1] ? s->out[i] : s->out[0];
        const struct record *r = &s->r[i];
        if (!sink_put(out, r->text, r->ntext)) return TROUBLE;
        /* A last line without its end must not run into the next record. */
        if (r->text[r->ntext - 1] != '\n' && !sink_put(out, "\n", 1)) return TROUBLE;
    }
    return DONE;
}

static int uneven(const struct screening *s, size_t shorter) {
    complain("%s: ends after %llu reads, and %s has more; pairs must stand in the same places",
             sequences_name(s->in[shorter]), (unsigned long long)s->reads / 2,
             sequences_name(s->in[!shorter]));
    return TROUBLE;
}

static int screen_all(struct screening *s) {
    for (;;) {
        int more[2] = {0};
        for (size_t i = 0; i < s->nfiles; i++) {
            more[i] = sequences_next(s->in[i], &s->r[i]);
            if (more[i] < 0) return stop_asked() ? STOPPED : TROUBLE;
        }
        if (s->nfiles == 2 && more[0] != more[1]) return uneven(s, more[0] ? 1 : 0);
        if (!more[0]) return DONE;
        const int outcome = screen_pair(s);
        if (outcome != DONE) return outcome;
        if (stop_asked()) return STOPPED;
        progress(s->reads);
    }
}

static int open_all(struct screening *s) {
    const struct options *o = &s->o->common;
    const unsigned level = s->o->level ? s->o->level : LEVEL;
    s->nfiles = o->noperands > 2 ? 2 : 1;
    for (size_t i = 0; i < s->nfiles; i++) {
        s->in[i] = sequences_open(o->noperands > 1 ? o->operands[i + 1] : "-", s->o->lenient);
        if (!s->in[i]) return stop_asked() ? STOPPED : TROUBLE;
    }
    s->out[0] = sink_open(o->output, level);
    if (s->out[0] && s->o->output2) s->out[1] = sink_open(s->o->output2, level);
    return s->out[0] && (s->out[1] || !s->o->output2) ? DONE : TROUBLE;
}

/* Both or none: what is small meets a full disk only at its end, so both are whole before one has
 * its name. Only if the second then cannot have its own, the first stays. */
static bool close_outputs(struct screening *s, bool keep) {
    for (size_t i = 0; i < 2 && keep; i++)
        if (s->out[i]) keep = sink_finish(s->out[i]);
    for (size_t i = 0; i < 2; i++)
        if (s->out[i]) keep = sink_close(s->out[i], keep);
    return keep;
}

static void tell(const struct screening *s) {
    const struct options *o = &s->o->common;
    char reads[NUMBER_ROOM], matched[NUMBER_ROOM], written[NUMBER_ROOM];
    remark("%s: %s reads, %s match, %s written", o->output, human_count(s->reads, reads),
           human_count(s->matched, matched), human_count(s->written, written));
    if (!o->json) return;
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", o->output);
    report_count(&r, "reads", s->reads);
    report_count(&r, "matched", s->matched);
    report_count(&r, "written", s->written);
    report_end(&r);
}

/* Neither reads nor index are written over. */
static int check_files(const struct screening *s) {
    const struct options *o = &s->o->common;
    const char *outputs[] = {o->output, s->o->output2};
    int outcome = check_inputs(o->operands + 1, o->noperands - 1);
    for (size_t i = 0; i < 2 && outputs[i] && outcome == DONE; i++) {
        outcome = check_output(outputs[i], o->operands, 1);
        if (outcome == DONE) outcome = check_output(outputs[i], o->operands + 1, o->noperands - 1);
    }
    return outcome;
}

static int check_words(struct screening *s) {
    const struct options *o = &s->o->common;
    if (!o->output)
        return complain("kmer screen: where to? give -o FILE (- is standard output)"), TROUBLE;
    if (o->json && !strcmp(o->output, "-"))
        return complain("kmer screen: standard output cannot take both reads and --json"), TROUBLE;
    if (s->o->output2 && o->noperands < 3)
        return complain("kmer screen: --output2 is for the second reads of pairs"), TROUBLE;
    if (s->o->output2 && same_file(s->o->output2, o->output))
        return complain("kmer screen: both outputs are %s; leave --output2 out to have pairs one "
                        "after the other",
                        o->output),
               TROUBLE;
    if (s->o->level > 9) return complain("--level: 1 (fast) to 9 (small)"), TROUBLE;
    if (!kmer_min(s->o, &s->min)) return TROUBLE;
    return check_files(s);
}

int kmer_screen(struct options *o) {
    struct screening s = {.o = all_of(o), .min = {1, 2}};
    int outcome = check_words(&s);
    if (outcome == DONE) outcome = index_open(s.o, o->operands[0], o->map ? SITO_MAP : 0, &s.x);
    if (outcome == DONE) outcome = open_all(&s);
    if (outcome == DONE) outcome = screen_all(&s);
    for (size_t i = 0; i < 2; i++) sequences_close(s.in[i]);
    if (!close_outputs(&s, outcome == DONE) && outcome == DONE) outcome = TROUBLE;
    if (outcome == DONE) tell(&s);
    sito_free(s.x.f);
    return outcome;
}
