/* numbers.c - numbers as people write them. Whole numbers are parsed in integers, so that 2^64 - 1
 * is exact and one more is an overflow, not a rounding. */
#include "numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* ---- text -> whole number ---- */

static bool append_digit(uint64_t *number, char digit) {
    return !__builtin_mul_overflow(*number, (uint64_t)10, number) &&
           !__builtin_add_overflow(*number, (uint64_t)(digit - '0'), number);
}

/* k M G T P are powers of 1000, Ki Mi Gi Ti Pi of 1024; a B may follow where bytes are meant. */
static bool read_unit(const char **at, bool bytes, uint64_t *unit) {
    const char *p = *at;
    *unit = 1;
    if (*p == 'k' || *p == 'K' || *p == 'M' || *p == 'G' || *p == 'T' || *p == 'P') {
        const char letters[] = "kMGTP";
        const char letter = *p == 'K' ? 'k' : *p;
        const size_t power = (size_t)(strchr(letters, letter) - letters) + 1;
        const bool binary = p[1] == 'i';
        for (size_t i = 0; i < power; i++) *unit *= binary ? 1024 : 1000;
        p += binary ? 2 : 1;
    }
    if (bytes && *p == 'B') p++;
    *at = p;
    return *p == 0;
}

static bool parse_whole(const char *text, bool bytes, uint64_t *out, const char **why) {
    const char *const too_large = "is too large";
    const char *p = text;
    uint64_t number = 0, unit;
    int exponent = 0;

    if (*p == '-') return *why = "is negative", false;
    if (!is_digit(*p) && !(*p == '.' && is_digit(p[1]))) return *why = "is not a number", false;
    for (; is_digit(*p); p++)
        if (!append_digit(&number, *p)) return *why = too_large, false;
    if (*p == '.') {
        const char *end = ++p;
        while (is_digit(*end)) end++;
        const char *last = end;
        while (last > p && last[-1] == '0') last--;
        for (; p < last; p++, exponent--)
            if (!append_digit(&number, *p)) return *why = "has too many digits", false;
        p = end;
    }
    if ((*p == 'e' || *p == 'E') &&
        (is_digit(p[1]) || ((p[1] == '+' || p[1] == '-') && is_digit(p[2])))) {
        const bool negative = p[1] == '-';
        int power = 0;
        for (p += is_digit(p[1]) ? 1 : 2; is_digit(*p); p++)
            if (power < 1000) power = power * 10 + (*p - '0');
        exponent += negative ? -power : power;
    }
    const bool has_unit = *p != 0;
    if (!read_unit(&p, bytes, &unit))
        return *why = bytes ? "has a unit I do not know (k, M, G, T or KiB, MiB, GiB, TiB)"
                            : "has a unit I do not know (k, M, G, T or Ki, Mi, Gi, Ti)",
               false;

    if (__builtin_mul_overflow(number, unit, &number)) return *why = too_large, false;
    for (; exponent > 0 && number; exponent--)
        if (__builtin_mul_overflow(number, (uint64_t)10, &number)) return *why = too_large, false;
    bool whole = true;
    for (; exponent < 0 && number; exponent++) {
        whole = whole && number % 10 == 0;
        number /= 10;
    }
    /* 1.1MiB is no whole number of bytes, and nobody minds the last one. */
    if (!whole && !(bytes && has_unit)) return *why = "is not a whole number", false;
    if (number == 0) return *why = "is 0; at least 1 is needed", false;
    *out = number;
    return true;
}

bool parse_count(const char *text, uint64_t *out, const char **why) {
    return parse_whole(text, false, out, why);
}

bool parse_bytes(const char *text, uint64_t *out, const char **why) {
    return parse_whole(text, true, out, why);
}

bool parse_seed(const char *text, uint64_t *out, const char **why) {
    uint64_t number = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        const char *digits = text + 2;
        const size_t n = strspn(digits, "0123456789abcdefABCDEF");
        if (n == 0 || digits[n]) return *why = "is not a hexadecimal number", false;
        if (n > 16) return *why = "is too large", false;
        number = strtoull(digits, NULL, 16);
    } else {
        if (!*text) return *why = "is not a number", false;
        for (const char *p = text; *p; p++) {
            if (!is_digit(*p)) return *why = "is not a whole number (decimal, or 0x...)", false;
            if (!append_digit(&number, *p)) return *why = "is too large", false;
        }
    }
    if (number == 0) return *why = "is 0, which means no seed", false;
    *out = number;
    return true;
}

bool parse_fraction(const char *text, uint32_t out[2], const char **why) {
    unsigned p, q;
    int end = 0;
    if (!is_digit(*text) || sscanf(text, "%9u/%9u%n", &p, &q, &end) != 2 || text[end] ||
        !is_digit(text[strcspn(text, "/") + 1]))
        return *why = "is not a fraction such as 9/10", false;
    if (p == 0 || p >= q) return *why = "is not between 0 and 1", false;
    out[0] = p, out[1] = q;
    return true;
}

/* ---- text -> rate ---- */

/* strtod would also take inf, nan, hexadecimal and leading blanks. */
static bool parse_real(const char *text, double *out, char **end, const char **why) {
    if (*text == '-') return *why = "is negative", false;
    if (!is_digit(*text) && !(*text == '.' && is_digit(text[1])))
        return *why = "is not a number", false;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return *why = "is not a number", false;
    *out = strtod(text, end);
    return true;
}

bool parse_share(const char *text, double *out, const char **why) {
    char *end;
    double share;
    if (!parse_real(text, &share, &end, why)) return false;
    if (*end) return *why = "has something after the number", false;
    if (!(share <= 1)) return *why = "is above 1", false;
    *out = share;
    return true;
}

bool parse_rate(const char *text, double *out, const char **why) {
    char *end;
    double rate;
    if (!parse_real(text, &rate, &end, why)) return false;
    if (*end == '%') {
        rate /= 100;
        end++;
    }
    if (*end) return *why = "has something after the number", false;
    if (!(rate > 0)) return *why = "is 0; only `exact` and `exact-cuckoo` never err", false;
    if (!(rate < 1)) return *why = "is not below 1 (100 %)", false;
    *out = rate;
    return true;
}

/* ---- number -> text ---- */

const char *human_bytes(uint64_t bytes, char room[NUMBER_ROOM]) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        snprintf(room, NUMBER_ROOM, "%" PRIu64 " B", bytes);
        return room;
    }
    double scaled = (double)bytes / 1024;
    size_t unit = 0;
    while (scaled >= 1023.95 && unit + 1 < sizeof units / sizeof *units) {
        scaled /= 1024;
        unit++;
    }
    snprintf(room, NUMBER_ROOM, "%.1f %s", scaled, units[unit]);
    return room;
}

const char *human_rate(double rate, char room[NUMBER_ROOM]) {
    if (!(rate > 0)) snprintf(room, NUMBER_ROOM, "%s", "0");
    else if (rate >= 0.1) snprintf(room, NUMBER_ROOM, "%.3g %%", rate * 100);
    else snprintf(room, NUMBER_ROOM, "%.3g %% (1 in %.4g)", rate * 100, 1 / rate);
    return room;
}

const char *human_count(uint64_t count, char room[NUMBER_ROOM]) {
    char digits[NUMBER_ROOM];
    const int n = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *to = room;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return room;
}

const char *exact_real(double value, char room[NUMBER_ROOM]) {
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(room, NUMBER_ROOM, "%.*g", precision, value);
        if (!(strtod(room, NULL) < value) && !(strtod(room, NULL) > value)) break;
    }
    return room;
}
