/* letters.c - three tables of Unicode, searched by halves. letters.py makes them. */
#include "letters.h"

#include "utf8.h"

struct run {
    uint32_t first, last;
};

struct capital {
    uint32_t first, last, step;
    int32_t far; /* to the small letter */
};

#include "letters.inc"

enum {
    NLETTERS = sizeof letters / sizeof *letters,
    NMARKS = sizeof marks / sizeof *marks,
    NCAPITALS = sizeof capitals / sizeof *capitals
};

static bool is_among(const struct run *runs, size_t n, uint32_t c) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (runs[mid].last < c) low = mid + 1;
        else high = mid;
    }
    return low < n && runs[low].first <= c;
}

bool is_letter(uint32_t c) {
    if (c < 0x80) return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    return is_among(letters, NLETTERS, c);
}

bool is_mark(uint32_t c) {
    /* Latin, Greek and Cyrillic letters are asked for most. */
    if (c < 0x300 || (c >= 0x370 && c < 0x483)) return false;
    return is_among(marks, NMARKS, c);
}

uint32_t small_letter(uint32_t c) {
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    size_t low = 0, high = NCAPITALS;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (capitals[mid].last < c) low = mid + 1;
        else high = mid;
    }
    if (low == NCAPITALS || c < capitals[low].first) return c;
    if ((c - capitals[low].first) % capitals[low].step) return c;
    return (uint32_t)((int32_t)c + capitals[low].far);
}

void capitals_each(void (*each)(void *self, uint32_t capital, uint32_t small), void *self) {
    for (size_t run = 0; run < NCAPITALS; run++) {
        const struct capital *at = &capitals[run];
        for (uint32_t c = at->first; c <= at->last; c += at->step)
            each(self, c, (uint32_t)((int32_t)c + at->far));
    }
}

size_t fold_word(const char *word, size_t n, char *to) {
    size_t length = 0;
    for (size_t i = 0; i < n;) {
        uint32_t c;
        const size_t size = utf8_get(word + i, n - i, &c);
        if (!size) return 0;
        i += size;
        length += utf8_put(small_letter(c), to + length);
    }
    return length;
}
