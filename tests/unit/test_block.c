/* test_block.c - the block filter: where its bits fall, how its plans are sized, and its eye. */
#include "check.h"

#include <math.h>

#include <sito/block.h>

#include "reseal.h"

enum { SEED = 42 };

static const unsigned both[] = {8, 16};

static sito_plan shaped(unsigned k, uint64_t nblocks, uint64_t nkeys) {
    return (sito_plan){
        .kind = SITO_BLOCK, .nkeys = nkeys, .ncells = 512 * nblocks, .nhashes = k, .seed = SEED};
}

static sito_filter *empty(unsigned k, uint64_t nblocks, uint64_t nkeys) {
    sito_plan plan = shaped(k, nblocks, nkeys);
    return filled(&plan, 0, 0);
}

/* ---- hash -> bits ---- */

/* The words of docs/format.md once more, and no others. */
static uint64_t described(unsigned k, uint64_t nblocks, uint64_t hash, unsigned i) {
    static const uint32_t odd[16] = {0xc070fef3, 0xea6a82b7, 0xc5519bdd, 0x7be90245,
                                     0x721c9bd5, 0x85c7b0c1, 0xfd33cebf, 0x48b90a53,
                                     0x83e986c9, 0x252072ef, 0xd6132339, 0x78297e31,
                                     0xdb5166d7, 0x27c14e4f, 0x2bae3d77, 0x7032af05};
    uint64_t block = 0, x = hash * UINT64_C(0x9e3779b97f4a7c15), high = x / (UINT64_C(1) << 32);
    for (unsigned bit = 0; bit < 64; bit++) /* (hash * nblocks) / 2^64, without 128 bits */
        block = (block + (hash >> bit & 1 ? nblocks : 0)) / 2;
    if (k == 8) return 512 * block + 64 * i + x / (UINT64_C(1) << (8 * i)) % 64;
    return 512 * block + 32 * i + high * odd[i] % (UINT64_C(1) << 32) / (1 << 27);
}

static void bits_fall_where_the_format_says(void **state) {
    (void)state;
    const uint64_t sizes[] = {1, 2, 3, 17, 1000, 65537};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t b = 0; b < 2; b++) {
            unsigned k = both[b];
            sito_filter *f = empty(k, sizes[s], 50);
            uint8_t *cells = calloc((size_t)sizes[s], 64);
            assert_non_null(cells);
            for (uint64_t i = 0; i < 50; i++) {
                uint64_t hash = i == 7 ? 0 : i == 8 ? UINT64_MAX : mixed(i);
                assert_true(sito_add_hash(f, hash) >= 0);
                for (unsigned j = 0; j < k; j++) {
                    uint64_t at = described(k, sizes[s], hash, j);
                    cells[at / 8] |= (uint8_t)(1u << at % 8);
                }
            }
            image im = image_of(f);
            size_t bytes;
            const uint8_t *got = cells_of(&im, &bytes);
            assert_int_equal(bytes, 64 * sizes[s]);
            PROMISE(memcmp(got, cells, bytes) == 0, "%u bits, %llu blocks", k,
                    (unsigned long long)sizes[s]);
            free(im.bytes);
            free(cells);
            sito_free(f);
        }
}

/* What format.md says of heron, to the letter. */
static void heron_has_these_bits(void **state) {
    (void)state;
    static const unsigned eight[] = {41, 114, 191, 221, 262, 374, 404, 487},
                          sixteen[] = {0,   48,  68,  102, 150, 166, 211, 226,
                                       263, 316, 323, 375, 398, 428, 469, 486};
    for (size_t b = 0; b < 2; b++) {
        sito_filter *f = empty(both[b], 3, 30);
        assert_int_equal(sito_hash_key(f, "heron", 5), UINT64_C(0xc0e3705501ea8c85));
        assert_int_equal(sito_add(f, "heron", 5), 1);
        image im = image_of(f);
        size_t bytes, ones = 0;
        const uint8_t *cells = cells_of(&im, &bytes);
        for (size_t i = 0; i < 8 * bytes; i++) ones += cells[i / 8] >> i % 8 & 1;
        assert_int_equal(ones, both[b]);
        for (size_t i = 0; i < both[b]; i++) {
            unsigned at = 1024 + (b ? sixteen[i] : eight[i]);
            PROMISE(cells[at / 8] >> at % 8 & 1, "bit %u is 0", at);
        }
        free(im.bytes);
        sito_free(f);
    }
}

