/*
 * cmd_build.c - sito build: keys in, a filter file out.
 *
 * Two ways, by what the kind must know before its first key:
 *   stream    bit kinds and exact ones, once there is a size: key by key, nothing is kept
 *   gather    all others, and those without a size: keep the hashes, 8 bytes a key, then build at
 * once; or, if there are many and they can be read again, only count them, and stream
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <sito/fuse.h>
#include <sito/linear.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "confidence.h"
#include "hasher.h"
#include "hashes.h"
#include "input.h"
#include "numbers.h"
#include "report.h"
#include "store.h"
#include "talk.h"
#include "values.h"
#include "wish.h"

/* Where keys can be read twice, counting lines costs less than keeping more hashes than this. */
#define KEPT_AT_MOST ((size_t)1 << 20)

enum { REMEDY_ROOM = 64 };

struct work {
    const struct options *o;
    sito_plan plan;
    struct input *in;
    sito_filter *f;
    uint64_t nread;    /* keys read, with repetitions */
    uint64_t left_out; /* distinct keys that --partial gave up */
    bool over_limit;   /* for want of bytes, not of a larger -n */
    struct hashes out; /* of those left out while streaming: one that comes again counts once */
    uint64_t unsure;   /* not stored: no level is so low */
    struct batch *batch;
    struct hasher hasher;
};

static bool has_values(const struct work *w) { return w->o->values || w->plan.value_bits; }

static int trouble(void) { return stop_asked() ? STOPPED : TROUBLE; }

/* A scalable filter whose layers can remove: it is made by adding, but each key once. */
static bool keeps_copies(const sito_plan *plan) {
    return !strcmp(plan->kind, SITO_SCALABLE) && plan->layer && !strcmp(plan->layer, SITO_CUCKOO);
}

/* Kinds that take keys one by one and lose nothing when one comes twice: exact kinds ask before
 * they add; in bit kinds an add of a known key changes nothing. In the others it would be stored
 * again. */
static bool streams(const sito_plan *plan) {
    const unsigned can = sito_abilities(plan->kind);
    if (keeps_copies(plan)) return false;
    if (!(can & SITO_CAN_BUILD)) return true;
    return can & SITO_CAN_ADD && (!(can & SITO_CAN_REMOVE) || !strcmp(plan->kind, SITO_BITMAP));
}

static int no_memory(const struct work *w) {
    const bool needless = streams(&w->plan) && !is_sized(&w->plan);
    complain("no memory for the hashes of the keys%s",
             needless ? "; give -n to build without keeping them" : "");
    return TROUBLE;
}

/* ---- the plan ---- */

static int draw_seed(sito_plan *plan) {
    while (!plan->seed && !plan->key)
        if (getrandom(&plan->seed, sizeof plan->seed, 0) != sizeof plan->seed && errno != EINTR) {
            complain("no random seed to be had: %s; give one with --seed", strerror(errno));
            return TROUBLE;
        }
    return DONE;
}

/* --like takes everything from a filter; so nothing else may be wished. */
static int plan_like(struct work *w, const sito_key *key, sito_filter **model) {
    static const sito_plan nothing;
    sito_plan wish = w->o->wish;
    wish.threads = 0;
    if (memcmp(&wish, &nothing, sizeof wish)) {
        complain("--like takes kind, rate, size and seed from %s; leave other wishes out",
                 w->o->like);
        return TROUBLE;
    }
    int outcome = open_filter(w->o->like, 0, key, model);
    if (outcome == DONE) outcome = check_keys_are_lines(w->o->like, *model);
    if (outcome != DONE) return outcome;
    const sito_rc rc = sito_plan_like(*model, &w->plan);
    w->plan.threads = w->o->wish.threads;
    return rc == SITO_OK ? DONE : not_alike(w->o->like, rc);
}

static int plan_wish(struct work *w, const sito_key *key) {
    w->plan = w->o->wish;
    w->plan.key = key;
    const int outcome = settle_kind(&w->plan);
    return outcome == DONE ? draw_seed(&w->plan) : outcome;
}

/* Room for `nkeys`, if the wish left it open; and an empty filter is one for a single key. */
static int settle_size(struct work *w, uint64_t nkeys) {
    if (!is_sized(&w->plan)) w->plan.nkeys = nkeys ? nkeys : 1;
    return solve(&w->plan);
}

/* ---- one pass, nothing kept ---- */

