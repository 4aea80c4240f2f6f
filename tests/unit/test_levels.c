/* test_levels.c - the linear filter's tables under every instruction set of this machine. */
#define _GNU_SOURCE
#include "check.h"

#include "levels.h"

static void every_set_fades_and_merges_as_defined(void **state) {
    (void)state;
    const struct cpu_kernels *set;
    for (size_t i = 0; (set = cpu_at(i)) != NULL; i++) {
        if (!set->is_here()) continue;
        const char *wrong = level_kernel_differs(set->levels);
        PROMISE(!wrong, "%s: %s", set->name, wrong);
    }
}

/* Rounds the last level up. */
static void nearly_faded(uint8_t *cells, uint64_t n, unsigned b, uint32_t p, uint32_t q) {
    uint64_t last = level_in(cells, n - 1, b);
    levels_portable.fade(cells, n, b, p, q);
    level_write(cells, n - 1, b, (last * p + q - 1) / q);
}

static void a_wrong_fade_is_noticed(void **state) {
    (void)state;
    struct level_kernel wrong = levels_portable;
    wrong.fade = nearly_faded;
    assert_non_null(level_kernel_differs(&wrong));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_fades_and_merges_as_defined),
        cmocka_unit_test(a_wrong_fade_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
