/* cmd_bench.c - sito bench: how fast is each kind on this machine? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "options.h"
#include "report.h"
#include "speed.h"
#include "talk.h"
#include "wish.h"

enum { USUAL_KEYS = 1000000, QUICK_KEYS = 100000, KINDS_MOST = 32 };
enum form { TABLE, JSON, CSV, MARKDOWN };

/* What a command line asks for, size by size. */
struct bench {
    sito_plan wish;
    bool reject;
    enum form form;
    struct effort effort;
    const char *kinds[KINDS_MOST];
    size_t nkinds;
    struct speed speeds[KINDS_MOST];
    bool headed; /* CSV names its columns once */
};

/* ---- the wish ---- */

/* Is this kind one of `list`, parted by commas? */
static bool listed(const char *list, const char *kind) {
    const size_t n = strlen(kind);
    for (const char *p = list; p; p = strchr(p, ',')) {
        if (*p == ',') p++;
        if (!strncmp(p, kind, n) && (!p[n] || p[n] == ',')) return true;
    }
    return false;
}

static int check_kinds(const char *list) {
    char kind[64];
    for (size_t n; list; list = list[n] ? list + n + 1 : NULL) {
        n = strcspn(list, ",");
        snprintf(kind, sizeof kind, "%.*s", (int)(n < sizeof kind ? n : sizeof kind - 1), list);
        if (check_kind(kind) != DONE) return TROUBLE;
    }
    return DONE;
}

static int choose_kinds(struct bench *b, const char *list) {
    const char *kind;
    if (list && check_kinds(list) != DONE) return TROUBLE;
    if (!list && b->reject) list = "exact,compact,bloom,parted,block,counting,cuckoo";
    for (size_t i = 0; (kind = sito_kind_at(i)) && b->nkinds < KINDS_MOST; i++)
        if (!list || listed(list, kind)) b->kinds[b->nkinds++] = kind;
    return DONE;
}

static int choose_form(const struct options *o, enum form *form) {
    static const char *const names[] = {"", "json", "csv", "md"};
    *form = o->json ? JSON : TABLE;
    if (!o->export) return DONE;
    for (*form = JSON; *form <= MARKDOWN; (*form)++)
        if (!strcmp(o->export, names[*form])) break;
    if (*form > MARKDOWN)
        return complain("--export: `%s` is none of json, csv and md", o->export), TROUBLE;
    if (o->json && *form != JSON)
        return complain("--json and --export %s cannot both be", o->export), TROUBLE;
    return DONE;
}

static struct effort effort_of(const struct options *o) {
    struct effort e = {.rounds = 9, .nasked = (size_t)1 << 18, .raw = true};
    static const double ends[] = {0, 1}, all[SHARES] = {0, .1, .25, .5, .75, .9, 1};
    if (o->reject) e.nasked = (size_t)1 << 17, e.raw = false;
    if (o->quick) e.rounds = 3, e.nasked = (size_t)1 << 15;
    e.nshares = o->reject ? SHARES : 2;
    memcpy(e.shares, o->reject ? all : ends, e.nshares * sizeof *e.shares);
    return e;
}

/* ---- figures for programs ---- */

struct cell {
    const char *name, *word; /* no word: the value */
    double value;
};

/* What lies beyond hundredths of a nanosecond is noise. */
static double hundredths(double x) { return round(100 * x) / 100; }

static void print_value(const struct cell *cell) {
    char room[NUMBER_ROOM];
    if (cell->word) fputs(cell->word, stdout);
    else if (!(cell->value > floor(cell->value))) printf("%.0f", cell->value);
    else fputs(exact_real(cell->value, room), stdout);
}

