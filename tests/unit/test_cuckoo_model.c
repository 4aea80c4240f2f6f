/*
 * test_cuckoo_model.c - any order of adds, removes, questions, saves and opens, beside `exact`, which cannot
 * be wrong.
 *
 * The table is small and its tags are narrow, so keys are taken for each other all the time, and the load
 * swings between half and full, so adds are refused and removes make room again. SITO_LONG=1 in the
 * environment takes ten million steps in each form.
 */
#include "check.h"

#include "cuckoo.h"

enum { SLOTS = 240, KEYS = 300, BATCH = 50, SEED = 42 };

struct pair {
    struct form form;
    sito_filter *f, *exact;
    bool is_exact; /* tags so wide that no two keys are taken for each other */
    uint64_t dice;
    uint64_t refused, taken, opened;
};

static uint64_t roll(struct pair *p) { return p->dice = mixed(p->dice); }

static uint64_t some_key(struct pair *p) { return roll(p) % KEYS; }

static uint64_t copies_of(const sito_filter *f, uint64_t i) {
    numbered key = key_no(i);
    uint64_t n = 0;
    assert_int_equal(sito_count(f, key.bytes, 8, &n), SITO_OK);
    return n;
}

/* The cuckoo filter has answered an add of this key. */
static void added(struct pair *p, uint64_t i, int answer) {
    if (answer < 0) {
        PROMISE(answer == SITO_EFULL, FORM ": %d", OF_FORM(p->form), answer);
        p->refused++;
        return;
    }
    PROMISE(answer == 0 || copies_of(p->exact, i) == 0, FORM ": a known key is certainly new",
            OF_FORM(p->form));
    PROMISE(add_no(p->exact, i) >= 0, "no memory");
    p->taken++;
}

static void add_one(struct pair *p) {
    uint64_t i = some_key(p);
    added(p, i, roll(p) % 2 ? add_no(p->f, i) : sito_add_hash(p->f, hash_no(p->f, i)));
}

static void add_some(struct pair *p) {
    uint64_t keys[BATCH], hashes[BATCH];
    int8_t answers[BATCH];
    size_t n = (size_t)(roll(p) % (BATCH + 1)), done = 0;
    for (size_t j = 0; j < n; j++) hashes[j] = hash_no(p->f, keys[j] = some_key(p));
    sito_rc rc = sito_add_many(p->f, hashes, n, answers, &done);
    PROMISE(done == n || (done < n && rc == SITO_EFULL), FORM ": %d", OF_FORM(p->form), rc);
    for (size_t j = 0; j < done; j++) {
        PROMISE(answers[j] >= 0, FORM ": key %zu of %zu that are in: %d", OF_FORM(p->form), j, done,
                answers[j]);
        added(p, keys[j], answers[j]);
    }
    p->refused += done < n;
}

/* Only what is inside is removed: else another key's tag may go, as the header says. */
static void remove_one(struct pair *p) {
    uint64_t i = some_key(p);
    if (copies_of(p->exact, i) == 0) return;
    int gone = roll(p) % 2 ? remove_no(p->f, i) : sito_remove_hash(p->f, hash_no(p->f, i));
    PROMISE(gone == 1, FORM ": owes a remove", OF_FORM(p->form));
    assert_int_equal(remove_no(p->exact, i), 1);
}

static void remove_some(struct pair *p) {
    uint64_t hashes[BATCH];
    int8_t answers[BATCH];
    size_t n = 0, done = 0;
    for (size_t j = 0; j < BATCH; j++) {
        uint64_t i = some_key(p);
        if (remove_no(p->exact, i) == 1) hashes[n++] = hash_no(p->f, i);
    }
    PROMISE(sito_remove_many(p->f, hashes, n, answers, &done) == SITO_OK && done == n, FORM,
            OF_FORM(p->form));
    for (size_t j = 0; j < n; j++)
        PROMISE(answers[j] == 1, FORM ": owes a remove", OF_FORM(p->form));
}

