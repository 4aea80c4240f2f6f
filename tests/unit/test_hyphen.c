/* test_hyphen.c - the hyphenator: hand-checked words, malformed files, damaged images, exceptions
 * behind every kind of guard, and text. */
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hyphen/image.h"
#include "hyphen/letters.h"
#include "hyphen/text.h"
#include "hyphen/utf8.h"
#include "hyphens.h"

static void breaks_as(struct speller *s, const char *word, const char *wanted) {
    struct growing out = {0};
    assert_true(spell_out(s, word, strlen(word), "-", &out));
    *(char *)grow(&out, 1, 1) = 0;
    assert_string_equal(out.items, wanted);
    free(out.items);
}

/* Knuth's own example of how the patterns work. */
#define KNUTH "hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n"

static void breaks_words_as_the_book_does(void **state) {
    (void)state;
    hyphen *h = made(KNUTH);
    struct speller s = {h, hyphen_room_new(), NULL, 0};
    breaks_as(&s, "hyphenation", "hy-phen-ation");
    breaks_as(&s, "HYPHENATION", "HY-PHEN-ATION");
    breaks_as(&s, "hyphenat\xffion", "hyphenat\xffion");
    breaks_as(&s, "", "");
    hyphen_set_mins(h, 3, 6);
    breaks_as(&s, "hyphenation", "hyphenation");
    hyphen_set_mins(h, 2, 6);
    breaks_as(&s, "hyphenation", "hy-phenation");
    hyphen_room_free(s.room);
    hyphen_free(h);
}

static void tex_files_bring_distances_and_exceptions(void **state) {
    (void)state;
    size_t n;
    hyphen *h = made("% hyphenmins:\n%     generation:\n%         left: 1\n%         right: 1\n"
                     "%     typesetting:\n%         left: 3\n%         right: 4\n"
                     "\\patterns{ % a comment\n a1b\n}\n\\hyphenation{ta-ble pro-ject}\n");
    assert_int_equal(hyphen_left(h), 3);
    assert_int_equal(hyphen_right(h), 4);
    const char *words = hyphen_exceptions(h, &n);
    assert_int_equal(n, 16);
    assert_memory_equal(words, "ta-ble\npro-ject\n", 16);
    hyphen_free(h);
}

static void spellings_change_at_breaks(void **state) {
    (void)state;
    hyphen *h = made("UTF-8\nf1f/ff=f,1,2\nNEXTLEVEL\n1b1\n");
    struct speller s = {h, hyphen_room_new(), NULL, 0};
    size_t places[16];
    breaks_as(&s, "schiffahrt", "schiff-fahrt");
    assert_int_equal(spell(&s, "schiffahrt", 10, places), 0); /* no soft hyphen can say that */
    hyphen_room_free(s.room);
    hyphen_free(h);
}

