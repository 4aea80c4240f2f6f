/* test_hash.c - from key bytes to 64 bits, and from those to places that look like independent draws. */
#include "check.h"

#include <math.h>
#include <sodium.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash/keyed.h"
#include "place/range.h"

enum { SEED = 42 };

/* ---- key -> hash ---- */

/* SipHash-1-3 of the messages "", 00, 00 01, ... under the key 00 01 .. 0f, as in the tests of Rust's core
 * library (library/core/tests/hash/sip.rs, test_siphash_1_3), read there as little-endian numbers; computed
 * anew from the definition, they agree. */
static const uint64_t sip13[64] = {
    0xabac0158050fc4dc, 0xc9f49bf37d57ca93, 0x82cb9b024dc7d44d, 0x8bf80ab8e7ddf7fb,
    0xcf75576088d38328, 0xdef9d52f49533b67, 0xc50d2b50c59f22a7, 0xd3927d989bb11140,
    0x369095118d299a8e, 0x25a48eb36c063de4, 0x79de85ee92ff097f, 0x70c118c1f94dc352,
    0x78a384b157b4d9a2, 0x306f760c1229ffa7, 0x605aa111c0f95d34, 0xd320d86d2a519956,
    0xcc4fdd1a7d908b66, 0x9cf2689063dbd80c, 0x8ffc389cb473e63e, 0xf21f9de58d297d1c,
    0xc0dc2f46a6cce040, 0xb992abfe2b45f844, 0x7ffe7b9ba320872e, 0x525a0e7fdae6c123,
    0xf464aeb267349c8c, 0x45cd5928705b0979, 0x3a3e35e3ca9913a5, 0xa91dc74e4ade3b35,
    0xfb0bed02ef6cd00d, 0x88d93cb44ab1e1f4, 0x540f11d643c5e663, 0x2370dd1f8c21d1bc,
    0x81157b6c16a7b60d, 0x4d54b9e57a8ff9bf, 0x759f12781f2a753e, 0xcea1a3bebf186b91,
    0x2cf508d3ada26206, 0xb6101c2da3c33057, 0xb3f47496ae3a36a1, 0x626b57547b108392,
    0xc1d2363299e41531, 0x667cc1923f1ad944, 0x65704ffec8138825, 0x24f280d1c28949a6,
    0xc2ca1cedfaf8876b, 0xc2164bfc9f042196, 0xa16e9c9368b1d623, 0x49fb169c8b5114fd,
    0x9f3143f8df074c46, 0xc6fdaf2412cc86b3, 0x7eaf49d10a52098f, 0x1cf313559d292f9a,
    0xc44a30dda2f41f12, 0x36fae98943a71ed0, 0x318fb34c73f0bce6, 0xa27abf3670a7e980,
    0xb4bcc0db243c6d75, 0x23f8d852fdb71513, 0x8f035f4da67d8a08, 0xd89cd0e5b7e8f148,
    0xf6f4e6bcf7a644ee, 0xaec59ad80f1837f2, 0xc3b2f6154b6694e0, 0x9d199062b7bbb3a8,
};

static void the_keyed_hash_is_siphash_1_3(void **state) {
    (void)state;
    sito_key key = {.id = 1};
    uint8_t message[64];
    for (size_t i = 0; i < 16; i++) key.bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < 64; i++) message[i] = (uint8_t)i;
    sito_plan plan = {.nkeys = 10, .kind = SITO_BLOOM, .key = &key};
    sito_filter *f = filled(&plan, 0, 0);
    for (size_t len = 0; len < 64; len++) {
        assert_int_equal(sito_hash_plan(&plan, message, len), sip13[len]);
        assert_int_equal(sito_hash_key(f, message, len), sip13[len]);
    }
    sito_free(f);
}

