/* cmd_info.c - sito info: what is this filter? */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "store.h"
#include "talk.h"

static void report_format(struct report *r, const struct head *head) {
    char format[24];
    snprintf(format, sizeof format, "%u.%u", head->major, head->minor);
    report_text(r, "format", format);
}

static void report_hash(struct report *r, const struct head *head, const sito_filter *f) {
    char number[24]; /* as text: a JSON number would lose the low bits in most readers */
    sito_plan plan;
    report_text(r, "hash", head->keyed ? "siphash13" : "xxh3");
    if (head->keyed) {
        snprintf(number, sizeof number, "%016" PRIx64, head->key_id);
        report_text(r, "key_id", number);
    }
    if (sito_plan_like(f, &plan) != SITO_OK) return;
    snprintf(number, sizeof number, "%" PRIu64, plan.seed);
    if (!head->keyed) report_text(r, "seed", number);
}

static void report_words(struct report *r, const sito_filter *f) {
    static const char *const names[] = {"rule", "layout", "scale", "layer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sito_word(f, names[i])) report_text(r, names[i], sito_word(f, names[i]));
}

/* Facts that stand in sito_info already are not said twice. */
static bool is_said(const char *name) {
    static const char *const said[] = {"kind",         "nkeys",      "capacity", "bytes",
                                       "image_bytes",  "fill",       "format",   "hash",
                                       "bits_per_key", "wanted_fpr", "real_fpr", "present_fpr"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strcmp(said[i], name)) return true;
    return false;
}

static void report_facts(struct report *r, const sito_filter *f) {
    const char *name;
    double value;
    for (size_t i = 0; (name = sito_fact_at(f, i)); i++)
        if (!is_said(name) && sito_fact(f, name, &value) == SITO_OK) report_real(r, name, value);
}

int cmd_info(struct options *o) {
    const char *path = o->operands[0];
    struct head head;
    sito_filter *f = NULL;
    sito_info info;
    int outcome = open_filter(path, SITO_NOKEY, NULL, &f);
    if (outcome == DONE && !read_head(path, &head)) outcome = refused(path, SITO_EIO, NULL);
    if (outcome == DONE) {
        const sito_rc rc = sito_look(f, &info);
        if (rc != SITO_OK) outcome = refused(path, rc, NULL);
    }
    if (outcome == DONE) {
        struct report r;
        report_begin(&r, o->json);
        report_text(&r, "file", path);
        report_info(&r, &info);
        report_format(&r, &head);
        report_hash(&r, &head, f);
        report_words(&r, f);
        report_abilities(&r, "can", info.can);
        report_facts(&r, f);
        report_end(&r);
    }
    sito_free(f);
    return outcome;
}
