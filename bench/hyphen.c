/*
 * hyphen.c - how fast is `sito hyphen` beside libhyphen? The same words under the same .dic file, in
 * one run and on one core: words one by one, plain text to text with soft hyphens, and loading.
 */
#include "bench.h"

#include <hyphen.h> /* libhyphen's */
#include <iconv.h>
#include <string.h>

#include "hyphen/text.h"

struct field {
    const char *tag;
    char path[256];
    HyphenDict *dict;
    hyphen *h;
    hyphen_room *room;
    char **words; /* in the dictionary's charset, for libhyphen */
    char **utf8;  /* the same in UTF-8 */
    size_t nwords, *bytes, *utf8_bytes;
};

/* Words of the system's list, in small letters, which is what libhyphen wants. */
static void read_words(struct field *f) {
    size_t n;
    char *all = must(read_whole("/usr/share/dict/words", &n));
    const iconv_t to = iconv_open(f->dict->cset, "UTF-8");
    f->words = must(malloc(n * sizeof *f->words)), f->utf8 = must(malloc(n * sizeof *f->utf8));
    f->bytes = must(malloc(n * sizeof *f->bytes)),
    f->utf8_bytes = must(malloc(n * sizeof *f->bytes));
    for (char *s = strtok(all, "\n"); s; s = strtok(NULL, "\n")) {
        char other[256], *in = s, *out = other;
        size_t left = strlen(s), room = sizeof other - 1;
        for (char *c = s; *c; c++)
            if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + 32);
        f->utf8_bytes[f->nwords] = left;
        if (left > 100 || iconv(to, &in, &left, &out, &room) == (size_t)-1) continue;
        *out = 0;
        f->utf8[f->nwords] = s;
        f->bytes[f->nwords] = (size_t)(out - other);
        f->words[f->nwords++] = must(strdup(other));
    }
    iconv_close(to);
}

static uint64_t odd_in(const char *hyphens, size_t n) {
    uint64_t odd = 0;
    for (size_t i = 0; i < n && hyphens[i]; i++) odd += hyphens[i] & 1;
    return odd;
}

static void peer_word(const struct field *f, size_t i, char hyphens[300]) {
    char **rep = NULL;
    int *pos = NULL, *cut = NULL;
    hnj_hyphen_hyphenate2(f->dict, f->words[i], (int)f->bytes[i], hyphens, NULL, &rep, &pos, &cut);
    for (size_t k = 0; rep && k < f->bytes[i]; k++) free(rep[k]);
    free(rep), free(pos), free(cut);
}

static double peer_words(const struct field *f, uint64_t *sum) {
    char hyphens[300];
    const double start = thread_ns();
    for (size_t i = 0; i < f->nwords; i++) {
        peer_word(f, i, hyphens);
        *sum += odd_in(hyphens, f->bytes[i]);
    }
    return (thread_ns() - start) / (double)f->nwords;
}

static double sito_words(const struct field *f, uint64_t *sum) {
    const struct hyphen_break *breaks;
    const double start = thread_ns();
    for (size_t i = 0; i < f->nwords; i++)
        *sum += hyphen_word(f->h, f->room, f->utf8[i], f->utf8_bytes[i], &breaks);
    return (thread_ns() - start) / (double)f->nwords;
}

/* ---- text ---- */

/* The plainest loop that does the same: cut at blanks, ask, copy. English only, so bytes are characters. */
static double peer_text(const struct field *f, uint64_t *sum) {
    static char out[1 << 22];
    char hyphens[300];
    size_t n = 0;
    const double start = thread_ns();
    for (size_t i = 0; i < f->nwords; i++) {
        peer_word(f, i, hyphens);
        for (size_t k = 0; k < f->bytes[i] && n + 8 < sizeof out; k++) {
            out[n++] = f->words[i][k];
            if (hyphens[k] & 1) out[n++] = '\xc2', out[n++] = '\xad';
        }
        out[n++] = ' ';
    }
    *sum += n;
    return (thread_ns() - start) / (double)f->nwords;
}

