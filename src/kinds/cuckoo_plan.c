/*
 * cuckoo_plan.c - from a wish to the shape of a cuckoo filter: how wide are the tags, how many slots
 * do they need, how often will a stranger be let in?
 */
#include "kinds/cuckoo.h"

#include <math.h>

#include "core/plan.h"
#include "core/rate.h"

enum { TAG_MIN = 4, TAG_MAX = 32, MOVES_DEFAULT = 500, MOVES_MAX = UINT16_MAX };

static const char *const layout_names[] = {"bucket", "sorted", "window"};
static const char *const rule_names[] = {"random", "emptier", "path"};

struct cuckoo_form {
    enum cuckoo_layout layout;
    enum cuckoo_rule rule;
    unsigned group;
};

/*
 * A stranger errs if one of the n keys has his tag, 1 in T, and his bucket or its partner, 2 in m:
 * wherever the tags have moved to, those are the keys he meets. In an odd number of buckets one
 * bucket of a tag is its own partner. Windows have some buckets fewer where they begin further in.
 */
static double cuckoo_error(const struct cuckoo_form *form, uint64_t slots, unsigned bits,
                           uint64_t n) {
    unsigned offsets = form->layout == LAYOUT_WINDOW ? form->group : 1;
    double tags = ldexp(1, (int)bits) - 1, sum = 0;
    for (unsigned o = 0; o < offsets; o++) {
        uint64_t whole = (slots - o) / form->group;
        double m = (double)whole, own = whole % 2 ? 1 / m : 0;
        double share =
            (ldexp(1, (int)bits) / offsets - (o == 0)) / tags; /* of tags that begin so */
        sum += share *
               (own * touched(m * tags, (double)n) + (1 - own) * touched(m * tags / 2, (double)n));
    }
    return with_hash_rate(fmin(sum, BELOW_ONE), n);
}

/* Whole pairs of buckets, so that one of a key's two is even; windows end one slot early. */
static uint64_t slots_of_pairs(const struct cuckoo_form *form, uint64_t pairs) {
    uint64_t slots = product_of(pairs, 2 * form->group);
    if (form->layout == LAYOUT_WINDOW) slots = sum_of(slots, form->group - 1);
    return slots <= CELLS_MAX ? slots : UINT64_MAX;
}

static uint64_t slots_for_at_least(const struct cuckoo_form *form, double slots) {
    if (!(slots < (double)CELLS_MAX)) return UINT64_MAX;
    double pairs = ceil(slots / (2 * form->group));
    return slots_of_pairs(form, pairs < 1 ? 1 : (uint64_t)pairs);
}

/*
 * How many slots do n keys need, lest one is refused? A large table takes its first refusal near a
 * share of its slots that hangs on the form; small ones scatter around it, by about the square
 * root of their size. These are the shares, and six deviations, of fills in lab/relocations; b = 1
 * has no sharp threshold at all.
 */
struct headroom {
    double load, scatter;
};

static struct headroom headroom_of(const struct cuckoo_form *form) {
    static const struct headroom of_paths[] = {{.35, 9}, {.87, 2.8}, {.976, 1.2}, {.990, .6}},
                                 of_walks[] = {{.35, 9}, {.85, 5.6}, {.940, 2.4}, {.975, 1.2}},
                                 of_window_paths[] = {{0}, {.948, 2.8}, {.993, 1.2}, {.998, .6}},
                                 of_window_walks[] = {{0}, {.915, 5.6}, {.970, 2.4}, {.985, 1.2}};
    bool path = form->rule == RULE_PATH;
    const struct headroom *row = form->layout == LAYOUT_WINDOW
                                     ? (path ? of_window_paths : of_window_walks)
                                     : (path ? of_paths : of_walks);
    return row[__builtin_ctz(form->group)];
}

enum { SPARE_SLOTS = 32 };

static const double REFUSED = 1e-7; /* chance of a refusal that a plan takes */

/* A club is 2 b + 1 keys, one more than two buckets hold. If two keys are of one mind with chance p,
 * C(n, 2b+1) p^2b clubs are to be expected: for less than a refusal, 1/p must be this. */
static double minds_for(const struct cuckoo_form *form, uint64_t n, double refused) {
    double club = 2 * form->group + 1, logs = -log(refused);
    if ((double)n < club) return 0;
    for (double i = 0; i < club; i++) logs += log(((double)n - i) / (i + 1));
    return exp(logs / (club - 1));
}