static void the_fast_hash_is_xxh3_under_the_seed(void **state) {
    (void)state;
    const uint64_t seeds[] = {1, 42, UINT64_C(0x9e3779b185ebca8d), UINT64_MAX};
    uint8_t text[600];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)mixed(i);
    for (size_t s = 0; s < 4; s++) {
        sito_plan plan = {.nkeys = 10, .kind = SITO_BLOOM, .seed = seeds[s]};
        sito_filter *f = filled(&plan, 0, 0);
        for (size_t len = 0; len < sizeof text; len++) {
            uint64_t hash = XXH3_64bits_withSeed(text, len, seeds[s]);
            assert_int_equal(sito_hash_plan(&plan, text, len), hash);
            assert_int_equal(sito_hash_key(f, text, len), hash);
        }
        sito_free(f);
    }
}

static void without_seed_or_key_there_is_no_hash(void **state) {
    (void)state;
    sito_plan plan = {.nkeys = 10, .kind = SITO_BLOOM};
    assert_int_equal(sito_hash_plan(&plan, "heron", 5), 0);
}

static void keys_are_bytes_wherever_they_lie(void **state) {
    (void)state;
    sito_plan plan = {.nkeys = 10, .kind = SITO_BLOOM, .seed = SEED};
    uint8_t room[64 + 40];
    uint64_t hash = sito_hash_plan(&plan, "\1\2\3\4\5\6\7\10\11\12\13", 11);
    for (size_t at = 0; at < 64; at++) {
        memset(room, 0xff, sizeof room);
        for (size_t i = 0; i < 11; i++) room[at + i] = (uint8_t)(i + 1);
        assert_int_equal(sito_hash_plan(&plan, room + at, 11), hash);
    }
}

/* ---- hash -> places ---- */

/* Add one hash to an empty filter, and hand back its bits. */
static image cells_after(sito_filter *f, uint64_t hash) {
    assert_int_equal(sito_clear(f), SITO_OK);
    assert_int_equal(sito_add_hash(f, hash), 1);
    return image_of(f);
}

static bool bit_at(const image *im, uint64_t at) {
    size_t bytes;
    const uint8_t *cells = cells_of(im, &bytes);
    return cells[at / 8] >> (at % 8) & 1;
}

static unsigned bits_in(const image *im) {
    size_t bytes;
    const uint8_t *cells = cells_of(im, &bytes);
    unsigned n = 0;
    for (size_t i = 0; i < bytes; i++) n += (unsigned)__builtin_popcount(cells[i]);
    return n;
}

static sito_filter *shaped(const char *kind, uint64_t m, unsigned k) {
    sito_plan plan = {.kind = kind, .nkeys = 1, .ncells = m, .nhashes = k, .seed = SEED};
    sito_filter *f = NULL;
    assert_int_equal(sito_new(&plan, NULL, &f), SITO_OK);
    return f;
}

/* Pearson's sum for observed counts against one expectation each. It must lie within five standard
 * deviations of its mean, the degrees of freedom. */
static void fits(const uint64_t *seen, const double *expected, size_t n, const char *what) {
    double sum = 0, freedom = (double)n - 1;
    for (size_t i = 0; i < n; i++)
        sum += ((double)seen[i] - expected[i]) * ((double)seen[i] - expected[i]) / expected[i];
    if (fabs(sum - freedom) > 5 * sqrt(2 * freedom))
        fail_msg("%s: chi-square %.1f at %.0f", what, sum, freedom);
}

static void every_place_is_equally_likely(void **state) {
    (void)state;
    enum { KEYS = 40000 };
    const uint64_t sizes[] = {64, 100, 127, 240};
    for (size_t s = 0; s < 4; s++) {
        uint64_t m = sizes[s], seen[240] = {0};
        double expected[240];
        sito_filter *f = shaped(SITO_BLOOM, m, 1);
        for (uint64_t i = 0; i < KEYS; i++) {
            image im = cells_after(f, hash_no(f, i));
            for (uint64_t at = 0; at < m; at++) seen[at] += bit_at(&im, at);
            free(im.bytes);
        }
        for (uint64_t at = 0; at < m; at++) expected[at] = (double)KEYS / (double)m;
        fits(seen, expected, (size_t)m, "one place");
        sito_free(f);
    }
}

