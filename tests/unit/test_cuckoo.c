/*
 * test_cuckoo.c - what filters of this sort lost keys by: refused inserts, relocation, copies, removes of
 * strangers, kicks that differ from run to run. Every rule, layout and bucket size is put through it.
 *
 * SITO_LONG=1 in the environment takes a million refused inserts in every rule and layout.
 */
#include "check.h"

#include "cuckoo.h"
#include "memory.h"

enum { SEED = 42 };

static uint64_t times(uint64_t usual, uint64_t at_length) {
    return getenv("SITO_LONG") ? at_length : usual;
}

static unsigned least_tag(struct form form) { return is(form.layout, "sorted") ? 5 : 4; }

static void is_sound(const sito_filter *f, struct form form) {
    const char *why = "";
    PROMISE(sito_check(f, &why) == SITO_OK, FORM ": %s", OF_FORM(form), why);
}

/* ---- refused ---- */

/* Tables of a few buckets, of an odd number, and of hundreds of slots; the narrowest tags and the widest. */
static const unsigned slots_of[] = {8, 16, 24, 56, 96, 600};
static const unsigned widths[] = {0, 7, 12, 13, 17, 32};

/* Adds keys 0, 1, ... until `refusals` were refused; each refusal is held against the image before it. Marks
 * in `in` which keys went in. */
static uint64_t crowd(sito_filter *f, struct form form, uint64_t refusals, uint8_t *in,
                      uint64_t most) {
    uint64_t i = 0, refused = 0;
    image was = image_of(f);
    for (; refused < refusals && i < most; i++) {
        int added = add_no(f, i);
        in[i] = added >= 0;
        if (added >= 0) {
            free(was.bytes);
            was = image_of(f);
            continue;
        }
        refused++;
        PROMISE(added == SITO_EFULL, FORM ": %d", OF_FORM(form), added);
        image now = image_of(f);
        PROMISE(same_image(&was, &now), FORM ": a refused insert changed a byte", OF_FORM(form));
        free(now.bytes);
    }
    free(was.bytes);
    return i;
}

static void has_all(const sito_filter *f, struct form form, const uint8_t *in, uint64_t n) {
    uint64_t keys = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (in[i])
            PROMISE(maybe_no(f, i), FORM ": key %llu is lost", OF_FORM(form),
                    (unsigned long long)i);
        keys += in[i];
    }
    PROMISE(nkeys_of(f) == keys, FORM ": nkeys is not %llu", OF_FORM(form),
            (unsigned long long)keys);
    is_sound(f, form);
}

static void filled_to_refusal_it_loses_nobody(void **state) {
    (void)state;
    struct form form;
    uint8_t in[2000];
    EACH_FORM(form)
    for (size_t s = 0; s < sizeof slots_of / sizeof *slots_of; s++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            sito_plan plan =
                table_of(form, slots_of[s], widths[w] ? widths[w] : least_tag(form), SEED);
            sito_filter *f = new_filter(&plan);
            uint64_t tried = crowd(f, form, 6, in, sizeof in);
            has_all(f, form, in, tried);
            for (uint64_t i = 0; i < tried; i++)
                if (in[i]) PROMISE(remove_no(f, i) == 1, FORM ": owes a remove", OF_FORM(form));
            sito_filter *empty = new_filter(&plan);
            image was = image_of(empty), now = image_of(f);
            PROMISE(nkeys_of(f) == 0 && same_cells(&was, &now), FORM ": removes left something",
                    OF_FORM(form));
            free(was.bytes);
            free(now.bytes);
            sito_free(empty);
            sito_free(f);
        }
}

/* At least as full as the rule is known for, or "nobody is lost" would be cheaply had. */
static void refuses_only_when_it_is_full(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        sito_plan plan = table_of(form, 8192, 16, SEED);
        sito_filter *f = new_filter(&plan);
        uint64_t n = 0;
        while (add_no(f, n) >= 0) n++;
        bool walks = !is(form.rule, "path"), windows = is(form.layout, "window");
        double least = form.bucket == 1 ? 0.4
                       : form.bucket == 2
                           ? (windows ? (walks ? 0.88 : 0.93) : (walks ? 0.83 : 0.85))
                           : (walks     ? 0.92
                              : windows ? 0.98
                                        : 0.97);
        PROMISE((double)n >= least * (double)plan.ncells, FORM ": refused at %.4f", OF_FORM(form),
                (double)n / (double)plan.ncells);
        sito_free(f);
    }
}