static int next_batch(struct work *w) {
    const int more = input_next(w->in, &w->batch);
    if (more > 0) progress(w->nread += w->batch->n);
    return more;
}

/* Kinds that grow stop at --max-bytes: --partial goes on without this key. */
static int no_room(struct work *w, sito_rc rc, uint64_t hash) {
    const bool is_full = rc == SITO_ELIMIT || rc == SITO_EFULL;
    if (!is_full || !w->o->partial) return refused(w->batch->name, rc, NULL);
    w->over_limit |= rc == SITO_ELIMIT;
    return hashes_push(&w->out, &hash, 1) ? DONE : no_memory(w);
}

static int stream_keys(struct work *w) {
    int more, outcome = DONE;
    while (outcome == DONE && (more = next_batch(w)) > 0)
        for (size_t i = 0; i < w->batch->n && outcome == DONE; i++) {
            const void *key = w->batch->keys[i];
            const size_t length = w->batch->lens[i];
            if (sito_maybe(w->f, key, length)) continue; /* a set: each key once */
            const int rc = sito_add(w->f, key, length);
            if (rc < 0) outcome = no_room(w, rc, sito_hash_key(w->f, key, length));
        }
    return outcome != DONE ? outcome : more < 0 ? trouble() : DONE;
}

/* A batch stops at the first key that is refused. Then most are, and are tried one by one: a filter
 * would look ahead at many for each. */
static int stream_batch(struct work *w) {
    const uint64_t *hashes = w->batch->hashes;
    int outcome = DONE;
    for (size_t at = 0, done = 0; at < w->batch->n && outcome == DONE; at += done) {
        const size_t n = w->out.n ? 1 : w->batch->n - at;
        const sito_rc rc = sito_add_many(w->f, hashes + at, n, NULL, &done);
        if (rc == SITO_OK) continue;
        outcome = no_room(w, rc, hashes[at + done]);
        done++;
    }
    return outcome;
}

static int stream_hashes(struct work *w) {
    int more, outcome = DONE;
    w->hasher.bits = hasher_bits(&w->plan);
    input_work(w->in, hasher_work, &w->hasher);
    while (outcome == DONE && (more = next_batch(w)) > 0) outcome = stream_batch(w);
    return outcome != DONE ? outcome : more < 0 ? trouble() : DONE;
}

static int stream_into_new(struct work *w) {
    const sito_rc rc = sito_new(&w->plan, NULL, &w->f);
    if (rc != SITO_OK) return refused(w->o->output, rc, NULL);
    const int outcome = kind_keeps_keys(w->plan.kind) ? stream_keys(w) : stream_hashes(w);
    hashes_sort_distinct(&w->out);
    w->left_out = w->out.n;
    return outcome;
}

/* A kind that grows began with room for one key, and its plan says so still: the keys move to one
 * that was planned for them. Kinds that cannot merge stay as they are. */
static int fit(struct work *w, const sito_plan *wish) {
    sito_info info;
    sito_filter *fitting = NULL;
    sito_rc rc = sito_look(w->f, &info);
    if (rc != SITO_OK) return refused(w->o->output, rc, NULL);
    if (!(info.can & SITO_CAN_MERGE) || !info.nkeys) return DONE;
    w->plan = *wish;
    const int outcome = settle_size(w, info.nkeys);
    if (outcome != DONE) return outcome;
    rc = sito_new(&w->plan, NULL, &fitting);
    if (rc == SITO_OK) rc = sito_merge(fitting, w->f);
    if (rc != SITO_OK) {
        sito_free(fitting);
        return refused(w->o->output, rc, NULL);
    }
    sito_free(w->f);
    w->f = fitting;
    return DONE;
}

/* ---- gather, then build ---- */

/* Keep the hashes of the keys, as long as there are at most `limit`; *all tells if that was all. */
static int gather(struct work *w, size_t limit, struct hashes *kept, bool *all) {
    int more = 0;
    w->hasher.bits = 64;
    input_work(w->in, hasher_work, &w->hasher);
    while (kept->n <= limit && (more = next_batch(w)) > 0)
        if (!hashes_push(kept, w->batch->hashes, w->batch->n)) return no_memory(w);
    *all = more == 0;
    return more < 0 ? trouble() : DONE;
}

/* Past its plan it errs more, but has room for any number. */
static bool goes_on(const sito_plan *plan) { return !strcmp(plan->kind, SITO_COUNTING); }

