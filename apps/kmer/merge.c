/* merge.c - sito kmer merge: one index of several made alike. */
#include "../../cli/numbers.h"
#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "index.h"

static int merge_one(const struct kmer_options *o, struct index *into, const char *path) {
    struct index from = {0};
    int outcome = index_open(o, path, 0, &from);
    if (outcome == DONE &&
        (from.way.k != into->way.k || from.way.canonical != into->way.canonical)) {
        complain(
            "%s: its k-mers are others than those of %s; build the one with `--like` the other",
            path, o->common.operands[0]);
        outcome = TROUBLE;
    }
    if (outcome == DONE) {
        const sito_rc rc = sito_merge(into->f, from.f);
        if (rc != SITO_OK) outcome = refused(path, rc, NULL);
    }
    sito_free(from.f);
    return stop_asked() ? STOPPED : outcome;
}

static void tell(const struct options *o, const sito_info *info) {
    char kmers[NUMBER_ROOM], now[NUMBER_ROOM], promised[NUMBER_ROOM];
    remark("%s: at most %s k-mers", o->output, human_count(info->nkeys, kmers));
    /* k-mers in both count twice; the rate tells if there are too many, but for chance. */
    if (over_plan(info) && info->present_fpr > 1.1 * info->real_fpr)
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
    if (outcome == DONE) outcome = index_open(all, o->operands[0], 0, &into);
    for (size_t i = 1; i < o->noperands && outcome == DONE; i++)
        outcome = merge_one(all, &into, o->operands[i]);
    if (outcome == DONE) {
        const sito_rc rc = sito_look(into.f, &info);
        outcome = rc == SITO_OK ? save_filter(into.f, o->output) : refused(o->output, rc, NULL);
    }
    if (outcome == DONE) tell(o, &info);
    sito_free(into.f);
    return outcome;
}
