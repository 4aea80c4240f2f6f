/*
 * test_finger.c - a hash becomes a tag and two buckets, and from each bucket the tag leads to the other.
 *
 * Keys vanish where that does not hold, so it is tried for every number of buckets up to some thousands and
 * for numbers near every power of two.
 */
#include "check.h"

#include <math.h>

#include "place/finger.h"

/* Largest table: 2^50 slots, so as many buckets of one. */
#define BUCKETS_MAX (UINT64_C(1) << 50)

static void there_and_back(uint64_t bucket, uint32_t tag, uint64_t m) {
    uint64_t other = other_bucket(bucket, tag, m);
    PROMISE(other < m, "bucket %llu of %llu, tag %u: other is %llu", (unsigned long long)bucket,
            (unsigned long long)m, tag, (unsigned long long)other);
    PROMISE(other_bucket(other, tag, m) == bucket, "bucket %llu of %llu, tag %u: no way back",
            (unsigned long long)bucket, (unsigned long long)m, tag);
    if (m % 2 == 0)
        PROMISE(other % 2 != bucket % 2, "bucket %llu of %llu, tag %u: both even or both odd",
                (unsigned long long)bucket, (unsigned long long)m, tag);
}

static void the_other_bucket_leads_back(void **state) {
    (void)state;
    for (uint64_t m = 1; m <= 4200; m++)
        for (uint64_t i = 0; i < 64; i++) {
            uint64_t dice = mixed(m * 64 + i);
            uint32_t tag = i < 16 ? (uint32_t)i + 1 : (uint32_t)dice | 1;
            there_and_back(range_of(mixed(dice), m), tag, m);
            there_and_back(0, tag, m);
            there_and_back(m - 1, tag, m);
        }
    for (uint64_t m = 1; m <= 40; m++)
        for (uint32_t tag = 1; tag < 300; tag++)
            for (uint64_t bucket = 0; bucket < m; bucket++) there_and_back(bucket, tag, m);
}

static void it_does_so_in_huge_tables(void **state) {
    (void)state;
    for (unsigned log = 12; log <= 50; log++)
        for (uint64_t near = 0; near < 12; near++) {
            uint64_t m = (UINT64_C(1) << log) + near - 6;
            if (m > BUCKETS_MAX) m = BUCKETS_MAX - near;
            for (uint64_t i = 0; i < 200; i++) {
                uint64_t dice = mixed(m + i);
                there_and_back(range_of(mixed(dice), m), (uint32_t)dice | 1, m);
                there_and_back(m - 1, (uint32_t)dice | 1, m);
                there_and_back(0, UINT32_MAX, m);
            }
        }
}

/* In an odd number of buckets a tag has one bucket that is its own partner; in an even number none. */
static void only_one_bucket_of_an_odd_number_is_its_own_partner(void **state) {
    (void)state;
    for (uint64_t m = 1; m <= 64; m++)
        for (uint32_t tag = 1; tag < 300; tag++) {
            unsigned own = 0;
            for (uint64_t bucket = 0; bucket < m; bucket++)
                own += other_bucket(bucket, tag, m) == bucket;
            PROMISE(own == m % 2, "tag %u in %llu buckets: %u", tag, (unsigned long long)m, own);
        }
}

/* n draws in `cells` cells, as chi-square: mean cells - 1, deviation sqrt(2 cells). Six of those are slack. */
static void is_even(const uint32_t *counts, size_t cells, double n, const char *what,
                    unsigned which) {
    double mean = n / (double)cells, sum = 0;
    for (size_t i = 0; i < cells; i++) sum += (counts[i] - mean) * (counts[i] - mean) / mean;
    double away = (sum - (double)(cells - 1)) / sqrt(2 * (double)cells);
    PROMISE(fabs(away) < 6, "%s, %u: chi-square is %.1f deviations off", what, which, away);
}

static void tags_are_even_and_never_zero(void **state) {
    (void)state;
    static uint32_t counts[1 << 16];
    for (unsigned bits = 4; bits <= 16; bits++) {
        size_t tags = (1u << bits) - 1;
        uint64_t n = tags * 40;
        memset(counts, 0, sizeof counts);
        for (uint64_t i = 0; i < n; i++) {
            uint32_t tag = tag_of(mixed(i), bits);
            assert_true(tag >= 1 && tag <= tags);
            counts[tag - 1]++;
        }
        is_even(counts, tags, (double)n, "tags of so many bits", bits);
    }
    for (unsigned bits = 4; bits <= 32; bits++) {
        assert_int_equal(tag_of(0, bits), 1);
        assert_int_equal(tag_of(UINT64_MAX, bits), (UINT64_C(1) << bits) - 1);
        assert_int_equal(tag_of(UINT32_MAX, bits), (UINT64_C(1) << bits) - 1);
    }
}

/* Were they made of the same bits, the tags of one bucket would be few. */
static void tags_do_not_hang_on_the_bucket(void **state) {
    (void)state;
    enum { BUCKETS = 61, BITS = 6, TAGS = (1 << BITS) - 1 };
    static uint32_t counts[BUCKETS * TAGS];
    const uint64_t n = UINT64_C(40) * BUCKETS * TAGS;
    memset(counts, 0, sizeof counts);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t hash = mixed(i);
        counts[range_of(hash, BUCKETS) * TAGS + tag_of(hash, BITS) - 1]++;
    }
    is_even(counts, BUCKETS * TAGS, (double)n, "tags of", BUCKETS);
}

/* All of a tag's buckets are somebody's partner, so only the sum of the two can be uneven: over the tags it
 * is not, in tables of any size. */
static void partners_are_even_over_the_tags(void **state) {
    (void)state;
    static uint32_t counts[1024];
    const uint64_t sizes[] = {3, 10, 37, 64, 100, 255, 512, 1000, 1023};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t m = sizes[s], cells = m % 2 ? m : m / 2;
        const uint32_t n = 200000;
        memset(counts, 0, sizeof counts);
        for (uint32_t tag = 1; tag <= n; tag++) {
            uint64_t other = other_bucket(0, tag, m);
            counts[m % 2 ? other : other / 2]++;
        }
        is_even(counts, (size_t)cells, n, "partners in a table of", (unsigned)m);
    }
}

/* h must not be linear: the step from one tag's partner to the next one's takes many values. */
static void neighbouring_tags_have_no_neighbouring_partners(void **state) {
    (void)state;
    enum { M = 1 << 16, TAGS = 255 };
    uint64_t steps[TAGS];
    unsigned distinct = 0;
    for (uint32_t tag = 1; tag < TAGS; tag++) {
        uint64_t step = (other_bucket(0, tag + 1, M) - other_bucket(0, tag, M)) % M;
        bool known = false;
        for (unsigned i = 0; i < distinct; i++) known = known || steps[i] == step;
        if (!known) steps[distinct++] = step;
    }
    PROMISE(distinct > TAGS * 9 / 10, "%u different steps only", distinct);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_bucket_leads_back),
        cmocka_unit_test(it_does_so_in_huge_tables),
        cmocka_unit_test(only_one_bucket_of_an_odd_number_is_its_own_partner),
        cmocka_unit_test(tags_are_even_and_never_zero),
        cmocka_unit_test(tags_do_not_hang_on_the_bucket),
        cmocka_unit_test(partners_are_even_over_the_tags),
        cmocka_unit_test(neighbouring_tags_have_no_neighbouring_partners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
