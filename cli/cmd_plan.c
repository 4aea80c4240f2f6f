/* cmd_plan.c - sito plan: what would a filter cost, and what would it promise? */
#include <inttypes.h>
#include <sito/counting.h>
#include <sito/linear.h>
#include <stdio.h>
#include <string.h>

#include "numbers.h"
#include "report.h"
#include "store.h"
#include "talk.h"
#include "wish.h"

/* `sito plan 10M 1%` is `sito plan -n 10M -r 1%`. */
static int read_operands(const struct options *o, sito_plan *wish) {
    const char *why;
    if (o->noperands > 0) {
        if (wish->nkeys)
            return complain("plan: the keys are given twice, as N and with -n"), TROUBLE;
        if (!parse_count(o->operands[0], &wish->nkeys, &why))
            return complain("plan: N: `%s` %s", o->operands[0], why), TROUBLE;
    }
    if (o->noperands > 1) {
        if (wish->fpr > 0)
            return complain("plan: the rate is given twice, as RATE and with -r"), TROUBLE;
        if (!parse_rate(o->operands[1], &wish->fpr, &why))
            return complain("plan: RATE: `%s` %s", o->operands[1], why), TROUBLE;
    }
    if (!is_sized(wish)) {
        complain("plan: for how many keys? give N, or a size with --max-bytes");
        return TROUBLE;
    }
    return DONE;
}

/*
 * Below which rate is a cuckoo filter for so many keys always smaller than a Bloom filter? Tags of b
 * bits serve the rates from their own up to that of b - 1 bits, all in as many bytes; a Bloom filter
 * of those bytes reaches one rate, and needs more below it. So: from wide tags to narrow ones, as
 * long as that rate lies above what they serve. 0: it never is, or the rate planned is one that even
 * the widest tags reach only with slots left empty, where a Bloom filter may be the smaller one again.
 */
static double crossing(const sito_plan *cuckoo) {
    double below = 0;
    for (unsigned bits = 32; bits >= 4; bits--) {
        sito_plan tags = {.kind = SITO_CUCKOO, .nkeys = cuckoo->nkeys, .tag_bits = bits};
        tags.layout = cuckoo->layout, tags.rule = cuckoo->rule, tags.bucket = cuckoo->bucket;
        if (sito_plan_solve(&tags) != SITO_OK) continue;
        if (bits == 32 && cuckoo->fpr < tags.real_fpr) return 0;
        if (below > 0 && below < tags.real_fpr) return below;
        sito_plan bloom = {.kind = SITO_BLOOM, .nkeys = tags.nkeys, .max_bytes = tags.bytes};
        if (sito_plan_solve(&bloom) != SITO_OK || bloom.real_fpr < tags.real_fpr) return below;
        below = bloom.real_fpr;
    }
    return below;
}

/* By which share is a block filter larger than the Bloom filter that promises as much? */
static double more_than_bloom(const sito_plan *block) {
    sito_plan bloom = {.kind = SITO_BLOOM, .nkeys = block->nkeys, .fpr = block->real_fpr};
    if (sito_plan_solve(&bloom) != SITO_OK) return 0;
    return (double)block->bytes / (double)bloom.bytes - 1;
}

/* Is its kind one of these? A wish that is for others does nothing, and is not told. */
static bool is_of(const sito_plan *p, const char *kinds) {
    const size_t n = strlen(p->kind);
    for (const char *at = kinds; (at = strstr(at, p->kind)); at++)
        if ((at == kinds || at[-1] == ' ') && (!at[n] || at[n] == ' ')) return true;
    return false;
}

static bool has_hashes(const sito_plan *p) {
    return p->nhashes && is_of(p, "bloom parted block counting aged linear");
}

/* With cuckoo layers a scalable filter can more than its kind promises. */
static unsigned abilities_of(const sito_plan *p) {
    bool removes = p->layer && !strcmp(p->kind, SITO_SCALABLE) && !strcmp(p->layer, SITO_CUCKOO);
    return sito_abilities(p->kind) | (removes ? SITO_CAN_REMOVE | SITO_CAN_COUNT : 0);
}

