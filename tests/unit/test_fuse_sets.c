/*
 * test_fuse_sets.c - every instruction set builds the same fuse filter, byte for byte.
 *
 * The choice among them is made once a process: so each set has a process of its own, and nothing
 * else is built here.
 */
#define _GNU_SOURCE
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cpu/cpu.h"

/* In three pieces and more, so that they are peeled in order. */
enum { N = 5000003 };

static uint64_t digest_of_build(unsigned arity, unsigned bits, size_t n) {
    sito_plan plan = {
        .kind = SITO_FUSE, .nkeys = N, .tag_bits = bits, .arity = arity, .threads = 2, .seed = 42};
    uint64_t *hashes = malloc(N * sizeof *hashes);
    sito_filter *f = NULL;
    if (!hashes) give_up("no memory");
    for (size_t i = 0; i < N; i++) hashes[i] = mixed(i);
    if (sito_build(&plan, NULL, hashes, n, &f) != SITO_OK) give_up("no filter");
    image im = image_of(f);
    uint64_t digest = XXH3_64bits(im.bytes, im.len);
    free(im.bytes);
    free(hashes);
    sito_free(f);
    return digest;
}

/* In a process with no other choice than this set, and those before it. */
static uint64_t digest_with(const char *set, unsigned arity, unsigned bits, size_t n) {
    int ends[2], status;
    uint64_t digest = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("SITO_CPU", set, 1);
        digest = digest_of_build(arity, bits, n);
        _exit(strcmp(cpu_chosen()->name, set) != 0 ||
              write(ends[1], &digest, sizeof digest) != sizeof digest);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &digest, sizeof digest), sizeof digest);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    PROMISE(status == 0, "%s: status %d", set, status);
    return digest;
}

static void all_sets_build_the_same_bytes(void **state) {
    (void)state;
    static const struct {
        unsigned arity, bits;
        size_t n;
    } cases[] = {{4, 8, N}, {3, 8, N}, {4, 13, N}, {3, 32, N}, {4, 8, 5}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t plain = digest_with("portable", cases[c].arity, cases[c].bits, cases[c].n);
        for (size_t i = 1; cpu_at(i); i++) {
            const char *set = cpu_at(i)->name;
            if (!cpu_at(i)->is_here()) continue;
            PROMISE(digest_with(set, cases[c].arity, cases[c].bits, cases[c].n) == plain,
                    "%s, %u-wise, %u bits: other bytes", set, cases[c].arity, cases[c].bits);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sets_build_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