/* Alone or in batches, shared or not, or built: the same cells and the same count. */
static void every_way_in_leads_to_the_same_cells(void **state) {
    (void)state;
    enum { N = 30000, BLOCKS = 1500 };
    uint64_t *hashes = malloc(N * sizeof *hashes);
    int8_t *answers = malloc(N);
    assert_true(hashes && answers);
    for (size_t i = 0; i < N; i++) hashes[i] = mixed(i % 10 == 9 ? i / 2 : i);
    for (size_t b = 0; b < 2; b++) {
        sito_plan plan = shaped(both[b], BLOCKS, N);
        sito_filter *way[6] = {NULL};
        for (size_t w = 0; w < 5; w++) way[w] = filled(&plan, 0, 0);
        size_t done = 0;
        assert_int_equal(sito_add_many(way[1], hashes, N, answers, &done), SITO_OK);
        assert_int_equal(done, N);
        for (size_t i = 0; i < N; i++) {
            int one = sito_add_hash(way[0], hashes[i]);
            PROMISE(one == answers[i], "%u bits: key %zu: %d alone, %d in a batch", both[b], i, one,
                    answers[i]);
            assert_int_equal(sito_add_shared(way[2], hashes[i]), one);
        }
        assert_int_equal(sito_add_shared_many(way[3], hashes, N), SITO_OK);
        assert_int_equal(sito_add_many(way[4], hashes, N, NULL, NULL), SITO_OK);
        assert_int_equal(sito_build(&plan, NULL, hashes, N, &way[5]), SITO_OK);
        image first = image_of(way[0]);
        for (size_t w = 0; w < 6; w++) {
            image other = image_of(way[w]);
            PROMISE(same_cells(&first, &other), "%u bits: way %zu has other cells", both[b], w);
            PROMISE(nkeys_of(way[w]) == nkeys_of(way[0]), "%u bits: way %zu counts %llu", both[b],
                    w, (unsigned long long)nkeys_of(way[w]));
            for (size_t i = 0; i < N; i++)
                PROMISE(sito_maybe_hash(way[w], hashes[i]), "%u bits: way %zu forgot", both[b], w);
            free(other.bytes);
        }
        for (size_t w = 0; w < 6; w++) sito_free(way[w]);
        free(first.bytes);
    }
    free(hashes);
    free(answers);
}

/* ---- whole filters ---- */

static void the_union_is_merged_bit_for_bit(void **state) {
    (void)state;
    for (size_t b = 0; b < 2; b++)
        for (uint64_t nblocks = 1; nblocks <= 1000; nblocks = 3 * nblocks + 1) {
            sito_plan plan = shaped(both[b], nblocks, 20 * nblocks);
            size_t n = (size_t)(10 * nblocks);
            sito_filter *one = filled(&plan, 0, n), *other = filled(&plan, n / 2, n),
                        *whole = filled(&plan, 0, n / 2 + n);
            assert_int_equal(sito_merge(one, other), SITO_OK);
            image merged = image_of(one), all = image_of(whole);
            PROMISE(same_cells(&merged, &all), "%u bits, %llu blocks", both[b],
                    (unsigned long long)nblocks);
            free(merged.bytes);
            free(all.bytes);
            sito_free(one);
            sito_free(other);
            sito_free(whole);
        }
}

