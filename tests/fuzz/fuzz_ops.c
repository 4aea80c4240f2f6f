/*
 * fuzz_ops.c - any sequence of calls, beside a model that cannot be wrong: an array of counts.
 *
 * The first byte chooses the kind, the second one of four sizes, and the form of a cuckoo filter; every
 * further pair is a call and a key. Never is a key denied that is inside, the exact kinds are exactly right,
 * no count is below the truth, and nkeys is what the answers said.
 */
#include "cuckoo.h"

enum { UNIVERSE = 256 };

struct model {
    const char *kind;
    sito_filter *f;
    uint64_t copies[UNIVERSE]; /* owed removes; in sets, and kinds without remove: added or not */
    uint64_t nkeys;
    bool closed; /* after a merge or a fold nkeys is not followed any more */
};

static void must(bool holds, const char *what) {
    if (!holds) give_up(what);
}

static void ask(const struct model *m, uint64_t i) {
    bool yes = maybe_no(m->f, i);
    must(yes || m->copies[i] == 0, "a key is denied that is inside");
    must(yes == sito_maybe_hash(m->f, hash_no(m->f, i)), "key and hash answer differently");
    if (!takes_hashes(m->kind)) must(yes == (m->copies[i] > 0), "an exact filter errs");
    if (!can(m->kind, SITO_CAN_COUNT)) return;
    numbered key = key_no(i);
    uint64_t n = 0;
    must(sito_count(m->f, key.bytes, 8, &n) == SITO_OK, "sito_count failed");
    must(n >= m->copies[i], "a count below the truth");
    if (!takes_hashes(m->kind)) must(n == m->copies[i], "an exact count is wrong");
}

static void add(struct model *m, uint64_t i, int rc) {
    if (rc < 0) {
        must(rc == SITO_EFULL || rc == SITO_EUNABLE || rc == SITO_ELIMIT,
             "an add failed otherwise than full");
        return;
    }
    must(rc == 0 || m->copies[i] == 0, "a key inside is certainly new");
    if (is_multiset(m->kind)) m->copies[i]++;
    else m->copies[i] = 1;
    m->nkeys += is_multiset(m->kind) || rc == 1;
    must(maybe_no(m->f, i), "a key just added is denied");
}

/* Only what is inside is removed: else another key's mark may go, as the header says. */
static void take_out(struct model *m, uint64_t i) {
    if (!is_multiset(m->kind) || m->copies[i] == 0) return;
    must(remove_no(m->f, i) == 1, "an add is owed a remove");
    m->copies[i]--;
    m->nkeys--;
}

/* Seven neighbours at once, up to the first refusal. */
static void add_some(struct model *m, uint64_t i) {
    enum { SOME = 7 };
    uint64_t hashes[SOME];
    int8_t answers[SOME];
    size_t done = 0;
    if (!takes_hashes(m->kind)) return;
    for (uint64_t j = 0; j < SOME; j++) hashes[j] = hash_no(m->f, (i + j) % UNIVERSE);
    sito_rc rc = sito_add_many(m->f, hashes, SOME, answers, &done);
    must(rc == SITO_OK ? done == SOME : done < SOME, "a batch ends elsewhere than it says");
    for (uint64_t j = 0; j < done; j++) add(m, (i + j) % UNIVERSE, answers[j]);
}

static void take_some_out(struct model *m, uint64_t i) {
    uint64_t hash = hash_no(m->f, i), hashes[3] = {hash, hash, hash};
    int8_t answers[3];
    size_t n = m->copies[i] < 3 ? (size_t)m->copies[i] : 3, done = 9;
    if (!is_multiset(m->kind) || !takes_hashes(m->kind)) return;
    must(sito_remove_many(m->f, hashes, n, answers, &done) == SITO_OK && done == n,
         "a batch of removes failed");
    for (size_t j = 0; j < n; j++) must(answers[j] == 1, "an add is owed a remove");
    m->copies[i] -= n;
    m->nkeys -= n;
}

/* Through its image, or through a copy: the same filter. */
static void reopen(struct model *m, bool by_copy) {
    sito_filter *again = NULL;
    const char *why = NULL;
    image im = image_of(m->f);
    sito_rc rc = by_copy ? sito_copy(m->f, NULL, &again)
                         : sito_from_image(im.bytes, im.len, NULL, &again, &why);
    must(rc == SITO_OK, why ? why : "a copy failed");
    must(still_is(again, &im), "the image of the image differs");
    sito_free(m->f);
    m->f = again;
}