static void print_cells(struct bench *b, const struct cell *cells, size_t n) {
    struct report r;
    if (b->form == JSON) {
        report_begin(&r, true);
        for (size_t i = 0; i < n; i++)
            if (cells[i].word) report_text(&r, cells[i].name, cells[i].word);
            else report_real(&r, cells[i].name, cells[i].value);
        report_end(&r);
        return;
    }
    for (size_t i = 0; i < n && !b->headed; i++)
        printf("%s%c", cells[i].name, i + 1 < n ? ',' : '\n');
    b->headed = true;
    for (size_t i = 0; i < n; i++) {
        print_value(&cells[i]);
        putchar(i + 1 < n ? ',' : '\n');
    }
}

static double bits_a_key(const struct speed *s) {
    return 8 * (double)s->bytes / (double)s->plan.nkeys;
}

static double measured(const struct speed *s) { return (double)s->taken / (double)s->strangers; }

static void print_figures(struct bench *b, const struct speed *s) {
    const struct cell cells[] = {
        {"bench", "kinds", 0},
        {"kind", s->plan.kind, 0},
        {"nkeys", NULL, (double)s->plan.nkeys},
        {"bytes", NULL, (double)s->bytes},
        {"bits_per_key", NULL, hundredths(bits_a_key(s))},
        {"real_fpr", NULL, s->plan.real_fpr},
        {"measured_fpr", NULL, measured(s)},
        {"asked", NULL, (double)s->strangers},
        {"build_ns", NULL, hundredths(s->build)},
        {"inside_ns", NULL, hundredths(s->single[0])},
        {"stranger_ns", NULL, hundredths(s->single[1])},
        {"inside_many_ns", NULL, hundredths(s->many[0])},
        {"stranger_many_ns", NULL, hundredths(s->many[1])},
        {"hash_ns", NULL, hundredths(s->hash)},
        {"raw_plain_ns", NULL, hundredths(s->raw_plain)},
        {"raw_best_ns", NULL, hundredths(s->raw_best)},
        {"build_of_best", NULL, hundredths(s->build / s->raw_best)},
        {"inside_of_plain", NULL, hundredths(s->single[0] / s->raw_plain)},
        {"stranger_of_plain", NULL, hundredths(s->single[1] / s->raw_plain)},
        {"inside_many_of_best", NULL, hundredths(s->many[0] / s->raw_best)},
        {"stranger_many_of_best", NULL, hundredths(s->many[1] / s->raw_best)},
        {"rounds", NULL, b->effort.rounds},
        {"sum", NULL, (double)(s->sum % 1000000007)},
    };
    print_cells(b, cells, sizeof cells / sizeof *cells);
}

static void print_shares(struct bench *b, const struct speed *s) {
    for (size_t i = 0; i < b->effort.nshares; i++) {
        const struct cell cells[] = {
            {"bench", "reject", 0},
            {"kind", s->plan.kind, 0},
            {"nkeys", NULL, (double)s->plan.nkeys},
            {"bits_per_key", NULL, hundredths(bits_a_key(s))},
            {"real_fpr", NULL, s->plan.real_fpr},
            {"strangers", NULL, b->effort.shares[i]},
            {"ns", NULL, hundredths(s->single[i])},
            {"many_ns", NULL, hundredths(s->many[i])},
            {"rounds", NULL, b->effort.rounds},
        };
        print_cells(b, cells, sizeof cells / sizeof *cells);
    }
}

/* ---- tables for people ---- */

static void print_caption(const struct bench *b, const char *more) {
    char keys[NUMBER_ROOM];
    if (b->wish.nkeys) printf("%s keys of 8 bytes", human_count(b->wish.nkeys, keys));
    else fputs("As many keys of 8 bytes as fit", stdout);
    if (b->wish.fpr > 0) printf(" at %.3g %%", 100 * b->wish.fpr);
    printf(": nanoseconds a key, the least of %u rounds%s\n%s", b->effort.rounds, more,
           b->form == MARKDOWN ? "\n" : "");
}

/* Three digits are what a benchmark knows. */
static int decimals(double x) { return x < 9.995 ? 2 : x < 99.95 ? 1 : 0; }
#define THREE(x) decimals(x), (x)