static void a_folded_table_is_the_smaller_filter(void **state) {
    (void)state;
    for (size_t b = 0; b < 2; b++)
        for (unsigned halvings = 1; halvings <= 3; halvings++)
            for (uint64_t rest = 1; rest <= 150; rest = 2 * rest + 1) {
                uint64_t nblocks = rest << halvings;
                sito_plan large = shaped(both[b], nblocks, nblocks * 5),
                          small = shaped(both[b], rest, nblocks * 5);
                sito_filter *f = filled(&large, 0, (size_t)nblocks * 5),
                            *g = filled(&small, 0, (size_t)nblocks * 5);
                assert_int_equal(sito_fold(f, halvings), SITO_OK);
                image folded = image_of(f), planned = image_of(g);
                PROMISE(same_cells(&folded, &planned), "%u bits, %llu blocks by %u", both[b],
                        (unsigned long long)nblocks, halvings);
                PROMISE(sito_merge(f, g) == SITO_OK, "not like the smaller one");
                assert_int_equal(sito_fold(f, 1), SITO_EINVAL); /* `rest` is odd */
                free(folded.bytes);
                free(planned.bytes);
                sito_free(f);
                sito_free(g);
            }
}

static void large_tables_are_planned_to_halve_three_times(void **state) {
    (void)state;
    for (uint64_t n = 300000; n < 310000; n += 1234) {
        sito_plan plan = {.kind = SITO_BLOCK, .nkeys = n, .fpr = 0.01, .seed = SEED};
        sito_filter *f = filled(&plan, 0, 0);
        assert_int_equal(sito_fold(f, 3), SITO_OK);
        sito_free(f);
    }
}

/* ---- plans ---- */

static sito_plan solved(sito_plan wish) {
    sito_rc rc = sito_plan_solve(&wish);
    PROMISE(rc == SITO_OK, "%llu keys at %g: %d", (unsigned long long)wish.nkeys, wish.fpr, rc);
    return wish;
}

static sito_plan for_keys(uint64_t n, double fpr, unsigned k) {
    return (sito_plan){.kind = SITO_BLOCK, .nkeys = n, .fpr = fpr, .nhashes = k, .seed = SEED};
}

static void space_is_within_its_bounds(void **state) {
    (void)state;
    const struct { double fpr, bits; } at[] = {{0.01, 10.15}, {0.001, 15.8}, {0.0001, 23.1}};
    for (uint64_t n = 1000000; n <= 100000000; n *= 10)
        for (size_t i = 0; i < 3; i++) {
            sito_plan plan = solved(for_keys(n, at[i].fpr, 0));
            PROMISE(plan.bits_per_key <= at[i].bits, "%llu keys at %g: %.3f bits a key",
                    (unsigned long long)n, at[i].fpr, plan.bits_per_key);
            PROMISE(plan.real_fpr <= at[i].fpr, "%g promised", plan.real_fpr);
        }
}

/* The binomial sum by another way: log-gamma, and every j. */
static double by_summing(uint64_t nblocks, uint64_t n, unsigned k) {
    double sum = 0, keys = (double)n, blocks = (double)nblocks, word = 512.0 / k;
    for (double j = 1; j <= keys; j++) {
        double here = nblocks == 1 ? j == keys
                                   : exp(lgamma(keys + 1) - lgamma(j + 1) - lgamma(keys - j + 1) -
                                         j * log(blocks) + (keys - j) * log1p(-1 / blocks));
        sum += here * pow(1 - pow(1 - 1 / word, j), k);
    }
    double twin = keys / blocks * (k == 16 ? ldexp(1, -32) : ldexp(1, -48));
    sum += (1 - sum) * twin;
    return sum + (1 - sum) * ldexp(keys, -64);
}

static void plans_state_the_exact_rate(void **state) {
    (void)state;
    const uint64_t blocks[] = {1, 2, 3, 7, 30, 100, 1000}, keys[] = {1, 2, 5, 20, 100, 700, 5000};
    for (size_t b = 0; b < 2; b++)
        for (size_t i = 0; i < 7; i++)
            for (size_t j = 0; j < 7; j++) {
                sito_plan plan = shaped(both[b], blocks[i], keys[j]);
                double truth = by_summing(blocks[i], keys[j], both[b]);
                if (truth > 0.999) continue; /* a filter that always says yes is refused */
                sito_rc rc = sito_plan_solve(&plan);
                PROMISE(rc == SITO_OK && fabs(plan.real_fpr - truth) <= 1e-8 * truth,
                        "%u bits, %llu blocks, %llu keys: %d, %.12g, not %.12g", both[b],
                        (unsigned long long)blocks[i], (unsigned long long)keys[j], rc,
                        plan.real_fpr, truth);
            }
}

