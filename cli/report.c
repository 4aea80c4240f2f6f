/* report.c - named values, as a table or as JSON. */
#define _GNU_SOURCE
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "numbers.h"

/* ---- JSON strings ---- */

/* The length of the UTF-8 sequence that begins here, 0 if none does. */
static size_t utf8_length(const unsigned char *p, size_t n) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (p[0] < 0x80) return 1;
    const size_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || length > n) return 0;
    uint32_t point = p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        point = point << 6 | (p[i] & 0x3f);
    }
    if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return 0;
    return length;
}

bool is_utf8(const char *text, size_t length) {
    for (size_t i = 0, step; i < length; i += step)
        if (!(step = utf8_length((const unsigned char *)text + i, length - i))) return false;
    return true;
}

void json_string(const char *text, size_t length) {
    const unsigned char *p = (const unsigned char *)text;
    putchar('"');
    for (size_t i = 0; i < length;) {
        const size_t step = utf8_length(p + i, length - i);
        if (step == 0) fputs("\\ufffd", stdout);
        else if (step > 1 || (p[i] >= 0x20 && p[i] != '"' && p[i] != '\\' && p[i] != 0x7f))
            fwrite(p + i, 1, step, stdout);
        else if (p[i] == '"' || p[i] == '\\') printf("\\%c", p[i]);
        else printf("\\u%04x", p[i]);
        i += step ? step : 1;
    }
    putchar('"');
}

/* ---- one value ---- */

void report_begin(struct report *r, bool json) {
    *r = (struct report){.json = json, .empty = true};
    if (json) putchar('{');
}

void report_end(struct report *r) {
    if (r->json) puts("}");
}

static void name_of(struct report *r, const char *name) {
    if (r->json) {
        printf("%s\"%s\": ", r->empty ? "" : ", ", name);
    } else {
        int width = 0;
        for (; name[width]; width++) putchar(name[width] == '_' ? ' ' : name[width]);
        printf("%*s", width < 14 ? 14 - width : 1, "");
    }
    r->empty = false;
}

static void end_of(const struct report *r) {
    if (!r->json) putchar('\n');
}

void report_text(struct report *r, const char *name, const char *value) {
    if (!value && !r->json) return;
    name_of(r, name);
    if (!value) fputs("null", stdout);
    else if (r->json) json_string(value, strlen(value));
    else fputs(value, stdout);
    end_of(r);
}

void report_count(struct report *r, const char *name, uint64_t value) {
    char room[NUMBER_ROOM];
    name_of(r, name);
    if (r->json) printf("%" PRIu64, value);
    else fputs(human_count(value, room), stdout);
    end_of(r);
}

void report_bytes(struct report *r, const char *name, uint64_t value) {
    char room[NUMBER_ROOM], exact[NUMBER_ROOM];
    if (r->json) return report_count(r, name, value);
    name_of(r, name);
    fputs(human_bytes(value, room), stdout);
    if (value >= 1024) printf(" (%s)", human_count(value, exact));
    end_of(r);
}

/* Figures that count something are whole, and look it. */
void report_real(struct report *r, const char *name, double value) {
    char room[NUMBER_ROOM];
    name_of(r, name);
    if (!isfinite(value)) fputs(r->json ? "null" : "-", stdout);
    else if (value == floor(value) && fabs(value) < 9007199254740992.0) printf("%.0f", value);
    else if (r->json) fputs(exact_real(value, room), stdout);
    else printf("%.4g", value);
    end_of(r);
}

void report_rate(struct report *r, const char *name, double value) {
    char room[NUMBER_ROOM];
    if (r->json || !isfinite(value)) return report_real(r, name, value);
    name_of(r, name);
    fputs(human_rate(value, room), stdout);
    end_of(r);
}

void report_bool(struct report *r, const char *name, bool value) {
    name_of(r, name);
    fputs(value ? (r->json ? "true" : "yes") : (r->json ? "false" : "no"), stdout);
    end_of(r);
}

/* ---- what a filter is ---- */

unsigned ability_at(size_t i, const char **word) {
    static const struct {
        unsigned can;
        const char *word;
    } abilities[] = {{SITO_CAN_ADD, "add"},     {SITO_CAN_REMOVE, "remove"},
                     {SITO_CAN_COUNT, "count"}, {SITO_CAN_GROW, "grow"},
                     {SITO_CAN_MERGE, "merge"}, {SITO_CAN_SHARE, "share"},
                     {SITO_CAN_BUILD, "build"}, {SITO_CAN_MAP, "map"}};
    if (i >= sizeof abilities / sizeof *abilities) return 0;
    *word = abilities[i].word;
    return abilities[i].can;
}

void report_abilities(struct report *r, const char *name, unsigned can) {
    const char *word, *gap = "";
    name_of(r, name);
    if (r->json) putchar('[');
    for (size_t i = 0; ability_at(i, &word); i++)
        if (can & ability_at(i, &word)) {
            printf(r->json ? "%s\"%s\"" : "%s%s", gap, word);
            gap = r->json ? ", " : " ";
        }
    if (r->json) putchar(']');
    end_of(r);
}

void report_info(struct report *r, const sito_info *info) {
    report_text(r, "kind", info->kind);
    report_count(r, "nkeys", info->nkeys);
    report_count(r, "capacity", info->capacity);
    report_bytes(r, "bytes", info->bytes);
    report_bytes(r, "image_bytes", info->image_bytes);
    report_real(r, "bits_per_key", info->bits_per_key);
    report_rate(r, "wanted_fpr", info->wanted_fpr);
    report_rate(r, "real_fpr", info->real_fpr);
    report_rate(r, "present_fpr", info->present_fpr);
    report_real(r, "fill", info->fill);
}
