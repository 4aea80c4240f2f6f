/*
 * ecoli.c - the seminar's experiment: k-mers of a genome into a filter, and asked for again.
 *
 *   ecoli rules ROUNDS LETTERS K,K,... NAME=FILE...     cuckoo filters by each rule of relocation
 *   ecoli kinds ROUNDS LETTERS K,K,... NAME=FILE...     every kind
 *   ecoli scan  ASKED  LETTERS K,K,... NAME=FILE...     no index at all: memmem over the letters
 *
 * Of a FILE the first LETTERS are taken. Times are CPU time of one thread, the least of ROUNDS. All k-mers are asked for,
 * and strangers as well: else nothing would be known about errors.
 */
#include "genome.h"

#include <math.h>
#include <sito/sito.h>

static const double rate = 0.001;

static void fine(sito_rc rc, const char *what) {
    if (rc == SITO_OK) return;
    fprintf(stderr, "ecoli: %s: %s\n", what, sito_strerror(rc));
    exit(1);
}

static double fact(const sito_filter *f, const char *name) {
    double value = NAN;
    sito_fact(f, name, &value);
    return value;
}

static double less(double a, double b) { return a < b ? a : b; }

/* ---- asking ---- */

struct answers {
    uint64_t found, false_absent, false_near;
    double inside_ns, stranger_ns, stream_ns;
};

static uint64_t ask_each(const sito_filter *f, const uint64_t *hashes, size_t n, double *ns) {
    uint64_t yes = 0;
    const double begin = thread_ns();
    for (size_t i = 0; i < n; i++) yes += sito_maybe_hash(f, hashes[i]);
    if (n) *ns = less(*ns, (thread_ns() - begin) / (double)n);
    return yes;
}

/* From letters to answers, in the order of the genome and in batches. */
static uint64_t ask_stream(const sito_filter *f, const struct kmer_way *w, const struct genome *g,
                           double *ns) {
    enum { BATCH = 1 << 13 };
    uint64_t hashes[BATCH], yes = 0;
    uint8_t answers[BATCH];
    struct kmer_walk walk = {.seq = g->letters, .n = g->n};
    size_t n, all = 0;
    const double begin = thread_ns();
    while ((n = kmer_hashes(w, &walk, hashes, BATCH))) {
        sito_maybe_many(f, hashes, n, answers);
        for (size_t i = 0; i < n; i++) yes += answers[i];
        all += n;
    }
    *ns = less(*ns, (thread_ns() - begin) / (double)all);
    return yes;
}

static struct answers ask_all(const sito_filter *f, const struct kmers *s, const struct genome *g,
                              uint64_t rounds) {
    struct answers a = {.inside_ns = 1e300, .stranger_ns = 1e300, .stream_ns = 1e300};
    for (uint64_t r = 0; r < rounds; r++) {
        double unused = 1e300;
        a.found = ask_each(f, s->once.all, s->once.n, &a.inside_ns);
        a.false_absent = ask_each(f, s->absent, s->nabsent, &a.stranger_ns);
        a.false_near = ask_each(f, s->near, s->nnear, &unused);
        const uint64_t places = ask_stream(f, &s->way, g, &a.stream_ns);
        if (a.found == s->once.n && places != s->nplaces) stop("batches answer otherwise");
    }
    return a;
}

static const char answer_columns[] =
    "inside_ns\tstranger_ns\tstream_ns\tfound\tabsent\tfalse\tnear\tnear_false\tpromised";

static void print_answers(const struct answers *a, const struct kmers *s, double promised) {
    printf("\t%.1f\t%.1f\t%.1f\t%" PRIu64 "\t%zu\t%" PRIu64 "\t%zu\t%" PRIu64 "\t%.6f\n",
           a->inside_ns, a->stranger_ns, a->stream_ns, a->found, s->nabsent, a->false_absent,
           s->nnear, a->false_near, promised);
    fflush(stdout);
}

/* ---- rules ---- */

static const char *const rules[] = {"random", "emptier", "path"};
enum { NRULES = sizeof rules / sizeof *rules };

/* One by one, as they come; how many were refused? */
static uint64_t add_each(sito_filter *f, const uint64_t *hashes, size_t n, double *ns) {
    uint64_t refused = 0;
    const double begin = thread_ns();
    for (size_t i = 0; i < n; i++) refused += sito_add_hash(f, hashes[i]) < 0;
    *ns = less(*ns, (thread_ns() - begin) / (double)n);
    return refused;
}

