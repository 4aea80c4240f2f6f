/* test_hyphen_engines.c - the hyphenator beside others: words together and alone, a plain second engine,
 * and libhyphen itself. SITO_DICTIONARIES in the environment names a folder of them. */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <hyphen.h> /* libhyphen's */
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hyphen/image.h"
#include "hyphen/letters.h"
#include "hyphen/text.h"
#include "hyphen/utf8.h"
#include "hyphens.h"

/* libhyphen does not give back all its memory: LeakSanitizer, where it watches, is to know whose it is. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhyphen"; }

/* ---- many at once ---- */

struct crowd {
    struct growing text;  /* char, words with blanks between */
    struct growing spans; /* struct hyphen_span */
};

static void crowd_add(struct crowd *c, const char *word, size_t n) {
    struct hyphen_span *span = grow(&c->spans, 1, sizeof *span);
    *span = (struct hyphen_span){(uint32_t)c->text.n, (uint32_t)n};
    char *to = grow(&c->text, n + 1, 1);
    memcpy(to, word, n);
    to[n] = ' ';
}

/* Words break together as each does alone; those that are not answered are few. */
static void crowd_agrees(struct crowd *c, struct speller *s) {
    const struct hyphen_span *spans = c->spans.items;
    uint64_t *bits = calloc(c->spans.n, sizeof *bits);
    size_t unanswered = 0;
    memset(grow(&c->text, HYPHEN_BEHIND, 1), 'x', HYPHEN_BEHIND);
    assert_true(hyphen_many(s->h, s->room, c->text.items, spans, c->spans.n, bits));
    for (size_t i = 0; i < c->spans.n; i++) {
        const struct hyphen_break *breaks;
        const char *word = (char *)c->text.items + spans[i].at;
        /* A copy of its own, so that nobody looks behind it unseen. */
        char *alone = malloc(spans[i].n + 1);
        uint64_t wanted = 0;
        memcpy(alone, word, spans[i].n);
        const size_t n = hyphen_word(s->h, s->room, alone, spans[i].n, &breaks);
        for (size_t k = 0; k < n && breaks[k].at < 64; k++) wanted |= (uint64_t)1 << breaks[k].at;
        unanswered += bits[i] == HYPHEN_ASK;
        PROMISE(bits[i] == HYPHEN_ASK || bits[i] == wanted, "%.*s: %llx, alone %llx",
                (int)spans[i].n, word, (unsigned long long)bits[i], (unsigned long long)wanted);
        free(alone);
    }
    PROMISE(unanswered * 2 < c->spans.n + 2, "%zu of %zu", unanswered, c->spans.n);
    free(bits), free(c->text.items), free(c->spans.items);
}

/* ---- a plain second engine ---- */

struct rule {
    char letters[24];
    uint8_t values[25];
    size_t n;
};

/* TeX's rules to the letter: every pattern at every place, the largest value wins. */
static size_t break_plainly(const struct rule *rules, size_t nrules, const char *word, size_t n,
                            unsigned left, unsigned right, char *out) {
    char dotted[256];
    uint8_t values[260] = {0};
    size_t length = 0;
    dotted[0] = '.';
    memcpy(dotted + 1, word, n);
    dotted[n + 1] = '.';
    for (size_t i = 0; i < nrules; i++)
        for (size_t at = 0; at + rules[i].n <= n + 2; at++) {
            if (memcmp(dotted + at, rules[i].letters, rules[i].n) != 0) continue;
            for (size_t k = 0; k <= rules[i].n; k++)
                if (rules[i].values[k] > values[at + k]) values[at + k] = rules[i].values[k];
        }
    for (size_t i = 0; i < n; i++) {
        if (i >= left && n - i >= right && values[i + 1] & 1) out[length++] = '-';
        out[length++] = word[i];
    }
    return length;
}

