/*
 * test_scalable.c - layers: whatever comes is taken, nothing is forgotten, and the rate stays.
 *
 * SITO_LONG=1 in the environment grows to a hundred million keys.
 */
#include "check.h"

#include <math.h>

#include "kinds/scalable_ground.h"
#include "place/finger.h"

enum { SEED = 42 };

static const char *const layer_names[] = {SITO_LAYER_TAGS, SITO_CUCKOO, SITO_BLOOM, SITO_BLOCK};
enum { NAMES = sizeof layer_names / sizeof *layer_names };

static sito_plan layered(const char *layer, uint64_t nkeys, double fpr) {
    return (sito_plan){
        .kind = SITO_SCALABLE, .layer = layer, .nkeys = nkeys, .fpr = fpr, .seed = SEED};
}

static sito_filter *made(sito_plan plan) {
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    return f;
}

static sito_info look(const sito_filter *f) {
    sito_info info;
    assert_int_equal(sito_look(f, &info), SITO_OK);
    return info;
}

/* ---- growing ---- */

/* Four strangers in a thousand would be too many at any moment; those counted lie within 5 standard errors
 * of what the filter says of itself. */
static void keeps_its_rate_at_every_moment(void **state) {
    (void)state;
    const double fpr = 0.004;
    for (size_t l = 0; l < NAMES; l++) {
        sito_filter *f = made(layered(layer_names[l], 100, fpr));
        uint64_t n = 0;
        for (uint64_t to = 50; to < 300000; to = to * 5 / 4) {
            for (; n < to; n++) PROMISE(add_no(f, n) >= 0, "%s", layer_names[l]);
            sito_info info = look(f);
            uint64_t wrong = 0, asked = 20000;
            for (uint64_t i = 0; i < asked; i++) wrong += sito_maybe_hash(f, mixed(i));
            double mean = info.present_fpr * (double)asked;
            PROMISE(info.present_fpr <= fpr, "%s, %llu keys: %g", layer_names[l],
                    (unsigned long long)n, info.present_fpr);
            PROMISE(fabs((double)wrong - mean) <= 5 * sqrt(mean) + 3, "%s, %llu keys: %llu, not %g",
                    layer_names[l], (unsigned long long)n, (unsigned long long)wrong, mean);
        }
        for (uint64_t i = 0; i < n; i++) PROMISE(maybe_no(f, i), "%s forgot", layer_names[l]);
        assert_true(fact(f, "layers") > (is(layer_names[l], SITO_LAYER_TAGS) ? 2 : 10));
        assert_int_equal(sito_check(f, NULL), SITO_OK);
        sito_free(f);
    }
}

/* A few keys are in one table whatever the plan was, and at every size of it none is forgotten. */
static void a_small_one_has_one_layer(void **state) {
    (void)state;
    for (double fpr = 0.3; fpr > 1e-7; fpr /= 12) {
        for (uint64_t first = 1; first < 40000; first = first * 7 + 1) {
            sito_filter *f = made(layered(NULL, first, fpr));
            uint64_t n = 0, kept = 0;
            double room = fact(f, "room");
            for (; n < 70000; n++) {
                PROMISE(sito_add_hash(f, mixed(n)) >= 0, "planned for %llu at %g",
                        (unsigned long long)first, fpr);
                if (fact(f, "room") == room) continue;
                room = fact(f, "room");
                for (uint64_t i = 0; i <= n; i++)
                    PROMISE(sito_maybe_hash(f, mixed(i)), "planned for %llu at %g: %llu of %llu",
                            (unsigned long long)first, fpr, (unsigned long long)i,
                            (unsigned long long)n);
            }
            for (uint64_t i = 0; i < n; i++) kept += sito_maybe_hash(f, mixed(i));
            assert_true(kept == n);
            /* Tags that would be too wide for one table make some layers of it. */
            PROMISE(fact(f, "layers") <= (fpr > 1e-3 ? 1 : 12), "planned for %llu at %g: %g layers",
                    (unsigned long long)first, fpr, fact(f, "layers"));
            assert_int_equal(sito_check(f, NULL), SITO_OK);
            sito_free(f);
        }
    }
}