/* However much longer it makes the word. */
static void a_change_may_be_long(void **state) {
    (void)state;
    char wanted[200 * 64] = "", word[65] = "";
    hyphen *h = made("UTF-8\nLEFTHYPHENMIN 1\nRIGHTHYPHENMIN 1\n"
                     "a1a/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy,1,1\n");
    struct speller s = {h, hyphen_room_new(), NULL, 0};
    memset(word, 'a', 64);
    for (int i = 0; i < 63; i++)
        strcat(wanted, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
    strcat(wanted, "a");
    breaks_as(&s, word, wanted);
    hyphen_room_free(s.room);
    hyphen_free(h);
}

/* So libhyphen reads it: 99 bytes at once, and what is left of a comment is none. */
static void the_rest_of_a_long_line_is_another(void **state) {
    (void)state;
    for (size_t n = 97; n < 99; n++) {
        char file[256] = "UTF-8\na1b\n%";
        const size_t begin = strlen(file);
        memset(file + begin, 'x', n);
        strcpy(file + begin + n, "ab\n");
        hyphen *h = made(file);
        struct speller s = {h, hyphen_room_new(), NULL, 0};
        breaks_as(&s, "aabb", n == 98 ? "aabb" : "aa-bb"); /* by ab, which breaks nothing */
        hyphen_room_free(s.room);
        hyphen_free(h);
    }
}

/* ---- bytes from outside ---- */

static void malformed_files_are_refused_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"a1b\nb12c\n", "f:2: two digits"},
        {"a1b\n\xff\n", "f:2: not UTF-8"},
        {"a1b b1c\n", "f:1: one pattern a line"},
        {"", "f:1: no patterns"},
        {"\\patterns{a1b\n", "f:2: the brace"},
        {"\\patterns{\n\\'a1b}\n", "f:2: a command"},
        {"UTF-8\n1a\nLEFTHYPHENMIN x\n", "f:3: a number"},
        {"UTF-8\n1a/b\n", "f:2: a change of spelling without"},
        {"ISO8859-99\n1a\n", "f:1: a charset"},
        {"UTF-8\na1b\xe9\n", "f:2: not in the charset"},
        {"UTF-8\na1b/x=y,9,1\n", "f:2: after the change"},
        {"UTF-8\n1a\nNEXTLEVEL\n1b\nNEXTLEVEL\n", "f:5: NEXTLEVEL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[WHY_ROOM] = "";
        struct patterns p;
        assert_false(patterns_parse(&p, "f", cases[i].text, strlen(cases[i].text), why));
        PROMISE(!strncmp(why, cases[i].said, strlen(cases[i].said)), "%s: %s", cases[i].said, why);
    }
}

