/* test_share.c - shares are what was written, to the last digit. */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "share.h"

/* n of total is that much, and one less, or of one more, is not. */
static void is_just_reached(const char *text, uint64_t n, uint64_t total) {
    struct share s;
    if (!share_read(text, &s)) fail_msg("%s is refused", text);
    if (!share_reached(&s, n, total))
        fail_msg("%s: not reached by %" PRIu64 " of %" PRIu64, text, n, total);
    if (share_reached(&s, n - 1, total) || share_reached(&s, n, total + 1))
        fail_msg("%s: reached by less than %" PRIu64 " of %" PRIu64, text, n, total);
}

/* n / of, a power of ten, with all of its decimals; returns the end. */
static char *write_decimal(char *to, uint64_t n, uint64_t of) {
    to += sprintf(to, "%" PRIu64 ".", n / of);
    while (of /= 10) *to++ = (char)('0' + n / of % 10);
    *to = 0;
    return to;
}

static void shares_are_reached_to_the_last_digit(void **state) {
    (void)state;
    static const uint64_t wholes[] = {1000, 10000, 100000, 1000000, 10000000, 100000000};
    char text[100];
    for (int decimals = 1; decimals <= 6; decimals++) {
        const uint64_t total = wholes[decimals - 1], one = total / 100;
        const uint64_t step = decimals < 4 ? 1 : total / 100003;
        for (uint64_t n = 1; n <= total; n += step) {
            strcpy(write_decimal(text, n, one), "%");
            is_just_reached(text, n, total);
            is_just_reached(text, n * 1000000007, total * 1000000007);
            write_decimal(text, n, total);
            is_just_reached(text, n, total);
        }
    }
}

static void shares_may_be_written_in_many_ways(void **state) {
    (void)state;
    static const char *const texts[] = {"4.4%", "04.40%",     "0.044",
                                        ".044", "0000.04400", "4.4000000000000000000000%"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) is_just_reached(texts[i], 11, 250);
    is_just_reached("100%", 7, 7);
    is_just_reached("1", 7, 7);
    is_just_reached("1.", UINT64_MAX - 1, UINT64_MAX - 1);
    is_just_reached("50%", (UINT64_MAX - 1) / 2, UINT64_MAX - 1);
    is_just_reached("0.00000000000000001", 1, 100000000000000000);
}

/* What a program prints of n / total, or of a hundred times that, is meant to be reached by it. */
static void printed_shares_are_reached(void **state) {
    (void)state;
    char text[64];
    for (uint64_t total = 1; total <= 700; total++)
        for (uint64_t n = 1; n <= total; n++)
            for (int percent = 0; percent < 2; percent++) {
                struct share s;
                snprintf(text, sizeof text, percent ? "%.17f%%" : "%.19f",
                         (percent ? 100 : 1) * ((double)n / (double)total));
                assert_true(share_read(text, &s));
                if (!share_reached(&s, n, total) || share_reached(&s, n - 1, total))
                    fail_msg("%s: not just reached by %d of %d", text, (int)n, (int)total);
            }
}

static void what_is_no_share_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "0",
                                        "0.0%",
                                        "0%",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "%",
                                        ".",
                                        ".%",
                                        "5%%",
                                        "1.5",
                                        "101%",
                                        "100.01%",
                                        "1.000001",
                                        "1e-1",
                                        "1..",
                                        "1.2.3",
                                        "x",
                                        "5x",
                                        "0x1",
                                        "inf",
                                        "nan",
                                        "20000000000000000000",
                                        "20000000000000000000%",
                                        "18446744073709551617"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct share s;
        if (share_read(texts[i], &s)) fail_msg("`%s` is taken", texts[i]);
    }
}

static void hundredths_of_a_percent_are_rounded_halves_up(void **state) {
    (void)state;
    for (uint64_t total = 1; total <= 3200; total++)
        for (uint64_t n = 0; n <= total; n++) {
            const uint64_t rest = n * 10000 % total;
            assert_int_equal(share_hundredths(n, total),
                             n * 10000 / total + (rest >= total - rest));
        }
    assert_int_equal(share_hundredths(0, 0), 0);
    assert_int_equal(share_hundredths(UINT64_MAX, UINT64_MAX), 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_reached_to_the_last_digit),
        cmocka_unit_test(shares_may_be_written_in_many_ways),
        cmocka_unit_test(printed_shares_are_reached),
        cmocka_unit_test(what_is_no_share_is_refused),
        cmocka_unit_test(hundredths_of_a_percent_are_rounded_halves_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
