/*
 * hyphenation.c - does a filter before a dictionary of exceptions pay?
 *
 *     hyphenation startup FOLDER REPEATS NRATES     time until words can be asked, by the guard's rate
 *     hyphenation running FOLDER REPEATS NRATES EVERY   time of the words, exceptions in memory and on a warm disk
 *     hyphenation stores  FOLDER REPEATS N EVERY [PLACE]   the same with all places to keep N exceptions, or one of them
 *     hyphenation sizes   FOLDER REPEATS MOST       time until words can be asked, and bytes, up to MOST exceptions
 *
 * FOLDER is for stores, and may hold exceptions.tex; further exceptions, or all, are made up. Words and patterns are Debian's;
 * EVERY 100 takes one word in a hundred.
 *
 * A word goes the same way everywhere: small letters, guard, exceptions, patterns. What differs is where exceptions are:
 *   memory   an `exact` table from the word to its entry
 *   warm     the sorted store of `sito hyphen`, a file whose pages the system has in memory: one pread and a checksum
 *   cold     the same with its pages dropped before each read
 *   remote   100 microseconds of doing nothing, then the table: a stand-in for a store elsewhere
 *
 * After each pass the breaks are compared with those found without a guard.
 */
#include "bench.h"

#include <fcntl.h>
#include <math.h>
#include <sito/exact.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "hyphen/letters.h"
#include "hyphen/text.h"

enum { HYPHENEX = 1753, REMOTE_NS = 100000, MANY = 10000, SHORT = 100000 };

static const char patterns_path[] = "/usr/share/hyphen/hyph_en_US.dic",
                  words_path[] = "/usr/share/dict/american-english-insane";

static const char *const guards[] = {SITO_BLOOM, SITO_CUCKOO, SITO_BLOCK, SITO_FUSE};
enum { NGUARDS = sizeof guards / sizeof *guards };

static void stop(const char *why) {
    fprintf(stderr, "hyphenation: %s\n", why);
    exit(1);
}

static void fine(int rc) {
    if (rc < 0) stop(sito_strerror(rc));
}

/* ---- means ---- */

enum { MOST_REPEATS = 100 };

struct sample {
    double x[MOST_REPEATS];
    int n;
};

static void note(struct sample *s, double x) {
    if (s->n < MOST_REPEATS) s->x[s->n++] = x;
}

static double mean(const struct sample *s) {
    double sum = 0;
    for (int i = 0; i < s->n; i++) sum += s->x[i];
    return sum / s->n;
}

/* Half the width of the interval that holds the mean with 95 %, by Student's distribution. */
static double half_width(const struct sample *s) {
    static const double student[] = {0,     12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                     2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                                     2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
                                     2.064, 2.060, 2.056, 2.052, 2.048, 2.045};
    const int free = s->n - 1;
    double squares = 0;
    if (!free) return 0;
    for (int i = 0; i < s->n; i++) squares += (s->x[i] - mean(s)) * (s->x[i] - mean(s));
    return (free < 30 ? student[free] : 2.0) * sqrt(squares / free / s->n);
}

/* ---- words and exceptions ---- */

struct words {
    hyphen *h;
    hyphen_room *room;
    char *text;
    const char **at;
    size_t *bytes, n;
};

/* Every `every`-th word of the list, one behind the other. */
static struct words read_words(size_t every) {
    struct words w = {0};
    char why[WHY_ROOM];
    struct patterns p;
    size_t n;
    if (!patterns_read(&p, patterns_path, why) || !(w.h = hyphen_compile(&p, why))) stop(why);
    patterns_free(&p);
    w.room = must(hyphen_room_new());
    w.text = read_whole(words_path, &n);
    if (!w.text) stop("no word list; tools/setup lab installs it");
    w.at = must(malloc(n * sizeof *w.at)), w.bytes = must(malloc(n * sizeof *w.bytes));
    char *to = w.text;
    size_t number = 0;
    for (char *s = w.text, *end; (end = strchr(s, '\n')); s = end + 1) {
        const size_t bytes = (size_t)(end - s);
        if (number++ % every) continue;
        w.at[w.n] = memmove(to, s, bytes), w.bytes[w.n++] = bytes;
        to += bytes;
    }
    return w;
}

static void free_words(struct words *w) {
    hyphen_free(w->h);
    hyphen_room_free(w->room);
    free(w->text), free(w->at), free(w->bytes);
}

/* Hyphenex as it is, and made-up words of four syllables, each of its own number. */
struct lists {
    char *tex;
    size_t tex_bytes, nwords;
    struct growing made_up;
};

