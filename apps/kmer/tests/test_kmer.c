/* test_kmer.c - k-mers by the walk are those that one finds letter by letter. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "kmer.h"
#include "pile.h"

enum { LETTERS = 3000 };

static uint64_t state = 1;

static uint64_t dice(uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
}

/* A sequence that repeats pieces of itself, on both strands, with a break now and then. */
static void write_sequence(char *seq, size_t n, bool breaks) {
    static const char letters[] = "ACGT", others[] = "NRYKMSWBDHVU";
    for (size_t at = 0; at < n;) {
        const size_t most = n - at < 1200 ? n - at : 1200, length = dice(most) + 1;
        const size_t from = at ? dice(at) : 0;
        const uint64_t way = at > length ? dice(3) : 0;
        for (size_t i = 0; i < length; i++) {
            char letter = letters[dice(4)];
            if (way == 1) letter = seq[(from + i) % at];
            if (way == 2) {
                const char *other = strchr(letters, seq[(from + at - i % at) % at]);
                if (other) letter = letters[3 - (other - letters)];
            }
            if (breaks && dice(400) == 0) letter = others[dice(sizeof others - 1)];
            seq[at + i] = letter;
        }
        at += length;
    }
}

static bool is_base(char c) { return c == 'A' || c == 'C' || c == 'G' || c == 'T'; }