/* Hashes that differ in a few bits only, and those at both ends of the range. */
static void neighbours_are_not_mixed_up(void **state) {
    (void)state;
    sito_filter *f = made(layered(NULL, 64, 0.001));
    uint64_t hashes[30000];
    for (uint64_t i = 0; i < 30000; i++)
        hashes[i] = i % 3 == 0   ? i << 22
                    : i % 3 == 1 ? ~(i << 23)
                                 : (mixed(i / 300) & ~(uint64_t)0xffffffffff) + (i % 300 << 31);
    for (size_t i = 0; i < 30000; i++) {
        assert_true(sito_add_hash(f, hashes[i]) >= 0);
        if (i % 1000 && i + 1 < 30000) continue;
        for (size_t j = 0; j <= i; j++) PROMISE(sito_maybe_hash(f, hashes[j]), "%zu of %zu", j, i);
    }
    sito_free(f);
}

/* Do they have the same two windows in the first table after so many steps? */
static bool share_windows(const sito_filter *f, unsigned step, uint64_t a, uint64_t b) {
    struct ground g = ground_of(&f->shape, step);
    struct ground_place p = ground_find(&g, a), q = ground_find(&g, b);
    return p.bucket == q.bucket && p.tag % 2 == q.tag % 2 &&
           other_bucket(p.bucket, p.tag, 2 * g.half) == other_bucket(q.bucket, q.tag, 2 * g.half);
}

/* Five with the same two windows, before and after a step: these have four slots. */
static void a_crowd_that_no_ground_holds_opens_a_layer(void **state) {
    (void)state;
    sito_filter *f = made(layered(NULL, 64, 0.001));
    uint64_t crowd[5] = {mixed(1)}, found = 1;
    for (uint64_t i = 2; found < 5; i++)
        if (share_windows(f, 0, crowd[0], mixed(i)) && share_windows(f, 1, crowd[0], mixed(i)))
            crowd[found++] = mixed(i);
    for (size_t i = 0; i < 5; i++) PROMISE(sito_add_hash(f, crowd[i]) == 1, "number %zu", i);
    assert_true(fact(f, "layers") == 2);
    for (size_t i = 0; i < 5; i++) assert_true(sito_maybe_hash(f, crowd[i]));
    assert_int_equal(sito_check(f, NULL), SITO_OK);
    sito_free(f);
}

/* From any slot that a hash's tag may lie in, its known bits are found again, after any step. */
static void a_slot_tells_its_hash(void **state) {
    (void)state;
    uint64_t dice = 0;
    for (int trial = 0; trial < 300; trial++) {
        sito_plan plan = layered(NULL, 1 + mixed(dice++) % 60000, 0.1 / (double)(1 << trial % 20));
        sito_filter *f = made(plan);
        for (unsigned step = 0; step < ground_steps(&f->shape); step++) {
            struct ground g = ground_of(&f->shape, step);
            for (int k = 0; k < 50; k++) {
                uint64_t cut = 64 - g.known, hash = k == 0   ? 0
                                                    : k == 1 ? ~(uint64_t)0
                                                             : mixed(dice++);
                struct ground_place p = ground_find(&g, hash);
                uint64_t other = other_bucket(p.bucket, p.tag, 2 * g.half),
                         as = ground_hash(&g, &p);
                assert_true(range_of(as, 2 * g.half) == p.bucket && p.bucket % 2 == 0);
                assert_true(tag_of(as, ground_bits(&g)) == p.tag && other % 2 == 1);
                for (unsigned s = 0; s < 2; s++) {
                    uint64_t into = p.tag % 2 + s;
                    assert_true(known_hash(&g, 2 * p.bucket + into, p.tag) == hash >> cut << cut);
                    assert_true(known_hash(&g, 2 * other + into, p.tag) == hash >> cut << cut);
                }
            }
        }
        sito_free(f);
    }
}