static void make_up(struct growing *text, uint64_t number) {
    static const char *const heads[] = {"b", "d", "f", "g", "k",  "l",
                                        "m", "n", "p", "r", "st", "tr"},
                             *const tails[] = {"a",  "e",  "i",  "o",  "u",
                                               "an", "er", "il", "ot", "us"};
    char line[64];
    size_t n = 0;
    /* One to one on numbers below 120^4, and neighbours come far apart. */
    number = number * 100000007 % 207360000;
    for (int i = 0; i < 4; i++, number /= 120)
        n += (size_t)sprintf(line + n, "%s%s%s", i ? "-" : "", heads[number % 12],
                             tails[number % 120 / 12]);
    line[n++] = '\n';
    memcpy(must(grow(text, n, 1)), line, n);
}

static struct lists make_lists(const char *folder, uint64_t nwords) {
    struct lists l = {.nwords = nwords};
    char path[4096];
    snprintf(path, sizeof path, "%s/exceptions.tex", folder);
    if (access(path, R_OK) == 0) l.tex = must(read_whole(path, &l.tex_bytes));
    for (uint64_t i = l.tex ? HYPHENEX : 0; i < nwords; i++) make_up(&l.made_up, i);
    return l;
}

static void free_lists(struct lists *l) { free(l->tex), free(l->made_up.items); }

static struct word_list parsed(const struct lists *l) {
    struct word_list list = {0};
    char why[WHY_ROOM];
    if ((l->tex && !words_parse(&list, "exceptions.tex", l->tex, l->tex_bytes, why)) ||
        (l->made_up.n && !words_parse(&list, "made up", l->made_up.items, l->made_up.n, why)))
        stop(why);
    return list;
}

/* ---- places to keep exceptions ---- */

struct shop {
    struct lists lists;
    char path[4096]; /* of the store */
    struct store store;
    struct word_list list; /* what the table points into */
    sito_filter *table;
};

typedef bool find(struct shop *s, const char *word, size_t n, struct entry *out);

static bool find_in_memory(struct shop *s, const char *word, size_t n, struct entry *out) {
    uint64_t number;
    if (sito_exact_get(s->table, word, n, &number) != 1) return false;
    *out = ((struct entry *)s->list.entries.items)[number];
    return true;
}

static bool find_warm(struct shop *s, const char *word, size_t n, struct entry *out) {
    const int answer = store_find(&s->store, word, n, out);
    if (answer < 0) stop("the store cannot be read");
    return answer;
}

static bool find_cold(struct shop *s, const char *word, size_t n, struct entry *out) {
    posix_fadvise(s->store.fd, 0, 0, POSIX_FADV_DONTNEED);
    return find_warm(s, word, n, out);
}

static bool find_remotely(struct shop *s, const char *word, size_t n, struct entry *out) {
    for (const double begin = thread_ns(); thread_ns() < begin + REMOTE_NS;) continue;
    return find_in_memory(s, word, n, out);
}

enum { MEMORY, WARM, COLD, REMOTE, NPLACES };

static const struct {
    const char *name;
    find *find;
    double (*clock)(void); /* others' work on this machine does not count, but waiting does */
} places[NPLACES] = {{"memory", find_in_memory, thread_ns},
                     {"warm", find_warm, thread_ns},
                     {"cold", find_cold, wall_ns},
                     {"remote", find_remotely, thread_ns}};

static void open_shop(struct shop *s, const char *folder, uint64_t nwords) {
    char why[WHY_ROOM], word[STORE_WORD];
    const sito_plan none = {0};
    *s = (struct shop){.lists = make_lists(folder, nwords)};
    snprintf(s->path, sizeof s->path, "%s/store", folder);
    unlink(s->path);
    s->list = parsed(&s->lists);
    if (exceptions_learn(s->path, &s->list, &none, why) != (int64_t)nwords)
        stop("not as many words");
    const int fd = open(s->path, O_RDONLY);
    if (store_open(&s->store, fd)) stop("no store");
    posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM); /* no reading ahead */
    sito_plan plan = {.kind = SITO_EXACT, .nkeys = nwords, .seed = 1};
    fine(sito_new(&plan, NULL, &s->table));
    const struct entry *entries = s->list.entries.items; /* sorted now, and a set */
    for (size_t i = 0; i < s->list.entries.n; i++)
        fine(sito_exact_put(s->table, word, entry_word(&entries[i], word), i));
}