static double sito_text(const struct field *f, const char *text, size_t bytes, uint64_t *sum) {
    struct speller s = {f->h, f->room, NULL, 0};
    struct text t = {.speller = &s, .mark = "\xc2\xad"};
    const double start = thread_ns();
    for (size_t i = 0; i < bytes; i += 65536) {
        text_feed(&t, text + i, bytes - i < 65536 ? bytes - i : 65536);
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

static double load_saved(const char *path) {
    char why[WHY_ROOM];
    const double start = thread_ns();
    hyphen *h = hyphen_map(path, why);
    const double ns = thread_ns() - start;
    if (!h) exit(1);
    hyphen_free(h);
    return ns;
}

static char *joined(const struct field *f, size_t *bytes) {
    size_t n = 0;
    for (size_t i = 0; i < f->nwords; i++) n += f->utf8_bytes[i] + 1;
    char *text = must(malloc(n)), *to = text;
    for (size_t i = 0; i < f->nwords; i++) {
        memcpy(to, f->utf8[i], f->utf8_bytes[i]);
        to += f->utf8_bytes[i];
        *to++ = ' ';
    }
    *bytes = n;
    return text;
}

static void measure(const char *tag) {
    struct field f = {.tag = tag};
    char why[WHY_ROOM], what[64];
    struct figure peer = {0}, ours = {0}, peer_t = {0}, ours_t = {0}, peer_l = {0}, ours_l = {0},
                  saved = {0};
    struct patterns p;
    size_t bytes;
    snprintf(f.path, sizeof f.path, "/usr/share/hyphen/hyph_%s.dic", tag);
    f.dict = must(hnj_hyphen_load(f.path));
    if (!patterns_read(&p, f.path, why) || !(f.h = hyphen_compile(&p, why))) exit(1);
    patterns_free(&p);
    f.room = must(hyphen_room_new());
    char image[] = "/tmp/bench-hyphen-XXXXXX";
    const int fd = mkstemp(image);
    if (fd < 0 || !hyphen_save(f.h, image, why)) exit(1);
    read_words(&f);
    char *text = joined(&f, &bytes);
    for (int i = 0; i < ROUNDS; i++) {
        peer.ns[i] = peer_words(&f, &peer.sum);
        ours.ns[i] = sito_words(&f, &ours.sum);
        peer_t.ns[i] = peer_text(&f, &peer_t.sum);
        ours_t.ns[i] = sito_text(&f, text, bytes, &ours_t.sum);
        ours_l.ns[i] = load_sito(&f);
        saved.ns[i] = load_saved(image);
        peer_l.ns[i] =
            i < 3 ? load_peer(&f) : peer_l.ns[i % 3]; /* libhyphen takes seconds for German */
    }
    remove(image);
    snprintf(what, sizeof what, "word, %s", tag);
    report("hyphen", "libhyphen", what, f.nwords, &peer);
    report("hyphen", "sito", what, f.nwords, &ours);
    report_against("hyphen", what, f.nwords, &peer, &ours);
    snprintf(what, sizeof what, "word of text, %s", tag);
    report("hyphen", "libhyphen", what, f.nwords, &peer_t);
    report("hyphen", "sito", what, f.nwords, &ours_t);
    report_against("hyphen", what, f.nwords, &peer_t, &ours_t);
    snprintf(what, sizeof what, "load, %s", tag);
    report("hyphen", "libhyphen", what, 1, &peer_l);
    report("hyphen", "sito", what, 1, &ours_l);
    report("hyphen", "sito, compiled", what, 1, &saved);
    hyphen_free(f.h);
    hnj_hyphen_free(f.dict);
}

int main(int argc, char **argv) {
    static const char *const tags[] = {"en_US", "hu_HU", "de_DE"};
    pin();
    for (size_t i = 0; i < 3; i++)
        if (argc < 2 || !strcmp(argv[1], tags[i])) measure(tags[i]);
    return 0;
}