/* Many layers, small and large, tags of two widths, by every instruction set that SITO_CPU chooses. */
static void batches_answer_as_single_questions_do(void **state) {
    (void)state;
    enum { ASKED = 3001 };
    uint64_t *hashes = malloc(ASKED * sizeof *hashes);
    uint8_t *answers = malloc(ASKED);
    assert_true(hashes && answers);
    for (size_t l = 0; l < NAMES; l++) {
        for (double fpr = 0.02; fpr > 1e-8; fpr /= 200) {
            sito_filter *f = made(layered(layer_names[l], 64, fpr));
            uint64_t n = 0, yes = 0;
            for (uint64_t to = 10; to < 400000; to *= 6) {
                for (; n < to; n++) assert_true(sito_add_hash(f, mixed(n)) >= 0);
                for (uint64_t i = 0; i < ASKED; i++)
                    hashes[i] = i % 3 ? mixed((1u << 30) + i) : mixed(mixed(i) % n);
                sito_maybe_many(f, hashes, ASKED, answers);
                for (uint64_t i = 0; i < ASKED; i++) {
                    PROMISE(answers[i] == sito_maybe_hash(f, hashes[i]), "%s, %llu keys at %g",
                            layer_names[l], (unsigned long long)n, fpr);
                    PROMISE(i % 3 || answers[i], "%s forgot", layer_names[l]);
                    yes += answers[i];
                }
            }
            assert_true(yes < 6 * ASKED / 2);
            sito_free(f);
        }
    }
    free(hashes);
    free(answers);
}

/* Every key up to nine times in a row, from a few groups' worth: answers, counts and cells are those of
 * single adds. */
static void copies_in_a_batch_are_as_copies_one_by_one(void **state) {
    (void)state;
    enum { ADDS = 3000 };
    uint64_t hashes[ADDS], key = 0;
    for (size_t i = 0, left = 0; i < ADDS; i++) {
        if (!left) left = 1 + mixed(++key) % 9;
        hashes[i] = mixed(1000 + key), left--;
    }
    for (size_t l = 0; l < NAMES; l++) {
        sito_filter *one = made(layered(layer_names[l], 200, 0.01));
        sito_filter *many = made(layered(layer_names[l], 200, 0.01));
        int8_t answers[ADDS];
        size_t done;
        sito_rc rc = sito_add_many(many, hashes, ADDS, answers, &done);
        for (size_t i = 0; i < done; i++)
            PROMISE(sito_add_hash(one, hashes[i]) == answers[i], "%s, add %zu", layer_names[l], i);
        if (done < ADDS) assert_int_equal(sito_add_hash(one, hashes[done]), rc);
        image a = image_of(one);
        PROMISE(still_is(many, &a), "%s", layer_names[l]);
        sito_free(one);
        sito_free(many);
    }
}

/* With every layer the room for keys is `expansion` times what it was; of one, as much more; of
 * none, 2.1 times. */
static void every_layer_multiplies_the_room(void **state) {
    (void)state;
    for (unsigned e = 0; e <= 5; e++) {
        sito_plan plan = layered(SITO_BLOCK, 200, 0.01);
        plan.expansion = e;
        sito_filter *f = made(plan);
        uint64_t n = 0;
        double before = 0;
        for (unsigned layers = 1; layers <= 5; layers++) {
            while (fact(f, "layers") < layers) assert_true(add_no(f, n++) >= 0);
            double room = fact(f, "room");
            PROMISE(layers == 1 ? room == 200
                    : e == 0    ? room == floor(before * 21 / 10)
                    : e == 1    ? room == before + 200
                                : room == before * e,
                    "expansion %u: room for %g keys after %g", e, room, before);
            before = room;
        }
        sito_free(f);
    }
}

