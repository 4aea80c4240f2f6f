/* ribbon_kernel.c - the same loops twice: for any machine, and for x86 with AVX2 and POPCNT. */
#include "cpu/ribbon_kernel.h"

#include "cpu/cpu.h"
#include "kinds/ribbon.h"

#define RIBBON_KERNEL(ATTRIBUTE, NAME)                                                             \
    ATTRIBUTE static bool NAME##_sweep(struct ribbon_open *o, struct ribbon_rows rows,             \
                                       uint64_t at, unsigned nrows, struct ribbon_keys keys) {     \
        return ribbon_sweep_body(o, rows, at, nrows, keys);                                        \
    }                                                                                              \
    ATTRIBUTE static void NAME##_solve(struct ribbon_rows rows, uint64_t nrows, unsigned bits,     \
                                       uint8_t *out) {                                             \
        ribbon_solve_body(rows, nrows, bits, out);                                                 \
    }                                                                                              \
    ATTRIBUTE static size_t NAME##_ask(const struct ribbon_layer *l, const uint8_t *cells,         \
                                       const uint8_t *codes, uint64_t try, uint64_t *x,            \
                                       uint16_t *who, size_t n, uint8_t *answers) {                \
        return ribbon_ask_body(l, cells, codes, try, x, who, n, answers);                          \
    }                                                                                              \
    static const struct ribbon_kernel NAME = {NAME##_sweep, NAME##_solve, NAME##_ask};

RIBBON_KERNEL(, ribbon_plain)

#ifdef __x86_64__
RIBBON_KERNEL(__attribute__((target("avx2,popcnt,bmi,bmi2"))), ribbon_wide)

/* The choice of instruction sets says whether wide words are wanted at all. */
const struct ribbon_kernel *ribbon_kernel(void) {
    bool wide = cpu_chosen() != &cpu_portable && __builtin_cpu_supports("popcnt") &&
                __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    return wide ? &ribbon_wide : &ribbon_plain;
}
#else
const struct ribbon_kernel *ribbon_kernel(void) { return &ribbon_plain; }
#endif