static uint64_t slots_by_load(const struct cuckoo_form *form, uint64_t n) {
    struct headroom h = headroom_of(form);
    double keys = (double)n, doublings = fmax(0, log2(fmax(keys, 1)) - 24);
    /* The more keys, the earlier the unluckiest of them comes. */
    h.load -= doublings * (form->rule == RULE_PATH ? 0.0003 : 0.002);
    if (n <= 2 * form->group) return slots_of_pairs(form, 1); /* all have the same two buckets */
    /* With buckets of one, three keys that want the same two slots are enough: load^4 / n. */
    if (form->group == 1) h.load = fmin(h.load, sqrt(sqrt(1.5 * REFUSED * keys)));
    double by_load = keys / h.load + h.scatter * sqrt(keys) + SPARE_SLOTS;
    /* In small tables a club that wants the same two buckets, 2 / m^2, is to be feared more; and
     * wider circles, with a key too many for three buckets or more, together twice as much. */
    double by_clubs = form->group * sqrt(2 * minds_for(form, n, REFUSED / 3));
    return slots_for_at_least(form, form->group > 1 ? fmax(by_load, by_clubs) : by_load);
}

/* 2 b keys of one tag fill both its buckets, and one more has no place to go: two keys are of one
 * mind with 2 / (m T), so narrow tags need more buckets. */
static uint64_t slots_by_copies(const struct cuckoo_form *form, uint64_t n, unsigned bits) {
    double tags = ldexp(1, (int)bits) - 1, m = 2 / tags * minds_for(form, n, REFUSED);
    return m > 0 ? slots_for_at_least(form, m * form->group) : 0;
}

/* The least number of slots at which tags this wide meet the rate. */
static uint64_t slots_by_rate(const struct cuckoo_form *form, uint64_t n, unsigned bits,
                              double fpr) {
    double own = hash_rate(n), left = (fpr - own) / (1 - own) * (1 - 1e-9);
    if (!(left > 0)) return UINT64_MAX;
    double each = -expm1(log1p(-left) / (double)n); /* chance that one given key is his */
    return slots_for_at_least(form, 2 / (each * (ldexp(1, (int)bits) - 1)) * form->group);
}

static unsigned tag_least(const struct cuckoo_form *form) {
    return form->layout == LAYOUT_SORTED ? NIBBLE + 1 : TAG_MIN;
}

static uint64_t nest_bytes(const struct cuckoo_form *form, uint64_t slots, unsigned bits) {
    return tags_bytes(slots, bits, form->layout == LAYOUT_SORTED);
}

/* The smallest table for n keys at this rate, tags as wide as asked for or best. A rate that even
 * wide tags meet only in a table mostly empty is another kind's: UINT64_MAX. */
static uint64_t smallest_nest(const struct cuckoo_form *form, uint64_t n, double fpr,
                              unsigned asked, unsigned *bits, uint64_t *slots) {
    uint64_t best = UINT64_MAX, by_load = slots_by_load(form, n);
    unsigned from = asked ? asked : tag_least(form), to = asked ? asked : TAG_MAX;
    for (unsigned b = from; b <= to; b++) {
        uint64_t by_rate = fpr > 0 ? slots_by_rate(form, n, b, fpr) : 0;
        uint64_t by_copies = slots_by_copies(form, n, b), all = by_load;
        if (all < by_rate) all = by_rate;
        if (all < by_copies) all = by_copies;
        if (!asked && all / 2 > by_load) continue;
        uint64_t bytes = nest_bytes(form, all, b);
        if (bytes < best) best = bytes, *bits = b, *slots = all;
    }
    return best;
}

/* Do n keys need more than so many bytes, or slots? */
struct nest_question {
    const struct cuckoo_form *form;
    double fpr;
    unsigned asked;
    uint64_t bytes, slots;
};

static bool nest_is_too_large(const void *self, uint64_t n) {
    const struct nest_question *q = (const struct nest_question *)self;
    unsigned bits;
    uint64_t slots;
    return smallest_nest(q->form, n, q->fpr, q->asked, &bits, &slots) > q->bytes;
}

/* With the width of the tags left open, they may be as wide as it takes. */
static bool nest_is_too_full(const void *self, uint64_t n) {
    const struct nest_question *q = (const struct nest_question *)self;
    unsigned bits;
    uint64_t slots = slots_by_load(q->form, n);
    if (q->asked) smallest_nest(q->form, n, q->fpr, q->asked, &bits, &slots);
    return slots > q->slots;
}

/* The narrowest tag that meets the rate in so many slots and has room for those who share one; 0 if
 * none does. Who asks for more keys than that may have them, for as long as they fit. */