/* What to ask for, that so many keys may go in: it depends on what was asked for. 0: who knows how
 * many. */
static const char *remedy(const struct work *w, uint64_t nkeys, char room[REMEDY_ROOM]) {
    const sito_plan *wish = &w->o->wish;
    sito_plan more = *wish;
    if (w->o->like) return "build the model for more keys (-n)";
    if (w->over_limit) return "allow more with --max-bytes";
    if (wish->ncells && !wish->nkeys) return "give more --cells";
    if (wish->max_bytes && !wish->nkeys) return "allow more with --max-bytes";
    if (!nkeys) return "give a larger -n";
    more.kind = w->plan.kind, more.nkeys = nkeys;
    const char *also = sito_plan_solve(&more) != SITO_ELIMIT ? ""
                       : wish->ncells                        ? " and more --cells"
                                                             : " and more --max-bytes";
    snprintf(room, REMEDY_ROOM, "give -n %" PRIu64 "%s", nkeys, also);
    return room;
}

static int too_many(const struct work *w, uint64_t nkeys) {
    char came[NUMBER_ROOM], planned[NUMBER_ROOM], room[REMEDY_ROOM];
    const char *partial = has_values(w)       ? ""
                          : goes_on(&w->plan) ? ", or --partial to have them at a higher rate"
                                              : ", or --partial for as many as were planned";
    complain("%s: %s keys came and %s were planned; %s%s", w->o->output, human_count(nkeys, came),
             human_count(w->plan.nkeys, planned), remedy(w, nkeys, room), partial);
    return SHORT;
}

/* So many were tried, and some found no room. */
static int full(const struct work *w, uint64_t nkeys) {
    char came[NUMBER_ROOM], room[REMEDY_ROOM];
    complain("%s: not all of %s keys find room; %s, or --partial for those that do", w->o->output,
             human_count(nkeys, came),
             w->o->wish.ncells ? "give more --cells" : remedy(w, 0, room));
    return SHORT;
}

/* Keep as many as were planned. Of those in hash order evenly: the first would all lie in one end
 * of the table. */
static void leave_out(struct work *w, struct hashes *kept, bool in_order) {
    const uint64_t n = w->plan.nkeys;
    const double step = in_order ? 1 : (double)kept->n / (double)n;
    for (uint64_t i = 0; i < n; i++) kept->all[i] = kept->all[(size_t)((double)i * step)];
    w->left_out = kept->n - n;
    kept->n = (size_t)n;
}

/* A table of a given size may be full before the last key, or a limit reached: --partial takes all
 * that go in. */
static int build_what_goes_in(struct work *w, const struct hashes *kept) {
    sito_rc rc = sito_new(&w->plan, NULL, &w->f);
    for (size_t i = 0; i < kept->n && rc == SITO_OK; i++) {
        const int answer = sito_add_hash(w->f, kept->all[i]);
        const bool over_limit = answer == SITO_ELIMIT && w->o->partial;
        if (answer == SITO_EFULL || over_limit) w->left_out++, w->over_limit |= over_limit;
        else if (answer < 0) rc = answer;
        if (i % 4096 == 0 && stop_asked()) return STOPPED;
    }
    return rc == SITO_OK ? DONE : refused(w->o->output, rc, NULL);
}

static int build_kept(struct work *w, struct hashes *kept) {
    const bool adds = !(sito_abilities(w->plan.kind) & SITO_CAN_BUILD);
    const bool in_order = adds || !strcmp(w->plan.kind, SITO_CUCKOO); /* who comes first chooses */
    if (in_order && !hashes_distinct(kept)) return no_memory(w);
    if (!in_order) hashes_sort_distinct(kept);
    const sito_plan wish = w->plan;
    int outcome = settle_size(w, kept->n);
    if (in_order && wish.ncells && !wish.nkeys && outcome == DONE && kept->n > w->plan.nkeys) {
        /* More than such a table is sure to hold: it is tried, for these keys. */
        const bool fewer = w->o->partial && kept->n > wish.ncells;
        w->plan = wish;
        w->plan.nkeys = fewer ? wish.ncells : kept->n;
        outcome = settle_size(w, kept->n);
    }
    if (outcome != DONE) return outcome;
    const unsigned bits = hasher_bits(&w->plan);
    if (bits < 64) {
        for (size_t i = 0; i < kept->n; i++) kept->all[i] = top_bits(kept->all[i], bits);
    } else if (kept->n > w->plan.nkeys && !adds) {
        if (!w->o->partial) return too_many(w, kept->n);
        if (!goes_on(&w->plan)) leave_out(w, kept, in_order);
    }
    w->plan.watch = stop_watch;
    if (adds) return build_what_goes_in(w, kept);
    const sito_rc rc = sito_build(&w->plan, NULL, kept->all, kept->n, &w->f);
    if (rc == SITO_EFULL) return w->o->partial ? build_what_goes_in(w, kept) : full(w, kept->n);
    return rc == SITO_OK ? DONE : refused(w->o->output, rc, NULL);
}