static void try_rule(const struct genome *g, const struct kmers *s, const char *rule, bool planned,
                     uint64_t rounds) {
    sito_plan plan = {.kind = SITO_CUCKOO, .rule = rule, .nkeys = s->once.n, .seed = SEED};
    sito_filter *f = NULL;
    uint64_t refused = 0;
    double insert_ns = 1e300;
    if (planned) plan.fpr = rate;
    else plan.ncells = (uint64_t)ceil((double)s->once.n / 0.95 / 8) * 8, plan.tag_bits = 13;
    fine(sito_plan_solve(&plan), "plan");
    for (uint64_t r = 0; r < rounds; r++) {
        sito_free(f);
        fine(sito_new(&plan, NULL, &f), "new");
        refused = add_each(f, s->once.all, s->once.n, &insert_ns);
    }
    const struct answers a = ask_all(f, s, g, rounds);
    printf("%s\t%u\t%s\t%s\t%.0f\t%.4f\t%zu\t%zu\t%.5f\t%.0f\t%" PRIu64 "\t%.1f", g->name, s->way.k,
           rule, planned ? "planned" : "95%", fact(f, "slots"), fact(f, "load"), s->nplaces,
           s->once.n, fact(f, "moves") / (double)s->once.n, fact(f, "longest"), refused, insert_ns);
    print_answers(&a, s, plan.real_fpr);
    sito_free(f);
}

static void all_rules(const struct genome *g, unsigned k, uint64_t rounds) {
    struct kmers s = kmers_of(g, k, false);
    for (size_t r = 0; r < NRULES; r++)
        for (int planned = 0; planned < 2; planned++) try_rule(g, &s, rules[r], planned, rounds);
    kmers_free(&s);
}

/* ---- kinds ---- */

static const struct {
    const char *kind, *layout;
} kinds[] = {{SITO_CUCKOO, "bucket"}, {SITO_CUCKOO, "sorted"}, {SITO_CUCKOO, "window"},
             {SITO_BLOOM, NULL},      {SITO_PARTED, NULL},     {SITO_BLOCK, NULL},
             {SITO_COUNTING, NULL},   {SITO_COMPACT, NULL},    {SITO_FUSE, NULL},
             {SITO_RIBBON, NULL}};

static void print_kind(const struct genome *g, const struct kmers *s, const sito_filter *f,
                       const char *layout, double build_ns) {
    sito_info info;
    fine(sito_look(f, &info), "look");
    printf("%s\t%u\t%s%s%s\t%zu\t%.2f\t%.1f", g->name, s->way.k, info.kind, layout ? ", " : "",
           layout ? layout : "", s->once.n, 8 * (double)info.bytes / (double)s->once.n, build_ns);
}

static void try_kind(const struct genome *g, const struct kmers *s, size_t i, uint64_t rounds) {
    sito_plan plan = {.kind = kinds[i].kind,
                      .layout = kinds[i].layout,
                      .nkeys = s->once.n,
                      .fpr = rate,
                      .seed = SEED};
    sito_filter *f = NULL;
    double build_ns = 1e300;
    fine(sito_plan_solve(&plan), plan.kind);
    for (uint64_t r = 0; r < rounds; r++) {
        sito_free(f);
        const double begin = thread_ns();
        fine(sito_build(&plan, NULL, s->once.all, s->once.n, &f), plan.kind);
        build_ns = less(build_ns, (thread_ns() - begin) / (double)s->once.n);
    }
    const struct answers a = ask_all(f, s, g, rounds);
    print_kind(g, s, f, kinds[i].layout, build_ns);
    print_answers(&a, s, plan.real_fpr);
    sito_free(f);
}

static void try_bitmap(const struct genome *g, unsigned k, uint64_t rounds) {
    struct kmers s = kmers_of(g, k, true);
    const sito_plan plan = {.kind = SITO_BITMAP, .ncells = (uint64_t)1 << 2 * k, .seed = SEED};
    sito_filter *f;
    double add_ns = 1e300;
    fine(sito_new(&plan, NULL, &f), SITO_BITMAP);
    if (add_each(f, s.once.all, s.once.n, &add_ns)) stop("a bitmap refuses");
    const struct answers a = ask_all(f, &s, g, rounds);
    print_kind(g, &s, f, NULL, add_ns);
    print_answers(&a, &s, 0);
    sito_free(f);
    kmers_free(&s);
}

