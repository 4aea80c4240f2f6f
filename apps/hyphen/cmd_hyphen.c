/* cmd_hyphen.c - sito hyphen: words, text, HTML and EPUB with their breaks; exceptions learned and
 * forgotten. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../cli/store.h"
#include "draft.h"
#include "hyphen/book.h"
#include "hyphen/letters.h"
#include "hyphen/places.h"
#include "hyphen/text.h"
#include "hyphen/utf8.h"
#include "options.h"
#include "report.h"
#include "source.h"
#include "talk.h"
#include "wish.h"

enum { CHUNK = 1 << 16, MAX_NAMES = 64 };

struct language {
    char path[4096]; /* of its patterns */
    hyphen *h;       /* or NULL: they cannot be read */
    struct speller speller;
};

struct name {
    char tag[64];
    struct speller *speller; /* or NULL: there are no patterns, or none that can be read */
};

struct job {
    const struct options *o;
    struct language own; /* of the text */
    char tag[64];
    struct growing others; /* struct language *, one a pattern file */
    struct name names[MAX_NAMES];
    size_t nnames; /* so far: the last of them are kept */
    struct exceptions exceptions;
    bool guarded;
    struct text text;
    struct draft draft;
    FILE *out;
};

/* A file that nobody came to write is no trouble, if a signal ended the wait. */
static int trouble_with(const char *why) {
    if (stop_asked()) return STOPPED;
    complain("%s", why);
    return TROUBLE;
}

/* ---- languages ---- */

static int load(const struct options *o, const char *path, hyphen **out) {
    char why[WHY_ROOM];
    struct patterns p;
    if (hyphen_is_saved(path)) {
        *out = hyphen_map(path, why);
        if (*out && !hyphen_check(*out)) /* the caller frees it */
            return complain("%s: it is damaged; make it anew with --compile", path), TROUBLE;
    } else {
        if (!patterns_read(&p, path, why)) return trouble_with(why);
        *out = hyphen_compile(&p, why);
        patterns_free(&p);
    }
    if (!*out) return trouble_with(why);
    hyphen_set_mins(*out, o->left, o->right);
    return DONE;
}

static int find_patterns(const struct options *o, const char *tag, char path[4096]) {
    if (o->patterns) return snprintf(path, 4096, "%s", o->patterns), DONE;
    if (place_of(tag, path, 4096)) return DONE;
    complain("no patterns for %s are installed; `sito hyphen --list` lists those that are, "
             "--patterns takes a file",
             tag);
    return TROUBLE;
}

static bool begins_as(const char *tag, const char *begin) {
    const size_t n = strlen(begin);
    return !strncasecmp(tag, begin, n) && (!tag[n] || tag[n] == '-' || tag[n] == '_');
}

/* By whatever names. */
static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) || stat(b, &y) || !S_ISREG(x.st_mode)) return false;
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* One more file of patterns. What cannot be read is complained of once. NULL: no memory. */
static struct language *add_language(struct job *j, const char *path) {
    struct language *l = calloc(1, sizeof *l), **to = l ? grow(&j->others, 1, sizeof l) : NULL;
    if (!to) return free(l), NULL;
    *to = l;
    snprintf(l->path, sizeof l->path, "%s", path);
    if (load(j->o, path, &l->h) != DONE) hyphen_free(l->h), l->h = NULL;
    l->speller = (struct speller){l->h, j->own.speller.room, NULL, 0};
    return l;
}

/* As installed; many tags may lead to one file. */
static struct speller *speller_at(struct job *j, const char *tag) {
    char path[4096];
    struct language **others = j->others.items, *l = NULL;
    if (!place_of(tag, path, sizeof path)) return NULL;
    if (!j->o->patterns && same_file(path, j->own.path)) return &j->own.speller;
    for (size_t i = 0; i < j->others.n && !l; i++)
        if (!strcmp(path, others[i]->path) || same_file(path, others[i]->path)) l = others[i];
    if (!l && !(l = add_language(j, path))) j->text.failed = true;
    return l && l->h ? &l->speller : NULL;
}

/* For lang=: the text's own language by its exact tag or its beginning, or if its patterns are those
 * of the tag; patterns given by hand are for all of their language, which is the first that is named
 * if -l names none. */