/* TRAPS 19: the plain formula says less. */
static void the_plain_formula_would_miss_the_rate(void **state) {
    (void)state;
    sito_plan plan = solved(for_keys(1000000, 0.01, 0));
    double plain = pow(-expm1(-8 / plan.bits_per_key), 8);
    assert_true(plain < 0.0093);
    assert_true(plan.real_fpr > 0.0099 && plan.real_fpr <= 0.01);
}

/* A key's sixteen bits are told by 32 bits of its hash: nobody can promise less than their collisions. */
static void no_plan_promises_less_than_its_products_can_tell(void **state) {
    (void)state;
    for (double fpr = 1e-7; fpr > 1e-11; fpr /= 10) {
        sito_plan plan = solved(for_keys(100000, fpr, 16));
        double twins = 512 / plan.bits_per_key * ldexp(1, -32);
        PROMISE(plan.real_fpr >= twins && plan.real_fpr <= fpr, "%g promised, %g at least",
                plan.real_fpr, twins);
    }
}

/* An image may claim any number of keys, and a wish may be mad: the sum over what a block may hold must not
 * grow with it. */
static void tables_that_overflow_are_told_at_once(void **state) {
    (void)state;
    for (uint64_t nblocks = 1; nblocks <= 1000; nblocks *= 10) {
        sito_plan plan = {.kind = SITO_BLOCK, .ncells = 512 * nblocks, .nkeys = 1, .seed = 1};
        sito_filter *f = NULL, *full = NULL;
        sito_info info;
        assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
        image im = image_of(f);
        write_le(im.bytes + 56, 8, UINT64_MAX);
        reseal(im.bytes, im.len);
        assert_int_equal(sito_from_image(im.bytes, im.len, NULL, &full, NULL), SITO_OK);
        assert_int_equal(sito_look(full, &info), SITO_OK);
        assert_true(info.real_fpr > 0.999);
        plan.nkeys = (uint64_t)1 << 50;
        assert_int_equal(sito_plan_solve(&plan), SITO_OK);
        assert_true(plan.real_fpr > 0.999);
        free(im.bytes);
        sito_free(f);
        sito_free(full);
    }
}

static void plans_grow_with_the_keys_and_as_the_rate_falls(void **state) {
    (void)state;
    const double rates[] = {0.3, 0.1, 0.01, 0.001, 0.0003, 0.0002, 0.0001, 1e-6, 1e-8};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        for (unsigned k = 0; k <= 16; k += 8) {
            uint64_t last = 0;
            for (double n = 1; n < 1e11; n = n < 60 ? n + 1 : n * 1.09) {
                sito_plan plan = solved(for_keys((uint64_t)n, rates[r], k));
                PROMISE(plan.bytes >= last, "%.0f keys at %g: smaller than fewer keys'", n,
                        rates[r]);
                PROMISE(plan.real_fpr <= rates[r], "%.0f keys at %g: %g", n, rates[r],
                        plan.real_fpr);
                last = plan.bytes;
                if (r == 0) continue;
                sito_plan higher = solved(for_keys((uint64_t)n, rates[r - 1], k));
                PROMISE(plan.bytes >= higher.bytes, "%.0f keys: %g is smaller than %g", n, rates[r],
                        rates[r - 1]);
            }
        }
}

