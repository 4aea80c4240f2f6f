/* cmd_remove.c - sito remove: keys out of a filter file. */

#include "hasher.h"
#include "input.h"
#include "numbers.h"
#include "report.h"
#include "store.h"
#include "talk.h"

struct removing {
    const char *path;
    sito_filter *f;
    bool by_key;
    uint64_t asked, removed;
    struct hasher hasher;
};

static sito_rc remove_batch(struct removing *r, const struct batch *b) {
    int8_t *answers = (int8_t *)b->answers;
    if (!r->by_key) {
        const sito_rc rc = sito_remove_many(r->f, b->hashes, b->n, answers, NULL);
        if (rc != SITO_OK) return rc;
    }
    for (size_t i = 0; i < b->n; i++) {
        const int answer = r->by_key ? sito_remove(r->f, b->keys[i], b->lens[i]) : answers[i];
        if (answer < 0) return answer;
        r->removed += answer != 0;
    }
    r->asked += b->n;
    return SITO_OK;
}

static int remove_all(struct removing *r, struct input *in) {
    struct batch *b;
    int more;
    while ((more = input_next(in, &b)) > 0) {
        const sito_rc rc = remove_batch(r, b);
        if (rc != SITO_OK) return refused(r->path, rc, NULL);
        progress(r->asked);
    }
    if (more < 0) return stop_asked() ? STOPPED : TROUBLE;
    return r->removed ? save_filter(r->f, r->path) : DONE;
}

static int tell(const struct removing *r, bool json) {
    char removed[NUMBER_ROOM], absent[NUMBER_ROOM];
    sito_info info;
    remark("%s: %s keys removed, %s not there", r->path, human_count(r->removed, removed),
           human_count(r->asked - r->removed, absent));
    if (!json) return DONE;
    const sito_rc rc = sito_look(r->f, &info);
    if (rc != SITO_OK) return refused(r->path, rc, NULL);
    struct report out;
    report_begin(&out, true);
    report_text(&out, "file", r->path);
    report_count(&out, "asked", r->asked);
    report_count(&out, "removed", r->removed);
    report_count(&out, "not_there", r->asked - r->removed);
    report_info(&out, &info);
    report_end(&out);
    return DONE;
}

int cmd_remove(struct options *o) {
    struct removing r = {.path = o->operands[0]};
    struct input *in = NULL;
    int outcome = open_to_change(o, SITO_CAN_REMOVE, &r.f, &r.hasher);
    if (outcome == DONE) outcome = check_keys_are_lines(r.path, r.f);
    if (outcome == DONE) {
        r.by_key = keeps_keys(r.f);
        in = input_new(o->operands + 1, o->noperands - 1, o->nul, 0);
        if (in && !r.by_key) input_work(in, hasher_work, &r.hasher);
        outcome = in ? remove_all(&r, in) : TROUBLE;
    }
    if (outcome == DONE) outcome = tell(&r, o->json);
    if (outcome == DONE && r.removed == 0) outcome = NOTHING;
    input_free(in);
    hasher_free(&r.hasher);
    sito_free(r.f);
    return outcome;
}
