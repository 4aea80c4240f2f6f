/* sequence.c - bytes arrive in pieces; records are cut from them. */
#define _GNU_SOURCE
#include "sequence.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/talk.h"
#include "inputs.h"
#include "intake.h"

/* Small enough that what was read is still near when its letters are looked at. */
enum { PIECE = 1 << 17 };

/* ---- open, close ---- */

enum form { UNKNOWN, FASTA, FASTQ };

struct sequences {
    const char *name;
    bool lenient, ended;
    enum form form;
    struct intake *intake;
    bool (*rests)(void *self);
    void *self;
    char *text; /* text[at..end) is what was read and not yet cut */
    size_t at, end, room;
    size_t used; /* of it, by the record that the caller has */
    char *seq;   /* a FASTA record's letters */
    size_t seq_room;
    uint64_t nrecords;
};

const char *sequences_name(const struct sequences *s) { return s->name; }

struct sequences *sequences_open(const char *path, bool lenient) {
    const char *name = input_name(path);
    struct sequences *s = calloc(1, sizeof *s);
    if (!s) return complain("%s: no memory", name), NULL;
    *s = (struct sequences){.name = name, .lenient = lenient, .intake = intake_open(path, name)};
    if (s->intake) return s;
    free(s);
    return NULL;
}

void sequences_on_rest(struct sequences *s, bool (*rests)(void *self), void *self) {
    s->rests = rests;
    s->self = self;
}

void sequences_close(struct sequences *s) {
    if (!s) return;
    intake_close(s->intake);
    free(s->text);
    free(s->seq);
    free(s);
}

/* ---- more text ---- */

static bool make_room(char **block, size_t *room, size_t wanted) {
    if (wanted <= *room) return true;
    size_t more = *room ? *room : (size_t)2 * PIECE;
    while (more < wanted) more *= 2;
    char *grown = realloc(*block, more);
    if (!grown) return complain("no memory for a record of %zu bytes", wanted), false;
    *block = grown;
    *room = more;
    return true;
}

/* Append a piece behind what is left; 0 at the end of the file. */
static int more_text(struct sequences *s) {
    const char *why;
    if (s->ended) return 0;
    if (s->at) {
        memmove(s->text, s->text + s->at, s->end - s->at);
        s->end -= s->at;
        s->at = 0;
    }
    if (!make_room(&s->text, &s->room, s->end + PIECE)) return -1;
    if (s->rests && intake_rests(s->intake) && !s->rests(s->self)) return -1;
    const ssize_t n = intake_read(s->intake, s->text + s->end, PIECE, &why);
    if (n < 0 && why) complain("%s: record %" PRIu64 ": %s", s->name, s->nrecords + 1, why);
    if (n < 0) return -1;
    if (n == 0) return s->ended = true, 0;
    s->end += (size_t)n;
    return 1;
}

/* ---- complaints ---- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void name_of(const struct sequences *s, struct record *r) {
    const char *head = s->text + s->at + 1, *end = s->text + s->end;
    r->name = head;
    while (head < end && !is_blank(*head)) head++;
    r->nname = (size_t)(head - r->name);
}

static int broken(const struct sequences *s, const char *what) {
    struct record r = {0};
    if (s->at < s->end) name_of(s, &r);
    complain("%s: record %" PRIu64 " (%.*s): %s", s->name, s->nrecords + 1,
             (int)(r.nname < 80 ? r.nname : 80), r.nname ? r.name : "", what);
    return -1;
}

void bad_letter(const char *file, bool lenient, const struct record *r, size_t at) {
    const unsigned char letter = (unsigned char)r->seq[at];
    char what[160];
    if (letter == '\r')
        snprintf(what, sizeof what, "its lines end in CR LF; convert it, or give --lenient");
    else if (!lenient && islower(letter))
        snprintf(what, sizeof what,
                 "lower case letter `%c` at %zu; give --lenient to read it as upper case", letter,
                 at + 1);
    else if (isalpha(letter) || letter == '*')
        snprintf(what, sizeof what,
                 "`%c` at %zu stands for no base; is this a protein? only nucleotides can be read",
                 letter, at + 1);
    else
        snprintf(what, sizeof what,
                 isprint(letter) ? "`%c` at %zu is no letter of a sequence"
                                 : "byte 0x%02x at %zu is no letter of a sequence",
                 letter, at + 1);
    complain("%s: record %" PRIu64 " (%.*s): %s", file, r->number,
             (int)(r->nname < 80 ? r->nname : 80), r->name, what);
}

/* ---- records ---- */

/* Text up to `from` behind s->at was searched already, and more is needed. */
static int line_end_beyond(struct sequences *s, size_t from, size_t *end) {
    for (;;) {
        const int more = more_text(s);
        *end = from;
        if (more <= 0) return more;
        const char *start = s->text + s->at;
        const char *found = memchr(start + from, '\n', s->end - s->at - from);
        if (found) return *end = (size_t)(found - start), 1;
        from = s->end - s->at;
    }
}

/* The next line end from here on, reading on if need be: 1 and *end, its offset behind s->at; 0 if
 * the file ends before one, and *end is where; -1. */
static inline int line_end(struct sequences *s, size_t from, size_t *end) {
    const char *start = s->text + s->at;
    const size_t there = s->end - s->at;
    const char *found = from < there ? memchr(start + from, '\n', there - from) : NULL;
    if (found) return *end = (size_t)(found - start), 1;
    return line_end_beyond(s, there, end);
}

