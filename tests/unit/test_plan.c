/* test_plan.c - what plan.h promises: two wishes determine the third, and nonsense is refused at once. */
#include "check.h"

#include <float.h>
#include <math.h>

enum { SEED = 42 };

/* ---- comparing plans field by field: padding has no meaning ---- */

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_plan(const sito_plan *a, const sito_plan *b) {
    return a->nkeys == b->nkeys && same_double(a->fpr, b->fpr) && a->max_bytes == b->max_bytes &&
           a->seed == b->seed && a->kind == b->kind && a->needs == b->needs && a->key == b->key &&
           a->threads == b->threads && a->watch == b->watch && a->watch_self == b->watch_self &&
           a->bytes == b->bytes && same_double(a->real_fpr, b->real_fpr) &&
           same_double(a->bits_per_key, b->bits_per_key) && a->nhashes == b->nhashes &&
           a->cell_bits == b->cell_bits && a->tag_bits == b->tag_bits && a->ncells == b->ncells &&
           a->rule == b->rule && a->layout == b->layout && a->bucket == b->bucket &&
           a->max_moves == b->max_moves && a->scale == b->scale && a->fade_p == b->fade_p &&
           a->fade_q == b->fade_q && a->layer == b->layer && a->expansion == b->expansion &&
           a->max_layers == b->max_layers && a->window == b->window && a->arity == b->arity &&
           a->value_bits == b->value_bits &&
           memcmp(a->reserved, b->reserved, sizeof a->reserved) == 0;
}

static sito_plan solved(sito_plan wish) {
    sito_rc rc = sito_plan_solve(&wish);
    PROMISE(rc == SITO_OK, "%s: a plain wish was refused with %d",
            wish.kind ? wish.kind : "(no kind)", rc);
    return wish;
}

/* ---- the catalogue ---- */

static void the_catalogue_names_every_kind_and_what_it_can(void **state) {
    (void)state;
    const char *kind;
    size_t kinds = 0;
    EACH_KIND(kind) {
        PROMISE(sito_abilities(kind) != 0, "%s can nothing", kind);
        PROMISE(sito_kind_what(kind) && *sito_kind_what(kind), "%s is not described", kind);
        PROMISE(can(kind, SITO_CAN_ADD) || can(kind, SITO_CAN_BUILD), "%s cannot be filled", kind);
        kinds++;
    }
    assert_true(kinds >= 5);
    assert_null(sito_kind_at(SIZE_MAX));
    assert_int_equal(sito_abilities("no such kind"), 0);
    assert_int_equal(sito_abilities(""), 0);
    assert_null(sito_kind_what("no such kind"));
}

static void abilities_are_those_of_the_contract(void **state) {
    (void)state;
    const unsigned A = SITO_CAN_ADD, B = SITO_CAN_BUILD, R = SITO_CAN_REMOVE, C = SITO_CAN_COUNT,
                   M = SITO_CAN_MERGE, G = SITO_CAN_GROW, S = SITO_CAN_SHARE, P = SITO_CAN_MAP;
    const struct {
        const char *kind;
        unsigned can;
    } table[] = {
        {"exact", A | R | C | G | M | P},
        {"exact-cuckoo", A | R | C | G | M | P},
        {"bitmap", A | R | M | B | P},
        {"compact", A | R | C | B | P},
        {"bloom", A | M | S | B | P},
        {"parted", A | M | S | B | P},
        {"block", A | M | S | B | P},
        {"counting", A | R | C | M | B | P},
        {"cuckoo", A | R | C | B | P},
        {"scalable", A | G | P}, /* with cuckoo layers more */
        {"aged", A | P},
        {"linear", A | M | P},
        {"fuse", B | P},
        {"ribbon", B | P},
    };
    const char *kind;
    EACH_KIND(kind) {
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            if (is(kind, table[i].kind))
                PROMISE(sito_abilities(kind) == table[i].can, "%s: %#x, not %#x", kind,
                        sito_abilities(kind), table[i].can);
    }
}

/* ---- two determine the third ---- */

static void keys_alone_mean_one_percent(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan wish = plan_for(kind, 1000, SEED);
        sito_plan asked = solved(wish);
        wish.fpr = 0;
        sito_plan silent = solved(wish);
        PROMISE(silent.bytes == asked.bytes && silent.real_fpr == asked.real_fpr,
                "%s: another filter", kind);
        if (!takes_hashes(kind)) continue; /* no error, no rate to fill in */
        PROMISE(silent.fpr == 0.01, "%s: %g", kind, silent.fpr);
        PROMISE(same_plan(&asked, &silent), "%s: silence is not 1 %%", kind);
    }
}

