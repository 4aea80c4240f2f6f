/* keyed.h - SipHash-c-d (Aumasson and Bernstein 2012), 64 bits out. sito uses 1-3. */
#ifndef SITO_KEYED_H
#define SITO_KEYED_H

#include "core/base.h"

struct sip {
    uint64_t a, b, c, d;
};

static inline uint64_t turned_left(uint64_t x, int by) { return x << by | x >> (64 - by); }

static inline void sip_round(struct sip *s) {
    s->a += s->b, s->c += s->d;
    s->b = turned_left(s->b, 13) ^ s->a, s->d = turned_left(s->d, 16) ^ s->c;
    s->a = turned_left(s->a, 32);
    s->c += s->b, s->a += s->d;
    s->b = turned_left(s->b, 17) ^ s->c, s->d = turned_left(s->d, 21) ^ s->a;
    s->c = turned_left(s->c, 32);
}

static inline void sip_word(struct sip *s, uint64_t word, int rounds) {
    s->d ^= word;
    for (int i = 0; i < rounds; i++) sip_round(s);
    s->a ^= word;
}

static inline uint64_t siphash(int each, int last, const uint8_t secret[16], const void *key,
                               size_t len) {
    const uint8_t *p = (const uint8_t *)key;
    uint64_t k0 = get64(secret), k1 = get64(secret + 8), tail = (uint64_t)len << 56;
    struct sip s = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
                    k1 ^ 0x7465646279746573u};
    size_t whole = len & ~(size_t)7;
    for (size_t i = 0; i < whole; i += 8) sip_word(&s, get64(p + i), each);
    for (size_t i = whole; i < len; i++) tail |= (uint64_t)p[i] << (8 * (i - whole));
    sip_word(&s, tail, each);
    s.c ^= 0xff;
    for (int i = 0; i < last; i++) sip_round(&s);
    return s.a ^ s.b ^ s.c ^ s.d;
}

#endif