/* How many keys are there? Distinct ones if all hashes could be kept, else lines. Then back to the
 * start. */
static int measure(struct work *w, struct hashes *kept, bool all, uint64_t *nkeys) {
    if (all) hashes_sort_distinct(kept);
    *nkeys = kept->n;
    hashes_free(kept);
    if (!all && input_count_rest(w->in, nkeys) < 0) return trouble();
    w->nread = 0;
    return input_rewind(w->in) ? DONE : trouble();
}

/* Kinds that can take their keys one by one, from input that can be read twice, keep hashes only up
 * to a limit: beyond, lines are counted and the keys read again. Exact kinds need more than hashes,
 * and always do. */
static int gather_and_build(struct work *w, bool streams) {
    struct hashes kept = {0};
    bool all = false;
    uint64_t nkeys;
    const bool again = streams && input_rereadable(w->in);
    const size_t limit = again ? KEPT_AT_MOST : SIZE_MAX;
    int outcome = gather(w, limit, &kept, &all);
    if (outcome == DONE && all && !kind_keeps_keys(w->plan.kind)) {
        outcome = build_kept(w, &kept);
    } else if (outcome == DONE) {
        outcome = measure(w, &kept, all, &nkeys);
        if (outcome == DONE) outcome = settle_size(w, nkeys);
        if (outcome == DONE) outcome = stream_into_new(w);
    }
    hashes_free(&kept);
    return outcome;
}

/* ---- keys with confidences ---- */

/* As they come, into a filter that has its size. */
static int put_lines(struct work *w) {
    int more, answer;
    while ((more = next_batch(w)) > 0)
        for (size_t i = 0; i < w->batch->n; i++) {
            size_t length;
            double c;
            if (read_confidence(w->batch, i, &length, &c) != DONE) return TROUBLE;
            answer = sito_linear_put(w->f, w->batch->keys[i], length, c);
            if (answer < 0) return refused(w->batch->name, answer, NULL);
            w->unsure += answer == 0;
        }
    return more < 0 ? trouble() : DONE;
}

/* Hash and confidence of each, in the order they came. */
static int keep_lines(struct work *w, struct hashes *kept, struct hashes *shares) {
    int more;
    while ((more = next_batch(w)) > 0)
        for (size_t i = 0; i < w->batch->n; i++) {
            size_t length;
            double c;
            uint64_t hash, bits;
            if (read_confidence(w->batch, i, &length, &c) != DONE) return TROUBLE;
            hash = sito_hash_key(w->hasher.tiny, w->batch->keys[i], length);
            memcpy(&bits, &c, sizeof bits);
            if (!hashes_push(kept, &hash, 1) || !hashes_push(shares, &bits, 1)) return no_memory(w);
        }
    return more < 0 ? trouble() : DONE;
}

static int put_kept(struct work *w, const struct hashes *kept, const struct hashes *shares) {
    struct hashes distinct = {0};
    if (kept->n && !hashes_push(&distinct, kept->all, kept->n)) return no_memory(w);
    hashes_sort_distinct(&distinct);
    int outcome = settle_size(w, distinct.n);
    hashes_free(&distinct);
    if (outcome != DONE) return outcome;
    const sito_rc rc = sito_new(&w->plan, NULL, &w->f);
    if (rc != SITO_OK) return refused(w->o->output, rc, NULL);
    for (size_t i = 0; i < kept->n; i++) {
        double c;
        memcpy(&c, &shares->all[i], sizeof c);
        const int answer = sito_linear_put_hash(w->f, kept->all[i], c);
        if (answer < 0) return refused(w->o->output, answer, NULL);
        w->unsure += answer == 0;
        if (i % 4096 == 0 && stop_asked()) return STOPPED;
    }
    return DONE;
}

