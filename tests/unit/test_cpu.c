/* test_cpu.c - instruction sets: each says what the portable walk says, and the environment can only lower
 * the choice among them. */
#define _GNU_SOURCE
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

#include "kernels.h"

#ifdef __x86_64__
/* The widest set is rare: what its file says is tested on every machine, in lesser words. */
#include "lesser_words.h"
#define target(name)
#define cpu_avx512 avx512_in_lesser_words
#define cpu_avx512_picking avx512_picking_in_lesser_words
#define cpu_avx512_shifting avx512_shifting_in_lesser_words
#define cpu_avx512_turning avx512_turning_in_lesser_words
extern const struct cpu_kernels avx512_in_lesser_words, avx512_picking_in_lesser_words,
    avx512_shifting_in_lesser_words, avx512_turning_in_lesser_words;
#include "cpu/avx512.c"
#undef cpu_avx512
#undef cpu_avx512_picking
#undef cpu_avx512_shifting
#undef cpu_avx512_turning
#undef target
#endif

/* ---- the walks ---- */

static void agrees_with_portable(const struct cpu_kernels *set) {
    struct kernel_tally tally = {0};
    const char *wrong = set_differs(set, &tally);
    PROMISE(!wrong, "%s: %s", set->name, wrong);
    /* Else nothing was compared. */
    PROMISE(tally.yes > 10000 && tally.no > 10000 && tally.fresh > 10000 && tally.known > 10000,
            "%s: %llu yes, %llu no, %llu new, %llu known", set->name, (unsigned long long)tally.yes,
            (unsigned long long)tally.no, (unsigned long long)tally.fresh,
            (unsigned long long)tally.known);
}

static void every_set_says_what_the_portable_one_says(void **state) {
    (void)state;
    const struct cpu_kernels *set;
    assert_ptr_equal(cpu_at(0), &cpu_portable);
    for (size_t i = 0; (set = cpu_at(i)) != NULL; i++)
        if (set->is_here()) agrees_with_portable(set);
}

#ifdef __x86_64__
static void the_widest_set_does_so_in_lesser_words(void **state) {
    (void)state;
    agrees_with_portable(&avx512_in_lesser_words);
    agrees_with_portable(&avx512_picking_in_lesser_words);
    agrees_with_portable(&avx512_shifting_in_lesser_words);
    agrees_with_portable(&avx512_turning_in_lesser_words);
}

/* Who made the machine decides which is chosen; the others are compared where the instructions are. */
static void all_widest_sets_do_so_where_they_can(void **state) {
    (void)state;
    int here = cpu_avx512.is_here() + cpu_avx512_picking.is_here() + cpu_avx512_shifting.is_here() +
               cpu_avx512_turning.is_here();
    assert_true(here <= 1);
    if (!here) return;
    agrees_with_portable(&cpu_avx512);
    agrees_with_portable(&cpu_avx512_turning);
    if (__builtin_cpu_supports("avx512bitalg")) agrees_with_portable(&cpu_avx512_picking);
    if (__builtin_cpu_supports("avx512vbmi")) agrees_with_portable(&cpu_avx512_shifting);
}
#endif

/* Does not see the hash's last bit. */
static bool nearly_right(uint8_t *cells, uint64_t nblocks, uint64_t hash) {
    return cpu_portable.block16.add(cells, nblocks, hash & ~UINT64_C(1));
}

static void a_wrong_walk_is_noticed(void **state) {
    (void)state;
    struct kernel_tally tally = {0};
    struct cpu_kernels wrong = cpu_portable;
    wrong.block16.add = nearly_right;
    assert_non_null(set_differs(&wrong, &tally));
}

/* ---- the choice ---- */

/* The name that a fresh process chooses under SITO_CPU=wish; NULL: unset. */
static void chosen_under(const char *wish, char name[32]) {
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        if (wish) setenv("SITO_CPU", wish, 1);
        else unsetenv("SITO_CPU");
        dup2(ends[1], 1);
        execl("/proc/self/exe", "test_cpu", "--chosen", (char *)NULL);
        _exit(1);
    }
    assert_true(child > 0);
    close(ends[1]);
    ssize_t n = read(ends[0], name, 31);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(n > 0);
    name[n] = 0;
}

/* The widest that is here, up to and with the one so named; of all, if none has that name. */
static const char *expected_under(const char *wish) {
    const struct cpu_kernels *set;
    const char *best = "portable";
    for (size_t i = 0; (set = cpu_at(i)) != NULL; i++) {
        if (!set->is_here()) continue;
        best = set->name;
        if (wish && is(wish, set->name)) break;
    }
    return best;
}

static void the_environment_can_only_lower_the_choice(void **state) {
    (void)state;
    const char *const wishes[] = {NULL, "portable", "avx2",     "avx512", "neon",
                                  "",   "nonsense", "PORTABLE", "avx",    "portable,avx2"};
    char name[32];
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        chosen_under(wishes[i], name);
        PROMISE(is(name, expected_under(wishes[i])), "SITO_CPU=%s: %s, not %s",
                wishes[i] ? wishes[i] : "(unset)", name, expected_under(wishes[i]));
    }
    chosen_under("portable", name);
    assert_string_equal(name, "portable");
}

/* `test_cpu --sets` names those that are here, the widest last. */
static void print_sets(void) {
    const struct cpu_kernels *set;
    for (size_t i = 0; (set = cpu_at(i)) != NULL; i++)
        if (set->is_here()) puts(set->name);
}

int main(int argc, char **argv) {
    if (argc == 2 && is(argv[1], "--chosen")) return fputs(cpu_chosen()->name, stdout) < 0;
    if (argc == 2 && is(argv[1], "--sets")) return print_sets(), 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_says_what_the_portable_one_says),
#ifdef __x86_64__
        cmocka_unit_test(the_widest_set_does_so_in_lesser_words),
        cmocka_unit_test(all_widest_sets_do_so_where_they_can),
#endif
        cmocka_unit_test(a_wrong_walk_is_noticed),
        cmocka_unit_test(the_environment_can_only_lower_the_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
