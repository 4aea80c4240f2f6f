/*
 * build.c - sito kmer build: sequences in, an index out.
 *
 * The size comes from the k-mers: their distinct hashes are gathered first, so the promised rate
 * holds. A bitmap, whose size k alone decides, takes them as they come; exact kinds grow.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>

#include "../../cli/numbers.h"
#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "../../cli/wish.h"
#include "index.h"
#include "inputs.h"

/* Up to here one bit for each k-mer that can be takes 2 MiB at most, and never errs. */
enum { BITMAP_K = 12 };

struct making {
    const struct kmer_options *o;
    sito_plan plan;
    struct index x;
    struct found found;
};

/* ---- the plan ---- */

static int plan_wish(struct making *m) {
    const struct kmer_options *o = m->o;
    m->plan = o->common.wish;
    if (!o->k) return complain("kmer build: how long are the k-mers? give -k"), TROUBLE;
    if (!m->plan.kind) m->plan.kind = o->k <= BITMAP_K ? SITO_BITMAP : SITO_BLOCK;
    const int outcome = check_kind(m->plan.kind);
    if (outcome != DONE) return outcome;
    /* The bits of a bitmap are numbers, whatever the seed: so all of one k can be merged. */
    if (!m->plan.seed && !strcmp(m->plan.kind, SITO_BITMAP)) m->plan.seed = 1;
    while (!m->plan.seed)
        if (getrandom(&m->plan.seed, sizeof m->plan.seed, 0) < 0 && errno != EINTR)
            return complain("no random seed to be had; give one with --seed"), TROUBLE;
    kmer_way_set(&m->x.way, o->k, !o->no_canonical, m->plan.seed);
    return DONE;
}

static int plan_like(struct making *m, sito_filter **model) {
    const struct kmer_options *o = m->o;
    static const sito_plan nothing;
    sito_plan wish = o->common.wish;
    wish.threads = 0;
    if (memcmp(&wish, &nothing, sizeof wish) || o->no_canonical) {
        complain("--like takes kind, rate, size and strands from %s; leave other wishes out",
                 o->common.like);
        return TROUBLE;
    }
    int outcome = index_open(o, o->common.like, 0, &m->x);
    *model = m->x.f;
    m->x.f = NULL;
    if (outcome != DONE) return outcome;
    if (o->k && o->k != m->x.way.k) {
        complain("%s: is an index of %u-mers, not of %u-mers; leave -k out", o->common.like,
                 m->x.way.k, o->k);
        return TROUBLE;
    }
    const sito_rc rc = sito_plan_like(*model, &m->plan);
    return rc == SITO_OK ? DONE : refused(o->common.like, rc, NULL);
}

/* A polynomial hash of long k-mers has a chance of its own to take a stranger in. */
static int check_rate(const struct making *m) {
    const unsigned k = m->x.way.k;
    const double own =
        k > KMER_NUMBERS ? 2.0 * k * (double)m->plan.nkeys / 2305843009213693951.0 : 0;
    char room[NUMBER_ROOM];
    if (own <= 0.01 * m->plan.real_fpr) return DONE;
    complain("%u-mers have hashes that err %s by themselves; ask for at least 100 times that, or "
             "for --kind exact",
             k, human_rate(own, room));
    return SHORT;
}

/* ---- the filter ---- */

static int make_bitmap(struct making *m) {
    const unsigned k = m->x.way.k;
    if (k > 31 || (m->plan.ncells && m->plan.ncells != (uint64_t)1 << 2 * k)) {
        complain(k > 31 ? "bitmap: %u-mers are too many; take another --kind"
                        : "bitmap: has a bit for each of the %u-mers; leave --cells out",
                 k);
        return TROUBLE;
    }
    m->x.way.numbers = true;
    m->plan.ncells = (uint64_t)1 << 2 * k;
    m->plan.nkeys = m->plan.ncells;
    m->plan.fpr = 0;
    const int outcome = solve(&m->plan);
    if (outcome != DONE) return outcome;
    const sito_rc rc = sito_new(&m->plan, NULL, &m->x.f);
    if (rc != SITO_OK) return refused(m->o->common.output, rc, NULL);
    return find_into(&m->x, m->o->common.operands, m->o->common.noperands, &m->found);
}

