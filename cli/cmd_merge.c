/* cmd_merge.c - sito merge: one filter of several. Their keys are not needed, so keyed ones open
 * without. */
#include "numbers.h"
#include "report.h"
#include "store.h"
#include "talk.h"

static int merge_all(const struct options *o, sito_filter *into) {
    for (size_t i = 1; i < o->noperands; i++) {
        sito_filter *from = NULL;
        int outcome = open_filter(o->operands[i], SITO_NOKEY, NULL, &from);
        if (outcome == DONE)
            outcome = check_keys_are_alike(o->operands[0], into, o->operands[i], from);
        const sito_rc rc = outcome == DONE ? sito_merge(into, from) : SITO_OK;
        sito_free(from);
        if (rc != SITO_OK) outcome = refused(o->operands[i], rc, NULL);
        if (outcome != DONE) return outcome;
        if (stop_asked()) return STOPPED;
    }
    return DONE;
}

static void tell(const struct options *o, const sito_filter *f, const sito_info *info) {
    char keys[NUMBER_ROOM], rate[NUMBER_ROOM], promised[NUMBER_ROOM];
    remark("%s: %s keys, errs %s", o->output, human_count(info->nkeys, keys),
           human_rate(info->present_fpr, rate));
    /* The sum of keys counts those in both twice: so the rate tells if it is too much, and a filter
     * filled just to its plan may be some percent off by chance. */
    if (over_plan(f, info) && info->present_fpr > 1.1 * info->real_fpr)
        complain(
            "%s: errs %s, more than the %s it was planned for; for less, build for more keys (-n)",
            o->output, human_rate(info->present_fpr, rate), human_rate(info->real_fpr, promised));
    if (!o->json) return;
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", o->output);
    report_count(&r, "merged", o->noperands);
    report_info(&r, info);
    report_end(&r);
}

int cmd_merge(struct options *o) {
    sito_filter *into = NULL;
    sito_info info;
    if (!o->output)
        return complain("merge: where to? give -o FILE (- is standard output)"), TROUBLE;
    if (o->json && o->output[0] == '-' && !o->output[1])
        return complain("merge: standard output cannot take both the filter and --json"), TROUBLE;
    int outcome = check_target(o->output);
    if (outcome == DONE) outcome = lock_output(o->output, o->operands, o->noperands);
    if (outcome == DONE) outcome = open_filter(o->operands[0], SITO_NOKEY, NULL, &into);
    if (outcome == DONE) outcome = merge_all(o, into);
    if (outcome == DONE) {
        const sito_rc rc = sito_look(into, &info);
        outcome = rc == SITO_OK ? save_filter(into, o->output) : refused(o->operands[0], rc, NULL);
    }
    if (outcome == DONE) tell(o, into, &info);
    sito_free(into);
    return outcome;
}