static void the_promised_rate_is_at_most_the_asked_one(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (uint64_t n = 1; n <= 100000000; n *= 10) {
            for (double fpr = 0.5; fpr > 1e-7; fpr /= 7) {
                sito_plan plan = plan_for(kind, n, SEED);
                plan.fpr = fpr;
                sito_rc rc = sito_plan_solve(&plan);
                PROMISE(rc == SITO_OK || rc == SITO_ELIMIT, "%s, %llu keys at %g: %d", kind,
                        (unsigned long long)n, fpr, rc);
                if (rc != SITO_OK) continue;
                PROMISE(plan.real_fpr <= fpr && plan.real_fpr >= 0, "%s, %llu keys at %g: %g", kind,
                        (unsigned long long)n, fpr, plan.real_fpr);
                PROMISE(plan.fpr == fpr && plan.nkeys == n, "%s: a wish was rewritten", kind);
                PROMISE(fabs(plan.bits_per_key * (double)n / 8 - (double)plan.bytes) <
                            1e-6 * (double)plan.bytes,
                        "%s: bits a key do not fit the bytes", kind);
            }
        }
    }
}

static void keys_and_bytes_determine_the_rate(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan wish = plan_for(kind, 1000, SEED);
        sito_plan roomy = solved(wish);
        wish.fpr = 0;
        wish.max_bytes = 4 * roomy.bytes;
        sito_plan plan = solved(wish);
        PROMISE(plan.bytes <= wish.max_bytes, "%s: %llu bytes of %llu", kind,
                (unsigned long long)plan.bytes, (unsigned long long)wish.max_bytes);
        PROMISE(plan.nkeys == 1000, "%s: keys rewritten", kind);
        PROMISE(plan.real_fpr <= plan.fpr, "%s: the rate filled in is not kept", kind);
        PROMISE(plan.real_fpr <= roomy.real_fpr, "%s: four times the room, and a higher rate",
                kind);
    }
}

static void cells_and_keys_determine_the_rate(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan shape = solved(plan_for(kind, 1000, SEED));
        if (shape.ncells == 0) continue; /* a kind that is not made of equal cells */
        sito_plan wish = plan_for(kind, 1000, SEED);
        wish.fpr = 0;
        wish.ncells = shape.ncells;
        sito_plan plan = solved(wish);
        PROMISE(plan.ncells == shape.ncells, "%s: cells are not to the letter", kind);
        PROMISE(plan.fpr > 0 || plan.real_fpr == 0, "%s: no rate filled in", kind);
        PROMISE(plan.real_fpr <= plan.fpr, "%s: %g > %g", kind, plan.real_fpr, plan.fpr);
    }
}

static void rate_and_bytes_determine_the_keys(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        if (is(kind, "aged")) continue; /* a window is asked for, not solved for */
        sito_plan shape = solved(plan_for(kind, 5000, SEED));
        sito_plan wish = {.fpr = 0.01, .max_bytes = shape.bytes, .seed = SEED, .kind = kind};
        sito_plan plan = solved(wish);
        PROMISE(plan.bytes <= wish.max_bytes, "%s: %llu bytes of %llu", kind,
                (unsigned long long)plan.bytes, (unsigned long long)wish.max_bytes);
        PROMISE(plan.real_fpr <= 0.01, "%s: %g", kind, plan.real_fpr);
        PROMISE(plan.nkeys >= 5000, "%s: %llu keys in the room of 5000", kind,
                (unsigned long long)plan.nkeys);
        if (!takes_hashes(kind)) continue; /* no error, no rate to fill in */
        wish.fpr = 0;
        sito_plan silent = solved(wish);
        PROMISE(same_plan(&plan, &silent), "%s: bytes alone are not 1 %%", kind);
    }
}

/* The most keys, not just some: one more would break the rate. */
static void the_keys_solved_for_are_the_most_possible(void **state) {
    (void)state;
    const char *const kinds[] = {SITO_BLOOM, SITO_PARTED, SITO_COUNTING, SITO_BITMAP, SITO_BLOCK};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        sito_plan wish = {.fpr = 0.02, .ncells = 1 << 16, .seed = SEED, .kind = kinds[i]};
        if (!is(kinds[i], SITO_BITMAP)) wish.nhashes = 8;
        sito_plan plan = solved(wish);
        sito_plan more = {.nkeys = plan.nkeys + 1,
                          .ncells = 1 << 16,
                          .nhashes = wish.nhashes,
                          .seed = SEED,
                          .kind = kinds[i]};
        PROMISE(sito_plan_solve(&more) == SITO_OK && more.real_fpr > 0.02,
                "%s: %llu keys were not the most", kinds[i], (unsigned long long)plan.nkeys);
    }
}