/* Against a bloom planned for what is there: these are sizes, so they are the same everywhere. */
static void takes_at_most_2_7_times_a_bloom(void **state) {
    (void)state;
    double sum = 0, points = 0;
    sito_filter *f = made(layered(NULL, 1000, 0.001));
    uint64_t n = 0;
    for (double to = 1000; to < 1000001; to *= pow(10, 0.05), points++) {
        for (; n < (uint64_t)to; n++) assert_true(sito_add_hash(f, mixed(n)) >= 0);
        sito_plan bloom = {.kind = SITO_BLOOM, .nkeys = n, .fpr = 0.001, .seed = SEED};
        assert_int_equal(sito_plan_solve(&bloom), SITO_OK);
        double more = (double)look(f).bytes / (double)bloom.bytes;
        PROMISE(more < 2.7, "%llu keys: %g", (unsigned long long)n, more);
        sum += more;
    }
    PROMISE(sum / points < 2.0, "%g on average", sum / points);
    sito_free(f);
}

static void every_wish_has_a_plan(void **state) {
    (void)state;
    for (size_t l = 0; l < NAMES; l++)
        for (unsigned e = 0; e <= 16; e += 1 + e / 3)
            for (double fpr = 0.5; fpr > 1e-7; fpr /= 1.9)
                for (uint64_t n = 1; n < 10000000; n = n * 19 + 3) {
                    sito_plan plan = layered(layer_names[l], n, fpr);
                    plan.expansion = e;
                    PROMISE(sito_plan_solve(&plan) == SITO_OK, "%s, expansion %u, %llu keys at %g",
                            layer_names[l], e, (unsigned long long)n, fpr);
                }
}

static void the_last_layer_is_the_last(void **state) {
    (void)state;
    for (size_t l = 0; l < NAMES; l++) {
        sito_plan plan = layered(layer_names[l], 100, 0.01);
        plan.max_layers = 3;
        sito_filter *f = made(plan), *g = NULL;
        uint64_t n = 0;
        int answer;
        while ((answer = add_no(f, n)) >= 0) n++;
        PROMISE(answer == SITO_EFULL && n >= 350 && n <= 450, "%s: %d after %llu", layer_names[l],
                answer, (unsigned long long)n);
        image im = image_of(f), was = image_of(f);
        for (uint64_t i = n; i < n + 100; i++) {
            bool is_known = maybe_no(f, i);
            PROMISE(is_known || add_no(f, i) == SITO_EFULL, "%s", layer_names[l]);
        }
        PROMISE(still_is(f, &was), "%s: a refused add changed a byte", layer_names[l]);
        g = opened(&im, NULL);
        for (uint64_t i = 0; i < n; i++) PROMISE(maybe_no(g, i), "%s forgot", layer_names[l]);
        free(im.bytes);
        sito_free(f);
        sito_free(g);
    }
}

static void grows_no_further_than_allowed(void **state) {
    (void)state;
    sito_plan plan = layered(NULL, 1000, 0.01);
    plan.max_bytes = 20000;
    sito_filter *f = made(plan);
    uint64_t n = 0;
    int answer;
    while ((answer = add_no(f, n)) >= 0) n++;
    assert_int_equal(answer, SITO_ELIMIT);
    assert_true(n > 3000 && look(f).bytes <= 20000);
    for (uint64_t i = 0; i < n; i++) assert_true(maybe_no(f, i));
    sito_free(f);
}

static void known_keys_open_no_layer(void **state) {
    (void)state;
    for (size_t l = 0; l < NAMES; l++) {
        if (is(layer_names[l], SITO_CUCKOO)) continue;
        sito_filter *f = made(layered(layer_names[l], 100, 0.01));
        for (uint64_t i = 0; i < 1000; i++) assert_true(add_no(f, i) >= 0);
        image was = image_of(f);
        for (uint64_t i = 0; i < 1000; i++) assert_int_equal(add_no(f, i), 0);
        assert_true(still_is(f, &was));
        sito_free(f);
    }
}