static void agrees_with_a_plain_engine(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 60; round++) {
        enum { NRULES = 120 };
        static struct rule rules[NRULES];
        struct growing file = {0};
        size_t nrules = 0;
        const unsigned letters = 2 + (unsigned)draw(&seed, 3);
        while (nrules < NRULES) {
            struct rule *r = &rules[nrules];
            char line[64];
            size_t length = 0;
            memset(r, 0, sizeof *r);
            /* Some are longer than a window, which is another way through the engine. */
            r->n = 1 + draw(&seed, draw(&seed, 8) ? 5 : 20);
            for (size_t i = 0; i < r->n; i++) r->letters[i] = (char)('a' + draw(&seed, letters));
            if (r->n > 1 && !draw(&seed, 6)) r->letters[0] = '.';
            if (r->n > 1 && !draw(&seed, 6)) r->letters[r->n - 1] = '.';
            bool twice = false;
            for (size_t i = 0; i < nrules; i++) twice |= !strcmp(rules[i].letters, r->letters);
            if (twice) continue;
            for (size_t i = 0; i <= r->n; i++) {
                r->values[i] = draw(&seed, 3) ? 0 : (uint8_t)draw(&seed, 10);
                if (r->values[i]) line[length++] = (char)('0' + r->values[i]);
                if (i < r->n) line[length++] = r->letters[i];
            }
            line[length++] = '\n';
            memcpy(grow(&file, length, 1), line, length);
            nrules++;
        }
        *(char *)grow(&file, 1, 1) = 0;
        hyphen *h = made_as(file.items, round % 2);
        struct speller s = {h, hyphen_room_new(), NULL, 0};
        hyphen_set_mins(h, 1 + (unsigned)draw(&seed, 3), 1 + (unsigned)draw(&seed, 3));
        struct crowd crowd = {0};
        for (int i = 0; i < 400; i++) {
            char word[128], theirs[512];
            struct growing ours = {0};
            const size_t n = 1 + draw(&seed, draw(&seed, 4) ? 20 : 100);
            for (size_t k = 0; k < n; k++) word[k] = (char)('a' + draw(&seed, letters));
            assert_true(spell_out(&s, word, n, "-", &ours));
            const size_t b =
                break_plainly(rules, nrules, word, n, hyphen_left(h), hyphen_right(h), theirs);
            PROMISE(ours.n == b && !memcmp(ours.items, theirs, b), "%.*s: %.*s, plainly %.*s",
                    (int)n, word, (int)ours.n, (char *)ours.items, (int)b, theirs);
            free(ours.items);
            crowd_add(&crowd, word, n);
        }
        crowd_agrees(&crowd, &s);
        hyphen_room_free(s.room);
        hyphen_free(h);
        free(file.items);
    }
}

/* ---- libhyphen ---- */

struct rival {
    HyphenDict *dict;
    iconv_t to;
    struct speller s;
    struct crowd crowd;
    size_t asked, breaks, changes, wrong;
    char first[1500]; /* what was wrong at first */
};

static size_t chars_before(const char *word, size_t at) {
    size_t n = 0;
    for (size_t i = 0; i < at; i++) n += (word[i] & 0xc0) != 0x80;
    return n;
}

/* One break a piece, by the character before it: "3", or with a change of spelling "3/sz=,1,2". */
static size_t tell_break(char *to, size_t room, size_t gap, const char *rep, size_t nrep, long back,
                         long cut) {
    if (!rep) return (size_t)snprintf(to, room, "%zu ", gap);
    return (size_t)snprintf(to, room, "%zu/%.*s,%ld,%ld ", gap, (int)nrep, rep, back, cut);
}

/* The same places for a break, in characters, and the same changes there. */
static void same_breaks(struct rival *r, const char *word) {
    char bytes[256], *in = (char *)(uintptr_t)word, *out = bytes, hyphens[300];
    char ours[4096] = "", theirs[4096] = "";
    size_t n = strlen(word), left = sizeof bytes - 1, a = 0, b = 0;
    char **rep = NULL;
    int *pos = NULL, *cut = NULL;
    const struct hyphen_break *breaks;
    const size_t length = n;
    if (!n || n > 100 || iconv(r->to, &in, &n, &out, &left) == (size_t)-1) return;
    *out = 0;
    const size_t size = (size_t)(out - bytes);
    hnj_hyphen_hyphenate2(r->dict, bytes, (int)size, hyphens, NULL, &rep, &pos, &cut);
    const size_t nhyphens = strlen(hyphens);
    for (size_t i = 0; i < nhyphens; i++) {
        if (!(hyphens[i] & 1)) continue;
        char *text = rep ? rep[i] : NULL, utf8[300], *from = text, *to = utf8;
        size_t nfrom = text ? strlen(text) : 0, room = sizeof utf8;
        if (text) {
            const iconv_t back = iconv_open("UTF-8", r->dict->cset);
            iconv(back, &from, &nfrom, &to, &room);
            iconv_close(back);
        }
        b += tell_break(theirs + b, sizeof theirs - b, i, text ? utf8 : NULL, (size_t)(to - utf8),
                        text ? pos[i] : 0, text ? cut[i] : 0);
    }
    const size_t found = hyphen_word(r->s.h, r->s.room, word, length, &breaks);
    for (size_t i = 0; i < found; i++) {
        const struct hyphen_break *at = &breaks[i];
        const size_t gap = chars_before(word, at->at) - 1, start = chars_before(word, at->start);
        a +=
            tell_break(ours + a, sizeof ours - a, gap, at->text, at->bytes, (long)(gap + 1 - start),
                       (long)(chars_before(word, at->start + at->cut) - start));
        r->breaks++;
        r->changes += at->text != NULL;
    }
    if (strcmp(ours, theirs) && r->wrong++ < 5) {
        const size_t told = strlen(r->first);
        snprintf(r->first + told, sizeof r->first - told, "    %s: %s, libhyphen %s\n", word, ours,
                 theirs);
    }
    for (size_t i = 0; rep && i < size; i++) free(rep[i]);
    free(rep), free(pos), free(cut);
    r->asked++;
    crowd_add(&r->crowd, word, length);
}

