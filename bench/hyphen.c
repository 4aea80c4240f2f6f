/*
 * hyphen.c - how fast is `sito hyphen` beside libhyphen? The same words of a language under the same
 * .dic file, in one run and on one core: words one by one and many at once, plain text to text with
 * soft hyphens, and loading.
 */
#define ROUNDS 15
#include "bench.h"

#include <hyphen.h> /* libhyphen's */
#include <iconv.h>
#include <string.h>
#include <unistd.h>

#include "hyphen/letters.h"
#include "hyphen/text.h"

struct language {
    const char *tag, *dic, *words;
};

struct field {
    char path[256];
    HyphenDict *dict;
    hyphen *h;
    hyphen_room *room;
    size_t nwords, bytes;
    char **words; /* in the dictionary's charset, for libhyphen */
    size_t *lengths;
    char *text; /* the same in UTF-8, with blanks between */
    struct hyphen_span *spans;
    uint64_t *breaks;
};

enum { NWORDS = 120000, LONGEST = 60 };

/* Every so-many-th of a list, in small letters, which is what libhyphen wants. What follows a slash
 * in a spelling dictionary is no part of the word. */
static void read_words(struct field *f, const char *list) {
    size_t n, nlines = 0, at = 0, line = 0;
    char *all = must(read_whole(list, &n));
    const iconv_t to = iconv_open(f->dict->cset, "UTF-8");
    for (size_t i = 0; i < n; i++) nlines += all[i] == '\n';
    const size_t each = (nlines + NWORDS - 1) / NWORDS;
    f->words = must(malloc(nlines * sizeof *f->words));
    f->lengths = must(malloc(nlines * sizeof *f->lengths));
    f->spans = must(malloc(nlines * sizeof *f->spans));
    f->breaks = must(malloc(nlines * sizeof *f->breaks));
    f->text = must(malloc(2 * n + HYPHEN_BEHIND));
    for (char *s = strtok(all, "\n"); s; s = strtok(NULL, "\n")) {
        char small[2 * LONGEST + 1], other[2 * LONGEST + 1], *in = small, *out = other;
        size_t left = strcspn(s, "/\t "), room = sizeof other - 1;
        if (line++ % each || left < 1 || left > LONGEST) continue;
        const size_t length = left = fold_word(s, left, small);
        if (!left || (*small >= '0' && *small <= '9')) continue;
        if (iconv(to, &in, &left, &out, &room) == (size_t)-1) continue;
        *out = 0;
        f->spans[f->nwords] = (struct hyphen_span){(uint32_t)at, (uint32_t)length};
        memcpy(f->text + at, small, length);
        f->text[at + length] = ' ';
        at += length + 1;
        f->lengths[f->nwords] = (size_t)(out - other);
        f->words[f->nwords++] = must(strdup(other));
    }
    f->bytes = at;
    iconv_close(to);
    free(all);
}

static uint64_t odd_in(const char *hyphens, size_t n) {
    uint64_t odd = 0;
    for (size_t i = 0; i < n && hyphens[i]; i++) odd += hyphens[i] & 1;
    return odd;
}

static void peer_ask(HyphenDict *dict, const char *word, size_t n, char hyphens[300]) {
    char **rep = NULL;
    int *pos = NULL, *cut = NULL;
    hnj_hyphen_hyphenate2(dict, word, (int)n, hyphens, NULL, &rep, &pos, &cut);
    for (size_t k = 0; rep && k < n; k++) free(rep[k]);
    free(rep), free(pos), free(cut);
}

static double peer_words(const struct field *f, uint64_t *sum) {
    char hyphens[300];
    const double start = thread_ns();
    for (size_t i = 0; i < f->nwords; i++) {
        peer_ask(f->dict, f->words[i], f->lengths[i], hyphens);
        *sum += (unsigned char)hyphens[0];
    }
    return (thread_ns() - start) / (double)f->nwords;
}

static double sito_words(const struct field *f, uint64_t *sum) {
    const struct hyphen_break *breaks;
    const double start = thread_ns();
    for (size_t i = 0; i < f->nwords; i++)
        *sum += hyphen_word(f->h, f->room, f->text + f->spans[i].at, f->spans[i].n, &breaks);
    return (thread_ns() - start) / (double)f->nwords;
}

