/* count.c - sito kmer count: how many k-mers do these sequences have, and how many distinct ones? */
#include "../../cli/report.h"
#include "../../cli/store.h"
#include "../../cli/talk.h"
#include "index.h"

int kmer_count(struct options *o) {
    const struct kmer_options *all = all_of(o);
    struct kmer_way way;
    struct found found = {0};
    struct report r;
    if (!all->k) return complain("kmer count: how long are the k-mers? give -k"), TROUBLE;
    const char *kind = o->wish.kind;
    if (kind && !(sito_abilities(kind) && kind_keeps_keys(kind)))
        return complain("kmer count: `%s` keeps no k-mers to count; --kind exact does", kind),
               TROUBLE;
    kmer_way_set(&way, all->k, !all->no_canonical, 1);
    way.lenient = all->lenient;
    const int outcome = find_kmers(&way, kind, o->operands, o->noperands, &found);
    if (outcome == DONE) {
        report_begin(&r, o->json);
        report_count(&r, "k", way.k);
        report_bool(&r, "canonical", way.canonical);
        report_count(&r, "records", found.records);
        report_count(&r, "kmers", found.kmers);
        report_count(&r, "distinct", found.distinct);
        report_count(&r, "other_letters", found.breaks);
        report_end(&r);
    }
    found_free(&found);
    return outcome;
}
