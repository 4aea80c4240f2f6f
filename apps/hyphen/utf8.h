/* utf8.h - one character out of UTF-8 bytes and back. What is not well-formed is no character. */
#ifndef HYPHEN_UTF8_H
#define HYPHEN_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* How many bytes the character at `s` takes, its code point in *c; 0 if there is none. `n` > 0. */
static inline size_t utf8_get(const char *s, size_t n, uint32_t *c) {
    const uint8_t *b = (const uint8_t *)s;
    if (b[0] < 0x80) return *c = b[0], 1;
    const size_t size = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (b[0] < 0xc2 || b[0] > 0xf4 || n < size) return 0;
    uint32_t code = b[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((b[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (b[i] & 0x3fu);
    }
    if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
    *c = code;
    return size;
}

/* Write `c` to `to`, which has room for 4 bytes; returns how many were needed. */
static inline size_t utf8_put(uint32_t c, char *to) {
    if (c < 0x80) return to[0] = (char)c, 1;
    const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, c >>= 6) to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((0xf00u >> size & 0xff) | c);
    return size;
}

#endif