/* Small tables to the block, larger ones to eight; and with the better of the two numbers of bits. */
static void plans_are_no_larger_than_they_must_be(void **state) {
    (void)state;
    for (uint64_t n = 10; n <= 10000000; n *= 10)
        for (double fpr = 0.3; fpr > 1e-7; fpr /= 3) {
            sito_plan best = solved(for_keys(n, fpr, 0)), eight = solved(for_keys(n, fpr, 8)),
                      sixteen = solved(for_keys(n, fpr, 16));
            PROMISE(best.bytes <= eight.bytes && best.bytes <= sixteen.bytes,
                    "%llu keys at %g: not the better k", (unsigned long long)n, fpr);
            uint64_t nblocks = best.ncells / 512, less = nblocks >= 4096 ? 8 : 1;
            if (nblocks <= less) continue;
            sito_plan smaller = solved(shaped(best.nhashes, nblocks - less, n));
            PROMISE(smaller.real_fpr > fpr, "%llu keys at %g: %llu blocks would do",
                    (unsigned long long)n, fpr, (unsigned long long)(nblocks - less));
        }
    assert_int_equal(solved(for_keys(1000000, 0.01, 0)).nhashes, 8);
    assert_int_equal(solved(for_keys(1000000, 0.001, 0)).nhashes, 8);
    assert_int_equal(solved(for_keys(1000000, 0.0001, 0)).nhashes, 16);
}

static void wishes_are_met_to_the_letter_or_refused(void **state) {
    (void)state;
    for (unsigned k = 1; k <= 65; k++) {
        sito_plan plan = for_keys(1000, 0.01, k), sized = shaped(k, 20, 1000);
        sito_rc expected = k == 8 || k == 16 ? SITO_OK : SITO_EINVAL;
        PROMISE(sito_plan_solve(&plan) == expected, "%u bits a key", k);
        PROMISE(sito_plan_solve(&sized) == expected, "%u bits a key in 20 blocks", k);
        if (expected == SITO_OK) assert_int_equal(plan.nhashes, k);
    }
    for (uint64_t ncells = 1; ncells <= 2048; ncells++) {
        sito_plan plan = {.kind = SITO_BLOCK, .nkeys = 10, .ncells = ncells, .seed = SEED};
        PROMISE(sito_plan_solve(&plan) == (ncells % 512 ? SITO_EINVAL : SITO_OK), "%llu cells",
                (unsigned long long)ncells);
        if (ncells % 512 == 0) assert_int_equal(plan.bytes, ncells / 8);
    }
    sito_plan tight = for_keys(1000, 0.01, 0);
    tight.ncells = 512;
    assert_int_equal(sito_plan_solve(&tight), SITO_ELIMIT);
    sito_plan wide = for_keys(1000, 0.01, 0);
    wide.ncells = 512 * 100;
    assert_int_equal(sito_plan_solve(&wide), SITO_OK);
    assert_int_equal(wide.ncells, 512 * 100);
}

static void a_limit_of_bytes_is_kept(void **state) {
    (void)state;
    for (uint64_t bytes = 1; bytes < 5000; bytes += 7) {
        sito_plan keys = {.kind = SITO_BLOCK, .nkeys = 100, .max_bytes = bytes, .seed = SEED},
                  rate = {.kind = SITO_BLOCK, .fpr = 0.01, .max_bytes = bytes, .seed = SEED};
        sito_rc expected = bytes < 64 ? SITO_ELIMIT : SITO_OK;
        PROMISE(sito_plan_solve(&keys) == expected, "100 keys in %llu bytes",
                (unsigned long long)bytes);
        PROMISE(sito_plan_solve(&rate) == expected, "1 %% in %llu bytes",
                (unsigned long long)bytes);
        if (expected != SITO_OK) continue;
        assert_int_equal(keys.bytes, bytes / 64 * 64);
        assert_int_equal(rate.bytes, bytes / 64 * 64);
        assert_true(rate.real_fpr <= 0.01 && keys.real_fpr <= keys.fpr);
    }
    sito_plan all = for_keys(1000, 0.01, 0);
    uint64_t needed = solved(all).bytes;
    all.max_bytes = needed;
    assert_int_equal(sito_plan_solve(&all), SITO_OK);
    all = for_keys(1000, 0.01, 0);
    all.max_bytes = needed - 1;
    assert_int_equal(sito_plan_solve(&all), SITO_ELIMIT);
}

static bool same(const sito_plan *a, const sito_plan *b) {
    return a->nkeys == b->nkeys && a->fpr == b->fpr && a->bytes == b->bytes &&
           a->ncells == b->ncells && a->nhashes == b->nhashes && a->real_fpr == b->real_fpr &&
           a->max_bytes == b->max_bytes && a->seed == b->seed;
}