/* A search that looks everywhere takes thirty times as long to refuse as a walk does, and sorted buckets are
 * slow to walk through: usually they are refused less often. */
static uint64_t refusals_of(struct form form) {
    bool slow = is(form.layout, "sorted") || (is(form.rule, "path") && !is(form.layout, "window"));
    return times(slow ? 360 : 5750, form.bucket == 4 ? 1000000 : 100000);
}

static void many_refused_inserts_lose_nobody(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        uint64_t refusals = refusals_of(form), most = refusals + 2000;
        uint8_t *in = malloc((size_t)most);
        sito_plan plan = table_of(form, 72, 12, SEED);
        sito_filter *f = new_filter(&plan);
        assert_non_null(in);
        uint64_t tried = crowd(f, form, refusals, in, most);
        PROMISE(tried < most, FORM ": not refused so often", OF_FORM(form));
        has_all(f, form, in, tried);
        sito_free(f);
        free(in);
    }
}

/* A rule that may move little or far: the limit is kept, and the books of moves are too. */
static void the_limit_of_moves_is_kept(void **state) {
    (void)state;
    struct form form;
    const unsigned limits[] = {1, 2, 3, 7, 499, 500, 501, 2000, 65535};
    EACH_FORM(form)
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        sito_plan plan = table_of(form, 200, 12, SEED);
        uint8_t in[400];
        double moves, longest, limit;
        plan.max_moves = limits[l];
        sito_filter *f = new_filter(&plan);
        uint64_t tried = crowd(f, form, 6, in, sizeof in);
        has_all(f, form, in, tried);
        assert_int_equal(sito_fact(f, "moves", &moves), SITO_OK);
        assert_int_equal(sito_fact(f, "longest", &longest), SITO_OK);
        assert_int_equal(sito_fact(f, "max_moves", &limit), SITO_OK);
        PROMISE(limit == limits[l] && longest <= limit, FORM ": %g moves in a row, not %u",
                OF_FORM(form), longest, limits[l]);
        PROMISE(moves >= longest && (moves > 0 || limit < 2), FORM ": %g moves, %g in a row",
                OF_FORM(form), moves, longest);
        sito_free(f);
    }
}

/* Longer walks than usual are kept in memory of their own. Without it nothing has happened. */
static void a_walk_that_gets_no_memory_changes_nothing(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        books kept;
        sito_memory mem = memory_with(&kept);
        sito_plan plan = table_of(form, 200, 12, SEED);
        sito_filter *f = NULL;
        unsigned failed = 0;
        plan.max_moves = 3000;
        assert_int_equal(sito_new(&plan, &mem, &f), SITO_OK);
        for (uint64_t i = 0; i < 210; i++) {
            image was = image_of(f);
            kept.fail_at = kept.calls + 1;
            int added = add_no(f, i);
            kept.fail_at = 0;
            if (added < 0)
                PROMISE(still_is(f, &was), FORM ": %d, and a byte changed", OF_FORM(form), added);
            else free(was.bytes);
            failed += added == SITO_ENOMEM;
            if (added == SITO_ENOMEM) (void)add_no(f, i);
        }
        PROMISE((failed > 0) == !is(form.rule, "path"), FORM ": %u had no memory", OF_FORM(form),
                failed);
        is_sound(f, form);
        sito_free(f);
        PROMISE(kept.live == 0 && !kept.broken, FORM ": memory is lost", OF_FORM(form));
    }
}

/* Hashes that agree in the bits which choose the bucket, or the tag, or both: they crowd a few buckets, are
 * refused there, and nobody is lost. */