static struct speller *speller_for(void *self, const char *tag) {
    struct job *j = self;
    if (strlen(tag) >= sizeof j->tag) return NULL;
    if (!strcmp(j->tag, "?")) strcpy(j->tag, tag);
    if (begins_as(j->tag, tag) || (j->o->patterns && begins_as(tag, j->tag)))
        return &j->own.speller;
    for (size_t i = 0; i < j->nnames && i < MAX_NAMES; i++)
        if (!strcasecmp(j->names[i].tag, tag)) return j->names[i].speller;
    struct name *name = &j->names[j->nnames++ % MAX_NAMES];
    strcpy(name->tag, tag);
    name->speller = speller_at(j, tag);
    return name->speller;
}

static void free_job(struct job *j) {
    struct language **others = j->others.items;
    hyphen_room_free(j->own.speller.room);
    for (size_t i = 0; i < j->others.n; i++) hyphen_free(others[i]->h), free(others[i]);
    free(others);
    hyphen_free(j->own.h);
    if (j->guarded) exceptions_close(&j->exceptions);
    text_free(&j->text);
    free(j);
}

/* ---- exceptions ---- */

/* --guard: a kind, or none; without it bloom. */
static int check_guard(const struct options *o) {
    return o->guard && strcmp(o->guard, "none") ? check_kind(o->guard) : DONE;
}

static sito_plan guard_wished(const struct options *o) {
    sito_plan plan = o->wish;
    plan.kind = !o->guard ? SITO_BLOOM : strcmp(o->guard, "none") ? o->guard : NULL;
    return plan;
}

static int open_exceptions(struct job *j) {
    const struct options *o = j->o;
    char why[WHY_ROOM];
    struct word_list list = {0};
    size_t own;
    sito_plan guard = guard_wished(o);
    const char *with_patterns = hyphen_exceptions(j->own.h, &own);
    if (!own && !o->exceptions.n) return DONE;
    bool fine = true;
    if (!own && o->exceptions.n == 1 && store_is_one(o->exceptions.at[0])) {
        sito_plan *wanted = guard.kind ? &guard : NULL;
        if (wanted && !o->guard && o->wish.fpr <= 0) { /* its own guard, if it has one */
            static sito_plan any;
            fine = exceptions_open(&j->exceptions, o->exceptions.at[0], &any, why);
            if (fine && !j->exceptions.guard) {
                exceptions_close(&j->exceptions);
                fine = exceptions_open(&j->exceptions, o->exceptions.at[0], wanted, why);
            }
        } else {
            fine = exceptions_open(&j->exceptions, o->exceptions.at[0], wanted, why);
        }
    } else {
        fine = !own || words_parse(&list, "patterns", with_patterns, own, why);
        for (size_t i = 0; fine && i < o->exceptions.n; i++)
            fine = words_read(&list, o->exceptions.at[i], why);
        fine = fine && exceptions_make(&j->exceptions, &list, &guard, why);
        words_free(&list);
    }
    if (!fine) return trouble_with(why);
    j->guarded = true;
    j->own.speller.exceptions = &j->exceptions;
    return DONE;
}

/* Patterns given by hand may be of any language, which a book may state. */
static const char *default_tag(const struct options *o) {
    return o->lang ? o->lang : o->patterns ? "?" : "en-US";
}

/* The language of the text, once: its patterns, and the exceptions, which are all for it. */
static int begin_language(struct job *j, const char *tag) {
    struct language *own = &j->own;
    struct speller *s = &own->speller;
    if (own->h && j->tag[0] == '?') snprintf(j->tag, sizeof j->tag, "%s", tag);
    if (own->h) return DONE;
    int outcome = find_patterns(j->o, tag, own->path);
    if (outcome == DONE) outcome = load(j->o, own->path, &own->h);
    if (outcome != DONE) return outcome;
    snprintf(j->tag, sizeof j->tag, "%s", tag);
    *s = (struct speller){own->h, hyphen_room_new(), NULL, 0};
    if (!s->room) return complain("out of memory"), TROUBLE;
    j->text.speller = s;
    return j->o->compile ? DONE : open_exceptions(j);
}