/* No limit worth the name: as many keys as the largest table holds. */
static void the_largest_size_can_be_solved_for(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = {.kind = kind, .max_bytes = UINT64_MAX, .seed = SEED};
        sito_rc rc = sito_plan_solve(&plan);
        PROMISE(rc == SITO_OK, "%s: %d", kind, rc);
        PROMISE(plan.bytes > UINT64_C(1) << 48, "%s: no more than %llu bytes", kind,
                (unsigned long long)plan.bytes);
    }
}

static void all_three_given_must_agree(void **state) {
    (void)state;
    sito_plan tight = {
        .nkeys = 1000, .fpr = 0.01, .ncells = 1000, .seed = SEED, .kind = SITO_BLOOM};
    assert_int_equal(sito_plan_solve(&tight), SITO_ELIMIT);
    sito_plan small = {
        .nkeys = 1000, .fpr = 0.01, .max_bytes = 100, .seed = SEED, .kind = SITO_BLOOM};
    assert_int_equal(sito_plan_solve(&small), SITO_ELIMIT);
    sito_plan wide = {
        .nkeys = 1000, .fpr = 0.01, .ncells = 20000, .seed = SEED, .kind = SITO_BLOOM};
    assert_int_equal(sito_plan_solve(&wide), SITO_OK);
    assert_int_equal(wide.ncells, 20000);
}

/* ---- solving ---- */

static void solving_twice_changes_nothing(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (unsigned given = 0; given < 4; given++) {
            sito_plan wish = plan_for(kind, 777, given & 1 ? SEED : 0);
            if (given & 2) wish.fpr = 0.0003;
            sito_plan once = solved(wish), twice = solved(once);
            PROMISE(once.seed != 0 && once.kind != NULL, "%s: seed or kind is missing", kind);
            PROMISE(same_plan(&once, &twice), "%s: the second time differs", kind);
            sito_plan thrice = solved(twice);
            PROMISE(same_plan(&twice, &thrice), "%s: the third time differs", kind);
        }
    }
}

static void a_seed_is_drawn_anew_each_time(void **state) {
    (void)state;
    sito_plan a = solved((sito_plan){.nkeys = 10}), b = solved((sito_plan){.nkeys = 10});
    assert_true(a.seed != 0 && b.seed != 0 && a.seed != b.seed);
}

static void a_filter_has_the_shape_its_plan_promised(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = solved(plan_for(kind, 3000, SEED));
        sito_filter *f = filled(&plan, 0, 3000);
        sito_info info;
        assert_int_equal(sito_look(f, &info), SITO_OK);
        if (!can(kind, SITO_CAN_GROW))
            PROMISE(info.bytes == plan.bytes, "%s: %llu bytes, planned %llu", kind,
                    (unsigned long long)info.bytes, (unsigned long long)plan.bytes);
        PROMISE(info.real_fpr == plan.real_fpr, "%s: %g, planned %g", kind, info.real_fpr,
                plan.real_fpr);
        sito_plan like;
        assert_int_equal(sito_plan_like(f, &like), SITO_OK);
        PROMISE(like.seed == SEED && is(like.kind, kind), "%s: another seed or kind", kind);
        sito_filter *twin = NULL;
        if (can(kind, SITO_CAN_ADD)) {
            assert_int_equal(sito_new(&like, NULL, &twin), SITO_OK);
            if (can(kind, SITO_CAN_MERGE)) assert_int_equal(sito_merge(twin, f), SITO_OK);
        }
        sito_free(twin);
        sito_free(f);
    }
}

static void sizes_grow_with_the_keys(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        uint64_t last = 0;
        bool refused = false;
        for (double n = 1; n < 1e19; n = n < 50 ? n + 1 : n * 1.07) {
            sito_plan plan = plan_for(kind, (uint64_t)n, SEED);
            sito_rc rc = sito_plan_solve(&plan);
            PROMISE(rc == SITO_OK || rc == SITO_ELIMIT, "%s: %d at %.0f keys", kind, rc, n);
            PROMISE(!(refused && rc == SITO_OK), "%s: %.0f keys fit where fewer did not", kind, n);
            if (rc != SITO_OK) refused = true;
            if (rc == SITO_OK)
                PROMISE(plan.bytes >= last, "%s: %.0f keys, and a smaller filter", kind, n);
            if (rc == SITO_OK) last = plan.bytes;
        }
        PROMISE(last > UINT64_C(1) << 24, "%s: refused from the start", kind);
    }
}