static void print_row(struct bench *b, const struct speed *s) {
    char promised[NUMBER_ROOM], found[NUMBER_ROOM];
    snprintf(promised, sizeof promised, "%.3g %%", 100 * s->plan.real_fpr);
    snprintf(found, sizeof found, "%.3g %%", 100 * measured(s));
    printf(b->form == MARKDOWN
               ? "| `%s` | %.*f | %s | %s | %.*f | %.*f | %.*f | %.*f | %.*f | %.*f "
                 "| %.*f |\n"
               : "%-13s%8.*f %10s %10s %6.*f %7.*f %8.*f %7.*f %8.*f %6.*f %9.*f\n",
           s->plan.kind, THREE(bits_a_key(s)), promised, found, THREE(s->build),
           THREE(s->single[0]), THREE(s->single[1]), THREE(s->many[0]), THREE(s->many[1]),
           THREE(s->raw_best), THREE(s->many[1] / s->raw_best));
}

static void print_head(const struct bench *b) {
    print_caption(b, "");
    fputs(b->form == MARKDOWN
              ? "| kind | bits a key | promised | measured | build | inside | stranger | inside, "
                "batched | stranger, batched | raw read | stranger, batched / raw |\n"
                "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
              : "                        errs       errs             one by one          batched"
                "    raw  stranger\n"
                "kind         bits/key   promised   measured  build  inside stranger  inside"
                " stranger   read     / raw\n",
          stdout);
}

static void print_mix(const struct bench *b, const struct speed *s, const double *ns) {
    const bool md = b->form == MARKDOWN;
    printf(md ? "| `%s` | %.*f |" : "%-13s%8.*f", s->plan.kind, THREE(bits_a_key(s)));
    for (size_t i = 0; i < b->effort.nshares; i++) printf(md ? " %.*f |" : " %7.*f", THREE(ns[i]));
    putchar('\n');
}

static void print_mix_head(const struct bench *b, const char *how) {
    const bool md = b->form == MARKDOWN;
    print_caption(b, how);
    fputs(md ? "| kind | bits a key |" : "kind         bits/key", stdout);
    for (size_t i = 0; i < b->effort.nshares; i++)
        printf(md ? " %.0f %% |" : " %5.0f %%", 100 * b->effort.shares[i]);
    fputs("\n", stdout);
    for (size_t i = 0; i < b->effort.nshares && md; i++)
        fputs(i ? "---:|" : "|---|---:|---:|", stdout);
    fputs(md ? "\n" : "", stdout);
}

static void print_single(struct bench *b, const struct speed *s) { print_mix(b, s, s->single); }
static void print_many(struct bench *b, const struct speed *s) { print_mix(b, s, s->many); }

/* ---- all of one size ---- */

static void print_refusal(const struct bench *b, size_t i) {
    const struct speed *s = &b->speeds[i];
    char room[REASON_ROOM];
    sito_plan wish = b->wish;
    wish.kind = b->kinds[i];
    const char *why = !s->planned              ? reason(&wish, s->rc, room)
                      : s->rc == SITO_EDAMAGED ? "a key that was added is denied"
                                               : sito_strerror(s->rc);
    if (b->form == JSON) {
        struct report r;
        report_begin(&r, true);
        report_text(&r, "bench", b->reject ? "reject" : "kinds");
        report_text(&r, "kind", b->kinds[i]);
        report_text(&r, "why", why);
        report_end(&r);
    } else {
        complain("%s: %s", b->kinds[i], why);
    }
}

static void print_each(struct bench *b, void (*print)(struct bench *b, const struct speed *s)) {
    for (size_t i = 0; i < b->nkinds; i++)
        if (b->speeds[i].rc == SITO_OK) print(b, &b->speeds[i]);
}

static void print_all(struct bench *b) {
    if (b->form == JSON || b->form == CSV) {
        print_each(b, b->reject ? print_shares : print_figures);
    } else if (!b->reject) {
        print_head(b);
        print_each(b, print_row);
    } else {
        print_mix_head(b, ", by the share of strangers; one by one");
        print_each(b, print_single);
        putchar('\n');
        print_mix_head(b, ", by the share of strangers; batched");
        print_each(b, print_many);
    }
}