/* `learn STORE [FILE...]`, `forget STORE [FILE...]`: words with hyphens, one a line. */
static int change_store(const struct options *o, bool learn) {
    static const char *const standard_input[] = {"/dev/stdin"};
    char why[WHY_ROOM];
    struct word_list list = {0};
    const sito_plan guard = guard_wished(o);
    if (o->noperands < 2)
        return complain("hyphen: which store? sito hyphen %s STORE [FILE...]", o->operands[0]),
               TROUBLE;
    const size_t n = o->noperands > 2 ? o->noperands - 2 : 1;
    for (size_t i = 0; i < n; i++) {
        const char *file = o->noperands > 2 ? o->operands[2 + i] : standard_input[0];
        if (!strcmp(file, "-")) file = standard_input[0];
        if (words_read(&list, file, why)) continue;
        words_free(&list);
        return trouble_with(why);
    }
    const char *store = o->operands[1];
    const int64_t changed =
        learn ? exceptions_learn(store, &list, &guard, why) : exceptions_forget(store, &list, why);
    words_free(&list);
    if (changed < 0) return trouble_with(why);
    remark("%s: %" PRId64 " words %s", store, changed, learn ? "new" : "gone");
    return changed || learn ? DONE : NOTHING;
}

/* To stderr, since the text goes to stdout. */
static void print_stats(const struct job *j) {
    const struct exceptions *x = &j->exceptions;
    sito_info info = {0};
    struct language *const *others = j->others.items;
    uint64_t breaks = j->own.speller.breaks;
    for (size_t i = 0; i < j->others.n; i++) breaks += others[i]->speller.breaks;
    if (x->guard) sito_look(x->guard, &info);
    fprintf(stderr,
            "{\"words\": %" PRIu64 ", \"breaks\": %" PRIu64 ", \"not_utf8\": %" PRIu64
            ", \"unclosed_tags\": %" PRIu64
            ", \"guard\": \"%s\", \"guard_rate\": %.6g, \"exceptions\": %" PRIu64
            ", \"asked\": %" PRIu64 ", \"passed\": %" PRIu64 ", \"found\": %" PRIu64
            ", \"store_reads\": %" PRIu64 ", \"reads_saved\": %" PRIu64 "}\n",
            j->text.words, breaks, j->text.broken, j->text.unclosed, info.kind ? info.kind : "none",
            info.present_fpr, x->store.nwords, x->asked, x->passed, x->found, x->store.reads,
            x->asked - x->passed);
}

/* ---- what is there, and why ---- */

static void print_place(void *self, const char *tag, const char *path) {
    (void)self;
    printf("%-12s %s\n", tag, path);
}

/* Does `p` stand at `at` of the word between its edges? */
static bool occurs(const uint32_t *p, size_t np, const uint32_t *word, size_t n, size_t at) {
    return at + np <= n && !memcmp(p, word + at, np * sizeof *p);
}

static void print_pattern(const struct patterns *p, const struct pattern *pattern,
                          const uint32_t *word, size_t at) {
    const uint32_t *chars = (uint32_t *)p->chars.items + pattern->chars;
    const uint8_t *values = (uint8_t *)p->values.items + pattern->values;
    char bytes[4];
    printf("  %*s", (int)at, "");
    for (uint32_t i = 0; i <= pattern->nchars; i++) {
        if (values[i]) putchar('0' + values[i]);
        if (i < pattern->nchars) fwrite(bytes, 1, utf8_put(chars[i], bytes), stdout);
    }
    (void)word;
    if (pattern->change >= 0) {
        const struct change *c = (struct change *)p->changes.items + pattern->change;
        printf("/%.*s,%u,%u", (int)c->bytes, (char *)p->text.items + c->text, c->start + 1, c->cut);
    }
    putchar('\n');
}