/* ---- removing ---- */

/* Old keys go, in order, while look-alikes of theirs stand in newer layers: nobody else goes with them. */
static void removing_old_keys_loses_no_other(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        enum { KEYS = 30000 };
        sito_plan plan = layered(SITO_CUCKOO, 64, 0.05);
        plan.seed = seed;
        sito_filter *f = made(plan);
        for (uint64_t i = 0; i < KEYS; i++) assert_true(add_no(f, i) >= 0);
        for (uint64_t i = 0; i < KEYS; i++) {
            if (i % 3 == 0) continue;
            PROMISE(remove_no(f, i) == 1, "an add is owed a remove");
        }
        for (uint64_t i = 0; i < KEYS; i += 3)
            PROMISE(maybe_no(f, i), "seed %llu: key %llu is lost", (unsigned long long)seed,
                    (unsigned long long)i);
        PROMISE(nkeys_of(f) == KEYS / 3, "%llu keys", (unsigned long long)nkeys_of(f));
        assert_int_equal(sito_check(f, NULL), SITO_OK);
        /* Where several layers had the tag it stayed: as seldom as strangers are let in. */
        PROMISE(fact(f, "permanent") < 0.05 * KEYS, "%g tags stayed", fact(f, "permanent"));
        sito_free(f);
    }
}

/* Tags that stayed let strangers in when all keys are gone. */
static void without_keys_it_tells_what_strangers_meet(void **state) {
    (void)state;
    enum { KEYS = 200000, ASKED = 4000000 };
    sito_plan plan = layered(SITO_CUCKOO, 64, 0.2);
    sito_filter *f = made(plan);
    sito_info info;
    assert_int_equal(sito_look(f, &info), SITO_OK);
    assert_true(info.present_fpr == 0);
    for (uint64_t i = 0; i < KEYS; i++) assert_true(add_no(f, i) >= 0);
    for (uint64_t i = 0; i < KEYS; i++) assert_int_equal(remove_no(f, i), 1);
    double asked = ASKED, seen = 0;
    for (uint64_t i = 0; i < ASKED; i++) seen += maybe_no(f, KEYS + i);
    assert_int_equal(sito_look(f, &info), SITO_OK);
    assert_int_equal(info.nkeys, 0);
    assert_true(fact(f, "permanent") > 0 && seen > 0);
    double expected = info.present_fpr * asked;
    PROMISE(fabs(seen - expected) < 0.05 * expected + 5 * sqrt(expected), "%g of %g, told %g", seen,
            asked, expected);
    sito_free(f);
}

/* Copies come long after the first, when it lies deep in the layers. Now and then another key's mark looks
 * the same, and stays. */
static void copies_are_removed_as_often_as_added(void **state) {
    (void)state;
    enum { TWICE = 30 };
    sito_filter *f = made(layered(SITO_CUCKOO, 1000, 0.001));
    uint64_t gone = 0;
    for (uint64_t i = 0; i < 20000; i++) assert_true(add_no(f, i) >= 0);
    for (uint64_t i = 0; i < TWICE; i++) assert_int_equal(add_no(f, i), 0);
    for (uint64_t i = 0; i < TWICE; i++) {
        numbered key = key_no(i);
        uint64_t copies = 0;
        assert_int_equal(sito_count(f, key.bytes, 8, &copies), SITO_OK);
        assert_true(copies >= 2);
        assert_int_equal(remove_no(f, i), 1);
        assert_true(maybe_no(f, i));
        assert_int_equal(remove_no(f, i), 1);
        gone += !maybe_no(f, i);
    }
    PROMISE(gone >= TWICE - 2, "%llu of %d are gone", (unsigned long long)gone, TWICE);
    sito_free(f);
}