static void close_shop(struct shop *s) {
    unlink(s->path);
    store_close(&s->store);
    sito_free(s->table);
    words_free(&s->list);
    free_lists(&s->lists);
}

/* A guard for the store: of another seed in each repetition, so that no filter's luck counts. */
static sito_filter *guard_of(const struct shop *s, const char *kind, double rate, uint64_t seed) {
    char why[WHY_ROOM];
    struct exceptions x;
    const sito_plan plan = {.kind = kind, .fpr = rate, .seed = seed};
    if (!kind) return NULL;
    if (!exceptions_open(&x, s->path, &plan, why)) stop(why);
    store_close(&x.store);
    return x.guard;
}

/* ---- a pass over the words ---- */

struct outcome {
    uint64_t words, passed, found, breaks; /* the last a sum of all places, in order */
    double ns;
};

static uint64_t breaks_of_entry(const hyphen *h, const struct entry *e, uint64_t sum) {
    size_t letters = 0, all = 0;
    for (size_t i = 0; i < e->bytes; i++) all += e->text[i] != '-';
    for (size_t i = 0; i < e->bytes; i++) {
        if (e->text[i] != '-') letters++;
        else if (letters >= hyphen_left(h) && all - letters >= hyphen_right(h))
            sum = sum * 31 + letters;
    }
    return sum;
}

/* `look_up` NULL: no exceptions at all. */
static inline void walk(const struct words *w, struct shop *s, find *look_up,
                        const sito_filter *guard, struct outcome *o) {
    for (size_t i = 0; i < w->n; i++) {
        const struct hyphen_break *breaks;
        char small[2 * STORE_WORD];
        struct entry e;
        bool is_exception = false;
        o->words++;
        if (look_up) {
            const size_t n = fold_word(w->at[i], w->bytes[i], small);
            if (!guard || sito_maybe(guard, small, n)) {
                o->passed++;
                is_exception = look_up(s, small, n, &e);
            }
        }
        if (is_exception) {
            o->found++;
            o->breaks = breaks_of_entry(w->h, &e, o->breaks);
            continue;
        }
        const size_t n = hyphen_word(w->h, w->room, w->at[i], w->bytes[i], &breaks);
        for (size_t k = 0; k < n; k++) o->breaks = o->breaks * 31 + breaks[k].at;
    }
}

static struct outcome pass(const struct words *w, struct shop *s, int place,
                           const sito_filter *guard) {
    struct outcome o = {0};
    const double begin = places[place].clock();
    walk(w, s, places[place].find, guard, &o);
    o.ns = places[place].clock() - begin;
    return o;
}

static struct outcome pass_without(const struct words *w) {
    struct outcome o = {0};
    const double begin = thread_ns();
    walk(w, NULL, NULL, NULL, &o);
    o.ns = thread_ns() - begin;
    return o;
}

/* ---- tables of passes ---- */

struct setting {
    const char *kind; /* NULL: no guard; "" no exceptions */
    double rate;
    int place;
    sito_filter *guard; /* kept, if it takes long to make */
    double stated;
    uint64_t passed, found, asked;
    struct sample ms;
};

/* A pass over few words begins with what the one before left in the caches: let that be its like. */
static void one_pass(const struct words *w, struct shop *s, struct setting *g, uint64_t seed,
                     uint64_t truth) {
    sito_info info = {0};
    struct outcome o;
    if (g->kind && !*g->kind) {
        if (w->n < SHORT) pass_without(w);
        o = pass_without(w);
    } else {
        sito_filter *guard = g->guard ? g->guard : guard_of(s, g->kind, g->rate, seed);
        if (guard) fine(sito_look(guard, &info)), g->stated = info.real_fpr;
        if (w->n < SHORT && g->place <= WARM) pass(w, s, g->place, guard);
        o = pass(w, s, g->place, guard);
        if (s->lists.nwords > MANY) g->guard = guard;
        else sito_free(guard);
        if (o.breaks != truth) stop("a guard changed an answer");
    }
    g->asked += o.words, g->passed += o.passed, g->found += o.found;
    note(&g->ms, 1e-6 * o.ns);
}

static void print_setting(const struct shop *s, const struct setting *g, int repeats) {
    const bool bare = g->kind && !*g->kind;
    const double words = (double)g->asked / repeats;
    printf("%s\t%zu\t%s\t%.0f\t%.5f\t%.0f\t%.5f\t%.1f\t%.3f\t%.3f\t%.1f\t%.1f\n",
           bare ? "-" : places[g->place].name, bare ? 0 : s->lists.nwords,
           bare      ? "no-exceptions"
           : g->kind ? g->kind
                     : "none",
           100 * g->rate, g->stated, words,
           (double)(g->passed - g->found) / (double)(g->asked - g->found),
           (double)g->passed / repeats, mean(&g->ms), half_width(&g->ms),
           1e6 * mean(&g->ms) / words, 1e6 * half_width(&g->ms) / words);
    fflush(stdout);
}