static void hostile_hashes_harm_only_themselves(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    for (unsigned way = 0; way < 6; way++) {
        enum { N = 260 };
        sito_plan plan = table_of(form, 512, 9, SEED);
        sito_filter *f = new_filter(&plan);
        bool in[N];
        uint64_t hashes[N], keys = 0;
        for (uint64_t i = 0; i < N; i++) {
            const uint64_t ways[] = {i,
                                     i << 32,
                                     i << 55,
                                     i * 0x0100000001000000u,
                                     UINT64_MAX - i,
                                     i << 23 | UINT64_C(0x123) << 52};
            hashes[i] = ways[way];
            image was = image_of(f);
            int added = sito_add_hash(f, hashes[i]);
            keys += in[i] = added >= 0;
            if (in[i]) free(was.bytes);
            else
                PROMISE(still_is(f, &was), FORM ", way %u: a refusal changed a byte", OF_FORM(form),
                        way);
        }
        for (uint64_t i = 0; i < N; i++)
            PROMISE(!in[i] || sito_maybe_hash(f, hashes[i]), FORM ", way %u: lost", OF_FORM(form),
                    way);
        PROMISE(nkeys_of(f) == keys, FORM ", way %u: miscounts", OF_FORM(form), way);
        is_sound(f, form);
        for (uint64_t i = 0; i < N; i++)
            PROMISE(!in[i] || sito_remove_hash(f, hashes[i]) == 1, FORM ", way %u: owes a remove",
                    OF_FORM(form), way);
        PROMISE(nkeys_of(f) == 0, FORM ", way %u: some are left", OF_FORM(form), way);
        sito_free(f);
    }
}

/* ---- one key, over and over ---- */

static void copies_of_one_key_end_in_its_own_refusal(void **state) {
    (void)state;
    struct form form;
    const uint64_t often = times(20000, 1000000);
    EACH_FORM(form) {
        enum { ONE = 1000000 };
        sito_plan plan = table_of(form, 2048, 32, SEED);
        sito_filter *f = new_filter(&plan);
        uint64_t others = (uint64_t)(easy_load(form) * (double)plan.ncells), copies = 0, n = 0;
        for (uint64_t i = 0; i < others; i++)
            PROMISE(add_no(f, i) == 1, FORM ": key %llu", OF_FORM(form), (unsigned long long)i);
        while (add_no(f, ONE) >= 0) copies++;
        image full = image_of(f);
        for (uint64_t i = copies; i < often; i++)
            PROMISE(add_no(f, ONE) == SITO_EFULL, FORM ": add %llu", OF_FORM(form),
                    (unsigned long long)i);
        PROMISE(still_is(f, &full), FORM ": its refusals changed a byte", OF_FORM(form));
        PROMISE(copies == 2 * form.bucket, FORM ": %llu copies", OF_FORM(form),
                (unsigned long long)copies);
        numbered key = key_no(ONE);
        PROMISE(sito_count(f, key.bytes, 8, &n) == SITO_OK && n == copies, FORM ": counts %llu",
                OF_FORM(form), (unsigned long long)n);
        for (uint64_t i = 0; i < others; i++)
            PROMISE(maybe_no(f, i), FORM ": lost key %llu", OF_FORM(form), (unsigned long long)i);
        for (uint64_t i = 0; i < others / 20; i++)
            PROMISE(add_no(f, others + i) >= 0, FORM ": others pay", OF_FORM(form));
        for (uint64_t i = 0; i < copies; i++)
            PROMISE(maybe_no(f, ONE) && remove_no(f, ONE) == 1, FORM ": copy %llu", OF_FORM(form),
                    (unsigned long long)i);
        PROMISE(!maybe_no(f, ONE) && remove_no(f, ONE) == 0, FORM ": more copies than added",
                OF_FORM(form));
        for (uint64_t i = 0; i < others + others / 20; i++)
            PROMISE(maybe_no(f, i), FORM ": lost key %llu", OF_FORM(form), (unsigned long long)i);
        PROMISE(nkeys_of(f) == others + others / 20, FORM ": miscounts", OF_FORM(form));
        is_sound(f, form);
        sito_free(f);
    }
}

/* Many keys with the same tag and buckets are no better than copies of one. */
static void keys_that_share_tag_and_buckets_are_kept_apart_by_number_only(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        sito_plan plan = table_of(form, 96, 8, SEED);
        sito_filter *f = new_filter(&plan);
        uint64_t stored = 0;
        for (uint64_t low = 0; low < 300; low++) {
            int added = sito_add_hash(f, (UINT64_C(5) << 60) + low); /* bits that neither takes */
            PROMISE(added == (stored == 0) || added == SITO_EFULL, FORM ": %d", OF_FORM(form),
                    added);
            stored += added >= 0;
        }
        PROMISE(stored == 2 * form.bucket, FORM ": %llu of them", OF_FORM(form),
                (unsigned long long)stored);
        while (stored > 0) {
            PROMISE(sito_maybe_hash(f, UINT64_C(5) << 60), FORM ": lost", OF_FORM(form));
            PROMISE(sito_remove_hash(f, (UINT64_C(5) << 60) + stored--) == 1, FORM, OF_FORM(form));
        }
        PROMISE(sito_remove_hash(f, UINT64_C(5) << 60) == 0, FORM ": one too many", OF_FORM(form));
        sito_free(f);
    }
}