/* x * n / 2^64, rounded down, as on paper: by halves of 32 bits. */
static uint64_t by_halves(uint64_t x, uint64_t n) {
    uint64_t xs[] = {x & UINT32_MAX, x >> 32}, ns[] = {n & UINT32_MAX, n >> 32};
    uint64_t one = xs[1] * ns[0], other = xs[0] * ns[1];
    uint64_t middle = (xs[0] * ns[0] >> 32) + (one & UINT32_MAX) + (other & UINT32_MAX);
    return xs[1] * ns[1] + (one >> 32) + (other >> 32) + (middle >> 32);
}

/* Beyond 2^32 places too, where 32 bits of a hash would leave most of them out. */
static void places_reach_to_the_end_of_any_table(void **state) {
    (void)state;
    for (unsigned log = 0; log <= 56; log++)
        for (uint64_t near = 0; near < 3; near++) {
            uint64_t n = (UINT64_C(1) << log) + near, last = 0;
            assert_int_equal(range_of(0, n), 0);
            assert_int_equal(range_of(UINT64_MAX, n), n - 1);
            for (uint64_t i = 0; i < 200; i++) {
                uint64_t x = mixed(i + n), y = i * (UINT64_MAX / 200);
                PROMISE(range_of(x, n) == by_halves(x, n), "%#llx of %llu", (unsigned long long)x,
                        (unsigned long long)n);
                PROMISE(range_of(y, n) >= last, "%llu: not monotone", (unsigned long long)n);
                last = range_of(y, n);
            }
        }
}

/* Three places among sixteen: all 4096 draws must be equally likely. Of them 6 give a certain three bits, 6
 * a certain two, and 1 a certain single bit. Double hashing fails this: it only draws progressions. */
static void places_are_drawn_independently(void **state) {
    (void)state;
    enum { KEYS = 100000 };
    static uint64_t by_bits[1 << 16], seen[696];
    static double expected[696];
    sito_filter *f = shaped(SITO_BLOOM, 16, 3);
    for (uint64_t i = 0; i < KEYS; i++) {
        size_t bytes;
        image im = cells_after(f, hash_no(f, i));
        by_bits[read_le(cells_of(&im, &bytes), 2)]++;
        free(im.bytes);
    }
    size_t n = 0;
    for (unsigned bits = 0; bits < 1 << 16; bits++) {
        int set = __builtin_popcount(bits);
        if (set < 1 || set > 3) continue;
        expected[n] = KEYS * (set == 1 ? 1 : 6) / 4096.0;
        seen[n++] = by_bits[bits];
    }
    assert_int_equal(n, 696);
    fits(seen, expected, n, "three places");
    sito_free(f);
}

/* Eight places among 64: how many are distinct is the birthday question, D of 8. */
static void places_repeat_as_often_as_chance_has_it(void **state) {
    (void)state;
    enum { KEYS = 100000, M = 64, K = 8 };
    double p[K + 1] = {1};
    for (unsigned draw = 0; draw < K; draw++)
        for (unsigned d = K; d > 0; d--)
            p[d] = p[d] * d / M + (d - 1 > 0 || draw == 0 ? p[d - 1] * (M - d + 1) / M : 0);
    uint64_t distinct[K + 1] = {0};
    sito_filter *f = shaped(SITO_BLOOM, M, K);
    for (uint64_t i = 0; i < KEYS; i++) {
        image im = cells_after(f, hash_no(f, i));
        distinct[bits_in(&im)]++;
        free(im.bytes);
    }
    assert_int_equal(distinct[0], 0);
    uint64_t seen[5] = {0};
    double expected[5] = {0};
    for (unsigned d = 1; d <= K; d++) { /* four or fewer are rare: together */
        seen[d < 4 ? 0 : d - 4] += distinct[d];
        expected[d < 4 ? 0 : d - 4] += KEYS * p[d];
    }
    fits(seen, expected, 5, "distinct places");
    sito_free(f);
}