static void sizes_grow_as_the_rate_falls(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        for (uint64_t n = 10; n <= 1000000; n *= 100) {
            uint64_t last = 0;
            for (double fpr = 0.9; fpr > 1e-9; fpr *= 0.8) {
                sito_plan plan = plan_for(kind, n, SEED);
                plan.fpr = fpr;
                if (sito_plan_solve(&plan) != SITO_OK) continue;
                PROMISE(plan.bytes >= last, "%s: %g is smaller than a higher rate", kind, fpr);
                last = plan.bytes;
            }
        }
    }
}

/* A few keys' tables are of few bytes each, and one more of them may be a byte less in each. */
static void sizes_of_few_keys_grow_as_the_rate_falls(void **state) {
    (void)state;
    static const char *const kinds[] = {SITO_PARTED, SITO_AGED};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (uint64_t n = 1; n <= 110; n++) {
            uint64_t last = 0;
            for (double fpr = 0.5; fpr > 1e-7; fpr *= 0.95) {
                sito_plan plan = plan_for(kinds[i], n, SEED);
                plan.fpr = fpr;
                assert_int_equal(sito_plan_solve(&plan), SITO_OK);
                PROMISE(plan.bytes >= last, "%s: %llu keys at %g are smaller than at more",
                        kinds[i], (unsigned long long)n, fpr);
                last = plan.bytes;
            }
        }
}

/* ---- needs ---- */

static void needs_choose_a_kind_that_can(void **state) {
    (void)state;
    for (unsigned needs = 0; needs < 256; needs++) {
        const char *kind;
        bool possible = false;
        EACH_KIND(kind) if (can(kind, needs)) possible = true;
        sito_plan plan = {.nkeys = 1000, .fpr = 0.01, .needs = needs};
        sito_rc rc = sito_plan_solve(&plan);
        if (possible) {
            PROMISE(rc == SITO_OK && can(plan.kind, needs), "needs %#x: %d", needs, rc);
        } else {
            PROMISE(rc == SITO_EUNABLE, "needs %#x, which no kind can: %d", needs, rc);
        }
        EACH_KIND(kind) {
            sito_plan fixed = plan_for(kind, 1000, SEED);
            fixed.needs = needs;
            rc = sito_plan_solve(&fixed);
            PROMISE(rc == (can(kind, needs) ? SITO_OK : SITO_EUNABLE), "%s with needs %#x: %d",
                    kind, needs, rc);
        }
    }
}

/* ---- nonsense ---- */

/* They take 15 times the room of a filter that may err. Of those, who can add can be new. */
static void whole_keys_are_kept_only_where_nobody_else_can(void **state) {
    (void)state;
    for (unsigned needs = 0; needs < 256; needs++) {
        sito_plan plan = {.nkeys = 1000, .fpr = 0.01, .needs = needs};
        const char *kind;
        if (sito_plan_solve(&plan) != SITO_OK || !is(plan.kind, SITO_EXACT)) continue;
        EACH_KIND(kind)
        PROMISE(!can(kind, needs | SITO_CAN_ADD) || strncmp(kind, SITO_EXACT, 5) == 0,
                "needs %#x: %s can", needs, kind);
    }
    sito_plan slots = {.ncells = 1000, .needs = SITO_CAN_GROW};
    assert_int_equal(sito_plan_solve(&slots), SITO_OK);
    assert_string_equal(slots.kind, SITO_EXACT);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    const double bad[] = {-1, -0.01, 1, 1.5, INFINITY, -INFINITY, NAN};
    const char *kind;
    EACH_KIND(kind) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            sito_plan plan = plan_for(kind, 1000, SEED), was;
            plan.fpr = bad[i];
            was = plan;
            PROMISE(sito_plan_solve(&plan) == SITO_EINVAL, "%s at rate %g", kind, bad[i]);
            PROMISE(same_plan(&plan, &was), "%s at rate %g: the plan changed", kind, bad[i]);
        }
    }
    sito_plan nothing = {0};
    assert_int_equal(sito_plan_solve(&nothing), SITO_EINVAL);
    sito_plan unknown = {.nkeys = 10, .kind = "sieve"};
    assert_int_equal(sito_plan_solve(&unknown), SITO_EINVAL);
    sito_plan unnamed = {.nkeys = 10, .kind = ""};
    assert_int_equal(sito_plan_solve(&unnamed), SITO_EINVAL);
    sito_plan needy = {.nkeys = 10, .needs = 1u << 31};
    assert_true(sito_plan_solve(&needy) < 0);
    assert_int_equal(sito_plan_solve(NULL), SITO_EINVAL);
}