static int make_built(struct making *m) {
    const char *output = m->o->common.output;
    char came[NUMBER_ROOM], planned[NUMBER_ROOM];
    if (!is_sized(&m->plan)) m->plan.nkeys = m->found.distinct;
    if (m->plan.ncells && !m->plan.nkeys) m->plan.nkeys = m->found.distinct;
    int outcome = solve(&m->plan);
    if (outcome == DONE) outcome = check_rate(m);
    if (outcome != DONE) return outcome;
    if (m->found.distinct > m->plan.nkeys) {
        complain("%s: %s k-mers came and %s were planned; nothing is written%s", output,
                 human_count(m->found.distinct, came), human_count(m->plan.nkeys, planned),
                 m->o->common.like ? "; build the model for more (-n)" : "; give a larger -n");
        return SHORT;
    }
    m->plan.watch = stop_watch;
    const sito_rc rc = sito_build(&m->plan, NULL, m->found.pile.all, m->found.pile.n, &m->x.f);
    return rc == SITO_OK ? DONE : refused(output, rc, NULL);
}

/* What was gathered exactly moves to a filter planned for as many. */
static int make_exact(struct making *m) {
    if (!is_sized(&m->plan)) m->plan.nkeys = m->found.distinct;
    const int outcome = solve(&m->plan);
    if (outcome != DONE) return outcome;
    sito_rc rc = sito_new(&m->plan, NULL, &m->x.f);
    if (rc == SITO_OK) rc = sito_merge(m->x.f, m->found.exact);
    return rc == SITO_OK ? DONE : refused(m->o->common.output, rc, NULL);
}

static int make(struct making *m) {
    const struct options *o = &m->o->common;
    m->x.way.lenient = m->o->lenient;
    if (!strcmp(m->plan.kind, SITO_BITMAP)) return make_bitmap(m);
    const bool keeps_keys = kind_keeps_keys(m->plan.kind);
    if (!keeps_keys && !(sito_abilities(m->plan.kind) & SITO_CAN_BUILD)) {
        complain("%s: cannot be built at once from k-mers; `sito kinds` shows which can (build)",
                 m->plan.kind);
        return TROUBLE;
    }
    const int outcome = find_kmers(&m->x.way, m->plan.kind, o->operands, o->noperands, &m->found);
    if (outcome != DONE) return outcome;
    return keeps_keys ? make_exact(m) : make_built(m);
}

/* ---- the file ---- */

static void tell(const struct making *m, const sito_info *info) {
    const struct options *o = &m->o->common;
    char kmers[NUMBER_ROOM], bytes[NUMBER_ROOM], breaks[NUMBER_ROOM];
    /* A bitmap counts them itself; other kinds count those that did not look known. */
    const uint64_t distinct = m->found.distinct ? m->found.distinct : info->nkeys;
    remark("%s: %s, %s distinct %u-mers, %s; %s letters were no A, C, G or T", o->output,
           info->kind, human_count(distinct, kmers), m->x.way.k,
           human_bytes(info->image_bytes, bytes), human_count(m->found.breaks, breaks));
    if (!o->json) return;
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", o->output);
    report_count(&r, "k", m->x.way.k);
    report_bool(&r, "canonical", m->x.way.canonical);
    report_count(&r, "records", m->found.records);
    report_count(&r, "kmers", m->found.kmers);
    report_count(&r, "distinct", distinct);
    report_count(&r, "other_letters", m->found.breaks);
    report_info(&r, info);
    report_end(&r);
}

static int save(struct making *m) {
    const struct options *o = &m->o->common;
    sito_info info;
    sito_rc rc = index_write_note(&m->x);
    if (rc == SITO_OK) rc = sito_look(m->x.f, &info);
    if (rc != SITO_OK) return refused(o->output, rc, NULL);
    if (stop_asked()) return STOPPED;
    const int outcome = save_filter(m->x.f, o->output);
    if (outcome == DONE) tell(m, &info);
    return outcome;
}

int kmer_build(struct options *o) {
    struct making m = {.o = all_of(o)};
    sito_filter *model = NULL;
    if (!o->output)
        return complain("kmer build: where to? give -o FILE (- is standard output)"), TROUBLE;
    if (o->json && !strcmp(o->output, "-"))
        return complain("kmer build: standard output cannot take both the index and --json"),
               TROUBLE;
    int outcome = check_target(o->output);
    if (outcome == DONE) outcome = check_inputs(o->operands, o->noperands);
    if (outcome == DONE) outcome = check_output(o->output, o->operands, o->noperands);
    if (outcome == DONE) outcome = o->like ? plan_like(&m, &model) : plan_wish(&m);
    m.plan.threads = o->wish.threads;
    if (outcome == DONE) outcome = make(&m);
    if (outcome == DONE) outcome = save(&m);
    found_free(&m.found);
    sito_free(m.x.f);
    sito_free(model);
    return outcome;
}