static int explain(struct job *j, const char *path) {
    char why[WHY_ROOM];
    struct patterns p;
    struct growing out = {0};
    uint32_t word[1002] = {EDGE};
    size_t n = 1, length = strlen(j->o->explain);
    if (hyphen_is_saved(path))
        return complain("%s: compiled patterns cannot be explained; give the pattern file", path),
               TROUBLE;
    if (length > 1000) return complain("--explain: the word is too long"), TROUBLE;
    for (size_t i = 0; i < length;) {
        const size_t size = utf8_get(j->o->explain + i, length - i, &word[n]);
        if (!size) return complain("--explain: the word is no UTF-8"), TROUBLE;
        word[n] = small_letter(word[n]);
        n++, i += size;
    }
    word[n++] = EDGE;
    if (!patterns_read(&p, path, why)) return trouble_with(why);
    for (unsigned level = 0; level < p.nlevels; level++) {
        const struct pattern *all = p.level[level].items;
        if (p.nlevels > 1)
            printf("%s\n", level ? "inside words:" : "between the parts of compounds:");
        for (size_t at = 0; at < n; at++)
            for (size_t i = 0; i < p.level[level].n; i++)
                if (occurs((uint32_t *)p.chars.items + all[i].chars, all[i].nchars, word, n, at))
                    print_pattern(&p, &all[i], word, at);
    }
    patterns_free(&p);
    struct speller *s = &j->own.speller;
    struct entry e;
    char small[2 * STORE_WORD];
    const size_t folded = fold_word(j->o->explain, length, small);
    if (s->exceptions && exceptions_find(s->exceptions, small, folded, &e))
        printf("exception: %.*s\n", (int)e.bytes, e.text);
    const bool done = spell_out(s, j->o->explain, length, "-", &out);
    if (done) fwrite(out.items, 1, out.n, stdout), putchar('\n');
    free(out.items);
    return done ? DONE : (complain("out of memory"), TROUBLE);
}

/* ---- words and text ---- */

static int write_out(struct job *j, const char *bytes, size_t n) {
    if (n) fwrite(bytes, 1, n, j->out);
    return ferror(j->out) ? draft_trouble(&j->draft) : DONE;
}

/* What stands behind the word: the end of a line from another system, blanks. */
static size_t blanks_behind(const char *s, size_t n) {
    size_t i = n;
    while (i && (s[i - 1] == ' ' || s[i - 1] == '\t' || s[i - 1] == '\r')) i--;
    return n - i;
}

/* By the options that leave words alone, or because it has soft hyphens, as in text. */
static bool is_left_alone(const struct text *t, const char *word, size_t n) {
    size_t nchars = 0;
    for (size_t i = 0; i < n; i++) nchars += (word[i] & 0xc0) != 0x80;
    return text_leaves(t, word, n, nchars) || memmem(word, n, "\xc2\xad", 2);
}

/* Each line of the buffer but one that may go on; returns how much was done. */
static size_t spell_lines(struct job *j, const char *s, size_t n, bool last, const char *mark,
                          struct growing *line) {
    size_t done = 0;
    while (done < n) {
        const char *end = memchr(s + done, '\n', n - done);
        if (!end && !last) break;
        const size_t length = end ? (size_t)(end - s) - done : n - done;
        const size_t word = length - blanks_behind(s + done, length);
        line->n = 0;
        if (is_left_alone(&j->text, s + done, word)) fwrite(s + done, 1, word, j->out);
        else if (!spell_out(&j->own.speller, s + done, word, mark, line))
            return j->text.failed = true, done;
        j->text.words++;
        if (line->n) fwrite(line->items, 1, line->n, j->out);
        fwrite(s + done + word, 1, length - word, j->out);
        if (end) putc('\n', j->out);
        done += length + (end != NULL);
    }
    return done;
}

static bool ends_with(const char *path, size_t n, const char *ending) {
    const size_t end = strlen(ending);
    return n > end && !strncasecmp(path + n - end, ending, end);
}

static bool is_page(const struct options *o, const char *path) {
    static const char *const pages[] = {".html", ".xhtml", ".htm", ".xht"};
    static const char *const packed[] = {".gz", ".zst"};
    size_t n = strlen(path);
    for (size_t i = 0; i < 2; i++) n -= ends_with(path, n, packed[i]) ? strlen(packed[i]) : 0;
    for (size_t i = 0; i < 4; i++)
        if (ends_with(path, n, pages[i])) return true;
    return o->html;
}