static int build_confidences(struct work *w) {
    if (is_sized(&w->plan)) {
        const int outcome = settle_size(w, 0);
        if (outcome != DONE) return outcome;
        const sito_rc rc = sito_new(&w->plan, NULL, &w->f);
        return rc == SITO_OK ? put_lines(w) : refused(w->o->output, rc, NULL);
    }
    struct hashes kept = {0}, shares = {0};
    int outcome = keep_lines(w, &kept, &shares);
    if (outcome == DONE) outcome = put_kept(w, &kept, &shares);
    hashes_free(&kept);
    hashes_free(&shares);
    return outcome;
}

/* ---- keys with values ---- */

static int check_values(const struct work *w) {
    if (strcmp(w->plan.kind, SITO_FUSE))
        return complain("build: %s keeps no values; only -k fuse does", w->plan.kind), TROUBLE;
    if (w->o->like && !w->plan.value_bits)
        return complain("build: %s keeps no values; leave --values out", w->o->like), TROUBLE;
    if (w->o->partial)
        return complain("build: --partial would leave values out; give one of the two"), TROUBLE;
    return DONE;
}

/* Hash and value of each, in the order they came; and the largest value. */
static int keep_values(struct work *w, struct hashes *kept, struct hashes *values, uint32_t *most) {
    int more;
    while ((more = next_batch(w)) > 0)
        for (size_t i = 0; i < w->batch->n; i++) {
            size_t length;
            uint32_t value;
            if (read_value(w->batch, i, w->plan.value_bits, &length, &value) != DONE)
                return TROUBLE;
            const uint64_t hash = sito_hash_key(w->hasher.tiny, w->batch->keys[i], length);
            const uint64_t wide = value;
            if (!hashes_push(kept, &hash, 1) || !hashes_push(values, &wide, 1)) return no_memory(w);
            if (value > *most) *most = value;
        }
    return more < 0 ? trouble() : DONE;
}

/* In place: the library takes half as wide ones. */
static const uint32_t *narrowed(struct hashes *values) {
    for (size_t i = 0; i < values->n; i++) {
        const uint32_t value = (uint32_t)values->all[i];
        memcpy((char *)values->all + i * sizeof value, &value, sizeof value);
    }
    return (const uint32_t *)(const void *)values->all;
}

static int two_values(const struct work *w, const struct hashes *kept, const uint32_t *values) {
    char where[96] = "";
    size_t at[2];
    if (values_clash(kept->all, values, kept->n, at))
        snprintf(where, sizeof where, ", in lines %zu and %zu of the input", at[0] + 1, at[1] + 1);
    complain("%s: a key came twice, with two values%s; leave one of them out", w->o->output, where);
    return TROUBLE;
}

static int build_kept_values(struct work *w, struct hashes *kept, struct hashes *values) {
    struct hashes distinct = {0};
    if (kept->n && !hashes_push(&distinct, kept->all, kept->n)) return no_memory(w);
    hashes_sort_distinct(&distinct);
    const size_t ndistinct = distinct.n;
    hashes_free(&distinct);
    const int outcome = settle_size(w, ndistinct);
    if (outcome != DONE) return outcome;
    if (ndistinct > w->plan.nkeys) return too_many(w, ndistinct);
    w->plan.watch = stop_watch;
    const uint32_t *narrow = narrowed(values);
    const sito_rc rc = sito_fuse_build(&w->plan, NULL, kept->all, narrow, kept->n, &w->f);
    if (rc == SITO_OK) return DONE;
    return rc == SITO_EINVAL ? two_values(w, kept, narrow) : refused(w->o->output, rc, NULL);
}

static int build_values(struct work *w) {
    struct hashes kept = {0}, values = {0};
    uint32_t most = 0;
    int outcome = check_values(w);
    if (outcome == DONE) outcome = keep_values(w, &kept, &values, &most);
    if (outcome == DONE && !w->plan.value_bits) w->plan.value_bits = bits_of_value(most);
    if (outcome == DONE) outcome = build_kept_values(w, &kept, &values);
    hashes_free(&kept);
    hashes_free(&values);
    return outcome;
}

/* ---- the promise, and the file ---- */

