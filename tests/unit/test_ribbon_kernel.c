/* test_ribbon_kernel.c - the ribbon's wide loops do what the plain ones do, whatever they are given. */
#include "check.h"

#include "cpu/ribbon_kernel.h"

enum { MOST_KEYS = 220, CHAINS = 400, CHAIN = 24 };

static const struct ribbon_kernel *plain(void) { return ribbon_kernel(0); }
static const struct ribbon_kernel *wide(void) { return ribbon_kernel(UINT64_MAX); }

/* A bucket's keys, and the rows that each of the two makes of them. */
struct trial {
    uint64_t dice, coef[MOST_KEYS + RIBBON_PAST], tag[MOST_KEYS + RIBBON_PAST];
    uint16_t met[RIBBON_BUCKET];
    uint64_t rows[2][2][RIBBON_BUCKET];
    unsigned n, bits;
};

static uint64_t thrown(struct trial *t) { return mixed(t->dice++); }

/* How many start at each row; some rows crowded, or few, if `uneven`. */
static void throw_starts(struct trial *t, unsigned n, bool uneven, uint16_t *count) {
    memset(count, 0, RIBBON_BUCKET * sizeof *count);
    for (unsigned i = 0; i < n; i++) {
        unsigned row = (unsigned)(thrown(t) % RIBBON_BUCKET);
        count[uneven && row % 3 ? row / 4 + 48 : row]++;
    }
}

/* Some coefficients name few rows, and some keys come twice: so equations vanish, and contradict. */
static void throw_keys(struct trial *t, unsigned n) {
    uint16_t count[RIBBON_BUCKET];
    throw_starts(t, n, thrown(t) % 4 == 0, count);
    t->n = 0;
    for (unsigned row = 0; row < RIBBON_BUCKET; t->met[row++] = (uint16_t)t->n)
        for (unsigned i = 0; i < count[row]; i++, t->n++) {
            uint64_t coef = thrown(t) | 1, dice = thrown(t) % 64;
            if (dice == 0) coef = 1;
            t->coef[t->n] = turned_to(coef, row % RIBBON_WIDTH);
            t->tag[t->n] = thrown(t) & (((uint64_t)1 << t->bits) - 1);
            if (dice == 1 && i) t->coef[t->n] = t->coef[t->n - 1], t->tag[t->n] = t->tag[t->n - 1];
        }
}

static bool swept(struct trial *t, const struct ribbon_kernel *by, unsigned which,
                  struct ribbon_open *open, unsigned from, unsigned nrows) {
    struct ribbon_rows rows = {t->rows[which][0], t->rows[which][1]};
    struct ribbon_keys keys = {t->coef, t->tag, t->met, from, t->n, t->bits};
    return by->sweep(open, rows, 0, nrows, keys);
}

/* True if all could be met. */
static bool sweeps_agree(struct trial *t, struct ribbon_open *open, unsigned from, unsigned nrows) {
    struct ribbon_open a = *open, b = *open;
    bool met = swept(t, plain(), 0, &a, from, nrows);
    PROMISE(met == swept(t, wide(), 1, &b, from, nrows), "%u keys, %u open, %u bits", t->n, open->n,
            t->bits);
    if (!met) return false;
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.coef, b.coef, a.n * sizeof *a.coef);
    assert_memory_equal(a.tag, b.tag, a.n * sizeof *a.tag);
    for (int of = 0; of < 2; of++)
        assert_memory_equal(t->rows[0][of], t->rows[1][of], nrows * sizeof(uint64_t));
    *open = a;
    return true;
}