static unsigned tag_for(const struct cuckoo_form *form, uint64_t slots, uint64_t n, double fpr) {
    unsigned meets = 0;
    for (unsigned b = TAG_MAX; b >= tag_least(form); b--) {
        if (cuckoo_error(form, slots, b, n) > fpr) break;
        if (!meets || slots_by_copies(form, n, b) <= slots) meets = b;
    }
    return meets;
}

static sito_rc solve_for_keys(sito_plan *p, const struct cuckoo_form *form) {
    if (p->max_bytes && !(p->fpr > 0) && !p->tag_bits) { /* the widest tag that fits */
        p->ncells = slots_by_load(form, p->nkeys);
        uint64_t fits = product_of(least(p->max_bytes, CELLS_MAX), 8) / p->ncells;
        p->tag_bits = (unsigned)least(fits + (form->layout == LAYOUT_SORTED), TAG_MAX);
        while (p->tag_bits >= tag_least(form)) { /* narrow ones need room for those who share one */
            uint64_t by_copies = slots_by_copies(form, p->nkeys, p->tag_bits);
            if (p->ncells < by_copies) p->ncells = by_copies;
            if (nest_bytes(form, p->ncells, p->tag_bits) <= p->max_bytes) return SITO_OK;
            p->tag_bits--;
        }
        return SITO_ELIMIT;
    }
    uint64_t bytes = smallest_nest(form, p->nkeys, p->fpr, p->tag_bits, &p->tag_bits, &p->ncells);
    return bytes <= CELLS_MAX ? SITO_OK : SITO_ELIMIT;
}

static sito_rc solve_for_bytes(sito_plan *p, const struct cuckoo_form *form) {
    struct nest_question q = {form, p->fpr, p->tag_bits, least(p->max_bytes, CELLS_MAX), 0};
    uint64_t most = 8 * q.bytes;
    p->nkeys = least_enough(1, most, most / 16, nest_is_too_large, &q) - 1;
    if (!p->nkeys) return SITO_ELIMIT;
    smallest_nest(form, p->nkeys, p->fpr, p->tag_bits, &p->tag_bits, &p->ncells);
    return SITO_OK;
}

static sito_rc solve_for_slots(sito_plan *p, const struct cuckoo_form *form) {
    if (form->layout == LAYOUT_WINDOW ? p->ncells < 2 * form->group : p->ncells % form->group)
        return SITO_EINVAL;
    if (!p->nkeys) {
        uint64_t ends = form->layout == LAYOUT_WINDOW ? form->group - 1 : 0;
        uint64_t pairs =
            (p->ncells - ends) / (2 * form->group); /* an odd bucket is not counted on */
        struct nest_question q = {form, p->fpr, p->tag_bits, 0, slots_of_pairs(form, pairs)};
        p->nkeys = pairs ? least_enough(2, p->ncells + 1, p->ncells, nest_is_too_full, &q) - 1
                         : form->group; /* one bucket: whatever comes, up to so many */
    }
    if (p->nkeys > p->ncells) return SITO_ELIMIT;
    if (!p->tag_bits) p->tag_bits = tag_for(form, p->ncells, p->nkeys, p->fpr);
    return p->tag_bits ? SITO_OK : SITO_ELIMIT;
}

static sito_rc solve_form(sito_plan *p, const struct cuckoo_form *form) {
    unsigned least_bits = tag_least(form);
    if (p->tag_bits && (p->tag_bits < least_bits || p->tag_bits > TAG_MAX)) return SITO_EINVAL;
    if (p->ncells > CELLS_MAX || p->nkeys > CELLS_MAX || !hashes_suffice(p)) return SITO_ELIMIT;
    bool size_alone = p->max_bytes && p->nkeys;
    if (!(p->fpr > 0) && !p->tag_bits && !(size_alone && !p->ncells)) p->fpr = 0.01;
    sito_rc rc = p->ncells  ? solve_for_slots(p, form)
                 : p->nkeys ? solve_for_keys(p, form)
                            : solve_for_bytes(p, form);
    if (rc != SITO_OK) return rc;
    p->bucket = form->group;
    p->bytes = nest_bytes(form, p->ncells, p->tag_bits);
    p->real_fpr = cuckoo_error(form, p->ncells, p->tag_bits, p->nkeys);
    return p->bytes > CELLS_MAX ? SITO_ELIMIT : SITO_OK;
}