static void print_json(const sito_plan *p) {
    const bool cuckoo = is_of(p, "cuckoo"), fuse = is_of(p, "fuse"), linear = is_of(p, "linear");
    struct report r;
    report_begin(&r, true);
    report_text(&r, "kind", p->kind);
    report_count(&r, "nkeys", p->nkeys);
    report_bytes(&r, "bytes", p->bytes);
    report_real(&r, "bits_per_key", p->bits_per_key);
    report_rate(&r, "wanted_fpr", p->fpr);
    report_rate(&r, "real_fpr", p->real_fpr);
    if (has_hashes(p)) report_count(&r, "hashes", p->nhashes);
    if (p->ncells) report_count(&r, "cells", p->ncells);
    if (p->cell_bits && is_of(p, "counting linear")) report_count(&r, "cell_bits", p->cell_bits);
    if (p->tag_bits && is_of(p, "compact cuckoo fuse ribbon"))
        report_count(&r, "tag_bits", p->tag_bits);
    if (p->value_bits && fuse) report_count(&r, "value_bits", p->value_bits);
    if (p->arity && fuse) report_count(&r, "arity", p->arity);
    if (p->bucket && cuckoo) report_count(&r, "bucket", p->bucket);
    if (p->rule && cuckoo) report_text(&r, "rule", p->rule);
    if (p->layout && cuckoo) report_text(&r, "layout", p->layout);
    if (p->max_moves && cuckoo) report_count(&r, "max_moves", p->max_moves);
    if (cuckoo) report_rate(&r, "smaller_than_bloom_below", crossing(p));
    if (!strcmp(p->kind, SITO_BLOCK)) report_real(&r, "more_than_bloom", more_than_bloom(p));
    double tail, bound;
    if (sito_counting_overflow(p, &tail, &bound) == SITO_OK) {
        report_real(&r, "overflow", tail);
        report_real(&r, "overflow_bound", bound);
    }
    sito_linear_odds odds;
    if (p->scale && linear) report_text(&r, "scale", p->scale);
    if (p->fade_q && linear)
        report_count(&r, "fade_p", p->fade_p), report_count(&r, "fade_q", p->fade_q);
    if (sito_linear_expect(p, &odds) == SITO_OK) {
        report_real(&r, "squared_error", odds.squared_error);
        report_real(&r, "squared_error_mid", odds.squared_error_mid);
        report_real(&r, "overestimate", odds.overestimate);
    }
    if (!strcmp(p->kind, SITO_SCALABLE)) report_text(&r, "layer", p->layer);
    if (!strcmp(p->kind, SITO_AGED)) report_count(&r, "window", p->window);
    report_abilities(&r, "can", abilities_of(p));
    report_end(&r);
}

static void print_refusal(const char *kind, const char *why) {
    struct report r;
    report_begin(&r, true);
    report_text(&r, "kind", kind);
    report_text(&r, "why", why);
    report_end(&r);
}

static void print_row(const sito_plan *p) {
    char keys[NUMBER_ROOM], bytes[NUMBER_ROOM], exact[NUMBER_ROOM], rate[NUMBER_ROOM],
        hashes[16] = "-";
    if (has_hashes(p)) snprintf(hashes, sizeof hashes, "%u", p->nhashes);
    printf("%-13s%15s %11s %17s %13.2f %7s  %s\n", p->kind, human_count(p->nkeys, keys),
           human_bytes(p->bytes, bytes), human_count(p->bytes, exact), p->bits_per_key, hashes,
           human_rate(p->real_fpr, rate));
}

/* What a row does not tell. */
static void print_more(const sito_plan *p) {
    char rate[NUMBER_ROOM];
    double tail, bound, below, more;
    if (sito_counting_overflow(p, &tail, &bound) == SITO_OK)
        printf(
            "%u bits a counter: each overflows with probability %.3g (Fan et al.'s bound: %.3g)\n",
            p->cell_bits, tail, bound);
    sito_linear_odds odds;
    if (sito_linear_expect(p, &odds) == SITO_OK)
        printf("%u bits a cell, %s scale: mean squared error %.3g (%.3g at the floor), %.3g %% "
               "over-estimated\n",
               p->cell_bits, p->scale, odds.squared_error_mid, odds.squared_error,
               100 * odds.overestimate);
    if (!strcmp(p->kind, SITO_CUCKOO) && (below = crossing(p)) > 0)
        printf("cuckoo is smaller than bloom at rates below %s\n", human_rate(below, rate));
    if (!strcmp(p->kind, SITO_BLOCK) && (more = more_than_bloom(p)) > 0)
        printf("block is %.0f %% larger than a bloom that errs as often\n", 100 * more);
}

/* Every kind gets its line, with the reason if it cannot. */
static int plan_all(const sito_plan *wish, bool json) {
    const char *kind;
    char why[REASON_ROOM];
    int best = TROUBLE;
    sito_plan cuckoo = {0};
    for (size_t i = 0; (kind = sito_kind_at(i)); i++) {
        sito_plan plan = *wish;
        plan.kind = kind;
        const sito_rc rc = sito_plan_solve(&plan);
        if (json) putchar(i ? ',' : '[');
        if (rc == SITO_OK) {
            (json ? print_json : print_row)(&plan);
            best = DONE;
        } else if (json) {
            print_refusal(kind, reason(&plan, rc, why));
        } else {
            printf("%-13s%15s  %s\n", kind, "-", reason(&plan, rc, why));
        }
        if (rc == SITO_ELIMIT && best != DONE) best = SHORT;
        if (rc == SITO_OK && !strcmp(kind, SITO_CUCKOO)) cuckoo = plan;
    }
    if (json) puts("]");
    else if (cuckoo.kind) print_more(&cuckoo);
    return best;
}

int cmd_plan(struct options *o) {
    sito_plan plan = o->wish;
    int outcome = read_operands(o, &plan);
    if (outcome == DONE && plan.kind) {
        outcome = check_kind(plan.kind);
        if (outcome == DONE) outcome = solve(&plan);
    }
    if (outcome != DONE) return outcome;
    if (!o->json)
        printf("%-13s%15s %11s %17s %13s %7s  %s\n", "kind", "keys", "size", "bytes", "bits/key",
               "hashes", "errs at most");
    if (!plan.kind) return plan_all(&plan, o->json);
    (o->json ? print_json : print_row)(&plan);
    if (!o->json) print_more(&plan);
    return DONE;
}