/* ---- strangers ---- */

static void removing_a_denied_key_changes_nothing(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        sito_plan plan = table_of(form, 400, 9, SEED);
        sito_filter *f = new_filter(&plan);
        uint64_t n = (uint64_t)(easy_load(form) * (double)plan.ncells), denied = 0;
        for (uint64_t i = 0; i < n; i++) assert_true(add_no(f, i) >= 0);
        image was = image_of(f);
        for (uint64_t i = n; i < n + 5000; i++) {
            numbered key = key_no(i);
            uint64_t copies = 9;
            if (maybe_no(f, i)) continue;
            denied++;
            PROMISE(remove_no(f, i) == 0, FORM ": took away what was not there", OF_FORM(form));
            PROMISE(sito_remove_hash(f, hash_no(f, i)) == 0, FORM ": by hash", OF_FORM(form));
            PROMISE(sito_count(f, key.bytes, 8, &copies) == SITO_OK && copies == 0,
                    FORM ": counts what it denies", OF_FORM(form));
        }
        PROMISE(denied > 4000, FORM ": only %llu were denied", OF_FORM(form),
                (unsigned long long)denied);
        PROMISE(still_is(f, &was), FORM ": a byte changed", OF_FORM(form));
        sito_free(f);
    }
}

static void certainly_new_is_what_maybe_denies(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        sito_plan plan = table_of(form, 400, 6, SEED);
        sito_filter *one = new_filter(&plan), *many = new_filter(&plan);
        unsigned known = 0, news = 0;
        for (uint64_t i = 0; i < 480; i++) {
            uint64_t hash = hash_no(one, i % 200);
            bool yes = sito_maybe_hash(one, hash);
            int8_t answer = 9;
            int added = sito_add_hash(one, hash);
            (void)sito_add_many(many, &hash, 1, &answer, NULL);
            PROMISE(added == !yes || added == SITO_EFULL, FORM ": %d where maybe said %d",
                    OF_FORM(form), added, yes);
            PROMISE(answer == added, FORM ": a batch of one says %d, not %d", OF_FORM(form), answer,
                    added);
            known += added == 0;
            news += added == 1;
        }
        PROMISE(known > 20 && news > 20, FORM ": %u known, %u new", OF_FORM(form), known, news);
        sito_free(one);
        sito_free(many);
    }
}

/* ---- same keys, same order, same seed: same image ---- */

/* A history of adds and removes that fills the table, refusals and all. Step i is an add, but every fourth
 * time a remove of something added before. */
enum { HISTORY = 770 };

static uint64_t history_hash(const sito_filter *f, uint64_t i) {
    return hash_no(f, i % 4 == 3 ? i / 2 : i);
}

static int history_step(sito_filter *f, uint64_t i) {
    uint64_t hash = history_hash(f, i);
    return i % 4 == 3 ? sito_remove_hash(f, hash) : sito_add_hash(f, hash);
}

static image told(struct form form, sito_filter *(*between)(sito_filter *f, uint64_t i)) {
    sito_plan plan = table_of(form, 360, 10, SEED);
    sito_filter *f = new_filter(&plan);
    for (uint64_t i = 0; i < HISTORY; i++) {
        (void)history_step(f, i);
        if (between) f = between(f, i);
    }
    image im = image_of(f);
    sito_free(f);
    return im;
}

static sito_filter *through_its_image(sito_filter *f, uint64_t i) {
    if (i % 50) return f;
    image im = image_of(f);
    sito_filter *again = opened(&im, NULL);
    free(im.bytes);
    sito_free(f);
    return again;
}

static sito_filter *through_a_copy(sito_filter *f, uint64_t i) {
    sito_filter *copy = NULL;
    if (i % 70) return f;
    assert_int_equal(sito_copy(f, NULL, &copy), SITO_OK);
    sito_free(f);
    return copy;
}

static sito_filter *past_questions(sito_filter *f, uint64_t i) {
    (void)maybe_no(f, i);
    (void)sito_check(f, NULL);
    return f;
}