/* Words made of a dictionary's own patterns, which is where they are hardest; with hyphens,
 * apostrophes and digits. */
static void ask_own_words(struct rival *r, const struct patterns *p, size_t nwords) {
    const struct growing *level = &p->level[1];
    const struct pattern *all = level->items;
    uint64_t seed = 11;
    for (size_t i = 0; i < nwords; i++) {
        char word[512];
        size_t n = 0;
        const size_t parts = 1 + draw(&seed, 3);
        for (size_t k = 0; k < parts; k++) {
            const struct growing *from =
                p->level[0].n > 100 && draw(&seed, 2) ? &p->level[0] : level;
            const struct pattern *one = from == level
                                            ? &all[draw(&seed, level->n)]
                                            : (struct pattern *)from->items + draw(&seed, from->n);
            for (uint32_t c = 0; c < one->nchars; c++) {
                const uint32_t code = ((uint32_t *)p->chars.items)[one->chars + c];
                if (is_letter(code) && small_letter(code) == code) n += utf8_put(code, word + n);
            }
            if (!draw(&seed, 12)) word[n++] = "'-1"[draw(&seed, 3)];
        }
        word[n] = 0;
        same_breaks(r, word);
    }
}

/* Digits at the begin of parts, and behind parts of one letter: which of them count depends on
 * what libhyphen has worked on before. */
static void ask_words_with_digits(struct rival *r, const struct patterns *p, size_t nwords) {
    const struct pattern *all = p->level[1].items;
    uint64_t seed = 17;
    for (size_t i = 0; i < nwords; i++) {
        char word[512];
        size_t n = 0;
        for (size_t parts = 1 + draw(&seed, 3); parts; parts--) {
            const struct pattern *one = &all[draw(&seed, p->level[1].n)];
            const uint32_t most = draw(&seed, 3) ? one->nchars : 1;
            for (size_t k = draw(&seed, 3); k; k--) word[n++] = (char)('0' + draw(&seed, 10));
            for (uint32_t c = 0; c < most; c++) {
                const uint32_t code = ((uint32_t *)p->chars.items)[one->chars + c];
                if (is_letter(code) && small_letter(code) == code) n += utf8_put(code, word + n);
            }
            if (draw(&seed, 2)) word[n++] = "'-"[draw(&seed, 2)];
        }
        word[n] = 0;
        same_breaks(r, word);
    }
}

/* Small letters only: libhyphen leaves case to its callers. */
static void ask_listed_words(struct rival *r, const char *path) {
    size_t n;
    char *bytes = read_whole(path, &n), *rest, small[300];
    if (!bytes) return;
    for (char *word = strtok_r(bytes, "\n", &rest); word; word = strtok_r(NULL, "\n", &rest)) {
        const size_t length = strlen(word);
        if (length > 100) continue;
        small[fold_word(word, length, small)] = 0;
        same_breaks(r, small);
    }
    free(bytes);
}

static void compare_with_libhyphen(struct rival *r, const char *path, size_t nwords) {
    char why[WHY_ROOM], words[4096];
    struct patterns p;
    if (!patterns_read(&p, path, why)) fail_msg("%s", why);
    hyphen *h = hyphen_compile(&p, why);
    *r = (struct rival){.dict = hnj_hyphen_load(path), .s = {h, hyphen_room_new(), NULL, 0}};
    assert_non_null(h);
    assert_non_null(r->dict);
    r->to = iconv_open(r->dict->cset, "UTF-8");
    ask_own_words(r, &p, nwords);
    ask_words_with_digits(r, &p, nwords / 4);
    snprintf(words, sizeof words, "%.*s.words", (int)strlen(path) - 4, path);
    ask_listed_words(r, words);
    crowd_agrees(&r->crowd, &r->s);
    iconv_close(r->to);
    hnj_hyphen_free(r->dict);
    hyphen_room_free(r->s.room);
    hyphen_free(h);
    patterns_free(&p);
}