static void write_whole(const char *path, const char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Damage is found as a file is opened, or when all of it is checked. */
static bool is_sound(const char *path) {
    char why[WHY_ROOM];
    hyphen *h = hyphen_map(path, why);
    const bool sound = h && hyphen_check(h);
    hyphen_free(h);
    return sound;
}

static void saved_patterns_answer_the_same_and_damage_is_refused(void **state) {
    (void)state;
    char path[] = "compiled", why[WHY_ROOM];
    hyphen *h = made("UTF-8\nf1f/ff=f,1,2\nNEXTLEVEL\nhy3ph\nhen5at\n1na\n1b1\n");
    if (!hyphen_save(h, path, why)) fail_msg("%s", why);
    assert_true(hyphen_is_saved(path));
    hyphen *again = hyphen_map(path, why);
    if (!again) fail_msg("%s", why);
    struct speller s = {again, hyphen_room_new(), NULL, 0};
    breaks_as(&s, "hyphenation", "hy-phen-ation");
    breaks_as(&s, "schiffahrt", "schiff-fahrt");
    const size_t small = again->head->small;
    assert_true(is_sound(path));
    hyphen_free(again);
    size_t n;
    char *bytes = read_whole(path, &n);
    assert_true(small < n);
    /* Every byte of the head, and some of the rest. */
    for (size_t i = 0; i < n; i += i < sizeof(struct image_head) ? 1 : 61) {
        bytes[i] ^= 0x55;
        write_whole(path, bytes, n);
        bytes[i] ^= 0x55;
        PROMISE(!is_sound(path), "byte %zu is flipped and taken", i);
        PROMISE(i >= small || !hyphen_map(path, why), "byte %zu is flipped and opened", i);
    }
    /* A distance that would do as well, and one bit only. */
    bytes[offsetof(struct image_head, left)] ^= 1;
    assert_true(bytes[offsetof(struct image_head, left)] > 0);
    write_whole(path, bytes, n);
    assert_null(hyphen_map(path, why));
    assert_non_null(strstr(why, "it is damaged"));
    bytes[offsetof(struct image_head, left)] ^= 1;
    for (size_t cut = 0; cut < n; cut += 97) {
        write_whole(path, bytes, cut);
        assert_null(hyphen_map(path, why));
    }
    free(bytes);
    hyphen_room_free(s.room);
    hyphen_free(h);
}

/* ---- exceptions ---- */

static void numbered_word(uint64_t i, char to[32]) {
    size_t n = 0;
    for (uint64_t x = i * 2654435761u % 4294967296u; n < 8; x /= 20) to[n++] = (char)('a' + x % 20);
    to[n] = 0;
}

static void guards_change_no_answer_and_pass_as_planned(void **state) {
    (void)state;
    enum { NWORDS = 20000, NASKED = 200000 };
    static const double rates[] = {0.01, 0.05, 0.2};
    static const char *const kinds[] = {SITO_BLOOM,   SITO_PARTED, SITO_BLOCK, SITO_COUNTING,
                                        SITO_COMPACT, SITO_CUCKOO, SITO_EXACT, NULL};
    char word[32], why[WHY_ROOM];
    for (size_t k = 0; k < 8; k++)
        for (size_t r = 0; r < 3; r++) {
            struct word_list list = {0};
            struct exceptions x;
            struct growing text = {0};
            for (uint64_t i = 0; i < NWORDS; i++) {
                numbered_word(i, word);
                char *to = grow(&text, 10, 1);
                memcpy(to, word, 4), to[4] = '-', memcpy(to + 5, word + 4, 4), to[9] = '\n';
            }
            if (!words_parse(&list, "words", text.items, text.n, why)) fail_msg("%s", why);
            sito_plan plan = {.kind = kinds[k], .fpr = rates[r], .seed = 5};
            if (!exceptions_make(&x, &list, &plan, why)) fail_msg("%s", why);
            for (uint64_t i = 0; i < NWORDS + NASKED; i++) {
                struct entry e;
                numbered_word(i, word);
                const bool found = exceptions_find(&x, word, 8, &e);
                PROMISE(found == (i < NWORDS), "%s under %s", word, kinds[k] ? kinds[k] : "none");
                if (found) assert_true(e.bytes == 9 && e.text[4] == '-');
            }
            assert_int_equal(x.store.reads, x.passed);
            assert_int_equal(x.found, NWORDS);
            assert_int_equal(x.asked, NWORDS + NASKED);
            if (x.guard) {
                sito_info info;
                assert_int_equal(sito_look(x.guard, &info), SITO_OK);
                const double passed = (double)(x.passed - NWORDS) / NASKED;
                /* Within 10 %, and 0.001: four standard deviations of 200,000 draws at 1 %. */
                const double slack = 0.1 * info.real_fpr + 0.001;
                PROMISE(passed < info.real_fpr + slack && passed > info.present_fpr - slack,
                        "%s at %g: %g passed, %g promised", info.kind, rates[r], passed,
                        info.real_fpr);
            }
            exceptions_close(&x);
            words_free(&list);
            free(text.items);
        }
}

static void stores_learn_and_forget(void **state) {
    (void)state;
    static const char *const kinds[] = {SITO_BLOOM, SITO_CUCKOO, SITO_COUNTING};
    for (size_t k = 0; k < 3; k++) {
        char why[WHY_ROOM], first[] = "ta-ble\nTa-ble-ware\n", second[] = "tab-le\npro-ject\n",
                            gone[] = "ta-bleware\nstranger\n";
        const sito_plan guard = {.kind = kinds[k]}, any = {0};
        struct word_list a = {0}, b = {0}, c = {0};
        struct exceptions x;
        struct entry e;
        unlink("store"), unlink("store.guard");
        assert_true(words_parse(&a, "a", first, strlen(first), why) &&
                    words_parse(&b, "b", second, strlen(second), why) &&
                    words_parse(&c, "c", gone, strlen(gone), why));
        assert_int_equal(exceptions_learn("store", &a, &guard, why), 2);
        assert_int_equal(exceptions_learn("store", &b, &guard, why), 1);
        assert_int_equal(exceptions_forget("store", &c, why), 1);
        if (!exceptions_open(&x, "store", &any, why)) fail_msg("%s", why);
        assert_non_null(x.guard);
        assert_true(exceptions_find(&x, "table", 5, &e) && e.bytes == 6 &&
                    !memcmp(e.text, "tab-le", 6));
        assert_true(exceptions_find(&x, "project", 7, &e));
        assert_false(exceptions_find(&x, "tableware", 9, &e));
        assert_int_equal(x.store.nwords, 2);
        exceptions_close(&x);
        words_free(&a), words_free(&b), words_free(&c);
    }
}

/* Two full blocks and one begun; each is asked for the word it begins with. */
static void damaged_stores_are_refused(void **state) {
    (void)state;
    enum { NWORDS = 900, LAST = 3 };
    char why[WHY_ROOM], word[32], line[40], path[] = "store";
    const sito_plan none = {0};
    struct growing text = {0};
    struct word_list list = {0};
    struct exceptions x;
    struct entry e;
    unlink("store"), unlink("store.guard");
    for (uint64_t i = 0; i < NWORDS; i++) {
        numbered_word(i, word);
        snprintf(line, sizeof line, "%.4s-%.4s\n", word, word + 4);
        memcpy(grow(&text, 10, 1), line, 10);
    }
    assert_true(words_parse(&list, "words", text.items, text.n, why));
    assert_int_equal(exceptions_learn(path, &list, &none, why), NWORDS);
    words_free(&list);
    size_t n;
    char *bytes = read_whole(path, &n);
    const size_t index = (LAST + 1) * STORE_BLOCK;
    assert_int_equal(n, index + LAST * 9); /* words of eight letters and a line's end */
    for (size_t i = 0; i < n; i++) {
        const size_t block = i / STORE_BLOCK;
        bytes[i] ^= 0x01;
        write_whole(path, bytes, n);
        bytes[i] ^= 0x01;
        const bool opened = exceptions_open(&x, path, &none, why);
        PROMISE(opened == (i >= STORE_BLOCK && i < index), "byte %zu", i);
        if (opened) { /* what each block holds is looked at when it is read */
            for (size_t k = 1; k <= LAST; k++) {
                const int answer = store_find(&x.store, bytes + index + (k - 1) * 9, 8, &e);
                PROMISE(answer == (k == block ? -1 : 1), "byte %zu, block %zu", i, k);
            }
            exceptions_close(&x);
        }
        PROMISE(!words_add_store(&list, path, why), "byte %zu", i);
        words_free(&list);
    }
    for (size_t cut = 0; cut<n; cut += cut> index || cut < 100 ? 1 : 31) {
        write_whole(path, bytes, cut);
        PROMISE(!exceptions_open(&x, path, &none, why), "cut to %zu bytes", cut);
    }
    /* A block that is sound, but at another's place. */
    char *swapped = malloc(n);
    memcpy(swapped, bytes, n);
    memcpy(swapped + STORE_BLOCK, bytes + 2 * STORE_BLOCK, STORE_BLOCK);
    write_whole(path, swapped, n);
    assert_false(words_add_store(&list, path, why));
    words_free(&list);
    write_whole(path, bytes, n);
    assert_true(words_add_store(&list, path, why));
    assert_int_equal(list.entries.n, NWORDS);
    words_free(&list);
    free(swapped), free(bytes), free(text.items);
    unlink("store");
}

/* ---- text ---- */

static void text_becomes(hyphen *h, bool html, const char *in, size_t n, size_t step,
                         const char *wanted) {
    struct speller s = {h, hyphen_room_new(), NULL, 0};
    struct text t = {.speller = &s, .mark = "-", .html = html};
    for (size_t i = 0; i < n; i += step) text_feed(&t, in + i, n - i < step ? n - i : step);
    text_feed(&t, NULL, 0);
    PROMISE(t.out.n == strlen(wanted) && !memcmp(t.out.items, wanted, t.out.n), "%s became %.*s",
            in, (int)t.out.n, (char *)t.out.items);
    text_free(&t);
    hyphen_room_free(s.room);
}

static void text_and_html_lose_nothing(void **state) {
    (void)state;
    static const struct {
        bool html;
        const char *in, *out;
    } cases[] = {
        {false, "hyphenation, (hyphenation)\n", "hy-phen-ation, (hy-phen-ation)\n"},
        {false, "http://hyphenation.org me@hyphenation hyphenation.org hyphenation9 _hyphenation",
         "http://hyphenation.org me@hyphenation hyphenation.org hyphenation9 _hyphenation"},
        {false, "hyphenation\xff hyphenation \xc3", "hyphenation\xff hy-phen-ation \xc3"},
        {false, "hy\xc2\xadphenation hyphenation", "hy\xc2\xadphenation hy-phen-ation"},
        {true,
         "<p title='hyphenation "
         ">'>hyphenation</p><code>hyphenation<b>hyphenation</b></code>hyphenation",
         "<p title='hyphenation "
         ">'>hy-phen-ation</p><code>hyphenation<b>hyphenation</b></code>hy-phen-ation"},
        {true,
         "<script>if (a<hyphenation) '</b>hyphenation'</script><br/>hyphenation<br>hyphenation",
         "<script>if (a<hyphenation) "
         "'</b>hyphenation'</script><br/>hy-phen-ation<br>hy-phen-ation"},
        {true,
         "<!-- hyphenation > --><![CDATA[hyphenation]]>hyphenation&nbsp;hyphenation "
         "&eacute;hyphenation",
         "<!-- hyphenation > --><![CDATA[hyphenation]]>hy-phen-ation&nbsp;hy-phen-ation "
         "&eacute;hyphenation"},
        {true, "a < b hyphenation <i lang='xx'>hyphenation</i> hyphenation <a hyphenation",
         "a < b hy-phen-ation <i lang='xx'>hyphenation</i> hy-phen-ation <a hyphenation"},
        {true,
         "<script>\"</scripts\" </script-x></scrip </SCRIPT\n>hyphenation<style></styles "
         "</style/>hyphenation<script></script>hyphenation<script></script",
         "<script>\"</scripts\" </script-x></scrip </SCRIPT\n>hy-phen-ation<style></styles "
         "</style/>hy-phen-ation<script></script>hy-phen-ation<script></script"},
        {true, "</p></p>hyphenation<pre>hyphenation", "</p></p>hy-phen-ation<pre>hyphenation"},
    };
    hyphen *h = made(KNUTH);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 1; step < 40; step += 6)
            text_becomes(h, cases[i].html, cases[i].in, strlen(cases[i].in), step, cases[i].out);
    hyphen_free(h);
}