/* Is there a byte at this offset behind s->at? */
static inline int reaches(struct sequences *s, size_t offset) {
    while (s->end - s->at <= offset) {
        const int more = more_text(s);
        if (more <= 0) return more;
    }
    return 1;
}

static void record_is(struct sequences *s, struct record *r, size_t ntext) {
    name_of(s, r);
    r->text = s->text + s->at;
    r->ntext = ntext;
    r->number = ++s->nrecords;
    s->used = ntext;
}

/* Lines after one another, at s->seq. */
static bool append_line(struct sequences *s, struct record *r, const char *line, size_t n) {
    if (!make_room(&s->seq, &s->seq_room, r->n + n + 1)) return false;
    memcpy(s->seq + r->n, line, n);
    r->n += n;
    return true;
}

static bool lone_cr(const char *line, size_t n) {
    const char *cr = memchr(line, '\r', n);
    return cr && cr + 1 < line + n;
}

/* Letters on one line stay where they are, behind s->at. */
static int next_fasta(struct sequences *s, struct record *r) {
    size_t at, end, nlines = 0, first = 0, nfirst = 0;
    int more = line_end(s, 0, &end);
    const size_t head = end;
    while (more > 0) {
        at = end + 1;
        more = reaches(s, at);
        if (more <= 0 || s->text[s->at + at] == '>') break;
        more = line_end(s, at, &end);
        if (more < 0) return -1;
        const char *text = s->text + s->at;
        size_t n = end - at;
        if (n && s->lenient && text[end - 1] == '\r') n--;
        if (nlines++ == 0) {
            first = at;
            nfirst = n;
            continue;
        }
        if (nlines == 2 && !append_line(s, r, text + first, nfirst)) return -1;
        if (!append_line(s, r, text + at, n)) return -1;
    }
    if (more < 0) return -1;
    if (more == 0) end = s->end - s->at; /* the last line may lack its newline */
    r->seq = nlines < 2 ? s->text + s->at + first : s->seq;
    if (nlines < 2) r->n = nfirst;
    /* All in one line: then there are no letters, and "no" would prove nothing. */
    if (!nlines && lone_cr(s->text + s->at, head))
        return broken(s, "its lines end in CR alone; convert it");
    record_is(s, r, more > 0 ? end + 1 : end);
    return 1;
}

/* Four lines. */
static int next_fastq(struct sequences *s, struct record *r) {
    size_t ends[4], from = 0;
    int more = 1;
    for (int i = 0; i < 4; i++) {
        if (more == 0) return broken(s, "the file ends inside this record; it was cut short");
        more = line_end(s, from, &ends[i]);
        if (more < 0) return -1;
        from = ends[i] + 1;
    }
    const char *text = s->text + s->at;
    size_t n = ends[1] - ends[0] - 1, quality = ends[3] - ends[2] - 1;
    if (text[ends[1] + 1] != '+')
        return broken(s, "its third line does not begin with +: a FASTQ record has four lines");
    if (s->lenient && n && text[ends[1] - 1] == '\r') n--;
    if (s->lenient && quality && text[ends[3] - 1] == '\r') quality--;
    if (n != quality) {
        char what[100];
        snprintf(what, sizeof what, "%zu letters, but %zu qualities; it is damaged", n, quality);
        return broken(s, what);
    }
    r->seq = text + ends[0] + 1;
    r->n = n;
    record_is(s, r, more > 0 ? ends[3] + 1 : ends[3]);
    return 1;
}

/* What is packed, but not as it should be. */
static const char *packer_of(const char *text, size_t n) {
    static const char *const packers[][2] = {{"BZh", "bzip2"},
                                             {"\xfd"
                                              "7zXZ",
                                              "xz"},
                                             {"\x28\xb5\x2f\xfd", "zstd"},
                                             {"PK\3\4", "zip"}};
    for (size_t i = 0; i < sizeof packers / sizeof *packers; i++) {
        const size_t length = strlen(packers[i][0]);
        if (n >= length && !memcmp(text, packers[i][0], length)) return packers[i][1];
    }
    return NULL;
}

/* Which form? By the first byte; empty lines before it do not matter. */
static int begin_record(struct sequences *s) {
    int more;
    while ((more = reaches(s, 0)) > 0 && (s->text[s->at] == '\n' || s->text[s->at] == '\r'))
        s->at++;
    if (more < 0) return -1;
    if (more == 0) {
        if (s->nrecords) return 0;
        complain("%s: has no record; it should begin with > (FASTA) or @ (FASTQ)", s->name);
        return -1;
    }
    const char first = s->text[s->at];
    const enum form form = first == '>' ? FASTA : first == '@' ? FASTQ : UNKNOWN;
    if (form != UNKNOWN && (s->form == UNKNOWN || s->form == form)) return s->form = form, 1;
    const char *packer = s->nrecords ? NULL : packer_of(s->text + s->at, s->end - s->at);
    if (packer) return complain("%s: is packed by %s; unpack it first", s->name, packer), -1;
    complain("%s: record %" PRIu64 " begins with neither > (FASTA) nor @ (FASTQ)%s", s->name,
             s->nrecords + 1, form == UNKNOWN ? "" : " as those before it did");
    return -1;
}

int sequences_next(struct sequences *s, struct record *r) {
    s->at += s->used;
    s->used = 0;
    *r = (struct record){0};
    const int more = begin_record(s);
    if (more <= 0) return more;
    return s->form == FASTA ? next_fasta(s, r) : next_fastq(s, r);
}