/* Its language is that of -l, or the one it states. */
static int do_book(struct job *j, const char *path, const char *bytes, size_t n) {
    const struct options *o = j->o;
    const char *name = source_name(path);
    struct growing new = {0};
    struct book b;
    char why[WHY_ROOM];
    if (o->words || o->noperands > 1)
        return complain("%s: an EPUB goes alone, and not with --words", name), TROUBLE;
    if (!o->output && isatty(STDOUT_FILENO))
        return complain("an EPUB is not for a terminal; give -o FILE"), TROUBLE;
    if (!book_open(&b, bytes, n, why)) return complain("%s: %s", name, why), TROUBLE;
    int outcome = DONE;
    if (!o->lang && !b.language[0] && !o->strip)
        outcome = (complain("%s: it does not say its language; give -l", name), TROUBLE);
    if (outcome == DONE && !o->strip) outcome = begin_language(j, o->lang ? o->lang : b.language);
    if (outcome == DONE && !book_write(&b, &j->text, stop_asked, &new, why)) {
        outcome = why[0] ? TROUBLE : STOPPED;
        if (why[0]) complain("%s: %s", name, why);
    }
    if (outcome == DONE) {
        outcome = write_out(j, new.items, new.n);
        const bool changed = new.n != n || memcmp(new.items, bytes, n) != 0;
        if (outcome == DONE && b.has_signatures && changed)
            complain("%s: it is signed, and its signatures do not hold for the new book", name);
        remark("%s: %zu documents%s%s", name, b.ndocuments,
               b.nciphered ? ", encrypted ones left alone" : "",
               b.nforeign ? ", others than UTF-8 left alone" : "");
    }
    free(new.items);
    book_close(&b);
    return outcome;
}

/* One more piece of the file, behind what is in `held`. Reads more at once as more waits: so nothing
 * is looked at too often. */
static ssize_t read_more(struct job *j, struct source *source, struct growing *held) {
    const size_t waiting = held->n + j->text.held.n, room = waiting > CHUNK ? waiting : CHUNK;
    char *to = grow(held, room, 1);
    if (!to) return j->text.failed = true, -1;
    const ssize_t got = source_read(source, to, room);
    held->n -= room - (got > 0 ? (size_t)got : 0);
    return got;
}

static int do_lines(struct job *j, struct source *source, struct growing *held, ssize_t got) {
    struct growing line = {0};
    const char *mark = j->o->mark ? j->o->mark : "-";
    int outcome = DONE;
    for (; outcome == DONE && !j->text.failed; got = read_more(j, source, held)) {
        if (got < 0) break;
        const size_t done = spell_lines(j, held->items, held->n, got == 0, mark, &line);
        if (done) memmove(held->items, (char *)held->items + done, held->n - done);
        held->n -= done;
        outcome = write_out(j, NULL, 0);
        progress(j->text.words);
        if (got == 0) break;
    }
    free(line.items);
    return got < 0 ? TROUBLE : outcome;
}

static int do_text(struct job *j, struct source *source, struct growing *held, ssize_t got) {
    struct text *t = &j->text;
    int outcome = DONE;
    for (; outcome == DONE && !t->failed; got = read_more(j, source, held)) {
        if (got < 0) break;
        if (held->n) text_feed(t, held->items, held->n);
        if (got == 0) text_feed(t, NULL, 0);
        held->n = 0;
        outcome = write_out(j, t->out.items, t->out.n);
        t->out.n = 0;
        progress(t->words);
        if (got == 0) break;
    }
    /* What an unclosed element of one file said does not hold in the next. */
    t->open.n = 0, t->quiet = 0, t->speller = &j->own.speller;
    return got < 0 ? TROUBLE : outcome;
}

static int do_file(struct job *j, const char *path) {
    const struct options *o = j->o;
    struct source *source = source_open(path);
    struct growing held = {0};
    if (!source) return stop_asked() ? STOPPED : TROUBLE;
    ssize_t got = read_more(j, source, &held);
    /* A book is read whole; so is what may yet become one, by its first bytes. */
    while (got > 0 && held.n && book_begins(held.items, held.n)) got = read_more(j, source, &held);
    int outcome = got < 0 ? TROUBLE : DONE;
    if (outcome == DONE && held.n >= 4 && book_begins(held.items, 4)) {
        outcome = do_book(j, path, held.items, held.n);
    } else if (outcome == DONE) {
        j->text.html = is_page(o, path);
        if (!o->strip) outcome = begin_language(j, default_tag(o));
        if (outcome == DONE)
            outcome = (o->words && !o->strip ? do_lines : do_text)(j, source, &held, got);
    }
    if (outcome == TROUBLE && stop_asked()) outcome = STOPPED;
    if (j->text.failed) complain("%s: out of memory", source_name(path)), outcome = TROUBLE;
    free(held.items);
    source_close(source);
    return outcome;
}