/* In a text, whichever way a word is broken; asked for a word, the answer is that of the patterns. */
static void no_soft_hyphen_parts_a_mark_from_its_letter(void **state) {
    (void)state;
    static const char a_mark[] = "ba\xcc\x88"                  /* U+0308 */
                                 "ba \xd0\xb0\xd0\xb1\xd0\xb0" /* no mark, of two bytes */
                                 " \xe0\xa4\x95\xe0\xa4\xbe\xe0\xa4\x95\xe0\xa4\x95"; /* U+093E */
    static const char broken[] = "ba\xcc\x88"
                                 "-ba \xd0\xb0-\xd0\xb1\xd0\xb0"
                                 " \xe0\xa4\x95\xe0\xa4\xbe\xe0\xa4\x95-\xe0\xa4\x95";
    hyphen *h = made("a1\n1ba\n\xd0\xb0"
                     "1\n\xe0\xa4\x95"
                     "1\n");
    struct speller s = {h, hyphen_room_new(), NULL, 0};
    struct growing out = {0};
    char long_word[200] = "", long_broken[300] = "";
    hyphen_set_mins(h, 1, 1);
    text_becomes(h, false, a_mark, strlen(a_mark), 100, broken);
    text_becomes(h, true, a_mark, strlen(a_mark), 1, broken);
    for (int i = 0; i < 30; i++) {
        strcat(long_word, "ba\xcc\x88");
        strcat(long_broken, i ? "-ba\xcc\x88" : "ba\xcc\x88");
    }
    text_becomes(h, false, long_word, strlen(long_word), 100, long_broken);
    assert_true(spell_out(&s, "ba\xcc\x88", 4, "-", &out));
    assert_int_equal(out.n, 5);
    assert_memory_equal(out.items, "ba-\xcc\x88", 5);
    free(out.items);
    hyphen_room_free(s.room);
    hyphen_free(h);
}