static void reserved_fields_must_be_zero(void **state) {
    (void)state;
    for (size_t i = 0; i < 16; i++) {
        sito_plan plan = {.nkeys = 1000, .fpr = 0.01, .seed = SEED, .kind = SITO_BLOOM};
        plan.reserved[i] = UINT64_C(1) << (4 * i);
        sito_plan was = plan;
        sito_filter *f = NULL;
        assert_int_equal(sito_plan_solve(&plan), SITO_EINVAL);
        assert_true(same_plan(&plan, &was));
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_EINVAL);
        assert_null(f);
    }
}

/* Every field of a wish, by number, so that a grid can be laid over them. */
enum { FIELDS = 19, CORE = 6 };

static void set_field(sito_plan *plan, unsigned field, uint64_t v) {
    switch (field) {
    case 0: plan->nkeys = v; break;
    case 1: plan->max_bytes = v; break;
    case 2: plan->ncells = v; break;
    case 3: plan->nhashes = (unsigned)v; break;
    case 4: plan->tag_bits = (unsigned)v; break;
    case 5: plan->cell_bits = (unsigned)v; break;
    case 6: plan->seed = v; break;
    case 7: plan->bucket = (unsigned)v; break;
    case 8: plan->max_moves = (unsigned)v; break;
    case 9: plan->fade_p = (uint32_t)v; break;
    case 10: plan->fade_q = (uint32_t)v; break;
    case 11: plan->expansion = (unsigned)v; break;
    case 12: plan->max_layers = (unsigned)v; break;
    case 13: plan->window = v; break;
    case 14: plan->arity = (unsigned)v; break;
    case 15: plan->threads = (unsigned)v; break;
    case 16: plan->bytes = v; break;
    case 17: plan->value_bits = (unsigned)v; break;
    default: plan->needs = (unsigned)v; break;
    }
}

static const uint64_t whole[] = {0,
                                 1,
                                 2,
                                 63,
                                 64,
                                 65,
                                 INT32_MAX,
                                 UINT32_MAX,
                                 1u << 31,
                                 UINT64_C(1) << 32,
                                 UINT64_C(1) << 62,
                                 UINT64_C(1) << 63,
                                 UINT64_MAX - 63,
                                 UINT64_MAX};
static const double rates[] = {
    0,      1,           -1,   NAN,  INFINITY, -INFINITY, 1e-18,
    1e-300, DBL_MIN / 4, 1e-9, 0.01, 0.5,      0.999999,  1 - DBL_EPSILON / 2,
    1e308,  -0.0,        2};
enum { WHOLE = sizeof whole / sizeof *whole, RATES = sizeof rates / sizeof *rates };

/* Whatever was wished, the answer is a sito_rc; a refused plan is as it was; an accepted one holds, and a
 * small one can be had. */
static void try_wish(const sito_plan *wish) {
    sito_plan plan = *wish;
    sito_filter *f = NULL;
    sito_rc rc = sito_plan_solve(&plan);
    const char *kind = wish->kind ? wish->kind : "(no kind)";
    if (rc != SITO_OK) {
        PROMISE(rc == SITO_EINVAL || rc == SITO_ELIMIT || rc == SITO_EUNABLE, "%s: %d", kind, rc);
        PROMISE(same_plan(&plan, wish), "%s: a refused plan changed", kind);
        sito_rc again = sito_new(wish, NULL, &f);
        PROMISE(again == rc && f == NULL, "%s: sito_new says %d where solve says %d", kind, again,
                rc);
        return;
    }
    PROMISE(plan.real_fpr >= 0 && plan.real_fpr <= 1, "%s: rate %g", kind, plan.real_fpr);
    if (wish->fpr > 0)
        PROMISE(plan.real_fpr <= wish->fpr, "%s: %g > %g", kind, plan.real_fpr, wish->fpr);
    if (wish->max_bytes > 0) PROMISE(plan.bytes <= wish->max_bytes, "%s: over max_bytes", kind);
    sito_plan twice = plan;
    PROMISE(
        sito_plan_solve(&twice) == SITO_OK && same_plan(&plan, &twice),
        "%s: solving twice differs: nkeys %llu, rate %g, max_bytes %llu, ncells %llu, k %u, tag %u",
        kind, (unsigned long long)wish->nkeys, wish->fpr, (unsigned long long)wish->max_bytes,
        (unsigned long long)wish->ncells, wish->nhashes, wish->tag_bits);
    if (plan.bytes > 1 << 16 || !can(plan.kind, SITO_CAN_ADD)) return;
    PROMISE(sito_new(&plan, NULL, &f) == SITO_OK, "%s: a solved plan cannot be had", kind);
    int added = add_no(f, 7);
    PROMISE(added == 1 || added == SITO_EFULL, "%s: the first key: %d", kind, added);
    PROMISE(maybe_no(f, 7) || added < 0, "%s: the first key is lost", kind);
    sito_free(f);
}

