/*
 * cuckoo.h - the forms a cuckoo filter can have: three rules of relocation, and the layouts with the buckets
 * they allow. The kind's tests go through all of them.
 */
#ifndef TESTS_CUCKOO_H
#define TESTS_CUCKOO_H

#include "keys.h"

struct form {
    const char *layout;
    unsigned bucket;
    const char *rule;
};

enum { FORMS = 24 };

static inline struct form form_no(size_t i) {
    static const struct {
        const char *layout;
        unsigned bucket;
    } lies[] = {{"bucket", 4}, {"sorted", 4}, {"window", 4}, {"window", 2},
                {"window", 8}, {"bucket", 8}, {"bucket", 2}, {"bucket", 1}};
    static const char *const rules[] = {"path", "emptier", "random"};
    return (struct form){lies[i / 3].layout, lies[i / 3].bucket, rules[i % 3]};
}

#define EACH_FORM(form)                                                                            \
    for (size_t form##_at = 0; form##_at < FORMS && ((form) = form_no(form##_at), 1); form##_at++)

/* For a message: layout, bucket, rule. */
#define FORM "%s of %u by %s"
#define OF_FORM(form) (form).layout, (form).bucket, (form).rule

static inline sito_plan wish_for(struct form form, uint64_t seed) {
    return (sito_plan){.kind = SITO_CUCKOO,
                       .layout = form.layout,
                       .bucket = form.bucket,
                       .rule = form.rule,
                       .seed = seed};
}

/* About so many slots, as the form allows, of tags so wide: windows do not end together, and two must fit. */
static inline sito_plan table_of(struct form form, uint64_t slots, unsigned tag_bits,
                                 uint64_t seed) {
    sito_plan plan = wish_for(form, seed);
    plan.ncells = slots / form.bucket * form.bucket;
    if (is(form.layout, "window")) plan.ncells = (slots < 16 ? 16 : slots) + form.bucket - 1;
    plan.tag_bits = tag_bits;
    plan.nkeys = 1;
    return plan;
}

static inline sito_filter *new_filter(const sito_plan *plan) {
    sito_filter *f = NULL;
    if (sito_new(plan, NULL, &f) != SITO_OK) give_up("sito_new refused the tests' plan");
    return f;
}

/* A share of the slots that every rule reaches in this form, also in small tables. */
static inline double easy_load(struct form form) {
    return form.bucket == 1 ? 0.25 : form.bucket == 2 ? 0.7 : 0.8;
}

#endif
