/* share.c - digits become a fraction, and fractions are compared crosswise. */
#include "share.h"

__extension__ typedef unsigned __int128 wide;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool share_read(const char *text, struct share *out) {
    const uint64_t many = 100000000000, most = many * 1000000; /* 1e11, 1e17 */
    const char *p = text;
    struct share s = {.of = 1};
    bool digits = false;
    for (; is_digit(*p) && s.part <= 100; p++, digits = true)
        s.part = s.part * 10 + (uint64_t)(*p - '0');
    if (*p == '.')
        for (p++; is_digit(*p); p++, digits = true) {
            if (s.part >= many || s.of >= most) continue;
            s.part = s.part * 10 + (uint64_t)(*p - '0');
            s.of *= 10;
        }
    if (digits && *p == '%') s.of *= 100, p++;
    if (!digits || *p || !s.part || s.part > s.of) return false;
    *out = s;
    return true;
}

bool share_reached(const struct share *s, uint64_t n, uint64_t total) {
    return (wide)n * s->of >= (wide)total * s->part;
}

uint64_t share_hundredths(uint64_t n, uint64_t total) {
    return total ? (uint64_t)(((wide)n * 20000 + total) / ((wide)total * 2)) : 0;
}