static double sito_many(const struct field *f, uint64_t *sum) {
    const struct hyphen_break *breaks;
    const double start = thread_ns();
    if (!hyphen_many(f->h, f->room, f->text, f->spans, f->nwords, f->breaks)) exit(1);
    for (size_t i = 0; i < f->nwords; i++)
        *sum += f->breaks[i] == HYPHEN_ASK
                    ? hyphen_word(f->h, f->room, f->text + f->spans[i].at, f->spans[i].n, &breaks)
                    : f->breaks[i];
    return (thread_ns() - start) / (double)f->nwords;
}

/* Do all three find as many breaks? What is counted here need not be counted while time is taken. */
static void compare(const struct field *f) {
    const struct hyphen_break *breaks;
    char hyphens[300];
    uint64_t peer = 0, one = 0, many = 0;
    if (!hyphen_many(f->h, f->room, f->text, f->spans, f->nwords, f->breaks)) exit(1);
    for (size_t i = 0; i < f->nwords; i++) {
        peer_ask(f->dict, f->words[i], f->lengths[i], hyphens);
        peer += odd_in(hyphens, f->lengths[i]);
        const size_t n =
            hyphen_word(f->h, f->room, f->text + f->spans[i].at, f->spans[i].n, &breaks);
        one += n;
        many += f->breaks[i] == HYPHEN_ASK ? n : (uint64_t)__builtin_popcountll(f->breaks[i]);
    }
    if (peer == one && one == many) return;
    fprintf(stderr, "hyphen: %" PRIu64 " breaks, %" PRIu64 " of many, libhyphen %" PRIu64 "\n", one,
            many, peer);
    exit(1);
}

/* ---- text ---- */

/* The plainest loop that does the same: cut at blanks, ask, copy. It is given the dictionary's own
 * charset, in which it need not know what a character is: libhyphen counts characters in UTF-8, so
 * there only those without accents would get their marks at the right place. */
static double peer_text(const struct field *f, const char *text, size_t bytes, char *out,
                        uint64_t *sum) {
    char hyphens[300], word[300];
    size_t n = 0;
    const double start = thread_ns();
    for (size_t i = 0; i < bytes;) {
        size_t length = 0;
        while (i + length < bytes && text[i + length] != ' ') length++;
        memcpy(word, text + i, length);
        word[length] = 0;
        peer_ask(f->dict, word, length, hyphens);
        for (size_t k = 0; k < length; k++) {
            out[n++] = word[k];
            if (hyphens[k] & 1) out[n++] = '\xc2', out[n++] = '\xad';
        }
        out[n++] = ' ';
        i += length + 1;
    }
    *sum += n;
    return (thread_ns() - start) / (double)f->nwords;
}

static double sito_text(const struct field *f, uint64_t *sum) {
    struct speller s = {f->h, f->room, NULL, 0};
    struct text t = {.speller = &s, .mark = "\xc2\xad"};
    const double start = thread_ns();
    for (size_t i = 0; i < f->bytes; i += 65536) {
        text_feed(&t, f->text + i, f->bytes - i < 65536 ? f->bytes - i : 65536);
        *sum += t.out.n, t.out.n = 0;
    }
    text_feed(&t, NULL, 0);
    *sum += t.out.n;
    const double ns = (thread_ns() - start) / (double)f->nwords;
    text_free(&t);
    return ns;
}

/* ---- loading ---- */

static double load_peer(const struct field *f) {
    const double start = thread_ns();
    HyphenDict *d = hnj_hyphen_load(f->path);
    const double ns = thread_ns() - start;
    hnj_hyphen_free(d);
    return ns;
}

static double load_sito(const struct field *f) {
    char why[WHY_ROOM];
    struct patterns p;
    const double start = thread_ns();
    if (!patterns_read(&p, f->path, why)) exit(1);
    hyphen *h = hyphen_compile(&p, why);
    patterns_free(&p);
    const double ns = thread_ns() - start;
    hyphen_free(h);
    return ns;
}

/* Opened, and then all of it read to see whether it is sound. */
static double load_saved(const char *path, double *checked) {
    char why[WHY_ROOM];
    const double start = thread_ns();
    hyphen *h = hyphen_map(path, why);
    const double ns = thread_ns() - start;
    if (!h || !hyphen_check(h)) exit(1);
    *checked = thread_ns() - start;
    hyphen_free(h);
    return ns;
}