static void merge_in(struct model *m, uint64_t i) {
    sito_plan like;
    sito_filter *other = NULL;
    if (!can(m->kind, SITO_CAN_MERGE)) return;
    must(sito_plan_like(m->f, &like) == SITO_OK, "no plan like this one");
    must(sito_new(&like, NULL, &other) == SITO_OK, "no filter like this one");
    uint64_t second = (i * 7 + 1) % UNIVERSE;
    must(add_no(other, i) >= 0 && add_no(other, second) >= 0, "an empty filter is full");
    must(sito_merge(m->f, other) == SITO_OK, "its like cannot be merged");
    m->copies[i] = is_multiset(m->kind) ? m->copies[i] + 1 : 1;
    m->copies[second] = is_multiset(m->kind) ? m->copies[second] + 1 : 1;
    m->nkeys += 2;
    m->closed = m->closed || !is_multiset(m->kind);
    sito_free(other);
}

static void clear(struct model *m) {
    must(sito_clear(m->f) == SITO_OK, "cannot be cleared");
    memset(m->copies, 0, sizeof m->copies);
    m->nkeys = 0;
    m->closed = false;
}

static void fold(struct model *m) {
    sito_rc rc = sito_fold(m->f, 1);
    must(rc == SITO_OK || rc == SITO_EINVAL || rc == SITO_EUNABLE, "a fold failed");
}

static void check_all(const struct model *m) {
    const char *why = NULL;
    sito_info info;
    for (uint64_t i = 0; i < UNIVERSE; i++) ask(m, i);
    must(sito_check(m->f, &why) == SITO_OK, why ? why : "unsound");
    must(sito_look(m->f, &info) == SITO_OK, "sito_look failed");
    must(m->closed || info.nkeys == m->nkeys, "nkeys is not what the answers said");
}

/* Solving takes longer than most inputs do, so each plan is solved once. A cuckoo filter's search for room
 * that is not there is cut short, or it would be most of the work. */
static const sito_plan *solved(size_t kind, unsigned choice) {
    static sito_plan plans[32][4][FORMS];
    static const uint64_t nkeys[] = {1, 10, 60, 300};
    bool has_forms = is(sito_kind_at(kind), SITO_CUCKOO);
    unsigned size = choice % 4, form = has_forms ? choice / 4 % FORMS : 0;
    sito_plan *plan = &plans[kind][size][form];
    if (plan->bytes) return plan;
    *plan = plan_for(sito_kind_at(kind), nkeys[size], 1 + size);
    if (has_forms) {
        *plan = wish_for(form_no(form), 1 + size);
        plan->nkeys = nkeys[size];
        plan->fpr = 0.1;
        plan->max_moves = 5;
    }
    if (sito_plan_solve(plan) != SITO_OK) give_up("a plain plan was refused");
    return plan;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    size_t kinds = 0;
    while (sito_kind_at(kinds) && kinds < 32) kinds++;
    if (len < 2) return 0;
    struct model m = {.kind = sito_kind_at(bytes[0] % kinds)};
    /* An aged filter forgets by design, a static one has no calls to order. */
    if (!can(m.kind, SITO_CAN_ADD) || is(m.kind, "aged")) return 0;
    if (sito_new(solved(bytes[0] % kinds, bytes[1]), NULL, &m.f) != SITO_OK)
        give_up("a solved plan cannot be had");
    for (size_t at = 2; at + 1 < len; at += 2) {
        uint64_t i = bytes[at + 1];
        switch (bytes[at] % 18) {
        case 0:
        case 1:
        case 2:
        case 3: add(&m, i, add_no(m.f, i)); break;
        case 4:
        case 5:
            if (takes_hashes(m.kind)) add(&m, i, sito_add_hash(m.f, hash_no(m.f, i)));
            break;
        case 6:
        case 7:
        case 8: take_out(&m, i); break;
        case 9: reopen(&m, false); break;
        case 10: reopen(&m, true); break;
        case 11: merge_in(&m, i); break;
        case 12:
            if (i < 8) clear(&m);
            break;
        case 13:
            if (i < 8) fold(&m);
            break;
        case 14:
            if (i < 32) check_all(&m);
            break;
        case 15: add_some(&m, i); break;
        case 16: take_some_out(&m, i); break;
        default: ask(&m, i); break;
        }
    }
    check_all(&m);
    sito_free(m.f);
    return 0;
}