static void absurd_parameters_never_crash(void **state) {
    (void)state;
    for (size_t k = 0;; k++) {
        const char *kind = sito_kind_at(k);
        sito_plan base =
            kind ? plan_for(kind, 1000, SEED) : (sito_plan){.nkeys = 1000, .seed = SEED};
        for (unsigned field = 0; field < FIELDS; field++)
            for (size_t v = 0; v < WHOLE; v++) {
                sito_plan wish = base;
                set_field(&wish, field, whole[v]);
                try_wish(&wish);
            }
        for (size_t r = 0; r < RATES; r++) {
            for (unsigned field = 0; field < CORE; field++)
                for (size_t v = 0; v < WHOLE; v++) {
                    sito_plan wish = base;
                    wish.fpr = rates[r];
                    set_field(&wish, field, whole[v]);
                    if (field == 1 || field == 2) wish.nkeys = v % 2 ? 0 : wish.nkeys;
                    try_wish(&wish);
                }
        }
        for (unsigned a = 0; a < CORE; a++)
            for (unsigned b = 0; b < a; b++)
                for (size_t v = 0; v < WHOLE; v++)
                    for (size_t w = v % 2; w < WHOLE; w += 2) {
                        sito_plan wish = base;
                        if ((v + w / 2) % 2) wish.fpr = 0;
                        set_field(&wish, a, whole[v]);
                        set_field(&wish, b, whole[w]);
                        try_wish(&wish);
                    }
        if (!kind) break;
    }
}

static void absurd_names_are_refused(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 1000, SEED);
        plan.rule = plan.layout = plan.scale = plan.layer = "no such thing";
        sito_plan was = plan;
        sito_rc rc = sito_plan_solve(&plan);
        PROMISE(rc == SITO_OK || rc == SITO_EINVAL, "%s: %d", kind, rc);
        if (rc != SITO_OK) PROMISE(same_plan(&plan, &was), "%s: a refused plan changed", kind);
        bool uses_names = is(kind, "cuckoo") || is(kind, "linear") || is(kind, "scalable");
        if (uses_names) PROMISE(rc == SITO_EINVAL, "%s takes any name", kind);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_catalogue_names_every_kind_and_what_it_can),
        cmocka_unit_test(abilities_are_those_of_the_contract),
        cmocka_unit_test(keys_alone_mean_one_percent),
        cmocka_unit_test(the_promised_rate_is_at_most_the_asked_one),
        cmocka_unit_test(keys_and_bytes_determine_the_rate),
        cmocka_unit_test(cells_and_keys_determine_the_rate),
        cmocka_unit_test(rate_and_bytes_determine_the_keys),
        cmocka_unit_test(the_keys_solved_for_are_the_most_possible),
        cmocka_unit_test(the_largest_size_can_be_solved_for),
        cmocka_unit_test(all_three_given_must_agree),
        cmocka_unit_test(solving_twice_changes_nothing),
        cmocka_unit_test(a_seed_is_drawn_anew_each_time),
        cmocka_unit_test(a_filter_has_the_shape_its_plan_promised),
        cmocka_unit_test(sizes_grow_with_the_keys),
        cmocka_unit_test(sizes_grow_as_the_rate_falls),
        cmocka_unit_test(sizes_of_few_keys_grow_as_the_rate_falls),
        cmocka_unit_test(needs_choose_a_kind_that_can),
        cmocka_unit_test(whole_keys_are_kept_only_where_nobody_else_can),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(reserved_fields_must_be_zero),
        cmocka_unit_test(absurd_parameters_never_crash),
        cmocka_unit_test(absurd_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