/* By the letters themselves: a k-mer is its own key, two bits a letter. */
static void try_exact(const struct genome *g, const struct kmers *s, const char *kind) {
    const sito_plan plan = {.kind = kind, .nkeys = s->once.n, .seed = SEED};
    sito_filter *f;
    uint8_t key[KMER_KEY_BYTES];
    const char *place;
    fine(sito_new(&plan, NULL, &f), kind);
    struct kmer_walk in = {.seq = g->letters, .n = g->n}, again = in;
    double begin = thread_ns();
    while ((place = kmer_place(&s->way, &in))) {
        const size_t n = kmer_key(&s->way, place, key);
        if (!sito_maybe(f, key, n) && sito_add(f, key, n) < 0) stop("no memory");
    }
    const double add_ns = (thread_ns() - begin) / (double)s->once.n;
    uint64_t found = 0;
    begin = thread_ns();
    while ((place = kmer_place(&s->way, &again)))
        found += sito_maybe(f, key, kmer_key(&s->way, place, key));
    const double stream_ns = (thread_ns() - begin) / (double)s->nplaces;
    sito_info info;
    fine(sito_look(f, &info), kind);
    if (info.nkeys != s->once.n || found != s->nplaces) stop("hashes and letters differ");
    print_kind(g, s, f, NULL, add_ns);
    printf("\t-\t-\t%.1f\t%zu\t-\t-\t-\t-\t0\n", stream_ns, s->once.n);
    sito_free(f);
}

static void all_kinds(const struct genome *g, unsigned k, uint64_t rounds) {
    struct kmers s = kmers_of(g, k, false);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) try_kind(g, &s, i, rounds);
    if (k <= 12) try_bitmap(g, k, rounds);
    try_exact(g, &s, SITO_EXACT);
    kmers_free(&s);
}

/* ---- no index ---- */

static void turn(const char *from, size_t k, char *to) {
    for (size_t i = 0; i < k; i++) {
        const char c = from[k - 1 - i];
        to[i] = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
    }
}

/* On either strand, from the first letter to the last. */
static bool scan(const struct genome *g, const char *kmer, size_t k) {
    char turned[KMER_MOST];
    turn(kmer, k, turned);
    return memmem(g->letters, g->n, kmer, k) || memmem(g->letters, g->n, turned, k);
}

static void scan_for(const struct genome *g, unsigned k, uint64_t asked) {
    uint64_t dice = SEED;
    for (int inside = 1; inside >= 0; inside--) {
        uint64_t found = 0;
        double ns = 0;
        for (uint64_t i = 0; i < asked; i++) {
            char kmer[KMER_MOST];
            for (size_t j = 0; j < k; j++) kmer[j] = "ACGT"[next_random(&dice) >> 62];
            if (inside) memcpy(kmer, g->letters + 1 + next_random(&dice) % (g->n - k), k);
            const double begin = thread_ns();
            found += scan(g, kmer, k);
            ns += thread_ns() - begin;
        }
        printf("%s\t%u\t%s\t%" PRIu64 "\t%" PRIu64 "\t%.0f\n", g->name, k,
               inside ? "inside" : "random", asked, found, ns / (double)asked);
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name, *columns;
        void (*run)(const struct genome *g, unsigned k, uint64_t rounds);
    } tables[] = {
        {"rules",
         "genome\tk\trule\ttable\tslots\tload\tplaces\tdistinct\tmoves\tlongest\trefused\t"
         "insert_ns\t",
         all_rules},
        {"kinds", "genome\tk\tkind\tdistinct\tbits\tbuild_ns\t", all_kinds},
        {"scan", "genome\tk\twhich\tasked\tfound\tns", scan_for}};
    if (argc < 6) stop("give a table, rounds, letters, lengths and NAME=FILE...");
    size_t t = 0;
    while (t < 3 && strcmp(tables[t].name, argv[1]) != 0) t++;
    if (t == 3) stop("no such table");
    pin();
    printf("%s%s\n", tables[t].columns, t < 2 ? answer_columns : "");
    for (int i = 5; i < argc; i++) {
        struct genome g = read_genome(argv[i], strtoull(argv[3], NULL, 10));
        for (char *p = argv[4]; *p; p += *p == ',')
            tables[t].run(&g, (unsigned)strtoul(p, &p, 10), strtoull(argv[2], NULL, 10));
        free(g.letters);
    }
    return 0;
}