/* Also where a break stands beside an apostrophe. */
static void a_second_run_changes_nothing(void **state) {
    (void)state;
    hyphen *h = made(KNUTH "1'1\n.c1\n1b1\n");
    struct speller s = {h, hyphen_room_new(), NULL, 0};
    hyphen_set_mins(h, 1, 1);
    const char *in = "hyphenation bab'cript 'bab' l'hyphenation";
    struct text t = {.speller = &s, .mark = "\xc2\xad"}, again = t;
    text_feed(&t, in, strlen(in));
    text_feed(&t, NULL, 0);
    text_feed(&again, t.out.items, t.out.n);
    text_feed(&again, NULL, 0);
    assert_true(t.out.n > strlen(in) + 10);
    assert_int_equal(t.out.n, again.out.n);
    assert_memory_equal(t.out.items, again.out.items, t.out.n);
    text_free(&t), text_free(&again);
    hyphen_room_free(s.room);
    hyphen_free(h);
}

/* Without the marks, the output is the input: whatever came. */
static void junk_passes_through_unchanged(void **state) {
    (void)state;
    static const char *const bits[] = {
        "hyphenation", "<",  ">",    "<p ", "</p>",     "\xff", "\xc2",  " ",        "&",      ";",
        "'",           "\"", "<!--", "-->", "<script>", "=",    "lang=", "\xc3\xa9", "&nbsp;", "1"};
    hyphen *h = made(KNUTH);
    uint64_t seed = 3;
    for (int round = 0; round < 3000; round++) {
        char in[512];
        size_t n = 0, kept = 0;
        while (n < 400 && draw(&seed, 40)) {
            const char *bit = bits[draw(&seed, 20)];
            n += (size_t)sprintf(in + n, "%s", bit);
        }
        struct speller s = {h, hyphen_room_new(), NULL, 0};
        struct text t = {.speller = &s, .mark = "\x01", .html = round & 1};
        for (size_t i = 0, step; i < n; i += step) {
            step = 1 + draw(&seed, 50);
            if (step > n - i) step = n - i;
            text_feed(&t, in + i, step);
        }
        text_feed(&t, NULL, 0);
        char *out = t.out.items;
        for (size_t i = 0; i < t.out.n; i++)
            if (out[i] != 1) out[kept++] = out[i];
        PROMISE(kept == n && (!n || !memcmp(in, out, n)), "%.*s", (int)n, in);
        text_free(&t);
        hyphen_room_free(s.room);
    }
    hyphen_free(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaks_words_as_the_book_does),
        cmocka_unit_test(tex_files_bring_distances_and_exceptions),
        cmocka_unit_test(spellings_change_at_breaks),
        cmocka_unit_test(a_change_may_be_long),
        cmocka_unit_test(the_rest_of_a_long_line_is_another),
        cmocka_unit_test(malformed_files_are_refused_with_their_line),
        cmocka_unit_test(saved_patterns_answer_the_same_and_damage_is_refused),
        cmocka_unit_test(guards_change_no_answer_and_pass_as_planned),
        cmocka_unit_test(stores_learn_and_forget),
        cmocka_unit_test(damaged_stores_are_refused),
        cmocka_unit_test(text_and_html_lose_nothing),
        cmocka_unit_test(no_soft_hyphen_parts_a_mark_from_its_letter),
        cmocka_unit_test(a_second_run_changes_nothing),
        cmocka_unit_test(junk_passes_through_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
