/* cmd_plan.c - sito plan: what would a filter cost, and what would it promise? */
#include <inttypes.h>
#include <sito/counting.h>
#include <stdio.h>

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

static void print_json(const sito_plan *p) {
    struct report r;
    report_begin(&r, true);
    report_text(&r, "kind", p->kind);
    report_count(&r, "nkeys", p->nkeys);
    report_bytes(&r, "bytes", p->bytes);
    report_real(&r, "bits_per_key", p->bits_per_key);
    report_rate(&r, "wanted_fpr", p->fpr);
    report_rate(&r, "real_fpr", p->real_fpr);
    if (p->nhashes) report_count(&r, "hashes", p->nhashes);
    if (p->ncells) report_count(&r, "cells", p->ncells);
    if (p->cell_bits) report_count(&r, "cell_bits", p->cell_bits);
    if (p->tag_bits) report_count(&r, "tag_bits", p->tag_bits);
    double tail, bound;
    if (sito_counting_overflow(p, &tail, &bound) == SITO_OK) {
        report_real(&r, "overflow", tail);
        report_real(&r, "overflow_bound", bound);
    }
    report_abilities(&r, "can", sito_abilities(p->kind));
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
    if (p->nhashes) snprintf(hashes, sizeof hashes, "%u", p->nhashes);
    printf("%-13s%15s %11s %17s %13.2f %7s  %s\n", p->kind, human_count(p->nkeys, keys),
           human_bytes(p->bytes, bytes), human_count(p->bytes, exact), p->bits_per_key, hashes,
           human_rate(p->real_fpr, rate));
}

/* What else there is to say of the one kind that was asked for. */
static void print_more(const sito_plan *p) {
    double tail, bound;
    if (sito_counting_overflow(p, &tail, &bound) != SITO_OK) return;
    printf(
        "%-13s%u bits a counter: each overflows with probability %.3g (Fan et al.'s bound: %.3g)\n",
        "", p->cell_bits, tail, bound);
}

/* Every kind gets its line, with the reason if it cannot. */
static int plan_all(const sito_plan *wish, bool json) {
    const char *kind;
    char why[REASON_ROOM];
    int best = TROUBLE;
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
    }
    if (json) puts("]");
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