/* libsodium has SipHash-2-4 only: a second opinion on the rounds, which 1-3 shares. */
static void the_rounds_are_those_of_libsodium(void **state) {
    (void)state;
    uint8_t secret[crypto_shorthash_KEYBYTES], message[100], theirs[crypto_shorthash_BYTES];
    for (size_t i = 0; i < sizeof secret; i++) secret[i] = (uint8_t)mixed(i);
    for (size_t i = 0; i < sizeof message; i++) message[i] = (uint8_t)mixed(100 + i);
    for (size_t len = 0; len <= sizeof message; len++) {
        assert_int_equal(crypto_shorthash(theirs, message, len, secret), 0);
        assert_int_equal(siphash(2, 4, secret, message, len), get64(theirs));
    }
}

/* Hashes that look like nothing: a step of zero, an even step or a lost half would show here. */
static void odd_hashes_do_not_repeat_their_places(void **state) {
    (void)state;
    enum { M = 1000003, K = 8 };
    sito_filter *f = shaped(SITO_BLOOM, M, K);
    unsigned repeats = 0, hashes = 0;
    for (unsigned shape = 0; shape < 4; shape++)
        for (unsigned bit = 0; bit < 64; bit++) {
            uint64_t h = UINT64_C(1) << bit;
            if (shape == 1) h = ~h;
            if (shape == 2) h = h - 1;
            if (shape == 3) h = ~(h - 1);
            if (h == 0) continue; /* the one fixed point of the step, one hash in 2^64 */
            image im = cells_after(f, h);
            unsigned bits = bits_in(&im);
            assert_true(bits >= K - 1);
            repeats += bits < K;
            hashes++;
            free(im.bytes);
        }
    /* 255 hashes, a repeat in each with probability 28 / M: 0.007 expected. */
    assert_true(hashes == 255 && repeats <= 1);
    sito_free(f);
}

static void a_parted_filter_sets_one_bit_in_each_table(void **state) {
    (void)state;
    enum { KEYS = 40000, TABLE = 48, K = 5 };
    uint64_t seen[TABLE * K] = {0};
    double expected[TABLE * K];
    sito_filter *f = shaped(SITO_PARTED, TABLE * K, K);
    for (uint64_t i = 0; i < KEYS; i++) {
        image im = cells_after(f, hash_no(f, i));
        assert_int_equal(bits_in(&im), K);
        for (unsigned table = 0; table < K; table++) {
            unsigned set = 0;
            for (unsigned at = table * TABLE; at < (table + 1) * TABLE; at++) {
                set += bit_at(&im, at);
                seen[at] += bit_at(&im, at);
            }
            assert_int_equal(set, 1);
        }
        free(im.bytes);
    }
    for (size_t at = 0; at < TABLE * K; at++) expected[at] = (double)KEYS / TABLE;
    fits(seen, expected, TABLE * K, "places in tables");
    sito_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keyed_hash_is_siphash_1_3),
        cmocka_unit_test(the_fast_hash_is_xxh3_under_the_seed),
        cmocka_unit_test(without_seed_or_key_there_is_no_hash),
        cmocka_unit_test(keys_are_bytes_wherever_they_lie),
        cmocka_unit_test(every_place_is_equally_likely),
        cmocka_unit_test(places_reach_to_the_end_of_any_table),
        cmocka_unit_test(places_are_drawn_independently),
        cmocka_unit_test(places_repeat_as_often_as_chance_has_it),
        cmocka_unit_test(the_rounds_are_those_of_libsodium),
        cmocka_unit_test(odd_hashes_do_not_repeat_their_places),
        cmocka_unit_test(a_parted_filter_sets_one_bit_in_each_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
