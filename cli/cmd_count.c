/* cmd_count.c - sito count: how often was each key added? */
#include <inttypes.h>
#include <stdio.h>

#include "input.h"
#include "report.h"
#include "store.h"
#include "talk.h"

/* A kind of small counters may not know. */
static bool is_known(uint64_t n) { return n < UINT64_MAX; }

/* One object a line. A key that is no UTF-8 cannot be a JSON string: its bytes are given in
 * hexadecimal. */
static void print_json(const char *key, size_t length, uint64_t n) {
    if (is_utf8(key, length)) {
        fputs("{\"key\": ", stdout);
        json_string(key, length);
    } else {
        fputs("{\"key_hex\": \"", stdout);
        for (size_t i = 0; i < length; i++) printf("%02x", (unsigned char)key[i]);
        putchar('"');
    }
    if (is_known(n)) printf(", \"count\": %" PRIu64 "}\n", n);
    else puts(", \"count\": null}");
}

static void print_plain(const char *key, size_t length, uint64_t n, bool nul) {
    if (is_known(n)) printf("%" PRIu64 "\t", n);
    else fputs("?\t", stdout);
    fwrite(key, 1, length, stdout);
    putchar(nul ? 0 : '\n');
}

/* Asked before a key comes, so that no keys are no way around it. */
static int check_it_counts(const sito_filter *f, const char *path) {
    uint64_t n;
    const sito_rc rc = sito_count(f, "", 0, &n);
    return rc == SITO_OK ? DONE : refused(path, rc, NULL);
}

static int count_all(const sito_filter *f, const struct options *o, struct input *in) {
    struct batch *b;
    int more;
    while ((more = input_next(in, &b)) > 0) {
        for (size_t i = 0; i < b->n; i++) {
            uint64_t n;
            const sito_rc rc = sito_count(f, b->keys[i], b->lens[i], &n);
            if (rc != SITO_OK) return refused(o->operands[0], rc, NULL);
            if (o->json) print_json(b->keys[i], b->lens[i], n);
            else print_plain(b->keys[i], b->lens[i], n, o->nul);
        }
        if ((input_drained(in) || ferror(stdout)) && flush_output() != DONE) return TROUBLE;
    }
    return more == 0 ? DONE : stop_asked() ? STOPPED : TROUBLE;
}

int cmd_count(struct options *o) {
    sito_filter *f = NULL;
    int outcome = open_to_ask(o, &f);
    if (outcome == DONE) outcome = check_keys_are_lines(o->operands[0], f);
    if (outcome == DONE) outcome = check_it_counts(f, o->operands[0]);
    if (outcome == DONE) outcome = check_output("-", o->operands + 1, o->noperands - 1);
    if (outcome == DONE) {
        struct input *in = input_new(o->operands + 1, o->noperands - 1, o->nul, 0);
        outcome = in ? count_all(f, o, in) : TROUBLE;
        input_free(in);
    }
    sito_free(f);
    return outcome;
}