/* A queue: new keys come, old ones go, and the room they leave is used again. */
static void a_queue_does_not_grow_without_end(void **state) {
    (void)state;
    enum { LENGTH = 5000 };
    sito_filter *f = made(layered(SITO_CUCKOO, 1000, 0.001));
    for (uint64_t i = 0; i < 60 * LENGTH; i++) {
        assert_true(add_no(f, i) >= 0);
        if (i >= LENGTH) assert_int_equal(remove_no(f, i - LENGTH), 1);
    }
    for (uint64_t i = 59 * LENGTH; i < 60 * LENGTH; i++) assert_true(maybe_no(f, i));
    PROMISE(fact(f, "layers") <= 5, "%g layers for %d keys", fact(f, "layers"), LENGTH);
    sito_free(f);
}

static void one_key_opens_not_all_layers(void **state) {
    (void)state;
    for (uint64_t others = 0; others <= 1000; others += 100) {
        sito_plan plan = layered(SITO_CUCKOO, 1000, 0.01);
        sito_filter *f = filled(&plan, 1, others);
        uint64_t copies = 0;
        while (copies < 100000 && add_no(f, 0) >= 0) copies++;
        PROMISE(copies >= 4 && copies < 100, "%llu copies", (unsigned long long)copies);
        PROMISE(fact(f, "layers") <= 3, "%g layers", fact(f, "layers"));
        for (uint64_t i = 1; i <= others; i++) assert_true(maybe_no(f, i));
        sito_free(f);
    }
}

static void only_cuckoo_layers_remove_and_count(void **state) {
    (void)state;
    const unsigned remove_count = SITO_CAN_REMOVE | SITO_CAN_COUNT;
    for (size_t l = 0; l < NAMES; l++) {
        bool is_nest = is(layer_names[l], SITO_CUCKOO);
        sito_plan plan = layered(layer_names[l], 100, 0.01);
        sito_filter *f = filled(&plan, 0, 300);
        sito_filter *copy = NULL;
        assert_int_equal(sito_copy(f, NULL, &copy), SITO_OK);
        image im = image_of(f);
        sito_filter *again = opened(&im, NULL), *all[] = {f, copy, again};
        for (size_t i = 0; i < 3; i++) {
            numbered key = key_no(3);
            uint64_t n = 77;
            PROMISE((look(all[i]).can & remove_count) == (is_nest ? remove_count : 0), "%s: %#x",
                    layer_names[l], look(all[i]).can);
            assert_int_equal(sito_count(all[i], key.bytes, 8, &n),
                             is_nest ? SITO_OK : SITO_EUNABLE);
            assert_int_equal(remove_no(all[i], 3), is_nest ? 1 : SITO_EUNABLE);
            assert_string_equal(sito_word(all[i], "layer"), layer_names[l]);
            sito_free(all[i]);
        }
        plan.needs = SITO_CAN_REMOVE;
        assert_int_equal(sito_plan_solve(&plan), is_nest ? SITO_OK : SITO_EUNABLE);
        free(im.bytes);
    }
}

/* ---- images ---- */

/* Opened at any moment it goes on as if nothing had happened: read, or mapped and copied. */
static void grows_on_after_it_was_saved(void **state) {
    (void)state;
    for (size_t l = 0; l < NAMES; l++) {
        sito_filter *f = made(layered(layer_names[l], 64, 0.01));
        sito_filter *g = made(layered(layer_names[l], 64, 0.01));
        for (uint64_t i = 0; i < 5000; i++) {
            PROMISE(add_no(f, i) == add_no(g, i), "%s", layer_names[l]);
            if (i % 97) continue;
            image im = image_of(g);
            sito_free(g);
            g = NULL;
            if (i % 2) g = opened(&im, NULL);
            else {
                sito_filter *view = NULL;
                assert_int_equal(sito_view(im.bytes, im.len, NULL, &view, NULL), SITO_OK);
                for (uint64_t j = 0; j <= i; j++) PROMISE(maybe_no(view, j), "%s", layer_names[l]);
                assert_int_equal(sito_copy(view, NULL, &g), SITO_OK);
                sito_free(view);
            }
            free(im.bytes);
        }
        image was = image_of(f);
        PROMISE(still_is(g, &was), "%s", layer_names[l]);
        sito_free(f);
        sito_free(g);
    }
}