static void solving_twice_changes_nothing(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 10000000; n *= 10)
        for (double fpr = 0.3; fpr > 1e-7; fpr /= 5) {
            sito_plan wishes[3] = {for_keys(n, fpr, 0), for_keys(n, 0, 0), for_keys(0, fpr, 0)};
            wishes[1].max_bytes = wishes[2].max_bytes = 64 + n * 3;
            for (size_t i = 0; i < 3; i++) {
                sito_plan once = wishes[i];
                if (sito_plan_solve(&once) != SITO_OK) continue;
                sito_plan twice = solved(once);
                PROMISE(same(&once, &twice), "%llu keys at %g, wish %zu",
                        (unsigned long long)wishes[i].nkeys, wishes[i].fpr, i);
            }
        }
}

/* ---- what it tells ---- */

/* Given the bits that are there, strangers come in as often as look says: five standard errors. */
static void the_present_rate_is_the_one_that_is_met(void **state) {
    (void)state;
    enum { STRANGERS = 2000000 };
    for (size_t b = 0; b < 2; b++)
        for (uint64_t load = 10; load <= 80; load *= 2) {
            sito_plan plan = shaped(both[b], 500, 500 * load);
            sito_filter *f = filled(&plan, 0, (size_t)(500 * load));
            sito_info info;
            double wrong = 0;
            assert_int_equal(sito_look(f, &info), SITO_OK);
            for (uint64_t i = 0; i < STRANGERS; i++) wrong += sito_maybe_hash(f, mixed(i));
            double mean = info.present_fpr * STRANGERS;
            PROMISE(fabs(wrong - mean) <= 5 * sqrt(mean) + 1,
                    "%u bits, %llu keys a block: %.0f let in, look says %.1f", both[b],
                    (unsigned long long)load, wrong, mean);
            sito_free(f);
        }
}

static void its_facts_are_cells_hashes_and_blocks(void **state) {
    (void)state;
    sito_filter *f = empty(16, 37, 100);
    double cells = 0, hashes = 0, blocks = 0;
    assert_int_equal(sito_fact(f, "cells", &cells), SITO_OK);
    assert_int_equal(sito_fact(f, "hashes", &hashes), SITO_OK);
    assert_int_equal(sito_fact(f, "blocks", &blocks), SITO_OK);
    assert_true(cells == 37 * 512 && hashes == 16 && blocks == 37);
    sito_free(f);
}

/* ---- the eye ---- */

/* Keys of the filter, then strangers. */
static void sees_the_same(const sito_filter *f, uint64_t nkeys) {
    sito_block_eye eye;
    uint64_t yes = 0, no = 0;
    assert_int_equal(sito_block_view(f, &eye), SITO_OK);
    for (uint64_t i = 0; i < nkeys + 20000; i++) {
        uint64_t hash = i < nkeys ? hash_no(f, i) : mixed(i);
        bool maybe = sito_maybe_hash(f, hash);
        if (i < nkeys) assert_true(maybe);
        PROMISE(sito_block_eye_maybe(&eye, hash) == maybe, "hash %016llx: the filter says %d",
                (unsigned long long)hash, maybe);
        yes += maybe, no += !maybe;
    }
    assert_true(yes >= nkeys && no > 0);
    assert_int_equal(sito_block_eye_maybe(&eye, 0), sito_maybe_hash(f, 0));
    assert_int_equal(sito_block_eye_maybe(&eye, UINT64_MAX), sito_maybe_hash(f, UINT64_MAX));
}

static void an_eye_sees_what_the_filter_sees(void **state) {
    (void)state;
    for (size_t b = 0; b < 2; b++)
        for (uint64_t nblocks = 1; nblocks <= 5000; nblocks = 4 * nblocks + 1) {
            uint64_t n = 25 * nblocks;
            sito_plan plan = shaped(both[b], nblocks, n);
            sito_filter *f = filled(&plan, 0, (size_t)n), *view = NULL;
            sees_the_same(f, n);
            /* A view may begin at any byte. */
            image im = image_of(f);
            for (size_t shift = 0; shift < 8; shift += 1 + shift) {
                uint8_t *bytes = malloc(im.len + shift);
                assert_non_null(bytes);
                memcpy(bytes + shift, im.bytes, im.len);
                assert_int_equal(sito_view(bytes + shift, im.len, NULL, &view, NULL), SITO_OK);
                sees_the_same(view, n);
                sito_free(view);
                free(bytes);
            }
            free(im.bytes);
            sito_free(f);
        }
}

