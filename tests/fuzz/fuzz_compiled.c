/*
 * fuzz_compiled.c - any bytes as compiled patterns; sums do not count here. What is mapped may answer
 * anything, but inside the word.
 *
 * An image is 50 KB, most of it zeros, so the input is a list of changes to one: three bytes say where
 * (every byte but the pages of the alphabet is within reach), one says what.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hyphen/image.h"
#include "hyphen/text.h"
#include "keys.h"

static const char *const files[] = {
    "hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\na1b1c4d5e6f7g8h9ijklmnopqrstu\n",
    "UTF-8\nNOHYPHEN -,'\n1-1\nf1f/ff=f,1,2\nNEXTLEVEL\n1b1a\na1b/x=y\n\xc3\xa9"
    "1f4\n"};
static char *images[2]; /* of slots between each other, of full rows */
static size_t sizes[2];

static void make_images(void) {
    char why[WHY_ROOM], path[64];
    struct patterns p;
    snprintf(path, sizeof path, "/tmp/fuzz_compiled.%d", (int)getpid());
    for (size_t i = 0; i < 2; i++) {
        if (!patterns_parse(&p, "patterns", files[i], strlen(files[i]), why)) give_up(why);
        p.sparse = i == 0;
        hyphen *h = hyphen_compile(&p, why);
        if (!h || !hyphen_save(h, path, why)) give_up(why);
        images[i] = read_whole(path, &sizes[i]);
        hyphen_free(h);
        patterns_free(&p);
    }
    unlink(path);
}

/* So often that several walks go on at once. */
static void ask_many(const hyphen *h, hyphen_room *room, const char *word, size_t n) {
    enum { TIMES = 40 };
    char text[400 + HYPHEN_BEHIND] = "";
    struct hyphen_span words[TIMES];
    uint64_t breaks[TIMES];
    memcpy(text, word, n);
    for (size_t i = 0; i < TIMES; i++) words[i] = (struct hyphen_span){0, (uint32_t)n};
    hyphen_many(h, room, text, words, TIMES, breaks);
}

static void ask(const hyphen *h, const char *word, size_t n) {
    hyphen_room *room = hyphen_room_new();
    const struct hyphen_break *b;
    struct speller s = {h, room, NULL, 0};
    struct growing out = {0};
    size_t places[512];
    const size_t found = hyphen_word(h, room, word, n, &b);
    for (size_t i = 0; i < found; i++)
        if (b[i].at >= n || b[i].start > n || b[i].cut > n - b[i].start) give_up("a break outside");
    ask_many(h, room, word, n);
    spell(&s, word, n, places);
    spell_out(&s, word, n, "-", &out);
    free(out.items);
    hyphen_room_free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    char why[WHY_ROOM], path[64];
    if (!images[0]) make_images();
    if (len < 2) return 0;
    const size_t which = bytes[0] & 1, size = sizes[which], head = sizeof(struct image_head);
    const size_t cut = bytes[0] & 2 ? (size_t)bytes[1] * 331 % size : 0;
    char *image = malloc(size);
    memcpy(image, images[which], size);
    for (size_t i = 2; i + 3 < len; i += 4) {
        const size_t at = (size_t)bytes[i] << 16 | (size_t)bytes[i + 1] << 8 | bytes[i + 2];
        image[bytes[i] & 0x80 ? at % head : at % size] = (char)bytes[i + 3];
    }
    const int fd = memfd_create("image", MFD_CLOEXEC);
    if (fd < 0 || write(fd, image, size - cut) != (ssize_t)(size - cut)) give_up("no memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    hyphen *h = hyphen_map(path, why);
    if (h) {
        size_t n;
        hyphen_exceptions(h, &n);
        hyphen_joins(h, '-');
        ask(h, "hyphenation", 11);
        ask(h, "schiffahrt", 10);
        ask(h,
            "ba'bab-\xc3\xa9"
            "f1f",
            12);
        ask(h, "abcdefghijklmnopqrstuabcdefghijklmnopqrstu", 42);
        if (len > 40) ask(h, (const char *)bytes, len < 400 ? len : 400);
        hyphen_free(h);
    }
    close(fd);
    free(image);
    return 0;
}
