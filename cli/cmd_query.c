/* cmd_query.c - sito query: which of these keys may be inside? */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sito/fuse.h>
#include <sito/linear.h>
#include <stdio.h>
#include <string.h>

#include "input.h"
#include "report.h"
#include "store.h"
#include "talk.h"

struct asking {
    const sito_filter *f;
    bool by_key;
};

/* Runs on several batches at once: asking is a const call. */
static void ask(void *self, struct batch *b) {
    const struct asking *a = self;
    if (a->by_key) {
        for (size_t i = 0; i < b->n; i++) b->answers[i] = sito_maybe(a->f, b->keys[i], b->lens[i]);
    } else {
        sito_hash_many(a->f, b->keys, b->lens, b->n, b->hashes);
        sito_maybe_many(a->f, b->hashes, b->n, b->answers);
    }
}

/* The same for values, which take the hashes' place. */
static void ask_values(void *self, struct batch *b) {
    enum { AT_A_TIME = 256 };
    const struct asking *a = self;
    uint32_t values[AT_A_TIME];
    sito_hash_many(a->f, b->keys, b->lens, b->n, b->hashes);
    for (size_t i = 0; i < b->n; i += AT_A_TIME) {
        const size_t n = b->n - i < AT_A_TIME ? b->n - i : AT_A_TIME;
        sito_fuse_get_many(a->f, b->hashes + i, n, values, b->answers + i);
        for (size_t j = 0; j < n; j++) b->hashes[i + j] = values[j];
    }
}

static void print_matches(const struct batch *b, bool invert, int separator) {
    for (size_t i = 0; i < b->n; i++) {
        if (b->answers[i] == invert) continue;
        fwrite_unlocked(b->keys[i], 1, b->lens[i], stdout);
        putc_unlocked(separator, stdout);
    }
}

/* Of those inside, what is read back: six digits tell any two levels apart. */
static void print_confidences(const sito_filter *f, const struct batch *b, int separator) {
    for (size_t i = 0; i < b->n; i++) {
        if (!b->answers[i]) continue;
        fwrite_unlocked(b->keys[i], 1, b->lens[i], stdout);
        printf("\t%.6g", sito_linear_get_mid(f, b->keys[i], b->lens[i]));
        putc_unlocked(separator, stdout);
    }
}

/* All keys; who is surely not inside has a - in place of a value. */
static void print_values(const struct batch *b, int separator) {
    for (size_t i = 0; i < b->n; i++) {
        fwrite_unlocked(b->keys[i], 1, b->lens[i], stdout);
        if (b->answers[i]) printf("\t%" PRIu64, b->hashes[i]);
        else fputs_unlocked("\t-", stdout);
        putc_unlocked(separator, stdout);
    }
}

static int ask_all(const sito_filter *f, const struct options *o, struct input *in) {
    const bool print = !o->count && !o->json;
    struct batch *b;
    uint64_t asked = 0, maybe = 0;
    int more;
    while ((more = input_next(in, &b)) > 0) {
        for (size_t i = 0; i < b->n; i++) maybe += b->answers[i];
        asked += b->n;
        if (print) {
            if (o->values) print_values(b, o->nul ? 0 : '\n');
            else if (o->levels) print_confidences(f, b, o->nul ? 0 : '\n');
            else print_matches(b, o->invert, o->nul ? 0 : '\n');
            /* Someone may be typing the keys; and a full disk ends the work. */
            if ((input_drained(in) || ferror(stdout)) && flush_output() != DONE) return TROUBLE;
        } else {
            progress(asked);
        }
    }
    if (more < 0) return stop_asked() ? STOPPED : TROUBLE;
    const uint64_t matched = o->invert ? asked - maybe : maybe;
    if (o->json) {
        struct report r;
        report_begin(&r, true);
        report_text(&r, "file", o->operands[0]);
        report_count(&r, "asked", asked);
        report_count(&r, "maybe", maybe);
        report_count(&r, "surely_not", asked - maybe);
        report_end(&r);
    } else if (o->count) {
        printf("%llu\n", (unsigned long long)matched);
    }
    return matched ? DONE : NOTHING;
}

static int check_levels(const struct options *o, const sito_filter *f) {
    sito_info info;
    if (o->invert || o->count || o->json)
        return complain("query: --levels prints keys; leave -v, -c and --json out"), TROUBLE;
    const sito_rc rc = sito_look(f, &info);
    if (rc != SITO_OK) return refused(o->operands[0], rc, NULL);
    if (!strcmp(info.kind, SITO_LINEAR)) return DONE;
    complain("%s: %s keeps no confidences; only `linear` does, leave --levels out", o->operands[0],
             info.kind);
    return TROUBLE;
}

static int check_values(const struct options *o, const sito_filter *f) {
    uint32_t value;
    if (o->invert || o->count || o->json || o->levels)
        return complain("query: --values prints keys; leave -v, -c, --levels and --json out"),
               TROUBLE;
    if (sito_fuse_get_hash(f, 0, &value) != SITO_EUNABLE) return DONE;
    complain("%s: it keeps no values, as `sito build -k fuse --values` does; leave --values out",
             o->operands[0]);
    return TROUBLE;
}

int cmd_query(struct options *o) {
    sito_filter *f = NULL;
    int outcome = open_to_ask(o, &f);
    if (outcome == DONE) outcome = check_keys_are_lines(o->operands[0], f);
    if (outcome == DONE && o->values) outcome = check_values(o, f);
    else if (outcome == DONE && o->levels) outcome = check_levels(o, f);
    if (outcome == DONE && !o->count && !o->json)
        outcome = check_output("-", o->operands + 1, o->noperands - 1);
    if (outcome == DONE) {
        struct asking asking = {f, keeps_keys(f)};
        struct input *in = input_new(o->operands + 1, o->noperands - 1, o->nul, o->wish.threads);
        if (in) input_work(in, o->values ? ask_values : ask, &asking);
        outcome = in ? ask_all(f, o, in) : TROUBLE;
        input_free(in);
    }
    sito_free(f);
    return outcome;
}