static void an_eye_sees_what_is_shared_meanwhile(void **state) {
    (void)state;
    sito_filter *f = empty(8, 100, 1000);
    sito_block_eye eye;
    assert_int_equal(sito_block_view(f, &eye), SITO_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(sito_add_shared(f, mixed(i)) >= 0);
        assert_true(sito_block_eye_maybe(&eye, mixed(i)));
    }
    sito_free(f);
}

static void other_kinds_have_no_eye(void **state) {
    (void)state;
    const char *kind;
    EACH_KIND(kind) {
        sito_plan plan = plan_for(kind, 100, SEED);
        sito_filter *f = filled(&plan, 0, 100);
        sito_block_eye eye = {.nblocks = 77};
        sito_rc rc = sito_block_view(f, &eye);
        PROMISE(rc == (is(kind, SITO_BLOCK) ? SITO_OK : SITO_EUNABLE), "%s: %d", kind, rc);
        if (rc != SITO_OK) PROMISE(eye.nblocks == 77, "%s: an eye was made", kind);
        PROMISE(sito_block_view(f, NULL) == SITO_EINVAL, "%s", kind);
        sito_free(f);
    }
    sito_block_eye eye;
    assert_int_equal(sito_block_view(NULL, &eye), SITO_EINVAL);
}

/* Without the key the hashes that an eye is asked would be another filter's. */
static void an_eye_wants_the_key(void **state) {
    (void)state;
    static const sito_key secret = {.id = 5, .bytes = "fifteen letters"};
    sito_plan plan = {.kind = SITO_BLOCK, .nkeys = 300, .fpr = 0.01, .key = &secret};
    sito_filter *f = filled(&plan, 0, 300);
    sees_the_same(f, 300);
    image im = image_of(f);
    sito_how blind = {.flags = SITO_NOKEY}, knowing = {.key = &secret};
    sito_filter *unknown = opened(&im, &blind), *known = opened(&im, &knowing);
    sito_block_eye eye;
    assert_int_equal(sito_block_view(unknown, &eye), SITO_EKEY);
    sees_the_same(known, 300);
    sito_free(unknown);
    sito_free(known);
    sito_free(f);
    free(im.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_fall_where_the_format_says),
        cmocka_unit_test(heron_has_these_bits),
        cmocka_unit_test(every_way_in_leads_to_the_same_cells),
        cmocka_unit_test(the_union_is_merged_bit_for_bit),
        cmocka_unit_test(a_folded_table_is_the_smaller_filter),
        cmocka_unit_test(large_tables_are_planned_to_halve_three_times),
        cmocka_unit_test(space_is_within_its_bounds),
        cmocka_unit_test(plans_state_the_exact_rate),
        cmocka_unit_test(the_plain_formula_would_miss_the_rate),
        cmocka_unit_test(no_plan_promises_less_than_its_products_can_tell),
        cmocka_unit_test(tables_that_overflow_are_told_at_once),
        cmocka_unit_test(plans_grow_with_the_keys_and_as_the_rate_falls),
        cmocka_unit_test(plans_are_no_larger_than_they_must_be),
        cmocka_unit_test(wishes_are_met_to_the_letter_or_refused),
        cmocka_unit_test(a_limit_of_bytes_is_kept),
        cmocka_unit_test(solving_twice_changes_nothing),
        cmocka_unit_test(the_present_rate_is_the_one_that_is_met),
        cmocka_unit_test(its_facts_are_cells_hashes_and_blocks),
        cmocka_unit_test(an_eye_sees_what_the_filter_sees),
        cmocka_unit_test(an_eye_sees_what_is_shared_meanwhile),
        cmocka_unit_test(other_kinds_have_no_eye),
        cmocka_unit_test(an_eye_wants_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
