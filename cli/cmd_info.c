/* cmd_info.c - sito info: what is this filter? */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "store.h"
#include "talk.h"

/* Major and minor format number stand behind the magic, two little-endian bytes each. */
static int read_format(const char *path, char text[16]) {
    unsigned char head[12];
    FILE *file = fopen(path, "rb");
    const bool read = file && fread(head, 1, sizeof head, file) == sizeof head;
    if (!read) complain("%s: %s", path, errno ? strerror(errno) : "too short");
    if (file) fclose(file);
    if (read) snprintf(text, 16, "%u.%u", head[8] | head[9] << 8, head[10] | head[11] << 8);
    return read ? DONE : TROUBLE;
}

static void report_hash(struct report *r, const sito_filter *f) {
    char seed[24];
    sito_plan plan;
    const sito_rc rc = sito_plan_like(f, &plan);
    const bool keyed = rc == SITO_EKEY || (rc == SITO_OK && plan.key);
    report_text(r, "hash", keyed ? "siphash13" : "xxh3");
    if (rc != SITO_OK) return;
    /* As text: a JSON number would lose the low bits in most readers. */
    snprintf(seed, sizeof seed, "%" PRIu64, plan.seed);
    if (!keyed) report_text(r, "seed", seed);
    const struct {
        const char *name, *value;
    } words[] = {
        {"rule", plan.rule}, {"layout", plan.layout}, {"scale", plan.scale}, {"layer", plan.layer}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].value) report_text(r, words[i].name, words[i].value);
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
    char format[16];
    sito_filter *f = NULL;
    sito_info info;
    int outcome = open_filter(path, SITO_NOKEY, NULL, &f);
    if (outcome == DONE) outcome = read_format(path, format);
    if (outcome == DONE) {
        const sito_rc rc = sito_look(f, &info);
        if (rc != SITO_OK) outcome = refused(path, rc, NULL);
    }
    if (outcome == DONE) {
        struct report r;
        report_begin(&r, o->json);
        report_text(&r, "file", path);
        report_info(&r, &info);
        report_text(&r, "format", format);
        report_hash(&r, f);
        report_abilities(&r, "can", info.can);
        report_facts(&r, f);
        report_end(&r);
    }
    sito_free(f);
    return outcome;
}