/* All settings once, then all again: what drifts on this machine drifts for all alike. */
static void run_settings(const struct words *w, struct shop *s, struct setting *all, size_t n,
                         int repeats) {
    const uint64_t truth = pass(w, s, MEMORY, NULL).breaks;
    for (int r = 0; r < repeats; r++)
        for (size_t i = 0; i < n; i++) one_pass(w, s, &all[i], (uint64_t)r + 1, truth);
    for (size_t i = 0; i < n; i++) print_setting(s, &all[i], repeats), sito_free(all[i].guard);
}

static const char run_head[] = "store\texceptions\tguard\tpercent\tstated\twords\terrors\tlookups\t"
                               "ms\tms_95\tns_a_word\tns_95";

static void running(const char *folder, int repeats, int nrates, size_t every) {
    struct words w = read_words(every);
    struct shop s;
    struct setting all[4 + 2 * 20 * NGUARDS] = {{.kind = ""}, {.kind = NULL}, {.place = WARM}};
    size_t n = 3;
    open_shop(&s, folder, HYPHENEX);
    for (size_t k = 0; k < NGUARDS; k++)
        for (int percent = 1; percent <= nrates; percent++) {
            const double rate = percent / 100.0;
            const bool marked = percent == 1 || percent == 5 || percent == 20;
            /* The thesis's two at each rate, the others at some. */
            if (k < 2 || marked || percent == 2 || percent == 10)
                all[n++] = (struct setting){guards[k], rate, .place = MEMORY};
            if (marked) all[n++] = (struct setting){guards[k], rate, .place = WARM};
        }
    puts(run_head);
    run_settings(&w, &s, all, n, repeats);
    close_shop(&s);
    free_words(&w);
}

/* Place by place: one that waits for a disk leaves the caches to others. */
static void stores(const char *folder, int repeats, uint64_t nwords, size_t every,
                   const char *only) {
    static const int percents[] = {1, 2, 5, 10, 20};
    struct words w = read_words(every);
    struct shop s;
    open_shop(&s, folder, nwords);
    puts(run_head);
    for (int place = 0; place < NPLACES; place++) {
        struct setting all[2 + NGUARDS * 5] = {{.place = place}};
        size_t n = 1;
        /* Where a lookup takes long, its time hides all others: the ends are enough. */
        if (place >= COLD && nwords >= MANY && nwords < 100 * MANY) continue;
        if (only && strcmp(only, places[place].name)) continue;
        if (place == MEMORY) all[n++] = (struct setting){.kind = ""};
        for (size_t k = 0; k < NGUARDS; k++)
            for (int r = 0; r < 5; r++)
                if (nwords == HYPHENEX || r % 2 == 0)
                    all[n++] = (struct setting){guards[k], percents[r] / 100.0, .place = place};
        run_settings(&w, &s, all, n, repeats);
    }
    close_shop(&s);
    free_words(&w);
}

/* ---- start-up ---- */

/* From the text of a list to the first question: in all, and the guard alone, of words that are sorted already. */
static void start(const struct shop *s, const char *kind, double rate, uint64_t seed,
                  struct sample *whole_us, struct sample *guard_us, uint64_t *bytes) {
    char why[WHY_ROOM];
    struct exceptions x;
    sito_info info = {0};
    const sito_plan plan = {.kind = kind, .fpr = rate, .seed = seed};
    double begin = thread_ns();
    struct word_list list = parsed(&s->lists);
    if (!exceptions_make(&x, &list, &plan, why)) stop(why);
    note(whole_us, 1e-3 * (thread_ns() - begin));
    if (x.guard) sito_look(x.guard, &info);
    *bytes = info.bytes;
    exceptions_close(&x);
    words_free(&list);
    begin = thread_ns();
    sito_filter *guard = guard_of(s, kind, rate, seed);
    note(guard_us, 1e-3 * (thread_ns() - begin));
    sito_free(guard);
}