static int is_dictionary(const struct dirent *entry) {
    const size_t n = strlen(entry->d_name);
    return n > 4 && !strcmp(entry->d_name + n - 4, ".dic");
}

/* All dictionaries of a folder, with lists of words beside them: `make check-hyphen`. */
static void compare_folder(const char *folder) {
    struct dirent **entries;
    struct rival r;
    char path[4096];
    size_t wrong = 0;
    const int n = scandir(folder, &entries, is_dictionary, alphasort);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        compare_with_libhyphen(&r, path, 200000);
        printf("%-22s %8zu words %8zu breaks %7zu changes %zu differences\n%s", entries[i]->d_name,
               r.asked, r.breaks, r.changes, r.wrong, r.first);
        fflush(stdout);
        wrong += r.wrong;
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(wrong, 0);
}

static void agrees_with_libhyphen(void **state) {
    (void)state;
    const char *const tags[] = {"en_US", "cs_CZ", "hr_HR", "pt_BR", "pt_PT", "hu_HU", "de_DE"};
    const char *folder = getenv("SITO_DICTIONARIES");
    if (folder) return compare_folder(folder);
    for (size_t i = 0; i < 7; i++) {
        enum { NWORDS = 20000 };
        struct rival r;
        char path[256];
        snprintf(path, sizeof path, "/usr/share/hyphen/hyph_%s.dic", tags[i]);
        compare_with_libhyphen(&r, path, NWORDS);
        PROMISE(!r.wrong, "%s:\n%s", tags[i], r.first);
        assert_true(r.asked > NWORDS / 2 && r.breaks > NWORDS / 10);
    }
}

/* A pattern of a few letters with edges now and then, and numbers of which most are 1. */
static void write_random_pattern(FILE *to, uint64_t *seed, bool edges) {
    const size_t n = 2 + draw(seed, 5);
    if (edges && !draw(seed, 6)) fputc('.', to);
    for (size_t i = 0; i < n; i++) {
        fputc("abc"[draw(seed, 3)], to);
        if (!draw(seed, 3)) fputc("1118234"[draw(seed, 7)], to);
    }
    fputs(edges && !draw(seed, 6) ? ".\n" : "\n", to);
}

/* Which parts are parted again depends on what stands at their edges. */
static void parts_compounds_as_libhyphen_does(void **state) {
    (void)state;
    uint64_t seed = 13;
    for (int round = 0; round < 40; round++) {
        char path[] = "/tmp/test-hyphen-XXXXXX", why[WHY_ROOM], word[64];
        FILE *to = fdopen(mkstemp(path), "w");
        struct patterns p;
        assert_non_null(to);
        fputs("UTF-8\n", to);
        if (round % 4 > 1) fputs("COMPOUNDLEFTHYPHENMIN 3\nCOMPOUNDRIGHTHYPHENMIN 2\n", to);
        if (round % 8 > 5) fputs("abb7c/abb=bc,1,4\n", to);
        for (int i = 0; i < 60; i++) {
            if (i == 30) fputs("NEXTLEVEL\n", to);
            write_random_pattern(to, &seed, round % 2);
        }
        fclose(to);
        if (!patterns_read(&p, path, why)) fail_msg("%s", why);
        hyphen *h = hyphen_compile(&p, why);
        struct rival r = {.dict = hnj_hyphen_load(path), .s = {h, hyphen_room_new(), NULL, 0}};
        assert_true(h && r.dict && h->head->unended == (round % 2 == 0));
        r.to = iconv_open(r.dict->cset, "UTF-8");
        for (int i = 0; i < 1000; i++) {
            const size_t n = 1 + draw(&seed, 40);
            const bool digits = i % 4 == 0;
            for (size_t k = 0; k < n; k++) word[k] = "abc01"[draw(&seed, digits ? 5 : 3)];
            word[n] = 0;
            same_breaks(&r, word);
        }
        PROMISE(!r.wrong, "%d: %zu of %zu:\n%s", round, r.wrong, r.asked, r.first);
        assert_true(r.breaks > 1000);
        crowd_agrees(&r.crowd, &r.s);
        iconv_close(r.to);
        hnj_hyphen_free(r.dict);
        hyphen_room_free(r.s.room);
        hyphen_free(h);
        patterns_free(&p);
        remove(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_plain_engine),
        cmocka_unit_test(parts_compounds_as_libhyphen_does),
        cmocka_unit_test(agrees_with_libhyphen),
    };
    if (getenv("SITO_DICTIONARIES")) cmocka_set_test_filter("agrees_with_libhyphen");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