static void ask_one(struct pair *p) {
    uint64_t i = some_key(p), truth = copies_of(p->exact, i), told = copies_of(p->f, i);
    PROMISE(told >= truth && (told == truth || !p->is_exact), FORM ": counts %llu of %llu",
            OF_FORM(p->form), (unsigned long long)told, (unsigned long long)truth);
    PROMISE(maybe_no(p->f, i) == (told > 0), FORM ": maybe and count disagree", OF_FORM(p->form));
}

static void ask_all(struct pair *p) {
    uint64_t hashes[KEYS];
    uint8_t answers[KEYS];
    const char *why = "";
    for (uint64_t i = 0; i < KEYS; i++) hashes[i] = hash_no(p->f, i);
    sito_maybe_many(p->f, hashes, KEYS, answers);
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t truth = copies_of(p->exact, i);
        PROMISE(answers[i] || truth == 0, FORM ": key %llu is denied", OF_FORM(p->form),
                (unsigned long long)i);
        PROMISE(copies_of(p->f, i) >= truth, FORM ": a count below the truth", OF_FORM(p->form));
        PROMISE(answers[i] == maybe_no(p->f, i), FORM ": a batch answers otherwise",
                OF_FORM(p->form));
    }
    PROMISE(nkeys_of(p->f) == nkeys_of(p->exact), FORM ": miscounts", OF_FORM(p->form));
    PROMISE(sito_check(p->f, &why) == SITO_OK, FORM ": %s", OF_FORM(p->form), why);
}

static void save_and_open(struct pair *p) {
    image im = image_of(p->f);
    sito_filter *again = opened(&im, NULL);
    PROMISE(still_is(again, &im), FORM ": the image of the image differs", OF_FORM(p->form));
    sito_free(p->f);
    p->f = again;
    p->opened++;
}

/* Adds prevail for some hundred steps, then removes. */
static void step(struct pair *p, uint64_t at) {
    uint64_t dice = roll(p) % 64;
    bool fills = at / 128 % 2 == 0;
    if (dice < 30) fills ? add_one(p) : remove_one(p);
    else if (dice < 36) fills ? remove_one(p) : add_one(p);
    else if (dice < 38) fills ? add_some(p) : remove_some(p);
    else if (dice < 63) ask_one(p);
    else if (roll(p) % 4 == 0) save_and_open(p);
    else if (roll(p) % 4 == 0) ask_all(p);
}

static void go_through(struct form form, sito_plan plan, bool is_exact, uint64_t steps) {
    sito_plan truth = {.kind = SITO_EXACT, .nkeys = 10, .seed = 7};
    struct pair p = {.form = form, .f = new_filter(&plan), .exact = new_filter(&truth)};
    p.is_exact = is_exact;
    p.dice = plan.ncells;
    for (uint64_t at = 0; at < steps; at++) step(&p, at);
    ask_all(&p);
    PROMISE(p.refused > steps / 100 && p.taken > steps / 10 && p.opened > steps / 1000,
            FORM ": %llu refused, %llu taken, %llu times opened", OF_FORM(form),
            (unsigned long long)p.refused, (unsigned long long)p.taken,
            (unsigned long long)p.opened);
    sito_free(p.f);
    sito_free(p.exact);
}

static void any_order_of_calls_agrees_with_exact(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    go_through(form, table_of(form, SLOTS, form.bucket == 8 ? 6 : 8, SEED), false,
               getenv("SITO_LONG") ? 10000000 : 250000 / FORMS);
}

/* In an odd number of buckets some keys have one bucket only: it is not counted twice. */
static void wide_tags_count_exactly(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    go_through(form, table_of(form, SLOTS + form.bucket, 32, SEED), true,
               getenv("SITO_LONG") ? 1000000 : 50000 / FORMS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_calls_agrees_with_exact),
        cmocka_unit_test(wide_tags_count_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