/* Which of the names, or -1; none asked for is the first choice. */
static int name_in(const char *const *names, const char *name, int first_choice) {
    if (!name) return first_choice;
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

/* Which plan answers a wish better: more keys, else fewer errors if the rate was left open, else
 * fewer bytes. */
static bool is_better(const sito_plan *a, const sito_plan *b, bool rate_is_open) {
    if (a->nkeys != b->nkeys) return a->nkeys > b->nkeys;
    if (rate_is_open && a->real_fpr != b->real_fpr) return a->real_fpr < b->real_fpr;
    return a->bytes < b->bytes;
}

/* Windows of two need half the comparisons, so a bit less; windows of four fill up more. */
static sito_rc solve_best_window(sito_plan *p, struct cuckoo_form *form) {
    sito_plan two = *p, four = *p;
    form->group = 2;
    sito_rc rc = solve_form(&two, form);
    form->group = 4;
    sito_rc other = solve_form(&four, form);
    bool take_four = other == SITO_OK && (rc != SITO_OK || is_better(&four, &two, !(p->fpr > 0)));
    *p = take_four ? four : two;
    return take_four ? other : rc;
}

sito_rc cuckoo_solve(sito_plan *p) {
    int layout = name_in(layout_names, p->layout, LAYOUT_BUCKET);
    int rule = name_in(rule_names, p->rule, RULE_PATH);
    unsigned b = p->bucket;
    if (layout < 0 || rule < 0 || p->max_moves > MOVES_MAX) return SITO_EINVAL;
    if (b != 0 && b != 1 && b != 2 && b != 4 && b != 8) return SITO_EINVAL;
    if ((layout == LAYOUT_SORTED && b && b != SORTED_GROUP) || (layout == LAYOUT_WINDOW && b == 1))
        return SITO_EINVAL;
    struct cuckoo_form form = {(enum cuckoo_layout)layout, (enum cuckoo_rule)rule, b ? b : 4};
    sito_rc rc = layout == LAYOUT_WINDOW && !b ? solve_best_window(p, &form) : solve_form(p, &form);
    if (rc != SITO_OK) return rc;
    p->layout = layout_names[layout];
    p->rule = rule_names[rule];
    if (!p->max_moves) p->max_moves = MOVES_DEFAULT;
    return SITO_OK;
}

void cuckoo_to_shape(const sito_plan *plan, struct shape *s) {
    int layout = name_in(layout_names, plan->layout, 0), rule = name_in(rule_names, plan->rule, 0);
    *s = (struct shape){.ncells = plan->ncells,
                        .param = {(uint16_t)plan->tag_bits, (uint16_t)plan->bucket,
                                  (uint16_t)(layout | rule << 8), (uint16_t)plan->max_moves}};
}

void cuckoo_to_plan(const struct shape *s, sito_plan *plan) {
    plan->tag_bits = s->param[PARAM_TAG];
    plan->bucket = s->param[PARAM_GROUP];
    plan->layout = layout_names[s->param[PARAM_FORM] & 255];
    plan->rule = rule_names[s->param[PARAM_FORM] >> 8];
    plan->max_moves = s->param[PARAM_MOVES];
}

static struct cuckoo_form form_of(const struct shape *s) {
    return (struct cuckoo_form){(enum cuckoo_layout)(s->param[PARAM_FORM] & 255),
                                (enum cuckoo_rule)(s->param[PARAM_FORM] >> 8),
                                s->param[PARAM_GROUP]};
}

bool cuckoo_sizes(const struct shape *s, const uint64_t extra[3], uint64_t bytes[SEGMENTS]) {
    unsigned b = s->param[PARAM_GROUP], bits = s->param[PARAM_TAG], form = s->param[PARAM_FORM];
    unsigned layout = form & 255, rule = form >> 8;
    bytes[0] = bytes[1] = 0;
    if (layout > LAYOUT_WINDOW || rule > RULE_PATH || bits > TAG_MAX || bits < TAG_MIN ||
        (b != 1 && b != 2 && b != 4 && b != 8) || !s->ncells || s->ncells > CELLS_MAX ||
        !s->param[PARAM_MOVES])
        return false;
    if (layout == LAYOUT_SORTED && (b != SORTED_GROUP || bits <= NIBBLE)) return false;
    if (layout == LAYOUT_WINDOW ? b == 1 || s->ncells < 2 * b : s->ncells % b) return false;
    if (extra[EXTRA_LONGEST] > s->param[PARAM_MOVES] || extra[EXTRA_LONGEST] > extra[EXTRA_MOVES] ||
        (rule == RULE_PATH && extra[EXTRA_KICKS]))
        return false;
    bytes[0] = tags_bytes(s->ncells, bits, layout == LAYOUT_SORTED);
    return bytes[0] <= CELLS_MAX;
}

double cuckoo_rate(const struct shape *s, uint64_t nkeys) {
    struct cuckoo_form form = form_of(s);
    return cuckoo_error(&form, s->ncells, s->param[PARAM_TAG], nkeys);
}