static void sweeps_settle_the_same_rows(void **state) {
    (void)state;
    static struct trial t;
    unsigned met = 0, not_met = 0, full = 0;
    for (unsigned chain = 0; chain < CHAINS; chain++) {
        struct ribbon_open open = {.n = 0};
        t.bits = 1 + chain % (RIBBON_TAG_MAX + 1); /* a deeper share has one more */
        for (unsigned i = 0; i < CHAIN; i++) {
            unsigned load = (unsigned)(thrown(&t) % 8);
            throw_keys(&t, load == 0 ? (unsigned)(thrown(&t) % MOST_KEYS)
                                     : 100 + 8 * load + 40 - open.n / 2 * 2);
            unsigned from = thrown(&t) % 2 ? t.met[thrown(&t) % RIBBON_BUCKET] : 0;
            full += open.n > 40;
            if (sweeps_agree(&t, &open, thrown(&t) % 8 ? from : t.n, RIBBON_BUCKET)) met++;
            else if (not_met++, !sweeps_agree(&t, &open, t.n, RIBBON_WIDTH)) open.n = 0;
        }
    }
    PROMISE(met > 1000 && not_met > 1000 && full > 300, "%u met, %u not, %u full", met, not_met,
            full);
}

/* Some rows that nobody settled, some whose coefficients are few. */
static void rows_are_solved_alike(void **state) {
    (void)state;
    enum { ROWS = 6 * RIBBON_WIDTH };
    static struct trial t;
    uint64_t coef[ROWS], tag[ROWS];
    uint8_t out[2][ROWS / 8 * (RIBBON_TAG_MAX + 1) + 8];
    for (unsigned i = 0; i < 980; i++) {
        unsigned bits = 1 + i % (RIBBON_TAG_MAX + 1), nrows = RIBBON_WIDTH * (1 + i % 6);
        uint64_t scarce = i % 5;
        for (unsigned row = 0; row < nrows; row++) {
            uint64_t dice = thrown(&t) % 16, c = thrown(&t) | 1;
            coef[row] = dice < scarce ? 0 : turned_to(dice == 15 ? 1 : c, row % RIBBON_WIDTH);
            tag[row] = dice < scarce ? 0 : thrown(&t) & (((uint64_t)1 << bits) - 1);
        }
        memset(out, (int)i, sizeof out);
        plain()->solve((struct ribbon_rows){coef, tag}, nrows, bits, out[0]);
        wide()->solve((struct ribbon_rows){coef, tag}, nrows, bits, out[1]);
        assert_memory_equal(out[0], out[1], sizeof *out);
    }
}

static void starts_are_counted_alike(void **state) {
    (void)state;
    static struct trial t;
    for (unsigned i = 0; i < 3000; i++) {
        uint16_t count[2][RIBBON_BUCKET], met[2][RIBBON_BUCKET];
        throw_starts(&t, (unsigned)(thrown(&t) % 512), i % 2, count[0]);
        memcpy(count[1], count[0], sizeof *count);
        unsigned most = plain()->add_up(count[0], met[0]);
        assert_int_equal(wide()->add_up(count[1], met[1]), most);
        assert_memory_equal(count[0], count[1], sizeof *count);
        assert_memory_equal(met[0], met[1], sizeof *met);
        int open = (int)(thrown(&t) % 65), from = i % 3 ? met[0][thrown(&t) % RIBBON_BUCKET] : 0;
        assert_int_equal(wide()->most_open(met[0], open, from),
                         plain()->most_open(met[0], open, from));
    }
}

static void repeats_are_found_as_far_apart_as_asked(void **state) {
    (void)state;
    uint64_t hash[40];
    for (size_t n = 2; n < 40; n++)
        for (size_t by = 1; by < n && by < 8; by++)
            for (size_t at = by; at < n; at++) {
                for (size_t i = 0; i < n; i++) hash[i] = mixed(i);
                assert_false(wide()->repeats(hash, n, 8));
                hash[at] = hash[at - by];
                assert_true(wide()->repeats(hash, n, by + 1) && plain()->repeats(hash, n, by + 1));
                assert_false(wide()->repeats(hash, n, by) || plain()->repeats(hash, n, by));
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_settle_the_same_rows),
        cmocka_unit_test(rows_are_solved_alike),
        cmocka_unit_test(starts_are_counted_alike),
        cmocka_unit_test(repeats_are_found_as_far_apart_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
