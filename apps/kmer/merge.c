/* merge.c - sito kmer merge: one index of several made alike. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../cli/numbers.h"
#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "index.h"

/* ---- alike? ---- */

/* What two indexes must have in common, in the order a person would ask. */
struct likeness {
    const char *what;
    char text[2][NUMBER_ROOM]; /* of the one, of the other */
};

static bool numbers_differ(struct likeness *l, const char *what, uint64_t a, uint64_t b) {
    l->what = what;
    snprintf(l->text[0], NUMBER_ROOM, "%" PRIu64, a);
    snprintf(l->text[1], NUMBER_ROOM, "%" PRIu64, b);
    return a != b;
}

static bool words_differ(struct likeness *l, const char *what, const char *a, const char *b) {
    l->what = what;
    snprintf(l->text[0], NUMBER_ROOM, "%s", a);
    snprintf(l->text[1], NUMBER_ROOM, "%s", b);
    return strcmp(a, b);
}

static bool can_merge(const struct index *x) {
    sito_plan plan;
    return sito_plan_like(x->f, &plan) == SITO_OK && sito_abilities(plan.kind) & SITO_CAN_MERGE;
}

static const char *strands(const struct index *x) { return x->way.canonical ? "yes" : "no"; }

/* Exact kinds grow, so their size is no matter. */
static bool differ(const struct index *a, const struct index *b, struct likeness *l) {
    sito_plan p, q;
    if (numbers_differ(l, "k", a->way.k, b->way.k)) return true;
    if (words_differ(l, "canonical", strands(a), strands(b))) return true;
    if (sito_plan_like(a->f, &p) != SITO_OK || sito_plan_like(b->f, &q) != SITO_OK) return false;
    if (words_differ(l, "kind", p.kind, q.kind)) return true;
    if (numbers_differ(l, "seed", p.seed, q.seed)) return true;
    if (a->by_key) return false;
    return numbers_differ(l, "number of cells", p.ncells, q.ncells) ||
           numbers_differ(l, "number of hashes", p.nhashes, q.nhashes) ||
           numbers_differ(l, "number of bits a cell", p.cell_bits, q.cell_bits);
}

/* ---- merge ---- */

static int merge_one(const struct kmer_options *o, struct index *into, const char *path) {
    struct index from = {0};
    struct likeness l;
    int outcome = index_open(o, path, 0, &from);
    if (outcome == DONE && can_merge(into) && differ(into, &from, &l)) {
        complain("%s: its %s is %s, and that of %s is %s; build the one with `--like` the other",
                 path, l.what, l.text[1], o->common.operands[0], l.text[0]);
        outcome = TROUBLE;
    }
    if (outcome == DONE) {
        const sito_rc rc = sito_merge(into->f, from.f);
        if (rc != SITO_OK) outcome = refused(path, rc, NULL);
    }
    sito_free(from.f);
    return stop_asked() ? STOPPED : outcome;
}

static void tell(const struct options *o, const sito_filter *f, const sito_info *info) {
    char kmers[NUMBER_ROOM], now[NUMBER_ROOM], promised[NUMBER_ROOM];
    remark("%s: at most %s k-mers", o->output, human_count(info->nkeys, kmers));
    /* k-mers in both count twice; the rate tells if there are too many, but for chance. */
    if (over_plan(f, info) && info->present_fpr > 1.1 * info->real_fpr)
        complain("%s: errs %s, more than the %s it was planned for; build for more k-mers (-n)",
                 o->output, human_rate(info->present_fpr, now),
                 human_rate(info->real_fpr, promised));
    if (!o->json) return;
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", o->output);
    report_count(&r, "merged", o->noperands);
    report_info(&r, info);
    report_end(&r);
}

int kmer_merge(struct options *o) {
    const struct kmer_options *all = all_of(o);
    struct index into = {0};
    sito_info info;
    if (!o->output)
        return complain("kmer merge: where to? give -o FILE (- is standard output)"), TROUBLE;
    if (o->json && o->output[0] == '-' && !o->output[1])
        return complain("kmer merge: standard output cannot take both the index and --json"),
               TROUBLE;
    int outcome = check_target(o->output);
    if (outcome == DONE) outcome = lock_output(o->output, o->operands, o->noperands);
    if (outcome == DONE) outcome = index_open(all, o->operands[0], 0, &into);
    for (size_t i = 1; i < o->noperands && outcome == DONE; i++)
        outcome = merge_one(all, &into, o->operands[i]);
    if (outcome == DONE) {
        const sito_rc rc = sito_look(into.f, &info);
        outcome = rc == SITO_OK ? save_filter(into.f, o->output) : refused(o->output, rc, NULL);
    }
    if (outcome == DONE) tell(o, into.f, &info);
    sito_free(into.f);
    return outcome;
}