static void the_same_history_makes_the_same_image(void **state) {
    (void)state;
    struct form form;
    sito_filter *(*const betweens[])(sito_filter *, uint64_t) = {NULL, through_its_image,
                                                                 through_a_copy, past_questions};
    EACH_FORM(form) {
        image first = told(form, NULL);
        for (size_t b = 0; b < sizeof betweens / sizeof *betweens; b++) {
            image again = told(form, betweens[b]);
            PROMISE(same_image(&first, &again), FORM ": way %zu ends elsewhere", OF_FORM(form), b);
            free(again.bytes);
        }
        free(first.bytes);
    }
}

/* A cleared filter has forgotten the state of its kicks too. */
static void a_cleared_filter_is_as_new(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        sito_plan plan = table_of(form, 200, 10, SEED);
        sito_filter *f = new_filter(&plan);
        image empty = image_of(f);
        for (uint64_t i = 0; i < 220; i++) (void)add_no(f, i);
        image full = image_of(f);
        assert_int_equal(sito_clear(f), SITO_OK);
        PROMISE(still_is(f, &empty), FORM ": something is left", OF_FORM(form));
        for (uint64_t i = 0; i < 220; i++) (void)add_no(f, i);
        PROMISE(still_is(f, &full), FORM ": the second time differs", OF_FORM(form));
        sito_free(f);
    }
}

/* ---- batches ---- */

static void batches_make_the_image_that_single_calls_do(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        enum { ADDS = 420, REMOVES = 200 };
        sito_plan plan = table_of(form, 400, 10, SEED);
        sito_filter *one = new_filter(&plan), *many = new_filter(&plan);
        uint64_t hashes[ADDS], at = 0, dice = 1;
        int8_t answers[ADDS];
        for (uint64_t i = 0; i < ADDS; i++) hashes[i] = hash_no(one, i % 300);
        bool refused = false;
        while (at < ADDS) {
            size_t some = (size_t)(mixed(dice++) % 90), done = SIZE_MAX;
            bool quiet = dice % 3 == 0;
            if (some > ADDS - at) some = (size_t)(ADDS - at);
            memset(answers, 99, sizeof answers);
            sito_rc rc = sito_add_many(many, hashes + at, some, quiet ? NULL : answers, &done);
            PROMISE(done <= some &&
                        (rc == SITO_OK ? done == some : done < some && rc == SITO_EFULL),
                    FORM ": %d after %zu of %zu", OF_FORM(form), rc, done, some);
            for (size_t i = 0; i < done; i++) {
                int answer = sito_add_hash(one, hashes[at + i]);
                PROMISE(quiet || answer == answers[i], FORM ": %d, not %d", OF_FORM(form),
                        answers[i], answer);
            }
            if (rc != SITO_OK)
                PROMISE(sito_add_hash(one, hashes[at + done]) == rc, FORM ": only a batch refuses",
                        OF_FORM(form));
            image singly = image_of(one);
            PROMISE(still_is(many, &singly), FORM ": other bytes", OF_FORM(form));
            at += done + (rc != SITO_OK);
            refused = refused || rc != SITO_OK;
        }
        PROMISE(refused, FORM ": never full", OF_FORM(form));
        size_t done = 0;
        assert_int_equal(sito_remove_many(many, hashes, REMOVES, answers, &done), SITO_OK);
        assert_int_equal(done, REMOVES);
        for (size_t i = 0; i < REMOVES; i++)
            assert_int_equal(sito_remove_hash(one, hashes[i]), answers[i]);
        assert_int_equal(sito_remove_many(many, hashes, REMOVES, NULL, NULL), SITO_OK);
        for (size_t i = 0; i < REMOVES; i++) (void)sito_remove_hash(one, hashes[i]);
        image singly = image_of(one);
        PROMISE(still_is(many, &singly), FORM ": other bytes after removes", OF_FORM(form));
        sito_free(one);
        sito_free(many);
    }
}

/* In every width: some fit a word, some do not, some only where a byte begins. */
static void a_batch_asks_as_single_calls_do(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form)
    for (unsigned bits = least_tag(form); bits <= 32; bits++) {
        enum { ASKED = 140 };
        sito_plan plan = table_of(form, 400, bits, SEED);
        sito_filter *f = new_filter(&plan);
        uint64_t hashes[ASKED];
        uint8_t answers[ASKED + 1];
        for (uint64_t i = 0; i < 100; i++) (void)add_no(f, i);
        for (uint64_t i = 0; i < ASKED; i++) hashes[i] = hash_no(f, 30 + i);
        for (size_t n = 0; n <= ASKED; n += bits == 12 ? 1 : 35) {
            memset(answers, 7, sizeof answers);
            sito_maybe_many(f, hashes, n, answers);
            for (size_t i = 0; i < n; i++)
                PROMISE(answers[i] == sito_maybe_hash(f, hashes[i]), FORM ": %zu of %zu, %u bits",
                        OF_FORM(form), i, n, bits);
            PROMISE(answers[n] == 7, FORM ": wrote past %zu answers", OF_FORM(form), n);
        }
        sito_free(f);
    }
}