/* In turn: a bad moment of the machine meets all kinds. */
static int measure_all(struct bench *b) {
    uint64_t nkeys = 0;
    int outcome = TROUBLE;
    memset(b->speeds, 0, sizeof b->speeds);
    for (unsigned round = 0; round < b->effort.rounds; round++)
        for (size_t i = 0; i < b->nkinds; i++) {
            sito_plan wish = b->wish;
            wish.kind = b->kinds[i];
            speed_round(&b->speeds[i], &wish, &b->effort, round);
            if (stop_asked()) return STOPPED;
            progress(nkeys += b->speeds[i].plan.nkeys);
        }
    for (size_t i = 0; i < b->nkinds; i++) {
        const sito_rc rc = b->speeds[i].rc;
        if (rc == SITO_EDAMAGED) return TROUBLE;
        if (rc == SITO_OK) outcome = DONE;
        else if ((rc == SITO_ELIMIT || rc == SITO_EFULL) && outcome != DONE) outcome = SHORT;
    }
    return outcome;
}

/* DONE if any kind could be measured. */
static int bench_size(struct bench *b, bool first) {
    const int outcome = measure_all(b);
    progress_end();
    if (outcome == STOPPED) return STOPPED;
    for (size_t i = 0; i < b->nkinds; i++)
        if (b->speeds[i].rc != SITO_OK) print_refusal(b, i);
    if (outcome != DONE) return outcome;
    if (!first && (b->form == TABLE || b->form == MARKDOWN)) putchar('\n');
    print_all(b);
    return flush_output();
}

/* Every size is read before the first is measured: a typo should not cost a minute. */
static int read_sizes(const struct options *o, uint64_t *sizes) {
    const char *why;
    if (o->noperands && o->wish.nkeys)
        return complain("bench: the keys are given twice, as N and with -n"), TROUBLE;
    for (size_t i = 0; i < o->noperands; i++)
        if (!parse_count(o->operands[i], &sizes[i], &why))
            return complain("bench: N: `%s` %s", o->operands[i], why), TROUBLE;
    if (!o->noperands)
        sizes[0] = is_sized(&o->wish) ? o->wish.nkeys : o->quick ? QUICK_KEYS : USUAL_KEYS;
    return DONE;
}

/* A window forgets all but its last keys, and those asked for are all. */
static int check_window(const struct bench *b, const uint64_t *sizes, size_t n) {
    char window[NUMBER_ROOM], keys[NUMBER_ROOM];
    bool forgets = false;
    for (size_t i = 0; i < b->nkinds; i++) forgets |= !strcmp(b->kinds[i], SITO_AGED);
    for (size_t i = 0; i < n && forgets && b->wish.window; i++)
        if (sizes[i] > b->wish.window) {
            complain("bench: a --window of %s forgets some of %s keys; give one of no less",
                     human_count(b->wish.window, window), human_count(sizes[i], keys));
            return TROUBLE;
        }
    return DONE;
}

int cmd_bench(struct options *o) {
    struct bench b = {.wish = o->wish, .reject = o->reject, .effort = effort_of(o)};
    const size_t nsizes = o->noperands ? o->noperands : 1;
    uint64_t *sizes = calloc(nsizes, sizeof *sizes);
    if (!sizes) return complain("bench: %s", sito_strerror(SITO_ENOMEM)), TROUBLE;
    int outcome = read_sizes(o, sizes);
    if (outcome == DONE) outcome = choose_form(o, &b.form);
    if (outcome == DONE) outcome = choose_kinds(&b, o->wish.kind);
    if (outcome == DONE) outcome = check_window(&b, sizes, nsizes);
    if (outcome == DONE) speed_pin();
    for (size_t i = 0; i < nsizes && outcome == DONE; i++) {
        b.wish.nkeys = sizes[i];
        outcome = bench_size(&b, i == 0);
    }
    free(sizes);
    return outcome;
}
