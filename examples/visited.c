/* visited.c - the pages somebody has seen, in a browser's cookie: at most 4096 characters. */
#include <sito/sito.h>
#include <stdio.h>
#include <string.h>

enum { COOKIE = 4096, CELLS = 2880 }; /* with header and sums 3024 bytes: 4032 characters */
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
struct bytes {
    unsigned char at[COOKIE];
    size_t n;
};

static sito_rc put(void *self, const void *piece, size_t n) {
    struct bytes *b = self;
    if (n > sizeof b->at - b->n) return SITO_ELIMIT;
    memcpy(b->at + b->n, piece, n);
    b->n += n;
    return SITO_OK;
}

/* base64url, of whole groups of three bytes. */
static void encode(const struct bytes *from, char *to) {
    for (size_t i = 0; i < from->n; i += 3) {
        unsigned group = from->at[i] * 65536u + from->at[i + 1] * 256u + from->at[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6) *to++ = digits[group >> shift & 63];
    }
}

/* A browser may send anything. */
static bool decode(const char *from, struct bytes *to) {
    unsigned group = 0;
    for (size_t i = 0; from[i]; i++) {
        const char *digit = strchr(digits, from[i]);
        if (!digit || to->n + 3 > sizeof to->at) return false;
        group = group << 6 | (unsigned)(digit - digits);
        for (int s = 16; i % 4 == 3 && s >= 0; s -= 8) to->at[to->n++] = (group >> s) & 255;
    }
    return true;
}

int main(void) {
    for (double rate = 0.1; rate > 0.0005; rate /= 10) {
        sito_plan plan = {.kind = SITO_BLOOM, .fpr = rate, .max_bytes = CELLS, .seed = 1};
        sito_filter *f;
        struct bytes image = {.n = 0}, again = {.n = 0};
        char cookie[2 * COOKIE] = "", url[64];
        if (sito_plan_solve(&plan) != SITO_OK || sito_new(&plan, NULL, &f) != SITO_OK) return 1;
        int wrong = 0, pages = (int)plan.nkeys;
        for (int i = 0; i < pages; i++) sito_add(f, url, (size_t)sprintf(url, "example.org/%d", i));
        if (sito_write(f, put, &image) != SITO_OK || image.n % 3) return 1;
        encode(&image, cookie);
        sito_free(f); /* and, at the next visit: */
        if (!decode(cookie, &again) || sito_from_image(again.at, again.n, NULL, &f, NULL)) return 1;
        for (int i = 0; i < 1000000; i++)
            wrong += sito_maybe(f, url, (size_t)sprintf(url, "example.net/%d", i));
        printf("%4d pages in %zu characters; %.3f %% of others taken for seen (%.3f %% promised)\n",
               pages, strlen(cookie), wrong / 1e4, plan.real_fpr * 100);
        sito_free(f);
    }
}