static void a_cleared_one_grows_again_as_a_new_one_does(void **state) {
    (void)state;
    for (size_t l = 0; l < NAMES; l++) {
        sito_plan plan = layered(layer_names[l], 64, 0.01);
        sito_filter *f = filled(&plan, 0, 2000), *g = filled(&plan, 5000, 3000);
        assert_int_equal(sito_clear(f), SITO_OK);
        assert_true(fact(f, "layers") == 1);
        for (uint64_t i = 0; i < 2000; i++) assert_false(maybe_no(f, i));
        for (uint64_t i = 5000; i < 8000; i++) assert_true(add_no(f, i) >= 0);
        image was = image_of(g);
        PROMISE(still_is(f, &was), "%s", layer_names[l]);
        sito_free(f);
        sito_free(g);
    }
}

/* ---- the long one ---- */

static void a_hundred_million_keys_keep_the_rate(void **state) {
    (void)state;
    sito_filter *f = made(layered(NULL, 1000, 0.001));
    uint64_t n = 0, asked = 1000000;
    for (double to = 1000; to < 1.0001e8; to *= pow(10, 0.25)) {
        for (; n < (uint64_t)to; n++) assert_true(sito_add_hash(f, mixed(n)) >= 0);
        uint64_t wrong = 0;
        for (uint64_t i = 0; i < asked; i++) wrong += sito_maybe_hash(f, mixed(i + (1ull << 40)));
        PROMISE(look(f).present_fpr <= 0.001 && wrong < 1000 + 5 * 32, "%llu keys: %llu wrong",
                (unsigned long long)n, (unsigned long long)wrong);
    }
    for (uint64_t i = 0; i < n; i++) assert_true(sito_maybe_hash(f, mixed(i)));
    sito_free(f);
}

int main(void) {
    end_within(120);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_its_rate_at_every_moment),
        cmocka_unit_test(a_small_one_has_one_layer),
        cmocka_unit_test(neighbours_are_not_mixed_up),
        cmocka_unit_test(a_crowd_that_no_ground_holds_opens_a_layer),
        cmocka_unit_test(a_slot_tells_its_hash),
        cmocka_unit_test(batches_answer_as_single_questions_do),
        cmocka_unit_test(copies_in_a_batch_are_as_copies_one_by_one),
        cmocka_unit_test(every_layer_multiplies_the_room),
        cmocka_unit_test(takes_at_most_2_7_times_a_bloom),
        cmocka_unit_test(every_wish_has_a_plan),
        cmocka_unit_test(the_last_layer_is_the_last),
        cmocka_unit_test(grows_no_further_than_allowed),
        cmocka_unit_test(known_keys_open_no_layer),
        cmocka_unit_test(removing_old_keys_loses_no_other),
        cmocka_unit_test(without_keys_it_tells_what_strangers_meet),
        cmocka_unit_test(copies_are_removed_as_often_as_added),
        cmocka_unit_test(a_queue_does_not_grow_without_end),
        cmocka_unit_test(one_key_opens_not_all_layers),
        cmocka_unit_test(only_cuckoo_layers_remove_and_count),
        cmocka_unit_test(grows_on_after_it_was_saved),
        cmocka_unit_test(a_cleared_one_grows_again_as_a_new_one_does),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(a_hundred_million_keys_keep_the_rate),
    };
    if (getenv("SITO_LONG")) return cmocka_run_group_tests(long_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
