/* eye.c - asks block filters by their eye and by call, in C and in C++: prints how often each answer came,
 * or fails where the two differ. */
#include <sito/block.h>
#include <sito/sito.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t dice(uint64_t i) {
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
    return i ^ (i >> 31);
}

static void must(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "eye: %s\n", what);
    exit(1);
}

/* The first half of what is asked is inside. */
static void ask(const sito_filter *f, uint64_t n, uint64_t counts[2]) {
    sito_block_eye eye;
    must(sito_block_view(f, &eye) == SITO_OK, "no eye");
    for (uint64_t i = 0; i < 2 * n; i++) {
        bool maybe = sito_maybe_hash(f, dice(i));
        must(sito_block_eye_maybe(&eye, dice(i)) == maybe, "the eye sees otherwise");
        must(maybe || i >= n, "a key is denied");
        counts[maybe]++;
    }
    uint64_t seen = 0, called = 0; /* a loop that only counts is compiled otherwise */
    for (uint64_t i = 0; i < 2 * n; i++) seen += sito_block_eye_maybe(&eye, dice(i));
    for (uint64_t i = 0; i < 2 * n; i++) called += sito_maybe_hash(f, dice(i));
    must(seen == called, "the eye counts otherwise");
}

static unsigned char *end;

static sito_rc put(void *self, const void *bytes, size_t n) {
    (void)self;
    memcpy(end, bytes, n);
    end += n;
    return SITO_OK;
}

/* By itself, and as a view that begins at an odd byte. */
static void try_one(unsigned nhashes, uint64_t nblocks) {
    uint64_t counts[2] = {0, 0}, n = 60 * nblocks;
    sito_plan plan;
    sito_filter *f = NULL, *view = NULL;
    memset(&plan, 0, sizeof plan);
    plan.kind = SITO_BLOCK, plan.nkeys = n, plan.seed = 42;
    plan.nhashes = nhashes, plan.ncells = 512 * nblocks;
    must(sito_new(&plan, NULL, &f) == SITO_OK, "no filter");
    for (uint64_t i = 0; i < n; i++) must(sito_add_hash(f, dice(i)) >= 0, "a key was refused");
    ask(f, n, counts);

    size_t len = (size_t)sito_image_bytes(f);
    unsigned char *bytes = (unsigned char *)malloc(len + 1);
    must(bytes != NULL, "no memory");
    end = bytes + 1;
    must(sito_write(f, put, NULL) == SITO_OK, "no image");
    must(sito_view(bytes + 1, len, NULL, &view, NULL) == SITO_OK, "no view");
    ask(view, n, counts);
    printf("%u bits, %lu blocks: %lu yes, %lu no\n", nhashes, (unsigned long)nblocks,
           (unsigned long)counts[1], (unsigned long)counts[0]);
    sito_free(view);
    sito_free(f);
    free(bytes);
}

int main(void) {
    for (unsigned nhashes = 8; nhashes <= 16; nhashes += 8)
        for (uint64_t nblocks = 1; nblocks <= 5000; nblocks = 3 * nblocks + 1)
            try_one(nhashes, nblocks);
    return 0;
}
