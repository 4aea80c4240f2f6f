/* index.c - k-mers in, answers out. */
#include "index.h"

#include <inttypes.h>
#include <sito/exact.h>
#include <stdio.h>
#include <string.h>

#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "inputs.h"

enum { BATCH = 1 << 13 };

/* ---- the note ---- */

static const char owner[8] = {'s', 'i', 't', 'o', 'k', 'm', 'e', 'r'};

/* `hash` numbers the way from a k-mer to its hash; there is one. */
static const char note_form[] = "k=%u canonical=%u hash=1\n";

sito_rc index_write_note(const struct index *x) {
    char note[64];
    const int n = snprintf(note, sizeof note, note_form, x->way.k, (unsigned)x->way.canonical);
    return sito_set_note(x->f, owner, note, (size_t)n);
}

static bool read_note(const sito_filter *f, unsigned *k, bool *canonical) {
    char text[64], again[64];
    size_t n;
    unsigned strands;
    const void *note = sito_note(f, owner, &n);
    if (!note || n >= sizeof text) return false;
    memcpy(text, note, n);
    text[n] = 0;
    if (sscanf(text, note_form, k, &strands) != 2) return false;
    snprintf(again, sizeof again, note_form, *k, strands);
    *canonical = strands == 1;
    return !strcmp(text, again) && *k >= 1 && *k <= KMER_MOST && strands <= 1;
}

bool index_read_way(const char *path, const sito_filter *f, bool lenient, struct index *x) {
    unsigned k;
    bool canonical;
    sito_plan plan;
    if (!sito_note(f, owner, &(size_t){0})) {
        complain("%s: is no index of k-mers; make one with `sito kmer build`", path);
        return false;
    }
    if (!read_note(f, &k, &canonical) || sito_plan_like(f, &plan) != SITO_OK || plan.key) {
        complain("%s: its note on k-mers cannot be read; a newer sito may have made it", path);
        return false;
    }
    kmer_way_set(&x->way, k, canonical, plan.seed);
    x->way.lenient = lenient;
    x->way.numbers = !strcmp(plan.kind, SITO_BITMAP);
    x->by_key = kind_keeps_keys(plan.kind);
    if (x->way.numbers && (k > 31 || plan.ncells != (uint64_t)1 << 2 * k)) {
        complain("%s: has %" PRIu64 " bits, which %u-mers do not; it is no index that sito made",
                 path, plan.ncells, k);
        return false;
    }
    return true;
}

int index_open(const struct kmer_options *o, const char *path, unsigned flags, struct index *x) {
    const int outcome = open_filter(path, flags, NULL, &x->f);
    if (outcome != DONE) return outcome;
    return index_read_way(path, x->f, o->lenient, x) ? DONE : TROUBLE;
}

int index_open_to_change(struct kmer_options *o, unsigned can, struct index *x) {
    struct hasher unused = {0};
    const int outcome = open_to_change(&o->common, can, &x->f, &unused);
    hasher_free(&unused);
    if (outcome != DONE) return outcome;
    return index_read_way(o->common.operands[0], x->f, o->lenient, x) ? DONE : TROUBLE;
}

/* ---- asking ---- */

static void ask_keys(const struct index *x, struct kmer_walk *walk, struct score *out) {
    uint8_t key[KMER_KEY_BYTES];
    const char *place;
    while ((place = kmer_place(&x->way, walk))) {
        const size_t n = kmer_key(&x->way, place, key);
        out->matched += sito_maybe(x->f, key, n);
        out->total++;
    }
}

static void ask_hashes(const struct index *x, struct kmer_walk *walk, struct score *out) {
    uint64_t hashes[BATCH];
    uint8_t answers[BATCH];
    size_t n;
    while ((n = kmer_hashes(&x->way, walk, hashes, BATCH))) {
        unsigned matched = 0;
        sito_maybe_many(x->f, hashes, n, answers);
        for (size_t i = 0; i < n; i++) matched += answers[i];
        out->matched += matched;
        out->total += n;
    }
}

bool index_ask(const struct index *x, const struct sequences *s, const struct record *r,
               struct score *out) {
    struct kmer_walk walk = {.seq = r->seq, .n = r->n};
    *out = (struct score){0};
    (x->by_key ? ask_keys : ask_hashes)(x, &walk, out);
    if (walk.bad) bad_letter(s ? sequences_name(s) : "--seq", x->way.lenient, r, walk.at);
    return !walk.bad;
}

/* ---- gathering ---- */

/* Takes the k-mers of one sequence; DONE or an exit status. */
typedef int taker(void *self, const struct kmer_way *w, struct kmer_walk *walk,
                  struct found *found);