static void startup(const char *folder, int repeats, int nrates) {
    enum { NKINDS = NGUARDS + 1 };
    static struct sample whole[NKINDS][21], guard[NKINDS][21];
    uint64_t bytes[NKINDS][21] = {{0}};
    struct shop s;
    open_shop(&s, folder, HYPHENEX);
    puts("guard\tpercent\tbytes\twhole_us\twhole_95\tguard_us\tguard_95");
    for (int r = -1; r < repeats; r++) /* the first is not counted: caches are empty */
        for (int k = 0; k < NKINDS; k++)
            for (int percent = 1; percent <= (k ? nrates : 1); percent++) {
                if (r == 0) whole[k][percent].n = guard[k][percent].n = 0;
                start(&s, k ? guards[k - 1] : NULL, percent / 100.0, (uint64_t)r + 2,
                      &whole[k][percent], &guard[k][percent], &bytes[k][percent]);
            }
    for (int k = 0; k < NKINDS; k++)
        for (int percent = 1; percent <= (k ? nrates : 1); percent++)
            printf("%s\t%d\t%" PRIu64 "\t%.2f\t%.2f\t%.2f\t%.2f\n", k ? guards[k - 1] : "none",
                   k ? percent : 0, bytes[k][percent], mean(&whole[k][percent]),
                   half_width(&whole[k][percent]), mean(&guard[k][percent]),
                   half_width(&guard[k][percent]));
    close_shop(&s);
}

/* A store and its guard as `learn` leaves them, opened; wall time, since it waits for the file. */
static void open_saved(const char *path, struct sample *us) {
    char why[WHY_ROOM];
    static const sito_plan any = {0};
    struct exceptions x;
    const double begin = wall_ns();
    if (!exceptions_open(&x, path, &any, why)) stop(why);
    note(us, 1e-3 * (wall_ns() - begin));
    exceptions_close(&x);
}

static void sizes(const char *folder, int repeats, uint64_t most) {
    puts("exceptions\tguard\trepeats\tbytes\tmake_ms\tmake_95\topen_us\topen_95");
    for (uint64_t nwords = HYPHENEX; nwords <= most;
         nwords = nwords == HYPHENEX ? MANY : 10 * nwords) {
        struct shop s;
        const int enough = nwords <= 100000 ? repeats : (repeats + 9) / 10;
        open_shop(&s, folder, nwords);
        for (size_t k = 0; k <= NGUARDS; k++) {
            const sito_plan plan = {.kind = k ? guards[k - 1] : NULL, .fpr = .01, .seed = 1};
            char path[4200], beside[4300], why[WHY_ROOM];
            struct sample make = {0}, guard = {0}, opened = {0};
            struct word_list list = parsed(&s.lists);
            uint64_t bytes = 0;
            for (int r = 0; r < enough; r++)
                start(&s, plan.kind, plan.fpr, (uint64_t)r + 1, &make, &guard, &bytes);
            snprintf(path, sizeof path, "%s.saved", s.path);
            snprintf(beside, sizeof beside, "%s.guard", path);
            unlink(path), unlink(beside);
            if (exceptions_learn(path, &list, &plan, why) < 0) stop(why);
            for (int r = 0; r < repeats; r++) open_saved(path, &opened);
            printf("%" PRIu64 "\t%s\t%d\t%" PRIu64 "\t%.3f\t%.3f\t%.1f\t%.1f\n", nwords,
                   k ? plan.kind : "none", enough, bytes, 1e-3 * mean(&make),
                   1e-3 * half_width(&make), mean(&opened), half_width(&opened));
            fflush(stdout);
            unlink(path), unlink(beside);
            words_free(&list);
        }
        close_shop(&s);
    }
}

int main(int argc, char **argv) {
    const char *what = argc >= 5 ? argv[1] : "";
    const int repeats = argc >= 5 ? atoi(argv[3]) : 0;
    const uint64_t bound = argc >= 5 ? strtoull(argv[4], NULL, 10) : 0,
                   every = argc >= 6 ? strtoull(argv[5], NULL, 10) : 1;
    pin();
    if (repeats < 1 || repeats > MOST_REPEATS || !bound || !every) what = "";
    if (!strcmp(what, "startup") && bound <= 20) startup(argv[2], repeats, (int)bound);
    else if (!strcmp(what, "running") && bound <= 20) running(argv[2], repeats, (int)bound, every);
    else if (!strcmp(what, "stores"))
        stores(argv[2], repeats, bound, every, argc > 6 ? argv[6] : NULL);
    else if (!strcmp(what, "sizes")) sizes(argv[2], repeats, bound);
    else
        return fputs("usage: hyphenation startup|running|stores|sizes FOLDER REPEATS BOUND [EVERY "
                     "[PLACE]]\n",
                     stderr),
               2;
    return 0;
}
