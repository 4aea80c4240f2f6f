/*
 * fuzz_patterns.c - any bytes as a pattern file: hyph-utf8 text, TeX's, or libhyphen's. What is taken
 * breaks words of its own letters, inside them and between characters, the same again from a compiled
 * file; and as an exception file it makes a list or a sentence.
 *
 * SITO_SEEDS=FOLDER in the environment writes a small file of each form into FOLDER, and ends.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hyphen/text.h"
#include "hyphen/utf8.h"
#include "fuzz/seeds.h"

static const char *const seeds[] = {
    "hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n.a2b\n3b.\n",
    "% hyphenmins:\n%   typesetting:\n%     left: 2\n%     right: 3\n\\patterns{ % x\n.ab1c 2d3e. "
    "\xc3\xa9"
    "1f }\n\\hyphenation{ta-ble}\n",
    "UTF-8\nLEFTHYPHENMIN 2\nCOMPOUNDLEFTHYPHENMIN 2\nNOHYPHEN "
    "-,'\n1-1\nf1f/ff=f,1,2\nNEXTLEVEL\n1b1a\n"
    "a1b/x=y\n\xc3\xa9"
    "1f4\n",
    "ISO8859-1\n%\n\xe9"
    "1f\na1b1c4d5e6f7g8h9ijklmnopqrstu\n",
};

/* Inside the word, in order, between characters; changes within the word. */
static void check_breaks(const char *word, size_t n, const struct hyphen_break *b, size_t found) {
    size_t last = 0;
    for (size_t i = 0; i < found; i++) {
        if (b[i].at <= last || b[i].at >= n) give_up("a break outside, or out of order");
        if ((word[b[i].at] & 0xc0) == 0x80) give_up("a break inside a character");
        if (b[i].text && (b[i].start > n || b[i].cut > n - b[i].start)) give_up("a change outside");
        last = b[i].at;
    }
}

static void ask(const hyphen *h, const hyphen *again, const char *word, size_t n) {
    hyphen_room *room = hyphen_room_new(), *other = hyphen_room_new();
    const struct hyphen_break *a, *b;
    struct speller s = {h, room, NULL, 0};
    struct growing out = {0};
    const size_t found = hyphen_word(h, room, word, n, &a);
    check_breaks(word, n, a, found);
    if (again) {
        if (hyphen_word(again, other, word, n, &b) != found)
            give_up("mapped, it answers otherwise");
        for (size_t i = 0; i < found; i++)
            if (a[i].at != b[i].at) give_up("mapped, it answers otherwise");
    }
    spell_out(&s, word, n, "-", &out);
    free(out.items);
    hyphen_room_free(room), hyphen_room_free(other);
}

/* Words of pieces of the file itself, in which its patterns occur. */
static void ask_words(const hyphen *h, const hyphen *again, const uint8_t *bytes, size_t len) {
    char word[400];
    for (size_t begin = 0, round = 0; begin < len && round < 30; round++) {
        size_t n = 0, i = begin;
        for (; i < len && n < sizeof word - 1 && i - begin < 20 + 20 * round; i++)
            if (bytes[i] > ' ' && (bytes[i] < '0' || bytes[i] > '9' || round % 5 == 4))
                word[n++] = (char)bytes[i];
        ask(h, again, word, n);
        begin = i;
    }
    ask(h, again, "hyphenation", 11);
    ask(h, again,
        "f\xc3\xa9"
        "ff-bab'a1b\xef\xac\x83",
        15);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    write_text_seeds("form", seeds, sizeof seeds / sizeof *seeds);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    char why[WHY_ROOM] = "", path[64];
    struct patterns p;
    struct word_list words = {0};
    const char *text = len ? (const char *)bytes : "";
    if (!words_parse(&words, "words", text, len, why) && !why[0]) give_up("no reason is given");
    words_free(&words);
    why[0] = 0;
    if (!patterns_parse(&p, "patterns", text, len, why)) {
        if (!why[0]) give_up("no reason is given");
        return 0;
    }
    hyphen *h = hyphen_compile(&p, why), *again = NULL;
    patterns_free(&p);
    if (!h) return 0;
    snprintf(path, sizeof path, "/tmp/fuzz_patterns.%d", (int)getpid());
    if (len % 16 == 0) { /* files take longer than all the rest */
        if (!hyphen_save(h, path, why) || !(again = hyphen_map(path, why))) give_up(why);
        unlink(path);
    }
    ask_words(h, again, bytes, len);
    hyphen_set_mins(h, 1, 1);
    ask_words(h, NULL, bytes, len);
    hyphen_free(again);
    hyphen_free(h);
    return 0;
}