static int judge(const struct work *w, const sito_info *info) {
    char came[NUMBER_ROOM], planned[NUMBER_ROOM], now[NUMBER_ROOM], room[REMEDY_ROOM];
    if (w->left_out) {
        complain("%s: %s keys were left out, %s are in; %s", w->o->output,
                 human_count(w->left_out, came), human_count(info->nkeys, planned),
                 remedy(w, 0, room));
        return SHORT;
    }
    if (!over_plan(w->f, info)) return DONE;
    const bool counted = info->nkeys > info->capacity;
    complain("%s: %s%s keys came and %s were planned: the rate %s %s; %s%s", w->o->output,
             counted ? "at least " : "", counted ? human_count(info->nkeys, came) : "more",
             human_count(info->capacity, planned), w->o->partial ? "is" : "would be",
             human_rate(info->present_fpr, now), remedy(w, 0, room),
             w->o->partial ? "" : ", or --partial to have it all the same");
    return SHORT;
}

static void tell(const struct work *w, const sito_info *info) {
    char keys[NUMBER_ROOM], bytes[NUMBER_ROOM], rate[NUMBER_ROOM];
    remark("%s: %s, %s keys, %s, errs %s", w->o->output, info->kind, human_count(info->nkeys, keys),
           human_bytes(info->image_bytes, bytes), human_rate(info->present_fpr, rate));
    tell_left_out(&w->o->wish, w->f);
    if (w->o->key_file && w->o->wish.seed) remark("with --key-file there is no use for --seed");
    tell_unsure(w->o->output, w->unsure);
    if (!w->o->json) return;
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", w->o->output);
    report_count(&r, "keys_read", w->nread);
    report_info(&r, info);
    report_end(&r);
}

static int build(struct work *w) {
    const char *kind = w->plan.kind;
    const unsigned fits = SITO_CAN_GROW | SITO_CAN_MERGE; /* see fit() */
    const bool grows = (sito_abilities(kind) & fits) == fits && !input_rereadable(w->in);
    int outcome;
    if (has_values(w)) {
        outcome = build_values(w);
    } else if (has_confidences(kind)) {
        outcome = build_confidences(w);
    } else if (streams(&w->plan) && (is_sized(&w->plan) || grows)) {
        const sito_plan wish = w->plan;
        outcome = settle_size(w, 0);
        if (outcome == DONE) outcome = stream_into_new(w);
        if (outcome == DONE && !is_sized(&wish)) outcome = fit(w, &wish);
    } else {
        outcome = gather_and_build(w, streams(&w->plan));
    }
    if (outcome != DONE) return outcome;

    sito_info info;
    const sito_rc rc = sito_look(w->f, &info);
    if (rc != SITO_OK) return refused(w->o->output, rc, NULL);
    const int kept = judge(w, &info);
    if (kept == SHORT && !w->o->partial) return SHORT;
    if (stop_asked()) return STOPPED;
    outcome = save_filter(w->f, w->o->output);
    if (outcome != DONE) return outcome;
    tell(w, &info);
    return kept;
}

int cmd_build(struct options *o) {
    sito_key secret;
    const sito_key *key;
    sito_filter *model = NULL;
    if (!o->output)
        return complain("build: where to? give -o FILE (- is standard output)"), TROUBLE;
    if (o->json && !strcmp(o->output, "-"))
        return complain("build: standard output cannot take both the filter and --json"), TROUBLE;
    int outcome = check_target(o->output);
    if (outcome == DONE) outcome = check_output(o->output, o->operands, o->noperands);
    if (outcome == DONE && o->key_file)
        outcome = check_output(o->output, (char *[]){(char *)o->key_file}, 1);
    if (outcome != DONE) return outcome;

    struct work *w = calloc(1, sizeof *w);
    if (!w) return complain("no memory"), TROUBLE;
    w->o = o;
    outcome = read_secret(o, &secret, &key);
    if (outcome == DONE) outcome = o->like ? plan_like(w, key, &model) : plan_wish(w, key);
    if (outcome == DONE) outcome = hasher_new(&w->plan, &w->hasher);
    if (outcome == DONE) {
        w->in = input_new(o->operands, o->noperands, o->nul, o->wish.threads);
        outcome = w->in ? build(w) : TROUBLE;
    }
    input_free(w->in); /* before the hasher, which its threads use */
    hasher_free(&w->hasher);
    hashes_free(&w->out);
    forget_secret(&secret);
    sito_free(w->f);
    sito_free(model);
    free(w);
    return outcome;
}