static int do_files(struct job *j) {
    static char standard_input[] = "-", *only[] = {standard_input};
    const struct options *o = j->o;
    char **files = o->noperands ? o->operands : only;
    const size_t n = o->noperands ? o->noperands : 1;
    const bool to_stream = !o->output || !strcmp(o->output, "-");
    int outcome = to_stream ? check_output("-", files, n) : DONE;
    if (outcome == DONE) outcome = draft_open(&j->draft, o->output, &j->out);
    if (outcome != DONE) return outcome;
    j->text.strip = o->strip, j->text.no_caps = o->no_caps, j->text.min_word = o->min_word;
    for (size_t i = 0; i < n && outcome == DONE; i++) outcome = do_file(j, files[i]);
    if (j->exceptions.unreadable) outcome = (complain("the exceptions could not be read"), TROUBLE);
    progress_end();
    outcome = draft_end(&j->draft, outcome);
    if (o->stats && outcome == DONE) print_stats(j);
    return outcome;
}

/* The patterns, and what of theirs stands in files beside them. */
static bool is_read(const char *output, const char *patterns) {
    static const char *const endings[] = {".pat.txt", ".hyp.txt", ".tex"};
    const size_t n = strlen(patterns), end = strlen(endings[0]);
    char beside[sizeof((struct language *)0)->path];
    if (!strcmp(output, "-")) output = "/dev/stdout";
    if (same_file(output, patterns)) return true;
    if (n <= end || n >= sizeof beside || strcmp(patterns + n - end, endings[0])) return false;
    for (size_t i = 1; i < sizeof endings / sizeof *endings; i++) {
        snprintf(beside, sizeof beside, "%.*s%s", (int)(n - end), patterns, endings[i]);
        if (same_file(output, beside)) return true;
    }
    return false;
}

static int compile(struct job *j) {
    if (is_read(j->o->compile, j->own.path))
        return complain("%s: is read, and cannot be written at the same time; give --compile "
                        "another file",
                        strcmp(j->o->compile, "-") ? j->o->compile : "standard output"),
               TROUBLE;
    int outcome = draft_open(&j->draft, j->o->compile, &j->out);
    if (outcome != DONE) return outcome;
    if (!hyphen_write(j->own.h, j->out)) outcome = draft_trouble(&j->draft);
    return draft_end(&j->draft, outcome);
}

/* -o is where text goes; what makes none would leave that file as it is. */
static int check_place(const struct options *o) {
    const char *first = o->noperands ? o->operands[0] : "";
    const bool store = !strcmp(first, "learn") || !strcmp(first, "forget");
    if (!o->output || !(o->list || o->compile || o->explain || store)) return DONE;
    complain("hyphen: -o is for text and books; leave it out with %s",
             o->list      ? "--list"
             : store      ? first
             : o->compile ? "--compile, which names its file"
                          : "--explain");
    return TROUBLE;
}

/* What is compiled is the pattern file, as it is. */
static int check_compile(const struct options *o) {
    const char *lost = o->exceptions.n ? "--exceptions" : o->left ? "--left" : "--right";
    if (!o->compile || !(o->exceptions.n || o->left || o->right)) return DONE;
    complain("hyphen: --compile keeps no %s; leave it out, and give it where the file is used",
             lost);
    return TROUBLE;
}

int cmd_hyphen(struct options *o) {
    if (check_place(o) != DONE || check_compile(o) != DONE || check_guard(o) != DONE)
        return TROUBLE;
    if (o->list) return places_each(print_place, NULL), DONE;
    if (o->noperands && !strcmp(o->operands[0], "learn")) return change_store(o, true);
    if (o->noperands && !strcmp(o->operands[0], "forget")) return change_store(o, false);
    struct job *j = calloc(1, sizeof *j);
    if (!j) return complain("out of memory"), TROUBLE;
    j->o = o;
    j->text = (struct text){.speller_for = speller_for, .self = j};
    j->text.mark = o->mark ? o->mark : "\xc2\xad";
    int outcome = DONE;
    /* Without -l a book has its say first. */
    if (o->compile || o->explain || ((o->lang || o->patterns) && !o->strip))
        outcome = begin_language(j, default_tag(o));
    if (outcome != DONE) {
    } else if (o->compile) {
        outcome = compile(j);
    } else if (o->explain) {
        outcome = explain(j, j->own.path);
    } else {
        outcome = do_files(j);
    }
    free_job(j);
    return outcome;
}
