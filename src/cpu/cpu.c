/* cpu.c - the choice among instruction sets. */
#include "cpu/cpu.h"

#include <stdlib.h>

#ifdef __SANITIZE_THREAD__
#define PORTABLE_ONLY
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PORTABLE_ONLY
#endif
#endif

/* From the plainest to the widest. The thread sanitizer does not know that a wide load beside a
 * byte's atomic store is harmless here; so under it there is only the plain walk. */
static const struct cpu_kernels *const sets[] = {
    &cpu_portable,
#ifndef PORTABLE_ONLY
#ifdef __x86_64__
    &cpu_avx2,     &cpu_avx512, &cpu_avx512_picking, &cpu_avx512_shifting, &cpu_avx512_turning,
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    &cpu_neon,
#endif
#endif
};

enum { SETS = sizeof sets / sizeof *sets };

const struct cpu_kernels *cpu_at(size_t i) { return i < SETS ? sets[i] : NULL; }

/* The environment can only lower the choice: a set that is not here is not chosen. Of sets with one
 * name one is here at the most. */
static const struct cpu_kernels *best_here(void) {
    const char *wish = getenv("SITO_CPU");
    const struct cpu_kernels *set, *best = &cpu_portable;
    for (size_t i = 0; (set = cpu_at(i)); i++) {
        if (!set->is_here()) continue;
        best = set;
        if (wish && strcmp(wish, set->name) == 0) break;
    }
    return best;
}

const struct cpu_kernels *cpu_choice = NULL;

/* Two threads may both choose: they choose alike. */
const struct cpu_kernels *cpu_choose(void) {
    const struct cpu_kernels *best = best_here();
    __atomic_store_n(&cpu_choice, best, __ATOMIC_RELEASE);
    return best;
}