static char complement(char c) { return c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A'; }

/* The k-mer at `p`, the smaller of both strands if that is asked, by plain letters. */
static void spell(const char *p, size_t k, bool canonical, char *out) {
    char turned[KMER_MOST];
    for (size_t i = 0; i < k; i++) turned[i] = complement(p[k - 1 - i]);
    memcpy(out, canonical && memcmp(turned, p, k) < 0 ? turned : p, k);
}

struct known {
    uint64_t hash;
    char letters[KMER_MOST];
};

static int by_hash(const void *a, const void *b) {
    const uint64_t x = ((const struct known *)a)->hash, y = ((const struct known *)b)->hash;
    return (x > y) - (x < y);
}

static int by_letters(const void *a, const void *b) {
    return memcmp(((const struct known *)a)->letters, ((const struct known *)b)->letters,
                  KMER_MOST);
}

/* All k-mers, spelt, in order; how many? */
static size_t spell_all(const char *seq, size_t n, size_t k, bool canonical, struct known *out) {
    size_t run = 0, found = 0;
    for (size_t i = 0; i < n; i++) {
        run = is_base(seq[i]) ? run + 1 : 0;
        if (run < k) continue;
        memset(&out[found], 0, sizeof *out);
        spell(seq + i + 1 - k, k, canonical, out[found++].letters);
    }
    return found;
}

/* Equal k-mers have equal hashes, and no others have. */
static void check_one(unsigned k, bool canonical, bool breaks) {
    static struct known all[LETTERS];
    static char seq[LETTERS];
    uint64_t hashes[LETTERS];
    struct kmer_way w;
    kmer_way_set(&w, k, canonical, 77 + k);
    write_sequence(seq, LETTERS, breaks);
    const size_t n = spell_all(seq, LETTERS, k, canonical, all);

    struct kmer_walk walk = {.seq = seq, .n = LETTERS};
    size_t found = 0, got;
    while ((got = kmer_hashes(&w, &walk, hashes + found, 1 + dice(100)))) found += got;
    assert_false(walk.bad);
    assert_int_equal(found, n);
    uint64_t others = 0;
    for (size_t i = 0; i < LETTERS; i++) others += !is_base(seq[i]);
    assert_int_equal(walk.breaks, others);

    for (size_t i = 0; i < n; i++) all[i].hash = hashes[i];
    qsort(all, n, sizeof *all, by_letters);
    for (size_t i = 1; i < n; i++)
        if (by_letters(&all[i - 1], &all[i]) == 0) assert_true(all[i - 1].hash == all[i].hash);
    qsort(all, n, sizeof *all, by_hash);
    for (size_t i = 1; i < n; i++)
        if (all[i - 1].hash == all[i].hash) assert_int_equal(by_letters(&all[i - 1], &all[i]), 0);
}

static const unsigned lengths[] = {1,   2,   3,   4,   5,   10,  15,  16,  17,  30,
                                   31,  32,  33,  34,  50,  63,  64,  65,  100, 127,
                                   128, 129, 200, 256, 300, 511, 512, 777, 999, 1000};
enum { NLENGTHS = sizeof lengths / sizeof *lengths };

static void hashes_are_equal_where_kmers_are(void **unused) {
    (void)unused;
    for (size_t i = 0; i < NLENGTHS; i++)
        for (int canonical = 0; canonical < 2; canonical++)
            for (int breaks = 0; breaks < 2; breaks++) check_one(lengths[i], canonical, breaks);
}

static void both_strands_hash_alike(void **unused) {
    (void)unused;
    static char seq[LETTERS], turned[LETTERS];
    uint64_t one[LETTERS], two[LETTERS];
    write_sequence(seq, LETTERS, false);
    for (size_t i = 0; i < LETTERS; i++) turned[i] = complement(seq[LETTERS - 1 - i]);
    for (size_t i = 0; i < NLENGTHS; i++) {
        struct kmer_way w;
        kmer_way_set(&w, lengths[i], true, 5);
        struct kmer_walk a = {.seq = seq, .n = LETTERS}, b = {.seq = turned, .n = LETTERS};
        const size_t n = kmer_hashes(&w, &a, one, LETTERS);
        assert_int_equal(kmer_hashes(&w, &b, two, LETTERS), n);
        assert_int_equal(n, LETTERS - lengths[i] + 1);
        for (size_t j = 0; j < n; j++) assert_true(one[j] == two[n - 1 - j]);
    }
}

/* Letters that change places 64 apart are another k-mer, which hashes of rotations often forget. */
static void swapped_letters_hash_otherwise(void **unused) {
    (void)unused;
    char seq[300];
    uint64_t before, after;
    struct kmer_way w;
    kmer_way_set(&w, sizeof seq, false, 9);
    write_sequence(seq, sizeof seq, false);
    for (size_t apart = 1; apart < 200; apart++) {
        size_t i = 0;
        while (seq[i] == seq[i + apart]) i++;
        struct kmer_walk a = {.seq = seq, .n = sizeof seq}, b = a;
        assert_int_equal(kmer_hashes(&w, &a, &before, 1), 1);
        const char held = seq[i];
        seq[i] = seq[i + apart], seq[i + apart] = held;
        assert_int_equal(kmer_hashes(&w, &b, &after, 1), 1);
        assert_true(before != after);
    }
}

static void keys_are_the_letters(void **unused) {
    (void)unused;
    static struct known all[LETTERS];
    static char seq[LETTERS];
    for (size_t i = 0; i < NLENGTHS; i++)
        for (int canonical = 0; canonical < 2; canonical++) {
            const unsigned k = lengths[i];
            struct kmer_way w;
            uint8_t key[KMER_KEY_BYTES];
            const char *place;
            size_t found = 0;
            kmer_way_set(&w, k, canonical, 3);
            write_sequence(seq, LETTERS, true);
            const size_t n = spell_all(seq, LETTERS, k, canonical, all);
            struct kmer_walk walk = {.seq = seq, .n = LETTERS};
            for (; (place = kmer_place(&w, &walk)); found++) {
                assert_int_equal(kmer_key(&w, place, key), (k + 3) / 4);
                for (size_t j = 0; j < k; j++)
                    assert_int_equal("ACGT"[key[j / 4] >> 2 * (j % 4) & 3], all[found].letters[j]);
            }
            assert_int_equal(found, n);
        }
}

static void numbers_stay_below_four_to_the_k(void **unused) {
    (void)unused;
    uint64_t number;
    struct kmer_way w;
    kmer_way_set(&w, 5, false, 1);
    w.numbers = true;
    struct kmer_walk walk = {.seq = "TTTTT", .n = 5};
    assert_int_equal(kmer_hashes(&w, &walk, &number, 1), 1);
    assert_int_equal(number, 1023);
    w.canonical = true;
    walk = (struct kmer_walk){.seq = "TTTTT", .n = 5};
    assert_int_equal(kmer_hashes(&w, &walk, &number, 1), 1);
    assert_int_equal(number, 0);
}

static void what_is_no_letter_stops_the_walk(void **unused) {
    (void)unused;
    for (int byte = 0; byte < 256; byte++) {
        const bool known = byte && strchr("ACGTNRYKMSWBDHVU", byte);
        const bool lower = byte && strchr("acgtnrykmswbdhvu", byte);
        for (int lenient = 0; lenient < 2; lenient++) {
            char seq[] = "ACGT.ACGT";
            uint64_t hashes[16];
            struct kmer_way w;
            kmer_way_set(&w, 4, true, 1);
            w.lenient = lenient;
            seq[4] = (char)byte;
            struct kmer_walk walk = {.seq = seq, .n = 9}, places = walk;
            size_t n = kmer_hashes(&w, &walk, hashes, 16), m = 0;
            while (kmer_place(&w, &places)) m++;
            assert_int_equal(n, m);
            assert_int_equal(walk.bad, places.bad);
            assert_int_equal(walk.bad, !known && !(lower && lenient));
            if (walk.bad) assert_int_equal(walk.at, 4);
            if (walk.bad) assert_int_equal(kmer_hashes(&w, &walk, hashes, 16), 0);
        }
    }
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void a_pile_keeps_each_hash_once(void **unused) {
    (void)unused;
    for (size_t n = 0; n < 300000; n = 3 * n + 1) {
        struct pile p = {0};
        uint64_t *sorted = calloc(n + 1, sizeof *sorted);
        assert_true(pile_room(&p, n));
        for (size_t i = 0; i < n; i++) {
            uint64_t x = dice(n / 2 + 1); /* 0 too */
            x *= 0x9e3779b97f4a7c15u;
            p.all[p.n++] = sorted[i] = x;
        }
        qsort(sorted, n, sizeof *sorted, by_value);
        size_t distinct = 0;
        for (size_t i = 0; i < n; i++)
            if (i == 0 || sorted[i] != sorted[i - 1]) sorted[distinct++] = sorted[i];
        assert_true(pile_distinct(&p));
        assert_int_equal(p.n, distinct);
        if (distinct) qsort(p.all, p.n, sizeof *p.all, by_value);
        if (distinct) assert_memory_equal(p.all, sorted, distinct * sizeof *sorted);
        free(sorted);
        pile_free(&p);
    }
}

/* Reads repeat themselves: their k-mers must not pile up, and none may be forgotten. */
static void a_pile_stays_near_its_distinct_hashes(void **unused) {
    (void)unused;
    enum { BATCH = 1 << 13, BATCHES = 700, DISTINCT = 300000 };
    struct pile p = {.dense = 1 << 19};
    uint64_t sum = 0, wanted = 0;
    for (size_t i = 0; i < (size_t)BATCH * BATCHES;) {
        assert_true(pile_room(&p, BATCH));
        for (size_t j = 0; j < BATCH; j++, i++)
            p.all[p.n++] = (i % DISTINCT + 1) * 0x9e3779b97f4a7c15u;
        assert_true(p.room <= 1 << 20);
    }
    assert_true(pile_distinct(&p));
    assert_int_equal(p.n, DISTINCT);
    for (size_t i = 0; i < DISTINCT; i++) {
        sum += p.all[i];
        wanted += (i + 1) * 0x9e3779b97f4a7c15u;
    }
    assert_true(sum == wanted);
    /* Those that do not repeat themselves take the room they need. */
    for (size_t i = 0; i < 3 << 20; i++) {
        assert_true(pile_room(&p, 1));
        p.all[p.n++] = (DISTINCT + i + 1) * 0x9e3779b97f4a7c15u;
    }
    assert_true(pile_distinct(&p));
    assert_int_equal(p.n, DISTINCT + (3 << 20));
    pile_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_equal_where_kmers_are),
        cmocka_unit_test(both_strands_hash_alike),
        cmocka_unit_test(swapped_letters_hash_otherwise),
        cmocka_unit_test(keys_are_the_letters),
        cmocka_unit_test(numbers_stay_below_four_to_the_k),
        cmocka_unit_test(what_is_no_letter_stops_the_walk),
        cmocka_unit_test(a_pile_keeps_each_hash_once),
        cmocka_unit_test(a_pile_stays_near_its_distinct_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