/* The words in the charset that libhyphen wants, with blanks between. */
static char *joined(const struct field *f, size_t *bytes) {
    size_t n = 0;
    for (size_t i = 0; i < f->nwords; i++) n += f->lengths[i] + 1;
    char *text = must(malloc(n)), *to = text;
    for (size_t i = 0; i < f->nwords; i++) {
        memcpy(to, f->words[i], f->lengths[i]);
        to += f->lengths[i];
        *to++ = ' ';
    }
    *bytes = n;
    return text;
}

static void tell(const char *what, const char *tag, uint64_t n, struct figure *peer,
                 struct figure *ours) {
    char name[64];
    snprintf(name, sizeof name, "%s, %s", what, tag);
    report("hyphen", "libhyphen", name, n, peer);
    report("hyphen", "sito", name, n, ours);
    report_against("hyphen", name, n, peer, ours);
}

/* libhyphen takes seconds to load German: it does so a few times only. */
static void load_rounds(const struct field *f, const char *image, struct figure *peer,
                        struct figure *ours, struct figure *saved, struct figure *checked) {
    double spent = 0;
    for (int i = 0; i < ROUNDS; i++) {
        peer->ns[i] = spent < 6e9 ? load_peer(f) : peer->ns[i - 1];
        spent += peer->ns[i];
        ours->ns[i] = load_sito(f);
        saved->ns[i] = load_saved(image, &checked->ns[i]);
    }
}

static void measure(const struct language *language) {
    struct field f = {0};
    char why[WHY_ROOM], what[64];
    struct figure peer = {0}, one = {0}, many = {0}, peer_t = {0}, ours_t = {0}, peer_l = {0},
                  ours_l = {0}, saved = {0}, checked = {0};
    struct patterns p;
    const char *tag = language->tag;
    snprintf(f.path, sizeof f.path, "%s", language->dic);
    f.dict = must(hnj_hyphen_load(f.path));
    if (!patterns_read(&p, f.path, why) || !(f.h = hyphen_compile(&p, why))) exit(1);
    patterns_free(&p);
    f.room = must(hyphen_room_new());
    char image[] = "/tmp/bench-hyphen-XXXXXX";
    const int fd = mkstemp(image);
    if (fd < 0 || !hyphen_save(f.h, image, why)) exit(1);
    close(fd);
    read_words(&f, language->words);
    size_t bytes;
    char *text = joined(&f, &bytes), *out = must(malloc(3 * bytes));
    compare(&f);
    for (int i = 0; i < ROUNDS; i++) {
        peer.ns[i] = peer_words(&f, &peer.sum);
        one.ns[i] = sito_words(&f, &one.sum);
        many.ns[i] = sito_many(&f, &many.sum);
        peer_t.ns[i] = peer_text(&f, text, bytes, out, &peer_t.sum);
        ours_t.ns[i] = sito_text(&f, &ours_t.sum);
    }
    load_rounds(&f, image, &peer_l, &ours_l, &saved, &checked);
    remove(image);
    tell("word", tag, f.nwords, &peer, &one);
    tell("word of many", tag, f.nwords, &peer, &many);
    tell("word of text", tag, f.nwords, &peer_t, &ours_t);
    tell("load", tag, 1, &peer_l, &ours_l);
    snprintf(what, sizeof what, "load, %s", tag);
    report("hyphen", "sito, compiled", what, 1, &saved);
    report("hyphen", "sito, compiled and checked", what, 1, &checked);
    hyphen_room_free(f.room);
    hyphen_free(f.h);
    hnj_hyphen_free(f.dict);
    free(text), free(out);
}

int main(int argc, char **argv) {
    static const struct language all[] = {
        {"en_US", "/usr/share/hyphen/hyph_en_US.dic", "/usr/share/dict/american-english"},
        {"hu_HU", "/usr/share/hyphen/hyph_hu_HU.dic", "/usr/share/hunspell/hu_HU.dic"},
        {"de_DE", "/usr/share/hyphen/hyph_de_DE.dic", "/usr/share/dict/ngerman"},
    };
    pin();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (argc < 2 || !strcmp(argv[1], all[i].tag)) measure(&all[i]);
    return 0;
}
