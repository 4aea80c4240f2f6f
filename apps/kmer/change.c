/*
 * change.c - sito kmer add and remove: the k-mers of more sequences into an index, or out of it.
 *
 * Each distinct k-mer of the inputs counts once: so removing what was added, with the same inputs in
 * one command, undoes it, even for k-mers that other sequences share.
 */
#include <sito/exact.h>

#include "../../cli/numbers.h"
#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "index.h"

struct change {
    const struct kmer_options *o;
    const char *path;
    struct index x;
    struct found found;
    uint64_t missing;
};

static int gather(struct change *c) {
    const struct options *o = &c->o->common;
    return find_kmers(&c->x.way, c->x.by_key ? SITO_EXACT : NULL, o->operands + 1, o->noperands - 1,
                      &c->found);
}

static void tell(const struct change *c, const char *did, const sito_info *info) {
    const struct options *o = &c->o->common;
    char kmers[NUMBER_ROOM];
    remark("%s: %s k-mers %s", c->path, human_count(c->found.distinct, kmers), did);
    if (!o->json) return;
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", c->path);
    report_count(&r, "records", c->found.records);
    report_count(&r, "kmers", c->found.kmers);
    report_count(&r, did, c->found.distinct);
    report_count(&r, "other_letters", c->found.breaks);
    report_info(&r, info);
    report_end(&r);
}

/* ---- in ---- */

static int add_key(void *self, const void *key, size_t len, uint64_t count, uint64_t value) {
    (void)count, (void)value;
    const int rc = sito_add(self, key, len);
    return rc < 0 ? rc : 0;
}

static int no_room(const struct change *c, const sito_info *info) {
    char kmers[NUMBER_ROOM], planned[NUMBER_ROOM];
    complain(
        "%s: was planned for %s k-mers, and has no room for %s more; nothing is written; build "
        "it again for more (-n)",
        c->path, human_count(info->capacity, planned), human_count(c->found.distinct, kmers));
    return SHORT;
}

/* In kinds that cannot remove, a k-mer that is in already takes no room, and is not counted. */
static int add_all(struct change *c) {
    sito_info info;
    const sito_rc rc = c->x.by_key
                           ? sito_exact_each(c->found.exact, add_key, c->x.f)
                           : sito_add_many(c->x.f, c->found.pile.all, c->found.pile.n, NULL, NULL);
    if (rc != SITO_OK && rc != SITO_EFULL) return refused(c->path, rc, NULL);
    const sito_rc looked = sito_look(c->x.f, &info);
    if (looked != SITO_OK) return refused(c->path, looked, NULL);
    if (rc == SITO_EFULL || (!c->x.way.numbers && over_plan(c->x.f, &info)))
        return no_room(c, &info);
    if (stop_asked()) return STOPPED;
    const int outcome = save_filter(c->x.f, c->path);
    if (outcome == DONE) tell(c, "added", &info);
    return outcome;
}

int kmer_add(struct options *o) {
    struct change c = {.o = all_of(o), .path = o->operands[0]};
    int outcome = index_open_to_change(all_of(o), SITO_CAN_ADD, &c.x);
    if (outcome == DONE) outcome = gather(&c);
    if (outcome == DONE) outcome = add_all(&c);
    found_free(&c.found);
    sito_free(c.x.f);
    return outcome;
}

/* ---- out ---- */

static int miss_key(void *self, const void *key, size_t len, uint64_t count, uint64_t value) {
    struct change *c = self;
    (void)count, (void)value;
    c->missing += !sito_maybe(c->x.f, key, len);
    return 0;
}

static void count_missing(struct change *c) {
    if (c->x.by_key) sito_exact_each(c->found.exact, miss_key, c);
    else
        for (size_t i = 0; i < c->found.pile.n; i++)
            c->missing += !sito_maybe_hash(c->x.f, c->found.pile.all[i]);
}

static int remove_key(void *self, const void *key, size_t len, uint64_t count, uint64_t value) {
    (void)count, (void)value;
    const int rc = sito_remove(self, key, len);
    return rc < 0 ? rc : 0;
}

/* Whatever is surely not inside was never added: then the rest may be another sequence's, and is
 * better left alone. */
static int remove_all(struct change *c) {
    sito_info info;
    char missing[NUMBER_ROOM], all[NUMBER_ROOM];
    count_missing(c);
    if (c->missing) {
        complain(
            "%s: %s of the %s k-mers are not inside, so these sequences were not added; nothing "
            "is removed",
            c->path, human_count(c->missing, missing), human_count(c->found.distinct, all));
        return c->missing == c->found.distinct ? NOTHING : TROUBLE;
    }
    sito_rc rc = c->x.by_key
                     ? sito_exact_each(c->found.exact, remove_key, c->x.f)
                     : sito_remove_many(c->x.f, c->found.pile.all, c->found.pile.n, NULL, NULL);
    if (rc == SITO_OK) rc = sito_look(c->x.f, &info);
    if (rc != SITO_OK) return refused(c->path, rc, NULL);
    if (stop_asked()) return STOPPED;
    const int outcome = save_filter(c->x.f, c->path);
    if (outcome == DONE) tell(c, "removed", &info);
    return outcome;
}

int kmer_remove(struct options *o) {
    struct change c = {.o = all_of(o), .path = o->operands[0]};
    int outcome = index_open_to_change(all_of(o), SITO_CAN_REMOVE, &c.x);
    if (outcome == DONE) outcome = gather(&c);
    if (outcome == DONE) outcome = remove_all(&c);
    found_free(&c.found);
    sito_free(c.x.f);
    return outcome;
}
