/* ribbon_kernel.c - the same loops twice: for any machine, and for x86 with AVX2 and POPCNT. */
#include "cpu/ribbon_kernel.h"

#include "cpu/cpu.h"
#include "kinds/ribbon.h"

/* Questions are answered while the rows of the next ones are on their way. HOLDS(spot, columns, h),
 * `columns` being the most that a spot of this layer has. */
#define RIBBON_KERNEL(ATTRIBUTE, NAME, ADD_UP, MOST_OPEN, SWEEP, SOLVE, HOLDS)                     \
    ATTRIBUTE static unsigned NAME##_add_up(uint16_t *count, uint16_t *met) {                      \
        return ADD_UP(count, met);                                                                 \
    }                                                                                              \
    ATTRIBUTE static int NAME##_most_open(const uint16_t *met, int open, int from) {               \
        return MOST_OPEN(met, open, from);                                                         \
    }                                                                                              \
    ATTRIBUTE static bool NAME##_repeats(const uint64_t *hash, size_t n, size_t near) {            \
        return ribbon_repeats_body(hash, n, near);                                                 \
    }                                                                                              \
    ATTRIBUTE static bool NAME##_sweep(struct ribbon_open *o, struct ribbon_rows rows,             \
                                       uint64_t at, unsigned nrows, struct ribbon_keys keys) {     \
        return SWEEP(o, rows, at, nrows, keys);                                                    \
    }                                                                                              \
    ATTRIBUTE static void NAME##_solve(struct ribbon_rows rows, uint64_t nrows, unsigned bits,     \
                                       uint8_t *out) {                                             \
        SOLVE(rows, nrows, bits, out);                                                             \
    }                                                                                              \
    ATTRIBUTE static void NAME##_ask(const struct ribbon_layer *l, const struct ribbon_cells *c,   \
                                     struct ribbon_asked asked, struct ribbon_bumped *bumped,      \
                                     uint8_t *answers) {                                           \
        struct ribbon_soon soon;                                                                   \
        unsigned columns = ribbon_last_bits(l);                                                    \
        size_t done = 0, kept = 0;                                                                 \
        for (size_t i = 0; i < asked.n || done < kept; i += RIBBON_AT_ONCE) {                      \
            kept = ribbon_look_ahead(l, c, asked, i, &soon, kept, bumped);                         \
            for (size_t wait = i < asked.n ? RIBBON_SOON : 0; done + wait < kept; done++)          \
                answers[soon.who[done % RIBBON_RING]] =                                            \
                    HOLDS(soon.spot[done % RIBBON_RING], columns, soon.h[done % RIBBON_RING]);     \
        }                                                                                          \
    }                                                                                              \
    static const struct ribbon_kernel NAME = {NAME##_add_up, NAME##_most_open, NAME##_repeats,     \
                                              NAME##_sweep,  NAME##_solve,     NAME##_ask};

RIBBON_INLINE bool ribbon_holds_plain(struct ribbon_spot s, unsigned columns, uint64_t h) {
    (void)columns;
    return ribbon_holds_body(s, h);
}

RIBBON_KERNEL(, ribbon_plain, ribbon_add_up_body, ribbon_most_open_body, ribbon_sweep_body,
              ribbon_solve_body, ribbon_holds_plain)

#ifdef __x86_64__
#include "cpu/ribbon_back.h"

/* Bit i: the parity of the i-th of eight words. */
RIBBON_AVX2 RIBBON_INLINE unsigned eight_parities(__m256i x) {
    const __m256i low = _mm256_set1_epi8(15),
                  odd = _mm256_set1_epi64x((long long)0x8000008000808000),
                  table = _mm256_unpacklo_epi64(odd, ~odd & _mm256_set1_epi8(-128));
    x ^= _mm256_slli_epi32(x, 16);
    x ^= _mm256_slli_epi32(x, 8);
    x = (x ^ _mm256_srli_epi32(x, 4)) & low;
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_shuffle_epi8(table, x)));
}

/* Eight columns at a time, which may be more than there are: what lies behind them is read, and does
 * not count. */
enum { RIBBON_READ_BEYOND = 64 };

RIBBON_AVX2 RIBBON_INLINE __m256i eight_named(const uint8_t *words, uint32_t names) {
    return _mm256_loadu_si256((const __m256i *)(const void *)words) & _mm256_set1_epi32((int)names);
}

RIBBON_AVX2 RIBBON_INLINE uint64_t eight_sums(const uint8_t *block, size_t bytes,
                                              struct ribbon_names names) {
    return eight_parities(eight_named(block, names.in[0]) ^
                          eight_named(block + bytes, names.in[1]) ^
                          eight_named(block + 2 * bytes, names.in[2]));
}

RIBBON_AVX2 RIBBON_INLINE bool ribbon_holds_wide(struct ribbon_spot s, unsigned columns,
                                                 uint64_t h) {
    struct equation e = equation_of(h);
    struct ribbon_names names = names_of(e.coef, s.start);
    uint64_t sums = eight_sums(s.block, 4 * s.bits, names);
    for (unsigned c = 8; c < columns; c += 8)
        sums |= eight_sums(s.block + 4 * c, 4 * s.bits, names) << c;
    return !_bzhi_u64(sums ^ e.tag, s.bits);
}

RIBBON_KERNEL(RIBBON_AVX2, ribbon_wide, ribbon_add_up_wide, ribbon_most_open_wide,
              ribbon_sweep_planes, ribbon_solve_wide, ribbon_holds_wide)

/* The choice of instruction sets says whether wide words are wanted at all. */
const struct ribbon_kernel *ribbon_kernel(uint64_t beyond) {
    bool wide = cpu_chosen() != &cpu_portable && __builtin_cpu_supports("popcnt") &&
                __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    return wide && beyond >= RIBBON_READ_BEYOND ? &ribbon_wide : &ribbon_plain;
}
#else
const struct ribbon_kernel *ribbon_kernel(uint64_t beyond) {
    (void)beyond;
    return &ribbon_plain;
}
#endif