/* ---- builds ---- */

static void a_build_is_the_adds_of_first_occurrences(void **state) {
    (void)state;
    struct form form;
    EACH_FORM(form) {
        enum { N = 2000, DISTINCT = 700 };
        sito_plan plan = wish_for(form, SEED);
        uint64_t hashes[N], was[N];
        bool met[DISTINCT] = {false};
        sito_filter *built = NULL;
        plan.nkeys = DISTINCT;
        plan.fpr = 0.002;
        sito_filter *added = new_filter(&plan);
        for (uint64_t i = 0; i < N; i++) {
            uint64_t which = mixed(i) % DISTINCT;
            hashes[i] = hash_no(added, which);
            if (!met[which]) PROMISE(sito_add_hash(added, hashes[i]) >= 0, FORM, OF_FORM(form));
            met[which] = true;
        }
        memcpy(was, hashes, sizeof was);
        assert_int_equal(sito_build(&plan, NULL, hashes, N, &built), SITO_OK);
        assert_memory_equal(was, hashes, sizeof was);
        image one_by_one = image_of(added);
        PROMISE(still_is(built, &one_by_one), FORM ": other bytes", OF_FORM(form));
        for (uint64_t i = 0; i < DISTINCT; i++)
            if (met[i]) PROMISE(remove_no(built, i) == 1, FORM ": owes a remove", OF_FORM(form));
        PROMISE(nkeys_of(built) == 0, FORM ": equal hashes were stored twice", OF_FORM(form));
        sito_free(built);
        sito_free(added);
    }
}

static void a_build_that_does_not_fit_makes_no_filter(void **state) {
    (void)state;
    struct form form;
    uint64_t hashes[300];
    for (uint64_t i = 0; i < 300; i++) hashes[i] = mixed(i);
    EACH_FORM(form) {
        sito_plan plan = table_of(form, 64, 12, SEED);
        sito_filter *f = NULL;
        PROMISE(sito_build(&plan, NULL, hashes, 300, &f) == SITO_EFULL && !f, FORM, OF_FORM(form));
        PROMISE(sito_build(&plan, NULL, NULL, 0, &f) == SITO_OK && nkeys_of(f) == 0, FORM,
                OF_FORM(form));
        sito_free(f);
        f = NULL;
        for (uint64_t i = 0; i < 300; i++) hashes[i] = mixed(i % 3);
        PROMISE(sito_build(&plan, NULL, hashes, 300, &f) == SITO_OK && nkeys_of(f) == 3,
                FORM ": three keys a hundred times", OF_FORM(form));
        for (uint64_t i = 0; i < 300; i++) hashes[i] = mixed(i);
        sito_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_to_refusal_it_loses_nobody),
        cmocka_unit_test(refuses_only_when_it_is_full),
        cmocka_unit_test(many_refused_inserts_lose_nobody),
        cmocka_unit_test(the_limit_of_moves_is_kept),
        cmocka_unit_test(a_walk_that_gets_no_memory_changes_nothing),
        cmocka_unit_test(hostile_hashes_harm_only_themselves),
        cmocka_unit_test(copies_of_one_key_end_in_its_own_refusal),
        cmocka_unit_test(keys_that_share_tag_and_buckets_are_kept_apart_by_number_only),
        cmocka_unit_test(removing_a_denied_key_changes_nothing),
        cmocka_unit_test(certainly_new_is_what_maybe_denies),
        cmocka_unit_test(the_same_history_makes_the_same_image),
        cmocka_unit_test(a_cleared_filter_is_as_new),
        cmocka_unit_test(batches_make_the_image_that_single_calls_do),
        cmocka_unit_test(a_batch_asks_as_single_calls_do),
        cmocka_unit_test(a_build_is_the_adds_of_first_occurrences),
        cmocka_unit_test(a_build_that_does_not_fit_makes_no_filter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
