/*
 * fuzz_text.c - any bytes as text and as HTML, in pieces of any size. Without the marks the output is
 * the input; the pieces' sizes do not matter; and a second run adds nothing. The first two bytes are
 * the options and the size of the pieces.
 *
 * SITO_SEEDS=FOLDER in the environment writes a page and a text into FOLDER, and ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hyphen/text.h"
#include "fuzz/seeds.h"

static const char patterns[] =
    "hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n1'1\n1a1\n1b1\n\xc3\xa9"
    "1\n.c1\n1d.\n";

static hyphen *compiled(void) {
    static hyphen *h;
    char why[WHY_ROOM];
    struct patterns p;
    if (h) return h;
    if (!patterns_parse(&p, "patterns", patterns, strlen(patterns), why)) give_up(why);
    h = hyphen_compile(&p, why);
    hyphen_set_mins(h, 1, 1);
    patterns_free(&p);
    return h;
}

static struct speller *one_for_all(void *self, const char *tag) {
    return tag[0] == 'x' ? NULL : self;
}

struct run {
    bool html, strip, no_caps;
    unsigned min_word;
    size_t step;
};

/* The output, to be freed. */
static char *through(const char *in, size_t n, const struct run *r, size_t *length) {
    struct speller s = {compiled(), hyphen_room_new(), NULL, 0};
    struct text t = {.speller = &s, .speller_for = one_for_all, .self = &s, .mark = "\xc2\xad"};
    t.html = r->html, t.strip = r->strip, t.no_caps = r->no_caps, t.min_word = r->min_word;
    for (size_t i = 0; i < n; i += r->step)
        text_feed(&t, in + i, n - i < r->step ? n - i : r->step);
    text_feed(&t, NULL, 0);
    if (t.failed) give_up("no memory");
    char *out = malloc(t.out.n + 1);
    if (t.out.n) memcpy(out, t.out.items, t.out.n);
    *length = t.out.n;
    text_free(&t);
    hyphen_room_free(s.room);
    return out;
}

/* Again and again, since what is left of broken UTF-8 may make another mark. */
static size_t without_marks(char *s, size_t n) {
    size_t kept = n, before;
    do {
        before = kept, kept = 0;
        for (size_t i = 0; i < before; i++) {
            if (i + 1 < before && !memcmp(s + i, "\xc2\xad", 2)) i++;
            else s[kept++] = s[i];
        }
    } while (kept < before);
    return kept;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    static const char *const seeds[] = {
        "A\7<html lang='en'><head><title>x</title></head><!-- a > --><p title=\"hyphenation\">The "
        "hyphenation&nbsp;of "
        "b'ab</p><pre>bab</pre><br/><m:math>bab</m:math><![CDATA[bab]]><script>a<b"
        "</scripts </script><i lang=x>hyphenation</i> &eacute;a",
        "@\7hyphenation, me@bab.org http://bab www.bab a1b b_a hy\xc2\xadphen \xc3\xa9\xff 'bab'"};
    write_text_seeds("text", seeds, sizeof seeds / sizeof *seeds);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    if (len < 2) return 0;
    const struct run whole = {bytes[0] & 1, bytes[0] & 2, bytes[0] & 4, bytes[0] >> 4, len};
    struct run pieces = whole;
    pieces.step = 1 + bytes[1] % 40;
    const char *in = (const char *)bytes + 2;
    size_t n = len - 2, first, second, third;
    char *out = through(in, n, &whole, &first), *cut = through(in, n, &pieces, &second);
    if (first != second || memcmp(out, cut, first)) give_up("the size of the pieces matters");
    char *again = through(out, first, &whole, &third);
    /* Not so if marks are taken out of broken UTF-8, whose pieces may make another one. */
    if (!whole.strip && (first != third || memcmp(out, again, first)))
        give_up("a second run changes something");
    char *plain = malloc(n + 1);
    memcpy(plain, in, n);
    first = without_marks(out, first), second = without_marks(plain, n);
    if (first != second || memcmp(out, plain, first)) give_up("something is lost");
    free(out), free(cut), free(again), free(plain);
    return 0;
}
