/* cmd_add.c - sito add: keys into a filter file. */
#include <inttypes.h>
#include <sito/linear.h>
#include <string.h>

#include "confidence.h"
#include "hasher.h"
#include "input.h"
#include "numbers.h"
#include "report.h"
#include "store.h"
#include "talk.h"

struct adding {
    const struct options *o;
    const char *path;
    sito_filter *f;
    bool by_key, by_confidence;
    uint64_t asked, fresh, known, full; /* full: found no room */
    uint64_t unsure;                    /* not stored: no level is so low */
    struct batch *batch;
    struct hasher hasher;
};

static int no_room(struct adding *a, size_t i, sito_rc rc) {
    if (rc != SITO_EFULL) return refused(a->path, rc, NULL);
    if (a->o->partial) return a->full++, DONE;
    complain("%s:%" PRIu64 ": no room for this key in %s; build that for more keys (-n), or give "
             "--partial to keep what finds room",
             a->batch->name, a->batch->first_line + i, a->path);
    return SHORT;
}

static int add_by_key(struct adding *a) {
    for (size_t i = 0; i < a->batch->n; i++) {
        const int answer = sito_add(a->f, a->batch->keys[i], a->batch->lens[i]);
        if (answer >= 0) {
            *(answer ? &a->fresh : &a->known) += 1;
            continue;
        }
        const int outcome = no_room(a, i, answer);
        if (outcome != DONE) return outcome;
    }
    return DONE;
}

static int add_by_confidence(struct adding *a) {
    for (size_t i = 0; i < a->batch->n; i++) {
        const void *key = a->batch->keys[i];
        size_t length;
        double c;
        const int outcome = read_confidence(a->batch, i, &length, &c);
        if (outcome != DONE) return outcome;
        const bool known = sito_maybe(a->f, key, length);
        const int answer = sito_linear_put(a->f, key, length, c);
        if (answer < 0) return refused(a->path, answer, NULL);
        *(!answer ? &a->unsure : known ? &a->known : &a->fresh) += 1;
    }
    return DONE;
}

/* A batch stops at the first key that is refused; with --partial the next one is tried. */
static int add_by_hash(struct adding *a) {
    const struct batch *b = a->batch;
    int8_t *answers = (int8_t *)b->answers;
    size_t at = 0;
    while (at < b->n) {
        size_t done = 0;
        const sito_rc rc = sito_add_many(a->f, b->hashes + at, b->n - at, answers, &done);
        for (size_t i = 0; i < done; i++) *(answers[i] ? &a->fresh : &a->known) += 1;
        at += done;
        if (rc == SITO_OK) break;
        const int outcome = no_room(a, at, rc);
        if (outcome != DONE) return outcome;
        at++;
    }
    return DONE;
}

static int add_all(struct adding *a, struct input *in) {
    int more;
    while ((more = input_next(in, &a->batch)) > 0) {
        const int outcome = a->by_confidence ? add_by_confidence(a)
                            : a->by_key      ? add_by_key(a)
                                             : add_by_hash(a);
        if (outcome != DONE) return outcome;
        progress(a->asked += a->batch->n);
    }
    return more == 0 ? DONE : stop_asked() ? STOPPED : TROUBLE;
}

/* Is what the filter promised still true? */
static int judge(const struct adding *a, const sito_info *info) {
    char keys[NUMBER_ROOM], planned[NUMBER_ROOM], now[NUMBER_ROOM];
    if (a->full)
        complain("%s: %s keys found no room; build it again for more keys (-n)", a->path,
                 human_count(a->full, keys));
    if (!over_plan(a->f, info)) return a->full ? SHORT : DONE;
    const bool counted = info->nkeys > info->capacity;
    complain(
        "%s: with these it %s %s keys, planned were %s: the rate %s %s; build it again for more "
        "keys (-n)%s",
        a->path, a->o->partial ? "has" : "would have",
        counted ? human_count(info->nkeys, keys) : "more", human_count(info->capacity, planned),
        a->o->partial ? "is" : "would be", human_rate(info->present_fpr, now),
        a->o->partial ? "" : ", or give --partial to add them all the same");
    return SHORT;
}

static void tell(const struct adding *a, const sito_info *info) {
    char fresh[NUMBER_ROOM], known[NUMBER_ROOM];
    remark("%s: %s keys were new, %s perhaps known", a->path, human_count(a->fresh, fresh),
           human_count(a->known, known));
    tell_unsure(a->path, a->unsure);
    if (!a->o->json) return;
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", a->path);
    report_count(&r, "asked", a->asked);
    report_count(&r, "new", a->fresh);
    report_count(&r, "perhaps_known", a->known);
    report_count(&r, "refused", a->full);
    report_info(&r, info);
    report_end(&r);
}

static int add(struct adding *a, struct input *in) {
    sito_info info;
    int outcome = add_all(a, in);
    if (outcome != DONE) return outcome;
    const sito_rc rc = sito_look(a->f, &info);
    if (rc != SITO_OK) return refused(a->path, rc, NULL);
    const int kept = a->asked ? judge(a, &info) : DONE;
    if (kept == SHORT && !a->o->partial) return SHORT;
    if (a->asked > a->full) outcome = save_filter(a->f, a->path);
    if (outcome != DONE) return outcome;
    tell(a, &info);
    return kept;
}

int cmd_add(struct options *o) {
    struct adding a = {.o = o, .path = o->operands[0]};
    struct input *in = NULL;
    int outcome = open_to_change(o, SITO_CAN_ADD, &a.f, &a.hasher);
    if (outcome == DONE) outcome = check_keys_are_lines(a.path, a.f);
    if (outcome == DONE) {
        sito_info info;
        a.by_key = keeps_keys(a.f);
        a.by_confidence = sito_look(a.f, &info) == SITO_OK && has_confidences(info.kind);
        in = input_new(o->operands + 1, o->noperands - 1, o->nul, 0);
        if (in && !a.by_key && !a.by_confidence) input_work(in, hasher_work, &a.hasher);
        outcome = in ? add(&a, in) : TROUBLE;
    }
    input_free(in);
    hasher_free(&a.hasher);
    sito_free(a.f);
    return outcome;
}