static int take_hashes(void *self, const struct kmer_way *w, struct kmer_walk *walk,
                       struct found *found) {
    struct pile *p = self;
    size_t n;
    do {
        if (!pile_room(p, BATCH)) return complain("no memory for the k-mers"), TROUBLE;
        n = kmer_hashes(w, walk, p->all + p->n, BATCH);
        p->n += n;
        progress(found->kmers += n);
    } while (n && !stop_asked());
    return DONE;
}

static int take_keys(void *self, const struct kmer_way *w, struct kmer_walk *walk,
                     struct found *found) {
    uint8_t key[KMER_KEY_BYTES];
    const char *place;
    while ((place = kmer_place(w, walk))) {
        const size_t n = kmer_key(w, place, key);
        if (found->kmers++ % BATCH == 0) progress(found->kmers);
        if (stop_asked()) return STOPPED;
        if (sito_maybe(self, key, n)) continue;
        const int rc = sito_add(self, key, n);
        if (rc < 0) return refused(NULL, rc, NULL);
    }
    return DONE;
}

static int take_into(void *self, const struct kmer_way *w, struct kmer_walk *walk,
                     struct found *found) {
    uint64_t hashes[BATCH];
    size_t n;
    while ((n = kmer_hashes(w, walk, hashes, BATCH))) {
        const sito_rc rc = sito_add_many(self, hashes, n, NULL, NULL);
        if (rc != SITO_OK) return refused(NULL, rc, NULL);
        progress(found->kmers += n);
        if (stop_asked()) return STOPPED;
    }
    return DONE;
}

static int take_file(const struct kmer_way *w, const char *path, taker *take, void *self,
                     struct found *found) {
    struct record r;
    int more, outcome = DONE;
    struct sequences *s = sequences_open(path, w->lenient);
    if (!s) return stop_asked() ? STOPPED : TROUBLE;
    while (outcome == DONE && (more = sequences_next(s, &r)) != 0) {
        struct kmer_walk walk = {.seq = r.seq, .n = r.n};
        outcome = more > 0 ? take(self, w, &walk, found) : TROUBLE;
        if (more > 0 && walk.bad)
            bad_letter(sequences_name(s), w->lenient, &r, walk.at), outcome = TROUBLE;
        found->breaks += walk.breaks;
        found->records++;
    }
    sequences_close(s);
    return stop_asked() ? STOPPED : outcome;
}

static int take_files(const struct kmer_way *w, char **inputs, size_t ninputs, taker *take,
                      void *self, struct found *found) {
    char *standard[] = {(char *)"-"};
    if (!ninputs) inputs = standard, ninputs = 1;
    if (check_inputs(inputs, ninputs) != DONE) return TROUBLE;
    for (size_t i = 0; i < ninputs; i++) {
        const int outcome = take_file(w, inputs[i], take, self, found);
        if (outcome != DONE) return outcome;
    }
    if (found->kmers) return DONE;
    complain("%s%sno sequence has %u known bases in a row: there is no k-mer; give a smaller -k",
             ninputs == 1 ? input_name(inputs[0]) : "", ninputs == 1 ? ": " : "", w->k);
    return TROUBLE;
}

int find_kmers(const struct kmer_way *w, const char *kind, char **inputs, size_t ninputs,
               struct found *out) {
    sito_info info;
    if (!kind || !kind_keeps_keys(kind)) {
        const int outcome = take_files(w, inputs, ninputs, take_hashes, &out->pile, out);
        if (outcome != DONE) return outcome;
        if (!pile_distinct(&out->pile)) return complain("no memory for the k-mers"), TROUBLE;
        out->distinct = out->pile.n;
        return DONE;
    }
    const sito_plan plan = {.kind = kind, .nkeys = 1, .seed = w->seed};
    sito_rc rc = sito_new(&plan, NULL, &out->exact);
    if (rc != SITO_OK) return refused(NULL, rc, NULL);
    const int outcome = take_files(w, inputs, ninputs, take_keys, out->exact, out);
    if (outcome == DONE && (rc = sito_look(out->exact, &info)) != SITO_OK)
        return refused(NULL, rc, NULL);
    if (outcome == DONE) out->distinct = info.nkeys;
    return outcome;
}

int find_into(const struct index *x, char **inputs, size_t ninputs, struct found *out) {
    return take_files(&x->way, inputs, ninputs, take_into, x->f, out);
}

void found_free(struct found *found) {
    pile_free(&found->pile);
    sito_free(found->exact);
    *found = (struct found){0};
}
